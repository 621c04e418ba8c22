// The exact endgame search of Othello: negamax with null windows down to the last disc.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "othello/bits.hpp"
#include "othello/last_empties.hpp"
#include "othello/move_ordering.hpp"
#include "othello/table.hpp"

namespace honte::othello {

using Clock = std::chrono::steady_clock;

/// Thrown to unwind a search that was cancelled.
struct Stopped {};

/// One thread's search, with the null window (alpha, alpha + 1) throughout. The result is a bound:
/// an upper one if it is ≤ alpha, else a lower one.
class Endgame : public LastEmpties {
public:
    /// The boards that other threads are searching: a move that one thread searches, another defers
    /// (a simple form of ABDADA: Weill 1996).
    class Busy {
    public:
        bool is_at(uint64_t key) const { return place(key).load(std::memory_order_relaxed) == key; }
        void enter(uint64_t key) { place(key).store(key, std::memory_order_relaxed); }
        void leave(uint64_t key) { place(key).store(0, std::memory_order_relaxed); }

    private:
        static constexpr size_t kPlaces = 4096;
        std::atomic<uint64_t>& place(uint64_t key) const {
            return places_[key >> 20 & (kPlaces - 1)];
        }
        mutable std::atomic<uint64_t> places_[kPlaces] = {};
    };

    /// Cancellation flags, deadline and shared node counter.
    struct Signals {
        const std::atomic<bool>* stop = nullptr;      // cancelled
        const std::atomic<bool>* answered = nullptr;  // another thread has the result
        std::atomic<uint64_t>* nodes = nullptr;
        Clock::time_point until = Clock::time_point::max();
        Busy* busy = nullptr;  // if several threads search
    };

    Endgame(Table& table, uint64_t squares) : LastEmpties(squares), table_(table) {}

    /// With only a cancellation flag and a deadline.
    Endgame(Table& table, uint64_t squares, const std::atomic<bool>& stop, Clock::time_point until)
        : Endgame(table, squares) {
        signals_.stop = &stop;
        signals_.until = until;
    }

    void set_signals(const Signals& signals) { signals_ = signals; }
    uint64_t squares() const { return squares_; }

    /// Add to the shared node counter.
    void flush() {
        if (signals_.nodes) signals_.nodes->fetch_add(nodes - flushed_, std::memory_order_relaxed);
        flushed_ = nodes;
    }

    int score(const Board& board, int alpha) {
        const uint64_t empties = squares_ & ~(board.own | board.other);
        const int n = std::popcount(empties);
        const unsigned odd = Quarters::odd_in(empties);
        if (n <= kShallow) return few(board, empties, n, odd, alpha);
        const uint64_t moves = bits::fast_reach(board.own, board.other) & empties;
        return n > kMiddle ? deep(board, empties, moves, n, alpha)
                           : middle(board, empties, moves, n, odd, alpha);
    }

private:
    static constexpr int kShallow = 5;  // up to here without a table, by parity alone
    static constexpr int kMiddle = 9;   // up to here with the thread's own small table
    static constexpr int kEtc = 11;     // from here enhanced transposition cutoffs
    static constexpr int kShared = 12;  // from here threads defer moves that others search
    static constexpr int kMostMoves = 64;

    // Move ordering, tuned by node counts on FFO #40 to #44: few replies, corners, parity (the
    // last move in a quarter), and a shallow search.
    static constexpr int kForMove = 32, kForCorner = 12, kForParity = 12, kForSearch = 8;
    static constexpr int kMargin = 4;   // how far below the best the shallow search resolves values
    static constexpr int kFar = 20000;  // beyond every value of the shallow search

    struct Child {
        Board board;
        uint64_t moves;  // the opponent's
        int square;
        int score;
    };

    void check_stop(int n) {
        if (signals_.stop && signals_.stop->load(std::memory_order_relaxed)) throw Stopped{};
        if (signals_.answered && signals_.answered->load(std::memory_order_relaxed))
            throw Stopped{};
        // With many empties move ordering dwarfs the cost of reading the clock.
        if ((++checks_ & 1023) == 0 || n >= 20) {
            flush();
            if (Clock::now() >= signals_.until) throw Stopped{};
        }
    }

    // -- a few more: a small table, and moves ordered by the replies they leave -------------------

    int middle(const Board& board, uint64_t empties, uint64_t moves, int n, unsigned odd,
               int alpha) {
        ++nodes;
        int cap;
        if (is_capped(board, alpha, n, cap)) return cap;
        if (!moves) {
            const uint64_t replies = bits::fast_reach(board.other, board.own) & empties;
            if (!replies) return final_score(board, n);
            return -middle(board.passed(), empties, replies, n, odd, -alpha - 1);
        }
        SmallEntry& entry = small_table_[Table::key_of(board) & (kSmallTable - 1)];
        int low = -64, high = 64, hint = Bounds::kNoMove;
        if (entry.board == board) {
            if (entry.low > alpha) return entry.low;
            if (entry.high <= alpha) return entry.high;
            low = entry.low, high = entry.high, hint = entry.move;
        }

        Child children[kMiddle + 1];
        int count = 0;
        const uint64_t odd_squares = kQuarters.squares[odd];
        for (uint64_t rest = moves; rest; rest &= rest - 1) {
            Child& child = children[count++];
            const uint64_t bit = rest & -rest, left = empties ^ bit;
            child.square = std::countr_zero(rest);
            const uint64_t turned = bits::fast_flips(board.own, board.other, child.square);
            if (turned == board.other) return count_;  // a wipeout
            child.board = {board.other ^ turned, board.own | turned | bit};
            child.moves = bits::fast_reach(child.board.own, child.board.other) & left;
            int score = kSquareWorth[child.square];
            if (odd_squares & bit) score += kForParity;
            score -= 4 * std::popcount(around(child.board.other) & left);
            score += kForCorner * corner_stability(child.board.other);
            score -= kForMove * mobility(child.moves);
            child.score = child.square == hint ? 1 << 30 : score;
        }
        int best = -kInfinity, best_move = 0;
        for (int i = 0; i < count; ++i) {
            int top = i;
            for (int j = i + 1; j < count; ++j)
                if (children[j].score > children[top].score) top = j;
            std::swap(children[i], children[top]);
            const Child& child = children[i];
            const uint64_t left = empties ^ 1ULL << child.square;
            const unsigned now_odd = odd ^ Quarters::of(child.square);
            const int value =
                n - 1 > kShallow
                    ? -middle(child.board, left, child.moves, n - 1, now_odd, -alpha - 1)
                    : -shallow(child.board, left, n - 1, now_odd, -alpha - 1, false);
            if (value > best) {
                best = value;
                best_move = child.square;
                if (value > alpha) break;
            }
        }
        if (best > alpha)
            low = std::max(low, best);
        else
            high = std::min(high, best);
        entry = {board, static_cast<int8_t>(low), static_cast<int8_t>(high),
                 static_cast<int8_t>(best_move)};
        return best;
    }

    // -- many empties -------------------------------------------------------------------------

    int deep(const Board& board, uint64_t empties, uint64_t moves, int n, int alpha) {
        ++nodes;
        check_stop(n);
        int cap;
        if (is_capped(board, alpha, n, cap)) return cap;
        if (!moves) {
            const uint64_t replies = bits::fast_reach(board.other, board.own) & empties;
            if (!replies) return final_score(board, n);
            return -deep(board.passed(), empties, replies, n, -alpha - 1);
        }
        const uint64_t key = Table::key_of(board);
        Bounds known{-64, 64, n};
        if (table_.find(key, known)) {
            if (known.selectivity != Bounds::kExact || known.depth != n)
                known.low = -64, known.high = 64;
            if (known.low > alpha) return known.low;
            if (known.high <= alpha) return known.high;
        }

        Child children[kMostMoves];
        int count = 0;
        for (uint64_t rest = moves; rest; rest &= rest - 1) {
            Child& child = children[count++];
            child.square = std::countr_zero(rest);
            const uint64_t turned = bits::fast_flips(board.own, board.other, child.square);
            if (turned == board.other) return count_;  // a wipeout
            child.board = {board.other ^ turned, board.own | turned | (rest & -rest)};
        }
        if (n >= kEtc) {
            for (int i = 0; i < count; ++i) {
                Bounds of_child;
                if (table_.find(Table::key_of(children[i].board), of_child) &&
                    of_child.selectivity == Bounds::kExact && of_child.depth == n - 1 &&
                    -of_child.high > alpha) {
                    return -of_child.high;
                }
            }
        }
        score_moves(children, count, empties, n, known);

        int best = -kInfinity, best_move = Bounds::kNoMove;
        const auto try_child = [&](const Child& child) {
            const uint64_t left = empties ^ 1ULL << child.square;
            const int value = n - 1 > kMiddle
                                  ? -deep(child.board, left, child.moves, n - 1, -alpha - 1)
                                  : -middle(child.board, left, child.moves, n - 1,
                                            Quarters::odd_in(left), -alpha - 1);
            if (value > best) {
                best = value;
                best_move = child.square;
            }
            return value > alpha;
        };
        Busy* const busy = n >= kShared ? signals_.busy : nullptr;
        int put_off[kMostMoves], later = 0;
        for (int i = 0; i < count; ++i) {
            int top = i;
            for (int j = i + 1; j < count; ++j)
                if (children[j].score > children[top].score) top = j;
            std::swap(children[i], children[top]);
            if (!busy) {
                if (try_child(children[i])) break;
                continue;
            }
            const uint64_t child_key = Table::key_of(children[i].board);
            if (i && busy->is_at(child_key)) {
                put_off[later++] = i;
                continue;
            }
            busy->enter(child_key);
            const bool enough = try_child(children[i]);
            busy->leave(child_key);
            if (enough) {
                later = 0;
                break;
            }
        }
        for (int i = 0; i < later; ++i)
            if (try_child(children[put_off[i]])) break;
        Bounds now{known.low, known.high, n};
        if (best > alpha)
            now.low = std::max(best, known.low);
        else
            now.high = std::min(best, known.high);
        now.move = best_move;
        now.second = known.move == best_move ? known.second : known.move;
        table_.store(key, now);
        return best;
    }

    void score_moves(Child* children, int count, uint64_t empties, int n, const Bounds& known) {
        const uint64_t odd = kQuarters.squares[Quarters::odd_in(empties)];
        const int ahead = n < 13 ? 0 : n < 15 ? 1 : n < 17 ? 2 : n < 20 ? 3 : 4;
        int best = -kFar;
        for (int i = 0; i < count; ++i) {
            Child& child = children[i];
            const uint64_t left = empties ^ 1ULL << child.square;
            child.moves = bits::fast_reach(child.board.own, child.board.other) & left;
            int score = kSquareWorth[child.square];
            if (odd >> child.square & 1) score += kForParity;
            score -= 8 * std::popcount(around(child.board.other) & left);
            score += kForCorner * corner_stability(child.board.other);
            score -= kForMove * mobility(child.moves);
            if (child.square == known.move) score = 1 << 30;
            if (child.square == known.second) score = 1 << 29;
            child.score = score;
        }
        if (ahead == 0) return;
        // The likely best first, so that narrow windows suffice for the other moves.
        std::sort(children, children + count,
                  [](const Child& a, const Child& b) { return a.score > b.score; });
        for (int i = 0; i < count; ++i) {
            Child& child = children[i];
            if (child.score >= 1 << 29) continue;
            const uint64_t left = empties ^ 1ULL << child.square;
            const int value = -look_ahead(child.board, left, ahead, -kFar, -(best - kMargin));
            best = std::max(best, value);
            child.score += kForSearch * value;
        }
    }

    /// An entry of the small table: the board itself is its key.
    struct SmallEntry {
        Board board{~0ULL, ~0ULL};
        int8_t low = 0, high = 0, move = 0;
    };
    static constexpr size_t kSmallTable = 1 << 15;
    std::vector<SmallEntry> small_table_ = std::vector<SmallEntry>(kSmallTable);

    Table& table_;
    Signals signals_;
    uint64_t flushed_ = 0;
    uint32_t checks_ = 0;
};

}  // namespace honte::othello
