// The Othello engine: deepens a search step by step, first with the evaluation at its leaves,
// then to the end of the game, surer with each step, until it is exact.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "search/othello/midgame.hpp"

namespace honte::othello {

/// What has been found out so far about a position.
struct Thought {
    struct Move {
        int square;
        int value;      // in units, for the side to move
        bool is_bound;  // the value is at most this: the move is not the best
    };
    std::vector<Move> moves;  // best first
    int depth = 0;
    int level = 0;        // how sure: Bounds::kExact leaves nothing out
    bool solved = false;  // the end of the game was reached and nothing left out
    std::vector<int> line;
    uint64_t nodes = 0;
};

/// How long, how deep, how sure.
struct Task {
    int depth = 60;
    Clock::time_point until = Clock::time_point::max();
    uint64_t nodes = ~0ULL;
    int level = 1;                    // of searches that do not reach the end
    int last_level = Bounds::kExact;  // of those that do
    bool all_moves = false;           // a value for each move, not only for the best
    int threads = 1;
};

class Engine {
public:
    Engine(std::shared_ptr<const PatternWeights> weights, const Margins& margins, size_t megabytes)
        : weights_(std::move(weights)),
          margins_(margins),
          table_(std::max<size_t>(1, megabytes / 2)),
          end_table_(std::max<size_t>(1, megabytes / 2)) {}

    /// Think about a position with at least one move until the task is done or `stop` is called.
    void think(const Board& board, int color, const Task& task) {
        stop_.store(false);
        table_.new_search();
        end_table_.new_search();
        {
            const std::lock_guard lock(mutex_);
            thought_ = {};
        }
        std::atomic<bool> done{false};
        std::vector<std::jthread> others;
        for (int i = 1; i < task.threads; ++i)
            others.emplace_back([&, i] { assist(board, color, task, i, done); });
        lead(board, color, task);
        done.store(true);
    }
    void stop() { stop_.store(true); }
    Thought thought() const {
        const std::lock_guard lock(mutex_);
        return thought_;
    }

private:
    static constexpr int kUnit = patterns::kUnit;
    static constexpr int kMost = Midgame::kMost;

    struct Step {
        int depth, level;
    };
    /// Depths one by one; the whole rest of the game as soon as it is not much deeper.
    static std::vector<Step> steps(int empties, const Task& task) {
        std::vector<Step> list;
        for (int depth = 1; depth < std::min(empties, task.depth + 1); ++depth) {
            list.push_back({depth, task.level});
            if (depth >= 6 && empties - depth <= 9) break;
        }
        if (task.depth >= empties)
            for (const int level : {0, 2, 4, Bounds::kExact})
                if (level <= task.last_level) list.push_back({empties, level});
        return list;
    }

    void lead(const Board& board, int color, const Task& task) {
        Midgame search(table_, end_table_, *weights_, margins_, stop_, task.until);
        const Node root(board, color);
        std::vector<Thought::Move> moves;
        for (uint64_t rest = root.moves(); rest; rest &= rest - 1)
            moves.push_back({std::countr_zero(rest), 0, false});
        const int empties = std::popcount(root.empties());
        publish(root, moves, {0, 0}, false, 0);
        if (task.nodes == 0) return;
        try {
            for (const Step step : steps(empties, task)) {
                const bool ends = step.depth >= empties;
                deepen(search, root, moves, step, task);
                publish(root, moves, step, ends && step.level == Bounds::kExact, search.nodes());
                if (search.nodes() >= task.nodes) break;
                if (moves.size() == 1 && !task.all_moves && step.depth >= 4) break;
            }
        } catch (const Stopped&) {
            const std::lock_guard lock(mutex_);
            thought_.nodes = search.nodes();
        }
    }

    /// One step: the value of the best move, and of the others if asked.
    void deepen(Midgame& search, const Node& root, std::vector<Thought::Move>& moves, Step step,
                const Task& task) {
        // The first moves are searched in the order of the last step.
        std::vector<Thought::Move> now;
        int best = -kMost - 1;
        for (const Thought::Move& move : moves) {
            const Node child = root.after(
                move.square, bits::fast_flips(root.board.own, root.board.other, move.square));
            int value;
            bool is_bound = false;
            try {
                if (now.empty() || task.all_moves) {
                    value = aspire(search, child, step, move.value);
                } else {
                    value = -search.search(child, step.depth - 1, -best - 1, -best, step.level);
                    if (value > best)
                        value = aspire(search, child, step, value);
                    else
                        is_bound = true;
                }
            } catch (const Stopped&) {
                // A better move found in a step that was not finished is better all the same.
                if (!now.empty() && now.front().square != moves.front().square)
                    adopt(moves, now.front());
                publish_partly(root, moves);
                throw;
            }
            const Thought::Move found{move.square, value, is_bound};
            if (value > best && !is_bound) {
                best = value;
                now.insert(now.begin(), found);
            } else {
                now.push_back(found);
            }
        }
        // The best first; others keep the order in which they were thought good.
        std::stable_sort(now.begin() + 1, now.end(), [&](const auto& a, const auto& b) {
            return task.all_moves && a.value > b.value;
        });
        moves = now;
    }
    static void adopt(std::vector<Thought::Move>& moves, const Thought::Move& better) {
        const auto place = std::find_if(moves.begin(), moves.end(), [&](const auto& move) {
            return move.square == better.square;
        });
        std::rotate(moves.begin(), place, place + 1);
        moves.front() = better;
    }

    /// A value with a narrow window round the one expected, widened until it holds.
    int aspire(Midgame& search, const Node& child, Step step, int expected) {
        int width = step.depth < 5 ? kMost : 3 * kUnit;
        int low = std::max(-kMost, expected - width), high = std::min(kMost, expected + width);
        for (;;) {
            const int value = -search.search(child, step.depth - 1, -high, -low, step.level);
            width *= 3;
            if (value <= low && low > -kMost)
                low = std::max(-kMost, value - width);
            else if (value >= high && high < kMost)
                high = std::min(kMost, value + width);
            else
                return value;
        }
    }

    /// Another thread walks the same steps and leaves what it finds in the tables.
    void assist(const Board& board, int color, const Task& task, int number,
                const std::atomic<bool>& done) {
        Midgame search(table_, end_table_, *weights_, margins_, done, task.until);
        const Node root(board, color);
        int guess = 0;
        try {
            for (Step step : steps(std::popcount(root.empties()), task)) {
                if (stop_.load()) return;
                if (number % 2 && step.depth + 1 < std::popcount(root.empties())) ++step.depth;
                const int low = std::max(-kMost, guess - 4 * kUnit);
                const int high = std::min(kMost, guess + 4 * kUnit);
                guess = search.search(root, step.depth, low, high, step.level);
            }
        } catch (const Stopped&) {
        }
    }

    void publish(const Node& root, const std::vector<Thought::Move>& moves, Step step, bool solved,
                 uint64_t nodes) {
        const std::lock_guard lock(mutex_);
        thought_ = {moves, step.depth, step.level, solved, line_from(root, moves.front().square),
                    nodes};
    }
    void publish_partly(const Node& root, const std::vector<Thought::Move>& moves) {
        const std::lock_guard lock(mutex_);
        thought_.moves = moves;
        thought_.line = line_from(root, moves.front().square);
    }

    /// What the table expects after a move; passes are 64.
    std::vector<int> line_from(Node node, int square) const {
        std::vector<int> line;
        while (square < 64 && line.size() < 60) {
            line.push_back(square);
            node = node.after(square, bits::fast_flips(node.board.own, node.board.other, square));
            if (!node.moves()) {
                node = node.passed();
                if (!node.moves()) break;
                line.push_back(kPass);
            }
            Bounds known;
            square = kPass;
            for (const Table* table : {&table_, &end_table_})
                if (square == kPass && table->find(Table::key_of(node.board), known) &&
                    known.move < 64 && (node.moves() >> known.move & 1))
                    square = known.move;
        }
        return line;
    }

    std::shared_ptr<const PatternWeights> weights_;
    Margins margins_;
    Table table_, end_table_;
    std::atomic<bool> stop_{false};
    mutable std::mutex mutex_;
    Thought thought_;
};

}  // namespace honte::othello
