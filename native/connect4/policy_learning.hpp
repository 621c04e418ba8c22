// Learning the policy of Connect Four from the visit counts of searches.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "connect4/move_patterns.hpp"
#include "core/rng.hpp"

namespace honte::connect4 {

/// Fits the softmax of the policy to given visit shares: cross-entropy, by stochastic gradient
/// steps with AdaGrad (Duchi, Hazan, Singer 2011).
class Learner {
public:
    Learner() : logs_(MovePatterns::kCount), squared_gradients_(MovePatterns::kCount, 1e-8f) {}

    /// One training sample: a position, and the share of the visits of each move.
    void add(const State& state, std::span<const std::pair<Move, float>> shares) {
        const MovePatterns patterns(state);
        for (const auto& [col, share] : shares) {
            Features features;
            features.fill(kNone);
            size_t next = 0;
            patterns.of(col, state.landing(col), [&](int feature) {
                features[next++] =
                    static_cast<uint16_t>(std::min(feature, MovePatterns::mirrored(feature)));
            });
            moves_.push_back(features);
            shares_.push_back(share);
        }
        positions_.push_back({moves_.size() - shares.size(), shares.size()});
    }
    size_t size() const { return positions_.size(); }

    /// One epoch over all samples, in random order.
    void step(double rate, double decay, uint64_t seed) {
        std::vector<uint32_t> order(positions_.size());
        std::iota(order.begin(), order.end(), 0u);
        Rng rng(seed);
        for (size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[rng.below(static_cast<unsigned>(i))]);
        std::vector<double> probabilities;
        for (const uint32_t at : order) {
            const Position& position = positions_[at];
            predict(*this, position, probabilities);
            for (size_t i = 0; i < position.count; ++i) {
                const auto gradient =
                    static_cast<float>(probabilities[i]) - shares_[position.first + i];
                for (const uint16_t feature : moves_[position.first + i]) {
                    if (feature == kNone) break;
                    const float g = gradient + static_cast<float>(decay) * logs_[feature];
                    squared_gradients_[feature] += g * g;
                    logs_[feature] -=
                        static_cast<float>(rate) * g / std::sqrt(squared_gradients_[feature]);
                }
            }
        }
    }

    struct Measure {
        double likelihood;  // mean log-probability, weighted by the visit shares
        double entropy;     // of the shares themselves: the best likelihood there can be
        double first;       // how often the most visited move was the most likely one
    };
    /// How well these weights predict other samples.
    Measure measure(const Learner& other) const {
        Measure total{0, 0, 0};
        std::vector<double> probabilities;
        for (const Position& position : other.positions_) {
            other.predict(*this, position, probabilities);
            const auto shares = std::span(other.shares_).subspan(position.first, position.count);
            for (size_t i = 0; i < shares.size(); ++i) {
                total.likelihood += shares[i] * std::log(probabilities[i]);
                if (shares[i] > 0) total.entropy += shares[i] * std::log(shares[i]);
            }
            total.first += std::max_element(shares.begin(), shares.end()) - shares.begin() ==
                           std::max_element(probabilities.begin(), probabilities.end()) -
                               probabilities.begin();
        }
        const double n = std::max<double>(1, static_cast<double>(other.size()));
        return {total.likelihood / n, total.entropy / n, total.first / n};
    }

    /// The weight of every feature.
    std::vector<float> logs() const {
        std::vector<float> found;
        for (int i = 0; i < MovePatterns::kCount; ++i)
            found.push_back(logs_[static_cast<size_t>(std::min(i, MovePatterns::mirrored(i)))]);
        return found;
    }

private:
    static constexpr uint16_t kNone = UINT16_MAX;
    using Features = std::array<uint16_t, MovePatterns::kMaxPerMove>;
    struct Position {
        size_t first, count;
    };

    void predict(const Learner& by, const Position& position,
                 std::vector<double>& probabilities) const {
        probabilities.clear();
        double most = -1e300, sum = 0;
        for (size_t i = 0; i < position.count; ++i) {
            double log = 0;
            for (const uint16_t feature : moves_[position.first + i]) {
                if (feature == kNone) break;
                log += by.logs_[feature];
            }
            most = std::max(most, probabilities.emplace_back(log));
        }
        for (double& p : probabilities) sum += p = std::exp(p - most);
        for (double& p : probabilities) p /= sum;
    }

    std::vector<Position> positions_;
    std::vector<Features> moves_;
    std::vector<float> shares_;
    std::vector<float> logs_, squared_gradients_;
};

}  // namespace honte::connect4
