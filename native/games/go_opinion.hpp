// What a Go player thinks of moves before trying them: priors for the tree.
//
// The kinds of knowledge are those of MoGo and Fuego; how much each weighs is in simulations
// (Gelly & Silver 2007).
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "games/game.hpp"
#include "games/go_board.hpp"
#include "games/go_patterns.hpp"
#include "games/go_tactics.hpp"

namespace honte::go {

class Opinion {
public:
    Opinion(const Board& board, Color color, int last) : board_(board), color_(color), last_(last) {
        for (int p = kStride; p < (board_.size() + 1) * kStride; ++p) urgent_[p] = 0;
        look_at_groups();
        if (last) measure_distances();
    }

    Prior of(int p) const {
        Prior prior;
        prior.add(0, kEven);
        if (board_.is_eye(p, color_)) {
            prior.add(-1, kOwnEye);
            return prior;
        }
        if (last_ && near_[p] < 3) prior.add(1, kNear[near_[p]]);
        if (urgent_[p] > 0) prior.add(1, urgent_[p]);
        if (urgent_[p] < 0) prior.add(-1, static_cast<float>(-urgent_[p]));
        if (Patterns::get().match(board_.around(p))) prior.add(1, kPatternWeight);
        if (is_self_atari(p)) prior.add(-1, kSelfAtari);
        if (is_open(p)) {
            const int line = line_of(p);
            if (line <= 2) prior.add(-1, kOpenArea);
            if (line == 3 || (line == 4 && board_.size() > 9)) prior.add(1, kOpenArea);
        }
        return prior;
    }
    static Prior pass(bool after_a_pass) {
        Prior prior;
        prior.add(after_a_pass ? 0.5f : -0.5f, kEven);
        return prior;
    }

private:
    // An own eye is filled only where every other move is proven lost.
    static constexpr float kEven = 10, kOwnEye = 1e6f, kPatternWeight = 10, kSelfAtari = 10,
                           kOpenArea = 10;
    static constexpr float kNear[3] = {24, 22, 8};  // one, two, three steps from the last move
    static constexpr int8_t kTakeOne = 15, kTakeMany = 30, kSaveOne = 15, kSaveMany = 30,
                            kHopeless = -20, kChase = 10, kAvoidChase = 10;

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
                        urgent_[liberty] = std::min(urgent_[liberty], kHopeless);
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
    void look_for_escape(int stone, int liberty, int8_t weight) {
        if (placed<2>(board_, liberty, color_).liberties.count == 2) raise(liberty, weight);
        int s = stone;
        do {
            for (const int step : kSteps)
                if (board_.color(s + step) == opponent(color_))
                    if (const int p = board_.atari(s + step)) raise(p, weight);
            s = board_.next(s);
        } while (s != stone);
    }
    void raise(int p, int8_t weight) { urgent_[p] = std::max(urgent_[p], weight); }

    bool is_self_atari(int p) const {
        return board_.empty_neighbours(p) < 2 && placed<2>(board_, p, color_).liberties.count < 2;
    }

    /// Steps from the last move, where a group is no farther than its nearest stone.
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
        // Distance 0 is the last move's own group; its neighbours are the first step, so the
        // array holds one less for empty points.
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
    int8_t urgent_[kPoints];  // simulations for a move, or against it
    uint8_t near_[kPoints];   // steps from the last move, less one
};

}  // namespace honte::go
