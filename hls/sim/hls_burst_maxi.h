// A stand-in for the vendor's header where that is absent: memory that is asked for in bursts. Each request is one burst, and what
// is read or written without a request is refused, as it would wait forever on the device.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <stdexcept>
#include <string>

#include "derate/port.h"

namespace hls {

template <class T_> class burst_maxi {
    // Elements that were asked for, from one of them on.
    struct request {
        std::uint64_t at;
        std::uint64_t left;
    };
    struct requests {
        std::deque<request> reads;
        std::deque<request> writes;
        std::uint64_t unconfirmed = 0;
    };

  public:
    burst_maxi(T_ *memory) : memory(memory) {}
    explicit burst_maxi(const derate::port<T_> &memory) : memory(memory) {}

    [[gnu::noinline]] void read_request(std::size_t offset, std::size_t count) { asked->reads.push_back({offset, count}); }
    [[gnu::noinline]] void write_request(std::size_t offset, std::size_t count) { asked->writes.push_back({offset, count}); }
    T_ read() {
        return memory.read_at(static_cast<std::int64_t>(next(asked->reads, "read_request")));
    }
    void read(T_ &value) { value = read(); }
    void write(const T_ &value) {
        memory.write_at(static_cast<std::int64_t>(next(asked->writes, "write_request"))) = value;
        asked->unconfirmed += asked->writes.front().left == 0;
    }
    // A request is confirmed once all its elements are written.
    [[gnu::noinline]] void write_response() {
        if (asked->unconfirmed == 0) {
            throw std::runtime_error("write_response() waits for a burst that is not written: on the device the kernel would wait forever");
        }
        --asked->unconfirmed;
    }

  private:
    [[gnu::noinline]] static std::uint64_t next(std::deque<request> &of, const char *name) {
        while (!of.empty() && of.front().left == 0) {
            of.pop_front();
        }
        if (of.empty()) {
            throw std::runtime_error(std::string("a burst_maxi is accessed without ") + name + "(): on the device the kernel would wait forever");
        }
        --of.front().left;
        return of.front().at++;
    }

    derate::port<T_> memory;
    // Shared by all copies.
    std::shared_ptr<requests> asked = std::shared_ptr<requests>(new requests);
};

} // namespace hls

namespace derate {

template <class T_> struct from_register<hls::burst_maxi<T_>> {
    static constexpr argument described = {argument_kind::read_write, sizeof(T_)};
    static hls::burst_maxi<T_> make(frame &run, std::uint32_t index) {
        return hls::burst_maxi<T_>(port<T_>(run.windows[index], index, run.registers[index]));
    }
};

} // namespace derate
