// Playouts of Othello: random moves, corners first if the policy says so.
#pragma once

#include <bit>
#include <cstdint>

#include "othello/game.hpp"
#include "search/game.hpp"

namespace honte::othello {

/// Playout policies, one bit each.
enum PlayoutPolicy : unsigned {
    kCorner = 1,  // take a corner
};

template <class Trace>
search::Result finish_game(State& state, Rng& rng, unsigned policies, Trace& trace) {
    const uint64_t squares = state.rules().board();
    const int last = state.rules().size() - 1;
    const uint64_t side = (1ULL << last) | 1;
    const uint64_t corners = policies & kCorner ? side | side << (8 * last) : 0;
    Board board = state.board();
    uint64_t moves = state.moves_mask();
    int mover = state.to_move(), plies = 0;
    for (;; ++plies) {
        if (moves == 0) {
            board = board.passed();
            mover ^= 1;
            moves = board.moves(squares);
            if (moves == 0) break;
            ++plies;
        }
        if (moves & corners) moves &= corners;
        const auto count = static_cast<uint32_t>(std::popcount(moves));
        const int square = bits::select(moves, rng.below(count));
        trace.add(square, mover);
        board = board.after(square);
        mover ^= 1;
        moves = board.moves(squares);
    }
    const int difference = std::popcount(board.own) - std::popcount(board.other);
    const int sign = (difference > 0) - (difference < 0);
    return {mover ? -sign : sign, plies};
}

}  // namespace honte::othello
