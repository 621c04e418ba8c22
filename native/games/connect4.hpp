// Gravity Connect Four on any board up to 16×16 with blocked cells.
//
// A board is kept as *line words*: for each side one 16-bit word for every row,
// column, diagonal and anti-diagonal. A stone sets one bit in each of four words,
// and whether it completes a line is a question to those four words alone,
// packed into one 64-bit number:
//
//      63      48 47      32 31      16 15       0
//     +----------+----------+----------+----------+
//     |   anti   |   diag   |  column  |   row    |    the four lines through the stone
//     +----------+----------+----------+----------+
//
// Rows, diagonals and anti-diagonals are indexed by column inside their word, a
// column by height; heights count from the bottom. Blocked cells are set for
// nobody, so they break lines by themselves.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "games/game.hpp"

namespace honte::connect4 {

inline constexpr int kMaxSide = 16;
inline constexpr int kFull = kMaxSide;  // the landing height of a full column

enum Cell : uint8_t { kEmpty = 0, kFirst = 1, kSecond = 2, kBlocked = 3 };

/// The immutable part of a game: the size, the blocked cells, the length of a line.
class Rules {
public:
    /// `blocked` holds rows·cols flags, row by row from the top left.
    Rules(int rows, int cols, int inarow, std::span<const bool> blocked)
        : rows_(rows), cols_(cols), inarow_(inarow) {
        if (rows < 4 || rows > kMaxSide || cols < 4 || cols > kMaxSide)
            throw std::invalid_argument("a board has 4 to 16 rows and 4 to 16 columns");
        if (inarow < 2 || inarow > kMaxSide) throw std::invalid_argument("inarow must be 2 to 16");
        for (int col = 0; col < kMaxSide; ++col) {
            int lowest = kFull;
            for (int height = kMaxSide - 1; height >= 0; --height) {
                above_[col][height] = static_cast<uint8_t>(lowest);
                if (col >= cols || height >= rows) continue;
                const bool is_blocked = blocked[(rows - 1 - height) * cols + col];
                blocked_[col][height] = is_blocked;
                if (is_blocked) continue;
                lowest = height;
                ++playable_;
            }
            bottom_[col] = static_cast<uint8_t>(lowest);
        }
        if (playable_ == 0) throw std::invalid_argument("every cell of the board is blocked");
    }

    int rows() const { return rows_; }
    int cols() const { return cols_; }
    int inarow() const { return inarow_; }
    int playable() const { return playable_; }
    bool blocked(int col, int height) const { return blocked_[col][height]; }

    /// Where the next piece lands above one that lies at this height; kFull if nowhere.
    int above(int col, int height) const { return above_[col][height]; }
    int bottom(int col) const { return bottom_[col]; }

    /// Is there a line of `inarow` in one of the four packed words?
    bool has_line(uint64_t packed) const {
        if (inarow_ == 4) [[likely]]
            return has_four(packed);
        for (int i = 1; i < inarow_ && packed; ++i) packed &= (packed >> 1) & 0x7fff7fff7fff7fffULL;
        return packed != 0;
    }
    static bool has_four(uint64_t packed) {
        const uint64_t pairs = packed & ((packed >> 1) & 0x7fff7fff7fff7fffULL);
        return (pairs & ((pairs >> 2) & 0x3fff3fff3fff3fffULL)) != 0;
    }
    /// The cells that would complete four in each of the packed words, taken or not.
    static uint64_t wins_of_four(uint64_t packed) {
        const uint64_t left1 = packed << 1 & 0xfffefffefffefffeULL;
        const uint64_t left2 = packed << 2 & 0xfffcfffcfffcfffcULL;
        const uint64_t left3 = packed << 3 & 0xfff8fff8fff8fff8ULL;
        const uint64_t right1 = packed >> 1 & 0x7fff7fff7fff7fffULL;
        const uint64_t right2 = packed >> 2 & 0x3fff3fff3fff3fffULL;
        const uint64_t right3 = packed >> 3 & 0x1fff1fff1fff1fffULL;
        return (left1 & left2 & (left3 | right1)) | (right1 & right2 & (right3 | left1));
    }

private:
    int rows_, cols_, inarow_;
    int playable_ = 0;
    uint8_t bottom_[kMaxSide];
    uint8_t above_[kMaxSide][kMaxSide];
    bool blocked_[kMaxSide][kMaxSide] = {};
};

/// The stones of one side, as line words.
struct Lines {
    uint16_t row[kMaxSide], column[kMaxSide], diag[2 * kMaxSide], anti[2 * kMaxSide];

    /// Set the stone and give the four lines through it.
    uint64_t place(unsigned col, unsigned height) {
        const auto bit = static_cast<uint16_t>(1u << col);
        const uint64_t in_row = row[height] |= bit;
        const uint64_t in_column = column[col] |= static_cast<uint16_t>(1u << height);
        const uint64_t in_diag = diag[col - height + kMaxSide] |= bit;
        const uint64_t in_anti = anti[col + height] |= bit;
        return in_row | in_column << 16 | in_diag << 32 | in_anti << 48;
    }
    /// The four lines through the cell as they would be with a stone on it.
    uint64_t with(unsigned col, unsigned height) const {
        const uint64_t bit = 1u << col;
        return (row[height] | bit) | (column[col] | uint64_t{1} << height) << 16 |
               (diag[col - height + kMaxSide] | bit) << 32 | (anti[col + height] | bit) << 48;
    }
    bool has(int col, int height) const { return row[height] >> col & 1; }
};

namespace detail {
constexpr auto make_keys() {
    std::array<uint64_t, 2 * kMaxSide * kMaxSide> keys{};
    for (size_t i = 0; i < keys.size(); ++i) keys[i] = mix(0xc4000000 + i);
    return keys;
}
inline constexpr auto kKeys = make_keys();
}  // namespace detail

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

    /// One's own win comes first; then the opponent's: one is blocked, two cannot be.
    Forced forced() const {
        const int me = to_move();
        Forced forced;
        int threats = 0;
        for (int col = 0; col < rules_->cols(); ++col) {
            if (landing_[col] == kFull) continue;
            if (wins_at(me, col)) return {Forced::kWin, {col, -1}};
            if (threats < 2 && wins_at(me ^ 1, col)) forced.moves[threats++] = col;
        }
        forced.kind = threats == 0   ? Forced::kNothing
                      : threats == 1 ? Forced::kOnly
                                     : Forced::kLost;
        return forced;
    }

    // Playout policies, in the order in which they are asked.
    static constexpr unsigned kWinNow = 1;   // complete a line if one can
    static constexpr unsigned kBlock = 2;    // stop the opponent's line
    static constexpr unsigned kSeekWon = 4;  // look for a move that makes a double threat
    static constexpr unsigned kCentre = 8;   // prefer the middle: weights 1, 2, …, 2, 1

    /// For each side the columns in which it would complete a line now, as bits.
    ///
    /// A stone changes little: its own side can have new ones only where the next piece would
    /// lie in line with it, and in its column the landing is another for both.
    struct Threats {
        uint32_t cols[2] = {0, 0};

        explicit Threats(const State& state) {
            for (int col = 0; col < state.rules_->cols(); ++col) look(state, col);
        }
        bool has(int player, Move col) const { return cols[player] >> col & 1; }
        void look(const State& state, int col) {
            const uint32_t bit = 1u << col;
            for (int player = 0; player < 2; ++player) {
                cols[player] &= ~bit;
                if (state.landing_[col] != kFull && state.wins_at(player, col)) cols[player] |= bit;
            }
        }
        /// A stone of this player has come to lie here; `packed` are its four lines.
        void update(const State& state, int player, int col, int height, uint64_t packed) {
            if (state.rules_->inarow() != 4) {
                for (int other = 0; other < state.rules_->cols(); ++other) look(state, other);
                return;
            }
            const uint64_t wins = Rules::wins_of_four(packed);
            typedef uint8_t Heights __attribute__((vector_size(kMaxSide)));
            Heights landing;
            std::memcpy(&landing, state.landing_, sizeof landing);
            const Heights along = kColumns - static_cast<uint8_t>(col);
            const Heights level = Heights{} + static_cast<uint8_t>(height);
            const uint32_t in_line = (bits_of(landing == level) & static_cast<uint32_t>(wins)) |
                                     (bits_of(landing == level + along) & (wins >> 32 & 0xffff)) |
                                     (bits_of(landing == level - along) & wins >> 48);
            cols[player] |= in_line & ~bits_of(landing == Heights{} + uint8_t{kFull});
            look(state, col);
        }

    private:
        typedef uint8_t Bytes __attribute__((vector_size(kMaxSide)));
        static constexpr Bytes kColumns = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

        /// One bit for each of sixteen bytes that are all ones or all zeros.
        template <class Mask>
        static uint32_t bits_of(Mask mask) {
#if defined(__SSE2__)
            return static_cast<uint32_t>(_mm_movemask_epi8((__m128i)mask));
#else
            uint64_t halves[2];
            std::memcpy(halves, &mask, sizeof halves);
            uint32_t bits = 0;
            for (int half = 1; half >= 0; --half)  // byte i's lowest bit comes to bit 56 + i
                bits = bits << 8 |
                       static_cast<uint32_t>(
                           (halves[half] & 0x0101010101010101ULL) * 0x0102040810204080ULL >> 56);
            return bits;
#endif
        }
    };

    template <class Trace>
    Result finish(Rng& rng, unsigned policy, Trace& trace) {
        if (is_over()) return {outcome(), 0};
        if (policy) return finish_by(rng, policy, trace);
        return rules_->inarow() == 4 ? finish_uniformly(rng, trace, Rules::has_four)
                                     : finish_uniformly(rng, trace, [this](uint64_t packed) {
                                           return rules_->has_line(packed);
                                       });
    }

private:
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
        void close(int col) {
            unsigned i = 0;
            while (cols[i] != col) ++i;
            cols[i] = cols[--count];
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

    template <class Trace>
    Result finish_by(Rng& rng, unsigned policy, Trace& trace) {
        Open open(*this);
        Threats threats(*this);
        for (int plies = 1;; ++plies) {
            const int me = to_move();
            const Move col = choose(open, threats, policy, rng);
            trace.add(action(col), me);
            if (threats.has(me, col)) return {me == 0 ? 1 : -1, plies};
            const int height = landing_[col];
            const uint64_t packed = lines_[me].place(col, height);
            landing_[col] = static_cast<uint8_t>(rules_->above(col, height));
            ++stones_;
            threats.update(*this, me, col, height, packed);
            if (landing_[col] == kFull) {
                open.close(col);
                if (open.count == 0) return {0, plies};
            }
        }
    }
    /// The policies' choice among the open columns.
    Move choose(const Open& open, const Threats& threats, unsigned policy, Rng& rng) const {
        const int me = to_move();
        if (policy & kWinNow && threats.cols[me]) return std::countr_zero(threats.cols[me]);
        if (policy & kBlock && threats.cols[me ^ 1]) return std::countr_zero(threats.cols[me ^ 1]);
        if (policy & kSeekWon)
            for (unsigned i = 0; i < open.count; ++i) {
                State next = *this;
                next.play_unchecked(open.cols[i]);
                next.stones_ = static_cast<int16_t>(next.stones_ - 1);  // as if to move again
                if (!next.won_ && next.is_won_by(me)) return open.cols[i];
            }
        if (!(policy & kCentre)) return open.cols[rng.below(open.count)];
        const int cols = rules_->cols();
        unsigned total = 0, weights[kMaxSide];
        for (unsigned i = 0; i < open.count; ++i) {
            const int col = open.cols[i];
            weights[i] = static_cast<unsigned>(std::min(col + 1, cols - col));
            total += weights[i];
        }
        unsigned left = rng.below(total), i = 0;
        while (left >= weights[i]) left -= weights[i++];
        return open.cols[i];
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
