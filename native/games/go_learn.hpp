// Learns the strengths of features from games, by minorisation-maximisation (Coulom 2007).
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "games/go.hpp"

namespace honte::go {

class Learner {
public:
    Learner() : gamma_(static_cast<size_t>(Team::count()), 1.0) {}

    /// One position and the move that was played; the pass and moves into own eyes teach nothing.
    bool add(const State& state, Move played) {
        const Rules& rules = state.rules();
        const Opinion opinion(state.board(), state.mover(), state.last_point());
        Position position{teams_.size(), 0, -1};
        for (const Move move : state.legal_moves()) {
            if (move == rules.pass() || state.board().is_eye(rules.point(move), state.mover()))
                continue;
            if (move == played) position.played = position.count;
            teams_.push_back(opinion.team(rules.point(move)));
            const Prior prior = opinion.of(rules.point(move));
            by_hand_.push_back(prior.value * prior.weight);
            ++position.count;
        }
        if (position.played < 0 || position.count < 2) {
            teams_.resize(position.first);
            by_hand_.resize(position.first);
            return false;
        }
        positions_.push_back(position);
        return true;
    }
    size_t size() const { return positions_.size(); }

    /// Improve the strengths once, family by family. `caution` is how many games each feature is
    /// thought to have won, and lost, against one of strength 1.
    void step(double caution) {
        for (int family = 0; family < Team::kFamilies; ++family) improve(family, caution);
    }

    struct Measure {
        double likelihood;  // mean logarithm of the chance given to the move played
        double first;       // how often it was the most likely one
    };
    /// How well the moves of other positions are foretold.
    Measure measure(const Learner& other) const {
        return other.measured([&](size_t i) { return std::log(strength(other.teams_[i])); });
    }
    /// The same for the opinion made by hand, with its weights divided by `scale`.
    Measure measure_by_hand(double scale) const {
        return measured([&](size_t i) { return by_hand_[i] / scale; });
    }
    /// The same for moves at random.
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

    double strength(const Team& team) const {
        double product = 1;
        for (const uint16_t feature : team.at)
            if (feature != Team::kNone) product *= gamma_[feature];
        return product;
    }

    void improve(int family, double caution) {
        std::vector<double> won(gamma_.size()), met(gamma_.size());
        std::vector<double> strengths;
        for (const Position& position : positions_) {
            const std::span<const Team> teams(&teams_[position.first],
                                              static_cast<size_t>(position.count));
            double sum = 0;
            strengths.clear();
            for (const Team& team : teams) sum += strengths.emplace_back(strength(team));
            for (size_t i = 0; i < teams.size(); ++i)
                if (const uint16_t feature = teams[i].at[family]; feature != Team::kNone)
                    met[feature] += strengths[i] / (gamma_[feature] * sum);
            const uint16_t feature = teams[static_cast<size_t>(position.played)].at[family];
            if (feature != Team::kNone) ++won[feature];
        }
        for (size_t i = 0; i < gamma_.size(); ++i)
            if (met[i] > 0)
                gamma_[i] = (won[i] + caution) / (met[i] + 2 * caution / (1 + gamma_[i]));
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
    std::vector<Team> teams_;
    std::vector<float> by_hand_;
    std::vector<double> gamma_;
};

}  // namespace honte::go
