// A stand-in for the vendor's header where that is absent: a stream whose elements are arrays. Whoever holds a lock on a block
// reads or writes its elements in any order; the block goes on where the lock ends. Within a kernel there is room for any number.
#pragma once

#include <deque>
#include <memory>
#include <type_traits>

#include "derate/tasks.h"

namespace hls {

template <class BLOCK> class read_lock;
template <class BLOCK> class write_lock;

// `BLOCK` is an array type. DEPTH is the number of blocks on the device.
template <class BLOCK, int DEPTH = 2> class stream_of_blocks;

namespace blocks {
// What locks know of a stream.
template <class BLOCK> class waiting {
  public:
    explicit waiting(derate::spot at) : declared(at) {}
    waiting(const waiting &) = delete;
    waiting &operator=(const waiting &) = delete;
    bool empty() const {
        if (ready.empty()) {
            derate::current().give_way();
        }
        return ready.empty();
    }
    bool full() const { return false; }

  private:
    friend class read_lock<BLOCK>;
    friend class write_lock<BLOCK>;
    struct holder {
        BLOCK block;
    };
    std::deque<std::unique_ptr<holder>> ready;
    derate::spot declared;
};
} // namespace blocks

template <class BLOCK, int DEPTH> class stream_of_blocks : public blocks::waiting<BLOCK> {
  public:
    stream_of_blocks(const char * = nullptr, const char *file = __builtin_FILE(), int line = __builtin_LINE())
        : blocks::waiting<BLOCK>(derate::spot{file, line}) {}
};

// The oldest block, until the lock ends.
template <class BLOCK> class read_lock {
    using element = std::remove_extent_t<BLOCK>;

  public:
    [[gnu::noinline]] explicit read_lock(blocks::waiting<BLOCK> &of) {
        derate::schedule &all = derate::current();
        if (of.ready.empty()) {
            all.await(derate::waiting_for::data, of.declared, [&of] { return !of.ready.empty(); });
        }
        ++all.moved;
        held = std::move(of.ready.front());
        of.ready.pop_front();
    }
    read_lock(const read_lock &) = delete;
    read_lock &operator=(const read_lock &) = delete;
    element &operator[](std::size_t at) const { return held->block[at]; }
    operator BLOCK &() const { return held->block; }

  private:
    std::unique_ptr<typename blocks::waiting<BLOCK>::holder> held;
};

// A new block, which goes on where the lock ends.
template <class BLOCK> class write_lock {
    using element = std::remove_extent_t<BLOCK>;

  public:
    [[gnu::noinline]] explicit write_lock(blocks::waiting<BLOCK> &to) : of(to), held(new typename blocks::waiting<BLOCK>::holder) {
        derate::schedule &all = derate::current();
        if (all.is_in_task()) {
            all.await(derate::waiting_for::room, of.declared, [this, &all] { return of.ready.size() < all.room(); });
        }
    }
    write_lock(const write_lock &) = delete;
    write_lock &operator=(const write_lock &) = delete;
    [[gnu::noinline]] ~write_lock() {
        ++derate::current().moved;
        of.ready.push_back(std::move(held));
    }
    element &operator[](std::size_t at) const { return held->block[at]; }
    operator BLOCK &() const { return held->block; }

  private:
    blocks::waiting<BLOCK> &of;
    std::unique_ptr<typename blocks::waiting<BLOCK>::holder> held;
};

} // namespace hls
