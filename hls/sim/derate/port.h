// A pointer to external memory that checks each access and counts its bytes. It behaves as a pointer does in kernels:
// `p[i]`, `*p`, `p + n`, and `memcpy` to and from arrays on chip. An element that may be written is read and written whole:
// where it is a struct, copy it, change the copy and store that (`auto` would copy the place, not the element). Operators of
// a class see the element that is in a place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include "frame.h"
#include "updates.h"

namespace derate {

// Operators of classes, for a PLACE that holds an ELEMENT of such: those of numbers are the language's.
struct placed {};
template <class PLACE, class ELEMENT, bool IS_CLASS = std::is_class<ELEMENT>::value> struct operators : placed {};
template <class PLACE, class ELEMENT> struct operators<PLACE, ELEMENT, true> : placed {
#define DERATE_OF_ELEMENT(OP)                                                                                          \
    template <class U_> friend auto operator OP(const PLACE &a, const U_ &b)                                             \
        -> decltype(std::declval<const ELEMENT &>() OP b) {                                                            \
        const ELEMENT element = a;                                                                                     \
        return element OP b;                                                                                           \
    }                                                                                                                  \
    template <class U_, class = std::enable_if_t<!std::is_base_of<placed, U_>::value>>                                   \
    friend auto operator OP(const U_ &a, const PLACE &b) -> decltype(a OP std::declval<const ELEMENT &>()) {            \
        const ELEMENT element = b;                                                                                     \
        return a OP element;                                                                                           \
    }
    DERATE_OF_ELEMENT(+)
    DERATE_OF_ELEMENT(-)
    DERATE_OF_ELEMENT(*)
    DERATE_OF_ELEMENT(/)
    DERATE_OF_ELEMENT(%)
    DERATE_OF_ELEMENT(&)
    DERATE_OF_ELEMENT(|)
    DERATE_OF_ELEMENT(^)
    DERATE_OF_ELEMENT(<<)
    DERATE_OF_ELEMENT(>>)
    DERATE_OF_ELEMENT(==)
    DERATE_OF_ELEMENT(!=)
    DERATE_OF_ELEMENT(<)
    DERATE_OF_ELEMENT(>)
    DERATE_OF_ELEMENT(<=)
    DERATE_OF_ELEMENT(>=)
#undef DERATE_OF_ELEMENT
#define DERATE_OF_ELEMENT(OP)                                                                                          \
    friend auto operator OP(const PLACE &a) {                                                                          \
        const ELEMENT element = a;                                                                                     \
        return OP element;                                                                                             \
    }
    DERATE_OF_ELEMENT(-)
    DERATE_OF_ELEMENT(~)
    DERATE_OF_ELEMENT(!)
#undef DERATE_OF_ELEMENT
};

template <class T_> class port {
    using value = std::remove_const_t<T_>;

  public:
    // What an address must be a multiple of: the widest AXI word, at most 1024 bit, that elements consist of.
    static constexpr std::uint64_t alignment = (sizeof(value) | 128) & (~(sizeof(value) | 128) + 1);

    class bits;

    // What `p[i]` is where it may be written: reading and writing are counted apart. An assignment gives the value that it
    // stored, so that nothing is read for it.
    class place : public operators<place, value> {
      public:
        using derate_element = value;
        place(const place &) = default;
        operator value() const { return owner.load(index); }
        value derate_load() const { return owner.load(index); }
        // An element that is a class may convert to numbers.
        template <class U_, class = std::enable_if_t<std::is_class<value>::value && std::is_arithmetic<U_>::value &&
                                                    std::is_convertible<value, U_>::value>>
        operator U_() const {
            return static_cast<U_>(owner.load(index));
        }
        // `&p[i]` is `p + i`.
        port operator&() const { return owner + static_cast<std::int64_t>(index); }
        value operator=(const value &what) const {
            owner.store(index, what);
            return what;
        }
        value operator=(const place &other) const { return *this = static_cast<value>(other); }

#define DERATE_UPDATE(OP)                                                                                              \
    template <class U_> value operator OP##=(const U_ & by) const {                                                      \
        return *this = static_cast<value>(owner.load(index) OP by);                                                    \
    }
        DERATE_UPDATES(DERATE_UPDATE)
#undef DERATE_UPDATE
        value operator++() const { return *this += 1; }
        value operator--() const { return *this -= 1; }
        value operator++(int) const {
            const value before = *this;
            *this = static_cast<value>(before + 1);
            return before;
        }
        value operator--(int) const {
            const value before = *this;
            *this = static_cast<value>(before - 1);
            return before;
        }

        // A lane or a bit of an element that has such, to read.
        template <class E_ = value> std::add_const_t<std::decay_t<decltype(std::declval<const E_ &>()[0])>> operator[](std::size_t at) const {
            const E_ element = *this;
            return element[static_cast<int>(at)];
        }
        template <class E_ = value> auto to_int() const { return E_(*this).to_int(); }
        template <class E_ = value> auto to_uint() const { return E_(*this).to_uint(); }
        template <class E_ = value> auto to_int64() const { return E_(*this).to_int64(); }
        template <class E_ = value> auto to_uint64() const { return E_(*this).to_uint64(); }
        template <class E_ = value> auto to_float() const { return E_(*this).to_float(); }
        template <class E_ = value> auto to_double() const { return E_(*this).to_double(); }
        // Bits of an element that has such: writing them reads it first.
        bits range(int high, int low) const { return bits(*this, high, low); }
        bits operator()(int high, int low) const { return range(high, low); }

      private:
        friend class port;
        friend class bits;
        place(const port &of, std::uint64_t at) : owner(of), index(at) {}
        const port &owner;
        std::uint64_t index;
    };

    template <class E_> using bits_of = decltype(std::declval<E_ &>().range(0, 0).get());
    class bits : public operators<bits, bits_of<value>> {
      public:
        using derate_element = bits_of<value>;
        derate_element derate_load() const {
            value word = of;
            return word.range(high, low).get();
        }
        operator derate_element() const { return derate_load(); }
        operator std::uint64_t() const { return to_uint64(); }
        std::uint64_t to_uint64() const {
            if (high - low >= 64) {
                throw std::runtime_error("more than 64 bits of an element are read at once: copy the element first");
            }
            value word = of;
            return word.range(high, low).to_uint64();
        }
        unsigned to_uint() const { return static_cast<unsigned>(to_uint64()); }
        int to_int() const { return static_cast<int>(to_uint()); }
        template <class U_> const bits &operator=(const U_ &what) const {
            value word = of;
            word.range(high, low) = what;
            of = word;
            return *this;
        }
        const bits &operator=(const bits &other) const { return *this = other.to_uint64(); }

      private:
        friend class place;
        bits(const place &within, int to, int from) : of(within), high(to), low(from) {}
        place of;
        int high;
        int low;
    };

    port(window &reach, std::uint32_t number, std::uint64_t address) : to(&reach), argument(number) {
        const std::uint64_t offset = address - reach.address;
        const std::uint64_t skew = offset % sizeof(value);
        first = reinterpret_cast<T_ *>(reach.data + skew);
        at = offset / sizeof(value);
        // A base that is not aligned reaches nothing: the first access tells.
        aligned = address % alignment == 0;
        count = aligned && offset < reach.bytes ? (reach.bytes - skew) / sizeof(value) : 0;
    }
    // Of memory that is the machine's own: nothing is known of its bounds.
    port(T_ *plain) : to(&anywhere()), first(plain), at(0), count(~std::uint64_t(0)), argument(0), aligned(true) {}
    // A pointer that may write is one that reads, too.
    template <class U_, class = std::enable_if_t<std::is_same<T_, const U_>::value>>
    port(const port<U_> &other)
        : to(other.to), first(other.first), at(other.at), count(other.count), argument(other.argument),
          aligned(other.aligned) {}
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
        next_read = to->next[0];
        next_write = to->next[1];
        return *this;
    }
    ~port() { flush(); }

    decltype(auto) operator[](std::uint64_t index) const {
        if constexpr (std::is_const<T_>::value) {
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
    // Where it points, for whoever makes it anew.
    static constexpr bool derate_is_port = true;
    std::uint32_t derate_argument() const { return argument; }
    std::uint64_t derate_address() const {
        const std::uint64_t skew = static_cast<std::uint64_t>(reinterpret_cast<const unsigned char *>(first) - to->data);
        return to->address + skew + at * sizeof(value);
    }
    // Between two pointers into one buffer, as C++ has it.
    template <class U_, class = std::enable_if_t<std::is_same<std::remove_const_t<U_>, value>::value>>
    std::int64_t operator-(const port<U_> &other) const {
        if (to != other.to) {
            throw std::runtime_error("two pointers are subtracted that come from different arguments");
        }
        return static_cast<std::int64_t>(at - other.at);
    }
    port &operator+=(std::int64_t elements) {
        at += static_cast<std::uint64_t>(elements);
        return *this;
    }
    port &operator-=(std::int64_t elements) { return *this += -elements; }
    port &operator++() { return *this += 1; }
    port operator++(int) {
        const port before = *this;
        ++*this;
        return before;
    }

    // An element by what is done with it: its value, a place to write it, a place to change it.
    value read_at(std::int64_t index) const { return load(static_cast<std::uint64_t>(index)); }
    T_ &write_at(std::int64_t index) const {
        const std::uint64_t element = within(index, true);
        ++writes;
        follow(element, 1, next_write);
        return first[element];
    }
    T_ &update_at(std::int64_t index) const {
        const std::uint64_t element = within(index, true);
        ++reads;
        ++writes;
        follow(element, 1, next_read);
        follow(element, 1, next_write);
        return first[element];
    }

    // The same bytes as elements of another type.
    template <class U_> port<U_> cast() const {
        const std::uint64_t skew =
            static_cast<std::uint64_t>(reinterpret_cast<const unsigned char *>(first) - to->data);
        return port<U_>(*to, argument, to->address + skew + at * sizeof(value));
    }

    // `memcpy(buffer, p, bytes)`: one burst. A last element of which only a part is copied is moved whole by the bus.
    friend void memcpy(void *buffer, const port &from, std::uint64_t bytes) {
        from.burst(bytes, false);
        if (bytes != 0) {
            std::memcpy(buffer, static_cast<const void *>(from.first + from.at), bytes);
        }
    }
    // `memcpy(p, buffer, bytes)`.
    friend void memcpy(const port &to, const void *buffer, std::uint64_t bytes) {
        static_assert(!std::is_const<T_>::value, "this port is only read");
        to.burst(bytes, true);
        if (bytes != 0) {
            std::memcpy(static_cast<void *>(to.first + to.at), buffer, bytes);
        }
    }

    // `memcpy(p, q, bytes)` from one port to another: a burst of each.
    template <class U_> void copy(const port<U_> &from, std::uint64_t bytes) const {
        static_assert(!std::is_const<T_>::value, "this port is only read");
        from.burst(bytes, false);
        burst(bytes, true);
        if (bytes != 0) {
            std::memmove(static_cast<void *>(first + at), static_cast<const void *>(from.first + from.at), bytes);
        }
    }

  private:
    template <class U_> friend class port;

    static window &anywhere() {
        static thread_local window all = {nullptr, 0, ~std::uint64_t(0), 0, 0, 0, {}};
        return all;
    }

    value load(std::uint64_t index) const {
        const std::uint64_t element = at + index;
        if (__builtin_expect(element >= count, 0)) {
            fail(*to, argument, first, element, sizeof(value), aligned, false);
        }
        ++reads;
        follow(element, 1, next_read);
        soon<0>(element);
        return first[element];
    }

    std::uint64_t within(std::int64_t index, bool is_write) const {
        const std::uint64_t element = at + static_cast<std::uint64_t>(index);
        if (__builtin_expect(element >= count, 0)) {
            fail(*to, argument, first, element, sizeof(value), aligned, is_write);
        }
        return element;
    }

    void store(std::uint64_t index, const value &what) const {
        const std::uint64_t element = at + index;
        if (__builtin_expect(element >= count, 0)) {
            fail(*to, argument, first, element, sizeof(value), aligned, true);
        }
        ++writes;
        follow(element, 1, next_write);
        soon<1>(element);
        first[element] = what;
    }

    // Whether an access goes on where the one before it, the same way, had ended: else a burst ends there.
    void follow(std::uint64_t element, std::uint64_t elements, std::uint64_t &next) const {
        jumps += element != next;
        next = element + elements;
    }

    void burst(std::uint64_t bytes, bool is_write) const {
        const std::uint64_t elements = span(bytes, is_write);
        if (elements != 0) {
            follow(at, elements, is_write ? next_write : next_read);
        }
        (is_write ? writes : reads) += elements;
    }

    // Wide words are mostly streamed: asking for them early is worth half of a core's bandwidth.
    template <int WRITE> void soon(std::uint64_t element) const {
        if constexpr (sizeof(value) >= 32) {
            __builtin_prefetch(first + element + 2048 / sizeof(value), WRITE);
        }
    }

    // The elements that so many bytes lie in, all of them within reach.
    std::uint64_t span(std::uint64_t bytes, bool is_write) const {
        const std::uint64_t skew =
            static_cast<std::uint64_t>(reinterpret_cast<const unsigned char *>(first) - to->data);
        const std::uint64_t reach = aligned && to->bytes > skew ? to->bytes - skew : 0;
        if (bytes != 0 && (at > reach / sizeof(value) || bytes > reach - at * sizeof(value))) {
            fail(*to, argument, first, at, bytes, aligned, is_write);
        }
        return bytes / sizeof(value) + (bytes % sizeof(value) == 0 ? 0 : 1);
    }

    // Takes no port, so that its counters may stay in registers.
    [[noreturn, gnu::noinline, gnu::cold]] static void fail(const window &reach, std::uint32_t argument, T_ *first,
                                                            std::uint64_t element, std::uint64_t bytes, bool aligned,
                                                            bool is_write) {
        const std::uint64_t skew =
            static_cast<std::uint64_t>(reinterpret_cast<const unsigned char *>(first) - reach.data);
        const fault_kind kind = aligned ? fault_kind::out_of_range : fault_kind::misaligned;
        throw fault{kind, argument, reach.address + skew + element * sizeof(value), bytes, is_write};
    }

    void flush() {
        to->read += reads * sizeof(value);
        to->written += writes * sizeof(value);
        to->jumps += jumps;
        if (reads != 0) {
            to->next[0] = next_read;
        }
        if (writes != 0) {
            to->next[1] = next_write;
        }
        jumps = 0;
        reads = 0;
        writes = 0;
    }

    window *to;
    T_ *first;
    std::uint64_t at;
    std::uint64_t count;
    std::uint32_t argument;
    bool aligned;
    mutable std::uint64_t reads = 0;
    mutable std::uint64_t writes = 0;
    // A copy goes on where the last that ended left off.
    mutable std::uint64_t next_read = to->next[0];
    mutable std::uint64_t next_write = to->next[1];
    mutable std::uint64_t jumps = 0;
};

template <class T_, class U_> void memcpy(const port<T_> &to, const port<U_> &from, std::uint64_t bytes) {
    to.copy(from, bytes);
}

// What a rewritten kernel says of an element, be it a port's, an array's or a vector's.
template <class T_> std::remove_const_t<T_> reach_read(const port<T_> &from, std::int64_t index) { return from.read_at(index); }
template <class T_> T_ &reach_write(const port<T_> &to, std::int64_t index) { return to.write_at(index); }
template <class T_> T_ &reach_update(const port<T_> &of, std::int64_t index) { return of.update_at(index); }

template <class T_> struct is_port : std::false_type {};
template <class T_> struct is_port<port<T_>> : std::true_type {};
template <class C_> using unless_port = std::enable_if_t<!is_port<std::remove_const_t<C_>>::value>;

template <class C_, class I_, class = unless_port<C_>> decltype(auto) reach_read(C_ &from, I_ index) { return from[index]; }
template <class C_, class I_, class = unless_port<C_>> decltype(auto) reach_write(C_ &to, I_ index) { return to[index]; }
template <class C_, class I_, class = unless_port<C_>> decltype(auto) reach_update(C_ &of, I_ index) { return of[index]; }
template <class T_> T_ &reach_read(T_ *from, std::int64_t index) { return from[index]; }
template <class T_> T_ &reach_write(T_ *to, std::int64_t index) { return to[index]; }
template <class T_> T_ &reach_update(T_ *of, std::int64_t index) { return of[index]; }

// `(U *)p`.
template <class U_, class T_> port<U_> cast_port(const port<T_> &of) { return of.template cast<U_>(); }
template <class U_, class T_> U_ *cast_port(T_ *of) { return (U_ *)of; }

} // namespace derate
