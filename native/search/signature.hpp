// The parts of a signature that are the same for every searchable game.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/signature.hpp"
#include "search/game.hpp"
#include "search/solution.hpp"
#include "search/uct.hpp"

namespace honte::search {

/// Random games, move by move, and a few playouts from every position on the way.
template <SearchGame S>
void add_games(Signature& signature, const S& start, int games, uint64_t seed) {
    Rng rng(seed);
    for (int i = 0; i < games; ++i) {
        S state = start;
        for (int ply = 0; ply < 400 && !state.is_over(); ++ply) {
            const auto moves = state.legal_moves();
            state.play_unchecked(moves[static_cast<int>(rng.below(moves.size()))]);
            signature.add(state.hash());
            signature.add(moves.size());
            if (ply % 8 == 0) signature.add(random_playout(state, rng) + 1);
        }
        signature.add(state.outcome() + 1);
    }
}

/// A position after some random moves; the game is not over.
template <GameState S>
S random_position(const S& start, int plies, Rng& rng) {
    for (;;) {
        S state = start;
        for (int ply = 0; ply < plies && !state.is_over(); ++ply) {
            const auto moves = state.legal_moves();
            state.play_unchecked(moves[static_cast<int>(rng.below(moves.size()))]);
        }
        if (!state.is_over()) return state;
    }
}

/// The full result of a UCT search on one thread, down to the visit counts.
template <SearchGame S>
void add_uct(Signature& signature, const S& state, const Settings& settings,
             uint64_t iterations = 3000) {
    Uct<S> uct(state, settings);
    uct.run(iterations, Clock::now() + std::chrono::hours(1));
    const Snapshot shot = uct.snapshot();
    signature.add(shot.children[static_cast<size_t>(shot.chosen)].move);
    signature.add(static_cast<uint64_t>(shot.nodes));
    for (const ChildReport& child : shot.children) {
        signature.add(uint64_t{child.visits});
        signature.add(static_cast<uint64_t>(std::llround(child.value * 1e6)));
    }
}

/// The bounds that a solver has proved, move by move.
inline void add_solution(Signature& signature, const Solution& solution) {
    signature.add(solution.low);
    signature.add(solution.high);
    for (const SolvedMove& move : solution.moves) {
        signature.add(move.move);
        signature.add(move.low);
        signature.add(move.high);
    }
}

/// Log-weights for a policy, each feature with one of its own.
inline std::vector<float> made_up_logs(int features) {
    std::vector<float> logs;
    for (int i = 0; i < features; ++i)
        logs.push_back(static_cast<float>(mix(static_cast<uint64_t>(i)) % 64) / 32);
    return logs;
}

}  // namespace honte::search
