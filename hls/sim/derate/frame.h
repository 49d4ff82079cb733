// What passes between the emulator and a compiled kernel: plain C structures, the same in host/emulate/src/emulator/image/sys.rs.
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

enum class fault_kind : std::uint32_t { none = 0, out_of_range = 1, misaligned = 2, exception = 3 };

// The first access that the device would not have borne.
struct fault {
    fault_kind kind;
    std::uint32_t argument;
    std::uint64_t address;
    std::uint64_t bytes;
    std::uint32_t is_write;
};

// One run of a kernel: an argument's register value and its window stand at its index.
struct frame {
    const std::uint64_t *registers;
    window *windows;
    fault failed;
    char message[256];
};

enum class argument_kind : std::uint32_t { scalar = 0, read_only = 1, read_write = 2 };

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

} // namespace derate
