// C = A x B, row-major, each row padded to whole 512-bit words; what the padding of A and B holds does not matter, that of
// C becomes 0. A is m x k, B is k x n, C is m x n.
//
// A tile of TILE_M x TILE_N sums stays on chip while k runs. Each cycle multiplies DEPTH elements of one row of A with LANES
// columns of B: 64 multiply-adds. The same sum comes again only after TILE_M x TILE_N / LANES = 256 cycles, which hides any
// adder's latency: that is how a floating-point accumulation reaches an initiation interval of 1.
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

inline std::uint32_t least(std::uint32_t a, std::uint32_t b) { return a < b ? a : b; }

template <class In, class Sum, class Out> class gemm {
  public:
    static void run(port<const word> a, port<const word> b, port<word> c, std::uint32_t m, std::uint32_t n, std::uint32_t k) {
        In rows[TILE_M][TILE_K] = {};
        In columns[TILE_K][TILE_N] = {};
        Sum sums[TILE_M][TILE_N];
#pragma HLS array_partition variable = rows cyclic factor = lanes<In> dim = 2
#pragma HLS array_partition variable = columns cyclic factor = DEPTH dim = 1
#pragma HLS array_partition variable = columns cyclic factor = lanes<In> dim = 2
#pragma HLS array_partition variable = sums cyclic factor = lanes<Out> dim = 2
        for (std::uint32_t row = 0; row < m; row += TILE_M) {
            for (std::uint32_t column = 0; column < n; column += TILE_N) {
                clear(sums);
                for (std::uint32_t from = 0; from < k; from += TILE_K) {
                    const std::uint32_t deep = least(TILE_K, k - from);
                    load_rows(a, rows, row, least(TILE_M, m - row), from, deep, k);
                    load_columns(b, columns, column, n, from, deep);
                    multiply(rows, columns, sums, deep);
                }
                store(c, sums, row, least(TILE_M, m - row), column, n);
            }
        }
    }

  private:
    static void clear(Sum (&sums)[TILE_M][TILE_N]) {
        for (int i = 0; i < TILE_M; ++i) {
            for (int j = 0; j < TILE_N; j += LANES) {
#pragma HLS pipeline II = 1
                for (int l = 0; l < LANES; ++l) {
#pragma HLS unroll
                    sums[i][j + l] = 0;
                }
            }
        }
    }

    // Rows past the last keep what they hold: their sums are not stored. Elements past k, up to whole steps, become 0.
    static void load_rows(port<const word> a, In (&rows)[TILE_M][TILE_K], std::uint32_t row, std::uint32_t high,
                          std::uint32_t from, std::uint32_t deep, std::uint32_t k) {
        const std::uint32_t stride = row_words<In>(k);
        for (std::uint32_t i = 0; i < high; ++i) {
            for (std::uint32_t w = 0; w < row_words<In>(deep); ++w) {
#pragma HLS pipeline II = 1
                const word in = a[std::uint64_t(row + i) * stride + from / lanes<In> + w];
                const int at = static_cast<int>(w) * lanes<In>;
                for (int l = 0; l < lanes<In>; ++l) {
#pragma HLS unroll
                    rows[i][at + l] = lane<In>(in, l);
                }
            }
        }
        for (std::uint32_t at = deep; at % DEPTH != 0; ++at) {
            for (int i = 0; i < TILE_M; ++i) {
#pragma HLS pipeline II = 1
                rows[i][at] = In{};
            }
        }
    }

    // Columns past n keep what they hold: their sums are not stored. Rows past k, up to whole steps, become 0.
    static void load_columns(port<const word> b, In (&columns)[TILE_K][TILE_N], std::uint32_t column, std::uint32_t n,
                             std::uint32_t from, std::uint32_t deep) {
        const std::uint32_t stride = row_words<In>(n);
        const std::uint32_t first = column / lanes<In>;
        const std::uint32_t wide = least(TILE_N / lanes<In>, stride - first);
        for (std::uint32_t i = 0; i < deep; ++i) {
            for (std::uint32_t w = 0; w < wide; ++w) {
#pragma HLS pipeline II = 1
                const word in = b[std::uint64_t(from + i) * stride + first + w];
                const int at = static_cast<int>(w) * lanes<In>;
                for (int l = 0; l < lanes<In>; ++l) {
#pragma HLS unroll
                    columns[i][at + l] = lane<In>(in, l);
                }
            }
        }
        for (std::uint32_t i = deep; i % DEPTH != 0; ++i) {
            for (int j = 0; j < TILE_N; ++j) {
#pragma HLS unroll
                columns[i][j] = In{};
            }
        }
    }

    static void multiply(const In (&rows)[TILE_M][TILE_K], const In (&columns)[TILE_K][TILE_N], Sum (&sums)[TILE_M][TILE_N],
                         std::uint32_t deep) {
        for (int k = 0; k < static_cast<int>(deep); k += DEPTH) {
            for (int i = 0; i < TILE_M; ++i) {
                for (int j = 0; j < TILE_N; j += LANES) {
#pragma HLS pipeline II = 1
#pragma HLS dependence variable = sums type = inter direction = RAW distance = 256 dependent = true
                    for (int l = 0; l < LANES; ++l) {
#pragma HLS unroll
                        Sum sum = sums[i][j + l];
                        for (int d = 0; d < DEPTH; ++d) {
#pragma HLS unroll
                            sum += operand(rows[i][k + d]) * operand(columns[k + d][j + l]);
                        }
                        sums[i][j + l] = sum;
                    }
                }
            }
        }
    }

    static void store(port<word> c, const Sum (&sums)[TILE_M][TILE_N], std::uint32_t row, std::uint32_t high,
                      std::uint32_t column, std::uint32_t n) {
        const std::uint32_t stride = row_words<Out>(n);
        const std::uint32_t first = column / lanes<Out>;
        const std::uint32_t wide = least(TILE_N / lanes<Out>, stride - first);
        for (std::uint32_t i = 0; i < high; ++i) {
            for (std::uint32_t w = 0; w < wide; ++w) {
#pragma HLS pipeline II = 1
                word out = 0;
                for (int l = 0; l < lanes<Out>; ++l) {
#pragma HLS unroll
                    const std::uint32_t at = w * lanes<Out> + static_cast<std::uint32_t>(l);
                    Out value{};
                    if (column + at < n) {
                        narrow(sums[i][at], value);
                    }
                    set_lane(out, l, value);
                }
                c[std::uint64_t(row + i) * stride + first + w] = out;
            }
        }
    }
};
