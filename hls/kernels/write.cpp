// Writes `dst` once in sequence. Lane l of word i becomes seed + lanes x i + l, modulo 2^32: every lane differs, so that a
// word that is missing or in the wrong place shows.

#include "word.h"

namespace {

template <int BITS> void fill(port<word_of<BITS>> dst, std::uint32_t words, std::uint32_t seed) {
    for (std::uint32_t i = 0; i < words; ++i) {
#pragma HLS loop_tripcount min = 1 max = 4194304
#pragma HLS pipeline II = 1
        word_of<BITS> out = 0;
        for (int l = 0; l < lanes32<BITS>; ++l) {
#pragma HLS unroll
            out.range(32 * l + 31, 32 * l) = seed + lanes32<BITS> * i + static_cast<std::uint32_t>(l);
        }
        dst[i] = out;
    }
}

} // namespace

extern "C" {

void krnl_write(port<word> dst, std::uint32_t words, std::uint32_t seed) {
#pragma HLS interface m_axi port = dst offset = slave bundle = gmem0 max_write_burst_length = 64 num_write_outstanding = 16
#pragma HLS interface s_axilite port = dst
#pragma HLS interface s_axilite port = words
#pragma HLS interface s_axilite port = seed
#pragma HLS interface s_axilite port = return
    fill<512>(dst, words, seed);
}

void krnl_write_256(port<word_of<256>> dst, std::uint32_t words, std::uint32_t seed) {
#pragma HLS interface m_axi port = dst offset = slave bundle = gmem0 max_write_burst_length = 64 num_write_outstanding = 32
#pragma HLS interface s_axilite port = dst
#pragma HLS interface s_axilite port = words
#pragma HLS interface s_axilite port = seed
#pragma HLS interface s_axilite port = return
    fill<256>(dst, words, seed);
}

} // extern "C"
