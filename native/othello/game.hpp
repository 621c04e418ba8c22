// Othello on 4×4, 6×6 and 8×8 boards, two 64-bit words a position.
//
// Square (row, col) is bit 8·row + col on every size: the smaller boards lie in the
// top left corner of the 8×8 one. No disc ever stands outside, so lines of discs end there without
// a special case and one code serves all sizes.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <stdexcept>

#include "core/game.hpp"
#include "core/rng.hpp"

namespace honte::othello {

inline constexpr Move kPass = 64;

namespace bits {

// The inner six columns: an opponent's disc on an edge column cannot be flanked
// across the edge, and masking it stops a shifted line from wrapping round.
inline constexpr uint64_t kInner = 0x7e7e7e7e7e7e7e7eULL;

// Both functions below run the parallel-prefix ("Kogge–Stone") fill: from a set of
// discs, follow the opponent's discs in a direction in steps of 1, 2, 2 squares.
// The four shifts 1, 7, 8, 9 give eight directions, left and right.

#if defined(__AVX2__) && !defined(HONTE_PORTABLE)
// All four shifts at once. The twin below is for machines whose vectors cannot
// shift each lane by its own amount (there the compiler would fall back to a
// detour through memory, four times slower than plain words).
using Four = uint64_t __attribute__((vector_size(32)));
inline constexpr Four kShift = {1, 7, 8, 9};
inline constexpr Four kShift2 = {2, 14, 16, 18};
inline constexpr Four kMask = {kInner, kInner, ~0ULL, kInner};

inline uint64_t any(Four f) { return f[0] | f[1] | f[2] | f[3]; }

struct Fill {
    Four left, right;
    Fill(uint64_t from, uint64_t through) {
        const Four start = {from, from, from, from};
        const Four line = Four{through, through, through, through} & kMask;
        left = line & (start << kShift);
        right = line & (start >> kShift);
        left |= line & (left << kShift);
        right |= line & (right >> kShift);
        const Four line_left = line & (line << kShift), line_right = line & (line >> kShift);
        left |= line_left & (left << kShift2);
        right |= line_right & (right >> kShift2);
        left |= line_left & (left << kShift2);
        right |= line_right & (right >> kShift2);
    }
};

/// The squares from which `own` flanks something of `other`, before removing taken squares.
inline uint64_t reach(uint64_t own, uint64_t other) {
    const Fill fill(own, other);
    return any((fill.left << kShift) | (fill.right >> kShift));
}

/// The discs of `other` that flip when `own` plays on a square.
inline uint64_t flips(uint64_t own, uint64_t other, int square) {
    const Fill fill(1ULL << square, other);
    const Four mine = {own, own, own, own};
    const Four none = {0, 0, 0, 0};
    return any((fill.left & (Four)(((fill.left << kShift) & mine) != none)) |
               (fill.right & (Four)(((fill.right >> kShift) & mine) != none)));
}
#else
template <int Shift>
uint64_t reach_along(uint64_t own, uint64_t line) {
    uint64_t left = line & (own << Shift), right = line & (own >> Shift);
    left |= line & (left << Shift);
    right |= line & (right >> Shift);
    const uint64_t line_left = line & (line << Shift), line_right = line & (line >> Shift);
    left |= line_left & (left << 2 * Shift);
    right |= line_right & (right >> 2 * Shift);
    left |= line_left & (left << 2 * Shift);
    right |= line_right & (right >> 2 * Shift);
    return left << Shift | right >> Shift;
}

inline uint64_t reach(uint64_t own, uint64_t other) {
    const uint64_t inner = other & kInner;
    return reach_along<1>(own, inner) | reach_along<7>(own, inner) | reach_along<9>(own, inner) |
           reach_along<8>(own, other);
}

/// The squares beyond each square in four directions, towards higher and lower bits.
struct Rays {
    uint64_t up[64][4] = {}, down[64][4] = {};
    constexpr Rays() {
        constexpr int row_step[4] = {0, 1, 1, 1}, col_step[4] = {1, -1, 0, 1};
        const auto ray = [](int row, int col, int dr, int dc) {
            uint64_t mask = 0;
            for (row += dr, col += dc; row >= 0 && row < 8 && col >= 0 && col < 8;
                 row += dr, col += dc)
                mask |= 1ULL << (8 * row + col);
            return mask;
        };
        for (int square = 0; square < 64; ++square)
            for (int k = 0; k < 4; ++k) {
                up[square][k] = ray(square / 8, square % 8, row_step[k], col_step[k]);
                down[square][k] = ray(square / 8, square % 8, -row_step[k], -col_step[k]);
            }
    }
};
inline constexpr Rays kRays;

inline uint64_t flips(uint64_t own, uint64_t other, int square) {
    uint64_t turned = 0;
    for (int k = 0; k < 4; ++k) {
        // Upwards a carry runs through the opponent's discs and lands on the square
        // behind them: (other, with everything off the ray set) + 1.
        const uint64_t up = kRays.up[square][k];
        const uint64_t behind = ((other | ~up) + 1) & up & own;
        turned |= (behind - (behind != 0)) & up;
        // Downwards that square is the highest bit of the ray that is not the opponent's.
        const uint64_t down = kRays.down[square][k];
        const uint64_t below =
            (0x8000000000000000ULL >> std::countl_zero((~other & down) | 1)) & down & own;
        turned |= (0 - (below << 1)) & down & (0 - static_cast<uint64_t>(below != 0));
    }
    return turned;
}
#endif

/// The k-th set bit of a mask, counted from 0 at the lowest.
inline int select(uint64_t mask, unsigned k) {
    for (; k; --k) mask &= mask - 1;
    return std::countr_zero(mask);
}

}  // namespace bits

/// The immutable part of a game: the size of its board.
class Rules {
public:
    explicit Rules(int size) : size_(size) {
        if (size != 4 && size != 6 && size != 8)
            throw std::invalid_argument("an Othello board has size 4, 6 or 8");
        for (int row = 0; row < size; ++row) board_ |= ((1ULL << size) - 1) << (8 * row);
    }
    int size() const { return size_; }
    uint64_t board() const { return board_; }  // its squares

private:
    int size_;
    uint64_t board_ = 0;
};

/// The discs as the side to move sees them.
struct Board {
    uint64_t own, other;

    uint64_t moves(uint64_t squares) const {
        return bits::reach(own, other) & squares & ~(own | other);
    }
    uint64_t other_moves(uint64_t squares) const {
        return bits::reach(other, own) & squares & ~(own | other);
    }
    Board after(int square) const {
        const uint64_t turned = bits::flips(own, other, square);
        return {other ^ turned, own | turned | 1ULL << square};
    }
    Board passed() const { return {other, own}; }
    bool operator==(const Board&) const = default;
};

class State {
public:
    using Rules = othello::Rules;
    using Moves = MoveList<64>;

    explicit State(const Rules& rules) : rules_(&rules) {
        const int low = rules.size() / 2 - 1, high = rules.size() / 2;
        const auto bit = [](int row, int col) { return 1ULL << (8 * row + col); };
        board_ = {bit(low, high) | bit(high, low), bit(low, low) | bit(high, high)};
        look();
    }
    State(const Rules& rules, Board board, int to_move)
        : rules_(&rules), board_(board), to_move_(static_cast<int8_t>(to_move)) {
        if ((board.own & board.other) || ((board.own | board.other) & ~rules.board()))
            throw std::invalid_argument("two discs on a square, or one off the board");
        look();
    }

    const Rules& rules() const { return *rules_; }
    const Board& board() const { return board_; }
    int to_move() const { return to_move_; }
    bool is_over() const { return over_; }
    Move last_move() const { return last_; }
    bool is_move(Move move) const {
        return move == kPass || (move >= 0 && move < 64 && (rules_->board() >> move & 1));
    }  // of this board, legal or not
    void mark_last(Move move) { last_ = static_cast<int8_t>(move); }
    uint64_t moves_mask() const { return moves_; }
    uint64_t discs(int player) const { return player == to_move_ ? board_.own : board_.other; }

    bool is_legal(Move move) const {
        if (move == kPass) return moves_ == 0 && !over_;
        return move >= 0 && move < 64 && (moves_ >> move & 1);
    }
    Moves legal_moves() const {
        Moves moves;
        for (uint64_t rest = moves_; rest; rest &= rest - 1) moves.push(std::countr_zero(rest));
        if (moves_ == 0 && !over_) moves.push(kPass);
        return moves;
    }
    void play_unchecked(Move move) {
        board_ = move == kPass ? board_.passed() : board_.after(move);
        to_move_ ^= 1;
        last_ = static_cast<int8_t>(move);
        look();
    }

    /// Discs of player 0 minus discs of player 1; once over, the empties are the winner's.
    int score() const {
        const int difference = std::popcount(discs(0)) - std::popcount(discs(1));
        if (!over_ || difference == 0) return difference;
        const int empties = std::popcount(rules_->board() & ~(board_.own | board_.other));
        return difference > 0 ? difference + empties : difference - empties;
    }
    int outcome() const {
        const int difference = std::popcount(discs(0)) - std::popcount(discs(1));
        return (difference > 0) - (difference < 0);
    }

    uint64_t hash() const {
        return mix(board_.own ^ mix(board_.other ^ mix(static_cast<uint64_t>(to_move_))));
    }
    uint64_t recomputed_hash() const { return hash(); }
    bool operator==(const State& other) const {
        return board_ == other.board_ && to_move_ == other.to_move_;
    }

    // For searches.
    static constexpr int kActions = 65;
    static int action(Move move) { return move; }
    static Move move_of(int action) { return action; }

private:
    void look() {
        moves_ = board_.moves(rules_->board());
        over_ = moves_ == 0 && board_.other_moves(rules_->board()) == 0;
    }

    const Rules* rules_;
    Board board_{};
    uint64_t moves_ = 0;  // of the side to move
    int8_t to_move_ = 0;
    int8_t last_ = -1;
    bool over_ = false;
};

static_assert(GameState<State>);

/// How perft counts: what a forced pass is, and whether the last ply is made or counted.
struct PerftStyle {
    bool pass_is_a_ply = true;
    bool bulk = true;  // count the last moves instead of making them
};

/// Leaves at a depth. Unlike in the general perft, a finished game is one leaf, as in the published
/// counts.
template <PerftStyle Style>
uint64_t perft(Board board, uint64_t squares, int depth) {
    // Always true, as no square is both sides'; keeps the compiler from removing the last moves.
    if (depth == 0) return (board.own & board.other) == 0;
    uint64_t moves = board.moves(squares);
    if (moves == 0) {
        if (board.other_moves(squares) == 0) return 1;
        return perft<Style>(board.passed(), squares, Style.pass_is_a_ply ? depth - 1 : depth);
    }
    if (Style.bulk && depth == 1) return static_cast<uint64_t>(std::popcount(moves));
    uint64_t total = 0;
    for (; moves; moves &= moves - 1)
        total += perft<Style>(board.after(std::countr_zero(moves)), squares, depth - 1);
    return total;
}

}  // namespace honte::othello
