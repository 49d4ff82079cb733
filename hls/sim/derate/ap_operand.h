// What may stand in an expression with an ap_int: its width and sign, and the widths of results, so that none overflows.
#pragma once

#include <type_traits>

template <int W, bool S> class ap_int_base;
template <int W, bool S> class ap_range_ref;
template <int W, bool S> class ap_bit_ref;
template <class High, class Low> class ap_concat_ref;
template <int W> class ap_int;
template <int W> class ap_uint;

namespace derate {

constexpr int more(int a, int b) { return a > b ? a : b; }
constexpr int less(int a, int b) { return a < b ? a : b; }

// Of a type that is no operand, `bits` is 0.
template <class T, class = void> struct operand {
    static constexpr int bits = 0;
    static constexpr bool is_signed = false;
    static constexpr bool is_ap = false;
};

template <class T> struct operand<T, std::enable_if_t<std::is_integral<T>::value>> {
    static constexpr int bits = std::is_same<T, bool>::value ? 1 : 8 * static_cast<int>(sizeof(T));
    static constexpr bool is_signed = std::is_signed<T>::value;
    static constexpr bool is_ap = false;
};

// An enumeration that converts to integers does as they do.
template <class T>
struct operand<T, std::enable_if_t<std::is_enum<T>::value && std::is_convertible<T, long long>::value>>
    : operand<std::underlying_type_t<T>> {};

template <int W, bool S> struct ap_operand {
    static constexpr int bits = W;
    static constexpr bool is_signed = S;
    static constexpr bool is_ap = true;
};

template <int W, bool S> struct operand<ap_int_base<W, S>> : ap_operand<W, S> {};
template <int W> struct operand<ap_int<W>> : ap_operand<W, true> {};
template <int W> struct operand<ap_uint<W>> : ap_operand<W, false> {};
template <int W, bool S> struct operand<ap_range_ref<W, S>> : ap_operand<W, false> {};
template <int W, bool S> struct operand<ap_bit_ref<W, S>> : ap_operand<1, false> {};
template <class High, class Low> struct operand<ap_concat_ref<High, Low>> : ap_operand<ap_concat_ref<High, Low>::width, false> {};

// An element of a port that may be written (port.h) is what it holds.
template <class T>
struct operand<T, std::enable_if_t<(operand<std::remove_const_t<typename T::derate_element>>::bits > 0)>>
    : operand<typename T::derate_element> {};

// Whether a place holds just such an ap_int, which it converts to itself.
template <class T, int W, bool S, class = void> struct holds_just : std::false_type {};
template <class T, int W, bool S>
struct holds_just<T, W, S, std::enable_if_t<operand<typename T::derate_element>::bits == W>>
    : std::integral_constant<bool, operand<T>::is_signed == S> {};

template <class T> using as_value = ap_int_base<operand<T>::bits, operand<T>::is_signed>;

// The value of an operand (ap_operators.h).
template <int W, bool S> const ap_int_base<W, S> &value_of(const ap_int_base<W, S> &of);
template <int W, bool S> ap_int_base<W, false> value_of(const ap_range_ref<W, S> &of);
template <int W, bool S> ap_int_base<1, false> value_of(const ap_bit_ref<W, S> &of);
template <class High, class Low> ap_int_base<ap_concat_ref<High, Low>::width, false> value_of(const ap_concat_ref<High, Low> &of);
template <class T> as_value<std::enable_if_t<!operand<T>::is_ap, T>> value_of(const T &of);
template <class T> as_value<typename T::derate_element> value_of(const T &of);

// The results of two operands, of which at least one is an ap_int.
template <class A, class B, bool KNOWN = (operand<A>::bits > 0 && operand<B>::bits > 0 && (operand<A>::is_ap || operand<B>::is_ap))>
struct results {};

template <class A, class B> struct results<A, B, true> {
    static constexpr int a = operand<A>::bits;
    static constexpr int b = operand<B>::bits;
    static constexpr bool sa = operand<A>::is_signed;
    static constexpr bool sb = operand<B>::is_signed;
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
