// A stand-in for the vendor's header where that is absent. Within a kernel a stream is a FIFO without a limit; between two
// compute units it is a ring of as many elements as the design says, on which a unit waits for the other.
#pragma once

#include <cstddef>
#include <deque>
#include <sched.h>
#include <stdexcept>
#include <unistd.h>

#include "derate/frame.h"

namespace derate {

// Waits until `ready`; says so meanwhile.
template <class F> void wait_on(channel &of, std::uint32_t &waits, F ready) {
    for (unsigned spins = 0; !ready(); ++spins) {
        if (__atomic_load_n(&of.stop, __ATOMIC_ACQUIRE) != 0) {
            throw stopped();
        }
        if (spins == 64) {
            __atomic_store_n(&waits, 1, __ATOMIC_RELEASE);
        }
        if (spins < 256) {
            sched_yield();
        } else {
            usleep(spins < 4096 ? 20 : 500);
        }
    }
    __atomic_store_n(&waits, 0, __ATOMIC_RELEASE);
}

} // namespace derate

namespace hls {

template <class T, int DEPTH = 0> class stream {
  public:
    using element_type = T;
    stream() = default;
    stream(const char *) {}
    stream(const stream &) = delete;
    stream &operator=(const stream &) = delete;

    bool empty() const { return to == nullptr ? waiting.empty() : size() == 0; }
    bool full() const { return to != nullptr && size() == to->capacity; }
    std::size_t size() const {
        if (to == nullptr) {
            return waiting.size();
        }
        return __atomic_load_n(&to->written, __ATOMIC_ACQUIRE) - __atomic_load_n(&to->read, __ATOMIC_ACQUIRE);
    }
    std::size_t capacity() const { return to == nullptr ? DEPTH : to->capacity; }
    void set_name(const char *) {}
    void write(const T &value) {
        if (to == nullptr) {
            waiting.push_back(value);
            return;
        }
        derate::wait_on(*to, to->writer_waits, [this] { return !full(); });
        slot(to->written) = value;
        __atomic_store_n(&to->written, to->written + 1, __ATOMIC_RELEASE);
    }
    T read() {
        if (to == nullptr) {
            if (waiting.empty()) {
                throw std::runtime_error("a stream is read that is empty: on the device the kernel would wait forever");
            }
            T value = waiting.front();
            waiting.pop_front();
            return value;
        }
        derate::wait_on(*to, to->reader_waits, [this] { return !empty(); });
        T value = slot(to->read);
        __atomic_store_n(&to->read, to->read + 1, __ATOMIC_RELEASE);
        return value;
    }
    void read(T &value) { value = read(); }
    bool read_nb(T &value) {
        if (is_idle(empty())) {
            return false;
        }
        value = read();
        return true;
    }
    bool write_nb(const T &value) {
        if (is_idle(full())) {
            return false;
        }
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

    void derate_connect(derate::channel *other) { to = other; }

  private:
    T &slot(std::uint64_t count) { return reinterpret_cast<T *>(to->data)[count % to->capacity]; }
    // Whoever asks in vain asks again: another thread has to run meanwhile.
    bool is_idle(bool none) const {
        if (none && to != nullptr) {
            if (__atomic_load_n(&to->stop, __ATOMIC_ACQUIRE) != 0) {
                throw derate::stopped();
            }
            sched_yield();
        }
        return none;
    }

    std::deque<T> waiting;
    derate::channel *to = nullptr;
};

} // namespace hls

namespace derate {

// The parameter of a kernel: a stream from another unit, or to one.
template <class T, int DEPTH> struct from_register<hls::stream<T, DEPTH> &> {
    static constexpr argument described = {argument_kind::stream, sizeof(T)};
    struct held {
        hls::stream<T, DEPTH> one;
        explicit held(channel *to) { one.derate_connect(to); }
        held(const held &) = delete;
        operator hls::stream<T, DEPTH> &() { return one; }
    };
    static held make(frame &run, std::uint32_t index) { return held(run.channels[index]); }
};

} // namespace derate
