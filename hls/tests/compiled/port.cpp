// The port that stands for a pointer: what it moves, counts, and refuses.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <ap_int.h>
#include <derate/port.h>

using derate::fault;
using derate::fault_kind;
using derate::port;
using derate::window;

static void expect(bool holds, const char *what) {
    if (!holds) {
        std::printf("wrong: %s\n", what);
        std::exit(1);
    }
}

constexpr std::uint64_t BASE = 0x10000000;

// Memory of exactly so many bytes: the sanitizer sees a byte before and a byte after it.
struct memory {
    std::vector<unsigned char> bytes;
    window reach;
    explicit memory(std::size_t size) : bytes(size), reach{bytes.data(), BASE, size, 0, 0, 0, {}} {}
};

template <class F> static fault refused(F access) {
    try {
        access();
    } catch (const fault &found) {
        return found;
    }
    expect(false, "an access that no device bears is refused");
    return {};
}

static void copies() {
    struct wide {
        unsigned char byte[64];
    };
    memory device(256);
    for (std::size_t i = 0; i < 256; ++i) {
        device.bytes[i] = static_cast<unsigned char>(i);
    }
    unsigned char chip[100] = {};
    {
        const port<const wide> from(device.reach, 0, BASE);
        memcpy(chip, from, 100);
        memcpy(chip, from + 4, 0);
    }
    expect(std::memcmp(chip, device.bytes.data(), 100) == 0, "100 bytes are copied to the chip");
    expect(device.reach.read == 128, "two elements are counted");
    std::memset(chip, 0xff, sizeof chip);
    {
        const port<wide> to(device.reach, 0, BASE);
        memcpy(to + 1, chip, 100);
    }
    expect(device.reach.written == 128, "two elements are counted as written");
    expect(device.bytes[63] == 63 && device.bytes[64] == 0xff && device.bytes[163] == 0xff && device.bytes[164] == 164,
           "100 bytes are written, and no more");
    const port<wide> to(device.reach, 3, BASE);
    memcpy(to + 3, chip, 64);
    for (const std::uint64_t bytes : {std::uint64_t(65), ~std::uint64_t(0), ~std::uint64_t(0) - 62}) {
        const fault found = refused([&] { memcpy(to + 3, chip, bytes); });
        expect(found.kind == fault_kind::out_of_range && found.bytes == bytes && found.address == BASE + 192 &&
                   found.argument == 3 && found.is_write == 1,
               "a copy past the end is refused");
        expect(refused([&] { memcpy(chip, to - 1, bytes); }).is_write == 0, "and one that begins before it");
    }
}

static void tails() {
    struct wide {
        unsigned char byte[64];
    };
    memory device(100);
    unsigned char chip[100] = {};
    const port<wide> to(device.reach, 0, BASE);
    memcpy(to, chip, 100);
    memcpy(chip, to, 100);
    expect(refused([&] { memcpy(chip, to, 101); }).bytes == 101, "a byte past a part of an element is refused");
}

static void updates() {
    memory device(16);
    {
        const port<std::uint32_t> p(device.reach, 0, BASE);
        p[0] = 6;
        p[0] *= 7;
        p[0] |= 0x100U;
        p[0] &= 0x1ffU;
        p[0] ^= 1U;
        p[0] <<= 4;
        p[0] >>= 3;
        p[0] %= 1000;
        p[0] /= 2;
        p[0] += 5;
        p[0] -= 1;
        expect(p[0]++ == 303 && p[0]-- == 304 && ++p[0] == 304 && --p[0] == 303, "an element is updated in place");
        p[1] = p[0];
        expect(p[1] == 303, "an element is copied from another");
    }
    expect(device.reach.read == 4 * 16 && device.reach.written == 4 * 16, "an update reads once and writes once");
    memory words(128);
    {
        const port<ap_uint<512>> p(words.reach, 0, BASE);
        p[1] = 0;
        p[1].range(95, 64) = 77U;
        p[1](31, 0) = p[1].range(95, 64);
        expect(p[1].range(31, 0).to_uint() == 77 && p[1](95, 64).to_uint64() == 77, "bits of an element are written");
        bool said = false;
        try {
            p[1].range(511, 0).to_uint64();
        } catch (const std::runtime_error &) {
            said = true;
        }
        expect(said, "more bits than a number has are refused");
    }
    expect(words.reach.read == 64 * 5 && words.reach.written == 64 * 3, "writing bits reads the element first");
}

static void alignment() {
    struct point {
        float x, y, z;
    };
    memory device(48);
    const port<const point> first(device.reach, 0, BASE);
    expect(first[3].x == 0.0F && first[0].z == 0.0F, "12 bytes lie in 32-bit words");
    expect(port<const point>(device.reach, 0, BASE + 4)[2].x == 0.0F, "and may begin at any of them");
    expect(refused([&] { port<const point>(device.reach, 0, BASE + 4)[3]; }).kind == fault_kind::out_of_range,
           "a struct that ends past the buffer");
    expect(refused([&] { port<const point>(device.reach, 0, BASE + 2)[0]; }).kind == fault_kind::misaligned,
           "half a word is no beginning");
    memory words(256);
    expect(refused([&] { port<const ap_uint<512>>(words.reach, 0, BASE + 32)[0]; }).kind == fault_kind::misaligned,
           "512 bits begin at 64 bytes");
}

int main() {
    copies();
    tails();
    updates();
    alignment();
    std::puts("right");
    return 0;
}
