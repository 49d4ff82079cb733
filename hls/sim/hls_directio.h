// A stand-in for the vendor's header where that is absent: wires in and out of a kernel, which hold their last value.
#pragma once

namespace hls {

template <class T> class directio {
  public:
    T read() const { return value; }
    void read(T &to) const { to = value; }
    void write(const T &from) {
        value = from;
        is_new = true;
    }
    bool valid() const { return is_new; }
    void reset_valid() { is_new = false; }
    operator T() const { return value; }
    directio &operator=(const T &from) {
        write(from);
        return *this;
    }

  private:
    T value{};
    bool is_new = false;
};

template <class T> using ap_none = directio<T>;
template <class T> using ap_vld = directio<T>;
template <class T> using ap_ack = directio<T>;
template <class T> using ap_hs = directio<T>;

} // namespace hls
