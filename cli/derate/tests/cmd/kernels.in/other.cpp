#include <ap_int.h>
#include "port.h"
using word = ap_uint<512>;
extern "C" void other(port<word> a, port<word> b, unsigned n) {
#pragma HLS interface m_axi port = a
}
