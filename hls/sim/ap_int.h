// A stand-in for the vendor's header where that is absent: integers of any width, with the results, ranges, bits and
// concatenations that the vendor's have. Made of no text, and written out by no stream: to see a wide one, take a range of it.
#pragma once

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the device is little-endian, and so must be the machine that stands in for it"
#endif

#include <cstdint>
#include <iosfwd>

#include "derate/ap_operators.h"

template <int W> class ap_int : public ap_int_base<W, true> {
  public:
    using ap_int_base<W, true>::ap_int_base;
    ap_int() = default;
    ap_int(const ap_int_base<W, true> &from) : ap_int_base<W, true>(from) {}
};

template <int W> class ap_uint : public ap_int_base<W, false> {
  public:
    using ap_int_base<W, false>::ap_int_base;
    ap_uint() = default;
    ap_uint(const ap_int_base<W, false> &from) : ap_int_base<W, false>(from) {}
};

// Its lower 64 bits would be printed as if they were all.
template <class C, class T, int W, bool S, class = std::enable_if_t<(W > 64)>>
std::basic_ostream<C, T> &operator<<(std::basic_ostream<C, T> &, const ap_int_base<W, S> &) = delete;
