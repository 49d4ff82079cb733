// A stand-in for the vendor's header where that is absent: unsigned words of whole 64-bit limbs, with their bits by range,
// shifts and logic, and unsigned integers up to 64 bit. Nothing else of it is here.
#pragma once

#include <cstdint>
#include <cstring>

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the device is little-endian, and so must be the machine that stands in for it"
#endif

template <int W, bool WIDE = (W > 64)> class ap_uint;

// 64 bits of a word, or fewer.
template <int W> class ap_uint<W, true> {
    static_assert(W % 64 == 0, "this stand-in has wide words of whole 64-bit limbs only");

  public:
    // Bits `low` to `high` of a word; at most 64.
    class bits {
      public:
        // Whole bytes are copied: that is what makes lanes fast.
        unsigned to_uint() const {
            switch (low % 8 == 0 ? width : 0) {
            case 8: return whole<std::uint8_t>();
            case 16: return whole<std::uint16_t>();
            case 32: return whole<std::uint32_t>();
            default: return static_cast<unsigned>(to_uint64());
            }
        }
        int to_int() const { return static_cast<int>(to_uint()); }
        std::uint64_t to_uint64() const {
            const unsigned limb = low / 64;
            const unsigned shift = low % 64;
            std::uint64_t value = word.limbs[limb] >> shift;
            if (shift + width > 64) {
                value |= word.limbs[limb + 1] << (64 - shift);
            }
            return value & mask();
        }
        operator std::uint64_t() const { return to_uint64(); }
        const bits &operator=(std::uint64_t value) const {
            switch (low % 8 == 0 ? width : 0) {
            case 8: return put(static_cast<std::uint8_t>(value));
            case 16: return put(static_cast<std::uint16_t>(value));
            case 32: return put(static_cast<std::uint32_t>(value));
            default: break;
            }
            const unsigned limb = low / 64;
            const unsigned shift = low % 64;
            value &= mask();
            word.limbs[limb] = (word.limbs[limb] & ~(mask() << shift)) | value << shift;
            if (shift + width > 64) {
                const unsigned there = 64 - shift;
                word.limbs[limb + 1] = (word.limbs[limb + 1] & ~(mask() >> there)) | value >> there;
            }
            return *this;
        }

      private:
        friend class ap_uint;
        bits(ap_uint &of, int to, int from)
            : word(of), low(static_cast<unsigned>(from)), width(static_cast<unsigned>(to - from + 1)) {}
        std::uint64_t mask() const { return width >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << width) - 1; }
        unsigned char *byte() const { return reinterpret_cast<unsigned char *>(word.limbs) + low / 8; }
        template <class N> N whole() const {
            N value;
            std::memcpy(&value, byte(), sizeof value);
            return value;
        }
        template <class N> const bits &put(N value) const {
            std::memcpy(byte(), &value, sizeof value);
            return *this;
        }
        ap_uint &word;
        unsigned low;
        unsigned width;
    };

    ap_uint() = default;
    ap_uint(std::uint64_t value) : limbs{value} {}

    bits range(int high, int low) { return bits(*this, high, low); }
    bits range(int high, int low) const { return bits(const_cast<ap_uint &>(*this), high, low); }
    bits operator()(int high, int low) { return range(high, low); }
    bits operator()(int high, int low) const { return range(high, low); }
    std::uint64_t to_uint64() const { return limbs[0]; }

    friend bool operator==(const ap_uint &a, const ap_uint &b) { return std::memcmp(a.limbs, b.limbs, sizeof a.limbs) == 0; }
    friend bool operator!=(const ap_uint &a, const ap_uint &b) { return !(a == b); }

#define DERATE_LOGIC(OP)                                                                                               \
    friend ap_uint operator OP(const ap_uint & a, const ap_uint & b) {                                                 \
        ap_uint both = a;                                                                                              \
        return both OP##= b;                                                                                           \
    }                                                                                                                  \
    ap_uint &operator OP##=(const ap_uint & b) {                                                                       \
        for (int i = 0; i < W / 64; ++i) {                                                                             \
            limbs[i] OP##= b.limbs[i];                                                                                 \
        }                                                                                                              \
        return *this;                                                                                                  \
    }
    DERATE_LOGIC(&)
    DERATE_LOGIC(|)
    DERATE_LOGIC(^)
#undef DERATE_LOGIC
    ap_uint operator~() const {
        ap_uint all = *this;
        for (std::uint64_t &limb : all.limbs) {
            limb = ~limb;
        }
        return all;
    }
    ap_uint operator<<(unsigned by) const {
        ap_uint to = 0;
        for (unsigned i = by / 64; i < W / 64; ++i) {
            const unsigned from = i - by / 64;
            to.limbs[i] = limbs[from] << by % 64;
            if (by % 64 != 0 && from > 0) {
                to.limbs[i] |= limbs[from - 1] >> (64 - by % 64);
            }
        }
        return to;
    }
    ap_uint operator>>(unsigned by) const {
        ap_uint to = 0;
        for (unsigned from = by / 64; from < W / 64; ++from) {
            const unsigned i = from - by / 64;
            to.limbs[i] = limbs[from] >> by % 64;
            if (by % 64 != 0 && from + 1 < W / 64) {
                to.limbs[i] |= limbs[from + 1] << (64 - by % 64);
            }
        }
        return to;
    }
    ap_uint &operator<<=(unsigned by) { return *this = *this << by; }
    ap_uint &operator>>=(unsigned by) { return *this = *this >> by; }

  private:
    alignas(W % 512 == 0 ? 64 : (W % 256 == 0 ? 32 : 8)) std::uint64_t limbs[W / 64];
};

// Up to 64 bits, kept in the least integer that holds them.
template <int W> class ap_uint<W, false> {
  public:
    ap_uint() = default;
    ap_uint(std::uint64_t from) : value(static_cast<store>(from & mask)) {}
    operator std::uint64_t() const { return value; }
    std::uint64_t to_uint64() const { return value; }
    unsigned to_uint() const { return static_cast<unsigned>(value); }
    int to_int() const { return static_cast<int>(value); }

#define DERATE_UPDATE(OP)                                                                                              \
    template <class U> ap_uint &operator OP##=(const U & by) { return *this = static_cast<std::uint64_t>(value OP by); }
    DERATE_UPDATE(+)
    DERATE_UPDATE(-)
    DERATE_UPDATE(*)
    DERATE_UPDATE(/)
    DERATE_UPDATE(%)
    DERATE_UPDATE(&)
    DERATE_UPDATE(|)
    DERATE_UPDATE(^)
    DERATE_UPDATE(<<)
    DERATE_UPDATE(>>)
#undef DERATE_UPDATE
    ap_uint &operator++() { return *this += 1; }
    ap_uint &operator--() { return *this -= 1; }
    ap_uint operator++(int) {
        const ap_uint before = *this;
        ++*this;
        return before;
    }
    ap_uint operator--(int) {
        const ap_uint before = *this;
        --*this;
        return before;
    }

  private:
    template <int BITS, class = void> struct least {
        using type = std::uint64_t;
    };
    template <class V> struct least<8, V> {
        using type = std::uint8_t;
    };
    template <class V> struct least<16, V> {
        using type = std::uint16_t;
    };
    template <class V> struct least<32, V> {
        using type = std::uint32_t;
    };
    using store = typename least<(W <= 8 ? 8 : (W <= 16 ? 16 : (W <= 32 ? 32 : 64)))>::type;
    static constexpr std::uint64_t mask = W == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << (W % 64)) - 1;
    store value;
};
