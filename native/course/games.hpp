// Our engine behind a stateless judge: finds the game that a position belongs to.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "connect4/solver.hpp"
#include "connect4/uct.hpp"
#include "core/embedded.hpp"
#include "course/judge_view.hpp"
#include "learned/connect4.hpp"
#include "search/uct.hpp"

namespace honte::course {

/// A game in progress: its board, and the engines that search it.
class Playing {
public:
    using Clock = std::chrono::steady_clock;

    Playing(const View& view, size_t memory_mb)
        : flags_(view.blocked_flags()),
          rules_(view.rules()),
          memory_mb_(memory_mb),
          last_(rules_) {}
    Playing(const Playing&) = delete;
    Playing& operator=(const Playing&) = delete;

    const Rules& rules() const { return rules_; }

    /// Can a position follow from the last one here within two moves?
    bool leads_to(const View& view, const State& state) const {
        if (view.rows != rules_.rows() || view.cols != rules_.cols() ||
            view.blocked_flags() != flags_ || state.stones() - last_.stones() > 2)
            return false;
        for (int player = 0; player < 2; ++player)
            for (int height = 0; height < rules_.rows(); ++height)
                if (last_.lines(player).row[height] & ~state.lines(player).row[height])
                    return false;
        return true;
    }

    /// Choose a column before the deadline, by proof or by UCT: the same engine and the same shares
    /// of the time as honte.games.connect4.course.
    Move choose(const State& state, Clock::time_point deadline) {
        last_ = state;
        if (const Move proved = by_proof(state, deadline); proved >= 0) return proved;
        if (uct_)
            uct_->set_position(state);
        else
            uct_ = std::make_unique<search::Uct<State>>(state, settings());
        uct_->run(~uint64_t{0}, deadline);
        const auto shot = uct_->snapshot();
        return shot.children[static_cast<size_t>(shot.chosen)].move;
    }

private:
    /// A move that keeps a proven win or draw; −1 if there is none, or no proof finishes in time.
    Move by_proof(const State& state, Clock::time_point deadline) {
        const int free = rules_.playable() - state.stones();
        if (free > kProvable || (free <= failed_ && free >= failed_ - 3)) return -1;
        if (!solver_) solver_ = connect4::Solver::make(rules_, 1, kTable);
        const auto now = Clock::now();
        const auto until = now + (deadline - now) / 4;
        solver_->start(state, {.wld = true, .until = until});
        while (!solver_->wait(std::chrono::milliseconds(20)) && Clock::now() < until) {
        }
        solver_->stop();
        const auto solved = solver_->solution();
        const bool decided = solved.low > 0 || solved.high < 0 || solved.low == solved.high;
        failed_ = decided ? 0 : free;
        if (!decided || solved.moves.empty()) return -1;
        const bool keeps =
            solved.moves[0].low > 0 || (solved.high == 0 && solved.moves[0].low == 0);
        return keeps ? solved.moves[0].move : -1;
    }

    search::Settings settings() const {  // as in honte.games.connect4.uct
        search::Settings settings;
        settings.threat_depth = 8;
        settings.selection = search::Selection::kPuct;
        settings.network = network();
        settings.c = 1.5;
        settings.fpu_reduction = 0.2;
        settings.temperature = 1.5;
        settings.transpositions = true;
        settings.memory_mb = memory_mb_;
        return settings;
    }

    static std::shared_ptr<const nets::Network> network() {
        static const auto read = nets::Network::read(embedded(kNetwork));
        return read;
    }

    static constexpr int kProvable = 52;  // from this many free cells down a proof is tried first
    static constexpr size_t kTable = size_t{16} << 20;

    const std::vector<uint8_t> flags_;
    const Rules rules_;
    const size_t memory_mb_;
    State last_;
    int failed_ = 0;  // free cells when a proof last ran out of time
    std::unique_ptr<search::Uct<State>> uct_;
    std::unique_ptr<connect4::Solver> solver_;
};

/// The games of a process. Thread-safe; each game belongs to one thread at a time.
class Games {
public:
    Cell choose(const View& view, Playing::Clock::time_point deadline) {
        if (!view.is_possible()) return {};
        const Cell any = view.any_move();
        const Rules rules = view.rules();
        const auto state = view.position(rules);
        if (!state || state->is_over()) return any;
        auto game = take(view, *state);
        const Move col = game->choose(*view.position(game->rules()), deadline);
        give_back(std::move(game));
        const Cell lands{view.rows - 1 - state->landing(col), col};
        // If `top` contradicts the board, a move that both allow is preferred.
        const bool agreed = view.by_top(any.col) == view.by_board(any.col);
        return view.by_top(col) == lands || !agreed ? lands : any;
    }

private:
    std::unique_ptr<Playing> take(const View& view, const State& state) {
        const std::lock_guard lock(mutex_);
        for (auto game = idle_.begin(); game != idle_.end(); ++game)
            if ((*game)->leads_to(view, state)) {
                auto found = std::move(*game);
                idle_.erase(game);
                return found;
            }
        if (idle_.size() >= kMost) idle_.pop_back();
        return std::make_unique<Playing>(view, kMemoryMb);
    }
    void give_back(std::unique_ptr<Playing> game) {
        const std::lock_guard lock(mutex_);
        idle_.push_front(std::move(game));
        if (idle_.size() > kMost) idle_.pop_back();
    }

    static constexpr size_t kMost = 4;       // games remembered, most recent ones
    static constexpr size_t kMemoryMb = 48;  // of tree for each: below 300 MB with four of them

    std::mutex mutex_;
    std::list<std::unique_ptr<Playing>> idle_;
};

}  // namespace honte::course
