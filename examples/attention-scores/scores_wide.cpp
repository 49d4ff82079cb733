// The same scores, with one whole key of 512 bits in each beat.
#include <hls_vector.h>
#include <stdint.h>

#define KEYS 4096
#define WIDTH 64

typedef hls::vector<int8_t, WIDTH> key_t;

void scores(const key_t *query, const key_t keys[KEYS], int32_t result[KEYS]) {
#pragma HLS interface m_axi port = query bundle = gmem0
#pragma HLS interface m_axi port = keys bundle = gmem1
#pragma HLS interface m_axi port = result bundle = gmem2
    key_t q = query[0];
each_key:
    for (int t = 0; t < KEYS; t++) {
#pragma HLS pipeline II = 1
        key_t key = keys[t];
        int32_t sum = 0;
    each_element:
        for (int d = 0; d < WIDTH; d++) {
#pragma HLS unroll
            sum += q[d] * key[d];
        }
        result[t] = sum;
    }
}
