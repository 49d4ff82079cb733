// C = A x B of int8, summed in 32-bit integers: exact while k < 131,072.

#include "gemm.h"

extern "C" {

void krnl_gemm_i8(port<const word> a, port<const word> b, port<word> c, std::uint32_t m, std::uint32_t n, std::uint32_t k) {
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
    gemm<std::int8_t, std::int32_t, std::int32_t>::run(a, b, c, m, n, k);
}

} // extern "C"
