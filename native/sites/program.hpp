// Our engines as single programs for sites that compile uploads: `honte export --as`.
#pragma once

#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>
#include <optional>
#include <string>

#include "core/embedded.hpp"
#include "nets/json.hpp"
#include "nets/network.hpp"
#include "search/uct.hpp"

namespace honte::sites {

using Clock = std::chrono::steady_clock;

/// The thinking time within a limit: a busy machine may deschedule us just before the end.
inline Clock::duration time_to_think(double limit) {
    const double seconds = limit * 0.9 - (limit > 0.2 ? 0.05 : 0.0);
    return std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
}

/// UCT that keeps its tree from move to move.
template <class State>
class Thinker {
public:
    explicit Thinker(const search::Settings& settings) : settings_(settings) {}

    Move operator()(const State& state, Clock::time_point deadline) {
        if (const auto moves = state.legal_moves(); moves.size() == 1) return moves[0];
        if (uct_)
            uct_->set_position(state);
        else
            uct_ = std::make_unique<search::Uct<State>>(state, settings_);
        uct_->run(~uint64_t{0}, deadline);
        const auto shot = uct_->snapshot();
        return shot.children[static_cast<size_t>(shot.chosen)].move;
    }

private:
    search::Settings settings_;
    std::unique_ptr<search::Uct<State>> uct_;
};

/// Play a game over Botzone's protocol: the first line has all of it, each later line one request.
/// `game` knows the rules and the coordinates.
template <class Game, class Think>
int botzone(const Game& game, double limit, Think think) {
    using State = typename Game::State;
    std::optional<typename State::Rules> rules;
    std::optional<State> state;
    const auto play = [&](const nets::Json& given) {
        const int x = static_cast<int>(given["x"].integer(-9, 99));
        const int y = static_cast<int>(given["y"].integer(-9, 99));
        if (const Move move = game.move(*state, x, y); move >= 0) state->play_unchecked(move);
    };
    for (std::string line; std::getline(std::cin, line);) {
        const auto deadline = Clock::now() + time_to_think(limit);
        const nets::Json given = nets::Json::parse(line);
        if (line.find("\"requests\"") != std::string::npos) {
            const auto& requests = given["requests"].list();
            const auto& responses = given["responses"].list();
            rules.emplace(game.rules(requests.at(0)));
            state.emplace(*rules);
            for (size_t i = 0; i < requests.size(); ++i) {
                play(requests[i]);
                if (i < responses.size()) play(responses[i]);
            }
        } else {
            play(given);
        }
        const Move move = think(*state, deadline);
        const auto [x, y] = game.point(*state, move);
        state->play_unchecked(move);
        std::printf("{\"response\":{\"x\":%d,\"y\":%d}}\n", x, y);
        std::printf(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<\n");
        std::fflush(stdout);
    }
    return 0;
}

}  // namespace honte::sites
