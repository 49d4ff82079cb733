#include <ap_fixed.h>

// Its own accumulator: the filter beside it is another design.
typedef ap_fixed<24, 8> acc_t;

extern "C" void gemm(const float *a, const float *b, float *c, int size) {
#pragma HLS INTERFACE m_axi port=a bundle=gmem0
#pragma HLS INTERFACE m_axi port=b bundle=gmem1
#pragma HLS INTERFACE m_axi port=c bundle=gmem2
    for (int i = 0; i < size; i++) {
        acc_t sum = 0;
        for (int k = 0; k < size; k++) {
            sum += acc_t(a[i * size + k] * b[k]);
        }
        c[i] = float(sum);
    }
}
