// A stand-in for the vendor's header where that is absent: fixed-point numbers of any width, with the results, roundings and
// overflows that the vendor's have.
#pragma once

#include "ap_int.h"
#include "derate/fixed_value.h"

template <int W_, int I_, ap_q_mode Q_ = AP_TRN, ap_o_mode O_ = AP_WRAP, int N_ = 0>
class ap_fixed : public ap_fixed_base<W_, I_, true, Q_, O_, N_> {
    using base = ap_fixed_base<W_, I_, true, Q_, O_, N_>;

  public:
    using base::base;
    ap_fixed() = default;
    ap_fixed(const base &from) : base(from) {}
};

template <int W_, int I_, ap_q_mode Q_ = AP_TRN, ap_o_mode O_ = AP_WRAP, int N_ = 0>
class ap_ufixed : public ap_fixed_base<W_, I_, false, Q_, O_, N_> {
    using base = ap_fixed_base<W_, I_, false, Q_, O_, N_>;

  public:
    using base::base;
    ap_ufixed() = default;
    ap_ufixed(const base &from) : base(from) {}
};

// As many digits as the stream's precision says, never an exponent's form by the stream's flags: the vendor's does not look at them.
template <class C_, class T_, int W_, int I_, bool S_, ap_q_mode Q_, ap_o_mode O_, int N_>
std::basic_ostream<C_, T_> &operator<<(std::basic_ostream<C_, T_> &out, const ap_fixed_base<W_, I_, S_, Q_, O_, N_> &what) {
    const auto flags = out.flags();
    out.unsetf(std::basic_ostream<C_, T_>::floatfield);
    out << what.to_double();
    out.flags(flags);
    return out;
}
