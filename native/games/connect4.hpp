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

#include "games/connect4_attack.hpp"
#include "games/connect4_board.hpp"
#include "games/connect4_shapes.hpp"
#include "games/game.hpp"
#include "games/kept.hpp"

namespace honte::connect4 {

namespace detail {
constexpr auto make_keys() {
    std::array<uint64_t, 2 * kMaxSide * kMaxSide> keys{};
    for (size_t i = 0; i < keys.size(); ++i) keys[i] = mix(0xc4000000 + i);
    return keys;
}
inline constexpr auto kKeys = make_keys();

constexpr auto make_bits() {
    std::array<std::array<uint8_t, 8>, 256> places{};
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned bit = 0, n = 0; bit < 8; ++bit)
            if (byte >> bit & 1) places[byte][n++] = static_cast<uint8_t>(bit);
    return places;
}
inline constexpr auto kBits = make_bits();
}  // namespace detail

/// The place of the nth set bit, from 0, of a word of sixteen.
inline int nth_bit(uint32_t word, unsigned n) {
    const auto in_low = static_cast<unsigned>(std::popcount(word & 0xff));
    return n < in_low ? detail::kBits[word & 0xff][n] : 8 + detail::kBits[word >> 8][n - in_low];
}

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

    /// Play uniformly random columns to the end; +1, 0 or −1 for player 0.
    int playout(Rng& rng) const {
        State copy = *this;
        NoTrace trace;
        return copy.finish(rng, 0, trace).outcome;
    }

    // For searches: an action is a cell, so that a move keeps its name as the column fills.
    static constexpr int kActions = kMaxSide * kMaxSide;
    int action(Move col) const { return col * kMaxSide + landing_[col]; }
    static Move move_of(int action) { return action / kMaxSide; }
    int longest() const { return rules_->playable(); }

    /// One's own win comes first; then the opponent's: one is blocked, two cannot be. Then a win
    /// by `attack` moves that threaten.
    Forced forced(int attack) const {
        const int me = to_move();
        Forced blocks;
        for (int col = 0; col < rules_->cols(); ++col) {
            if (landing_[col] == kFull) continue;
            if (wins_at(me, col)) return won_by(col, 1);
            if (wins_at(me ^ 1, col)) blocks.moves.push(col);
        }
        blocks.kind = blocks.moves.size() == 0   ? Forced::kNothing
                      : blocks.moves.size() == 1 ? Forced::kOnly
                                                 : Forced::kLost;
        blocks.plies = 2;
        if (blocks.kind == Forced::kLost || attack == 0) return blocks;
        Attack threats(*rules_, lines_, landing_, me);
        const int plies = threats.plies(attack);
        return plies ? won_by(threats.first(), plies) : blocks;
    }

    Shapes shapes() const { return {*rules_, lines_, to_move(), last_}; }
    /// The chance that each of some actions is the one to play, by a table of strengths.
    void foresee(const uint16_t* actions, int count, float* chances, unsigned table) const {
        Kept<Strengths>::table(table).chances(shapes(), actions, count, chances);
    }

    // Playout policies, in the order in which they are asked.
    static constexpr unsigned kWinNow = 1;   // complete a line if one can
    static constexpr unsigned kBlock = 2;    // stop the opponent's line
    static constexpr unsigned kSeekWon = 4;  // look for a move that makes a double threat
    static constexpr unsigned kCentre = 8;   // prefer the middle: weights 1, 2, …, 2, 1
    static constexpr unsigned kSafe = 16;    // do not help the opponent to a win on top of it
    static constexpr unsigned kKeep = 32;    // do not give one's own win on top of it away
    static constexpr unsigned kNear = 64;    // every other time within two columns of the last

    template <class Trace>
    Result finish(Rng& rng, unsigned policy, Trace& trace) {
        if (is_over()) return {outcome(), 0};
        if (policy & (kSafe | kKeep)) return finish_by<true>(rng, policy, trace);
        if (policy) return finish_by<false>(rng, policy, trace);
        return rules_->inarow() == 4 ? finish_uniformly(rng, trace, Rules::has_four)
                                     : finish_uniformly(rng, trace, [this](uint64_t packed) {
                                           return rules_->has_line(packed);
                                       });
    }

private:
    static Forced won_by(int col, int plies) {
        Forced win{Forced::kWin, {}, plies};
        win.moves.push(col);
        return win;
    }

    /// The columns that are not full.
    struct Open {
        uint8_t cols[kMaxSide];
        unsigned count = 0;
        explicit Open(const State& state) {
            for (int col = 0; col < state.rules_->cols(); ++col) {
                cols[count] = static_cast<uint8_t>(col);
                count += state.landing_[col] != kFull;
            }
        }
    };

    template <class Trace, class HasLine>
    Result finish_uniformly(Rng& rng, Trace& trace, HasLine has_line) {
        const int mover = to_move();
        Lines* const lines[2] = {&lines_[mover], &lines_[mover ^ 1]};
        Open open(*this);
        for (int plies = 1;; plies += 2) {
            uint64_t random = rng.next();  // 32 bits for each of two plies
            for (int side = 0; side < 2; ++side, random >>= 32) {
                const auto pick =
                    static_cast<unsigned>(((random & 0xffffffffULL) * open.count) >> 32);
                const unsigned col = open.cols[pick];
                const unsigned height = landing_[col];
                trace.add(static_cast<int>(col * kMaxSide + height), mover ^ side);
                if (has_line(lines[side]->place(col, height)))
                    return {side == mover ? 1 : -1, plies + side};
                const int next = rules_->above(static_cast<int>(col), static_cast<int>(height));
                landing_[col] = static_cast<uint8_t>(next);
                if (next == kFull) {
                    open.cols[pick] = open.cols[--open.count];
                    if (open.count == 0) return {0, plies + side};
                }
            }
        }
    }

    template <bool Above, class Trace>
    Result finish_by(Rng& rng, unsigned policy, Trace& trace) {
        uint32_t open = 0;  // the columns that are not full, as bits
        for (int col = 0; col < rules_->cols(); ++col)
            open |= static_cast<uint32_t>(landing_[col] != kFull) << col;
        Threats<Above> threats(*rules_, lines_, landing_);
        for (int plies = 1;; ++plies) {
            const int me = to_move();
            const Move col = choose(open, threats, policy, rng);
            trace.add(action(col), me);
            if (threats.now(me) >> col & 1) return {me == 0 ? 1 : -1, plies};
            const int height = landing_[col];
            const uint64_t packed = lines_[me].place(col, height);
            landing_[col] = static_cast<uint8_t>(rules_->above(col, height));
            last_ = static_cast<int8_t>(col);
            ++stones_;
            threats.update(me, col, height, packed);
            if (landing_[col] == kFull) {
                open &= ~(1u << col);
                if (open == 0) return {0, plies};
            }
        }
    }
    /// The policies' choice among the open columns.
    template <bool Above>
    Move choose(uint32_t open, const Threats<Above>& threats, unsigned policy, Rng& rng) const {
        const int me = to_move();
        if (policy & kWinNow && threats.now(me)) return std::countr_zero(threats.now(me));
        if (policy & kBlock && threats.now(me ^ 1)) return std::countr_zero(threats.now(me ^ 1));
        if constexpr (Above) {
            if (policy & kSafe && open & ~threats.above(me ^ 1)) open &= ~threats.above(me ^ 1);
            if (policy & kKeep && open & ~threats.above(me)) open &= ~threats.above(me);
        }
        if (policy & kNear && last_ >= 0 && rng.below(2)) {
            const uint32_t near = (0x1fu << last_) >> 2;
            if (open & near) open &= near;
        }
        if (policy & (kSeekWon | kCentre)) return choose_among(open, policy, rng);
        return nth_bit(open, rng.below(static_cast<unsigned>(std::popcount(open))));
    }
    Move choose_among(uint32_t open, unsigned policy, Rng& rng) const {
        const int me = to_move();
        if (policy & kSeekWon)
            for (uint32_t rest = open; rest; rest &= rest - 1) {
                const int col = std::countr_zero(rest);
                State next = *this;
                next.play_unchecked(col);
                next.stones_ = static_cast<int16_t>(next.stones_ - 1);  // as if to move again
                if (!next.won_ && next.is_won_by(me)) return col;
            }
        const auto weight = [&](int col) {
            return policy & kCentre ? static_cast<unsigned>(std::min(col + 1, rules_->cols() - col))
                                    : 1u;
        };
        unsigned total = 0;
        for (uint32_t rest = open; rest; rest &= rest - 1) total += weight(std::countr_zero(rest));
        unsigned left = rng.below(total);
        while (left >= weight(std::countr_zero(open))) {
            left -= weight(std::countr_zero(open));
            open &= open - 1;
        }
        return std::countr_zero(open);
    }
    /// Does this player threaten two columns while the opponent threatens none?
    bool is_won_by(int player) const {
        int threats = 0;
        for (int col = 0; col < rules_->cols(); ++col) {
            if (landing_[col] == kFull) continue;
            if (wins_at(player ^ 1, col)) return false;
            threats += wins_at(player, col);
        }
        return threats >= 2;
    }

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
