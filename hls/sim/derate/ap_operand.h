// What may stand in an expression with an ap_int: its width and sign, and the widths of results, so that none overflows.
#pragma once

#include <type_traits>

template <int W_, bool S_> class ap_int_base;
template <int W_, bool S_> class ap_range_ref;
template <int W_, bool S_> class ap_bit_ref;
template <class High, class Low> class ap_concat_ref;
template <int W_> class ap_int;
template <int W_> class ap_uint;

namespace derate {

constexpr int more(int a, int b) { return a > b ? a : b; }
constexpr int less(int a, int b) { return a < b ? a : b; }

// Of a type that is no operand, `bits` is 0.
template <class T_, class = void> struct operand {
    static constexpr int bits = 0;
    static constexpr bool is_signed = false;
    static constexpr bool is_ap = false;
};

template <class T_> struct operand<T_, std::enable_if_t<std::is_integral<T_>::value>> {
    static constexpr int bits = std::is_same<T_, bool>::value ? 1 : 8 * static_cast<int>(sizeof(T_));
    static constexpr bool is_signed = std::is_signed<T_>::value;
    static constexpr bool is_ap = false;
};

// An enumeration that converts to integers does as they do.
template <class T_>
struct operand<T_, std::enable_if_t<std::is_enum<T_>::value && std::is_convertible<T_, long long>::value>>
    : operand<std::underlying_type_t<T_>> {};

template <int W_, bool S_> struct ap_operand {
    static constexpr int bits = W_;
    static constexpr bool is_signed = S_;
    static constexpr bool is_ap = true;
};

template <int W_, bool S_> struct operand<ap_int_base<W_, S_>> : ap_operand<W_, S_> {};
template <int W_> struct operand<ap_int<W_>> : ap_operand<W_, true> {};
template <int W_> struct operand<ap_uint<W_>> : ap_operand<W_, false> {};
template <int W_, bool S_> struct operand<ap_range_ref<W_, S_>> : ap_operand<W_, false> {};
template <int W_, bool S_> struct operand<ap_bit_ref<W_, S_>> : ap_operand<1, false> {};
template <class High, class Low> struct operand<ap_concat_ref<High, Low>> : ap_operand<ap_concat_ref<High, Low>::width, false> {};

// An element of a port that may be written (port.h) is what it holds.
template <class T_>
struct operand<T_, std::enable_if_t<(operand<std::remove_const_t<typename T_::derate_element>>::bits > 0)>>
    : operand<typename T_::derate_element> {};

// Whether a place holds just such an ap_int, which it converts to itself.
template <class T_, int W_, bool S_, class = void> struct holds_just : std::false_type {};
template <class T_, int W_, bool S_>
struct holds_just<T_, W_, S_, std::enable_if_t<operand<typename T_::derate_element>::bits == W_>>
    : std::integral_constant<bool, operand<T_>::is_signed == S_> {};

template <class T_> using as_value = ap_int_base<operand<T_>::bits, operand<T_>::is_signed>;

// The value of an operand (ap_operators.h).
template <int W_, bool S_> const ap_int_base<W_, S_> &value_of(const ap_int_base<W_, S_> &of);
template <int W_, bool S_> ap_int_base<W_, false> value_of(const ap_range_ref<W_, S_> &of);
template <int W_, bool S_> ap_int_base<1, false> value_of(const ap_bit_ref<W_, S_> &of);
template <class High, class Low> ap_int_base<ap_concat_ref<High, Low>::width, false> value_of(const ap_concat_ref<High, Low> &of);
template <class T_> as_value<std::enable_if_t<!operand<T_>::is_ap, T_>> value_of(const T_ &of);
template <class T_> as_value<typename T_::derate_element> value_of(const T_ &of);

// The results of two operands, of which at least one is an ap_int.
template <class A_, class B_, bool KNOWN = (operand<A_>::bits > 0 && operand<B_>::bits > 0 && (operand<A_>::is_ap || operand<B_>::is_ap))>
struct results {};

template <class A_, class B_> struct results<A_, B_, true> {
    static constexpr int a = operand<A_>::bits;
    static constexpr int b = operand<B_>::bits;
    static constexpr bool sa = operand<A_>::is_signed;
    static constexpr bool sb = operand<B_>::is_signed;
    // Bits that hold either operand with its sign.
    static constexpr int either = more(a + (sb && !sa), b + (sa && !sb));
    using sum = ap_int_base<either + 1, sa || sb>;
    using difference = ap_int_base<either + 1, true>;
    using product = ap_int_base<a + b, sa || sb>;
    using quotient = ap_int_base<a + sb, sa || sb>;
    using remainder = ap_int_base<less(a, b + (sa && !sb)), sa>;
    using logic = ap_int_base<either, sa || sb>;
    using common = ap_int_base<either, sa || sb>;
    using truth = bool;
    using left = ap_int_base<a, sa>;
};

} // namespace derate
