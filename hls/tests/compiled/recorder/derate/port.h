// A port that notes where a run of consecutive elements begins: what a burst can be at most.
#pragma once

#include <cstdint>
#include <type_traits>

namespace derate {

struct runs {
    std::uint64_t count = 0;
    std::uint64_t elements = 0;
    std::uint64_t next = ~std::uint64_t(0);
    void touch(std::uint64_t at) {
        count += at == next ? 0 : 1;
        next = at + 1;
        ++elements;
    }
};

template <class T> struct port {
    T *memory;
    runs *seen;
    T &operator[](std::uint64_t at) const {
        seen->touch(at);
        return memory[at];
    }
};

} // namespace derate
