// A stand-in for the vendor's header where that is absent: tasks, and channels between them.
#pragma once

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "derate/tasks.h"
#include "hls_stream.h"

// What a declaration says it is, with its place; it stays from one call to the next, as on the device.
#define DERATE_JOINED(A_, B_) A_##B_
#define DERATE_NAMED(A_, B_) DERATE_JOINED(A_, B_)
#define hls_thread_local                                                                                               \
    [[maybe_unused]] static const int DERATE_NAMED(derate_declared_, __COUNTER__) = derate::declare(__FILE__, __LINE__); \
    static

namespace hls {

// A function that runs again and again beside the one that declares it.
class task {
  public:
    task() : declared(derate::current().declaring) {}
    template <class F_, class... A_> explicit task(F_ &&function, A_ &&...arguments) : task() {
        (*this)(std::forward<F_>(function), std::forward<A_>(arguments)...);
    }
    task(const task &) = delete;
    task &operator=(const task &) = delete;

    template <class F_, class... A_> [[gnu::noinline]] void operator()(F_ &&function, A_ &&...arguments) {
        if (is_given) {
            return;
        }
        is_given = true;
        using values = std::tuple<derate::bound<std::remove_reference_t<A_>>...>;
        const std::shared_ptr<values> held(new values(derate::bound<std::remove_reference_t<A_>>(arguments)...));
        std::decay_t<F_> callee = function;
        derate::schedule &all = derate::current();
        all.declaring = declared;
        all.add([callee, held] { std::apply([&](const auto &...one) { callee(one.get()...); }, *held); });
    }

  private:
    derate::spot declared;
    bool is_given = false;
};

// Calls a function so many times, as a kernel that starts itself again.
class autorestart {
  public:
    template <class F_, class... A_> autorestart(unsigned times, F_ &&function, A_ &&...arguments) {
        for (unsigned time = 0; time < times; ++time) {
            function(arguments...);
        }
    }
};

} // namespace hls
