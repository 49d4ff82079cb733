// A stand-in for the vendor's header where that is absent: channels of one writer and several readers, and the other way round. In
// turn, each end takes one element; where the vendor's balances load, the order is that of the emulation, and a card's differs.
#pragma once

#include "hls_stream.h"
#include "hls_task.h"

namespace hls {


namespace split {

// The element goes to the next output in turn.
template <class T_, int PORTS, int DEPTH = 2, int IN = 0> class round_robin {
  public:
    stream<T_> in;
    stream<T_> out[PORTS];
    round_robin(const char * = nullptr, const char *file = __builtin_FILE(), int line = __builtin_LINE())
        : in(nullptr, file, line) {
        derate::declare(file, line);
        derate::current().add([this] {
            const T_ element = in.read();
            out[next].write(element);
            next = (next + 1) % PORTS;
        }, this);
    }
    ~round_robin() { derate::current().remove_owned(this); }

  private:
    int next = 0;
};

// The element goes to the output with the fewest.
template <class T_, int PORTS, int DEPTH = 2, int IN = 0> class load_balance {
  public:
    stream<T_> in;
    stream<T_> out[PORTS];
    load_balance(const char * = nullptr, const char *file = __builtin_FILE(), int line = __builtin_LINE())
        : in(nullptr, file, line) {
        derate::declare(file, line);
        derate::current().add([this] {
            const T_ element = in.read();
            int least = 0;
            for (int port = 1; port < PORTS; ++port) {
                least = out[port].size() < out[least].size() ? port : least;
            }
            out[least].write(element);
        }, this);
    }
    ~load_balance() { derate::current().remove_owned(this); }
};

} // namespace split

namespace merge {

// The element comes from the next input in turn.
template <class T_, int PORTS, int DEPTH = 2, int OUT = 0> class round_robin {
  public:
    stream<T_> in[PORTS];
    stream<T_> out;
    round_robin(const char * = nullptr, const char *file = __builtin_FILE(), int line = __builtin_LINE())
        : out(nullptr, file, line) {
        derate::declare(file, line);
        derate::current().add([this] {
            const T_ element = in[next].read();
            out.write(element);
            next = (next + 1) % PORTS;
        }, this);
    }
    ~round_robin() { derate::current().remove_owned(this); }

  private:
    int next = 0;
};

// The element comes from the next input that has one.
template <class T_, int PORTS, int DEPTH = 2, int OUT = 0> class load_balance {
  public:
    stream<T_> in[PORTS];
    stream<T_> out;
    load_balance(const char * = nullptr, const char *file = __builtin_FILE(), int line = __builtin_LINE())
        : out(nullptr, file, line) {
        derate::declare(file, line);
        derate::current().add([this] {
            for (int port = 0; port < PORTS; ++port) {
                if (T_ element; in[(next + port) % PORTS].read_nb(element)) {
                    out.write(element);
                    next = (next + port + 1) % PORTS;
                    return;
                }
            }
        }, this);
    }
    ~load_balance() { derate::current().remove_owned(this); }

  private:
    int next = 0;
};

} // namespace merge

} // namespace hls
