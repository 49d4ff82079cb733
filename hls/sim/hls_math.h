// A stand-in for the vendor's header where that is absent: functions of float and double, as the C++ library has them. A card
// may differ in the last bits. Of fixed-point numbers there are none here.
#pragma once

#include <cmath>

namespace hls {

using std::abs;
using std::acos;
using std::asin;
using std::atan;
using std::atan2;
using std::cbrt;
using std::ceil;
using std::copysign;
using std::cos;
using std::cosh;
using std::erf;
using std::exp;
using std::exp2;
using std::expm1;
using std::fabs;
using std::floor;
using std::fma;
using std::fmax;
using std::fmin;
using std::fmod;
using std::isfinite;
using std::isinf;
using std::isnan;
using std::ldexp;
using std::log;
using std::log10;
using std::log1p;
using std::log2;
using std::pow;
using std::rint;
using std::round;
using std::signbit;
using std::sin;
using std::sinh;
using std::sqrt;
using std::tan;
using std::tanh;
using std::trunc;
using ::expf;
using ::fabsf;
using ::logf;
using ::powf;
using ::sqrtf;
using ::tanhf;

inline float recip(float of) { return 1.0F / of; }
inline double recip(double of) { return 1.0 / of; }
inline float rsqrt(float of) { return 1.0F / std::sqrt(of); }
inline double rsqrt(double of) { return 1.0 / std::sqrt(of); }
template <class T_> T_ max(const T_ &a, const T_ &b) { return a < b ? b : a; }
template <class T_> T_ min(const T_ &a, const T_ &b) { return b < a ? b : a; }

} // namespace hls
