// The game of Go on the board of board.hpp: turns, passes, ko rules, scoring.
#pragma once

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/game.hpp"
#include "go/board.hpp"

namespace honte::go {

enum class Ko : uint8_t { kSimple, kPositional, kSituational };

/// The immutable part of a game: size, komi, ko rule, suicide, handicap stones.
///
/// A move is row·size + col with row 0 at the top; size² is the pass.
class Rules {
public:
    Rules(int size, double komi, Ko ko, bool suicide, std::span<const Move> handicap)
        : size_(size),
          komi_(komi),
          ko_(ko),
          suicide_(suicide),
          handicap_(handicap.begin(), handicap.end()) {
        if (size < 2 || size > kMaxSize) throw std::invalid_argument("a Go board has size 2 to 19");
        for (const Move move : handicap_)
            if (move < 0 || move >= size * size)
                throw std::invalid_argument("a handicap stone is off the board");
    }
    int size() const { return size_; }
    double komi() const { return komi_; }
    Ko ko() const { return ko_; }
    bool suicide() const { return suicide_; }
    const std::vector<Move>& handicap() const { return handicap_; }

    Move pass() const { return size_ * size_; }
    int point(Move move) const { return (move / size_ + 1) * kStride + move % size_ + 1; }
    /// Call f(move, point) for the points in the order of the moves.
    template <class F>
    void each_point(F f) const {
        for (int row = 0, move = 0; row < size_; ++row)
            for (int p = (row + 1) * kStride + 1; p <= (row + 1) * kStride + size_; ++p)
                f(move++, p);
    }
    Move move(int point) const { return (point / kStride - 1) * size_ + point % kStride - 1; }

private:
    int size_;
    double komi_;
    Ko ko_;
    bool suicide_;
    std::vector<Move> handicap_;
};

/// Earlier positions by hash, behind a small filter.
class History {
public:
    void add(uint64_t hash) {
        if (has(hash)) return;
        hashes_.push_back(hash);
        filter_[hash >> 6 & 15] |= 1ULL << (hash & 63);
    }
    bool has(uint64_t hash) const {
        if (!(filter_[hash >> 6 & 15] >> (hash & 63) & 1)) return false;
        for (const uint64_t seen : hashes_)
            if (seen == hash) return true;
        return false;
    }
    std::span<const uint64_t> hashes() const { return hashes_; }

private:
    std::vector<uint64_t> hashes_;
    uint64_t filter_[16] = {};
};

class State {
public:
    using Rules = go::Rules;
    using Moves = MoveList<kMaxSize * kMaxSize + 1>;

    explicit State(const Rules& rules) : rules_(&rules), board_(rules.size()) {
        for (const Move move : rules.handicap()) {
            if (board_.color(rules.point(move)) != kEmpty)
                throw std::invalid_argument("two handicap stones on one point");
            board_.play(rules.point(move), kBlack);
        }
        to_move_ = rules.handicap().empty() ? 0 : 1;
        remember();
    }

    /// Set a position up: size² cells from the top left, 0 empty, 1 black, 2 white.
    State(const Rules& rules, std::span<const uint8_t> cells, int to_move, int passes);

    const Rules& rules() const { return *rules_; }
    const Board& board() const { return board_; }
    /// The board for a playout, which consumes the state.
    Board& spend_board() { return board_; }
    int to_move() const { return to_move_; }
    Color mover() const { return to_move_ ? kWhite : kBlack; }
    int passes() const { return passes_; }
    /// Where the last stone was put; 0 after a pass, or if there is none.
    int last_point() const {
        return last_ >= 0 && last_ < rules_->pass() && board_.color(rules_->point(last_)) != kEmpty
                   ? rules_->point(last_)
                   : 0;
    }
    bool is_over() const { return passes_ == 2; }
    Move last_move() const { return last_; }
    Move second_last_move() const { return second_last_; }  // −1: none or unknown
    bool is_move(Move move) const {
        return move >= 0 && move <= rules_->pass();
    }  // of this board, legal or not
    void mark_last(Move move) { last_ = static_cast<int16_t>(move); }
    void mark_second_last(Move move) { second_last_ = static_cast<int16_t>(move); }
    const History& history() const { return history_; }

    bool is_legal(Move move) const {
        if (is_over() || move < 0 || move > rules_->pass()) return false;
        return move == rules_->pass() || may_play(rules_->point(move));
    }
    /// May a stone be played on this point of an unfinished game?
    bool may_play(int p) const {
        return board_.color(p) == kEmpty && (rules_->suicide() || !board_.is_suicide(p, mover())) &&
               !is_ko(p);
    }
    /// Is the empty point forbidden by the ko rule?
    bool is_ko(int p) const {
        if (rules_->ko() == Ko::kSimple) return p == board_.ko();
        return history_.has(situation(board_.hash_after(p, mover()), to_move_ ^ 1));
    }
    /// Ascending, the pass last.
    Moves legal_moves() const {
        Moves moves;
        if (is_over()) return moves;
        rules_->each_point([&](Move move, int p) {
            if (may_play(p)) moves.push(move);
        });
        moves.push(rules_->pass());
        return moves;
    }
    void play_unchecked(Move move) {
        if (move == rules_->pass()) {
            board_.forget_ko();
            ++passes_;
        } else {
            board_.play(rules_->point(move), mover());
            passes_ = 0;
        }
        to_move_ ^= 1;
        second_last_ = last_;
        last_ = static_cast<int16_t>(move);
        remember();
    }

    /// Black's area minus White's, with the stones at the given points taken off as dead.
    int area(std::span<const Move> dead = {}) const;
    double score() const { return area() - rules_->komi(); }
    int outcome() const { return sign(score()); }

    uint64_t hash() const {
        const uint64_t ko = rules_->ko() == Ko::kSimple ? static_cast<uint64_t>(board_.ko()) : 0;
        return mix(board_.hash() ^ (static_cast<uint64_t>(to_move_) + 2 * ko) << 8) +
               static_cast<uint64_t>(passes_);
    }
    /// The hash with the points that superko forbids: equal states have equal ones, and only they.
    uint64_t full_hash() const {
        uint64_t found = hash();
        if (rules_->ko() == Ko::kSimple || is_over()) return found;
        rules_->each_point([&](Move move, int p) {
            if (board_.color(p) == kEmpty && is_ko(p)) found ^= mix(0xf0b1dULL + move);
        });
        return found;
    }
    uint64_t recomputed_board_hash() const {
        uint64_t hash = 0;
        for (Move move = 0; move < rules_->pass(); ++move) {
            const int p = rules_->point(move);
            if (board_.color(p) != kEmpty) hash ^= key(p, board_.color(p));
        }
        return hash;
    }
    /// The same stones, side to move, passes and forbidden points. Older history may differ.
    bool operator==(const State& other) const;

    /// Forbid a point as the ko rule would: restores the ko state of a position read from text.
    void forbid(Move move);
    /// Make earlier positions count for superko.
    void remember(std::span<const uint64_t> hashes) {
        for (const uint64_t hash : hashes) history_.add(hash);
    }

    // For searches.
    static constexpr int kActions = kMaxSize * kMaxSize + 1;
    static int action(Move move) { return move; }
    static Move move_of(int action) { return action; }

private:
    static int sign(double x) { return (x > 0) - (x < 0); }

    /// What superko compares: the board alone, or with the side to move.
    uint64_t situation(uint64_t board_hash, int to_move) const {
        return rules_->ko() == Ko::kSituational && to_move ? board_hash ^ mix(0x51de) : board_hash;
    }
    void remember() {
        if (rules_->ko() != Ko::kSimple) history_.add(situation(board_.hash(), to_move_));
    }

    const Rules* rules_;
    History history_;
    Board board_;
    int16_t last_ = -1, second_last_ = -1;
    int8_t to_move_ = 0;
    int8_t passes_ = 0;
};

inline State::State(const Rules& rules, std::span<const uint8_t> cells, int to_move, int passes)
    : rules_(&rules),
      board_(rules.size()),
      to_move_(static_cast<int8_t>(to_move)),
      passes_(static_cast<int8_t>(passes)) {
    if (cells.size() != static_cast<size_t>(rules.pass()))
        throw std::invalid_argument("the board has the wrong number of points");
    // Look for groups without liberties first: playing the stones would capture them.
    std::vector<bool> breathes(cells.size());
    std::vector<Move> reached;
    const int size = rules.size();
    const auto neighbours = [&](Move move, auto f) {
        if (move >= size) f(move - size);
        if (move % size) f(move - 1);
        if (move % size < size - 1) f(move + 1);
        if (move < size * (size - 1)) f(move + size);
    };
    for (Move move = 0; move < rules.pass(); ++move)
        if (cells[move] == kEmpty)
            neighbours(move, [&](Move n) {
                if (cells[n] != kEmpty && !breathes[n]) breathes[n] = true, reached.push_back(n);
            });
    while (!reached.empty()) {
        const Move move = reached.back();
        reached.pop_back();
        neighbours(move, [&](Move n) {
            if (cells[n] == cells[move] && !breathes[n]) breathes[n] = true, reached.push_back(n);
        });
    }
    for (Move move = 0; move < rules.pass(); ++move) {
        if (cells[move] == kEmpty) continue;
        if (!breathes[move])
            throw std::invalid_argument("the group with the stone in row " +
                                        std::to_string(move / size + 1) + " from the top, column " +
                                        std::to_string(move % size + 1) + " has no liberty");
    }
    // Playing the stones one by one captures nothing, in any order: a group always has an empty
    // point beside it, either a stone of its own still to come or its final liberty.
    for (Move move = 0; move < rules.pass(); ++move)
        if (cells[move] != kEmpty) board_.play(rules.point(move), static_cast<Color>(cells[move]));
    board_.forget_ko();
    remember();
}

inline int State::area(std::span<const Move> dead) const {
    Owners owners(board_);
    for (const Move move : dead) owners.lift(rules_->point(move));
    return owners.area();
}

inline bool State::operator==(const State& other) const {
    if (board_.hash() != other.board_.hash() || to_move_ != other.to_move_ ||
        passes_ != other.passes_)
        return false;
    for (Move move = 0; move < rules_->pass(); ++move)
        if (board_.color(rules_->point(move)) != other.board_.color(rules_->point(move)) ||
            is_legal(move) != other.is_legal(move))
            return false;
    return true;
}

inline void State::forbid(Move move) {
    // A point that the rule forbids already is fine: two suicides may lead to one position.
    const bool on_board = !is_over() && move >= 0 && move < rules_->pass();
    const int p = on_board ? rules_->point(move) : 0;
    if (!on_board || board_.color(p) != kEmpty ||
        (!rules_->suicide() && board_.is_suicide(p, mover())))
        throw std::invalid_argument("the ko point cannot be played anyway; leave it out");
    if (rules_->ko() == Ko::kSimple) {
        if (!board_.is_enclosed(p, opponent(mover())) || !board_.captures(p, mover()))
            throw std::invalid_argument("a stone on the ko point would not take back a ko");
        board_.set_ko(p);
    } else {
        history_.add(situation(board_.hash_after(p, mover()), to_move_ ^ 1));
    }
}

static_assert(GameState<State>);

}  // namespace honte::go
