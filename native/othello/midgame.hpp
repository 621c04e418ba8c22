// The midgame search of Othello: principal variation search over the learned evaluation.
//
// A search to the end of the game is the same search with as much depth as there are empties. With
// few empties left, or at full width, the exact solver takes over. Selective searches use
// multi-ProbCut (Buro 1995): a node is pruned if a shallower search lies outside the window by a
// margin, a number of standard deviations that the selectivity sets.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "othello/endgame.hpp"
#include "othello/patterns.hpp"

namespace honte::othello {

/// The standard deviation between a search and a shallower one, as measured.
struct Margins {
    static constexpr int kDeepest = 24;
    int16_t sigma[patterns::kPhases][kDeepest + 1];  // in units, by the larger depth

    static int shallower(int depth) { return 2 * (depth / 4) + (depth & 1); }
    int of(int discs, int depth) const {
        return sigma[patterns::phase_of(discs)][std::min(depth, kDeepest)];
    }
};

/// A position with the numbers of its patterns.
struct Node {
    Board board;
    patterns::Numbers numbers;
    int color;  // of the side to move: 0 black, 1 white

    Node(const Board& b, int c)
        : board(b), numbers(c ? b.other : b.own, c ? b.own : b.other), color(c) {}
    Node after(int square, uint64_t turned) const {
        Node next = *this;
        next.board = {board.other ^ turned, board.own | turned | 1ULL << square};
        next.numbers.play(color, square, turned);
        next.color ^= 1;
        return next;
    }
    Node passed() const {
        Node next = *this;
        next.board = board.passed();
        next.color ^= 1;
        return next;
    }
    uint64_t empties() const { return ~(board.own | board.other); }
    uint64_t moves() const { return bits::fast_reach(board.own, board.other) & empties(); }
};

/// One thread's search.
class Midgame {
public:
    static constexpr int kUnit = patterns::kUnit;
    static constexpr int kMost = 64 * kUnit;

    Midgame(Table& table, Table& end_table, const PatternWeights& weights, const Margins& margins,
            const std::atomic<bool>& stop, Clock::time_point until)
        : table_(table),
          weights_(weights),
          margins_(margins),
          end_(end_table, ~0ULL, stop, until),
          stop_(stop),
          until_(until) {}

    uint64_t nodes() const { return nodes_ + end_.nodes; }

    /// The value for the side to move in units, exact inside the window and a bound outside. With
    /// at least as much depth as empties it is the value at the end of the game.
    int search(const Node& node, int depth, int alpha, int beta, int selectivity) {
        const uint64_t empties = node.empties();
        const int n = std::popcount(empties);
        if (depth >= n && (n <= kHandOver || selectivity == Bounds::kExact))
            return to_the_end(node.board, alpha, beta);
        const uint64_t moves = bits::fast_reach(node.board.own, node.board.other) & empties;
        if (!moves) {
            ++nodes_;
            if (!(bits::fast_reach(node.board.other, node.board.own) & empties))
                return kUnit * final_score(node.board, n);
            return -search(node.passed(), depth, -beta, -alpha, selectivity);
        }
        if (depth <= kShallow) return shallow(node, moves, depth, alpha, beta);

        ++nodes_;
        check_stop();
        const uint64_t key = Table::key_of(node.board);
        Bounds known{-kMost, kMost, 0, 0};
        if (table_.find(key, known)) {
            if (known.depth >= depth && known.selectivity >= selectivity) {
                if (known.low >= beta) return known.low;
                if (known.high <= alpha) return known.high;
                if (known.low == known.high) return known.low;
                alpha = std::max(alpha, known.low);
                beta = std::min(beta, known.high);
            } else {
                known.low = -kMost;
                known.high = kMost;
            }
        }
        if (selectivity < Bounds::kExact && beta - alpha == 1 && depth > kShallow) {
            int value;
            if (probcut(node, depth, alpha, selectivity, value)) return value;
        }

        // Frames stay small: a game hardly ever reaches a position with more moves, but one can be
        // set up.
        return std::popcount(moves) <= kUsualMoves
                   ? search_children<kUsualMoves>(node, moves, depth, alpha, beta, selectivity,
                                                  known)
                   : search_children<64>(node, moves, depth, alpha, beta, selectivity, known);
    }

private:
    static constexpr int kShallow = 2;  // up to here without the transposition table
    static constexpr int kUsualMoves = 34;
    static constexpr int kHandOver = 12;  // empties from which the exact solver is faster

    struct Child {
        Node node;
        int square;
    };

    /// The rest of `search`: the value of a position by its children, at most `Capacity`.
    template <int Capacity>
    [[gnu::noinline]] int search_children(const Node& node, uint64_t moves, int depth, int alpha,
                                          int beta, int selectivity, const Bounds& known) {
        alignas(Child) unsigned char memory[Capacity * sizeof(Child)];
        Child* children = reinterpret_cast<Child*>(memory);
        const int count = make_children(node, moves, children);
        if (depth > kShallow + 1)
            for (int i = 0; i < count; ++i) {
                Bounds of_child;
                if (table_.find(Table::key_of(children[i].node.board), of_child) &&
                    of_child.depth >= depth - 1 && of_child.selectivity >= selectivity &&
                    -of_child.high >= beta)
                    return -of_child.high;
            }
        int8_t order[Capacity];
        int score[Capacity];
        score_moves(children, count, depth, known, order, score);

        const int asked = alpha;
        int best = -kMost - 1, best_move = Bounds::kNoMove;
        for (int i = 0; i < count; ++i) {
            const Child& child = children[next_of(order, score, i, count)];
            int value;
            if (i == 0 || beta - alpha == 1) {
                value = -search(child.node, depth - 1, -beta, -alpha, selectivity);
            } else {
                value = -search(child.node, depth - 1, -alpha - 1, -alpha, selectivity);
                if (value > alpha && value < beta)
                    value = -search(child.node, depth - 1, -beta, -value, selectivity);
            }
            if (value > best) {
                best = value;
                best_move = child.square;
                alpha = std::max(alpha, value);
                if (value >= beta) break;
            }
        }
        Bounds now{known.low, known.high, depth, selectivity};
        if (best > asked) now.low = std::max(now.low, best);
        if (best < beta) now.high = std::min(now.high, best);
        now.move = best_move;
        now.second = known.move == best_move ? known.second : known.move;
        table_.store(Table::key_of(node.board), now);
        return best;
    }

    void check_stop() {
        if (stop_.load(std::memory_order_relaxed)) throw Stopped{};
        // Count nodes, the solver's included: one of ours may stand for thousands of its.
        if (nodes() < next_check_) return;
        next_check_ = nodes() + 4096;
        if (Clock::now() >= until_) throw Stopped{};
    }

    int evaluate(const Node& node) {
        const int value = weights_.evaluate(node.numbers, node.board, node.color);
        return std::clamp(value, -kMost + 1, kMost - 1);
    }

    /// Hand over to the solver, which searches null windows only.
    int to_the_end(const Board& board, int alpha, int beta) {
        int low = alpha >= 0 ? alpha / kUnit : -((-alpha + kUnit - 1) / kUnit);  // rounded down
        for (;;) {
            const int score = end_.score(board, low);
            if (score <= low || kUnit * score >= beta || score >= 64) return kUnit * score;
            low = score;
            if (end_.score(board, low) <= low) return kUnit * score;
        }
    }

    int shallow(const Node& node, uint64_t moves, int depth, int alpha, int beta) {
        ++nodes_;
        if (depth == 0) return evaluate(node);
        int best = -kMost - 1;
        for (const uint64_t part : {moves & kCorners, moves & ~kCorners})
            for (uint64_t rest = part; rest; rest &= rest - 1) {
                const int square = std::countr_zero(rest);
                const Node next =
                    node.after(square, bits::fast_flips(node.board.own, node.board.other, square));
                int value;
                if (depth == 1) {
                    ++nodes_;
                    value = -leaf(next);
                } else {
                    const uint64_t replies = next.moves();
                    value = replies ? -shallow(next, replies, depth - 1, -beta, -alpha)
                                    : -search(next, depth - 1, -beta, -alpha, 0);
                }
                if (value > best) {
                    best = value;
                    alpha = std::max(alpha, value);
                    if (value >= beta) return best;
                }
            }
        return best;
    }
    /// A leaf may be the end of the game, or a pass, which the evaluation was not trained on.
    int leaf(const Node& node) {
        const uint64_t empties = node.empties();
        if (bits::fast_reach(node.board.own, node.board.other) & empties) return evaluate(node);
        if (bits::fast_reach(node.board.other, node.board.own) & empties)
            return -evaluate(node.passed());
        return kUnit * final_score(node.board, std::popcount(empties));
    }

    /// Multi-ProbCut: does a shallower search make a value outside the window likely enough?
    bool probcut(const Node& node, int depth, int alpha, int selectivity, int& value) {
        static constexpr double kWidth[] = {1.1, 1.5, 2.0, 2.6, 3.3};
        const int less = Margins::shallower(depth);
        const int discs = std::popcount(node.board.own | node.board.other);
        const int margin =
            static_cast<int>(kWidth[std::min(selectivity, 4)] * margins_.of(discs, depth));
        const int now = evaluate(node);
        // Worth trying only if the static evaluation is not far off.
        if (const int high = alpha + 1 + margin; high < kMost && now >= alpha - margin / 2) {
            if (search(node, less, high - 1, high, selectivity) >= high) {
                value = alpha + 1;
                return true;
            }
        }
        if (const int low = alpha - margin; low > -kMost && now <= alpha + margin / 2) {
            if (search(node, less, low, low + 1, selectivity) <= low) {
                value = alpha;
                return true;
            }
        }
        return false;
    }

    int make_children(const Node& node, uint64_t moves, Child* children) const {
        int count = 0;
        for (uint64_t rest = moves; rest; rest &= rest - 1) {
            const int square = std::countr_zero(rest);
            new (&children[count++]) Child{
                node.after(square, bits::fast_flips(node.board.own, node.board.other, square)),
                square};
        }
        return count;
    }

    void score_moves(const Child* children, int count, int depth, const Bounds& known,
                     int8_t* order, int* score) {
        const int ahead = depth <= 5 ? 0 : depth <= 9 ? 1 : 2;
        for (int i = 0; i < count; ++i) {
            order[i] = static_cast<int8_t>(i);
            const Child& child = children[i];
            if (child.square == known.move) {
                score[i] = 1 << 28;
                continue;
            }
            if (child.square == known.second) {
                score[i] = 1 << 27;
                continue;
            }
            const uint64_t replies = child.node.moves();
            const int value = ahead == 0 || !replies
                                  ? leaf(child.node)
                                  : shallow(child.node, replies, ahead, -kMost, kMost);
            score[i] = -value - kUnit / 2 * mobility(replies);
        }
    }
    /// Selection sort, one step: the best of the moves that are left.
    static int next_of(int8_t* order, const int* score, int i, int count) {
        int top = i;
        for (int j = i + 1; j < count; ++j)
            if (score[order[j]] > score[order[top]]) top = j;
        std::swap(order[i], order[top]);
        return order[i];
    }

    Table& table_;
    const PatternWeights& weights_;
    const Margins& margins_;
    Endgame end_;
    const std::atomic<bool>& stop_;
    const Clock::time_point until_;
    uint64_t nodes_ = 0;
    uint64_t next_check_ = 0;
};

}  // namespace honte::othello
