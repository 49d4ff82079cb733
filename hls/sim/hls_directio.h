// A stand-in for the vendor's header where that is absent: wires in and out of a kernel. What is written is read in its order; a wire
// without a handshake then goes on with its last value, and one with a handshake waits for the next.
#pragma once

#include "hls_stream.h"

namespace hls {

enum class handshake { none, waits };

template <class T_, handshake H_> class directio {
  public:
    T_ read() const {
        if (H_ == handshake::waits || !values.empty()) {
            last = values.read();
        }
        return last;
    }
    void read(T_ &to) const { to = read(); }
    void write(const T_ &value) { values.write(value); }
    bool valid() const { return !values.empty(); }
    bool empty() const { return values.empty(); }
    operator T_() const { return read(); }
    directio &operator=(const T_ &value) {
        write(value);
        return *this;
    }

  private:
    mutable stream<T_> values;
    mutable T_ last{};
};

template <class T_> using ap_none = directio<T_, handshake::none>;
template <class T_> using ap_vld = directio<T_, handshake::waits>;
template <class T_> using ap_ack = directio<T_, handshake::waits>;
template <class T_> using ap_hs = directio<T_, handshake::waits>;

} // namespace hls

namespace derate {

// A register that the host sets: each run finds its value.
template <class T_, hls::handshake H_> struct from_register<hls::directio<T_, H_> &> {
    static_assert(std::is_trivially_copyable<T_>::value && sizeof(T_) <= 8, "a register that the host sets holds up to 64 bit");
    static constexpr argument described = {argument_kind::scalar, sizeof(T_)};
    static hls::directio<T_, H_> &make(frame &run, std::uint32_t index) {
        auto &one = current().keep<hls::directio<T_, H_>>(index);
        T_ value;
        std::memcpy(&value, &run.registers[index], sizeof(T_));
        one.write(value);
        return one;
    }
};

} // namespace derate
