// A stand-in for the vendor's header where that is absent. Within a kernel a stream is a FIFO without a limit; between two
// compute units it is a ring of as many elements as the design says, on which a unit waits for the other.
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <sched.h>
#include <stdexcept>
#include <unistd.h>

#include "derate/tasks.h"

namespace derate {

// Waits until `ready`; says so meanwhile.
template <class F_> [[gnu::noinline]] void wait_on(channel &of, std::uint32_t &waits, F_ ready) {
    for (unsigned spins = 0; !ready(); ++spins) {
        if (__atomic_load_n(&of.stop, __ATOMIC_ACQUIRE) != 0) {
            throw stopped();
        }
        if (spins == 64) {
            __atomic_store_n(&waits, 1, __ATOMIC_RELEASE);
        }
        schedule &all = current();
        if (all.is_in_task()) {
            all.leave_for_unit();
            continue;
        }
        all.give_way();
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

template <class T_, int DEPTH = 0> class stream;

template <class T_> class stream<T_, 0> {
  public:
    using element_type = T_;
    stream(const char * = nullptr, const char *file = __builtin_FILE(), int line = __builtin_LINE())
        : moved(&derate::current().moved), declared{file, line} {}
    stream(const stream &) = delete;
    stream &operator=(const stream &) = delete;

    bool empty() const {
        if (to == nullptr && waiting.empty()) {
            derate::current().give_way();
        }
        return is_empty();
    }
    bool full() const { return to != nullptr && size() == to->capacity; }
    std::size_t size() const {
        if (to == nullptr) {
            return waiting.size();
        }
        return __atomic_load_n(&to->written, __ATOMIC_ACQUIRE) - __atomic_load_n(&to->read, __ATOMIC_ACQUIRE);
    }
    std::size_t capacity() const { return to == nullptr ? 0 : to->capacity; }
    void set_name(const char *) {}
    void write(const T_ &value) {
        ++*moved;
        if (to == nullptr) {
            if (__builtin_expect(waiting.size() >= enough, 0)) {
                await_room();
            }
            waiting.push_back(value);
            return;
        }
        derate::wait_on(*to, to->writer_waits, [this] { return !full(); });
        slot(to->written) = value;
        __atomic_store_n(&to->written, to->written + 1, __ATOMIC_RELEASE);
    }
    T_ read() {
        if (to == nullptr) {
            if (waiting.empty()) {
                await_data();
            }
            ++*moved;
            T_ value = waiting.front();
            waiting.pop_front();
            return value;
        }
        derate::wait_on(*to, to->reader_waits, [this] { return !is_empty(); });
        ++*moved;
        T_ value = slot(to->read);
        __atomic_store_n(&to->read, to->read + 1, __ATOMIC_RELEASE);
        return value;
    }
    void read(T_ &value) { value = read(); }
    bool read_nb(T_ &value) {
        if (is_idle(empty())) {
            return false;
        }
        value = read();
        return true;
    }
    bool write_nb(const T_ &value) {
        if (is_idle(full())) {
            return false;
        }
        write(value);
        return true;
    }
    stream &operator<<(const T_ &value) {
        write(value);
        return *this;
    }
    stream &operator>>(T_ &value) {
        read(value);
        return *this;
    }

    // What was left in it goes where it is connected to nothing.
    void derate_connect(derate::channel *other) {
        to = other;
        if (to == nullptr) {
            waiting.clear();
        }
    }

  private:
    // More than this only tasks are kept from writing: what a stage writes, a later one reads.
    static constexpr std::size_t enough = std::size_t(1) << 16;

    bool is_empty() const { return to == nullptr ? waiting.empty() : size() == 0; }
    [[gnu::noinline]] void await_data() {
        derate::current().await(derate::waiting_for::data, declared, [this] { return !waiting.empty(); });
    }
    [[gnu::noinline]] void await_room() {
        derate::schedule &all = derate::current();
        if (all.is_in_task()) {
            all.await(derate::waiting_for::room, declared, [this, &all] { return waiting.size() < all.room(); });
        }
    }
    T_ &slot(std::uint64_t count) { return reinterpret_cast<T_ *>(to->data)[count % to->capacity]; }
    // Whoever asks in vain asks again: another thread has to run meanwhile.
    bool is_idle(bool none) const {
        if (none && to != nullptr) {
            if (__atomic_load_n(&to->stop, __ATOMIC_ACQUIRE) != 0) {
                throw derate::stopped();
            }
            derate::current().give_way();
            sched_yield();
        }
        return none;
    }

    std::deque<T_> waiting;
    derate::channel *to = nullptr;
    std::uint64_t *moved;
    derate::spot declared;
};

// Of a depth. A stream of any depth can be given to a function that takes one without.
template <class T_, int DEPTH> class stream : public stream<T_, 0> {
  public:
    stream(const char *name = nullptr, const char *file = __builtin_FILE(), int line = __builtin_LINE())
        : stream<T_, 0>(name, file, line) {}
};

} // namespace hls

namespace derate {

// The parameter of a kernel: a stream from another unit, or to one.
template <class T_, int DEPTH> struct from_register<hls::stream<T_, DEPTH> &> {
    static constexpr argument described = {argument_kind::stream, sizeof(T_)};
    static hls::stream<T_, DEPTH> &make(frame &run, std::uint32_t index) {
        auto &one = current().keep<hls::stream<T_, DEPTH>>(index);
        one.derate_connect(run.channels[index]);
        return one;
    }
};

} // namespace derate
