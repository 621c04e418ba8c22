// A transposition table shared by threads without locks.
//
// An entry is two words: the bounds, and the key XORed with the bounds. A reader of a torn entry
// finds a key that matches nothing and takes it for empty (Hyatt & Mann 2002).
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>

#include "othello/game.hpp"

namespace honte::othello {

/// What is known of a position. Scores are in the units of the search that stores them.
struct Bounds {
    static constexpr int kNoMove = 127;
    static constexpr int kExact = 15;  // the selectivity of full-width searches

    int low, high;
    int depth;                 // plies searched; for the endgame, the empties
    int selectivity = kExact;  // 0, the most selective, to 15, full width
    int move = kNoMove;        // the best move of the last search
    int second = kNoMove;      // the best one before it
};

class Table {
public:
    explicit Table(size_t megabytes) {
        const size_t wanted = (megabytes << 20) / sizeof(Bucket);
        buckets_ = std::bit_floor(wanted ? wanted : 1);
        const size_t bytes = buckets_ * sizeof(Bucket);
        void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
        madvise(memory, bytes, MADV_HUGEPAGE);
#endif
        memory_ = static_cast<Bucket*>(memory);
    }
    ~Table() { munmap(static_cast<void*>(memory_), bytes()); }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    size_t bytes() const { return buckets_ * sizeof(Bucket); }

    static uint64_t key_of(const Board& board) {
        // A 64×64-bit product folded in half, twice: every bit of the board reaches every bit.
        const uint64_t first =
            fold(board.own ^ 0x9e3779b97f4a7c15ULL, board.other ^ 0xc2b2ae3d27d4eb4fULL);
        return fold(first ^ std::rotl(board.own, 31), 0xd6e8feb86659fd93ULL ^ board.other);
    }

    /// From now on, entries of earlier searches are replaced first.
    void new_search() { age_.fetch_add(1, std::memory_order_relaxed); }

    bool find(uint64_t key, Bounds& found) const {
        const Bucket& bucket = memory_[key & (buckets_ - 1)];
        for (const Entry& entry : bucket.entries) {
            const uint64_t data = get(entry.data);
            if ((get(entry.check) ^ data) == key && data) {
                found = unpack(data);
                return true;
            }
        }
        return false;
    }

    void store(uint64_t key, const Bounds& bounds) {
        const unsigned age = age_.load(std::memory_order_relaxed) & kAgeMask;
        Bucket& bucket = memory_[key & (buckets_ - 1)];
        Entry* victim = nullptr;
        int least = 1 << 20;
        for (Entry& entry : bucket.entries) {
            const uint64_t data = get(entry.data);
            if (!data || (get(entry.check) ^ data) == key) {
                victim = &entry;
                break;
            }
            // Depth protects only the entries of the current search.
            const int worth = static_cast<int>(data >> 32 & 63) +
                              ((data >> kAgeShift & kAgeMask) == age ? 64 : 0);
            if (worth < least) {
                least = worth;
                victim = &entry;
            }
        }
        const uint64_t data = pack(bounds) | uint64_t{age} << kAgeShift;
        put(victim->check, key ^ data);
        put(victim->data, data);
    }

    void clear() {
        for (size_t i = 0; i < buckets_; ++i)
            for (Entry& entry : memory_[i].entries) put(entry.check, 0), put(entry.data, 0);
    }

private:
    struct Entry {
        std::atomic<uint64_t> check, data;
    };
    struct alignas(64) Bucket {
        Entry entries[4];
    };

    // low 16 | high 16 | depth 6 | selectivity 4 | move 7 | second 7 | age 8
    static constexpr int kAgeShift = 56;
    static constexpr unsigned kAgeMask = 255;

    static uint64_t pack(const Bounds& b) {
        return static_cast<uint64_t>(static_cast<uint16_t>(b.low)) |
               static_cast<uint64_t>(static_cast<uint16_t>(b.high)) << 16 |
               static_cast<uint64_t>(b.depth & 63) << 32 |
               static_cast<uint64_t>(b.selectivity) << 38 | static_cast<uint64_t>(b.move) << 42 |
               static_cast<uint64_t>(b.second) << 49;
    }
    static Bounds unpack(uint64_t data) {
        return {static_cast<int16_t>(data),         static_cast<int16_t>(data >> 16),
                static_cast<int>(data >> 32 & 63),  static_cast<int>(data >> 38 & 15),
                static_cast<int>(data >> 42 & 127), static_cast<int>(data >> 49 & 127)};
    }
    static uint64_t get(const std::atomic<uint64_t>& word) {
        return word.load(std::memory_order_relaxed);
    }
    static void put(std::atomic<uint64_t>& word, uint64_t value) {
        word.store(value, std::memory_order_relaxed);
    }
    static uint64_t fold(uint64_t a, uint64_t b) {
        const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
        return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    }

    size_t buckets_;
    Bucket* memory_;
    std::atomic<unsigned> age_{1};
};

}  // namespace honte::othello
