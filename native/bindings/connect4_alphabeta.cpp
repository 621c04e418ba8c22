#include "search/connect4/alphabeta.hpp"

#include <stdexcept>

#include "bindings/solution.hpp"
#include "bindings/state.hpp"

namespace honte::bindings {

void bind_connect4_alphabeta(nb::module_& module) {
    using connect4::AlphaBeta;
    using connect4::Looked;
    using H = Held<connect4::State>;
    /// The search of one board; a position is copied out of its state.
    struct Looking {
        std::unique_ptr<AlphaBeta> search;
    };
    nb::class_<Looking>(module, "Connect4AlphaBeta")
        .def(
            "__init__",
            [](Looking* self, const connect4::Rules& rules, size_t memory_mb) {
                if (memory_mb < 1 || memory_mb > 32000)
                    throw std::invalid_argument("1 to 32000 megabytes");
                new (self) Looking{AlphaBeta::make(rules, memory_mb << 20)};
            },
            nb::arg("rules"), nb::arg("memory_mb"))
        .def(
            "start",
            [](Looking& self, const H& held, int depth, double seconds) {
                const nb::gil_scoped_release release;
                self.search->start(held.state, depth, after_seconds(seconds));
            },
            nb::arg("state"), nb::arg("depth"), nb::arg("seconds"))
        .def(
            "wait",
            [](Looking& self, double seconds) {
                const nb::gil_scoped_release release;
                return self.search->wait(duration_of(seconds));
            },
            nb::arg("seconds"))
        .def("stop",
             [](Looking& self) {
                 const nb::gil_scoped_release release;
                 self.search->stop();
             })
        .def("report",
             [](const Looking& self) {
                 const Looked looked = self.search->looked();
                 nb::list moves;
                 for (const search::SolvedMove& move : looked.moves)
                     moves.append(nb::make_tuple(move.move, move.low, move.high));
                 nb::dict report;
                 report["depth"] = looked.depth;
                 report["value"] = looked.value;
                 report["moves"] = moves;
                 report["pv"] = looked.pv;
                 report["nodes"] = looked.nodes;
                 report["finished"] = looked.finished;
                 return report;
             })
        .def(
            "evaluate",
            [](const Looking& self, const H& held) { return self.search->evaluate(held.state); },
            nb::arg("state"));
}

}  // namespace honte::bindings
