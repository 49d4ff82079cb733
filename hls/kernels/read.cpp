// Reads `src` once in sequence and reduces it to one word, so that nothing is optimised away: each 32-bit lane of `sum` is
// the sum of that lane over all words, modulo 2^32. An integer adder takes one cycle: the sums do not hold the loop up.
//
// `sum` shares the port of `src`: reads and writes have channels of their own within it, the one word is written when all is
// read, and the HBM has no more than 32 ports to give.

#include "word.h"

namespace {

template <int BITS> void reduce(port<const word_of<BITS>> src, port<word_of<BITS>> sum, std::uint32_t words) {
    std::uint32_t lane[lanes32<BITS>] = {};
#pragma HLS array_partition variable = lane type = complete
    for (std::uint32_t i = 0; i < words; ++i) {
#pragma HLS loop_tripcount min = 1 max = 4194304
#pragma HLS pipeline II = 1
        const word_of<BITS> in = src[i];
        for (int l = 0; l < lanes32<BITS>; ++l) {
#pragma HLS unroll
            lane[l] += static_cast<std::uint32_t>(in.range(32 * l + 31, 32 * l).to_uint());
        }
    }
    word_of<BITS> out = 0;
    for (int l = 0; l < lanes32<BITS>; ++l) {
#pragma HLS unroll
        out.range(32 * l + 31, 32 * l) = lane[l];
    }
    sum[0] = out;
}

} // namespace

extern "C" {

void krnl_read(port<const word> src, port<word> sum, std::uint32_t words) {
#pragma HLS interface m_axi port = src offset = slave bundle = gmem0 max_read_burst_length = 64 num_read_outstanding = 16
#pragma HLS interface m_axi port = sum offset = slave bundle = gmem0
#pragma HLS interface s_axilite port = src
#pragma HLS interface s_axilite port = sum
#pragma HLS interface s_axilite port = words
#pragma HLS interface s_axilite port = return
    reduce<512>(src, sum, words);
}

void krnl_read_256(port<const word_of<256>> src, port<word_of<256>> sum, std::uint32_t words) {
#pragma HLS interface m_axi port = src offset = slave bundle = gmem0 max_read_burst_length = 64 num_read_outstanding = 32
#pragma HLS interface m_axi port = sum offset = slave bundle = gmem0
#pragma HLS interface s_axilite port = src
#pragma HLS interface s_axilite port = sum
#pragma HLS interface s_axilite port = words
#pragma HLS interface s_axilite port = return
    reduce<256>(src, sum, words);
}

} // extern "C"
