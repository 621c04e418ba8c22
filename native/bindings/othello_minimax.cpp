#include "othello/alphabeta.hpp"

#include <nanobind/stl/pair.h>

#include <chrono>
#include <optional>
#include <stdexcept>

#include "bindings/solution.hpp"
#include "bindings/state.hpp"
#include "othello/game.hpp"

namespace honte::bindings {

namespace {

using othello::AlphaBeta;
using othello::Clock;
using othello::RootMove;
using othello::State;
using othello::Weights;
using othello::WeightsEvaluation;
using OthelloHeld = Held<State>;

Weights read_weights(const std::vector<int>& given) {
    if (given.size() != Weights::kCount)
        throw std::invalid_argument("the evaluation takes 13 weights, in hundredths");
    for (const int weight : given)
        if (weight < -Weights::kMost || weight > Weights::kMost)
            throw std::invalid_argument("a weight lies beyond a million hundredths");
    Weights weights;
    std::copy_n(given.begin(), Weights::kSquares, weights.square.begin());
    weights.discs = given[10], weights.mobility = given[11], weights.stable = given[12];
    return weights;
}

WeightsEvaluation evaluation_for(const State& state, const std::vector<int>& weights) {
    return {read_weights(weights), state.rules().size(), state.rules().board()};
}

void check_plies(int depth) {
    if (depth < 1 || depth > 60) throw std::invalid_argument("a depth is 1 to 60 plies");
}

/// Minimax with the report's evaluation; one search at a time, another thread may stop it.
struct Minimax {
    std::vector<int> weights;
    bool prune;
    std::atomic<bool> stop{false};

    std::optional<nb::dict> run(const OthelloHeld& held, int depth, double seconds, bool every) {
        check_plies(depth);
        const WeightsEvaluation evaluation = evaluation_for(held.state, weights);
        AlphaBeta<WeightsEvaluation> search(evaluation, prune);
        search.stop = &stop;
        search.until = after_seconds(seconds);
        std::vector<RootMove> moves;
        std::vector<Move> line;
        uint64_t nodes = 0;
        try {
            const Unlocked unlocked;
            moves = search.moves(held.state, depth, !every);
            nodes = search.nodes;
            const auto best = std::max_element(
                moves.begin(), moves.end(),
                [](const RootMove& a, const RootMove& b) { return a.value < b.value; });
            if (every && best != moves.end()) {
                State next = held.state;
                next.play_unchecked(best->move);
                AlphaBeta<WeightsEvaluation> follow(evaluation, true);
                line = follow.line(next, depth - 1);
                line.insert(line.begin(), best->move);
            } else if (best != moves.end()) {
                line = {best->move};
            }
        } catch (const othello::Stopped&) {
            return {};
        }
        nb::list found;
        for (const RootMove& move : moves) found.append(nb::make_tuple(move.move, move.value));
        nb::dict report;
        report["moves"] = found;
        report["pv"] = line;
        report["nodes"] = nodes;
        return report;
    }
};

}  // namespace

void bind_othello_minimax(nb::module_& module) {
    nb::class_<Minimax>(module, "OthelloMinimax")
        .def(
            "__init__",
            [](Minimax* self, const std::vector<int>& weights, bool prune) {
                read_weights(weights);
                new (self) Minimax{weights, prune};
            },
            nb::arg("weights"), nb::arg("prune"))
        .def("run", &Minimax::run, nb::arg("state"), nb::arg("depth"), nb::arg("seconds"),
             nb::arg("every"))
        .def("stop", [](Minimax& self) { self.stop = true; })
        .def("go_on", [](Minimax& self) { self.stop = false; })
        .def(
            "evaluate",
            [](const Minimax& self, const OthelloHeld& held) {
                return evaluation_for(held.state, self.weights)(held.state.board());
            },
            nb::arg("state"));

    module.def(
        "play_weights_game",
        [](const OthelloHeld& held, const std::vector<int>& black, const std::vector<int>& white,
           int depth) {
            check_plies(depth);
            const WeightsEvaluation one = evaluation_for(held.state, black);
            const WeightsEvaluation two = evaluation_for(held.state, white);
            const State state = held.state;
            othello::PlayedGame game;
            {
                const Unlocked unlocked;
                game = othello::play_game(one, two, depth, state);
            }
            return std::make_pair(game.score, game.moves);
        },
        nb::arg("state"), nb::arg("black"), nb::arg("white"), nb::arg("depth"));
}

}  // namespace honte::bindings
