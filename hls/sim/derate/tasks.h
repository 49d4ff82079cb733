// Tasks of a kernel: functions that run again and again, each until it waits for a stream. They take turns on the thread of the
// kernel, in the order of their declarations, so that the same data give the same order. A kernel without tasks pays nothing.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <sys/mman.h>
#include <type_traits>
#include <ucontext.h>
#include <utility>
#include <vector>

#include "frame.h"

namespace derate {

// A place in the user's text.
struct spot {
    const char *file = nullptr;
    int line = 0;
    std::string name() const {
        if (file == nullptr) {
            return "an unknown place";
        }
        const char *slash = std::strrchr(file, '/');
        char number[16];
        std::snprintf(number, sizeof number, ":%d", line);
        return std::string(slash == nullptr ? file : slash + 1) + number;
    }
};

enum class waiting_for { nothing, data, room, unit };

// What a task does, once.
struct action {
    virtual ~action() = default;
    virtual void call() = 0;
};
template <class F_> struct action_of : action {
    F_ function;
    explicit action_of(F_ from) : function(std::move(from)) {}
    void call() override { function(); }
};

// A function that runs again and again.
struct task_state {
    spot declared;
    std::unique_ptr<action> work;
    ucontext_t here;
    void *stack = nullptr;
    std::exception_ptr failed;
    waiting_for what = waiting_for::nothing;
    spot on;
    // What it belongs to, where that may end before the kernel.
    const void *owner = nullptr;
    bool is_over = false;
};

// The tasks of a kernel, and what it keeps from one run to the next. Nothing of it becomes part of a kernel's own code, which is
// made of one piece (kernel.h).
class schedule {
  public:
    // Elements that went into streams and came out of them.
    std::uint64_t moved = 0;
    // The run of the kernel; none in a program that calls it as a function.
    frame *run = nullptr;
    std::uint32_t arguments = 0;
    spot declaring;

    bool has_tasks() const { return !tasks.empty(); }
    bool is_in_task() const { return running != nullptr; }
    // Elements of a stream that a task fills before it waits.
    std::size_t room() const { return limit; }

    // With an owner it ends where that does.
    template <class F_> [[gnu::noinline]] void add(F_ work, const void *owner = nullptr) {
        tasks.push_back(std::make_unique<task_state>());
        task_state *one = tasks.back().get();
        one->declared = declaring;
        one->work.reset(new action_of<F_>(std::move(work)));
        one->owner = owner;
    }

    // What waits on a stack that is given up is lost: its streams end, too.
    [[gnu::noinline]] void remove_owned(const void *owner) {
        for (std::size_t at = tasks.size(); at-- > 0;) {
            if (tasks[at]->owner == owner) {
                if (tasks[at]->stack != nullptr) {
                    munmap(tasks[at]->stack, stack_bytes);
                }
                tasks.erase(tasks.begin() + static_cast<std::ptrdiff_t>(at));
            }
        }
    }

    // Returns once `ready`. Throws where nobody can go on.
    template <class F_> [[gnu::noinline]] void await(waiting_for what, const spot &on, F_ ready) {
        while (!ready()) {
            if (running != nullptr) {
                running->what = what;
                running->on = on;
                leave();
                continue;
            }
            if (!run_tasks() && !ready()) {
                refuse_deadlock(on);
            }
        }
        if (running != nullptr) {
            running->what = waiting_for::nothing;
        }
    }

    // Lets others run for a while: whoever calls asks again.
    [[gnu::noinline]] void give_way() {
        if (running != nullptr) {
            running->what = waiting_for::nothing;
            leave();
        } else if (!tasks.empty()) {
            run_round();
        }
    }

    // A task waits for another unit.
    [[gnu::noinline]] void leave_for_unit() {
        running->what = waiting_for::unit;
        leave();
    }

    // Runs the tasks until all of them wait.
    [[gnu::noinline]] void drain() {
        while (run_round()) {
        }
    }

    [[gnu::noinline]] void begin_run(frame *of, std::uint32_t count) {
        run = of;
        arguments = count;
        running = nullptr;
    }
    [[gnu::noinline]] void end_run() {
        for (std::uint32_t index = 0; index < lasting.size(); ++index) {
            if (window *own = lasting[index].get(); own != nullptr) {
                window &given = run->windows[index];
                given.read += own->read;
                given.written += own->written;
                given.jumps += own->jumps;
                own->read = own->written = own->jumps = 0;
            }
        }
        run = nullptr;
        running = nullptr;
    }

    // The memory of an argument for a task, which may outlive the run that gave it.
    [[gnu::noinline]] window &window_of(std::uint32_t index) {
        if (lasting.size() <= index) {
            lasting.resize(index + 1);
        }
        if (lasting[index] == nullptr) {
            lasting[index].reset(new window{});
        }
        window &own = *lasting[index];
        const window &given = run->windows[index];
        own.data = given.data;
        own.address = given.address;
        own.bytes = given.bytes;
        return own;
    }

    // What an argument is, for all runs.
    template <class T_> [[gnu::noinline]] T_ &keep(std::uint32_t index) {
        if (kept.size() <= index) {
            kept.resize(index + 1);
        }
        std::shared_ptr<void> &one = kept[index];
        if (one == nullptr) {
            one = std::shared_ptr<T_>(new T_);
        }
        return *static_cast<T_ *>(one.get());
    }

  private:
    // Touched pages alone cost memory.
    static constexpr std::size_t stack_bytes = std::size_t(64) << 20;

    // One after the other; whether an element moved.
    [[gnu::noinline]] bool run_round() {
        const std::uint64_t before = moved;
        for (std::size_t at = 0; at < tasks.size(); ++at) {
            enter(*tasks[at]);
        }
        return moved != before;
    }

    // Whether anything changed, or may change by another unit.
    [[gnu::noinline]] bool run_tasks() {
        if (run_round()) {
            return true;
        }
        bool is_full = false;
        for (const auto &one : tasks) {
            if (one->what == waiting_for::unit) {
                return true;
            }
            is_full |= one->what == waiting_for::room;
        }
        if (is_full) {
            limit *= 2;
        }
        return is_full;
    }

    [[noreturn]] void refuse_deadlock(const spot &on) const {
        const std::string place = on.file == nullptr ? std::string() : " (it is declared at " + on.name() + ")";
        if (tasks.empty()) {
            throw std::runtime_error("a stream is read that is empty" + place + ": on the device the kernel would wait forever");
        }
        std::string said = "a deadlock: the kernel waits to read an empty stream" + place;
        for (const auto &one : tasks) {
            if (one->what == waiting_for::data) {
                said += "; the task of " + one->declared.name() + " waits to read the stream of " + one->on.name();
            }
        }
        throw std::runtime_error(said);
    }

    [[gnu::noinline]] void enter(task_state &one) {
        if (one.is_over) {
            return;
        }
        if (one.stack == nullptr) {
            one.stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
            if (one.stack == MAP_FAILED) {
                one.stack = nullptr;
                throw std::runtime_error("there is no memory for the stack of a task");
            }
            mprotect(one.stack, 4096, PROT_NONE);
            getcontext(&one.here);
            one.here.uc_stack.ss_sp = one.stack;
            one.here.uc_stack.ss_size = stack_bytes;
            one.here.uc_link = nullptr;
            const auto both = reinterpret_cast<std::uintptr_t>(this);
            makecontext(&one.here, reinterpret_cast<void (*)()>(repeat), 2, static_cast<unsigned>(both),
                        static_cast<unsigned>(static_cast<std::uint64_t>(both) >> 32));
        }
        running = &one;
        swapcontext(&home, &one.here);
        running = nullptr;
        if (one.failed != nullptr) {
            one.is_over = true;
            std::rethrow_exception(std::exchange(one.failed, nullptr));
        }
    }

    [[gnu::noinline]] void leave() { swapcontext(&running->here, &home); }

    // What a task does on its own stack. A call that moves nothing lets others run: else it would go on alone.
    static void repeat(unsigned low, unsigned high) {
        auto *all = reinterpret_cast<schedule *>(static_cast<std::uintptr_t>(std::uint64_t(high) << 32 | low));
        for (;;) {
            const std::uint64_t before = all->moved;
            try {
                all->running->work->call();
            } catch (...) {
                all->running->failed = std::current_exception();
            }
            if (all->moved == before || all->running->failed != nullptr) {
                all->give_way();
            }
        }
    }

    std::vector<std::unique_ptr<task_state>> tasks;
    std::vector<std::shared_ptr<void>> kept;
    std::vector<std::unique_ptr<window>> lasting;
    ucontext_t home;
    task_state *running = nullptr;
    std::size_t limit = std::size_t(1) << 16;
};

// Of the kernel that this thread runs. It is kept: a program's streams may end after it.
inline schedule &of_program() {
    static auto *all = new schedule;
    return *all;
}
inline thread_local schedule *of_thread = nullptr;
[[gnu::noinline]] inline schedule &current() { return of_thread == nullptr ? of_program() : *of_thread; }

inline int declare(const char *file, int line) {
    current().declaring = spot{file, line};
    return line;
}

// How a task holds an argument: a number by its value, anything else where it is.
template <class T_, class = void> struct bound {
    T_ &value;
    explicit bound(T_ &of) : value(of) {}
    T_ &get() const { return value; }
};
template <class T_> struct bound<T_, std::enable_if_t<std::is_arithmetic<T_>::value || std::is_enum<T_>::value>> {
    T_ value;
    explicit bound(const T_ &of) : value(of) {}
    T_ get() const { return value; }
};
// Memory: the argument of the run in which the task is called.
template <class T_> struct bound<T_ *> {
    T_ *plain;
    std::uint32_t argument = ~0U;
    std::ptrdiff_t offset = 0;
    explicit bound(T_ *of) : plain(of) {
        const schedule &all = current();
        for (std::uint32_t index = 0; all.run != nullptr && index < all.arguments; ++index) {
            const window &reach = all.run->windows[index];
            auto *place = reinterpret_cast<const unsigned char *>(of);
            if (reach.bytes != 0 && place >= reach.data && place < reach.data + reach.bytes) {
                argument = index;
                offset = place - reach.data;
            }
        }
    }
    T_ *get() const {
        const schedule &all = current();
        if (argument == ~0U || all.run == nullptr) {
            return plain;
        }
        return reinterpret_cast<T_ *>(all.run->windows[argument].data + offset);
    }
};

template <class P_> struct bound<P_, std::enable_if_t<P_::derate_is_port>> {
    std::uint32_t argument;
    std::uint64_t offset;
    explicit bound(const P_ &of) : argument(of.derate_argument()), offset(of.derate_address() - current().run->registers[argument]) {}
    P_ get() const {
        schedule &all = current();
        return P_(all.window_of(argument), argument, all.run->registers[argument] + offset);
    }
};

// Where a kernel's run begins and ends (kernel.h).
inline void begin_tasks(void **slot, frame *of, std::uint32_t count) {
    if (*slot == nullptr) {
        *slot = new schedule;
    }
    of_thread = static_cast<schedule *>(*slot);
    of_thread->begin_run(of, count);
}
inline void drain_tasks() { current().drain(); }
inline void end_tasks() { current().end_run(); }
inline const task_hooks task_functions = {begin_tasks, drain_tasks, end_tasks};
inline const bool has_hooks = (hooks = &task_functions) != nullptr;

} // namespace derate
