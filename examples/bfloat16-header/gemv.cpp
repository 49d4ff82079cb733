#include "weights.h"

extern "C" void gemv(const bfloat16_t *matrix, const bfloat16_t *vector, bfloat16_t *result,
                     unsigned rows, unsigned columns) {
#pragma HLS interface m_axi port = matrix bundle = gmem0
#pragma HLS interface m_axi port = vector bundle = gmem1
#pragma HLS interface m_axi port = result bundle = gmem2
    for (unsigned i = 0; i < rows; ++i) {
        bfloat16_t sum = 0;
        for (unsigned j = 0; j < columns; ++j) {
#pragma HLS pipeline II = 1
            sum += matrix[i * columns + j] * vector[j];
        }
        result[i] = sum;
    }
}
