// What is done with two operands of which at least one is an ap_int. A result is as wide as it needs to be to hold every
// value, as the vendor's is; a shift keeps the width of what it shifts.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "ap_reference.h"

namespace derate {

template <int W_, bool S_> const ap_int_base<W_, S_> &value_of(const ap_int_base<W_, S_> &of) { return of; }
template <int W_, bool S_> ap_int_base<W_, false> value_of(const ap_range_ref<W_, S_> &of) { return of.get(); }
template <int W_, bool S_> ap_int_base<1, false> value_of(const ap_bit_ref<W_, S_> &of) { return of.to_bool(); }
template <class High, class Low> ap_int_base<ap_concat_ref<High, Low>::width, false> value_of(const ap_concat_ref<High, Low> &of) {
    return of.get();
}
template <class T_> as_value<std::enable_if_t<!operand<T_>::is_ap, T_>> value_of(const T_ &of) { return of; }
template <class T_> as_value<typename T_::derate_element> value_of(const T_ &of) {
    return value_of(of.derate_load());
}

__extension__ typedef unsigned __int128 double_limb;

// a + b, or a + ~b + 1: in the width of the result neither loses anything.
template <class R_> R_ added(const R_ &a, const R_ &b, bool subtract) {
    R_ sum;
    std::uint64_t carry = subtract ? 1 : 0;
    for (int i = 0; i < R_::limbs; ++i) {
        const double_limb both = double_limb(a.limb(i)) + (subtract ? ~b.limb(i) : b.limb(i)) + carry;
        sum.set_limb(i, static_cast<std::uint64_t>(both));
        carry = static_cast<std::uint64_t>(both >> 64);
    }
    return sum;
}

// Modulo 2^64 for each limb, which is right for either sign as both operands have the width of the product.
template <class R_> R_ multiplied(const R_ &a, const R_ &b) {
    std::uint64_t sums[R_::limbs] = {};
    for (int i = 0; i < R_::limbs; ++i) {
        std::uint64_t carry = 0;
        for (int j = 0; i + j < R_::limbs; ++j) {
            const double_limb term = double_limb(a.limb(i)) * b.limb(j) + sums[i + j] + carry;
            sums[i + j] = static_cast<std::uint64_t>(term);
            carry = static_cast<std::uint64_t>(term >> 64);
        }
    }
    R_ product;
    for (int i = 0; i < R_::limbs; ++i) {
        product.set_limb(i, sums[i]);
    }
    return product;
}

template <class C_> bool is_less(const C_ &a, const C_ &b) {
    if (a.sign() != b.sign()) {
        return a.sign();
    }
    for (int i = C_::limbs - 1; i >= 0; --i) {
        if (a.limb(i) != b.limb(i)) {
            return a.limb(i) < b.limb(i);
        }
    }
    return false;
}

template <class C_> bool is_equal(const C_ &a, const C_ &b) {
    std::uint64_t differ = 0;
    for (int i = 0; i < C_::limbs; ++i) {
        differ |= a.limb(i) ^ b.limb(i);
    }
    return differ == 0;
}

template <class V> V shifted_up(const V &of, std::uint64_t by) {
    V to;
    for (int i = 0; i < V::limbs; ++i) {
        const std::int64_t from = i - static_cast<std::int64_t>(by < static_cast<std::uint64_t>(V::width) ? by / 64 : V::limbs);
        std::uint64_t bits = from >= 0 ? of.limb(static_cast<int>(from)) << by % 64 : 0;
        if (by % 64 != 0 && from > 0) {
            bits |= of.limb(static_cast<int>(from) - 1) >> (64 - by % 64);
        }
        to.set_limb(i, bits);
    }
    return to;
}

template <class V> V shifted_down(const V &of, std::uint64_t by) {
    V to;
    for (int i = 0; i < V::limbs; ++i) {
        const int from = i + static_cast<int>(by < static_cast<std::uint64_t>(V::width) ? by / 64 : V::limbs);
        std::uint64_t bits = of.limb(from) >> by % 64;
        if (by % 64 != 0) {
            bits |= of.limb(from + 1) << (64 - by % 64);
        }
        to.set_limb(i, bits);
    }
    return to;
}

// A negative count shifts the other way.
template <class V, class T_> V shifted(const V &of, const T_ &by, bool up) {
    const auto count = value_of(by);
    const bool back = count.sign();
    const auto bits = back ? std::uint64_t(0) - count.limb(0) : count.limb(0);
    return up != back ? shifted_up(of, bits) : shifted_down(of, bits);
}

// Quotient and remainder, towards zero. Both operands fit C; one bit more takes their magnitudes, and the quotient of the least
// number by -1.
template <class C_> auto divided(const C_ &a, const C_ &b) {
    if (b.is_zero()) {
        throw std::runtime_error("an ap_int is divided by zero");
    }
    using magnitude = ap_int_base<C_::width + 1, false>;
    const auto absolute = [](const C_ &of) { return of.sign() ? added(magnitude(0), magnitude(of), true) : magnitude(of); };
    const magnitude by = absolute(b);
    const magnitude of = absolute(a);
    magnitude quotient(0);
    magnitude rest(0);
    bool is_short = true;
    for (int i = 1; i < magnitude::limbs; ++i) {
        is_short &= of.limb(i) == 0 && by.limb(i) == 0;
    }
    if (is_short) {
        quotient.set_limb(0, of.limb(0) / by.limb(0));
        rest.set_limb(0, of.limb(0) % by.limb(0));
    } else {
        for (int i = C_::width; i >= 0; --i) {
            rest = shifted_up(rest, 1);
            rest.set_limb(0, rest.limb(0) | (of.test(i) ? 1 : 0));
            if (!is_less(rest, by)) {
                rest = added(rest, by, true);
                quotient.set_bit(i, true);
            }
        }
    }
    using both = ap_int_base<C_::width + 2, true>;
    const auto with_sign = [](const both &size, bool negative) { return negative ? added(both(0), size, true) : size; };
    return std::make_pair(with_sign(quotient, a.sign() != b.sign()), with_sign(rest, a.sign()));
}

// The digits of a number, with its sign.
template <int W_, bool S_> std::string digits_of(const ap_int_base<W_, S_> &of, unsigned base) {
    ap_int_base<W_ + 1, false> rest(of.sign() ? ap_int_base<W_ + 1, false>(-of) : ap_int_base<W_ + 1, false>(of));
    std::string digits;
    do {
        std::uint64_t carry = 0;
        for (int limb = rest.limbs - 1; limb >= 0; --limb) {
            const double_limb part = double_limb(carry) << 64 | rest.limb(limb);
            rest.set_limb(limb, static_cast<std::uint64_t>(part / base));
            carry = static_cast<std::uint64_t>(part % base);
        }
        digits.insert(digits.begin(), "0123456789abcdef"[carry]);
    } while (!rest.is_zero());
    return of.sign() ? "-" + digits : digits;
}

template <class R_, class A_, class F_> R_ each_limb(const A_ &a, const A_ &b, F_ f) {
    R_ all;
    for (int i = 0; i < R_::limbs; ++i) {
        all.set_limb(i, f(a.limb(i), b.limb(i)));
    }
    return all;
}

} // namespace derate

// A and B are values of the width KIND says, the operands x and y in it.
#define DERATE_OPERATOR(OP, RESULT, KIND, CODE)                                                                        \
    template <class A_, class B_> typename derate::results<A_, B_>::RESULT operator OP(const A_ &a, const B_ &b) {           \
        using result [[maybe_unused]] = typename derate::results<A_, B_>::RESULT;                                        \
        using kind = typename derate::results<A_, B_>::KIND;                                                             \
        const kind x(derate::value_of(a));                                                                             \
        const kind y(derate::value_of(b));                                                                             \
        return CODE;                                                                                                   \
    }
DERATE_OPERATOR(+, sum, sum, derate::added(x, y, false))
DERATE_OPERATOR(-, difference, difference, derate::added(x, y, true))
DERATE_OPERATOR(*, product, product, derate::multiplied(x, y))
DERATE_OPERATOR(/, quotient, common, result(derate::divided(x, y).first))
DERATE_OPERATOR(%, remainder, common, result(derate::divided(x, y).second))
DERATE_OPERATOR(&, logic, logic, (derate::each_limb<result>(x, y, [](std::uint64_t p, std::uint64_t q) { return p & q; })))
DERATE_OPERATOR(|, logic, logic, (derate::each_limb<result>(x, y, [](std::uint64_t p, std::uint64_t q) { return p | q; })))
DERATE_OPERATOR(^, logic, logic, (derate::each_limb<result>(x, y, [](std::uint64_t p, std::uint64_t q) { return p ^ q; })))
DERATE_OPERATOR(==, truth, common, derate::is_equal(x, y))
DERATE_OPERATOR(!=, truth, common, !derate::is_equal(x, y))
DERATE_OPERATOR(<, truth, common, derate::is_less(x, y))
DERATE_OPERATOR(>, truth, common, derate::is_less(y, x))
DERATE_OPERATOR(<=, truth, common, !derate::is_less(y, x))
DERATE_OPERATOR(>=, truth, common, !derate::is_less(x, y))
#undef DERATE_OPERATOR

// Only of an ap_int: a number of C++ on the left stays one, by its own operator.
template <class A_, class B_, class = std::enable_if_t<derate::operand<A_>::is_ap>>
typename derate::results<A_, B_>::left operator<<(const A_ &a, const B_ &by) {
    return derate::shifted(derate::as_value<A_>(derate::value_of(a)), by, true);
}
template <class A_, class B_, class = std::enable_if_t<derate::operand<A_>::is_ap>>
typename derate::results<A_, B_>::left operator>>(const A_ &a, const B_ &by) {
    return derate::shifted(derate::as_value<A_>(derate::value_of(a)), by, false);
}

namespace derate {

template <int W_, bool S_> std::true_type is_a_value(const ap_int_base<W_, S_> *);
std::false_type is_a_value(...);

// How a part of `(high, low)` is held.
template <class T_, class PLAIN = std::remove_const_t<std::remove_reference_t<T_>>>
using beside = std::conditional_t<
    !decltype(is_a_value(static_cast<PLAIN *>(nullptr)))::value, const PLAIN,
    std::conditional_t<std::is_lvalue_reference<T_>::value && !std::is_const<std::remove_reference_t<T_>>::value,
                       as_value<PLAIN> &, const as_value<PLAIN>>>;

template <class A_, class B_, class PA = std::remove_const_t<std::remove_reference_t<A_>>,
          class PB = std::remove_const_t<std::remove_reference_t<B_>>>
using if_results = typename results<PA, PB>::truth;

} // namespace derate

// A number of C++ has all bits of its type here.
template <class A_, class B_, class = derate::if_results<A_, B_>>
ap_concat_ref<derate::beside<A_>, derate::beside<B_>> operator,(A_ &&a, B_ &&b) {
    return {a, b};
}
