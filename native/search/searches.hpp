// Searches of many games in lockstep, whose leaves an external evaluator sees as one batch.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "search/leaves.hpp"
#include "search/uct.hpp"

namespace honte::search {

/// What is wrong with an evaluator's answer, and where.
struct Fault {
    enum Kind { kPrior, kValue };
    Kind kind;
    size_t row;
    int move;
    double given;
};

template <SearchGame S>
class Searches {
public:
    Searches(const S& root, int games, Settings settings)
        : leaves_(root, static_cast<size_t>(games) * static_cast<size_t>(settings.batch)) {
        settings.evaluator = true;
        settings.games = games;
        for (int i = 0; i < games; ++i) {
            games_.push_back(std::make_unique<Uct<S>>(root, settings));
            ++settings.seed;
        }
    }

    Searches(Searches&&) = default;

    /// Plan a search of every position with this many iterations.
    void plan(uint64_t iterations) {
        for (auto& game : games_) game->plan(iterations);
    }

    /// Collect the leaves of every game; none may be waiting.
    size_t collect() {
        for (int i = 0; i < size(); ++i) {
            leaves_.set_game(i);
            games_[static_cast<size_t>(i)]->collect(leaves_);
        }
        return leaves_.size();
    }

    /// Back up the evaluations of all leaves, priors as [leaves][moves]; or change nothing and
    /// return what is wrong.
    std::optional<Fault> settle(const float* priors, const float* values) {
        constexpr double kSlack = 1e-4;  // for values that were rounded
        const auto width = leaves_.rows().moves();
        for (size_t row = 0; row < leaves_.size(); ++row) {
            if (!(std::abs(values[row]) <= 1 + kSlack))
                return Fault{Fault::kValue, row, 0, values[row]};
            for (size_t move = 0; move < width; ++move) {
                const float prior = priors[row * width + move];
                if (!(prior >= 0) || !std::isfinite(prior))
                    return Fault{Fault::kPrior, row, static_cast<int>(move), prior};
            }
        }
        for (size_t row = 0; row < leaves_.size(); ++row) {
            const auto& leaf = leaves_[row];
            games_[static_cast<size_t>(leaf.game)]->settle(
                leaves_.rows().state(row), leaves_.path(leaf), leaf.depth, leaf.made,
                priors + row * width, std::clamp<double>(values[row], -1, 1));
        }
        leaves_.clear();
        return {};
    }

    /// Take all leaves back.
    void abandon() {
        for (size_t row = leaves_.size(); row-- > 0;) {
            const auto& leaf = leaves_[row];
            games_[static_cast<size_t>(leaf.game)]->abandon(leaves_.path(leaf), leaf.depth,
                                                            leaf.made);
        }
        leaves_.clear();
    }

    bool is_done() const {
        return std::all_of(games_.begin(), games_.end(),
                           [](auto& game) { return game->is_done(); });
    }

    int size() const { return static_cast<int>(games_.size()); }
    Uct<S>& operator[](int game) { return *games_[static_cast<size_t>(game)]; }
    const Leaves<S>& leaves() const { return leaves_; }
    Leaves<S>& leaves() { return leaves_; }

private:
    std::vector<std::unique_ptr<Uct<S>>> games_;
    Leaves<S> leaves_;
};

/// The result of a search at its root, for play and for training.
struct Target {
    Move move;     // to play
    double value;  // for the side to move
};

/// The target of a search; visits and policy by move, of which only non-zero values are written.
template <SearchGame S>
Target target_of(const Uct<S>& uct, bool improved, uint32_t* visits, float* policy) {
    const S& state = uct.position();
    Block& block = uct.children();
    const Snapshot shot = uct.snapshot();
    const Move move = shot.children[static_cast<size_t>(shot.chosen)].move;
    uint64_t total = 0;
    for (int i = 0; i < block.count; ++i) total += block.visits_of()[i];
    const bool certain = uct.is_proven() || total == 0;
    const std::vector<double> shares =
        improved && !certain ? improved_policy(block) : std::vector<double>();
    for (int i = 0; i < block.count; ++i) {
        const Move at = state.move_of(block.action()[i]);
        visits[at] = block.visits_of()[i];
        policy[at] =
            certain ? (at == move ? 1.0f : 0.0f)
            : improved
                ? static_cast<float>(shares[static_cast<size_t>(i)])
                : static_cast<float>(static_cast<double>(visits[at]) / static_cast<double>(total));
    }
    const Entry root = uct.root();
    const double mean =
        root.visits() > 0 ? 1 - static_cast<double>(root.points()) / kUnit / root.visits() : 0;
    return {move, uct.is_proven() ? value_of(shot.proof) : mean};
}

}  // namespace honte::search
