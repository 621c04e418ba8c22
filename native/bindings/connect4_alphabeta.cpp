#include "connect4/alphabeta.hpp"

#include <stdexcept>

#include "bindings/solution.hpp"
#include "bindings/state.hpp"

namespace honte::bindings {

void bind_connect4_alphabeta(nb::module_& module) {
    using connect4::AlphaBeta;
    using connect4::DepthResult;
    using H = Held<connect4::State>;
    /// The search of one board; a position is copied out of its state.
    struct Looking {
        std::unique_ptr<AlphaBeta> search;
        connect4::Rules rules;
    };
    nb::class_<Looking>(module, "Connect4AlphaBeta")
        .def(
            "__init__",
            [](Looking* self, const connect4::Rules& rules, size_t memory_mb) {
                if (memory_mb < 1 || memory_mb > 32000)
                    throw std::invalid_argument("1 to 32000 megabytes");
                new (self) Looking{AlphaBeta::make(rules, memory_mb << 20), rules};
            },
            nb::arg("rules"), nb::arg("memory_mb"))
        .def(
            "start",
            [](Looking& self, const H& held, int depth, double seconds) {
                check_board(self.rules, held.state);
                if (held.state.is_over()) throw std::invalid_argument("the game is over");
                const Unlocked unlocked;
                self.search->start(held.state, depth, after_seconds(seconds));
            },
            nb::arg("state"), nb::arg("depth"), nb::arg("seconds"))
        .def(
            "wait",
            [](Looking& self, double seconds) {
                const Unlocked unlocked;
                return self.search->wait(duration_of(seconds));
            },
            nb::arg("seconds"))
        .def("stop",
             [](Looking& self) {
                 const Unlocked unlocked;
                 self.search->stop();
             })
        .def("report",
             [](const Looking& self) {
                 const DepthResult found = self.search->result();
                 nb::list moves;
                 for (const search::SolvedMove& move : found.moves)
                     moves.append(nb::make_tuple(move.move, move.low, move.high));
                 nb::dict report;
                 report["depth"] = found.depth;
                 report["value"] = found.value;
                 report["moves"] = moves;
                 report["pv"] = found.pv;
                 report["nodes"] = found.nodes;
                 report["finished"] = found.finished;
                 return report;
             })
        .def(
            "evaluate",
            [](const Looking& self, const H& held) {
                check_board(self.rules, held.state);
                return self.search->evaluate(held.state);
            },
            nb::arg("state"));
}

}  // namespace honte::bindings
