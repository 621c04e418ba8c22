// The rules of a game: the concept that every native game satisfies and all other code relies on.
#pragma once

#include <concepts>
#include <cstdint>

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

/// A position of a game: a small value, copied to be remembered.
///
/// The verb names the trust: `play_unchecked` assumes that the move is legal, and the Python
/// bindings call `is_legal` first.
template <class S>
concept GameState = std::copyable<S> && requires(const S state, S changed, Move move) {
    typename S::Rules;  // immutable, outlives its states
    typename S::Moves;  // a MoveList
    { state.rules() } -> std::same_as<const typename S::Rules&>;
    { state.to_move() } -> std::same_as<int>;  // 0 or 1
    { state.is_over() } -> std::same_as<bool>;
    { state.outcome() } -> std::same_as<int>;                    // +1, 0, −1 for player 0
    { state.legal_moves() } -> std::same_as<typename S::Moves>;  // ascending; none when over
    { state.is_legal(move) } -> std::same_as<bool>;              // accepts any int
    { state.last_move() } -> std::same_as<Move>;                 // −1 before the first move
    { state.hash() } -> std::same_as<uint64_t>;                  // of what the board shows
    { changed.play_unchecked(move) };
};

/// Perft: count the move sequences of a length; a finished game has no successors.
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
