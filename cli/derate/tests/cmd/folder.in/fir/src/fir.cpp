#include "taps.h"

void fir(const coef16_t in[256], coef16_t out[256], const coef16_t taps[TAPS]) {
#pragma HLS INTERFACE m_axi port=in bundle=gmem
#pragma HLS INTERFACE m_axi port=out bundle=gmem
    coef16_t line[TAPS];
    for (int n = 0; n < 256; n++) {
        coef16_t sum = 0;
    shift:
        for (int t = TAPS - 1; t > 0; t--) {
#pragma HLS PIPELINE II=1
            line[t] = line[t - 1];
        }
        line[0] = in[n];
    multiply:
        for (int t = 0; t < TAPS; t++) {
#pragma HLS PIPELINE II=1
            sum += line[t] * taps[t];
        }
        out[n] = sum;
    }
}
