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

#include <csetjmp>
#include <csignal>
#include <ucontext.h>

#include "port.h"

namespace derate {

// A scalar comes from the low bytes of its register.
template <class A_, class> struct from_register {
    static_assert(std::is_trivially_copyable<A_>::value && sizeof(A_) <= 8,
                  "the emulator passes scalars of up to 64 bit, registers that the kernel writes, streams and ports");
    static constexpr argument described = {argument_kind::scalar, sizeof(A_)};
    static A_ make(frame &run, std::uint32_t index) {
        A_ value;
        std::memcpy(&value, &run.registers[index], sizeof(A_));
        return value;
    }
};

template <class T_> struct from_register<port<T_>> {
    static constexpr argument described = {
        std::is_const<T_>::value ? argument_kind::read_only : argument_kind::read_write, sizeof(T_)};
    static port<T_> make(frame &run, std::uint32_t index) {
        return port<T_>(run.windows[index], index, run.registers[index]);
    }
};

// A register that the kernel writes, too.
template <class T_> struct from_register<T_ &> {
    static_assert(std::is_trivially_copyable<T_>::value && sizeof(T_) <= 8, "a register that the kernel writes holds up to 64 bit");
    static constexpr argument described = {std::is_const<T_>::value ? argument_kind::scalar : argument_kind::result, sizeof(T_)};
    struct held {
        frame &run;
        std::uint32_t index;
        std::remove_const_t<T_> value;
        held(frame &of, std::uint32_t at) : run(of), index(at) { std::memcpy(static_cast<void *>(&value), &run.registers[at], sizeof(T_)); }
        held(const held &) = delete;
        ~held() {
            run.registers[index] = 0;
            std::memcpy(&run.registers[index], static_cast<const void *>(&value), sizeof(T_));
        }
        operator T_ &() { return value; }
    };
    static held make(frame &run, std::uint32_t index) { return held(run, index); }
};

// The same, written through a pointer.
template <class T_> struct from_register<T_ (&)[1]> {
    static constexpr argument described = {argument_kind::result, sizeof(T_)};
    struct held {
        typename from_register<T_ &>::held one;
        T_ value[1];
        held(frame &of, std::uint32_t at) : one(of, at) { value[0] = one.value; }
        held(const held &) = delete;
        ~held() { one.value = value[0]; }
        using array = T_ (&)[1];
        operator array() { return value; }
    };
    static held make(frame &run, std::uint32_t index) { return held(run, index); }
};

// A plain pointer, whose accesses nobody counts. Around each buffer are pages that nobody may touch.
template <class T_> struct from_register<T_ *> {
    static constexpr argument described = {
        std::is_const<T_>::value ? argument_kind::plain_read : argument_kind::plain_write, sizeof(T_)};
    static T_ *make(frame &run, std::uint32_t index) {
        const window &reach = run.windows[index];
        return reach.bytes == 0 ? nullptr : reinterpret_cast<T_ *>(reach.data + (run.registers[index] - reach.address));
    }
};

// The run of this thread, and the way out of it.
inline thread_local frame *guarded = nullptr;
inline thread_local std::uint32_t guarded_arguments = 0;
inline thread_local const argument *guarded_kinds = nullptr;
inline thread_local sigjmp_buf way_out;
inline struct sigaction before_us;

// An address that no buffer has: next to one, or next to nothing.
inline void leave_guarded(int number, siginfo_t *about, void *machine) {
    frame *of = guarded;
    if (of != nullptr) {
        auto *place = static_cast<unsigned char *>(about->si_addr);
        std::uint32_t is_write = 0;
#if defined(__x86_64__)
        is_write = (static_cast<ucontext_t *>(machine)->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#else
        (void)machine;
#endif
        for (std::uint32_t index = 0; index < guarded_arguments; ++index) {
            const window &reach = of->windows[index];
            const argument_kind kind = guarded_kinds[index].kind;
            const bool is_plain = kind == argument_kind::plain_read || kind == argument_kind::plain_write;
            const bool none = is_plain && reach.bytes == 0 && reinterpret_cast<std::uintptr_t>(place) < of->guard;
            const bool near = reach.bytes != 0 && place + of->guard >= reach.data && place < reach.data + reach.bytes + of->guard;
            if (none || near) {
                const std::uint64_t address = none ? reinterpret_cast<std::uintptr_t>(place)
                                                   : reach.address + static_cast<std::uint64_t>(place - reach.data);
                of->failed = fault{fault_kind::out_of_range, index, address, 1, is_write};
                siglongjmp(way_out, 1);
            }
        }
    }
    sigaction(number, &before_us, nullptr);
}

// Once for all kernels of an object.
inline bool watch_guards() {
    static const bool watched = [] {
        struct sigaction ours = {};
        ours.sa_sigaction = leave_guarded;
        ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        return sigaction(SIGSEGV, &ours, &before_us) == 0;
    }();
    return watched;
}

template <auto F_> struct entry;

template <class R_, class... A_, R_ (*F_)(A_...)> struct entry<F_> {
    static_assert(std::is_void<R_>::value, "a kernel that a host starts returns void: write the result through a port");
    static constexpr std::uint32_t count = sizeof...(A_);
    static constexpr argument described[count + 1] = {from_register<std::remove_const_t<A_>>::described..., argument{}};

    static void run(frame *of) noexcept {
        watch_guards();
        guarded_arguments = count;
        guarded_kinds = described;
        // Tasks stay from one run to the next: a unit has its own code, and runs one at a time.
        static void *tasks = nullptr;
        if (hooks != nullptr) {
            hooks->begin(&tasks, of, count);
        }
        if (sigsetjmp(way_out, 1) != 0) {
            guarded = nullptr;
            end();
            return;
        }
        guarded = of;
        // The handler sees what the compiler thinks nobody reads.
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        guard(of);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        guarded = nullptr;
        end();
    }

  private:
    static void end() {
        if (hooks != nullptr) {
            hooks->end();
        }
    }

    static void guard(frame *of) noexcept {
        try {
            call(*of, std::make_index_sequence<sizeof...(A_)>{});
            if (hooks != nullptr) {
                hooks->drain();
            }
        } catch (const stopped &) {
            of->failed.kind = fault_kind::stopped;
        } catch (const fault &failed) {
            of->failed = failed;
        } catch (const std::exception &thrown) {
            say(*of, thrown.what());
        } catch (...) {
            say(*of, "an exception of unknown type");
        }
    }

    // The kernel becomes part of this function, so that its ports' counters live in registers.
    template <std::size_t... I_> [[gnu::flatten]] static void call(frame &of, std::index_sequence<I_...>) {
        F_(from_register<std::remove_const_t<A_>>::make(of, I_)...);
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
