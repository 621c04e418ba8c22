// Move ordering: trying the likely best move first keeps the search small.
#pragma once

#include <bit>
#include <cstdint>

#include "othello/bits.hpp"
#include "othello/stability.hpp"

namespace honte::othello {

inline constexpr uint64_t kCorners = 0x8100000000000081ULL;

/// The four quarters of the board, for parity: in a quarter with an odd number of empties, whoever
/// moves first also moves last.
struct Quarters {
    static constexpr uint64_t kMasks[4] = {0x000000000f0f0f0fULL, 0x00000000f0f0f0f0ULL,
                                           0x0f0f0f0f00000000ULL, 0xf0f0f0f000000000ULL};
    uint64_t squares[16] = {};  // by a bit for each odd quarter
    constexpr Quarters() {
        for (unsigned odd = 0; odd < 16; ++odd)
            for (unsigned q = 0; q < 4; ++q)
                if (odd >> q & 1) squares[odd] |= kMasks[q];
    }
    static unsigned of(int square) { return 1u << ((square >> 2 & 1) | (square >> 4 & 2)); }
    static unsigned odd_in(uint64_t empties) {
        unsigned odd = 0;
        for (unsigned q = 0; q < 4; ++q)
            odd |= static_cast<unsigned>(std::popcount(empties & kMasks[q]) & 1) << q;
        return odd;
    }
};
inline constexpr Quarters kQuarters;

/// The squares next to a set of squares.
inline uint64_t around(uint64_t set) {
    constexpr uint64_t kNotA = 0xfefefefefefefefeULL, kNotH = 0x7f7f7f7f7f7f7f7fULL;
    const uint64_t row = set | (set << 1 & kNotA) | (set >> 1 & kNotH);
    return row | row << 8 | row >> 8;
}

/// Mobility: the number of moves, a corner counted twice, as it can hardly be denied.
inline int mobility(uint64_t moves) {
    return std::popcount(moves) + std::popcount(moves & kCorners);
}

/// Discs of `own` in corners and beside its own corners along the edges.
inline int corner_stability(uint64_t own) {
    const uint64_t beside =
        ((0x0100000000000001ULL & own) << 1) | ((0x8000000000000080ULL & own) >> 1) |
        ((0x0000000000000081ULL & own) << 8) | ((0x8100000000000000ULL & own) >> 8) | kCorners;
    return std::popcount(beside & own);
}

/// Static values of the squares, to order moves that nothing else tells apart.
inline constexpr int8_t kSquareWorth[64] = {9, 2, 8, 6, 6, 8, 2, 9,  //
                                            2, 1, 3, 4, 4, 3, 1, 2,  //
                                            8, 3, 7, 5, 5, 7, 3, 8,  //
                                            6, 4, 5, 0, 0, 5, 4, 6,  //
                                            6, 4, 5, 0, 0, 5, 4, 6,  //
                                            8, 3, 7, 5, 5, 7, 3, 8,  //
                                            2, 1, 3, 4, 4, 3, 1, 2,  //
                                            9, 2, 8, 6, 6, 8, 2, 9};

/// About this many points of the shallow evaluation make a disc.
inline constexpr int kPointsPerDisc = 4;

/// What a position is worth to the side to move, by a quick evaluation: current and potential
/// mobility, corners. Only ever used to order moves.
inline int quick_evaluation(const Board& board, uint64_t empties) {
    const uint64_t mine = bits::fast_reach(board.own, board.other) & empties;
    const uint64_t theirs = bits::fast_reach(board.other, board.own) & empties;
    const int moves = mobility(mine) - mobility(theirs);
    const int to_come =
        std::popcount(around(board.other) & empties) - std::popcount(around(board.own) & empties);
    const int corners = corner_stability(board.own) - corner_stability(board.other);
    return 8 * moves + 3 * to_come + 12 * corners;
}

/// The same after a few plies.
inline int look_ahead(const Board& board, uint64_t empties, int depth, int alpha, int beta) {
    if (depth == 0) return quick_evaluation(board, empties);
    uint64_t moves = bits::fast_reach(board.own, board.other) & empties;
    if (!moves) {
        if (!(bits::fast_reach(board.other, board.own) & empties)) {
            const int difference = std::popcount(board.own) - std::popcount(board.other);
            return difference > 0 ? 10000 + difference : difference < 0 ? difference - 10000 : 0;
        }
        return -look_ahead(board.passed(), empties, depth - 1, -beta, -alpha);
    }
    int best = -20000;
    // Corners first; ordering the rest by square value would cost more than it saves.
    for (const uint64_t part : {moves & kCorners, moves & ~kCorners})
        for (uint64_t rest = part; rest; rest &= rest - 1) {
            const int square = std::countr_zero(rest);
            const uint64_t turned = bits::fast_flips(board.own, board.other, square);
            const uint64_t bit = rest & -rest;
            const int value = -look_ahead({board.other ^ turned, board.own | turned | bit},
                                          empties ^ bit, depth - 1, -beta, -alpha);
            if (value > best) {
                best = value;
                if (best > alpha) alpha = best;
                if (alpha >= beta) return best;
            }
        }
    return best;
}

}  // namespace honte::othello
