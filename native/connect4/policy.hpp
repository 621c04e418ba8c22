// The policy of Connect Four: move probabilities by a linear softmax over move patterns.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "connect4/game.hpp"
#include "connect4/move_patterns.hpp"
#include "search/game.hpp"

namespace honte::connect4 {

/// The weight of every feature: the logarithm of its odds, in sixteenths.
class PolicyWeights final : public search::Policy {
public:
    explicit PolicyWeights(std::span<const float> logs) {
        if (logs.size() != MovePatterns::kCount)
            throw std::invalid_argument("a Connect Four policy has one weight for every feature");
        for (const float log : logs)
            logs_.push_back(static_cast<int8_t>(std::clamp(std::lround(16 * log), -127L, 127L)));
    }

    /// The softmax over some moves of a position.
    void probabilities(const MovePatterns& patterns, const uint16_t* actions, int count,
                       float* found) const {
        int logs[kMaxSide], most = INT32_MIN;
        for (int i = 0; i < count; ++i) {
            logs[i] = of(patterns, actions[i] / kMaxSide, actions[i] % kMaxSide);
            most = std::max(most, logs[i]);
        }
        float sum = 0;
        for (int i = 0; i < count; ++i) sum += found[i] = odds(most - logs[i]);
        for (int i = 0; i < count; ++i) found[i] /= sum;
    }
    int of(const MovePatterns& patterns, int col, int height) const {
        int sum = 0;
        patterns.of(col, height, [&](int feature) { sum += logs_[static_cast<size_t>(feature)]; });
        return sum;
    }

    /// e to the minus i/16.
    static float odds(int i) { return kOdds[static_cast<size_t>(std::min(i, 127))]; }

private:
    static constexpr auto kOdds = [] {
        std::array<float, 128> odds{};
        double power = 1;
        for (float& each : odds) each = static_cast<float>(power), power *= 0.93941306281347578;
        return odds;
    }();
    std::vector<int8_t> logs_;
};

inline void set_probabilities(const State& state, const PolicyWeights& weights,
                              const uint16_t* actions, int count, float* out) {
    weights.probabilities(MovePatterns(state), actions, count, out);
}

}  // namespace honte::connect4

template <>
struct honte::search::PolicyOf<honte::connect4::State> {
    using Weights = connect4::PolicyWeights;
};
