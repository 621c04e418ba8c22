// The results of exact solvers, shared by all games, and their background thread.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/game.hpp"

namespace honte::search {

/// What is proved of a move: its score for the side to move lies within.
struct SolvedMove {
    Move move;
    int low, high;
};

struct Solution {
    int low = 0, high = 0;  // of the position, for the side to move
    std::vector<SolvedMove> moves;
    std::vector<Move> pv;
    uint64_t nodes = 0;
    bool finished = false;  // as far as requested
};

/// Test whether a position's score exceeds alpha, and record what is proved; a move that exceeds it
/// moves to the front. `ask(move, alpha)` is a move's score or a bound on the same side of alpha.
template <class Ask>
void test_above(Solution& solution, std::mutex& mutex, int alpha, Ask ask) {
    int above = -1000;
    auto& moves = solution.moves;  // only this thread changes them, under the lock
    for (size_t i = 0; i < moves.size(); ++i) {
        int value = moves[i].low > alpha ? moves[i].low : moves[i].high;
        if (moves[i].low <= alpha && moves[i].high > alpha) value = ask(moves[i].move, alpha);
        const std::lock_guard lock(mutex);
        if (value > alpha) {
            moves[i].low = std::max(moves[i].low, value);
            solution.low = std::max(solution.low, value);
            std::rotate(moves.begin(), moves.begin() + static_cast<long>(i),
                        moves.begin() + static_cast<long>(i) + 1);
            return;
        }
        moves[i].high = std::min(moves[i].high, value);
        above = std::max(above, moves[i].high);
    }
    const std::lock_guard lock(mutex);
    solution.high = std::min(solution.high, above);
}

/// A background thread for one task at a time. The task polls `stop`.
class Background {
public:
    ~Background() { end(); }

    template <class Work>
    void begin(Work work) {
        end();
        stop = false;
        process_ = getpid();
        thread_ = std::make_unique<Thread>();
        thread_->handle = std::thread([thread = thread_.get(), work = std::move(work)] {
            work();
            const std::lock_guard lock(thread->mutex);
            thread->is_running = false;
            thread->ended.notify_all();
        });
    }
    /// Wait at most this long; true if the task has ended.
    bool wait(std::chrono::steady_clock::duration most) {
        if (!thread_) return true;
        std::unique_lock lock(thread_->mutex);
        return thread_->ended.wait_for(lock, most, [this] { return !thread_->is_running; });
    }
    void end() {
        stop = true;
        if (process_ != getpid())  // forked in mid-search: a copy without its thread
            static_cast<void>(thread_.release());
        else if (thread_ && thread_->handle.joinable())
            thread_->handle.join();
    }

    std::atomic<bool> stop{false};

private:
    struct Thread {
        std::mutex mutex;
        std::condition_variable ended;
        bool is_running = true;
        std::thread handle;
    };
    pid_t process_ = 0;
    std::unique_ptr<Thread> thread_;
};

}  // namespace honte::search
