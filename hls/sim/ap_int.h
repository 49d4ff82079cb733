// A stand-in for the vendor's header where that is absent: integers of any width, with the results, ranges, bits and
// concatenations that the vendor's have. They are not made of text.
#pragma once

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the device is little-endian, and so must be the machine that stands in for it"
#endif

#include <cstdint>
#include <iosfwd>

#include "derate/ap_operators.h"

template <int W_> class ap_int : public ap_int_base<W_, true> {
  public:
    using ap_int_base<W_, true>::ap_int_base;
    ap_int() = default;
    ap_int(const ap_int_base<W_, true> &from) : ap_int_base<W_, true>(from) {}
};

template <int W_> class ap_uint : public ap_int_base<W_, false> {
  public:
    using ap_int_base<W_, false>::ap_int_base;
    ap_uint() = default;
    ap_uint(const ap_int_base<W_, false> &from) : ap_int_base<W_, false>(from) {}
};

// In the base that the stream writes integers in.
template <class C_, class T_, int W_, bool S_, class = std::enable_if_t<(W_ > 64)>>
std::basic_ostream<C_, T_> &operator<<(std::basic_ostream<C_, T_> &out, const ap_int_base<W_, S_> &what) {
    const auto base = out.flags() & std::basic_ostream<C_, T_>::basefield;
    if (base == std::basic_ostream<C_, T_>::hex || base == std::basic_ostream<C_, T_>::oct) {
        return out << derate::digits_of(ap_int_base<W_, false>(what), base == std::basic_ostream<C_, T_>::hex ? 16 : 8).c_str();
    }
    return out << derate::digits_of(what, 10).c_str();
}
