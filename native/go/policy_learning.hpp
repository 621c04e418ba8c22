// Learning the policy of Go from games by minorisation-maximisation (Coulom 2007).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "go/game.hpp"
#include "go/move_priors.hpp"

namespace honte::go {

class Learner {
public:
    Learner() : gamma_(static_cast<size_t>(MoveFeatures::count()), 1.0) {}

    /// One training sample: a position and the move played. Passes and own eyes are left out.
    bool add(const State& state, Move played) {
        const Rules& rules = state.rules();
        const MovePriors priors(state.board(), state.mover(), state.last_point());
        Position position{moves_.size(), 0, -1};
        for (const Move move : state.legal_moves()) {
            if (move == rules.pass() || state.board().is_eye(rules.point(move), state.mover()))
                continue;
            if (move == played) position.played = position.count;
            moves_.push_back(priors.features(rules.point(move)));
            const search::Prior prior = priors.of(rules.point(move));
            by_hand_.push_back(prior.value * prior.weight);
            ++position.count;
        }
        if (position.played < 0 || position.count < 2) {
            moves_.resize(position.first);
            by_hand_.resize(position.first);
            return false;
        }
        positions_.push_back(position);
        return true;
    }
    size_t size() const { return positions_.size(); }

    /// Update the weights once, family by family. `regularization` is the number of virtual wins
    /// and losses of every feature against one of weight 1.
    void step(double regularization) {
        for (int family = 0; family < MoveFeatures::kFamilies; ++family)
            improve(family, regularization);
    }

    struct Measure {
        double likelihood;  // mean log-probability of the move played
        double first;       // how often it was the most likely one
    };
    /// How well these weights predict the moves of other samples.
    Measure measure(const Learner& other) const {
        return other.measured([&](size_t i) { return std::log(weight(other.moves_[i])); });
    }
    /// The same for the handmade priors, with their weights divided by `scale`.
    Measure measure_by_hand(double scale) const {
        return measured([&](size_t i) { return by_hand_[i] / scale; });
    }
    /// The same for uniformly random moves.
    Measure measure_uniform() const {
        Measure total{0, 0};
        for (const Position& position : positions_) {
            total.likelihood -= std::log(position.count);
            total.first += 1.0 / position.count;
        }
        return mean(total);
    }

    std::vector<float> logs() const {
        std::vector<float> found;
        for (const double gamma : gamma_) found.push_back(static_cast<float>(std::log(gamma)));
        return found;
    }

private:
    struct Position {
        size_t first;
        int count, played;
    };

    double weight(const MoveFeatures& move) const {
        double product = 1;
        for (const uint16_t feature : move.at)
            if (feature != MoveFeatures::kNone) product *= gamma_[feature];
        return product;
    }

    void improve(int family, double regularization) {
        std::vector<double> won(gamma_.size()), met(gamma_.size());
        std::vector<double> weights;
        for (const Position& position : positions_) {
            const std::span<const MoveFeatures> moves(&moves_[position.first],
                                                      static_cast<size_t>(position.count));
            double sum = 0;
            weights.clear();
            for (const MoveFeatures& move : moves) sum += weights.emplace_back(weight(move));
            for (size_t i = 0; i < moves.size(); ++i)
                if (const uint16_t feature = moves[i].at[family]; feature != MoveFeatures::kNone)
                    met[feature] += weights[i] / (gamma_[feature] * sum);
            const uint16_t feature = moves[static_cast<size_t>(position.played)].at[family];
            if (feature != MoveFeatures::kNone) ++won[feature];
        }
        for (size_t i = 0; i < gamma_.size(); ++i)
            if (met[i] > 0)
                gamma_[i] =
                    (won[i] + regularization) / (met[i] + 2 * regularization / (1 + gamma_[i]));
    }

    template <class Score>
    Measure measured(Score score) const {
        Measure total{0, 0};
        for (const Position& position : positions_) {
            double sum = 0, best = -1e300;
            const double played = score(position.first + static_cast<size_t>(position.played));
            int equals = 0;
            for (int i = 0; i < position.count; ++i) {
                const double value = score(position.first + static_cast<size_t>(i));
                sum += std::exp(value - played);
                equals = value > best ? 1 : equals + (value == best);
                best = std::max(best, value);
            }
            total.likelihood -= std::log(sum);
            if (played == best) total.first += 1.0 / equals;
        }
        return mean(total);
    }
    Measure mean(Measure total) const {
        const double n = std::max<double>(1, static_cast<double>(positions_.size()));
        return {total.likelihood / n, total.first / n};
    }

    std::vector<Position> positions_;
    std::vector<MoveFeatures> moves_;
    std::vector<float> by_hand_;
    std::vector<double> gamma_;
};

}  // namespace honte::go
