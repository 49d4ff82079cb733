// Bits of an ap_int that can be read and written in place: a range, a single one, and several values beside each other.
#pragma once

#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "ap_value.h"

namespace derate {

// Ranges are looked at but for derate's own kernels, whose ranges tests have looked at: it takes a quarter of a product's time.
#ifdef DERATE_TESTED_RANGES
constexpr bool looks_at_ranges = false;
#else
constexpr bool looks_at_ranges = true;
#endif

// Apart, so that what it refuses stays small where it is asked for.
[[noreturn, gnu::noinline, gnu::cold]] inline void refuse(const char *why) { throw std::runtime_error(why); }

} // namespace derate

template <int W_, bool S_> class ap_range_ref {
  public:
    ap_range_ref(ap_int_base<W_, S_> &of, int high, int from)
        : word(of), low(from), bits(high - from + 1) {
        if (derate::looks_at_ranges && __builtin_expect(from < 0 || high >= W_ || high < from, 0)) {
            derate::refuse("range(high, low) of an ap_int takes bits that it has, the highest first");
        }
    }
    ap_range_ref(const ap_range_ref &) = default;

    int length() const { return bits; }
    // A lane of whole bytes, among lanes as wide as itself, is copied: that is what makes lanes fast.
    unsigned to_uint() const {
        switch (low % bits == 0 ? bits : 0) {
        case 8: return whole<std::uint8_t>();
        case 16: return whole<std::uint16_t>();
        case 32: return whole<std::uint32_t>();
        default: return static_cast<unsigned>(to_uint64());
        }
    }
    int to_int() const { return static_cast<int>(to_uint()); }
    long to_long() const { return static_cast<long>(to_uint64()); }
    unsigned long to_ulong() const { return to_uint64(); }
    std::int64_t to_int64() const { return static_cast<std::int64_t>(to_uint64()); }
    std::uint64_t to_uint64() const { return part(0, static_cast<unsigned>(bits)); }
    operator std::uint64_t() const { return to_uint64(); }

    ap_int_base<W_, false> get() const {
        ap_int_base<W_, false> all;
        for (int i = 0; i < all.limbs; ++i) {
            const int done = 64 * i;
            all.set_limb(i, done < bits ? part(done, static_cast<unsigned>(bits - done)) : 0);
        }
        return all;
    }

    template <class T_, class = std::enable_if_t<(derate::operand<T_>::bits > 0)>> const ap_range_ref &operator=(const T_ &from) const {
        if constexpr (std::is_integral<T_>::value) {
            switch (low % bits == 0 ? bits : 0) {
            case 8: return put(static_cast<std::uint8_t>(from));
            case 16: return put(static_cast<std::uint16_t>(from));
            case 32: return put(static_cast<std::uint32_t>(from));
            default: break;
            }
        }
        const auto value = derate::value_of(from);
        for (int done = 0; done < bits; done += 64) {
            write(done, value.limb(done / 64), static_cast<unsigned>(bits - done));
        }
        return *this;
    }
    const ap_range_ref &operator=(const ap_range_ref &from) const { return *this = from.get(); }
    template <class T_> const ap_range_ref &operator&=(const T_ &by) const { return *this = get() & by; }
    template <class T_> const ap_range_ref &operator|=(const T_ &by) const { return *this = get() | by; }
    template <class T_> const ap_range_ref &operator^=(const T_ &by) const { return *this = get() ^ by; }

    bool or_reduce() const { return !get().is_zero(); }
    bool xor_reduce() const { return get().xor_reduce(); }
    bool and_reduce() const {
        bool all = true;
        for (int done = 0; done < bits; ++done) {
            all &= part(done, 1) != 0;
        }
        return all;
    }

  private:
    static std::uint64_t mask(unsigned count) { return count >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << count) - 1; }
    // Up to 64 bits from `done` on.
    std::uint64_t part(int done, unsigned count) const {
        const int at = (low + done) / 64;
        const unsigned shift = static_cast<unsigned>(low + done) % 64;
        std::uint64_t value = word.limb(at) >> shift;
        if (shift != 0 && shift + count > 64) {
            value |= word.limb(at + 1) << (64 - shift);
        }
        return value & mask(count);
    }
    void write(int done, std::uint64_t value, unsigned count) const {
        const int at = (low + done) / 64;
        const unsigned shift = static_cast<unsigned>(low + done) % 64;
        const std::uint64_t kept = mask(count);
        value &= kept;
        word.set_limb(at, (word.limb(at) & ~(kept << shift)) | value << shift);
        if (shift != 0 && shift + (count < 64 ? count : 64) > 64) {
            const unsigned there = 64 - shift;
            word.set_limb(at + 1, (word.limb(at + 1) & ~(kept >> there)) | value >> there);
        }
    }
    // The first byte of a lane, in a form in which compilers see that the next lane's is the next one.
    int lane(int bytes) const { return bytes * (low / (8 * bytes)); }
    template <class N_> N_ whole() const {
        N_ value;
        std::memcpy(&value, word.bytes() + lane(sizeof value), sizeof value);
        return value;
    }
    template <class N_> const ap_range_ref &put(N_ value) const {
        std::memcpy(word.bytes() + lane(sizeof value), &value, sizeof value);
        return *this;
    }
    ap_int_base<W_, S_> &word;
    int low;
    int bits;
};

template <int W_, bool S_> class ap_bit_ref {
  public:
    ap_bit_ref(ap_int_base<W_, S_> &of, int index) : word(of), at(index) {
        if (__builtin_expect(index < 0 || index >= W_, 0)) {
            derate::refuse("a bit of an ap_int is asked for that it does not have");
        }
    }
    ap_bit_ref(const ap_bit_ref &) = default;
    int length() const { return 1; }
    bool to_bool() const { return (word.limb(at / 64) >> (at % 64) & 1) != 0; }
    bool get() const { return to_bool(); }
    operator bool() const { return to_bool(); }
    bool operator~() const { return !to_bool(); }
    // Any value that is not 0 sets it.
    template <class T_, class = std::enable_if_t<(derate::operand<T_>::bits > 0)>> const ap_bit_ref &operator=(const T_ &from) const {
        const std::uint64_t mask = std::uint64_t(1) << (at % 64);
        const std::uint64_t others = word.limb(at / 64) & ~mask;
        word.set_limb(at / 64, derate::value_of(from).is_zero() ? others : others | mask);
        return *this;
    }
    const ap_bit_ref &operator=(const ap_bit_ref &from) const { return *this = from.to_bool(); }

  private:
    ap_int_base<W_, S_> &word;
    int at;
};

// `(high, low)`: read as one value, and written as one where each part can be. Values are held by reference, or as constants
// where they may not be written.
template <class High, class Low> class ap_concat_ref {
    template <class T_> using plain = std::remove_const_t<std::remove_reference_t<T_>>;

  public:
    static constexpr int width = derate::operand<plain<High>>::bits + derate::operand<plain<Low>>::bits;
    template <class A_, class B_> ap_concat_ref(A_ &&above, B_ &&below) : high(above), low(below) {}
    ap_concat_ref(const ap_concat_ref &) = default;
    int length() const { return length_of(high) + length_of(low); }
    ap_int_base<width, false> get() const {
        using all = ap_int_base<width, false>;
        return (all(bits(high)) << length_of(low)) | all(bits(low));
    }
    operator std::uint64_t() const { return get().to_uint64(); }
    template <class T_, class = std::enable_if_t<(derate::operand<T_>::bits > 0)>> const ap_concat_ref &operator=(const T_ &from) const {
        const ap_int_base<derate::more(width, derate::operand<T_>::bits), false> value(from);
        low = value;
        high = value >> length_of(low);
        return *this;
    }

  private:
    template <class T_> static int length_of(const T_ &) { return derate::operand<T_>::bits; }
    template <int W_, bool S_> static int length_of(const ap_range_ref<W_, S_> &of) { return of.length(); }
    template <class A_, class B_> static int length_of(const ap_concat_ref<A_, B_> &of) { return of.length(); }
    // Without a sign, which would reach into what stands above.
    template <class T_> static ap_int_base<derate::operand<T_>::bits, false> bits(const T_ &of) { return derate::value_of(of); }
    High high;
    Low low;
};
