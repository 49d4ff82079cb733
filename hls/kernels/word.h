// Words as wide as an AXI port can be, and their lanes.
#pragma once

#include <ap_int.h>
#include <cstdint>

#include "port.h"

template <int BITS> using word_of = ap_uint<BITS>;
using word = word_of<512>;

// 32-bit lanes of a word.
template <int BITS> constexpr int lanes32 = BITS / 32;
