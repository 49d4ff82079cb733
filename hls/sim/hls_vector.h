// A stand-in for the vendor's header where that is absent: lanes that move together.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <initializer_list>
#include <stdexcept>

namespace hls {

// Aligned to the largest power of two that divides its size, as the vendor's is.
template <class T_, std::size_t N_> class alignas((sizeof(T_) * N_) & (~(sizeof(T_) * N_) + 1)) vector {
    static_assert(N_ > 0, "a vector has at least one lane");

  public:
    using value_type = T_;
    vector() = default;
    vector(const T_ &all) { lanes.fill(all); }
    vector(const std::array<T_, N_> &from) : lanes(from) {}
    vector(std::initializer_list<T_> from) {
        if (from.size() != N_) {
            throw std::runtime_error("an hls::vector is given another number of lanes than it has");
        }
        std::size_t lane = 0;
        for (const T_ &one : from) {
            lanes[lane++] = one;
        }
    }

    T_ &operator[](std::size_t lane) { return lanes[within(lane)]; }
    const T_ &operator[](std::size_t lane) const { return lanes[within(lane)]; }
    auto begin() { return lanes.begin(); }
    auto begin() const { return lanes.begin(); }
    auto end() { return lanes.end(); }
    auto end() const { return lanes.end(); }
    constexpr std::size_t size() const { return N_; }

#define DERATE_LANES(OP)                                                                                               \
    vector &operator OP##=(const vector & by) {                                                                        \
        for (std::size_t lane = 0; lane < N_; ++lane) {                                                                 \
            lanes[lane] OP##= by.lanes[lane];                                                                          \
        }                                                                                                              \
        return *this;                                                                                                  \
    }                                                                                                                  \
    friend vector operator OP(vector a, const vector &b) { return a OP##= b; }
    DERATE_LANES(+)
    DERATE_LANES(-)
    DERATE_LANES(*)
    DERATE_LANES(/)
    DERATE_LANES(%)
    DERATE_LANES(&)
    DERATE_LANES(|)
    DERATE_LANES(^)
    DERATE_LANES(<<)
    DERATE_LANES(>>)
#undef DERATE_LANES
    vector &operator++() { return *this += T_(1); }
    vector &operator--() { return *this -= T_(1); }
    vector operator++(int) {
        const vector before = *this;
        ++*this;
        return before;
    }
    vector operator--(int) {
        const vector before = *this;
        --*this;
        return before;
    }

    // One truth for all lanes: the first that differs decides.
    friend bool operator==(const vector &a, const vector &b) { return a.lanes == b.lanes; }
    friend bool operator!=(const vector &a, const vector &b) { return a.lanes != b.lanes; }
    friend bool operator<(const vector &a, const vector &b) { return a.lanes < b.lanes; }
    friend bool operator<=(const vector &a, const vector &b) { return a.lanes <= b.lanes; }
    friend bool operator>(const vector &a, const vector &b) { return a.lanes > b.lanes; }
    friend bool operator>=(const vector &a, const vector &b) { return a.lanes >= b.lanes; }

#define DERATE_REDUCE(NAME, OP)                                                                                        \
    T_ reduce_##NAME() const {                                                                                          \
        T_ all = lanes[0];                                                                                              \
        for (std::size_t lane = 1; lane < N_; ++lane) {                                                                 \
            all OP##= lanes[lane];                                                                                     \
        }                                                                                                              \
        return all;                                                                                                    \
    }
    DERATE_REDUCE(add, +)
    DERATE_REDUCE(mult, *)
    DERATE_REDUCE(and, &)
    DERATE_REDUCE(or, |)
    DERATE_REDUCE(xor, ^)
#undef DERATE_REDUCE

  private:
    static std::size_t within(std::size_t lane) {
        if (__builtin_expect(lane >= N_, 0)) {
            throw std::runtime_error("a lane of an hls::vector is asked for that it does not have");
        }
        return lane;
    }
    std::array<T_, N_> lanes;
};

} // namespace hls
