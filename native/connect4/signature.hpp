// What Connect Four adds to the signature: rules, playouts, UCT, threat search, both alpha-betas.
#pragma once

#include <memory>

#include "connect4/alphabeta.hpp"
#include "connect4/solver.hpp"
#include "connect4/uct.hpp"
#include "search/signature.hpp"

namespace honte::connect4 {

inline constexpr bool kNothingBlocked[kMaxSide * kMaxSide] = {};

/// 12×12 with one blocked cell, as the course has them.
inline Rules course_rules() {
    bool blocked[kMaxSide * kMaxSide] = {};
    blocked[5 * 12 + 6] = true;
    return {12, 12, 4, blocked};
}

/// A position after some random moves, none of which completed a line.
inline State random_position(const Rules& rules, int plies, Rng& rng) {
    for (;;) {
        State state(rules);
        for (int ply = 0; ply < plies && !state.is_over(); ++ply) {
            State::Moves quiet;
            for (const Move move : state.legal_moves())
                if (!state.wins_at(state.to_move(), move)) quiet.push(move);
            if (quiet.size() == 0) break;
            state.play_unchecked(quiet[static_cast<int>(rng.below(quiet.size()))]);
        }
        if (state.stones() == plies && !state.is_over()) return state;
    }
}

inline std::shared_ptr<const PolicyWeights> made_up_policy() {
    return std::make_shared<PolicyWeights>(search::made_up_logs(MovePatterns::kCount));
}

inline void add_rules(Signature& signature) {
    const Rules standard(6, 7, 4, kNothingBlocked);
    signature.add(perft(State(standard), 6));
    search::add_games(signature, State(standard), 200, 1);
    const Rules course = course_rules();
    search::add_games(signature, State(course), 200, 2);
    bool blocked[kMaxSide * kMaxSide] = {};
    blocked[5 * 12 + 6] = true;
    const Rules wide(16, 16, 5, blocked);
    search::add_games(signature, State(wide), 50, 3);
}

inline void add_uct(Signature& signature, const search::Settings& settings) {
    const Rules rules = course_rules();
    search::add_uct(signature, State(rules), settings);
}

inline void add_policy_uct(Signature& signature) {
    search::Settings settings;
    settings.selection = search::Selection::kPuct;
    settings.policy = made_up_policy();
    settings.threat_depth = 8;
    add_uct(signature, settings);
}

/// The depth of the wins that threat search finds, and their first moves, along random games.
inline void add_threat_search(Signature& signature) {
    const Rules rules = course_rules();
    Rng rng(6);
    for (int i = 0; i < 400; ++i) {
        const State state = random_position(rules, 10 + i % 50, rng);
        ThreatSearch threats(state);
        signature.add(threats.plies(8));
        signature.add(threats.first());
    }
}

inline void add_alphabeta(Signature& signature) {
    bool blocked[kMaxSide * kMaxSide] = {};
    blocked[30] = true;
    const Rules boards[] = {{6, 7, 4, kNothingBlocked},
                            {9, 10, 4, blocked},
                            course_rules(),
                            {16, 16, 5, blocked}};  // every width of word
    Rng rng(7);
    for (const Rules& rules : boards) {
        const auto alphabeta = AlphaBeta::make(rules, size_t{1} << 20);
        for (const int plies : {0, 14}) {
            const State state = random_position(rules, plies, rng);
            alphabeta->start(state, rules.cols() < 12 ? 6 : 4, Clock::time_point::max());
            while (!alphabeta->wait(std::chrono::seconds(1))) continue;
            const DepthResult found = alphabeta->result();
            signature.add(found.value);
            signature.add(found.nodes);
            for (const search::SolvedMove& move : found.moves) {
                signature.add(move.move);
                signature.add(move.high);
            }
            for (const Move move : found.pv) signature.add(move);
        }
    }
}

inline void add_solver(Signature& signature) {
    const Rules boards[] = {{6, 7, 4, kNothingBlocked}, {7, 8, 4, kNothingBlocked}, course_rules()};
    Rng rng(8);
    for (const Rules& rules : boards) {
        const auto solver = Solver::make(rules, 1, size_t{1} << 20);
        for (int i = 0; i < 4; ++i) {
            const State state = random_position(rules, rules.playable() - 20 + i, rng);
            solver->start(state, {.wld = i % 2 == 1, .every = true, .line = true});
            while (!solver->wait(std::chrono::seconds(1))) continue;
            const Solution found = solver->solution();
            search::add_solution(signature, found);
            signature.add(found.nodes);
            for (const Move move : found.pv) signature.add(move);
        }
    }
}

inline void add_engines(Signature& signature) {
    add_threat_search(signature);
    add_alphabeta(signature);
    add_solver(signature);
}

}  // namespace honte::connect4
