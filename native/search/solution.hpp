// What an exact search proves, whichever game it solves; and the thread it works on.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "games/game.hpp"

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
    bool finished = false;  // as far as was asked
};

/// A thread of one's own for one piece of work at a time. Whoever works looks at `stop`.
class Background {
public:
    ~Background() { end(); }

    template <class Work>
    void begin(Work work) {
        end();
        stop = false;
        is_running_ = true;
        thread_ = std::thread([this, work = std::move(work)] {
            work();
            const std::lock_guard lock(mutex_);
            is_running_ = false;
            ended_.notify_all();
        });
    }
    /// Wait at most so long; whether it has ended.
    bool wait(std::chrono::steady_clock::duration most) {
        std::unique_lock lock(mutex_);
        return ended_.wait_for(lock, most, [this] { return !is_running_; });
    }
    void end() {
        stop = true;
        if (thread_.joinable()) thread_.join();
    }

    std::atomic<bool> stop{false};

private:
    std::mutex mutex_;
    std::condition_variable ended_;
    bool is_running_ = false;
    std::thread thread_;
};

}  // namespace honte::search
