// Solves a position by a sequence of null-window endgame searches.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "othello/endgame.hpp"
#include "search/solution.hpp"

namespace honte::othello {

using search::Solution;
using search::SolvedMove;

class Solver {
public:
    struct Goal {
        bool wld = false;    // only whether it is a win, a draw or a loss
        bool every = false;  // the score of every move, not only of the best
    };

    Solver(int threads, size_t megabytes) : table_(megabytes), threads_(threads) {}
    ~Solver() { stop(); }
    Solver(const Solver&) = delete;
    Solver& operator=(const Solver&) = delete;

    /// Start solving in background threads.
    void start(const State& state, Goal goal, Clock::time_point until) {
        stop();
        solution_ = {};
        root_ = state.board();
        squares_ = state.rules().board();
        goal_ = goal;
        until_ = until;
        nodes_ = 0;
        const int most = std::popcount(squares_);
        solution_.low = -most, solution_.high = most;
        for (const Move move : state.legal_moves()) solution_.moves.push_back({move, -most, most});
        if (state.is_over()) {
            const int score = final_score(root_, empties());
            solution_.low = solution_.high = score;
        }
        table_.new_search();
        background_.begin([this] {
            try {
                solve();
            } catch (const Stopped&) {
            }
        });
    }

    /// Wait at most this long; true if the search has ended.
    bool wait(Clock::duration most) { return background_.wait(most); }

    /// Stop at once and keep the bounds proved so far.
    void stop() { background_.end(); }

    Solution solution() const {
        const std::lock_guard lock(mutex_);
        Solution copy = solution_;
        copy.nodes = nodes_.load(std::memory_order_relaxed);
        return copy;
    }
    size_t bytes() const { return table_.bytes(); }

private:
    int empties() const { return std::popcount(squares_ & ~(root_.own | root_.other)); }

    // -- one null window, by all threads -------------------------------------------------------

    /// A bound on the score of a board: upper if ≤ alpha, else lower.
    int null_window(const Board& board, int alpha) {
        const int n = std::popcount(squares_ & ~(board.own | board.other));
        const int threads = n < kAlone ? 1 : threads_;
        searches_.resize(static_cast<size_t>(threads_));
        answered_ = false;
        std::optional<int> answer;
        std::mutex answers;
        const auto search = [&](int i) {
            auto& mine = searches_[static_cast<size_t>(i)];
            if (!mine || mine->squares() != squares_)
                mine = std::make_unique<Endgame>(table_, squares_);
            try {
                mine->set_signals({&background_.stop, &answered_, &nodes_, until_,
                                   threads > 1 ? &busy_ : nullptr});
                const int found = mine->score(board, alpha);
                const std::lock_guard lock(answers);
                if (!answer) answer = found;
                answered_ = true;
            } catch (const Stopped&) {
            }
            mine->flush();
        };
        std::vector<std::thread> others;
        for (int i = 1; i < threads; ++i) others.emplace_back(search, i);
        search(0);
        for (std::thread& other : others) other.join();
        if (!answer) throw Stopped{};
        return *answer;
    }
    int null_window_of(Move move, int alpha) {
        const Board next = move == kPass ? root_.passed() : root_.after(move);
        return -null_window(next, -alpha - 1);
    }

    // -- the root -------------------------------------------------------------------------

    void solve() {
        if (solution_.low < solution_.high) {
            order_root();
            narrow();
            if (goal_.every) value_others();
            follow();
        }
        const std::lock_guard lock(mutex_);
        solution_.finished = true;
    }

    void test(int alpha) {  // which is odd: scores are even
        test_above(solution_, mutex_, alpha,
                   [this](Move move, int above) { return null_window_of(move, above); });
    }

    void narrow() {
        if (goal_.wld) {
            test(-1);
            if (solution_.low >= 0) test(1);
            return;
        }
        // From a guess, widen with growing steps until the score is bracketed; then bisect.
        const int most = std::popcount(squares_);
        int target = guess(), step = 2;
        bool risen = false, fallen = false;
        while (solution_.low < solution_.high) {
            target = std::clamp(target, solution_.low + 2, solution_.high);
            test(target - 1);
            if (solution_.low >= target)
                risen = true;
            else
                fallen = true;
            if (risen && fallen) {
                target = (solution_.low + solution_.high + 2) / 2 & ~1;
            } else {
                target = risen ? solution_.low + step : solution_.high - step + 2;
                step = std::min(step * 2, most / 8);
            }
        }
    }

    int guess() const {
        const uint64_t open = squares_ & ~(root_.own | root_.other);
        const int value = look_ahead(root_, open, 4, -20000, 20000) / kPointsPerDisc;
        return std::clamp(value, -40, 40) / 2 * 2;
    }

    /// Search the other moves for their own scores, from the best down.
    void value_others() {
        for (size_t i = 0; i < solution_.moves.size(); ++i) {
            SolvedMove& move = solution_.moves[i];
            const auto prove = [&](int alpha) {
                const int value = null_window_of(move.move, alpha);
                const std::lock_guard lock(mutex_);
                if (value > alpha)
                    move.low = std::max(move.low, value);
                else
                    move.high = std::min(move.high, value);
            };
            if (goal_.wld) {
                if (move.low < 0 && move.high >= 0) prove(-1);
                if (move.low >= 0 && move.low < 2 && move.high > 0) prove(1);
                continue;
            }
            int target = move.high, step = 2;
            bool found = false;
            while (move.low < move.high) {
                target = std::clamp(target, move.low + 2, move.high);
                prove(target - 1);
                found = found || move.low >= target;
                if (found) {
                    target = move.low + 2;
                } else {
                    target = move.high - step + 2;
                    step = std::min(step * 2, 8);
                }
            }
        }
    }

    void order_root() {
        const uint64_t open = squares_ & ~(root_.own | root_.other);
        std::vector<std::pair<int, SolvedMove>> weighed;
        for (const SolvedMove& move : solution_.moves) {
            const Board next = move.move == kPass ? root_.passed() : root_.after(move.move);
            const uint64_t left = move.move == kPass ? open : open ^ 1ULL << move.move;
            weighed.emplace_back(look_ahead(next, left, 4, -20000, 20000), move);
        }
        std::stable_sort(weighed.begin(), weighed.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        const std::lock_guard lock(mutex_);
        for (size_t i = 0; i < weighed.size(); ++i) solution_.moves[i] = weighed[i].second;
    }

    /// The principal variation: at each board a move that reaches the known score.
    void follow() {
        const auto note = [&](Move move) {
            const std::lock_guard lock(mutex_);
            solution_.pv.push_back(move);
        };
        note(solution_.moves[0].move);
        if (goal_.wld) return;
        int score = -solution_.low;
        Board board = solution_.moves[0].move == kPass ? root_.passed()
                                                       : root_.after(solution_.moves[0].move);
        for (;;) {
            const uint64_t moves = board.moves(squares_);
            if (!moves) {
                if (!board.other_moves(squares_)) return;
                board = board.passed();
                score = -score;
                note(kPass);
                continue;
            }
            Bounds known{-64, 64, 0};
            table_.find(Table::key_of(board), known);
            std::vector<int> order;
            if (known.move < 64 && (moves >> known.move & 1)) order.push_back(known.move);
            for (uint64_t rest = moves; rest; rest &= rest - 1)
                if (std::countr_zero(rest) != known.move) order.push_back(std::countr_zero(rest));
            for (const int square : order) {
                const Board next = board.after(square);
                if (square != order.back() && -null_window(next, -score) < score) continue;
                note(square);
                board = next;
                score = -score;
                break;
            }
        }
    }

    static constexpr int kAlone = 14;  // with fewer empties a second thread does not pay

    Table table_;
    Endgame::Busy busy_;
    const int threads_;
    std::vector<std::unique_ptr<Endgame>> searches_;
    std::atomic<bool> answered_{false};
    std::atomic<uint64_t> nodes_{0};

    Board root_{};
    uint64_t squares_ = 0;
    Goal goal_;
    Clock::time_point until_;

    mutable std::mutex mutex_;
    Solution solution_;
    search::Background background_;  // declared last: its thread ends before the rest is destroyed
};

}  // namespace honte::othello
