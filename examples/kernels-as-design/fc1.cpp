#include <cstdint>

constexpr int ROWS = 1024;
constexpr int INPUTS = 768;
constexpr int OUTPUTS = 3072;
constexpr int LANES = 256;

// One row of inputs at a time; each cycle multiplies one input with 256 weights.
extern "C" void fc1(const int8_t x[ROWS][INPUTS], const int8_t w[INPUTS][OUTPUTS],
                    int32_t y[ROWS][OUTPUTS]) {
#pragma HLS array_partition variable=w dim=2 type=cyclic factor=256
#pragma HLS array_partition variable=y dim=2 type=cyclic factor=256
rows:
    for (int row = 0; row < ROWS; row++) {
    groups:
        for (int group = 0; group < OUTPUTS / LANES; group++) {
            int32_t sums[LANES];
#pragma HLS array_partition variable=sums type=complete
        clear:
            for (int lane = 0; lane < LANES; lane++) {
#pragma HLS unroll
                sums[lane] = 0;
            }
        inputs:
            for (int input = 0; input < INPUTS; input++) {
#pragma HLS pipeline II=1
                for (int lane = 0; lane < LANES; lane++) {
#pragma HLS unroll
                    sums[lane] += x[row][input] * w[input][group * LANES + lane];
                }
            }
        store:
            for (int lane = 0; lane < LANES; lane++) {
#pragma HLS unroll
                y[row][group * LANES + lane] = sums[lane];
            }
        }
    }
}
