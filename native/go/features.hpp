// The features of a move of Go, and the policy weights that are learned for them.
//
// A generalised Bradley-Terry model (Coulom 2007, "Computing Elo ratings of move patterns in the
// game of Go"): the probability of a move is the product of its features' weights, divided by the
// sum of these products over all moves.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "go/board.hpp"
#include "search/game.hpp"

namespace honte::go {

/// Numbers the 3×3 patterns as the mover sees them; rotations and reflections share a number.
class Patterns3x3 {
public:
    /// `around` is Board::around.
    int of(unsigned around, Color color) const {
        return names_[color == kBlack ? around : swapped(around)];
    }
    int count() const { return count_; }

    static const Patterns3x3& get() {
        static const Patterns3x3 patterns;
        return patterns;
    }

private:
    Patterns3x3() {
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
struct MoveFeatures {
    enum Family { kUrgency, kSelfAtari, kAtari, kDistance, kChain, kLine, kPattern3x3, kFamilies };
    /// The number of features of each family, except the patterns, which come last.
    static constexpr int kSizes[] = {8, 2, 2, 9, 3, 10};
    static constexpr uint16_t kNone = 0xffff;

    uint16_t at[kFamilies] = {kNone, kNone, kNone, kNone, kNone, kNone, kNone};

    void set(Family family, int which) {
        int first = 0;
        for (int f = 0; f < family; ++f) first += kSizes[f];
        at[family] = static_cast<uint16_t>(first + which);
    }
    static int count() {
        int total = Patterns3x3::get().count();
        for (const int size : kSizes) total += size;
        return total;
    }
};

/// The weight of every feature, made from their logarithms.
class PolicyWeights final : public search::Policy {
public:
    explicit PolicyWeights(std::vector<float> logs) : factors_(std::move(logs)) {
        if (factors_.size() != static_cast<size_t>(MoveFeatures::count()))
            throw std::invalid_argument("a Go policy has one weight for every feature");
        for (float& log : factors_)
            log = static_cast<float>(std::exp(double{std::clamp(log, -kMost, kMost)}));
    }

    float of(const MoveFeatures& move) const {
        float product = 1;
        for (const uint16_t feature : move.at)
            if (feature != MoveFeatures::kNone) product *= factors_[feature];
        return product;
    }

private:
    static constexpr float kMost = 8;  // keeps the product of a move's weights finite
    std::vector<float> factors_;
};

}  // namespace honte::go
