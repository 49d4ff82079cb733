// C = A x B. A is m x k, B is k x n, C is m x n. Matrices lie in panels: the columns of A in panels of TILE_K, those of B and
// of C in panels of TILE_N, one panel after another, each row-major with its rows padded to whole 512-bit words. So every tile
// is a run of consecutive words, and its transfer one loop of known form that bursts: a tile of a row-major matrix would be a
// short burst for each row, each with the memory's latency. A matrix of a single panel is row-major. What the padding of A
// and B holds does not matter, that of C becomes 0.
//
// A tile of TILE_M x TILE_N sums stays on chip while k runs. Each cycle multiplies DEPTH elements of one row of A with LANES
// columns of B: 64 multiply-adds. The same sum comes again only after TILE_M x TILE_N / LANES = 256 cycles, which hides any
// adder's latency: that is how a floating-point accumulation reaches an initiation interval of 1. Nested loops have constant
// bounds but for the outermost, so that HLS makes one of them. Tiles are loaded before they are multiplied, not meanwhile: a
// full step is 2,048 words or fewer beside 16,384 cycles of multiplying, and second buffers would double the memory for it.
//
// On a card a product is rounded before it is added; a processor may do both at once. The last bits differ, the bound on the
// error, k roundings of the sum of magnitudes, holds for either.
//
// From external memory A is read ceil(n / TILE_N) times and B ceil(m / TILE_M) times, C is written once.
#pragma once

#include "element.h"

constexpr int TILE_M = 64;
constexpr int TILE_N = 64;
constexpr int TILE_K = 256;
constexpr int LANES = 16;
constexpr int DEPTH = 4;

static_assert(TILE_K % lanes<std::int8_t> == 0 && TILE_N % lanes<std::int8_t> == 0, "tiles are whole words");
static_assert(TILE_M * TILE_N / LANES == 256, "the distance of the dependence in `multiply`");

inline std::uint32_t least(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

template <class In, class Sum, class Out> class gemm {
    static constexpr int LANES_IN = lanes<In>;
    static constexpr int LANES_OUT = lanes<Out>;
    // Steps of multiplying that a word of A has, and groups of LANES in a word of B and of C: a group is written or read in a
    // cycle, so that no memory needs a second port.
    static constexpr int STEPS = LANES_IN / DEPTH;
    static constexpr int GROUPS = LANES_IN / LANES;
    static constexpr int GROUPS_OUT = LANES_OUT / LANES;
    // Words of a row of a full tile of A.
    static constexpr int WORDS = TILE_K / LANES_IN;

    // On chip. Each dimension is either spread over memories of its own or counted within them.
    using rows_of_a = In[TILE_M][WORDS][STEPS][DEPTH];
    using rows_of_b = In[TILE_K / DEPTH][DEPTH][TILE_N / LANES][LANES];
    using rows_of_c = Sum[TILE_M][TILE_N / LANES][LANES];

  public:
    static void run(port<const word> a, port<const word> b, port<word> c, std::uint32_t m, std::uint32_t n, std::uint32_t k) {
        In rows[TILE_M][WORDS][STEPS][DEPTH];
        In columns[TILE_K / DEPTH][DEPTH][TILE_N / LANES][LANES];
        Sum sums[TILE_M][TILE_N / LANES][LANES];
#pragma HLS array_partition variable = rows type = complete dim = 3
#pragma HLS array_partition variable = rows type = complete dim = 4
#pragma HLS array_partition variable = columns type = complete dim = 2
#pragma HLS array_partition variable = columns type = complete dim = 4
#pragma HLS array_partition variable = sums type = complete dim = 3
        define(rows);
        define(columns);
        for (std::uint32_t row = 0; row < m; row += TILE_M) {
#pragma HLS loop_tripcount min = 1 max = 1024 avg = 16
            const std::uint32_t high = least(TILE_M, m - row);
            for (std::uint32_t column = 0; column < n; column += TILE_N) {
#pragma HLS loop_tripcount min = 1 max = 1024 avg = 16
                clear(sums);
                for (std::uint32_t from = 0; from < k; from += TILE_K) {
#pragma HLS loop_tripcount min = 1 max = 256 avg = 4
                    const std::uint32_t deep = least(TILE_K, k - from);
                    load_rows(a, rows, m, row, high, from, deep);
                    load_columns(b, columns, k, column, least(TILE_N, n - column), from, deep);
                    multiply(rows, columns, sums, deep);
                }
                store(c, sums, m, row, high, column, least(TILE_N, n - column));
            }
        }
    }

  private:
    static void clear(rows_of_c &sums) {
        for (int i = 0; i < TILE_M; ++i) {
            for (int g = 0; g < TILE_N / LANES; ++g) {
#pragma HLS pipeline II = 1
                for (int l = 0; l < LANES; ++l) {
#pragma HLS unroll
                    sums[i][g][l] = 0;
                }
            }
        }
    }

    // Rows past the last keep what they hold: their sums are not stored. Elements past k become 0, up to whole words.
    static void load_rows(port<const word> a, rows_of_a &rows, std::uint32_t m, std::uint32_t row, std::uint32_t high,
                          std::uint32_t from, std::uint32_t deep) {
        const std::uint32_t wide = row_words<In>(deep);
        const std::uint64_t first = std::uint64_t(m) * (from / LANES_IN) + std::uint64_t(row) * wide;
        std::uint32_t i = 0;
        std::uint32_t w = 0;
        for (std::uint32_t t = 0; t < high * wide; ++t) {
#pragma HLS loop_tripcount min = 1 max = 1024
#pragma HLS pipeline II = 1
            const word in = a[first + t];
            for (int s = 0; s < STEPS; ++s) {
#pragma HLS unroll
                for (int d = 0; d < DEPTH; ++d) {
#pragma HLS unroll
                    const int l = s * DEPTH + d;
                    const bool inside = w * LANES_IN + static_cast<std::uint32_t>(l) < deep;
                    const In value = lane<In>(in, l);
                    rows[i][w][s][d] = inside ? value : In{};
                }
            }
            w = w + 1 == wide ? 0 : w + 1;
            i = w == 0 ? i + 1 : i;
        }
    }

    // Columns past n hold padding or what they held: their sums are not stored. Rows past k, up to a whole step, become 0.
    static void load_columns(port<const word> b, rows_of_b &columns, std::uint32_t k, std::uint32_t column,
                             std::uint32_t across, std::uint32_t from, std::uint32_t deep) {
        for (int g = 0; g < TILE_N / LANES; ++g) {
#pragma HLS pipeline II = 1
            for (int d = 0; d < DEPTH; ++d) {
#pragma HLS unroll
                for (int l = 0; l < LANES; ++l) {
#pragma HLS unroll
                    columns[(deep - 1) / DEPTH][d][g][l] = In{};
                }
            }
        }
        const std::uint32_t wide = row_words<In>(across);
        const std::uint64_t first = std::uint64_t(k) * (column / LANES_IN) + std::uint64_t(from) * wide;
        std::uint32_t i = 0;
        std::uint32_t w = 0;
        for (std::uint32_t t = 0; t < deep * wide; ++t) {
#pragma HLS loop_tripcount min = 1 max = 1024
#pragma HLS pipeline II = GROUPS
            const word in = b[first + t];
            for (int g = 0; g < GROUPS; ++g) {
#pragma HLS unroll
                for (int l = 0; l < LANES; ++l) {
#pragma HLS unroll
                    columns[i / DEPTH][i % DEPTH][w * GROUPS + static_cast<std::uint32_t>(g)][l] = lane<In>(in, g * LANES + l);
                }
            }
            w = w + 1 == wide ? 0 : w + 1;
            i = w == 0 ? i + 1 : i;
        }
    }

    static void multiply(const rows_of_a &rows, const rows_of_b &columns, rows_of_c &sums, std::uint32_t deep) {
        for (std::uint32_t step = 0; step < (deep + DEPTH - 1) / DEPTH; ++step) {
#pragma HLS loop_tripcount min = 1 max = 64
            for (int i = 0; i < TILE_M; ++i) {
                for (int g = 0; g < TILE_N / LANES; ++g) {
#pragma HLS pipeline II = 1
#pragma HLS dependence variable = sums type = inter direction = RAW distance = 256 dependent = true
                    for (int l = 0; l < LANES; ++l) {
#pragma HLS unroll
                        Sum sum = sums[i][g][l];
                        for (int d = 0; d < DEPTH; ++d) {
#pragma HLS unroll
                            sum += operand(rows[i][step / STEPS][step % STEPS][d]) * operand(columns[step][d][g][l]);
                        }
                        sums[i][g][l] = sum;
                    }
                }
            }
        }
    }

    static void store(port<word> c, const rows_of_c &sums, std::uint32_t m, std::uint32_t row, std::uint32_t high,
                      std::uint32_t column, std::uint32_t across) {
        const std::uint32_t wide = row_words<Out>(across);
        const std::uint64_t first = std::uint64_t(m) * (column / LANES_OUT) + std::uint64_t(row) * wide;
        std::uint32_t i = 0;
        std::uint32_t w = 0;
        for (std::uint32_t t = 0; t < high * wide; ++t) {
#pragma HLS loop_tripcount min = 1 max = 256
#pragma HLS pipeline II = GROUPS_OUT
            word out = 0;
            for (int g = 0; g < GROUPS_OUT; ++g) {
#pragma HLS unroll
                for (int l = 0; l < LANES; ++l) {
#pragma HLS unroll
                    const std::uint32_t at = w * LANES_OUT + static_cast<std::uint32_t>(g * LANES + l);
                    Out value{};
                    if (at < across) {
                        narrow(sums[i][w * GROUPS_OUT + static_cast<std::uint32_t>(g)][l], value);
                    }
                    set_lane(out, g * LANES + l, value);
                }
            }
            c[first + t] = out;
            w = w + 1 == wide ? 0 : w + 1;
            i = w == 0 ? i + 1 : i;
        }
    }
};
