// Move patterns of Connect Four: the features that the policy sums over.
//
// For each of the four lines through a cell, the three cells on either side are encoded in one
// number, two bits a cell: free, mine, theirs, or a wall (blocked, or off the board). A move has
// the patterns around the cell it takes and around the cell above, which it opens to the opponent.
// The weights are learned: see policy_learning.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <stdexcept>
#include <vector>

#include "connect4/game.hpp"

namespace honte::connect4 {

/// The features of moves in a position, as numbers below kCount.
class MovePatterns {
public:
    static constexpr int kWindow = 1 << 12;
    static constexpr int kAbove = 8 * kWindow;           // after four lines, two parities
    static constexpr int kPlace = kAbove + 6 * kWindow;  // after three lines, two parities
    static constexpr int kDistance = kPlace + kMaxSide * kMaxSide / 2;
    static constexpr int kTop = kDistance + kMaxSide;
    static constexpr int kCount = kTop + 1;
    static constexpr int kMaxPerMove = 9;  // features of a move, at most

    explicit MovePatterns(const State& state)
        : rules_(state.rules()),
          mine_(state.lines(state.to_move())),
          theirs_(state.lines(state.to_move() ^ 1)),
          mover_(state.to_move()),
          last_(state.last_move()) {}

    /// Call `hear` with every feature of a move.
    template <class Hear>
    void of(int col, int height, Hear&& hear) const {
        const Rules::Walls& walls = rules_.walls();
        const int own = rules_.gets(col, height) == mover_ ? 4 * kWindow : 0;
        around(col, height, own, hear);
        hear(own + 3 * kWindow +
             window(mine_.column[col], theirs_.column[col], walls.column[col], height));
        const int above = rules_.above(col, height);
        if (above == kFull)
            hear(kTop);
        else
            around(col, above, kAbove + (rules_.gets(col, above) == mover_ ? 3 * kWindow : 0),
                   hear);
        const int edge = std::min(col, rules_.cols() - 1 - col);
        hear(kPlace + edge * kMaxSide + height);
        hear(kDistance +
             (last_ < 0 ? kMaxSide - 1 : std::min(std::abs(col - last_), kMaxSide - 1)));
    }

    /// The feature of the mirror image; both share one weight.
    static int mirrored(int feature) {
        if (feature >= kPlace) return feature;
        const int pattern = feature % kWindow, table = feature / kWindow;
        const int line = feature < kAbove ? table % 4 : (table - 8) % 3;
        if (line == 3) return feature;  // upright
        const int turned = line == 0 ? table : line == 1 ? table + 1 : table - 1;
        int other = 0;
        for (int bit = 0; bit < 6; ++bit) {
            other |= (pattern >> bit & 1) << (5 - bit);
            other |= (pattern >> (6 + bit) & 1) << (11 - bit);
        }
        return turned * kWindow + other;
    }

private:
    template <class Hear>
    void around(int col, int height, int first, Hear& hear) const {
        const Rules::Walls& walls = rules_.walls();
        const int diag = col - height + kMaxSide, anti = col + height;
        hear(first + window(mine_.row[height], theirs_.row[height], walls.row[height], col));
        hear(first + kWindow + window(mine_.diag[diag], theirs_.diag[diag], walls.diag[diag], col));
        hear(first + 2 * kWindow +
             window(mine_.anti[anti], theirs_.anti[anti], walls.anti[anti], col));
    }
    static int window(uint32_t mine, uint32_t theirs, uint32_t wall, int at) {
        const uint32_t a = (mine << 3 | wall) >> at, b = (theirs << 3 | wall) >> at;
        return static_cast<int>((a & 7) | (a >> 1 & 0x38) | (b & 7) << 6 | (b << 5 & 0xe00));
    }

    const Rules& rules_;
    const Lines& mine_;
    const Lines& theirs_;
    int mover_, last_;
};

}  // namespace honte::connect4
