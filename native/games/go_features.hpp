// A move of Go as a team of features, each with a strength that is learned from games.
//
// After Coulom 2007, "Computing Elo ratings of move patterns in the game of Go": the chance
// that a move is played is the product of its features' strengths, divided by the sum of these
// products over all moves.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "games/go_board.hpp"

namespace honte::go {

/// The 3×3 neighbourhoods as the mover sees them, numbered; turned and mirrored forms are one.
class Shapes {
public:
    /// `around` is Board::around.
    int of(unsigned around, Color color) const {
        return names_[color == kBlack ? around : swapped(around)];
    }
    int count() const { return count_; }

    static const Shapes& get() {
        static const Shapes shapes;
        return shapes;
    }

private:
    Shapes() {
        for (unsigned code = 0; code < names_.size(); ++code) {
            unsigned least = code;
            for (int form = 1; form < 8; ++form) least = std::min(least, turned(code, form));
            names_[code] = static_cast<uint16_t>(least == code ? count_++ : names_[least]);
        }
    }
    /// Black for White: the two bits of each cell change places.
    static unsigned swapped(unsigned code) { return (code & 0x5555) << 1 | (code >> 1 & 0x5555); }
    static unsigned turned(unsigned code, int form) {
        unsigned result = 0;
        for (int i = 0; i < 9; ++i) {
            if (i == 4) continue;
            int row = i / 3, col = i % 3;
            if (form & 1) row = 2 - row;
            if (form & 2) col = 2 - col;
            if (form & 4) std::swap(row, col);
            const int from = 3 * row + col;
            result |= (code >> 2 * (from < 4 ? from : from - 1) & 3) << 2 * (i < 4 ? i : i - 1);
        }
        return result;
    }

    std::array<uint16_t, 1 << 16> names_{};
    int count_ = 0;
};

/// The features of one move: one of each family, or none.
struct Team {
    enum Family { kUrgency, kSelfAtari, kAtari, kDistance, kChain, kLine, kShape, kFamilies };
    /// How many features each family has, but for the shapes, which come last.
    static constexpr int kSizes[] = {8, 2, 2, 9, 3, 10};
    static constexpr uint16_t kNone = 0xffff;

    uint16_t at[kFamilies] = {kNone, kNone, kNone, kNone, kNone, kNone, kNone};

    void set(Family family, int which) {
        int first = 0;
        for (int f = 0; f < family; ++f) first += kSizes[f];
        at[family] = static_cast<uint16_t>(first + which);
    }
    static int count() {
        int total = Shapes::get().count();
        for (const int size : kSizes) total += size;
        return total;
    }
};

/// All features' strengths, made from their logarithms.
class Strengths {
public:
    explicit Strengths(std::vector<float> logs) : factors_(std::move(logs)) {
        for (float& log : factors_)
            log = static_cast<float>(std::exp(double{std::clamp(log, -kMost, kMost)}));
    }

    float of(const Team& team) const {
        float product = 1;
        for (const uint16_t feature : team.at)
            if (feature != Team::kNone) product *= factors_[feature];
        return product;
    }

private:
    static constexpr float kMost = 8;  // the product of a team's stays finite
    std::vector<float> factors_;
};

}  // namespace honte::go
