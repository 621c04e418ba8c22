// Gravity Connect Four on any board up to 16×16 with blocked cells.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>

#include "connect4/board.hpp"
#include "core/game.hpp"
#include "core/rng.hpp"

namespace honte::connect4 {

namespace detail {
constexpr auto make_keys() {
    std::array<uint64_t, 2 * kMaxSide * kMaxSide> keys{};
    for (size_t i = 0; i < keys.size(); ++i) keys[i] = mix(0xc4000000 + i);
    return keys;
}
inline constexpr auto kKeys = make_keys();
}  // namespace detail

class Playout;

class State {
public:
    using Rules = connect4::Rules;
    using Moves = MoveList<kMaxSide>;

    explicit State(const Rules& rules) : rules_(&rules) {
        std::memset(lines_, 0, sizeof lines_);
        for (int col = 0; col < kMaxSide; ++col)
            landing_[col] = static_cast<uint8_t>(rules.bottom(col));
    }

    /// Set a position up: rows·cols cells, row by row from the top left.
    State(const Rules& rules, std::span<const uint8_t> cells, int to_move);

    const Rules& rules() const { return *rules_; }
    int to_move() const { return stones_ & 1; }
    int stones() const { return stones_; }
    bool is_won() const { return won_; }  // by the side that moved last
    bool is_over() const { return won_ || stones_ == rules_->playable(); }
    int outcome() const { return won_ ? (to_move() ? 1 : -1) : 0; }
    int score() const { return outcome(); }
    Move last_move() const { return last_; }
    bool is_move(Move move) const {
        return move >= 0 && move < rules_->cols();
    }  // of this board, legal or not
    void mark_last(Move move) { last_ = static_cast<int8_t>(move); }

    /// The height at which a piece would land, or kFull.
    int landing(int col) const { return landing_[col]; }
    const Lines& lines(int player) const { return lines_[player]; }
    const Lines (&lines() const)[2] { return lines_; }
    const uint8_t (&landings() const)[kMaxSide] { return landing_; }

    bool is_legal(Move col) const {
        return !won_ && col >= 0 && col < rules_->cols() && landing_[col] != kFull;
    }
    Moves legal_moves() const {
        Moves moves;
        if (won_) return moves;
        for (int col = 0; col < rules_->cols(); ++col)
            if (landing_[col] != kFull) moves.push(col);
        return moves;
    }
    /// Would this player complete a line by playing this open column now?
    bool wins_at(int player, Move col) const {
        return rules_->has_line(lines_[player].with(col, landing_[col]));
    }

    void play_unchecked(Move col) {
        const int me = to_move();
        const int height = landing_[col];
        won_ = rules_->has_line(lines_[me].place(col, height));
        landing_[col] = static_cast<uint8_t>(rules_->above(col, height));
        hash_ ^= detail::kKeys[(col * kMaxSide + height) * 2 + me];
        last_ = static_cast<int8_t>(col);
        ++stones_;
    }

    Cell at(int row, int col) const {
        const int height = rules_->rows() - 1 - row;
        if (rules_->blocked(col, height)) return kBlocked;
        return lines_[0].has(col, height) ? kFirst : lines_[1].has(col, height) ? kSecond : kEmpty;
    }

    uint64_t hash() const { return hash_; }
    uint64_t recomputed_hash() const {
        uint64_t hash = 0;
        for (int col = 0; col < kMaxSide; ++col)
            for (int height = 0; height < kMaxSide; ++height)
                for (int player = 0; player < 2; ++player)
                    if (lines_[player].has(col, height))
                        hash ^= detail::kKeys[(col * kMaxSide + height) * 2 + player];
        return hash;
    }
    bool operator==(const State& other) const {
        return stones_ == other.stones_ &&
               std::memcmp(lines_[0].row, other.lines_[0].row, sizeof(Lines::row)) == 0 &&
               std::memcmp(lines_[1].row, other.lines_[1].row, sizeof(Lines::row)) == 0;
    }

    // For searches: an action is a cell, not a column, so it stays unique as the column fills.
    static constexpr int kActions = kMaxSide * kMaxSide;
    int action(Move col) const { return col * kMaxSide + landing_[col]; }
    static Move move_of(int action) { return action / kMaxSide; }

private:
    friend class Playout;  // plays on in place

    const Rules* rules_;
    uint64_t hash_ = 0;
    Lines lines_[2];
    uint8_t landing_[kMaxSide];
    int16_t stones_ = 0;
    int8_t last_ = -1;
    bool won_ = false;
};

inline State::State(const Rules& rules, std::span<const uint8_t> cells, int to_move)
    : State(rules) {
    const auto place_name = [&](int row, int col) {
        return "row " + std::to_string(row + 1) + ", column " + std::to_string(col + 1);
    };
    if (cells.size() != static_cast<size_t>(rules.rows() * rules.cols()))
        throw std::invalid_argument("the board has the wrong number of cells");
    int count[2] = {0, 0};
    bool line[2] = {false, false};
    for (int col = 0; col < rules.cols(); ++col) {
        bool ended = false;
        for (int height = 0; height < rules.rows(); ++height) {
            const int row = rules.rows() - 1 - height;
            const uint8_t cell = cells[row * rules.cols() + col];
            if ((cell == kBlocked) != rules.blocked(col, height))
                throw std::invalid_argument(place_name(row, col) +
                                            (cell == kBlocked ? " is marked blocked, but it is not"
                                                              : " must be marked blocked") +
                                            " in this game");
            if (cell == kBlocked) continue;
            if (cell == kEmpty) {
                ended = true;
                continue;
            }
            if (ended)
                throw std::invalid_argument("the piece in " + place_name(row, col) +
                                            " hangs above an empty cell; pieces fall");
            const int player = cell == kSecond;
            line[player] |= rules.has_line(lines_[player].place(col, height));
            landing_[col] = static_cast<uint8_t>(rules.above(col, height));
            hash_ ^= detail::kKeys[(col * kMaxSide + height) * 2 + player];
            ++count[player];
        }
    }
    if (count[0] - count[1] != to_move)
        throw std::invalid_argument("X has " + std::to_string(count[0]) + " and O " +
                                    std::to_string(count[1]) + " pieces, so " +
                                    (to_move ? "O" : "X") + " cannot be to move; X moves first");
    if (line[to_move])
        throw std::invalid_argument(std::string("the side to move, ") + (to_move ? "O" : "X") +
                                    ", already has a line; the game ended before this position");
    stones_ = static_cast<int16_t>(count[0] + count[1]);
    won_ = line[to_move ^ 1];
}

static_assert(GameState<State>);

}  // namespace honte::connect4
