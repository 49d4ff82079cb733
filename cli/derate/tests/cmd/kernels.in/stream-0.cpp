#include <hls_stream.h>
#include "port.h"
extern "C"
void k(int *a, hls::stream<int> &in) {
#pragma HLS interface m_axi port = a
}
