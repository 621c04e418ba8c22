// The course's engine behind a site's protocol: UCT with the network, and proofs near the end.
#pragma once

#include <memory>

#include "course/games.hpp"
#include "sites/connect4.hpp"

namespace honte::sites {

class CourseThinker {
public:
    explicit CourseThinker(size_t memory_mb) : memory_mb_(memory_mb) {}

    Move operator()(const connect4::State& state, Clock::time_point deadline) {
        if (!playing_) {
            const connect4::Rules& rules = state.rules();
            course::Cell blocked;
            for (int row = 0; row < rules.rows(); ++row)
                for (int col = 0; col < rules.cols(); ++col)
                    if (state.at(row, col) == connect4::kBlocked) blocked = {row, col};
            const course::View view{rules.rows(), rules.cols(), nullptr, nullptr, blocked};
            playing_ = std::make_unique<course::Playing>(view, memory_mb_);
        }
        return playing_->choose(state, deadline);
    }

private:
    size_t memory_mb_;
    std::unique_ptr<course::Playing> playing_;
};

}  // namespace honte::sites
