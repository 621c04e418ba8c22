// Random numbers: the same on every machine, and uniform.
#include "core/rng.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/check.hpp"

namespace honte {
namespace {

TEST(rng, the_same_seed_gives_the_same_numbers_on_every_machine) {
    static_assert(mix(0) == 0xe220a8397b1dcdafULL);  // SplitMix64's first number from seed 0
    Rng rng(0);
    for (const uint64_t number : {0x7950d340a3b9a42dULL, 0xbe1a790822323877ULL,
                                  0xdc8864b58f7f72c8ULL, 0x0214fc0b8ac2229eULL})
        CHECK(rng.next() == number);
    Rng other(0xffffffffffffffffULL);
    for (const uint64_t number : {0xe6b36b5f4baf7f19ULL, 0xca0ae3ebf3e15c0bULL,
                                  0xc12ce27e66728ee5ULL, 0xf6f6aaae74508885ULL})
        CHECK(other.next() == number);
    Rng dice(42);
    for (const uint32_t pips : {4u, 1u, 2u, 0u, 3u, 5u, 2u, 3u, 5u, 3u, 1u, 2u})
        CHECK(dice.below(6) == pips);
}

TEST(rng, below_stays_below_and_reaches_everything_equally) {
    Rng rng(7);
    for (const uint32_t n : {1u, 2u, 7u, 64u, 361u}) {
        constexpr int kDraws = 20000;
        std::vector<int> seen(n);
        for (int i = 0; i < kDraws; ++i) {
            const uint32_t number = rng.below(n);
            if (CHECK(number < n)) ++seen[number];
        }
        const double expected = double(kDraws) / n;
        double chi_squared = 0;
        for (const int count : seen)
            chi_squared += (count - expected) * (count - expected) / expected;
        CHECK(chi_squared < n + 5 * 1.4143 * std::max(1.0, std::sqrt(n)));
    }
}

}  // namespace
}  // namespace honte
