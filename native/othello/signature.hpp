// What Othello adds to the signature: rules, playouts, UCT, minimax, the solver, the engine.
#pragma once

#include <memory>
#include <vector>

#include "othello/alphabeta.hpp"
#include "othello/engine.hpp"
#include "othello/solver.hpp"
#include "othello/uct.hpp"
#include "search/signature.hpp"

namespace honte::othello {

inline void add_rules(Signature& signature) {
    for (const int size : {4, 6, 8}) {
        const Rules rules(size);
        const State start(rules);
        signature.add(perft<PerftStyle{}>(start.board(), rules.board(), 7));
        search::add_games(signature, start, 100, 4);
    }
}

inline void add_uct(Signature& signature, const search::Settings& settings) {
    const Rules rules(8);
    search::add_uct(signature, State(rules), settings);
}

/// Minimax by the weights of the report, with and without pruning.
inline void add_minimax(Signature& signature) {
    Weights weights;
    weights.square = {29300, -1800, -6700, 3900, -6200, -1000, 4000, -400, 1300, 100};
    weights.discs = 100, weights.mobility = 7200, weights.stable = 500;
    Rng rng(9);
    for (const int size : {6, 8}) {
        const Rules rules(size);
        const WeightsEvaluation evaluation(weights, size, rules.board());
        for (const int plies : {0, 11, 22}) {
            const State state = search::random_position(State(rules), plies, rng);
            for (const bool prune : {false, true}) {
                AlphaBeta<WeightsEvaluation> minimax(evaluation, prune);
                for (const RootMove& move : minimax.moves(state, prune ? 5 : 4, false)) {
                    signature.add(move.move);
                    signature.add(move.value);
                }
                signature.add(minimax.nodes);
            }
        }
    }
}

/// Scores only: the node count depends on how the library's sort orders equal moves.
inline void add_solver(Signature& signature) {
    Rng rng(10);
    Solver solver(1, 1);
    for (const int size : {6, 8}) {
        const Rules rules(size);
        const int plies = size * size - 4 - 12;
        for (int i = 0; i < 4; ++i) {
            const State state = search::random_position(State(rules), plies, rng);
            solver.start(state, {.every = true}, Clock::time_point::max());
            while (!solver.wait(std::chrono::seconds(1))) continue;
            Solution found = solver.solution();
            std::sort(found.moves.begin(), found.moves.end(),
                      [](const SolvedMove& a, const SolvedMove& b) { return a.move < b.move; });
            search::add_solution(signature, found);
        }
    }
}

/// The pattern engine with a made-up evaluation: smooth enough that multi-ProbCut prunes.
inline void add_engine(Signature& signature) {
    std::vector<int16_t> tables(static_cast<size_t>(PatternWeights::size_of_phase()) *
                                patterns::kPhases);
    for (size_t i = 0; i < tables.size(); ++i)
        tables[i] = static_cast<int16_t>(static_cast<int>(mix(i) % 201) - 100);
    Margins margins;
    for (auto& phase : margins.sigma)
        for (int16_t& sigma : phase) sigma = 2 * patterns::kUnit;
    Engine engine(std::make_shared<PatternWeights>(tables), margins, 2);
    const Rules rules(8);
    Rng rng(11);
    for (const int plies : {4, 16, 28, 48}) {
        const State state = search::random_position(State(rules), plies, rng);
        if (!state.moves_mask()) continue;
        const bool ends = plies == 48;  // solved: scores only, as above
        engine.search(state.board(), state.to_move(),
                      {.depth = ends ? 60 : 7, .selectivity = 1, .all_moves = ends});
        EngineResult found = engine.result();
        if (ends)
            std::sort(found.moves.begin(), found.moves.end(),
                      [](const auto& a, const auto& b) { return a.square < b.square; });
        for (const EngineResult::Move& move : found.moves) {
            signature.add(move.square);
            signature.add(move.value);
        }
        if (!ends) signature.add(found.nodes);
    }
}

inline void add_engines(Signature& signature) {
    add_minimax(signature);
    add_solver(signature);
    add_engine(signature);
}

}  // namespace honte::othello
