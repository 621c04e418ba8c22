// What tree search needs of a game besides its rules: playouts, forced moves, priors, a policy.
//
// These are free functions next to the game's State, each in a file of its own; the game's uct.hpp
// includes them all. A game omits the kinds of knowledge that it lacks.
#pragma once

#include <concepts>
#include <cstdint>

#include "core/game.hpp"
#include "core/rng.hpp"

namespace honte::search {

/// How a playout ended: +1, 0, −1 for player 0, and how many plies it took.
struct Result {
    int outcome;
    int plies;
};

/// Receives every move of a playout; this one ignores them.
struct NoTrace {
    void add(int /*action*/, int /*player*/) {}
};

/// The moves that the side to move must consider, as far as the game knows without search.
struct Forced {
    enum Kind { kNothing, kWin, kOnly, kLost };
    Kind kind = kNothing;
    MoveList<16> moves;  // a winning move; the only moves that do not lose; if lost, the blocks
    int plies = 0;       // to the end, if won or lost
};

/// What is known of a move before its first visit.
struct Prior {
    float value = 0;        // for the side to move, −1 … 1
    float weight = 0;       // in virtual visits
    float probability = 0;  // by the policy; 0 without one

    void add(float its_value, float its_weight) {
        if (its_weight <= 0) return;
        value += (its_value - value) * its_weight / (weight + its_weight);
        weight += its_weight;
    }
};

/// Learned weights that give the moves of a position their probabilities.
///
/// Immutable and shared: searches hold a handle in their settings.
class Policy {
public:
    virtual ~Policy() = default;
};

/// A game that UCT can search.
template <class S>
concept SearchGame =
    GameState<S> && requires(const S state, S spent, Move move, Rng rng, NoTrace trace) {
        // An action identifies a move throughout a game: where pieces drop, the cell, not the
        // column.
        { S::kActions } -> std::convertible_to<int>;
        { state.action(move) } -> std::same_as<int>;
        { state.move_of(int{}) } -> std::same_as<Move>;
        // Wins and losses known without search; wins by at most this many forcing moves.
        { forced_moves(state, int{}) } -> std::same_as<Forced>;
        // Play to the end by the game's playout policies, 0 for uniformly random moves. This
        // consumes the state: assign it before using it again.
        { finish_game(spent, rng, 0u, trace) } -> std::same_as<Result>;
    };

/// The policy weights of a game; its policy file specialises this.
template <class S>
struct PolicyOf {
    using Weights = void;
};
template <class S>
using PolicyWeightsOf = typename PolicyOf<S>::Weights;

/// A game with a fast policy: the probabilities of some actions, which sum to 1.
template <class S>
concept HasPolicy = requires(const S state, const PolicyWeightsOf<S>* weights,
                             const uint16_t* actions, float* out) {
    { set_probabilities(state, *weights, actions, int{}, out) };
};

/// A game with move priors: values in virtual visits, and probabilities if there is a policy.
template <class S>
concept HasMovePriors = requires(const S state, const PolicyWeightsOf<S>* weights,
                                 const uint16_t* actions, Prior* out) {
    { set_priors(state, weights, actions, int{}, out) };
};

/// A game that knows which moves are equivalent, and leaves all but one of them out of the tree.
template <class S>
concept PrunesMoves = requires(const S state) {
    { distinct_moves(state) } -> std::same_as<typename S::Moves>;
};

/// A uniformly random game to its end; +1, 0 or −1 for player 0.
template <SearchGame S>
int random_playout(const S& state, Rng& rng) {
    S copy = state;
    NoTrace trace;
    return finish_game(copy, rng, 0, trace).outcome;
}

}  // namespace honte::search
