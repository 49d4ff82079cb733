// What the stand-in for ap_int.h has, held against the vendor's own: the same text is compiled with both.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

#include <ap_int.h>

static void expect(bool holds, const char *what) {
    if (!holds) {
        std::printf("wrong: %s\n", what);
        std::exit(1);
    }
}

// 64 bits at each of the eight places, none like another.
static ap_uint<512> pattern(std::uint64_t seed) {
    ap_uint<512> word = 0;
    for (int i = 0; i < 8; ++i) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        word.range(64 * i + 63, 64 * i) = seed;
    }
    return word;
}

static std::uint64_t part(const ap_uint<512> &word, int i) { return word.range(64 * i + 63, 64 * i).to_uint64(); }

static void wide() {
    const ap_uint<512> a = pattern(1);
    const ap_uint<512> b = pattern(2);
    for (int i = 0; i < 8; ++i) {
        const std::uint64_t x = part(a, i);
        const std::uint64_t y = part(b, i);
        ap_uint<512> both = a;
        both |= b;
        expect(part(a & b, i) == (x & y) && part(a | b, i) == (x | y) && part(a ^ b, i) == (x ^ y), "logic of words");
        const ap_uint<512> none = ~a;
        expect(part(none, i) == ~x && part(both, i) == (x | y), "logic of a word");
    }
    for (unsigned by : {0U, 1U, 63U, 64U, 65U, 200U, 511U}) {
        const ap_uint<512> up = a << by;
        const ap_uint<512> down = a >> by;
        for (unsigned bit = 0; bit < 512; ++bit) {
            const auto at = [](const ap_uint<512> &word, unsigned i) {
                return word.range(static_cast<int>(i), static_cast<int>(i)).to_uint();
            };
            expect(at(up, bit) == (bit < by ? 0U : at(a, bit - by)), "a word is shifted up");
            expect(at(down, bit) == (bit + by < 512 ? at(a, bit + by) : 0U), "a word is shifted down");
        }
    }
}

static void narrow() {
    ap_uint<12> n = 4090;
    n += 10;
    expect(n == 4, "12 bits wrap");
    n -= 5;
    expect(n == 4095, "both ways");
    n >>= 3;
    n *= 3;
    n ^= ap_uint<12>(1);
    n |= ap_uint<12>(0x800);
    n &= ap_uint<12>(0xff7);
    n %= 1000;
    n /= 7;
    n <<= 2;
    expect(n == ((((511 * 3 ^ 1) | 0x800) & 0xff7) % 1000 / 7 << 2), "an integer is updated");
    n = 4095;
    const ap_uint<12> before = n++;
    const ap_uint<12> after = n--;
    expect(before == 4095 && after == 0 && n == 4095, "and counted");
    ++n;
    expect(n == 0, "up");
    --n;
    expect(n == 4095, "and down");
}

int main() {
    wide();
    narrow();
    std::puts("right");
    return 0;
}
