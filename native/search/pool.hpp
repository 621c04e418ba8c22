// Memory for the blocks of a tree: one reservation with a hard cap, committed as it is used.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

namespace honte::search {

/// Blocks are named by their offset in units of 8 bytes, so a 32-bit name reaches 32 GiB.
class Pool {
public:
    static constexpr uint32_t kNone = 0;
    static constexpr uint32_t kFirst = 8;  // names below are reserved

    explicit Pool(size_t bytes) : bytes_(bytes), capacity_(static_cast<uint32_t>(bytes / 8 - 1)) {
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        base_ = static_cast<char*>(memory);
#if defined(MADV_HUGEPAGE)
        // Huge pages save TLB misses in a large tree; for many small trees they would be mostly
        // waste.
        if (bytes >= kLarge) madvise(base_, bytes, MADV_HUGEPAGE);
#endif
    }
    ~Pool() { munmap(base_, bytes_); }
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    /// Take this many units from the unused end; kNone if they are not left.
    uint32_t take(uint32_t units) {
        uint32_t start = used_.load(std::memory_order_relaxed);
        do {
            if (size_t{start} + units > capacity_) return kNone;
        } while (!used_.compare_exchange_weak(start, start + units, std::memory_order_relaxed));
        return start;
    }
    void clear() { used_.store(kFirst, std::memory_order_relaxed); }

    char* at(uint32_t name) const { return base_ + size_t{name} * 8; }
    size_t bytes_used() const { return size_t{used_.load(std::memory_order_relaxed)} * 8; }

private:
    static constexpr size_t kLarge = 16 << 20;

    char* base_;
    size_t bytes_;
    uint32_t capacity_;  // one unit less: selection reads a whole vector from a block's totals
    std::atomic<uint32_t> used_{kFirst};
};

}  // namespace honte::search
