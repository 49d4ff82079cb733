// The value of an ap_fixed: an integer of W bits, of which I are before the point, and how others become one.
#pragma once

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "ap_operators.h"

enum ap_q_mode { AP_RND, AP_RND_ZERO, AP_RND_MIN_INF, AP_RND_INF, AP_RND_CONV, AP_TRN, AP_TRN_ZERO };
enum ap_o_mode { AP_SAT, AP_SAT_ZERO, AP_SAT_SYM, AP_WRAP, AP_WRAP_SM };

template <int W_, int I_, bool S_, ap_q_mode Q_ = AP_TRN, ap_o_mode O_ = AP_WRAP, int N_ = 0> class ap_fixed_base;

// Bits of a fixed-point number: a plain integer where they are shifted, as the vendor's are.
template <int W_, bool S_> class af_range_ref : public ap_range_ref<W_, S_> {
  public:
    using ap_range_ref<W_, S_>::ap_range_ref;
    using ap_range_ref<W_, S_>::operator=;
    af_range_ref(const af_range_ref &) = default;
    const af_range_ref &operator=(const af_range_ref &from) const {
        ap_range_ref<W_, S_>::operator=(from.get());
        return *this;
    }
};

namespace derate {

template <int W_, bool S_> struct operand<af_range_ref<W_, S_>> {
    static constexpr int bits = W_;
    static constexpr bool is_signed = false;
    static constexpr bool is_ap = false;
};
template <int W_, bool S_> ap_int_base<W_, false> value_of(const af_range_ref<W_, S_> &of) { return of.get(); }

// What is beside a fixed-point number in an expression: an integer is one without bits behind the point.
template <class T_, class = void> struct fixed_operand {
    static constexpr int width = operand<T_>::bits;
    static constexpr int whole = operand<T_>::bits;
    static constexpr bool is_signed = operand<T_>::is_signed;
    static constexpr bool is_fixed = false;
};
template <class T_> struct fixed_operand<T_, std::enable_if_t<(T_::derate_fixed_width > 0)>> {
    static constexpr int width = T_::derate_fixed_width;
    static constexpr int whole = T_::derate_fixed_whole;
    static constexpr bool is_signed = T_::derate_fixed_signed;
    static constexpr bool is_fixed = true;
};

// One that counts up where the bits that are dropped ask for it: the first of them, and whether any other is set.
template <ap_q_mode Q_> constexpr bool rounds_up(bool first, bool others, bool negative, bool odd) {
    switch (Q_) {
    case AP_RND: return first;
    case AP_RND_ZERO: return first && (negative || others);
    case AP_RND_MIN_INF: return first && others;
    case AP_RND_INF: return first && (!negative || others);
    case AP_RND_CONV: return first && (odd || others);
    case AP_TRN_ZERO: return negative && (first || others);
    default: return false;
    }
}

// `of` over 2^DOWN, rounded; a negative DOWN is a factor.
template <int DOWN, ap_q_mode Q_, int W_, bool S_> auto scaled(const ap_int_base<W_, S_> &of) {
    if constexpr (DOWN <= 0) {
        return ap_int_base<W_ + 1 - DOWN, true>(ap_int_base<W_ + 1 - DOWN, true>(of) << -DOWN);
    } else {
        constexpr int wide = more(W_, DOWN) + 2;
        const ap_int_base<wide, true> all(of);
        ap_int_base<wide, true> kept(all >> DOWN);
        if constexpr (Q_ != AP_TRN) {
            const bool others = DOWN > 1 && !ap_int_base<more(DOWN - 1, 1), false>(all).is_zero();
            if (rounds_up<Q_>(all.test(DOWN - 1), others, all.sign(), kept.test(0))) {
                kept = kept + 1;
            }
        }
        return kept;
    }
}

// An integer of any width in the W bits of a number, by its overflow.
template <int W_, bool S_, ap_o_mode O_, int N_, int WX> ap_int_base<W_, S_> settled(const ap_int_base<WX, true> &of) {
    using raw = ap_int_base<W_, S_>;
    using wide = ap_int_base<more(WX, W_) + 2, true>;
    raw low(of);
    const bool negative = of.sign();
    const bool fits = wide(low) == wide(of);
    const raw top = S_ ? raw(ap_int_base<W_, false>(~ap_int_base<W_, false>(0)) >> 1) : raw(~ap_int_base<W_, false>(0));
    const raw bottom = S_ ? raw(~top) : raw(0);
    if constexpr (O_ == AP_SAT_SYM && S_) {
        if (fits && low == bottom) {
            return raw(bottom + 1);
        }
    }
    if (fits) {
        return low;
    }
    if constexpr (O_ == AP_SAT || O_ == AP_SAT_SYM) {
        return !negative ? top : (O_ == AP_SAT_SYM && S_ ? raw(bottom + 1) : bottom);
    } else if constexpr (O_ == AP_SAT_ZERO) {
        return raw(0);
    } else if constexpr (O_ == AP_WRAP_SM && S_) {
        static_assert(N_ == 0, "this stand-in has AP_WRAP_SM without saturated bits only");
        const bool beyond = wide(of).test(W_);
        if (low.test(W_ - 1) != beyond) {
            low = ~low;
            low.set_bit(W_ - 1, beyond);
        }
        return low;
    } else if constexpr (N_ == 0) {
        return low;
    } else {
        // N bits at the top are saturated, the others wrap.
        if constexpr (S_) {
            low.set_bit(W_ - 1, negative);
        }
        for (int bit = W_ - N_; bit < (S_ ? W_ - 1 : W_); ++bit) {
            low.set_bit(bit, S_ ? !negative : true);
        }
        return low;
    }
}

// The results of two operands of which one is a fixed-point number.
template <class A_, class B_,
          bool KNOWN = (fixed_operand<A_>::width > 0 && fixed_operand<B_>::width > 0 &&
                        (fixed_operand<A_>::is_fixed || fixed_operand<B_>::is_fixed))>
struct fixed_results {};
template <class A_, class B_> struct fixed_results<A_, B_, true> {
    using of_a = fixed_operand<A_>;
    using of_b = fixed_operand<B_>;
    static constexpr bool sa = of_a::is_signed;
    static constexpr bool sb = of_b::is_signed;
    static constexpr int behind_a = of_a::width - of_a::whole;
    static constexpr int behind_b = of_b::width - of_b::whole;
    static constexpr int behind = more(behind_a, behind_b);
    static constexpr int whole = more(of_a::whole + (sb && !sa), of_b::whole + (sa && !sb));
    using sum = ap_fixed_base<whole + 1 + behind, whole + 1, sa || sb>;
    using difference = ap_fixed_base<whole + 1 + behind, whole + 1, true>;
    using product = ap_fixed_base<of_a::width + of_b::width, of_a::whole + of_b::whole, sa || sb>;
    using quotient = ap_fixed_base<sb + of_a::width + more(behind_b, 0), sb + of_a::whole + behind_b, sa || sb>;
    using logic = ap_fixed_base<whole + behind, whole, sa || sb>;
    using truth = bool;
};

} // namespace derate

template <int W_, int I_, bool S_, ap_q_mode Q_, ap_o_mode O_, int N_> class ap_fixed_base {
    template <class T_> using if_integer = std::enable_if_t<(derate::operand<T_>::bits > 0)>;
    template <class T_> using if_floating = std::enable_if_t<std::is_floating_point<T_>::value>;

  public:
    static constexpr int width = W_;
    static constexpr int iwidth = I_;
    static constexpr ap_q_mode qmode = Q_;
    static constexpr ap_o_mode omode = O_;
    static constexpr int derate_fixed_width = W_;
    static constexpr int derate_fixed_whole = I_;
    static constexpr bool derate_fixed_signed = S_;
    // All bits as an integer, by the vendor's name.
    ap_int_base<W_, S_> V;

    ap_fixed_base() = default;
    template <int W2, int I2, bool S2, ap_q_mode Q2, ap_o_mode O2, int N2>
    ap_fixed_base(const ap_fixed_base<W2, I2, S2, Q2, O2, N2> &from) : V(take<W2 - I2>(from.V)) {}
    template <class T_, class = if_integer<T_>> ap_fixed_base(const T_ &from) : V(take<0>(derate::as_value<T_>(derate::value_of(from)))) {}
    template <class T_, class = if_floating<T_>, class = void> ap_fixed_base(T_ from) {
        if (!std::isfinite(from)) {
            throw std::runtime_error("a fixed-point number is made of a number that is not finite");
        }
        int exponent = 0;
        const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(static_cast<double>(from), &exponent), 53));
        const int up = W_ - I_ + exponent - 53;
        ap_int_base<W_ + 68, true> all(mantissa);
        if (up >= 0) {
            all = all << derate::less(up, W_ + 2);
        } else {
            const int down = derate::less(-up, 62);
            const std::int64_t dropped = mantissa & ((std::int64_t(1) << down) - 1);
            const bool first = (mantissa >> (down - 1) & 1) != 0;
            const bool others = (dropped & ~(std::int64_t(1) << (down - 1))) != 0;
            const std::int64_t kept = mantissa >> down;
            all = kept + derate::rounds_up<Q_>(first, others, mantissa < 0, (kept & 1) != 0);
        }
        V = derate::settled<W_, S_, O_, N_>(all);
    }

    template <class T_, class = std::enable_if_t<std::is_arithmetic<T_>::value>> operator T_() const {
        if constexpr (std::is_floating_point<T_>::value) {
            return static_cast<T_>(to_double());
        } else if constexpr (std::is_same<T_, bool>::value) {
            return !V.is_zero();
        } else {
            return static_cast<T_>(to_whole().limb(0));
        }
    }
    template <int W2, bool S2> operator ap_int_base<W2, S2>() const { return ap_int_base<W2, S2>(to_whole()); }
    // The integer in it, towards zero.
    auto to_whole() const { return derate::scaled<W_ - I_, AP_TRN_ZERO>(V); }
    auto to_ap_int_base() const { return ap_int_base<(I_ > 1 ? I_ : 1), S_>(to_whole()); }
    double to_double() const {
        double sum = V.sign() ? -1.0 : 0.0;
        for (int limb = (W_ + 63) / 64 - 1; limb >= 0; --limb) {
            sum = std::ldexp(sum, 64) + static_cast<double>(V.limb(limb));
        }
        if constexpr (W_ <= 64) {
            sum = S_ ? static_cast<double>(static_cast<std::int64_t>(V.limb(0))) : static_cast<double>(V.limb(0));
        }
        return std::ldexp(sum, I_ - W_);
    }
    float to_float() const { return static_cast<float>(to_double()); }
    int to_int() const { return static_cast<int>(to_whole().limb(0)); }
    unsigned to_uint() const { return static_cast<unsigned>(to_whole().limb(0)); }
    long to_long() const { return static_cast<long>(to_whole().limb(0)); }
    std::int64_t to_int64() const { return static_cast<std::int64_t>(to_whole().limb(0)); }
    std::uint64_t to_uint64() const { return to_whole().limb(0); }

    af_range_ref<W_, S_> range(int high, int low) { return {V, high, low}; }
    af_range_ref<W_, S_> range(int high, int low) const { return const_cast<ap_fixed_base *>(this)->range(high, low); }
    af_range_ref<W_, S_> range() { return range(W_ - 1, 0); }
    af_range_ref<W_, S_> range() const { return range(W_ - 1, 0); }
    af_range_ref<W_, S_> operator()(int high, int low) { return range(high, low); }
    af_range_ref<W_, S_> operator()(int high, int low) const { return range(high, low); }
    auto operator[](int index) { return V[index]; }
    bool operator[](int index) const { return V.test(index); }
    void setBits(std::uint64_t bits) { V = bits; }
    int length() const { return W_; }
    int wl() const { return W_; }
    int iwl() const { return I_; }
    bool is_zero() const { return V.is_zero(); }
    bool is_neg() const { return V.sign(); }
    bool operator!() const { return V.is_zero(); }

    ap_fixed_base operator+() const { return *this; }
    ap_fixed_base<W_ + 1, I_ + 1, true> operator-() const {
        ap_fixed_base<W_ + 1, I_ + 1, true> all;
        all.V = -V;
        return all;
    }
    ap_fixed_base<W_, I_, S_> operator~() const {
        ap_fixed_base<W_, I_, S_> all;
        all.V = ~V;
        return all;
    }
    // Of the number, not of its lowest bit.
    ap_fixed_base &operator++() { return *this = ap_fixed_base(*this + 1); }
    ap_fixed_base &operator--() { return *this = ap_fixed_base(*this - 1); }
    ap_fixed_base operator++(int) {
        const ap_fixed_base before = *this;
        ++*this;
        return before;
    }
    ap_fixed_base operator--(int) {
        const ap_fixed_base before = *this;
        --*this;
        return before;
    }
    // The point stays, and what is shifted out is lost.
    template <class T_, class = if_integer<T_>> ap_fixed_base operator<<(const T_ &by) const {
        ap_fixed_base all;
        all.V = V << by;
        return all;
    }
    template <class T_, class = if_integer<T_>> ap_fixed_base operator>>(const T_ &by) const {
        ap_fixed_base all;
        all.V = V >> by;
        return all;
    }

#define DERATE_UPDATE(OP)                                                                                              \
    template <class T_> auto operator OP##=(const T_ & by)->decltype(*this OP by, *this) {                                \
        return *this = ap_fixed_base(*this OP by);                                                                     \
    }
    DERATE_UPDATE(+)
    DERATE_UPDATE(-)
    DERATE_UPDATE(*)
    DERATE_UPDATE(/)
    DERATE_UPDATE(&)
    DERATE_UPDATE(|)
    DERATE_UPDATE(^)
#undef DERATE_UPDATE
    template <class T_> ap_fixed_base &operator<<=(const T_ &by) { return *this = *this << by; }
    template <class T_> ap_fixed_base &operator>>=(const T_ &by) { return *this = *this >> by; }

  private:
    // An integer with F2 bits behind the point.
    template <int F2, int W2, bool S2> static ap_int_base<W_, S_> take(const ap_int_base<W2, S2> &from) {
        return derate::settled<W_, S_, O_, N_>(derate::scaled<F2 - (W_ - I_), Q_>(from));
    }
};

namespace derate {

// The integer of an operand, with so many bits behind the point.
template <int BEHIND, class T_> auto raw_of(const T_ &of) {
    if constexpr (fixed_operand<T_>::is_fixed) {
        return scaled<T_::derate_fixed_width - T_::derate_fixed_whole - BEHIND, AP_TRN>(of.V);
    } else {
        return scaled<-BEHIND, AP_TRN>(as_value<T_>(value_of(of)));
    }
}
template <class R_, class V> R_ made_of(const V &bits) {
    R_ all;
    all.V = bits;
    return all;
}

} // namespace derate

#define DERATE_OPERATOR(OP, RESULT)                                                                                    \
    template <class A_, class B_> typename derate::fixed_results<A_, B_>::RESULT operator OP(const A_ &a, const B_ &b) {     \
        using all = derate::fixed_results<A_, B_>;                                                                       \
        return derate::made_of<typename all::RESULT>(derate::raw_of<all::behind>(a) OP derate::raw_of<all::behind>(b)); \
    }
DERATE_OPERATOR(+, sum)
DERATE_OPERATOR(-, difference)
DERATE_OPERATOR(&, logic)
DERATE_OPERATOR(|, logic)
DERATE_OPERATOR(^, logic)
#undef DERATE_OPERATOR
template <class A_, class B_> typename derate::fixed_results<A_, B_>::product operator*(const A_ &a, const B_ &b) {
    using all = derate::fixed_results<A_, B_>;
    return derate::made_of<typename all::product>(derate::raw_of<all::behind_a>(a) * derate::raw_of<all::behind_b>(b));
}
template <class A_, class B_> typename derate::fixed_results<A_, B_>::quotient operator/(const A_ &a, const B_ &b) {
    using all = derate::fixed_results<A_, B_>;
    constexpr int up = derate::more(all::behind_b, 0);
    return derate::made_of<typename all::quotient>(derate::raw_of<all::behind_a + up>(a) / derate::raw_of<all::behind_b>(b));
}
#define DERATE_OPERATOR(OP)                                                                                            \
    template <class A_, class B_> typename derate::fixed_results<A_, B_>::truth operator OP(const A_ &a, const B_ &b) {      \
        using all = derate::fixed_results<A_, B_>;                                                                       \
        return derate::raw_of<all::behind>(a) OP derate::raw_of<all::behind>(b);                                       \
    }                                                                                                                  \
    template <int W_, int I_, bool S_, ap_q_mode Q_, ap_o_mode O_, int N_>                                                   \
    bool operator OP(const ap_fixed_base<W_, I_, S_, Q_, O_, N_> &a, double b) {                                             \
        return a.to_double() OP b;                                                                                     \
    }                                                                                                                  \
    template <int W_, int I_, bool S_, ap_q_mode Q_, ap_o_mode O_, int N_>                                                   \
    bool operator OP(double a, const ap_fixed_base<W_, I_, S_, Q_, O_, N_> &b) {                                             \
        return a OP b.to_double();                                                                                     \
    }
DERATE_OPERATOR(==)
DERATE_OPERATOR(!=)
DERATE_OPERATOR(<)
DERATE_OPERATOR(>)
DERATE_OPERATOR(<=)
DERATE_OPERATOR(>=)
#undef DERATE_OPERATOR
