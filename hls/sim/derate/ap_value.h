// The value of an ap_int: up to 64 bits in the least integer that holds them, more in limbs of 64. Bits above the width repeat
// the sign, or are 0; where memory holds something else there, it does not count.
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "ap_operand.h"
#include "updates.h"

namespace derate {

template <int BYTES, bool S_> struct least_integer;
template <> struct least_integer<1, true> { using type = std::int8_t; };
template <> struct least_integer<2, true> { using type = std::int16_t; };
template <> struct least_integer<4, true> { using type = std::int32_t; };
template <> struct least_integer<8, true> { using type = std::int64_t; };
template <> struct least_integer<1, false> { using type = std::uint8_t; };
template <> struct least_integer<2, false> { using type = std::uint16_t; };
template <> struct least_integer<4, false> { using type = std::uint32_t; };
template <> struct least_integer<8, false> { using type = std::uint64_t; };

// The lower W bits of 64, with the sign or zeros above them.
template <int W_, bool S_> constexpr std::uint64_t fit(std::uint64_t bits) {
    if constexpr (W_ >= 64) {
        return bits;
    } else if constexpr (S_) {
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << (64 - W_)) >> (64 - W_));
    } else {
        return bits & ((std::uint64_t(1) << W_) - 1);
    }
}

// The bits of a value, 64 at a time from the lowest on; any limb past the last has the sign.
template <int W_, bool S_, bool WIDE = (W_ > 64)> class ap_storage {
    using store = typename least_integer<W_ <= 8 ? 1 : (W_ <= 16 ? 2 : (W_ <= 32 ? 4 : 8)), S_>::type;
    static constexpr bool is_whole = W_ == 8 * static_cast<int>(sizeof(store));

  public:
    static constexpr int limbs = 1;
    std::uint64_t limb(int i) const {
        const std::uint64_t all = is_whole ? static_cast<std::uint64_t>(held) : fit<W_, S_>(static_cast<std::uint64_t>(held));
        return i == 0 ? all : std::uint64_t(0) - (S_ && all >> 63);
    }
    void set_limb(int, std::uint64_t bits) { held = static_cast<store>(fit<W_, S_>(bits)); }
    unsigned char *bytes() { return reinterpret_cast<unsigned char *>(&held); }

  private:
    store held;
};

template <int W_, bool S_> class ap_storage<W_, S_, true> {
  public:
    static constexpr int limbs = (W_ + 63) / 64;
    std::uint64_t limb(int i) const {
        if (i < limbs - 1) {
            return held[i];
        }
        const std::uint64_t top = fit<W_ - 64 * (limbs - 1), S_>(held[limbs - 1]);
        return i == limbs - 1 ? top : std::uint64_t(0) - (S_ && top >> 63);
    }
    void set_limb(int i, std::uint64_t bits) { held[i] = i == limbs - 1 ? fit<W_ - 64 * (limbs - 1), S_>(bits) : bits; }
    unsigned char *bytes() { return reinterpret_cast<unsigned char *>(held); }

  private:
    alignas(W_ % 512 == 0 ? 64 : (W_ % 256 == 0 ? 32 : 8)) std::uint64_t held[limbs];
};

} // namespace derate

template <int W_, bool S_> class ap_int_base : private derate::ap_storage<W_, S_> {
    static_assert(W_ > 0, "an ap_int has at least one bit");
    using storage = derate::ap_storage<W_, S_>;
    template <class T_> using if_operand = std::enable_if_t<(derate::operand<T_>::bits > 0)>;
    template <class T_> using if_floating = std::enable_if_t<std::is_floating_point<T_>::value>;
    using native = std::conditional_t<S_, std::int64_t, std::uint64_t>;

  public:
    static constexpr int width = W_;
    using storage::bytes;
    using storage::limb;
    using storage::limbs;
    using storage::set_limb;

    ap_int_base() = default;
    template <int W2, bool S2> ap_int_base(const ap_int_base<W2, S2> &from) {
        for (int i = 0; i < limbs; ++i) {
            set_limb(i, from.limb(i));
        }
    }
    template <class T_, class = if_operand<T_>, class = std::enable_if_t<!derate::holds_just<T_, W_, S_>::value>>
    ap_int_base(const T_ &from) {
        take(from);
    }
    // Of a fixed-point number, likewise.
    template <class T_, int = T_::derate_fixed_width, class = void> ap_int_base(const T_ &from) : ap_int_base(from.to_whole()) {}
    // Towards zero, modulo 2^W.
    template <class T_, class = if_floating<T_>> ap_int_base(T_ from) {
        if (!std::isfinite(from)) {
            throw std::runtime_error("an integer is made of a number that is not finite");
        }
        int exponent = 0;
        const double mantissa = std::frexp(std::trunc(static_cast<double>(from)), &exponent);
        const int down = exponent < 53 ? exponent : 53;
        const ap_int_base<64, true> most(static_cast<std::int64_t>(std::ldexp(mantissa, down)));
        *this = ap_int_base(ap_int_base<(W_ > 64 ? W_ : 64), true>(most) << (exponent - down));
    }

    // As the vendor's: 64 bits at most.
    operator native() const { return static_cast<native>(limb(0)); }
    bool to_bool() const { return !is_zero(); }
    char to_char() const { return static_cast<char>(limb(0)); }
    short to_short() const { return static_cast<short>(limb(0)); }
    unsigned short to_ushort() const { return static_cast<unsigned short>(limb(0)); }
    int to_int() const { return static_cast<int>(limb(0)); }
    unsigned to_uint() const { return static_cast<unsigned>(limb(0)); }
    long to_long() const { return static_cast<long>(limb(0)); }
    unsigned long to_ulong() const { return static_cast<unsigned long>(limb(0)); }
    std::int64_t to_int64() const { return static_cast<std::int64_t>(limb(0)); }
    std::uint64_t to_uint64() const { return limb(0); }
    float to_float() const { return static_cast<float>(number()); }
    double to_double() const { return static_cast<double>(number()); }

    ap_range_ref<W_, S_> range(int high, int low) { return ap_range_ref<W_, S_>(*this, high, low); }
    ap_range_ref<W_, S_> range(int high, int low) const { return const_cast<ap_int_base *>(this)->range(high, low); }
    ap_range_ref<W_, S_> range() { return range(W_ - 1, 0); }
    ap_range_ref<W_, S_> range() const { return range(W_ - 1, 0); }
    ap_range_ref<W_, S_> operator()(int high, int low) { return range(high, low); }
    ap_range_ref<W_, S_> operator()(int high, int low) const { return range(high, low); }
    ap_bit_ref<W_, S_> operator[](int index) { return ap_bit_ref<W_, S_>(*this, index); }
    bool operator[](int index) const { return test(index); }
    ap_bit_ref<W_, S_> bit(int index) { return ap_bit_ref<W_, S_>(*this, index); }
    bool bit(int index) const { return test(index); }
    bool test(int index) const { return ap_bit_ref<W_, S_>(const_cast<ap_int_base &>(*this), index).to_bool(); }
    bool get_bit(int index) const { return test(index); }
    void set(int index, bool value = true) { bit(index) = value; }
    void set_bit(int index, bool value) { bit(index) = value; }
    void clear(int index) { bit(index) = false; }
    void invert(int index) { bit(index) = !test(index); }
    int length() const { return W_; }

    bool is_zero() const {
        std::uint64_t any = 0;
        for (int i = 0; i < limbs; ++i) {
            any |= limb(i);
        }
        return any == 0;
    }
    bool iszero() const { return is_zero(); }
    bool sign() const { return S_ && limb(limbs) != 0; }
    bool operator!() const { return is_zero(); }
    bool or_reduce() const { return !is_zero(); }
    bool and_reduce() const { return (~ap_int_base<W_, false>(*this)).is_zero(); }
    bool xor_reduce() const {
        std::uint64_t all = 0;
        const ap_int_base<W_, false> bits(*this);
        for (int i = 0; i < limbs; ++i) {
            all ^= bits.limb(i);
        }
        return __builtin_parityll(all) != 0;
    }
    int countLeadingZeros() const {
        int zeros = 0;
        while (zeros < W_ && !test(W_ - 1 - zeros)) {
            ++zeros;
        }
        return zeros;
    }

    ap_int_base operator+() const { return *this; }
    auto operator-() const { return ap_int_base<1, false>(0) - *this; }
    ap_int_base operator~() const {
        ap_int_base all;
        for (int i = 0; i < limbs; ++i) {
            all.set_limb(i, ~limb(i));
        }
        return all;
    }
    ap_int_base &operator++() { return *this = ap_int_base(*this + 1); }
    ap_int_base &operator--() { return *this = ap_int_base(*this - 1); }
    ap_int_base operator++(int) {
        const ap_int_base before = *this;
        ++*this;
        return before;
    }
    ap_int_base operator--(int) {
        const ap_int_base before = *this;
        --*this;
        return before;
    }

#define DERATE_UPDATE(OP)                                                                                              \
    template <class T_, class = if_operand<T_>> ap_int_base &operator OP##=(const T_ & by) {                              \
        return *this = ap_int_base(*this OP by);                                                                       \
    }
    DERATE_UPDATES(DERATE_UPDATE)
#undef DERATE_UPDATE

    // `a.concat(b)`, as `(a, b)`.
    template <class T_> auto concat(const T_ &low) const { return (*this, low); }

  private:
    template <class T_> void take(const T_ &from) {
        if constexpr (std::is_integral<T_>::value || std::is_enum<T_>::value) {
            const auto bits = static_cast<std::uint64_t>(from);
            const std::uint64_t above = std::uint64_t(0) - (derate::operand<T_>::is_signed && bits >> 63);
            for (int i = 0; i < limbs; ++i) {
                set_limb(i, i == 0 ? bits : above);
            }
        } else if constexpr (limbs == 1 && !derate::operand<T_>::is_signed) {
            set_limb(0, static_cast<std::uint64_t>(from));
        } else {
            *this = ap_int_base(derate::value_of(from));
        }
    }

    native number() const {
        static_assert(W_ <= 64, "this stand-in makes no floating-point number of more than 64 bits: take a range of them");
        return static_cast<native>(limb(0));
    }
};
