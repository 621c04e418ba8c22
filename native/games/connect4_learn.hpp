// Learns how strong the shapes round a move are, from what searches thought of the moves.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "games/connect4.hpp"

namespace honte::connect4 {

/// Chances of moves as the softmax of the sum of their features' logarithms, brought close to the
/// shares that are given, by gradient steps (Adagrad).
class Learner {
public:
    Learner() : logs_(Shapes::kCount), steepness_(Shapes::kCount, 1e-8f) {}

    /// One position: its moves, and how much of the whole each deserves.
    void add(const State& state, std::span<const std::pair<Move, float>> shares) {
        const Shapes shapes = state.shapes();
        for (const auto& [col, share] : shares) {
            Features features;
            features.fill(kNone);
            size_t next = 0;
            shapes.of(col, state.landing(col), [&](int feature) {
                features[next++] =
                    static_cast<uint16_t>(std::min(feature, Shapes::mirrored(feature)));
            });
            moves_.push_back(features);
            shares_.push_back(share);
        }
        positions_.push_back({moves_.size() - shares.size(), shares.size()});
    }
    size_t size() const { return positions_.size(); }

    /// Go through all positions once, in random order.
    void step(double rate, double decay, uint64_t seed) {
        std::vector<uint32_t> order(positions_.size());
        std::iota(order.begin(), order.end(), 0u);
        Rng rng(seed);
        for (size_t i = order.size(); i > 1; --i)
            std::swap(order[i - 1], order[rng.below(static_cast<unsigned>(i))]);
        std::vector<double> chances;
        for (const uint32_t at : order) {
            const Position& position = positions_[at];
            foretell(*this, position, chances);
            for (size_t i = 0; i < position.count; ++i) {
                const auto slope = static_cast<float>(chances[i]) - shares_[position.first + i];
                for (const uint16_t feature : moves_[position.first + i]) {
                    if (feature == kNone) break;
                    const float g = slope + static_cast<float>(decay) * logs_[feature];
                    steepness_[feature] += g * g;
                    logs_[feature] -= static_cast<float>(rate) * g / std::sqrt(steepness_[feature]);
                }
            }
        }
    }

    struct Measure {
        double likelihood;  // mean logarithm of the chances, weighed by the shares
        double entropy;     // of the shares themselves: what the likelihood could be at best
        double first;       // how often the move of the largest share was the most likely one
    };
    /// How well the shares of other positions are foretold.
    Measure measure(const Learner& other) const {
        Measure total{0, 0, 0};
        std::vector<double> chances;
        for (const Position& position : other.positions_) {
            other.foretell(*this, position, chances);
            const auto shares = std::span(other.shares_).subspan(position.first, position.count);
            for (size_t i = 0; i < shares.size(); ++i) {
                total.likelihood += shares[i] * std::log(chances[i]);
                if (shares[i] > 0) total.entropy += shares[i] * std::log(shares[i]);
            }
            total.first += std::max_element(shares.begin(), shares.end()) - shares.begin() ==
                           std::max_element(chances.begin(), chances.end()) - chances.begin();
        }
        const double n = std::max<double>(1, static_cast<double>(other.size()));
        return {total.likelihood / n, total.entropy / n, total.first / n};
    }

    /// What was learned, for every feature.
    std::vector<float> logs() const {
        std::vector<float> found;
        for (int i = 0; i < Shapes::kCount; ++i)
            found.push_back(logs_[static_cast<size_t>(std::min(i, Shapes::mirrored(i)))]);
        return found;
    }

private:
    static constexpr uint16_t kNone = UINT16_MAX;
    using Features = std::array<uint16_t, Shapes::kOfMove>;
    struct Position {
        size_t first, count;
    };

    void foretell(const Learner& by, const Position& position, std::vector<double>& chances) const {
        chances.clear();
        double most = -1e300, sum = 0;
        for (size_t i = 0; i < position.count; ++i) {
            double log = 0;
            for (const uint16_t feature : moves_[position.first + i]) {
                if (feature == kNone) break;
                log += by.logs_[feature];
            }
            most = std::max(most, chances.emplace_back(log));
        }
        for (double& chance : chances) sum += chance = std::exp(chance - most);
        for (double& chance : chances) chance /= sum;
    }

    std::vector<Position> positions_;
    std::vector<Features> moves_;
    std::vector<float> shares_;
    std::vector<float> logs_, steepness_;
};

}  // namespace honte::connect4
