// What the surroundings of a move say about it, by look-up.
//
// For each of the four lines through a cell the three cells on either side are one number, two
// bits a cell: free, mine, theirs, or a wall (blocked, or off the board). A move is the sum of what
// is known of the shapes round the cell it takes, and round the cell above, which it opens to
// the opponent. What each is worth is learned from games: see connect4_learn.hpp.
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

#include "games/connect4_board.hpp"

namespace honte::connect4 {

/// The features of moves in a position, as numbers below kCount.
class Shapes {
public:
    static constexpr int kWindow = 1 << 12;
    static constexpr int kAbove = 8 * kWindow;           // after four lines, two parities
    static constexpr int kPlace = kAbove + 6 * kWindow;  // after three lines, two parities
    static constexpr int kNear = kPlace + kMaxSide * kMaxSide / 2;
    static constexpr int kTop = kNear + kMaxSide;
    static constexpr int kCount = kTop + 1;
    static constexpr int kOfMove = 9;  // at most so many features has a move

    Shapes(const Rules& rules, const Lines (&lines)[2], int mover, int last_move)
        : rules_(rules),
          mine_(lines[mover]),
          theirs_(lines[mover ^ 1]),
          mover_(mover),
          last_(last_move) {}

    /// Hand every feature of a move to `hear`.
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
        hear(kNear + (last_ < 0 ? kMaxSide - 1 : std::min(std::abs(col - last_), kMaxSide - 1)));
    }

    /// The feature that the same shape would be, seen in a mirror: of each pair one is learned.
    static int mirrored(int feature) {
        if (feature >= kPlace) return feature;
        const int shape = feature % kWindow, table = feature / kWindow;
        const int line = feature < kAbove ? table % 4 : (table - 8) % 3;
        if (line == 3) return feature;  // upright
        const int turned = line == 0 ? table : line == 1 ? table + 1 : table - 1;
        int other = 0;
        for (int bit = 0; bit < 6; ++bit) {
            other |= (shape >> bit & 1) << (5 - bit);
            other |= (shape >> (6 + bit) & 1) << (11 - bit);
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

/// How strong each feature is, as the logarithm of its odds in sixteenths.
class Strengths {
public:
    explicit Strengths(std::span<const float> logs) {
        if (logs.size() != Shapes::kCount)
            throw std::invalid_argument("a table has a strength for every feature");
        for (const float log : logs)
            logs_.push_back(static_cast<int8_t>(std::clamp(std::lround(16 * log), -127L, 127L)));
    }

    /// The chances of some moves of a position, which add up to 1.
    void chances(const Shapes& shapes, const uint16_t* actions, int count, float* found) const {
        int logs[kMaxSide], most = INT32_MIN;
        for (int i = 0; i < count; ++i) {
            logs[i] = of(shapes, actions[i] / kMaxSide, actions[i] % kMaxSide);
            most = std::max(most, logs[i]);
        }
        float sum = 0;
        for (int i = 0; i < count; ++i) sum += found[i] = odds(most - logs[i]);
        for (int i = 0; i < count; ++i) found[i] /= sum;
    }
    int of(const Shapes& shapes, int col, int height) const {
        int sum = 0;
        shapes.of(col, height, [&](int feature) { sum += logs_[static_cast<size_t>(feature)]; });
        return sum;
    }

    /// e to the minus i/16.
    static float odds(int i) { return kOdds[static_cast<size_t>(std::min(i, 127))]; }

private:
    static constexpr auto kOdds = [] {
        std::array<float, 128> odds{};
        double power = 1;
        for (float& each : odds) each = static_cast<float>(power), power *= 0.93941306281347578;
        return odds;
    }();
    std::vector<int8_t> logs_;
};

}  // namespace honte::connect4
