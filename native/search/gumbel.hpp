// Gumbel search: sequential halving at the root, and the policy that a search has improved
// (Danihelka, Guez, Schrittwieser, Silver 2022: "Policy improvement by planning with Gumbel").
//
// The moves of highest g + ln P, where g is Gumbel noise, are a sample of the policy without
// replacement. All of them get the same number of visits, then the better half by g + ln P + σ(q),
// and so on. An unvisited move counts with the mixed value v of the paper, so that every move has a
// completed q; the improved policy is softmax(ln P + σ(q)).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <tuple>
#include <vector>

#include "core/rng.hpp"
#include "search/block.hpp"
#include "search/settings.hpp"

namespace honte::search {

/// A number strictly between 0 and 1.
inline double uniform(Rng& rng) { return (static_cast<double>(rng.next() >> 11) + 0.5) * 0x1p-53; }

/// ln P + σ(q) of every child of a root.
inline std::vector<double> improved_logits(Block& block) {
    constexpr double kVisitOffset = 50, kValueScale = 1;  // the paper's, for q in 0 … 1
    const auto count = static_cast<size_t>(block.count);
    std::vector<double> q(count), logits(count);
    uint32_t total = 0, most = 0;
    double probability = 0, mean = 0;  // of what was visited
    for (size_t i = 0; i < count; ++i) {
        const uint32_t visits = block.visits_of()[i];
        const Proof proof = proof_of(block.info()[i]);
        if (visits > 0) q[i] = static_cast<double>(block.points()[i]) / kUnit / visits / 2;
        if (proof != kOpen) q[i] = (value_of(proof) + 1) / 2;
        total += visits;
        most = std::max(most, visits);
        if (visits == 0) continue;
        const double p = std::max(block.policy()[i], 1e-9f);
        probability += p;
        mean += p * q[i];
    }
    double mixed = (block.evaluation() + 1) / 2;
    if (total > 0) mixed = (mixed + total * mean / probability) / (1 + total);
    for (size_t i = 0; i < count; ++i) {
        if (block.visits_of()[i] == 0 && proof_of(block.info()[i]) == kOpen) q[i] = mixed;
        logits[i] = std::log(std::max(block.policy()[i], 1e-9f)) +
                    (kVisitOffset + most) * kValueScale * q[i];
    }
    return logits;
}

/// The improved policy of every child.
inline std::vector<double> improved_policy(Block& block) {
    std::vector<double> shares = improved_logits(block);
    const double most = *std::max_element(shares.begin(), shares.end());
    double sum = 0;
    for (double& share : shares) sum += share = std::exp(share - most);
    for (double& share : shares) share /= sum;
    return shares;
}

/// Which child of a root is visited next.
class Halving {
public:
    static constexpr int kWait = -1;  // for the evaluations under way
    static constexpr int kNone = -2;  // every move is lost

    /// Begin with a root whose moves have probabilities.
    Halving(Block& block, const Settings& settings, uint64_t iterations, Rng& rng)
        : iterations_(iterations),
          noise_(block.count),
          before_(block.visits_of(), block.visits_of() + block.count),
          alive_(block.count) {
        for (double& noise : noise_)
            noise = settings.gumbel_scale * -std::log(-std::log(uniform(rng)));
        std::iota(alive_.begin(), alive_.end(), 0);
        // Not by q: statistics of an earlier search must not exclude a move.
        rank([&](int i) { return std::log(std::max(block.policy()[i], 1e-9f)); });
        keep(static_cast<size_t>(settings.considered));
        phases_ = 1;
        while (1u << phases_ < alive_.size()) ++phases_;
        grant();
    }

    int select(Block& block, bool waits) {
        for (;;) {
            int next = kNone;
            bool open = false;
            for (const int i : alive_) {
                if (proof_of(block.info()[i]) == kLoss) continue;
                open = true;
                if (visits(block, i) >= granted_) continue;
                if (next == kNone || visits(block, i) < visits(block, next)) next = i;
            }
            if (next != kNone) return next;
            if (!open) return kNone;
            if (waits) return kWait;
            rank_by_value(block);
            keep(std::max<size_t>(2, alive_.size() / 2));
            grant();
        }
    }

    /// The move to play: the best of the most visited ones.
    int choice(Block& block) const {
        const std::vector<double> logits = improved_logits(block);
        const auto key = [&](int i) {
            return std::tuple(proof_of(block.info()[i]) != kLoss, visits(block, i),
                              noise_[static_cast<size_t>(i)] + logits[static_cast<size_t>(i)]);
        };
        return *std::max_element(alive_.begin(), alive_.end(),
                                 [&](int a, int b) { return key(a) < key(b); });
    }

private:
    uint32_t visits(Block& block, int i) const {
        return block.visits_of()[i] - before_[static_cast<size_t>(i)];
    }
    template <class Score>
    void rank(Score of) {
        std::stable_sort(alive_.begin(), alive_.end(), [&](int a, int b) {
            return noise_[static_cast<size_t>(a)] + of(a) > noise_[static_cast<size_t>(b)] + of(b);
        });
    }
    void rank_by_value(Block& block) {
        const std::vector<double> logits = improved_logits(block);
        rank([&](int i) { return logits[static_cast<size_t>(i)]; });
    }
    void keep(size_t best) {
        while (alive_.size() > best) alive_.pop_back();
    }
    /// Grant each remaining move its share of one phase.
    void grant() {
        granted_ += static_cast<uint32_t>(std::clamp<uint64_t>(
            iterations_ / (static_cast<uint64_t>(phases_) * alive_.size()), 1, 1u << 30));
    }

    uint64_t iterations_;
    int phases_ = 1;
    std::vector<double> noise_;
    std::vector<uint32_t> before_;  // visits from before this search
    std::vector<int> alive_;        // the best first
    uint32_t granted_ = 0;          // visits for each of them, phases so far together
};

/// Mix Dirichlet noise into the probabilities of a root (as in AlphaZero).
inline void add_noise(Block& block, const Settings& settings, Rng& rng) {
    // Gamma(α) by Marsaglia & Tsang 2000, for α + 1 and then scaled, as α is mostly below 1.
    const auto gamma = [&](double alpha) {
        const double d = alpha + 1 - 1.0 / 3, c = 1 / std::sqrt(9 * d);
        for (;;) {
            const double normal =
                std::sqrt(-2 * std::log(uniform(rng))) * std::cos(6.283185307179586 * uniform(rng));
            const double v = std::pow(1 + c * normal, 3);
            if (v > 0 && std::log(uniform(rng)) < normal * normal / 2 + d - d * v + d * std::log(v))
                return d * v * std::pow(uniform(rng), 1 / alpha);
        }
    };
    std::vector<double> drawn(static_cast<size_t>(block.count));
    double sum = 1e-300;
    for (double& one : drawn) sum += one = gamma(settings.alpha);
    for (int i = 0; i < block.count; ++i)
        block.policy()[i] =
            static_cast<float>((1 - settings.noise) * block.policy()[i] +
                               settings.noise * drawn[static_cast<size_t>(i)] / sum);
}

}  // namespace honte::search
