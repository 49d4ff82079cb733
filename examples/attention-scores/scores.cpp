// One query against a cache of keys: score[t] = sum over d of query[d] * key[t][d].
#include <stdint.h>

#define KEYS 4096
#define WIDTH 64

void scores(const int8_t query[WIDTH], const int8_t keys[KEYS * WIDTH], int32_t result[KEYS]) {
#pragma HLS interface m_axi port = query bundle = gmem0
#pragma HLS interface m_axi port = keys bundle = gmem1
#pragma HLS interface m_axi port = result bundle = gmem2
    int8_t q[WIDTH];
load:
    for (int d = 0; d < WIDTH; d++) {
        q[d] = query[d];
    }
each_key:
    for (int t = 0; t < KEYS; t++) {
        int32_t sum = 0;
    each_element:
        for (int d = 0; d < WIDTH; d++) {
#pragma HLS pipeline II = 1
            sum += q[d] * keys[t * WIDTH + d];
        }
        result[t] = sum;
    }
}
