// Each transfer of a tile is one run of consecutive words, whatever the sizes: what the model of the kernel's cycles assumes.

#include <cstdio>
#include <vector>

#include "../../kernels/gemm_bf16.cpp"
#include "../../kernels/gemm_f32.cpp"
#include "../../kernels/gemm_i8.cpp"

static std::uint64_t tiles(std::uint32_t extent, int tile) {
    return (extent + static_cast<std::uint32_t>(tile) - 1) / static_cast<std::uint32_t>(tile);
}

template <class In, class Out, class F> static bool one(F kernel, std::uint32_t m, std::uint32_t n, std::uint32_t k) {
    std::vector<word> a(std::size_t(m) * row_words<In>(k), word(0));
    std::vector<word> b(std::size_t(k) * row_words<In>(n), word(0));
    std::vector<word> c(std::size_t(m) * row_words<Out>(n), word(0));
    derate::runs in_a, in_b, in_c;
    kernel({a.data(), &in_a}, {b.data(), &in_b}, {c.data(), &in_c}, m, n, k);
    const std::uint64_t products = tiles(m, TILE_M) * tiles(n, TILE_N) * tiles(k, TILE_K);
    const bool moved = in_a.elements == a.size() * tiles(n, TILE_N) && in_b.elements == b.size() * tiles(m, TILE_M) &&
                       in_c.elements == c.size();
    const bool good =
        moved && in_a.count <= products && in_b.count <= products && in_c.count <= tiles(m, TILE_M) * tiles(n, TILE_N);
    if (!good) {
        std::printf("wrong: %u x %u x %u: %d runs in A, %d in B, %d in C for %d steps\n", m, n, k, int(in_a.count),
                    int(in_b.count), int(in_c.count), int(products));
    }
    return good;
}

int main() {
    const std::uint32_t sizes[][3] = {{64, 64, 256}, {1, 1, 1}, {130, 200, 520}, {65, 63, 257}, {50, 96, 33}};
    for (const auto &s : sizes) {
        if (!one<float, float>(krnl_gemm_f32, s[0], s[1], s[2]) || !one<bfloat16, bfloat16>(krnl_gemm_bf16, s[0], s[1], s[2]) ||
            !one<std::int8_t, std::int32_t>(krnl_gemm_i8, s[0], s[1], s[2])) {
            return 1;
        }
    }
    std::puts("right");
    return 0;
}
