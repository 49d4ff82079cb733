// Ports as kernels that exist use them: words, lanes and structs through pointers that may write, and what they are given to.
// The same text is compiled with derate's ports and headers, and with plain pointers and the vendor's.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <type_traits>
#include <vector>

#include <ap_int.h>

#include "../../kernels/port.h"

static void expect(bool holds, const char *what) {
    if (!holds) {
        std::printf("wrong: %s\n", what);
        std::exit(1);
    }
}

#if __has_include(<derate/port.h>)
#include <hls_math.h>
#include <hls_stream.h>
#include <hls_vector.h>
static std::list<derate::window> windows;
template <class T> static port<T> give(std::vector<std::remove_const_t<T>> &memory) {
    auto *bytes = reinterpret_cast<unsigned char *>(memory.data());
    windows.push_back({bytes, 0x10000000, memory.size() * sizeof(T), 0, 0, 0, {}});
    return port<T>(windows.back(), 0, 0x10000000);
}
static bool counted(std::uint64_t read, std::uint64_t written) {
    return windows.back().read == read && windows.back().written == written;
}
#else
template <class T> static port<T> give(std::vector<std::remove_const_t<T>> &memory) { return memory.data(); }
static bool counted(std::uint64_t, std::uint64_t) { return true; }
#endif

using word = ap_uint<512>;

static word sum_of(port<const word> from, int count) {
    word sum = 0;
    for (int i = 0; i < count; ++i) {
        sum += from[i];
    }
    return sum;
}

static void words() {
    std::vector<word> memory(4);
    {
        port<word> p = give<word>(memory);
        p[0] = 5;
        p[1] = p[0] + 7;
        p[1] += p[0];
        p[2] = (p[1] << 500) | p[0];
        p[2] -= p[1] * p[0];
        p[3] = -p[0];
        expect(p[0] == 5 && p[1] == 17 && p[1] > p[0] && p[0] != p[1], "words are compared in their places");
        expect(!(p[0] < 5) && 5 <= p[0], "and with numbers");
        const ap_uint<32> low = p[1];
        const unsigned number = p[1];
        expect(low == 17 && number == 17 && p[1].to_uint() == 17, "words become numbers");
        expect(p[1][4] && !p[1][3], "a bit is read in its place");
        p[0].range(103, 96) = p[1].range(7, 0) - 20;
        expect(p[0].range(103, 96) == 0xfd && p[0](103, 96).to_int() == 0xfd, "a range is written in its place");
        const ap_int<10> difference = p[1].range(4, 0) - 20;
        expect(difference == -3, "a range has no sign, a difference of it has one");
        expect(sum_of(p, 2) == p[0] + p[1], "a pointer that may write is given to who reads");
        const int table[18] = {};
        expect(table[p[1].to_int()] == 0 && p[3] % 1000 == (~word(0) - 4) % 1000, "as an index, and as a number");
    }
    std::vector<ap_int<24>> small(3);
    {
        port<ap_int<24>> p = give<ap_int<24>>(small);
        p[0] = -3;
        p[1] = 4;
        p[2] = p[0] * p[1];
        const float scaled = p[2] * 0.5F;
        const int plain = p[2];
        expect(scaled == -6.0F && plain == -12 && p[0] < p[1], "narrow integers keep their sign");
    }
    expect(counted(4 * 6, 4 * 3), "each access is counted once");
}

template <class P> static float first_of(P from) { return from[0]; }

static void pointers() {
    std::vector<float> memory(16, 1.0F);
    {
        port<float> p = give<float>(memory);
        float local[8] = {2, 3, 4, 5, 6, 7, 8, 9};
        memcpy(&p[4], local, sizeof local);
        memcpy(local, p + 2, 4 * sizeof(float));
        expect(local[1] == 1.0F && local[2] == 2.0F && first_of(p + 4) == 2.0F, "bursts and pointers into the middle");
        port<float> q = &p[5];
        *q = 8.0F;
        q -= 1;
        *q++ += 0.5F;
        expect(p[4] == 2.5F && q[0] == 8.0F, "a pointer walks");
    }
    expect(counted(16 + 4 + 4 + 8, 32 + 8), "as many bytes as are moved");
}

#if __has_include(<derate/port.h>)
static void lanes() {
    using lanes4 = hls::vector<float, 4>;
    static_assert(sizeof(lanes4) == 16 && alignof(lanes4) == 16, "a vector lies as its lanes do");
    static_assert(sizeof(hls::vector<float, 3>) == 12 && alignof(hls::vector<float, 3>) == 4, "whatever their number");
    const lanes4 a = {1, 2, 3, 4};
    const lanes4 b = 2.0F;
    expect((a + b)[3] == 6 && (a * 2.0F)[2] == 6 && (a - b)[0] == -1 && (a / b)[1] == 1, "lanes are worked on side by side");
    expect(a.reduce_add() == 10 && a.reduce_mult() == 24, "and added up");
    expect(a < b && a != b && a == a && !(a >= b), "the first lane that differs decides");
    expect((hls::vector<int, 2>{5, 6} % hls::vector<int, 2>(4))[1] == 2, "integers have a remainder");
    std::vector<lanes4> memory(2);
    {
        port<lanes4> p = give<lanes4>(memory);
        p[0] = a;
        p[1] = p[0] + b;
        p[1] += 1.0F;
        p[1] *= p[0];
        expect(p[1][3] == 28.0F && p[1] == (a + b + 1.0F) * a, "in their places, too");
    }
    expect(counted(16 * 6, 16 * 4), "vectors are counted whole");
    expect(hls::sqrt(2.25F) == 1.5F && hls::exp(0.0F) == 1.0F && hls::max(1, 2) == 2 && hls::rsqrt(4.0F) == 0.5F, "math");
    hls::stream<word> stream("words");
    stream << word(3);
    word out = 0;
    expect(stream.size() == 1 && stream.read_nb(out) && out == 3 && !stream.read_nb(out) && !stream.full(), "streams");
}
#else
static void lanes() {}
#endif

int main() {
    words();
    pointers();
    lanes();
    std::puts("right");
    return 0;
}
