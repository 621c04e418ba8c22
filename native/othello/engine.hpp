// The Othello engine: iterative deepening, first with the evaluation at the leaves, then to the end
// of the game with decreasing selectivity, until the result is exact.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "othello/midgame.hpp"

namespace honte::othello {

/// What the search has found so far.
struct EngineResult {
    struct Move {
        int square;
        int value;           // in units, for the side to move
        bool is_bound;       // an upper bound: the move is not the best
        bool exact = false;  // searched to the end of the game at full width
    };
    std::vector<Move> moves;  // best first
    int depth = 0;
    bool solved = false;  // searched to the end of the game at full width
    std::vector<int> pv;
    uint64_t nodes = 0;
};

/// The limits of a search.
struct Task {
    int depth = 60;
    Clock::time_point until = Clock::time_point::max();
    uint64_t nodes = ~0ULL;
    int selectivity = 1;                   // of searches that do not reach the end
    int end_selectivity = Bounds::kExact;  // of those that do
    bool all_moves = false;                // a value for each move, not only for the best
    int threads = 1;
};

class Engine {
public:
    Engine(std::shared_ptr<const PatternWeights> weights, const Margins& margins, size_t megabytes)
        : weights_(std::move(weights)),
          margins_(margins),
          table_(std::max<size_t>(1, megabytes / 2)),
          end_table_(std::max<size_t>(1, megabytes / 2)) {}

    /// Search a position with at least one move until the limits are reached.
    void search(const Board& board, int color, const Task& task) {
        prepare(board, color, task);
        run(std::atomic<bool>{false});
    }

    /// Set the position and finish the first depth regardless of the time: from here on there is a
    /// result with values, even if the thread of `run` never gets a core.
    void prepare(const Board& board, int color, const Task& task) {
        root_ = Node(board, color);
        task_ = task;
        table_.new_search();
        end_table_.new_search();
        moves_ = legal_moves();
        first_nodes_ = 0;
        publish(moves_, {0, 0}, false, 0);
        if (task_.nodes == 0) return;
        const std::atomic<bool> never{false};
        Midgame search(table_, end_table_, *weights_, margins_, never, Clock::time_point::max());
        const Step first = steps(std::popcount(root_.empties()), task_).front();
        deepen(search, moves_, first);
        first_nodes_ = search.nodes();
        publish(moves_, first, is_exact(first), first_nodes_);
    }
    /// Search until the limits are reached or `stop` is set.
    void run(const std::atomic<bool>& stop) {
        std::atomic<bool> done{false};
        std::vector<std::jthread> others;
        for (int i = 1; i < task_.threads; ++i)
            others.emplace_back([&, i] { assist(i, stop, done); });
        lead(stop);
        done.store(true);
    }
    EngineResult result() const {
        const std::lock_guard lock(mutex_);
        return result_;
    }

private:
    static constexpr int kUnit = patterns::kUnit;
    static constexpr int kMost = Midgame::kMost;

    struct Step {
        int depth, selectivity;
    };
    /// The iterations: depth by depth, then the whole rest of the game once it is not much deeper.
    static std::vector<Step> steps(int empties, const Task& task) {
        std::vector<Step> list;
        for (int depth = 1; depth < std::min(empties, task.depth + 1); ++depth) {
            list.push_back({depth, task.selectivity});
            if (depth >= 6 && empties - depth <= 9) break;
        }
        if (task.depth >= empties)
            for (const int selectivity : {0, 2, 4, Bounds::kExact})
                if (selectivity <= task.end_selectivity) list.push_back({empties, selectivity});
        return list;
    }

    std::vector<EngineResult::Move> legal_moves() const {
        std::vector<EngineResult::Move> moves;
        for (uint64_t rest = root_.moves(); rest; rest &= rest - 1)
            moves.push_back({std::countr_zero(rest), 0, false});
        return moves;
    }

    void lead(const std::atomic<bool>& stop) {
        Midgame search(table_, end_table_, *weights_, margins_, stop, task_.until);
        const auto nodes = [&] { return first_nodes_ + search.nodes(); };
        const std::vector<Step> list = steps(std::popcount(root_.empties()), task_);
        try {
            for (size_t i = 1; i < list.size() && nodes() < task_.nodes; ++i) {
                deepen(search, moves_, list[i]);
                publish(moves_, list[i], is_exact(list[i]), nodes());
                if (moves_.size() == 1 && !task_.all_moves && list[i].depth >= 4) break;
            }
        } catch (const Stopped&) {
            const std::lock_guard lock(mutex_);
            result_.nodes = nodes();
        }
    }

    /// One iteration: the value of the best move, and of the others if asked.
    void deepen(Midgame& search, std::vector<EngineResult::Move>& moves, Step step) {
        // The moves are searched in the order of the previous iteration.
        std::vector<EngineResult::Move> now;
        int best = -kMost - 1;
        for (const EngineResult::Move& move : moves) {
            const Node child = root_.after(
                move.square, bits::fast_flips(root_.board.own, root_.board.other, move.square));
            int value;
            bool is_bound = false;
            try {
                if (now.empty() || task_.all_moves) {
                    value = aspiration_search(search, child, step, move.value);
                } else {
                    value =
                        -search.search(child, step.depth - 1, -best - 1, -best, step.selectivity);
                    if (value > best)
                        value = aspiration_search(search, child, step, value);
                    else
                        is_bound = true;
                }
            } catch (const Stopped&) {
                // A better move found in an unfinished iteration still counts.
                if (!now.empty() && now.front().square != moves.front().square)
                    adopt(moves, now.front());
                publish_partly(moves);
                throw;
            }
            const bool exact = is_exact(step) && !is_bound;
            const EngineResult::Move found{move.square, value, is_bound, exact};
            if (value > best && !is_bound) {
                best = value;
                now.insert(now.begin(), found);
            } else {
                now.push_back(found);
            }
            if (task_.all_moves && exact) publish_partly(with_rest(now, moves));
        }
        // Best first; the others keep their order.
        std::stable_sort(now.begin() + 1, now.end(), [&](const auto& a, const auto& b) {
            return task_.all_moves && a.value > b.value;
        });
        moves = now;
    }
    bool is_exact(Step step) const {
        return step.depth >= std::popcount(root_.empties()) && step.selectivity == Bounds::kExact;
    }
    /// The moves of an unfinished iteration, best first, then those it has not reached.
    static std::vector<EngineResult::Move> with_rest(
        std::vector<EngineResult::Move> now, const std::vector<EngineResult::Move>& before) {
        std::stable_sort(now.begin(), now.end(),
                         [](const auto& a, const auto& b) { return a.value > b.value; });
        now.insert(now.end(), before.begin() + static_cast<std::ptrdiff_t>(now.size()),
                   before.end());
        return now;
    }
    static void adopt(std::vector<EngineResult::Move>& moves, const EngineResult::Move& better) {
        const auto place = std::find_if(moves.begin(), moves.end(), [&](const auto& move) {
            return move.square == better.square;
        });
        std::rotate(moves.begin(), place, place + 1);
        moves.front() = better;
    }

    /// Search with an aspiration window around the expected value, widened until the value is
    /// inside.
    int aspiration_search(Midgame& search, const Node& child, Step step, int expected) {
        int width = step.depth < 5 ? kMost : 3 * kUnit;
        int low = std::max(-kMost, expected - width), high = std::min(kMost, expected + width);
        for (;;) {
            const int value = -search.search(child, step.depth - 1, -high, -low, step.selectivity);
            width *= 3;
            if (value <= low && low > -kMost)
                low = std::max(-kMost, value - width);
            else if (value >= high && high < kMost)
                high = std::min(kMost, value + width);
            else
                return value;
        }
    }

    /// A helper thread runs the same iterations for the sake of the shared tables (lazy SMP).
    void assist(int number, const std::atomic<bool>& stop, const std::atomic<bool>& done) {
        Midgame search(table_, end_table_, *weights_, margins_, done, task_.until);
        int guess = 0;
        try {
            for (Step step : steps(std::popcount(root_.empties()), task_)) {
                if (stop.load()) return;
                if (number % 2 && step.depth + 1 < std::popcount(root_.empties())) ++step.depth;
                const int low = std::max(-kMost, guess - 4 * kUnit);
                const int high = std::min(kMost, guess + 4 * kUnit);
                guess = search.search(root_, step.depth, low, high, step.selectivity);
            }
        } catch (const Stopped&) {
        }
    }

    void publish(const std::vector<EngineResult::Move>& moves, Step step, bool solved,
                 uint64_t nodes) {
        const std::lock_guard lock(mutex_);
        result_ = {moves, step.depth, solved, principal_variation(root_, moves.front().square),
                   nodes};
    }
    void publish_partly(const std::vector<EngineResult::Move>& moves) {
        const std::lock_guard lock(mutex_);
        result_.moves = moves;
        result_.pv = principal_variation(root_, moves.front().square);
    }

public:
    /// What the transposition table knows about the moves of any position, for its side to move.
    struct Probe {
        int square, low, high, depth;
        bool exact;
    };
    std::vector<Probe> probe(const Board& board, int color) const {
        const Node node(board, color);
        std::vector<Probe> found;
        for (uint64_t rest = node.moves(); rest; rest &= rest - 1) {
            const int square = std::countr_zero(rest);
            const Node child =
                node.after(square, bits::fast_flips(node.board.own, node.board.other, square));
            const int left = std::popcount(child.empties());
            Bounds known;
            if (end_table_.find(Table::key_of(child.board), known) && known.depth >= left)
                found.push_back({square, -known.high * kUnit, -known.low * kUnit, left + 1,
                                 known.selectivity == Bounds::kExact});
            else if (table_.find(Table::key_of(child.board), known))
                found.push_back({square, -known.high, -known.low, known.depth + 1,
                                 known.depth >= left && known.selectivity == Bounds::kExact});
        }
        return found;
    }

private:
    /// The principal variation from the transposition table; passes are 64.
    std::vector<int> principal_variation(Node node, int square) const {
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
    Node root_{Board{}, 0};
    Task task_;
    std::vector<EngineResult::Move> moves_;  // as of the last iteration, best first
    uint64_t first_nodes_ = 0;               // of the first iteration
    mutable std::mutex mutex_;
    EngineResult result_;
};

}  // namespace honte::othello
