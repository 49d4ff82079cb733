// A stand-in for the vendor's header where that is absent: a word of an AXI4-Stream with its side channels.
#pragma once

#include <cstdint>

#include "ap_int.h"

// Which side channels there are, for types that can do without some. All of them are there here.
enum { AXIS_ENABLE_DATA = 1, AXIS_ENABLE_DEST = 2, AXIS_ENABLE_ID = 4, AXIS_ENABLE_KEEP = 8, AXIS_ENABLE_LAST = 16, AXIS_ENABLE_STRB = 32, AXIS_ENABLE_USER = 64, AXIS_ENABLE_ALL = 127 };

namespace hls {

namespace axis_fields {
// A side channel of no bits holds nothing.
template <int W_> struct side_of {
    using type = ap_uint<W_>;
};
struct no_side {
    no_side() = default;
    template <class T_> no_side(const T_ &) {}
    template <class T_> no_side &operator=(const T_ &) { return *this; }
    operator int() const { return 0; }
};
template <> struct side_of<0> {
    using type = no_side;
};
template <int W_> using side = typename side_of<W_>::type;
// Data of no bits.
struct no_data {};
template <class T_> constexpr int bits_of = 8 * sizeof(T_);
template <> constexpr int bits_of<no_data> = 0;
template <int W_> constexpr int bits_of<ap_uint<W_>> = W_;
template <int W_> constexpr int bits_of<ap_int<W_>> = W_;
} // namespace axis_fields

// `T` is the data; the widths are those of the user, id and destination channels.
template <class T_, std::size_t WUSER = 0, std::size_t WID = 0, std::size_t WDEST = 0> struct axis {
    static constexpr int bytes = (axis_fields::bits_of<T_> + 7) / 8;
    T_ data;
    ap_uint<(bytes > 0 ? bytes : 1)> keep;
    ap_uint<(bytes > 0 ? bytes : 1)> strb;
    axis_fields::side<static_cast<int>(WUSER)> user;
    ap_uint<1> last;
    axis_fields::side<static_cast<int>(WID)> id;
    axis_fields::side<static_cast<int>(WDEST)> dest;

    T_ get_data() const { return data; }
    void set_data(const T_ &to) { data = to; }
    auto get_keep() const { return keep; }
    auto get_strb() const { return strb; }
    auto get_user() const { return user; }
    auto get_last() const { return last; }
    auto get_id() const { return id; }
    auto get_dest() const { return dest; }
    template <class U_> void set_keep(const U_ &to) { keep = to; }
    template <class U_> void set_strb(const U_ &to) { strb = to; }
    template <class U_> void set_user(const U_ &to) { user = to; }
    template <class U_> void set_last(const U_ &to) { last = to; }
    template <class U_> void set_id(const U_ &to) { id = to; }
    template <class U_> void set_dest(const U_ &to) { dest = to; }
    void keep_all() {
        keep = -1;
        strb = -1;
    }
};

template <class T_, std::size_t WUSER = 0, std::size_t WID = 0, std::size_t WDEST = 0> using axis_data = axis<T_, WUSER, WID, WDEST>;
// A word of side channels alone.
template <std::size_t WUSER, unsigned ENABLED = 0> using axis_user = axis<axis_fields::no_data, WUSER>;

} // namespace hls

template <std::size_t W_, std::size_t WUSER, std::size_t WID, std::size_t WDEST>
using ap_axiu = hls::axis<ap_uint<static_cast<int>(W_)>, WUSER, WID, WDEST>;
template <std::size_t W_, std::size_t WUSER, std::size_t WID, std::size_t WDEST>
using ap_axis = hls::axis<ap_int<static_cast<int>(W_)>, WUSER, WID, WDEST>;
template <std::size_t W_, std::size_t WUSER, std::size_t WID, std::size_t WDEST>
using qdma_axis = hls::axis<ap_uint<static_cast<int>(W_)>, WUSER, WID, WDEST>;
