// What passes between the emulator and a compiled kernel: plain C structures, the same in host/emulate/src/emulator/sys.rs.
#pragma once

#include <cstdint>

namespace derate {

// The memory that one pointer argument may reach, and how much of it was moved.
struct window {
    unsigned char *data;   // the first byte of it on this machine
    std::uint64_t address; // and on the device
    std::uint64_t bytes;
    std::uint64_t read;    // out: bytes that the kernel read
    std::uint64_t written; // out: bytes that it wrote
    std::uint64_t jumps;   // out: accesses that did not go on where the one before them, the same way, had ended
    std::uint64_t next[2]; // behind the last element that was read, and that was written
};

enum class fault_kind : std::uint32_t { none = 0, out_of_range = 1, misaligned = 2, exception = 3, stopped = 4 };

// The first access that the device would not have borne.
struct fault {
    fault_kind kind;
    std::uint32_t argument;
    std::uint64_t address;
    std::uint64_t bytes;
    std::uint32_t is_write;
};

// A stream between two compute units: a ring of elements, of which one thread writes and one reads. Counts go up only.
struct channel {
    unsigned char *data;
    std::uint64_t element;  // bytes of one
    std::uint64_t capacity; // how many fit
    std::uint64_t written;  // how many were written
    std::uint64_t read;     // and read
    std::uint32_t writer_waits;
    std::uint32_t reader_waits;
    std::uint32_t stop; // whoever waits shall wait no more
};

// One run of a kernel: what belongs to an argument is at its index.
struct frame {
    std::uint64_t *registers; // in; out where the kernel writes a register
    window *windows;
    channel **channels; // null where nothing is connected
    std::uint64_t guard; // bytes before and behind each window that nobody may touch
    fault failed;
    char message[256];
};

// A port is a pointer whose accesses are checked and counted; a plain one has guards alone.
enum class argument_kind : std::uint32_t {
    scalar = 0,
    read_only = 1,
    read_write = 2,
    result = 3,
    stream = 4,
    plain_read = 5,
    plain_write = 6
};

struct argument {
    argument_kind kind;
    std::uint32_t bytes; // of the scalar, or of what the pointer points at
};

struct kernel {
    const char *name;
    std::uint32_t count;
    const argument *arguments;
    void (*run)(frame *);
};

// How the argument of a kernel is made of its register (kernel.h).
template <class A_, class = void> struct from_register;

// What tasks.h does around a run, where a kernel has streams. `slot` is the kernel's own.
struct task_hooks {
    void (*begin)(void **slot, frame *of, std::uint32_t count);
    void (*drain)();
    void (*end)();
};
inline const task_hooks *hooks = nullptr;

// Thrown where a unit waits for one that comes no more.
struct stopped {};

} // namespace derate
