#include <hls_stream.h>
#include "port.h"
extern "C"
ap_uint<8> k(port<int> a) {
#pragma HLS interface m_axi port = a
}
