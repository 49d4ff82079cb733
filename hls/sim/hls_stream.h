// A stand-in for the vendor's header where that is absent: a FIFO without a limit.
#pragma once

#include <cstddef>
#include <deque>
#include <stdexcept>

namespace hls {

template <class T, int DEPTH = 0> class stream {
  public:
    stream() = default;
    stream(const char *) {}
    stream(const stream &) = delete;
    stream &operator=(const stream &) = delete;

    bool empty() const { return waiting.empty(); }
    bool full() const { return false; }
    std::size_t size() const { return waiting.size(); }
    void write(const T &value) { waiting.push_back(value); }
    T read() {
        if (waiting.empty()) {
            throw std::runtime_error("a stream is read that is empty: on the device the kernel would wait forever");
        }
        T value = waiting.front();
        waiting.pop_front();
        return value;
    }
    void read(T &value) { value = read(); }
    bool read_nb(T &value) {
        if (waiting.empty()) {
            return false;
        }
        value = read();
        return true;
    }
    bool write_nb(const T &value) {
        write(value);
        return true;
    }
    stream &operator<<(const T &value) {
        write(value);
        return *this;
    }
    stream &operator>>(T &value) {
        read(value);
        return *this;
    }

  private:
    std::deque<T> waiting;
};

} // namespace hls
