// The tree's memory: block allocation, subtree reuse for a new root, transpositions.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#include "search/block.hpp"
#include "search/pool.hpp"

namespace honte::search {

/// A place in the tree: child i of a block.
struct Entry {
    Block* block;
    int i;

    uint32_t visits() const { return get(block->visits_of()[i]); }
    int64_t points() const { return get(block->points()[i]); }
    int64_t leads() const { return get(block->leads()[i]); }
    uint16_t info() const { return get(block->info()[i]); }
    int action() const { return block->action()[i]; }
    /// Acquires: a block that another thread has published is seen whole.
    uint32_t link() const { return __atomic_load_n(&block->link()[i], __ATOMIC_ACQUIRE); }
    void publish(uint32_t name) const {
        __atomic_store_n(&block->link()[i], name, __ATOMIC_RELEASE);
    }
    /// Only one thread makes the children; the others go on without them.
    bool claim() const {
        uint32_t nobody = Pool::kNone;
        return __atomic_compare_exchange_n(&block->link()[i], &nobody, kClaimed, false,
                                           __ATOMIC_RELAXED, __ATOMIC_RELAXED);
    }
    static constexpr uint32_t kClaimed = 1;
};

/// Transposition table: equal positions share their children. An entry is two words, the first
/// mixed with the second, so that a torn pair is not found.
class Table {
public:
    explicit Table(size_t bytes) {
        if (bytes == 0) return;
        count_ = 1024;
        while (count_ * 2 * sizeof(Slot) <= bytes) count_ *= 2;
        slots_.reset(static_cast<Slot*>(std::calloc(count_, sizeof(Slot))));
        if (!slots_) throw std::bad_alloc();
    }
    uint32_t find(uint64_t key) const {
        const Slot& slot = slots_[key & (count_ - 1)];
        const uint64_t name = __atomic_load_n(&slot.name, __ATOMIC_ACQUIRE);
        return get(slot.mixed) == (key ^ name) ? static_cast<uint32_t>(name) : Pool::kNone;
    }
    void put(uint64_t key, uint32_t name) {
        Slot& slot = slots_[key & (count_ - 1)];
        search::put(slot.mixed, key ^ name);
        __atomic_store_n(&slot.name, uint64_t{name}, __ATOMIC_RELEASE);
    }
    void clear() {
        if (slots_) std::memset(static_cast<void*>(slots_.get()), 0, bytes());
    }
    bool empty() const { return count_ == 0; }
    size_t bytes() const { return count_ * sizeof(Slot); }

private:
    struct Slot {
        uint64_t mixed, name;
    };
    struct Free {
        void operator()(Slot* slots) const { std::free(slots); }
    };
    size_t count_ = 0;
    std::unique_ptr<Slot[], Free> slots_;  // from calloc: pages are touched as they are used
};

class Tree {
public:
    Tree(size_t bytes, Extras extras, bool transpositions)
        : extras_(extras), table_(transpositions ? bytes / 16 : 0), pool_(bytes - table_.bytes()) {
        clear();
    }

    Extras extras() const { return extras_; }
    /// The root itself: its link is the root's children, its proof the root's.
    Entry root() const { return {at(root_), 0}; }
    Block* at(uint32_t name) const { return reinterpret_cast<Block*>(pool_.at(name)); }
    Table& table() { return table_; }
    bool shares() const { return !table_.empty(); }

    void clear() {
        if (nodes_ > 0) table_.clear();
        pool_.clear();
        spare_.assign(spare_.size(), Pool::kNone);
        garbage_ = Pool::kNone;
        nodes_ = 0;
        full_ = false;
        root_ = pool_.take(Block::units(1, extras_));
        at(root_)->clear(1, extras_);
    }

    /// Memory that one thread has taken ahead, and the nodes it made there.
    struct Chunk {
        uint32_t next = 0, end = 0;
        int64_t nodes = 0;
    };

    /// A cleared block for this many children; Pool::kNone when the cap is reached.
    uint32_t make(int children, Chunk& chunk) {
        const uint32_t units = Block::units(children, extras_);
        uint32_t name = take(units, chunk);
        if (name == Pool::kNone) {
            full_.store(true, std::memory_order_relaxed);
            name = reuse(units);
        }
        if (name == Pool::kNone) return name;
        at(name)->clear(children, extras_);
        chunk.nodes += children;
        return name;
    }
    /// Add a thread's new nodes to the node count.
    void count(Chunk& chunk) {
        nodes_ += chunk.nodes;
        chunk.nodes = 0;
    }

    /// Make an entry below the root the new root. Everything else becomes garbage, which is turned
    /// into free blocks lazily, one at a time, once the fresh memory has run out.
    void reroot(Entry entry) {
        const Entry old = root();
        const uint32_t kept = entry.link();
        const uint32_t visits = entry.visits();
        const int64_t points = entry.points(), leads = extras_.leads ? entry.leads() : 0;
        const uint16_t info = entry.info();
        entry.publish(Pool::kNone);
        if (!shares()) discard(old.link());
        at(root_)->clear(1, extras_);
        Block& root = *at(root_);
        root.link()[0] = kept;
        root.visits_of()[0] = visits;
        root.points()[0] = points;
        if (extras_.leads) root.leads()[0] = leads;
        root.info()[0] = info;
    }

    int64_t nodes() const { return nodes_; }
    bool is_full() const { return full_.load(std::memory_order_relaxed); }
    size_t bytes_used() const { return pool_.bytes_used() + table_.bytes(); }

private:
    static constexpr uint32_t kChunk = 4096;  // units: 32 KiB

    uint32_t take(uint32_t units, Chunk& chunk) {
        if (units > chunk.end - chunk.next) {
            if (is_full()) return Pool::kNone;
            const uint32_t size = std::max(units, kChunk);
            uint32_t start = pool_.take(size);
            if (start == Pool::kNone) return pool_.take(units);  // the last bit of the pool
            chunk.next = start;
            chunk.end = start + size;
        }
        chunk.next += units;
        return chunk.next - units;
    }

    void discard(uint32_t name) {
        if (name < Pool::kFirst) return;
        at(name)->visits = garbage_;  // the header's count is not needed any more
        garbage_ = name;
    }

    uint32_t reuse(uint32_t units) {
        const std::lock_guard lock(mutex_);
        if (spare_.size() <= units) spare_.resize(units + 1, Pool::kNone);
        while (spare_[units] == Pool::kNone && garbage_ != Pool::kNone) {
            const uint32_t name = garbage_;
            Block& block = *at(name);
            garbage_ = block.visits;
            for (int i = 0; i < block.count; ++i) discard(block.link()[i]);
            nodes_ -= block.count;
            const uint32_t size = Block::units(block.count, extras_);
            if (spare_.size() <= size) spare_.resize(size + 1, Pool::kNone);
            block.visits = spare_[size];
            spare_[size] = name;
        }
        const uint32_t name = spare_[units];
        if (name != Pool::kNone) spare_[units] = at(name)->visits;
        return name;
    }

    Extras extras_;
    Table table_;
    Pool pool_;
    uint32_t root_ = Pool::kNone;
    std::atomic<bool> full_{false};
    std::mutex mutex_;  // guards what follows while threads run
    int64_t nodes_ = 0;
    std::vector<uint32_t> spare_;  // free blocks by size, chained through `visits`
    uint32_t garbage_ = Pool::kNone;
};

}  // namespace honte::search
