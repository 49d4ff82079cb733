// Runs every kernel on sizes that divide its tile and on sizes that do not, and holds the results against plain loops. The
// same text is compiled with derate's headers (checked ports) and with the vendor's (plain pointers).

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <list>
#include <vector>

#include "../../kernels/gemm_bf16.cpp"
#include "../../kernels/gemm_f32.cpp"
#include "../../kernels/gemm_i8.cpp"
#include "../../kernels/memcpy.cpp"
#include "../../kernels/read.cpp"
#include "../../kernels/write.cpp"

static void expect(bool holds, const char *what, unsigned m = 0, unsigned n = 0, unsigned k = 0) {
    if (!holds) {
        std::printf("wrong: %s, %u x %u x %u\n", what, m, n, k);
        std::exit(1);
    }
}

#if __has_include(<derate/port.h>)
template <class T> static port<T> give(std::vector<std::remove_const_t<T>> &memory) {
    static std::list<derate::window> windows;
    auto *bytes = reinterpret_cast<unsigned char *>(memory.data());
    windows.push_back({bytes, 0x10000000, memory.size() * sizeof(T), 0, 0, 0, {}});
    return port<T>(windows.back(), 0, 0x10000000);
}
#else
template <class T> static port<T> give(std::vector<std::remove_const_t<T>> &memory) { return memory.data(); }
#endif

// Numbers that look random and are the same everywhere.
static std::uint32_t next() {
    static std::uint32_t state = 1;
    state = state * 1664525U + 1013904223U;
    return state >> 8;
}

template <class T> static T number();
template <> float number<float>() { return (static_cast<float>(next() % 4096) - 2048.0F) / 1000.0F; }
template <> bfloat16 number<bfloat16>() {
    bfloat16 value;
    narrow(number<float>(), value);
    return value;
}
template <> std::int8_t number<std::int8_t>() { return static_cast<std::int8_t>(static_cast<int>(next() % 256) - 128); }

// Padding that would show if it counted.
template <class T> static T poison();
template <> float poison<float>() { return std::numeric_limits<float>::quiet_NaN(); }
template <> bfloat16 poison<bfloat16>() { return bfloat16{0x7fc0}; }
template <> std::int8_t poison<std::int8_t>() { return 77; }

// In panels of columns, as the kernels have it.
template <class T> struct matrix {
    unsigned rows, columns, panel;
    std::vector<T> values;
    std::vector<word> words;
    matrix(unsigned high, unsigned wide, unsigned columns_of_a_panel)
        : rows(high), columns(wide), panel(columns_of_a_panel), values(std::size_t(high) * wide),
          words(std::size_t(high) * row_words<T>(wide)) {}
    void draw() {
        for (unsigned i = 0; i < rows; ++i) {
            for (unsigned j = 0; j < row_words<T>(columns) * lanes<T>; ++j) {
                const T value = j < columns ? number<T>() : poison<T>();
                if (j < columns) {
                    values[std::size_t(i) * columns + j] = value;
                }
                set_lane(at(i, j), static_cast<int>(j) % lanes<T>, value);
            }
        }
    }
    word &at(unsigned i, unsigned j) {
        const unsigned before = j / panel * panel;
        const unsigned wide = row_words<T>(least(panel, columns - before));
        return words[std::size_t(rows) * row_words<T>(before) + std::size_t(i) * wide + (j - before) / lanes<T>];
    }
};

// Unit roundoffs: a float has 24 significant bits, a bfloat16 8.
static const double FLOAT = std::ldexp(1.0, -24);
static const double BFLOAT = std::ldexp(1.0, -8);

// k products and k additions in float err by at most k u / (1 - k u) of the sum of magnitudes; a result that is stored in
// bfloat16 errs by its own roundoff beside.
static void close(float got, double exact, double magnitude, unsigned k, const char *what, unsigned m, unsigned n) {
    const double allowed = k * FLOAT / (1 - k * FLOAT) * magnitude;
    expect(std::fabs(got - exact) <= allowed, what, m, n, k);
}
static void close(bfloat16 got, double exact, double magnitude, unsigned k, const char *what, unsigned m, unsigned n) {
    const double sum = k * FLOAT / (1 - k * FLOAT) * magnitude;
    expect(std::fabs(operand(got) - exact) <= sum + BFLOAT * (std::fabs(exact) + sum), what, m, n, k);
}
static void close(std::int32_t got, double exact, double, unsigned k, const char *what, unsigned m, unsigned n) {
    expect(static_cast<double>(got) == exact, what, m, n, k);
}

static void decode(std::uint32_t bits, std::int32_t &to) { to = static_cast<std::int32_t>(bits); }

template <class In, class Out, class F> static void product(F kernel, const char *what, unsigned m, unsigned n, unsigned k) {
    matrix<In> a(m, k, TILE_K);
    matrix<In> b(k, n, TILE_N);
    matrix<Out> c(m, n, TILE_N);
    a.draw();
    b.draw();
    kernel(give<const word>(a.words), give<const word>(b.words), give<word>(c.words), m, n, k);
    for (unsigned i = 0; i < m; ++i) {
        for (unsigned j = 0; j < row_words<Out>(n) * lanes<Out>; ++j) {
            const int l = static_cast<int>(j) % lanes<Out>;
            constexpr int bits = 8 * static_cast<int>(sizeof(Out));
            Out got;
            decode(static_cast<std::uint32_t>(c.at(i, j).range(bits * l + bits - 1, bits * l).to_uint()), got);
            if (j >= n) {
                expect(encode(got) == 0, "padding of C", m, n, k);
                continue;
            }
            double exact = 0;
            double magnitude = 0;
            for (unsigned d = 0; d < k; ++d) {
                const double term = static_cast<double>(operand(a.values[std::size_t(i) * k + d])) *
                                    static_cast<double>(operand(b.values[std::size_t(d) * n + j]));
                exact += term;
                magnitude += std::fabs(term);
            }
            close(got, exact, magnitude, k, what, m, n);
        }
    }
}

template <int BITS, class Copy, class Read, class Write>
static void stream(Copy copy, Read read, Write write, std::uint32_t words) {
    std::vector<word_of<BITS>> from(words + 1);
    std::vector<word_of<BITS>> to(words + 1);
    from[words] = 1;
    write(give<word_of<BITS>>(from), words, 5U);
    expect(from[words] == word_of<BITS>(1), "write goes no further", words);
    copy(give<const word_of<BITS>>(from), give<word_of<BITS>>(to), words);
    std::uint32_t sums[lanes32<BITS>] = {};
    for (std::uint32_t i = 0; i < words; ++i) {
        for (int l = 0; l < lanes32<BITS>; ++l) {
            const std::uint32_t wanted = 5U + lanes32<BITS> * i + static_cast<std::uint32_t>(l);
            expect(to[i].range(32 * l + 31, 32 * l).to_uint() == wanted, "write and copy", words);
            sums[l] += wanted;
        }
    }
    std::vector<word_of<BITS>> sum(1);
    read(give<const word_of<BITS>>(to), give<word_of<BITS>>(sum), words);
    for (int l = 0; l < lanes32<BITS>; ++l) {
        expect(sum[0].range(32 * l + 31, 32 * l).to_uint() == sums[l], "read", words);
    }
}

// Ties go to even, an infinity and what is not a number stay such.
static void rounding() {
    const struct {
        std::uint32_t from, to;
    } cases[] = {{0x3f808000, 0x3f80}, {0x3f818000, 0x3f82}, {0x3f808001, 0x3f81}, {0x7f800000, 0x7f80},
                 {0x7f7fffff, 0x7f80}, {0xff800000, 0xff80}, {0x7f800001, 0x7fc0}, {0x80000000, 0x8000}};
    for (const auto &one : cases) {
        bfloat16 got;
        narrow(float_of(one.from), got);
        expect(got.bits == one.to, "rounding to bfloat16", one.from);
    }
}

int main() {
    rounding();
    for (const std::uint32_t words : {0U, 1U, 63U, 1000U}) {
        stream<512>(krnl_memcpy, krnl_read, krnl_write, words);
        stream<256>(krnl_memcpy_256, krnl_read_256, krnl_write_256, words);
    }
    const unsigned sizes[][3] = {{64, 64, 256}, {1, 1, 1},    {65, 63, 257}, {3, 130, 5},
                                 {128, 17, 64}, {50, 96, 33}, {70, 70, 0},   {127, 65, 511}};
    for (const auto &s : sizes) {
        product<float, float>(krnl_gemm_f32, "FP32", s[0], s[1], s[2]);
        product<bfloat16, bfloat16>(krnl_gemm_bf16, "bfloat16", s[0], s[1], s[2]);
        product<std::int8_t, std::int32_t>(krnl_gemm_i8, "INT8", s[0], s[1], s[2]);
    }
    std::puts("right");
    return 0;
}
