// Move priors of Go: what is known of a move before its first visit.
//
// The kinds of knowledge are those of MoGo and Fuego, weighted in virtual visits
// (Gelly & Silver 2007).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "go/board.hpp"
#include "go/features.hpp"
#include "go/patterns.hpp"
#include "go/tactics.hpp"
#include "search/game.hpp"

namespace honte::go {

class MovePriors {
public:
    MovePriors(const Board& board, Color color, int last)
        : board_(board), color_(color), last_(last) {
        for (int p = kStride; p < (board_.size() + 1) * kStride; ++p) urgent_[p] = kNothing;
        look_at_groups();
        if (last) measure_distances();
    }

    search::Prior of(int p) const {
        search::Prior prior;
        prior.add(0, kEven);
        if (board_.is_eye(p, color_)) {
            prior.add(-1, kOwnEye);
            return prior;
        }
        if (last_ && near_[p] < 3) prior.add(1, kNear[near_[p]]);
        if (urgent_[p] > kNothing) prior.add(1, kUrgent[urgent_[p]]);
        if (urgent_[p] == kHopeless) prior.add(-1, kUrgent[kHopeless]);
        if (Patterns::get().match(board_.around(p))) prior.add(1, kPatternWeight);
        if (is_self_atari(p)) prior.add(-1, kSelfAtari);
        if (is_open(p)) {
            const int line = line_of(p);
            if (line <= 2) prior.add(-1, kOpenArea);
            if (line == 3 || (line == 4 && board_.size() > 9)) prior.add(1, kOpenArea);
        }
        return prior;
    }
    /// The odds of a move by the policy: in proportion to its probability.
    float odds(const PolicyWeights& policy, int p) const {
        return board_.is_eye(p, color_) ? 0 : policy.of(features(p));
    }
    MoveFeatures features(int p) const {
        MoveFeatures found;
        found.set(MoveFeatures::kPattern3x3, Patterns3x3::get().of(board_.around(p), color_));
        if (urgent_[p] != kNothing) found.set(MoveFeatures::kUrgency, urgent_[p]);
        if (is_self_atari(p))
            found.set(MoveFeatures::kSelfAtari, is_bad_self_atari(board_, p, color_));
        if (const int stones = puts_in_atari(p)) found.set(MoveFeatures::kAtari, stones > 1);
        if (last_) {
            const int rows = std::abs(p / kStride - last_ / kStride);
            const int cols = std::abs(p % kStride - last_ % kStride);
            const int distance = rows + cols + std::max(rows, cols);
            if (distance <= 10) found.set(MoveFeatures::kDistance, distance - 2);
            if (near_[p] < 3) found.set(MoveFeatures::kChain, near_[p]);
        }
        found.set(MoveFeatures::kLine, std::min(line_of(p), 5) - 1 + (is_open(p) ? 5 : 0));
        return found;
    }
    static search::Prior pass(bool after_a_pass) {
        search::Prior prior;
        prior.add(after_a_pass ? 0.5f : -0.5f, kEven);
        return prior;
    }

private:
    // An own eye is filled only where every other move is proven lost.
    static constexpr float kEven = 10, kOwnEye = 1e6f, kPatternWeight = 10, kSelfAtari = 10,
                           kOpenArea = 10;
    static constexpr float kNear[3] = {24, 22, 8};  // one, two, three steps from the last move
    /// Kinds of urgent moves in order of increasing urgency, and their weights.
    enum Urgency : uint8_t {
        kHopeless,
        kNothing,
        kAvoidChase,
        kChase,
        kSaveOne,
        kTakeOne,
        kSaveMany,
        kTakeMany
    };
    static constexpr float kUrgent[] = {20, 0, 10, 10, 15, 15, 30, 30};

    /// Groups with few liberties make moves urgent: to take, to save, to chase.
    void look_at_groups() {
        for (int row = 1; row <= board_.size(); ++row)
            for (int p = row * kStride + 1; p <= row * kStride + board_.size(); ++p) {
                const Color color = board_.color(p);
                if (color == kEmpty || board_.group(p) != p) continue;
                const bool many = board_.stones_in(p) > 1;
                if (const int liberty = board_.atari(p)) {
                    if (color != color_)
                        raise(liberty, many ? kTakeMany : kTakeOne);
                    else if (!Ladder::holds(board_, p))
                        look_for_escape(p, liberty, many ? kSaveMany : kSaveOne);
                    else
                        urgent_[liberty] = kHopeless;
                } else if (board_.pseudo_liberties(p) <= 8) {
                    const int start = Ladder::start(board_, p);
                    if (!start) continue;
                    if (color != color_)
                        raise(start, kChase);
                    else
                        for (const int q : liberties<2>(board_, p)) raise(q, kAvoidChase);
                }
            }
    }
    void look_for_escape(int stone, int liberty, Urgency urgency) {
        if (placed<2>(board_, liberty, color_).liberties.count == 2) raise(liberty, urgency);
        int s = stone;
        do {
            for (const int step : kSteps)
                if (board_.color(s + step) == opponent(color_))
                    if (const int p = board_.atari(s + step)) raise(p, urgency);
            s = board_.next(s);
        } while (s != stone);
    }
    void raise(int p, Urgency urgency) { urgent_[p] = std::max(urgent_[p], urgency); }

    /// How many stones a move puts into atari.
    int puts_in_atari(int p) const {
        Points<4> groups;
        for (const int step : kSteps)
            if (board_.color(p + step) == opponent(color_)) groups.add(board_.group(p + step));
        int stones = 0;
        for (const int g : groups)
            if (liberties<3>(board_, g).count == 2) stones += board_.stones_in(g);
        return stones;
    }

    bool is_self_atari(int p) const {
        return board_.empty_neighbours(p) < 2 && placed<2>(board_, p, color_).liberties.count < 2;
    }

    /// Distances from the last move; a group is as near as its nearest stone.
    void measure_distances() {
        int16_t queue[kPoints];
        int head = 0, tail = 0;
        std::fill(near_, near_ + kPoints, uint8_t{9});
        const auto reach = [&](int p, uint8_t steps) {
            if (board_.color(p) == kEmpty) {
                if (near_[p] > steps) near_[p] = steps, queue[tail++] = static_cast<int16_t>(p);
            } else if (board_.color(p) != kBorder && near_[p] > steps) {
                board_.each_stone(p, [&](int stone) {
                    near_[stone] = steps;
                    queue[tail++] = static_cast<int16_t>(stone);
                });
            }
        };
        reach(last_, 0);
        // Distance 0 is the last move's own group; its neighbours are the first step, so the array
        // stores one less for empty points.
        while (head < tail) {
            const int p = queue[head++];
            if (near_[p] >= 4) break;
            for (const int step : kSteps) reach(p + step, static_cast<uint8_t>(near_[p] + 1));
        }
        for (int i = 0; i < tail; ++i)
            if (board_.color(queue[i]) == kEmpty) --near_[queue[i]];
    }

    /// Is there no stone within three steps?
    bool is_open(int p) const {
        const int row = p / kStride, col = p % kStride, size = board_.size();
        for (int r = std::max(1, row - 3); r <= std::min(size, row + 3); ++r) {
            const int reach = 3 - std::abs(r - row);
            for (int c = std::max(1, col - reach); c <= std::min(size, col + reach); ++c)
                if (board_.color(r * kStride + c) != kEmpty) return false;
        }
        return true;
    }
    int line_of(int p) const {
        const int row = p / kStride, col = p % kStride, size = board_.size();
        return std::min(std::min(row, col), std::min(size + 1 - row, size + 1 - col));
    }

    TacticalBoard board_;
    Color color_;
    int last_;
    Urgency urgent_[kPoints];
    uint8_t near_[kPoints];  // steps from the last move, less one
};

}  // namespace honte::go
