// Integers of many widths against each other: what every operation gives, and how wide. The same text is compiled with the
// stand-in for ap_int.h and with the vendor's own, and must print the same; up to 128 bits the compiler's own integers check it.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>

#include <ap_int.h>

static void expect(bool holds, const char *what) {
    if (!holds) {
        std::printf("wrong: %s\n", what);
        std::exit(1);
    }
}

static std::uint64_t next() {
    static std::uint64_t state = 1;
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return state ^ state >> 29;
}

// All bits of a value, folded.
static std::uint64_t folded = 0;
static void fold(std::uint64_t bits) { folded = (folded ^ bits) * 1099511628211ULL; }
template <int W, bool S> static void fold_value(const ap_int_base<W, S> &value) {
    for (int low = 0; low < W; low += 64) {
        fold(value.range(low + 63 < W ? low + 63 : W - 1, low).to_uint64());
    }
}

// Few bits, many bits, the extremes.
template <class T> static T draw(int W, int at) {
    T value = 0;
    if (at % 8 == 0) {
        value = T(0) - 1;
    } else if (at % 8 == 1) {
        value[W - 1] = 1;
    } else if (at % 8 != 2) {
        const int bits = at % 8 == 3 ? W : 1 + static_cast<int>(next() % static_cast<unsigned>(W));
        for (int low = 0; low < bits; low += 64) {
            value.range(low + 63 < bits ? low + 63 : bits - 1, low) = next();
        }
    }
    return value;
}

__extension__ typedef __int128 exact;

// The value, where 128 bits hold it.
template <int W, bool S> static exact number(const ap_int_base<W, S> &of) {
    exact all = 0;
    for (int bit = W - 1; bit >= 0; --bit) {
        all = all * 2 + (of[bit] ? (S && bit == W - 1 ? -1 : 1) : 0);
    }
    return all;
}

#if __has_include(<derate/ap_operators.h>)
constexpr bool OURS = true;
#else
constexpr bool OURS = false;
#endif

// The vendor's own quotients and comparisons are wrong in C++ where one operand has a sign and the other has none.
template <class A, class B> static bool same_sign() { return (A(-1) < 0) == (B(-1) < 0); }

// Of one operation: the width and the sign of its result, and the results, folded.
template <class A, class B, class F> static void show(const char *name, int exact_up_to, bool divides, F f) {
    const bool comparable = !divides || same_sign<A, B>();
    folded = 0;
    for (int at = 0; at < 64; ++at) {
        const A a = draw<A>(A::width, at);
        const B b = draw<B>(B::width, at / 8);
        if ((divides && b == 0) || !(OURS || comparable)) {
            continue;
        }
        if (comparable) {
            fold_value(f(a, b));
        }
        if (exact_up_to < 126) {
            expect(number(f(a, b)) == f(number(a), number(b)), name);
        }
    }
    using R = decltype(f(A(), B()));
    std::printf(" %s %d%c %016llx", name, int(R::width), R(-1) < 0 ? 's' : 'u', static_cast<unsigned long long>(folded));
}

template <class A, class B> static void pair() {
    constexpr int WA = A::width;
    constexpr int WB = B::width;
    std::printf("%d %d:", WA, WB);
    constexpr int most = WA > WB ? WA : WB;
    show<A, B>("+", most, false, [](const auto &a, const auto &b) { return a + b; });
    show<A, B>("-", most, false, [](const auto &a, const auto &b) { return a - b; });
    show<A, B>("*", WA + WB, false, [](const auto &a, const auto &b) { return a * b; });
    show<A, B>("/", most, true, [](const auto &a, const auto &b) { return a / b; });
    show<A, B>("%", most, true, [](const auto &a, const auto &b) { return a % b; });
    show<A, B>("&", most, false, [](const auto &a, const auto &b) { return a & b; });
    show<A, B>("|", most, false, [](const auto &a, const auto &b) { return a | b; });
    show<A, B>("^", most, false, [](const auto &a, const auto &b) { return a ^ b; });
    folded = 0;
    for (int at = 0; at < 64; ++at) {
        const A a = draw<A>(WA, at);
        const B b = draw<B>(WB, at / 8);
        const bool comparable = same_sign<A, B>();
        const bool found[] = {a == b, a != b, a < b, a <= b, a > b, a >= b};
        if (WA < 126 && WB < 126 && (OURS || comparable)) {
            const exact x = number(a);
            const exact y = number(b);
            const bool wanted[] = {x == y, x != y, x < y, x <= y, x > y, x >= y};
            for (int i = 0; i < 6; ++i) {
                expect(found[i] == wanted[i], "a comparison is of the values");
            }
        }
        for (const bool one : found) {
            fold(comparable && one);
        }
        expect((a + b) * b == a * b + b * b && (a - b) * b == a * b - b * b, "products are distributive");
        expect(b == 0 || !(OURS || comparable) || a / b * b + a % b == a, "a quotient and its rest make the whole");
        const ap_uint<10> count = static_cast<unsigned>(at * 9);
        fold_value(a << count);
        fold_value(a >> count);
        fold_value(a << at);
        fold_value(a >> static_cast<unsigned>(at));
        A update = a;
        update += b;
        update -= 3;
        update *= b;
        update ^= A(0x5a);
        update |= A(b);
        update <<= 1;
        update >>= 2;
        ++update;
        fold_value(update);
        fold_value(-a);
        fold_value(~a);
        fold_value(B(a));
        fold_value(ap_int<96>(a));
        fold_value(ap_int_base<WA + WB, false>((a, b)));
        fold(static_cast<std::uint64_t>(a.to_int64()) + (a ? 1 : 0) + (!a ? 2 : 0) + a.sign() * 4);
        fold(a.or_reduce() + 2 * ap_uint<WA>(a).xor_reduce() + 4 * (a.and_reduce() != 0));
    }
    std::printf(" %016llx\n", static_cast<unsigned long long>(folded));
}

template <class A> static void with_all() {
    pair<A, ap_uint<8>>();
    pair<A, ap_int<64>>();
    pair<A, ap_uint<512>>();
}

// With the numbers of C++, on either side.
template <class A> using number_of = std::conditional_t<std::is_base_of<ap_int<A::width>, A>::value, int, unsigned>;
template <class A> static void with_numbers() {
    folded = 0;
    for (int at = 0; at < 64; ++at) {
        const A a = draw<A>(A::width, at);
        const number_of<A> n = static_cast<number_of<A>>(next()) | 1;
        fold_value(a + n);
        fold_value(n - a);
        fold_value(a * number_of<A>(3));
        fold_value(static_cast<unsigned char>(n) * a);
        fold_value(a / n);
        fold_value(a % n);
        fold_value(a & 0xffLL);
        fold_value(a - true);
        fold((a < n) + 2 * (n < a) + 4 * (a == n) + 8 * (a >= number_of<A>(0)) + 16 * (n != a));
        int sum = 0;
        sum += a.to_int();
        fold(static_cast<std::uint64_t>(sum));
        const ap_int<24> small = draw<ap_int<24>>(24, at);
        fold(static_cast<std::uint64_t>(static_cast<std::int64_t>(8.0F * small)));
        fold_value(A(small.to_double()));
        fold_value(A(1e15 * at));
    }
    std::printf("numbers %d: %016llx\n", int(A::width), static_cast<unsigned long long>(folded));
}

template <int W> static void places() {
    folded = 0;
    for (int at = 0; at < 64; ++at) {
        ap_uint<W> a = draw<ap_uint<W>>(W, at);
        const ap_uint<W> b = draw<ap_uint<W>>(W, at + 3);
        const int low = static_cast<int>(next() % W);
        const int high = low + static_cast<int>(next() % static_cast<unsigned>(W - low));
        ap_uint<W> mask = 0;
        for (int bit = low; bit <= high; ++bit) {
            mask[bit] = true;
        }
        ap_uint<W> c = a;
        c.range(high, low) = b;
        expect((c & ~mask) == (a & ~mask) && ((c & mask) >> low) == (b & (mask >> low)), "a range takes the lower bits");
        expect(c.range(high, low) == (b & (mask >> low)) && c(high, low).length() == high - low + 1, "and gives them back");
        c(high, low) = a(high, low);
        expect(c == a, "a range is copied from another");
        a[low] = !a[low];
        expect(a[low] != c[low] && (a ^ c) == (ap_uint<W>(1) << low), "a single bit is turned");
        a.range(high, low) = a.range(high, low) | b.range(high, low);
        fold_value(a);
        expect(!OURS || a.range(high, low).or_reduce() == (a.range(high, low) != 0), "bits of a range are reduced");
        fold_value(ap_int<W + 3>(a.range(high, low) - 5));
        fold_value(ap_uint<W>(a.range(high, low) * 3 + b.range(high, low)));
        ap_uint<W> x = 0;
        ap_uint<5> y = 0;
        (x, y) = (b, ap_uint<5>(at));
        expect(x == b && y == at % 32, "values beside each other are read and written");
        fold_value(ap_uint<W + 6>((a, y, b[0])));
        fold_value(ap_uint<2 * W>((a.range(high, low), b.range(high, low))));
    }
    std::printf("places %d: %016llx\n", W, static_cast<unsigned long long>(folded));
}

int main() {
    with_all<ap_int<7>>();
    with_all<ap_uint<64>>();
    with_all<ap_int<100>>();
    with_all<ap_uint<512>>();
    pair<ap_uint<1>, ap_uint<1>>();
    with_numbers<ap_uint<8>>();
    with_numbers<ap_int<64>>();
    with_numbers<ap_uint<64>>();
    with_numbers<ap_int<100>>();
    with_numbers<ap_uint<512>>();
    places<30>();
    places<64>();
    places<512>();
    std::puts("right");
    return 0;
}
