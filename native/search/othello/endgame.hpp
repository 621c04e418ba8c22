// The exact end of a game of Othello: alpha-beta with null windows down to the last disc.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstdint>
#include <utility>
#include <vector>

#include "search/othello/bits.hpp"
#include "search/othello/last.hpp"
#include "search/othello/order.hpp"
#include "search/othello/table.hpp"

namespace honte::othello {

using Clock = std::chrono::steady_clock;

/// Thrown through a search that is told to end.
struct Stopped {};

/// One thread's search. All of it asks one question: is the score above alpha? The answer is
/// a bound: a score ≤ alpha that the position does not exceed, or one above that it reaches.
class Endgame : public LastEmpties {
public:
    /// Which boards other threads are at: a move that one searches, another puts off
    /// (a plain form of ABDADA: Weill 1996).
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

    /// How the world reaches a running search, and it the world.
    struct Signals {
        const std::atomic<bool>* stop = nullptr;      // somebody wants it to end
        const std::atomic<bool>* answered = nullptr;  // another thread was quicker
        std::atomic<uint64_t>* nodes = nullptr;
        Clock::time_point until = Clock::time_point::max();
        Busy* busy = nullptr;  // where several threads search
    };

    Endgame(Table& table, uint64_t squares) : LastEmpties(squares), table_(table) {}

    /// For a caller that has only a flag and a clock.
    Endgame(Table& table, uint64_t squares, const std::atomic<bool>& stop, Clock::time_point until)
        : Endgame(table, squares) {
        signals_.stop = &stop;
        signals_.until = until;
    }

    void set_signals(const Signals& signals) { signals_ = signals; }
    uint64_t squares() const { return squares_; }

    /// Add what was counted to the shared number of nodes.
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
    static constexpr int kEtc = 11;     // from here the table is asked about every child first
    static constexpr int kShared = 12;  // from here threads keep out of each other's way
    static constexpr int kMostMoves = 64;

    // What makes a move likely to be good, found by counting nodes on FFO #40 to #44: few
    // replies, corners, the last move in a quarter, and what a look ahead says.
    static constexpr int kForMove = 32, kForCorner = 12, kForParity = 12, kForGlance = 8;
    static constexpr int kMargin = 4;   // a move worse by so much need not be looked at closely
    static constexpr int kFar = 20000;  // beyond every glance

    struct Child {
        Board board;
        uint64_t moves;  // the opponent's
        int square;
        int worth;
    };

    void check_stop(int n) {
        if (signals_.stop && signals_.stop->load(std::memory_order_relaxed)) throw Stopped{};
        if (signals_.answered && signals_.answered->load(std::memory_order_relaxed))
            throw Stopped{};
        // With many empties a node looks far ahead: the clock is nothing beside that.
        if ((++checks_ & 1023) == 0 || n >= 20) {
            flush();
            if (Clock::now() >= signals_.until) throw Stopped{};
        }
    }

    // -- a few more: a small table, and the moves by how many they leave the opponent ---------

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
        Near& near = near_[Table::key_of(board) & (kNear - 1)];
        int low = -64, high = 64, hint = Bounds::kNoMove;
        if (near.board == board) {
            if (near.low > alpha) return near.low;
            if (near.high <= alpha) return near.high;
            low = near.low, high = near.high, hint = near.move;
        }

        Child children[kMiddle + 1];
        int count = 0;
        const uint64_t odd_squares = kQuarters.squares[odd];
        for (uint64_t rest = moves; rest; rest &= rest - 1) {
            Child& child = children[count++];
            const uint64_t bit = rest & -rest, left = empties ^ bit;
            child.square = std::countr_zero(rest);
            const uint64_t turned = bits::fast_flips(board.own, board.other, child.square);
            if (turned == board.other) return count_;  // nothing of theirs is left
            child.board = {board.other ^ turned, board.own | turned | bit};
            child.moves = bits::fast_reach(child.board.own, child.board.other) & left;
            int worth = kSquareWorth[child.square];
            if (odd_squares & bit) worth += kForParity;
            worth -= 4 * std::popcount(around(child.board.other) & left);
            worth += kForCorner * corner_stability(child.board.other);
            worth -= kForMove * mobility(child.moves);
            child.worth = child.square == hint ? 1 << 30 : worth;
        }
        int best = -kInfinity, best_move = 0;
        for (int i = 0; i < count; ++i) {
            int top = i;
            for (int j = i + 1; j < count; ++j)
                if (children[j].worth > children[top].worth) top = j;
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
        near = {board, static_cast<int8_t>(low), static_cast<int8_t>(high),
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
            if (known.level != Bounds::kExact || known.depth != n) known.low = -64, known.high = 64;
            if (known.low > alpha) return known.low;
            if (known.high <= alpha) return known.high;
        }

        Child children[kMostMoves];
        int count = 0;
        for (uint64_t rest = moves; rest; rest &= rest - 1) {
            Child& child = children[count++];
            child.square = std::countr_zero(rest);
            const uint64_t turned = bits::fast_flips(board.own, board.other, child.square);
            if (turned == board.other) return count_;  // nothing of theirs is left
            child.board = {board.other ^ turned, board.own | turned | (rest & -rest)};
        }
        if (n >= kEtc) {
            for (int i = 0; i < count; ++i) {
                Bounds of_child;
                if (table_.find(Table::key_of(children[i].board), of_child) &&
                    of_child.level == Bounds::kExact && of_child.depth == n - 1 &&
                    -of_child.high > alpha) {
                    return -of_child.high;
                }
            }
        }
        weigh(children, count, empties, n, known);

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
                if (children[j].worth > children[top].worth) top = j;
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

    void weigh(Child* children, int count, uint64_t empties, int n, const Bounds& known) {
        const uint64_t odd = kQuarters.squares[Quarters::odd_in(empties)];
        const int ahead = n < 13 ? 0 : n < 15 ? 1 : n < 17 ? 2 : n < 20 ? 3 : 4;
        int best = -kFar;
        for (int i = 0; i < count; ++i) {
            Child& child = children[i];
            const uint64_t left = empties ^ 1ULL << child.square;
            child.moves = bits::fast_reach(child.board.own, child.board.other) & left;
            int worth = kSquareWorth[child.square];
            if (odd >> child.square & 1) worth += kForParity;
            worth -= 8 * std::popcount(around(child.board.other) & left);
            worth += kForCorner * corner_stability(child.board.other);
            worth -= kForMove * mobility(child.moves);
            if (child.square == known.move) worth = 1 << 30;
            if (child.square == known.second) worth = 1 << 29;
            child.worth = worth;
        }
        if (ahead == 0) return;
        // The likely best first, so that the others need only be shown to be worse.
        std::sort(children, children + count,
                  [](const Child& a, const Child& b) { return a.worth > b.worth; });
        for (int i = 0; i < count; ++i) {
            Child& child = children[i];
            if (child.worth >= 1 << 29) continue;
            const uint64_t left = empties ^ 1ULL << child.square;
            const int value = -look_ahead(child.board, left, ahead, -kFar, -(best - kMargin));
            best = std::max(best, value);
            child.worth += kForGlance * value;
        }
    }

    /// An entry of the small table: the board itself is its key.
    struct Near {
        Board board{~0ULL, ~0ULL};
        int8_t low = 0, high = 0, move = 0;
    };
    static constexpr size_t kNear = 1 << 15;
    std::vector<Near> near_ = std::vector<Near>(kNear);

    Table& table_;
    Signals signals_;
    uint64_t flushed_ = 0;
    uint32_t checks_ = 0;
};

}  // namespace honte::othello
