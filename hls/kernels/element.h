// The numbers that the matrix kernels work on, and how they lie in a word.
#pragma once

#include <cstdint>
#include <cstring>

#include "word.h"

// bfloat16: the upper half of a float, 16 bits wide in memory, on chip and on the port. Chosen over `half` because the
// weights of the models that derate is for are stored in it, and because to float it is wiring: no converter is built.
struct bfloat16 {
    std::uint16_t bits;
};
static_assert(sizeof(bfloat16) == 2, "a 16-bit type has 16 bits");

// The bits of a float, and back.
inline std::uint32_t bits_of(float value) {
    union {
        float number;
        std::uint32_t bits;
    } cast;
    cast.number = value;
    return cast.bits;
}

inline float float_of(std::uint32_t bits) {
    union {
        std::uint32_t bits;
        float number;
    } cast;
    cast.bits = bits;
    return cast.number;
}

// What multiplies and sums: floats for both floating-point types, 32-bit integers for int8.
inline float operand(float value) { return value; }
inline float operand(bfloat16 value) { return float_of(static_cast<std::uint32_t>(value.bits) << 16); }
inline std::int32_t operand(std::int8_t value) { return value; }

// To and from `8 x sizeof(T)` bits of a word.
inline void decode(std::uint32_t bits, float &to) { to = float_of(bits); }
inline void decode(std::uint32_t bits, bfloat16 &to) { to.bits = static_cast<std::uint16_t>(bits); }
inline void decode(std::uint32_t bits, std::int8_t &to) { to = static_cast<std::int8_t>(bits); }
inline std::uint32_t encode(float value) { return bits_of(value); }
inline std::uint32_t encode(bfloat16 value) { return value.bits; }
inline std::uint32_t encode(std::int32_t value) { return static_cast<std::uint32_t>(value); }

// A sum as it is stored. bfloat16 takes the nearest, ties to even; what is not a number stays none.
inline void narrow(float sum, float &to) { to = sum; }
inline void narrow(std::int32_t sum, std::int32_t &to) { to = sum; }
inline void narrow(float sum, bfloat16 &to) {
    const std::uint32_t bits = bits_of(sum);
    const bool number = (bits & 0x7fffffffU) <= 0x7f800000U;
    const std::uint32_t nearest = bits + 0x7fffU + ((bits >> 16) & 1U);
    to.bits = static_cast<std::uint16_t>(number ? nearest >> 16 : (bits >> 16) | 0x40U);
}

// Elements in a word.
template <class T> constexpr int lanes = 512 / (8 * static_cast<int>(sizeof(T)));

// Words that a row of so many elements takes: rows start at a word.
template <class T> constexpr std::uint32_t row_words(std::uint32_t elements) {
    return (elements + lanes<T> - 1) / lanes<T>;
}

template <class T> T lane(const word &in, int l) {
    constexpr int bits = 8 * static_cast<int>(sizeof(T));
    T value;
    decode(static_cast<std::uint32_t>(in.range(bits * l + bits - 1, bits * l).to_uint()), value);
    return value;
}

template <class T> void set_lane(word &out, int l, T value) {
    constexpr int bits = 8 * static_cast<int>(sizeof(T));
    out.range(bits * l + bits - 1, bits * l) = encode(value);
}

// In C++ nobody may read what nobody wrote; in hardware it is what the memory holds, and a loop that cleared it would cost
// its cycles in every run. Nothing of it reaches a result.
template <class A> void define(A &array) {
#ifndef __SYNTHESIS__
    std::memset(&array, 0, sizeof array);
#else
    (void)array;
#endif
}
