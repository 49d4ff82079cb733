#include <hls_stream.h>
#include "port.h"
extern "C"
int k(port<int> a) {
#pragma HLS interface m_axi port = a
}
