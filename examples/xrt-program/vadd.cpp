// sum = a + b, sixteen integers at a time. For Vitis HLS, `port<T>` is `T *`.
#include "ap_int.h"
#include "port.h"

using word = ap_uint<512>;

extern "C" void vadd(port<const word> a, port<const word> b, port<word> sum, unsigned words) {
#pragma HLS interface m_axi port = a bundle = gmem0
#pragma HLS interface m_axi port = b bundle = gmem1
#pragma HLS interface m_axi port = sum bundle = gmem2
    for (unsigned i = 0; i < words; ++i) {
#pragma HLS pipeline II = 1
        const word left = a[i], right = b[i];
        word total;
        for (unsigned lane = 0; lane < 16; ++lane) {
#pragma HLS unroll
            const unsigned low = 32 * lane;
            total.range(low + 31, low) = left.range(low + 31, low) + right.range(low + 31, low);
        }
        sum[i] = total;
    }
}
