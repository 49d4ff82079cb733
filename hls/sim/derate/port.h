// A pointer to external memory that checks each access and counts its bytes. It behaves as a pointer does in kernels:
// `p[i]`, `*p`, `p + n`, and `memcpy` to and from arrays on chip.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "frame.h"

namespace derate {

template <class T> class port {
    using value = std::remove_const_t<T>;

  public:
    // What `p[i]` is where it may be written: reading and writing are counted apart.
    class place {
      public:
        operator value() const { return owner.load(index); }
        const place &operator=(const value &what) const {
            owner.store(index, what);
            return *this;
        }
        const place &operator=(const place &other) const { return *this = static_cast<value>(other); }
        template <class U> const place &operator+=(const U &more) const {
            return *this = static_cast<value>(owner.load(index) + more);
        }
        template <class U> const place &operator-=(const U &less) const {
            return *this = static_cast<value>(owner.load(index) - less);
        }

      private:
        friend class port;
        place(const port &of, std::uint64_t at) : owner(of), index(at) {}
        const port &owner;
        std::uint64_t index;
    };

    port(window &reach, std::uint32_t number, std::uint64_t address) : to(&reach), argument(number) {
        const std::uint64_t offset = address - reach.address;
        const std::uint64_t skew = offset % sizeof(value);
        first = reinterpret_cast<T *>(reach.data + skew);
        at = offset / sizeof(value);
        // A base that is not aligned reaches nothing: the first access tells.
        aligned = address % sizeof(value) == 0;
        count = aligned && offset < reach.bytes ? (reach.bytes - skew) / sizeof(value) : 0;
    }
    port(const port &other)
        : to(other.to), first(other.first), at(other.at), count(other.count), argument(other.argument),
          aligned(other.aligned) {}
    port &operator=(const port &other) {
        flush();
        to = other.to;
        first = other.first;
        at = other.at;
        count = other.count;
        argument = other.argument;
        aligned = other.aligned;
        return *this;
    }
    ~port() { flush(); }

    decltype(auto) operator[](std::uint64_t index) const {
        if constexpr (std::is_const<T>::value) {
            return load(index);
        } else {
            return place(*this, index);
        }
    }
    decltype(auto) operator*() const { return (*this)[0]; }

    port operator+(std::int64_t elements) const {
        port moved = *this;
        moved.at += static_cast<std::uint64_t>(elements);
        return moved;
    }
    port operator-(std::int64_t elements) const { return *this + -elements; }
    port &operator+=(std::int64_t elements) {
        at += static_cast<std::uint64_t>(elements);
        return *this;
    }
    port &operator++() { return *this += 1; }
    port operator++(int) {
        const port before = *this;
        ++*this;
        return before;
    }

    // `memcpy(buffer, p, bytes)`: one burst.
    friend void memcpy(void *buffer, const port &from, std::uint64_t bytes) {
        const std::uint64_t elements = from.span(bytes, false);
        from.reads += elements;
        std::memcpy(buffer, static_cast<const void *>(from.first + from.at), elements * sizeof(value));
    }
    // `memcpy(p, buffer, bytes)`.
    friend void memcpy(const port &to, const void *buffer, std::uint64_t bytes) {
        static_assert(!std::is_const<T>::value, "this port is only read");
        const std::uint64_t elements = to.span(bytes, true);
        to.writes += elements;
        std::memcpy(static_cast<void *>(to.first + to.at), buffer, elements * sizeof(value));
    }

  private:
    value load(std::uint64_t index) const {
        const std::uint64_t element = at + index;
        if (__builtin_expect(element >= count, 0)) {
            fail(*to, argument, first, element, 1, aligned, false);
        }
        ++reads;
        soon<0>(element);
        return first[element];
    }

    void store(std::uint64_t index, const value &what) const {
        const std::uint64_t element = at + index;
        if (__builtin_expect(element >= count, 0)) {
            fail(*to, argument, first, element, 1, aligned, true);
        }
        ++writes;
        soon<1>(element);
        first[element] = what;
    }

    // Wide words are mostly streamed: asking for them early is worth half of a core's bandwidth.
    template <int WRITE> void soon(std::uint64_t element) const {
        if constexpr (sizeof(value) >= 32) {
            __builtin_prefetch(first + element + 2048 / sizeof(value), WRITE);
        }
    }

    std::uint64_t span(std::uint64_t bytes, bool is_write) const {
        const std::uint64_t elements = (bytes + sizeof(value) - 1) / sizeof(value);
        if (elements != 0 && (at >= count || elements > count - at)) {
            fail(*to, argument, first, at, elements, aligned, is_write);
        }
        return elements;
    }

    // Takes no port, so that its counters may stay in registers.
    [[noreturn, gnu::noinline, gnu::cold]] static void fail(const window &reach, std::uint32_t argument, T *first,
                                                            std::uint64_t element, std::uint64_t elements, bool aligned,
                                                            bool is_write) {
        const std::uint64_t skew =
            static_cast<std::uint64_t>(reinterpret_cast<const unsigned char *>(first) - reach.data);
        const fault_kind kind = aligned ? fault_kind::out_of_range : fault_kind::misaligned;
        throw fault{kind, argument, reach.address + skew + element * sizeof(value), elements * sizeof(value), is_write};
    }

    void flush() {
        to->read += reads * sizeof(value);
        to->written += writes * sizeof(value);
        reads = 0;
        writes = 0;
    }

    window *to;
    T *first;
    std::uint64_t at;
    std::uint64_t count;
    std::uint32_t argument;
    bool aligned;
    mutable std::uint64_t reads = 0;
    mutable std::uint64_t writes = 0;
};

} // namespace derate
