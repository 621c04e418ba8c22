// Transposition tables of the solver, shared by threads without locks.
//
// A bucket is a cache line. An entry holds the lower and the upper bound proved, the work they took
// (costly entries stay longer), and an epoch: starting a new epoch clears the table.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <utility>

#include "connect4/bits.hpp"

namespace honte::connect4 {

struct Bounds {
    int low, high;
};

/// A position's bucket, and the check that tells it from the others in that bucket.
struct Place {
    uint64_t bucket, check;
};

/// Boards of up to 49 bits: the whole entry in one word. The key is mixed by a bijection and split
/// in two, so bucket and check together identify the position exactly.
class PackedEntry {
public:
    static constexpr unsigned kEpochs = 1u << 10;

    static Place place(uint64_t key, int bucket_bits) {
        constexpr uint64_t mask = (uint64_t{1} << kKeyBits) - 1;
        key ^= key >> 25;
        key = key * 0x1b2e9d4c5a7f3b5ULL & mask;
        key ^= key >> 25;
        key = key * 0x19a3c6e4d2b17f9ULL & mask;
        const int rest = kKeyBits - bucket_bits;
        return {key >> rest, key & ((uint64_t{1} << rest) - 1)};
    }
    static constexpr int kLeastBucketBits = 13;  // with fewer, the check would not fit

    struct Data {
        uint64_t word;
        bool is_of(uint64_t check, unsigned epoch) const {
            return word >> 28 == check && (word & (kEpochs - 1)) == epoch;
        }
        bool is_current(unsigned epoch) const { return (word & (kEpochs - 1)) == epoch; }
        Bounds bounds() const {
            return {static_cast<int>(word >> 22 & 63) - 31, static_cast<int>(word >> 16 & 63) - 31};
        }
        int work() const { return static_cast<int>(word >> 10 & 63); }
    };
    Data load() const { return {word_.load(std::memory_order_relaxed)}; }
    void store(uint64_t check, Bounds bounds, int work, unsigned epoch) {
        // check 36 | low 6 | high 6 | work 6 | epoch 10
        word_.store(check << 28 | static_cast<uint64_t>(bounds.low + 31) << 22 |
                        static_cast<uint64_t>(bounds.high + 31) << 16 |
                        static_cast<uint64_t>(work) << 10 | epoch,
                    std::memory_order_relaxed);
    }

private:
    static constexpr int kKeyBits = 49;
    std::atomic<uint64_t> word_;
};

/// Larger boards: two words, the first XORed with the second, so that a torn entry matches no
/// position (Hyatt & Mann 2002). Up to 64 bits the check is the position itself; beyond, 64 bits of
/// a hash whose other half chose the bucket.
class PairedEntry {
public:
    static constexpr unsigned kEpochs = 1u << 16;
    static constexpr int kLeastBucketBits = 0;

    static Place place(uint64_t key, int bucket_bits) {
        return {top(fold(key ^ 0x9e3779b97f4a7c15ULL, 0xd6e8feb86659fd93ULL), bucket_bits), key};
    }
    template <int N>
    static Place place(const Wide<N>& key, int bucket_bits) {
        uint64_t one = 0x9e3779b97f4a7c15ULL, two = 0xc2b2ae3d27d4eb4fULL;
        for (const uint64_t part : key.part) {
            one = fold(one ^ part, 0xd6e8feb86659fd93ULL);
            two = fold(two ^ part, 0xa0761d6478bd642fULL) + one;
        }
        return {top(one, bucket_bits), two};
    }

    struct Data {
        uint64_t check, word;
        bool is_of(uint64_t wanted, unsigned epoch) const {
            return check == wanted && is_current(epoch);
        }
        bool is_current(unsigned epoch) const { return (word & (kEpochs - 1)) == epoch; }
        Bounds bounds() const {
            return {static_cast<int16_t>(word >> 32), static_cast<int16_t>(word >> 48)};
        }
        int work() const { return static_cast<int>(word >> 16 & 63); }
    };
    Data load() const {
        const uint64_t word = word_.load(std::memory_order_relaxed);
        return {check_.load(std::memory_order_relaxed) ^ word, word};
    }
    void store(uint64_t check, Bounds bounds, int work, unsigned epoch) {
        const uint64_t word = static_cast<uint64_t>(static_cast<uint16_t>(bounds.high)) << 48 |
                              static_cast<uint64_t>(static_cast<uint16_t>(bounds.low)) << 32 |
                              static_cast<uint64_t>(work) << 16 | epoch;
        check_.store(check ^ word, std::memory_order_relaxed);
        word_.store(word, std::memory_order_relaxed);
    }

private:
    static uint64_t fold(uint64_t a, uint64_t b) {
        const unsigned __int128 product = static_cast<unsigned __int128>(a) * b;
        return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
    }
    static uint64_t top(uint64_t hash, int bits) { return bits ? hash >> (64 - bits) : 0; }

    std::atomic<uint64_t> check_, word_;
};

template <class Entry>
class Table {
public:
    explicit Table(size_t bytes) {
        bits_ = std::bit_width(std::max<size_t>(bytes / sizeof(Bucket), 1)) - 1;
        bits_ = std::max(bits_, Entry::kLeastBucketBits);
        void* memory = mmap(nullptr, this->bytes(), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
#if defined(MADV_HUGEPAGE)
        madvise(memory, this->bytes(), MADV_HUGEPAGE);
#endif
        memory_ = static_cast<Bucket*>(memory);
    }
    ~Table() { munmap(static_cast<void*>(memory_), bytes()); }
    Table(const Table&) = delete;
    Table& operator=(const Table&) = delete;

    size_t bytes() const { return sizeof(Bucket) << bits_; }

    /// Must not be called while a search is running.
    void forget() {
        if (++epoch_ < Entry::kEpochs) return;
        std::memset(static_cast<void*>(memory_), 0, bytes());
        epoch_ = 1;
    }

    template <class Word>
    Place place(const Word& key) const {
        return Entry::place(key, bits_);
    }
    void prefetch(const Place& place) const { __builtin_prefetch(&memory_[place.bucket]); }

    bool find(const Place& place, Bounds& found) const {
        for (const Entry& entry : memory_[place.bucket].entries) {
            const auto data = entry.load();
            if (!data.is_of(place.check, epoch_)) continue;
            found = data.bounds();
            return true;
        }
        return false;
    }

    void store(const Place& place, Bounds bounds, int work) {
        Entry* victim = nullptr;
        int least = 1000;
        for (Entry& entry : memory_[place.bucket].entries) {
            const auto data = entry.load();
            if (data.is_of(place.check, epoch_)) {
                const Bounds known = data.bounds();
                bounds = {std::max(bounds.low, known.low), std::min(bounds.high, known.high)};
                victim = &entry;
                break;
            }
            const int worth = data.is_current(epoch_) ? data.work() : -1;
            if (worth < least) {
                least = worth;
                victim = &entry;
            }
        }
        victim->store(place.check, bounds, work, epoch_);
    }

private:
    struct alignas(64) Bucket {
        Entry entries[64 / sizeof(Entry)];
    };

    int bits_;
    Bucket* memory_;
    unsigned epoch_ = 1;  // 0 marks entries never written
};

}  // namespace honte::connect4
