// A stand-in for the vendor's header where that is absent: a word of an AXI4-Stream with its side channels.
#pragma once

#include <cstdint>

#include "ap_int.h"

namespace hls {

namespace axis_fields {
// A side channel of no bits holds nothing.
template <int W> struct side : ap_uint<W> {
    using ap_uint<W>::ap_uint;
    using ap_uint<W>::operator=;
    side() = default;
};
template <> struct side<0> {
    side() = default;
    template <class T> side(const T &) {}
    template <class T> side &operator=(const T &) { return *this; }
    operator int() const { return 0; }
};
template <class T> constexpr int bits_of = 8 * sizeof(T);
template <int W> constexpr int bits_of<ap_uint<W>> = W;
template <int W> constexpr int bits_of<ap_int<W>> = W;
} // namespace axis_fields

// `T` is the data; the widths are those of the user, id and destination channels.
template <class T, std::size_t WUSER = 0, std::size_t WID = 0, std::size_t WDEST = 0> struct axis {
    static constexpr int bytes = (axis_fields::bits_of<T> + 7) / 8;
    T data;
    ap_uint<(bytes > 0 ? bytes : 1)> keep;
    ap_uint<(bytes > 0 ? bytes : 1)> strb;
    axis_fields::side<static_cast<int>(WUSER)> user;
    ap_uint<1> last;
    axis_fields::side<static_cast<int>(WID)> id;
    axis_fields::side<static_cast<int>(WDEST)> dest;

    T get_data() const { return data; }
    void set_data(const T &to) { data = to; }
    auto get_keep() const { return keep; }
    auto get_strb() const { return strb; }
    auto get_user() const { return user; }
    auto get_last() const { return last; }
    auto get_id() const { return id; }
    auto get_dest() const { return dest; }
    template <class U> void set_keep(const U &to) { keep = to; }
    template <class U> void set_strb(const U &to) { strb = to; }
    template <class U> void set_user(const U &to) { user = to; }
    template <class U> void set_last(const U &to) { last = to; }
    template <class U> void set_id(const U &to) { id = to; }
    template <class U> void set_dest(const U &to) { dest = to; }
    void keep_all() {
        keep = -1;
        strb = -1;
    }
};

template <class T, std::size_t WUSER = 0, std::size_t WID = 0, std::size_t WDEST = 0> using axis_data = axis<T, WUSER, WID, WDEST>;

} // namespace hls

template <std::size_t W, std::size_t WUSER, std::size_t WID, std::size_t WDEST>
using ap_axiu = hls::axis<ap_uint<static_cast<int>(W)>, WUSER, WID, WDEST>;
template <std::size_t W, std::size_t WUSER, std::size_t WID, std::size_t WDEST>
using ap_axis = hls::axis<ap_int<static_cast<int>(W)>, WUSER, WID, WDEST>;
template <std::size_t W, std::size_t WUSER, std::size_t WID, std::size_t WDEST>
using qdma_axis = hls::axis<ap_uint<static_cast<int>(W)>, WUSER, WID, WDEST>;
