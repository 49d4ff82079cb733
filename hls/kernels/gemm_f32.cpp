// C = A x B in FP32: 320 DSP at 5 a multiply-add.

#include "gemm.h"

extern "C" {

void krnl_gemm_f32(port<const word> a, port<const word> b, port<word> c, std::uint32_t m, std::uint32_t n, std::uint32_t k) {
#pragma HLS interface m_axi port = a offset = slave bundle = gmem0 max_read_burst_length = 64 num_read_outstanding = 16
#pragma HLS interface m_axi port = b offset = slave bundle = gmem1 max_read_burst_length = 64 num_read_outstanding = 16
#pragma HLS interface m_axi port = c offset = slave bundle = gmem2 max_write_burst_length = 64 num_write_outstanding = 16
#pragma HLS interface s_axilite port = a
#pragma HLS interface s_axilite port = b
#pragma HLS interface s_axilite port = c
#pragma HLS interface s_axilite port = m
#pragma HLS interface s_axilite port = n
#pragma HLS interface s_axilite port = k
#pragma HLS interface s_axilite port = return
    gemm<float, float, float>::run(a, b, c, m, n, k);
}

} // extern "C"
