// What a search may ask of a game: the concept that every native game keeps.
#pragma once

#include <concepts>
#include <cstdint>

#include "games/rng.hpp"

namespace honte {

using Move = int;

/// A list of moves with room for every move a game can offer: no allocation.
template <int Capacity>
class MoveList {
public:
    void push(Move move) { moves_[count_++] = static_cast<int16_t>(move); }
    int size() const { return count_; }
    Move operator[](int i) const { return moves_[i]; }
    const int16_t* begin() const { return moves_; }
    const int16_t* end() const { return moves_ + count_; }

private:
    int count_ = 0;
    int16_t moves_[Capacity];
};

/// How a game from some position ended: +1, 0, −1 for player 0, and how many plies it took.
struct Result {
    int outcome;
    int plies;
};

/// What must be played, where a game can see it at a glance.
struct Forced {
    enum Kind { kNothing, kWin, kOnly, kLost };
    Kind kind = kNothing;
    MoveList<16> moves;  // a winning one; the only ones not to lose; in a lost position, blocks
    int plies = 0;       // to the end, where it is won or lost
};

/// What is thought of a move before it is tried: a value for the side to move, −1 … 1, that
/// weighs as much as so many simulations.
struct Prior {
    float value = 0;
    float weight = 0;
    float chance = 0;  // how likely the move was foreseen to be; 0 where nobody foresees

    void add(float its_value, float its_weight) {
        if (its_weight <= 0) return;
        value += (its_value - value) * its_weight / (weight + its_weight);
        weight += its_weight;
    }
};

/// Hears of every move of a playout; this one forgets them.
struct NoTrace {
    void add(int /*action*/, int /*player*/) {}
};

/// A position of a game, a small value: copy it to remember it.
///
/// The verb names the trust: `play_unchecked` believes that the move is legal,
/// and the Python face asks `is_legal` first.
template <class S>
concept GameState =
    std::copyable<S> && requires(const S state, S changed, Move move, Rng rng, NoTrace trace) {
        typename S::Rules;  // immutable, outlives its states
        typename S::Moves;  // a MoveList
        { state.rules() } -> std::same_as<const typename S::Rules&>;
        { state.to_move() } -> std::same_as<int>;  // 0 or 1
        { state.is_over() } -> std::same_as<bool>;
        { state.outcome() } -> std::same_as<int>;                    // +1, 0, −1 for player 0
        { state.legal_moves() } -> std::same_as<typename S::Moves>;  // ascending; none when over
        { state.is_legal(move) } -> std::same_as<bool>;              // any int may be asked about
        { state.last_move() } -> std::same_as<Move>;                 // −1 when there is none
        { state.hash() } -> std::same_as<uint64_t>;                  // of what decides the future
        { state.playout(rng) } -> std::same_as<int>;  // a random game to its end: outcome
        { changed.play_unchecked(move) };
        // For searches. An action names a move for good: in Connect Four the cell, not the column.
        { S::kActions } -> std::convertible_to<int>;
        { state.action(move) } -> std::same_as<int>;
        { state.move_of(int{}) } -> std::same_as<Move>;
        // With wins by so many of one's own moves that threaten.
        { state.forced(int{}) } -> std::same_as<Forced>;
        { state.longest() } -> std::same_as<int>;  // about how long a game can get
        // A game to its end by playout policies, a bit each; spends the state (assign it anew).
        { changed.finish(rng, 0u, trace) } -> std::same_as<Result>;
    };

/// A game that has an opinion on moves: fills in the priors of some actions, with the chances that
/// a table foresees (from 1; 0: none).
template <class S>
concept RatesMoves = requires(const S state, const uint16_t* actions, Prior* priors) {
    { state.rate(actions, int{}, priors, 0u) };
};

/// A game that foresees which moves will be played: the chances of some actions, by a table.
template <class S>
concept ForeseesMoves = requires(const S state, const uint16_t* actions, float* chances) {
    { state.foresee(actions, int{}, chances, 0u) };
};

/// A game that can leave out moves which are as good as others: what a tree is made of.
template <class S>
concept LeavesOutMoves = requires(const S state) {
    { state.moves_to_try() } -> std::same_as<typename S::Moves>;  // some of the legal ones
};

/// Count the move sequences of a length; a finished game has no successors.
template <GameState S>
uint64_t perft(const S& state, int depth) {
    if (depth == 0) return 1;
    const auto moves = state.legal_moves();
    if (depth == 1) return static_cast<uint64_t>(moves.size());
    uint64_t total = 0;
    for (const Move move : moves) {
        S next = state;
        next.play_unchecked(move);
        total += perft(next, depth - 1);
    }
    return total;
}

}  // namespace honte
