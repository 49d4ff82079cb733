// From a C++ function to something that the emulator can run: the arguments come from the function's own type. In a file
// that includes a kernel's source, `DERATE_KERNEL(name)` lists it; `DERATE_EXPORT`, in one file, makes the list of all of them
// visible.
#pragma once

#include <cstddef>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "port.h"

namespace derate {

// A scalar comes from the low bytes of its register.
template <class A> struct from_register {
    static_assert(!std::is_pointer<A>::value,
                  "a kernel that the emulator runs takes its pointers as port<T>: include port.h and write port<T> for T *");
    static_assert(std::is_trivially_copyable<A>::value && sizeof(A) <= 8,
                  "the emulator passes scalars of up to 64 bit and ports; streams and references it cannot");
    static constexpr argument described = {argument_kind::scalar, sizeof(A)};
    static A make(frame &run, std::uint32_t index) {
        A value;
        std::memcpy(&value, &run.registers[index], sizeof(A));
        return value;
    }
};

template <class T> struct from_register<port<T>> {
    static constexpr argument described = {
        std::is_const<T>::value ? argument_kind::read_only : argument_kind::read_write, sizeof(T)};
    static port<T> make(frame &run, std::uint32_t index) {
        return port<T>(run.windows[index], index, run.registers[index]);
    }
};

#ifdef DERATE_UNCHECKED
// A plain pointer, where whoever compiles says that nothing is to check and to count its accesses.
template <class T> struct from_register<T *> {
    static constexpr argument described = {
        std::is_const<T>::value ? argument_kind::read_only : argument_kind::read_write, sizeof(T)};
    static T *make(frame &run, std::uint32_t index) {
        const window &reach = run.windows[index];
        if (reach.bytes == 0) {
            throw std::runtime_error("a pointer was given an address where no buffer is");
        }
        return reinterpret_cast<T *>(reach.data + (run.registers[index] - reach.address));
    }
};
#endif

template <auto F> struct entry;

template <class... A, void (*F)(A...)> struct entry<F> {
    static constexpr std::uint32_t count = sizeof...(A);
    static constexpr argument described[count + 1] = {from_register<std::remove_const_t<A>>::described..., argument{}};

    static void run(frame *of) noexcept {
        try {
            call(*of, std::make_index_sequence<sizeof...(A)>{});
        } catch (const fault &failed) {
            of->failed = failed;
        } catch (const std::exception &thrown) {
            say(*of, thrown.what());
        } catch (...) {
            say(*of, "an exception of unknown type");
        }
    }

  private:
    // The kernel becomes part of this function, so that its ports' counters live in registers.
    template <std::size_t... I> [[gnu::flatten]] static void call(frame &of, std::index_sequence<I...>) {
        F(from_register<std::remove_const_t<A>>::make(of, I)...);
    }

    static void say(frame &of, const char *what) {
        of.failed.kind = fault_kind::exception;
        std::strncpy(of.message, what, sizeof(of.message) - 1);
    }
};

struct listed {
    kernel described;
    const listed *next;
    explicit listed(kernel one);
};

// Of all files that are linked into one object.
inline const listed *list = nullptr;

inline listed::listed(kernel one) : described(one), next(list) { list = this; }

} // namespace derate

#define DERATE_KERNEL(NAME)                                                                                            \
    static const derate::listed derate_kernel_##NAME({#NAME, derate::entry<&NAME>::count,                              \
                                                      derate::entry<&NAME>::described, derate::entry<&NAME>::run});

#define DERATE_EXPORT                                                                                                  \
    extern "C" [[gnu::visibility("default")]] const derate::kernel *derate_kernel(std::uint32_t index) {               \
        const derate::listed *one = derate::list;                                                                      \
        while (one != nullptr && index-- > 0) {                                                                        \
            one = one->next;                                                                                           \
        }                                                                                                              \
        return one == nullptr ? nullptr : &one->described;                                                             \
    }
