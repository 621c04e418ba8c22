// Random numbers for playouts: small, fast, and the same on every machine.
#pragma once

#include <cstdint>

namespace honte {

/// Spread the bits of a seed: the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
constexpr uint64_t mix(uint64_t x) {
    x += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
}

/// A Weyl sequence folded by one wide multiplication (the idea of Wang Yi's wyrand).
///
/// The dependency chain from one state to the next is a single addition, so the processor can
/// compute the numbers of several plies at the same time.
class Rng {
public:
    explicit constexpr Rng(uint64_t seed) : state_(mix(seed)) {}

    constexpr uint64_t next() {
        state_ += 0xa0761d6478bd642fULL;
        const unsigned __int128 product =
            static_cast<unsigned __int128>(state_) * (state_ ^ 0xe7037ed1a0b428dbULL);
        return static_cast<uint64_t>(product >> 64) ^ static_cast<uint64_t>(product);
    }

    /// A whole number in 0 … n−1 (Lemire's multiplication; its bias is under n/2³²).
    constexpr uint32_t below(uint32_t n) {
        return static_cast<uint32_t>(((next() & 0xffffffffULL) * n) >> 32);
    }

private:
    uint64_t state_;
};

}  // namespace honte
