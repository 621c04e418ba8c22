// The report's evaluation: ten weights for squares, one each for discs, moves, stable discs.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "othello/bits.hpp"
#include "othello/stability.hpp"

namespace honte::othello {

/// In hundredths. Each counts for the side to move, less the same for the opponent.
struct Weights {
    static constexpr int kSquares = 10, kCount = 13;
    static constexpr int kMost = 1'000'000;  // so that no sum leaves 32 bits

    // The corner triangle row by row: (0,0), (1,0), (1,1), (2,0), ... (3,3).
    std::array<int, kSquares> square{};
    int discs = 0, mobility = 0, stable = 0;
};

/// Values of finished games lie beyond every evaluation.
inline constexpr int kWon = 1'000'000'000;

/// A subset of the stable discs of `own` on boards smaller than 8×8: in each direction at the edge,
/// in a full line, or next to an own stable disc.
inline uint64_t stable_discs_small(uint64_t own, uint64_t other, uint64_t squares) {
    constexpr int kShifts[4] = {1, 7, 8, 9};
    uint64_t safe[4];  // by direction; a small board has room beside it, so nothing wraps
    for (int k = 0; k < 4; ++k) {
        const int by = kShifts[k];
        uint64_t open = squares & ~(own | other);
        for (int step = 0; step < 5; ++step) open |= (open << by | open >> by) & squares;
        safe[k] = ~open;
        safe[k] |= ~(squares << by) | ~(squares >> by);
    }
    uint64_t stable = 0;
    for (;;) {
        uint64_t more = own;
        for (int k = 0; k < 4; ++k) more &= safe[k] | stable << kShifts[k] | stable >> kShifts[k];
        if (more == stable) return stable;
        stable = more;
    }
}

/// Weights laid out for one board.
class WeightsEvaluation {
public:
    WeightsEvaluation(const Weights& weights, int size, uint64_t squares)
        : weights_(weights), squares_(squares), whole_(size == 8) {
        for (int row = 0; row < size; ++row)
            for (int col = 0; col < size; ++col) {
                const int down = std::min(row, size - 1 - row),
                          right = std::min(col, size - 1 - col);
                const int i = std::max(down, right), j = std::min(down, right);
                class_[i * (i + 1) / 2 + j] |= 1ULL << (8 * row + col);
                worth_[8 * row + col] = weights.square[i * (i + 1) / 2 + j];
            }
    }

    /// For the side to move; the game is not over.
    int operator()(const Board& board) const {
        const uint64_t empties = squares_ & ~(board.own | board.other);
        return (*this)(board, bits::fast_reach(board.own, board.other) & empties);
    }

    /// The same, with the moves already known.
    int operator()(const Board& board, uint64_t moves) const {
        const auto [own, other] = board;
        int sum = 0;
        for (int i = 0; i < Weights::kSquares; ++i)
            sum += weights_.square[i] *
                   (std::popcount(own & class_[i]) - std::popcount(other & class_[i]));
        if (weights_.discs) sum += weights_.discs * (std::popcount(own) - std::popcount(other));
        if (weights_.mobility) {
            const uint64_t empties = squares_ & ~(own | other);
            sum += weights_.mobility *
                   (std::popcount(moves) - std::popcount(bits::fast_reach(other, own) & empties));
        }
        if (weights_.stable)
            sum += weights_.stable *
                   (std::popcount(stable_of(own, other)) - std::popcount(stable_of(other, own)));
        return sum;
    }

    int worth(int square) const { return worth_[square]; }
    uint64_t squares() const { return squares_; }

private:
    uint64_t stable_of(uint64_t own, uint64_t other) const {
        return whole_ ? stable_discs(own, other) : stable_discs_small(own, other, squares_);
    }

    Weights weights_;
    uint64_t squares_;
    bool whole_;
    std::array<uint64_t, Weights::kSquares> class_{};
    std::array<int, 64> worth_{};
};

}  // namespace honte::othello
