#include <stdexcept>

#include "bindings/solution.hpp"
#include "bindings/state.hpp"
#include "connect4/solver.hpp"

namespace honte::bindings {

void bind_connect4_solver(nb::module_& module) {
    using connect4::Solver;
    using H = Held<connect4::State>;
    /// The solver of one board; a position is copied out of its state.
    struct Solving {
        std::unique_ptr<Solver> solver;
        connect4::Rules rules;
    };
    nb::class_<Solving>(module, "Connect4Solver")
        .def(
            "__init__",
            [](Solving* self, const connect4::Rules& rules, int threads, size_t memory_mb) {
                if (threads < 1 || threads > 64 || memory_mb < 1 || memory_mb > 32000)
                    throw std::invalid_argument("1 to 64 threads and 1 to 32000 megabytes");
                new (self) Solving{Solver::make(rules, threads, memory_mb << 20), rules};
            },
            nb::arg("rules"), nb::arg("threads"), nb::arg("memory_mb"))
        .def(
            "start",
            [](Solving& self, const H& held, bool wld, bool every, bool line, double seconds,
               uint64_t nodes) {
                check_board(self.rules, held.state);
                const Unlocked unlocked;
                self.solver->start(held.state, {wld, every, line, after_seconds(seconds), nodes});
            },
            nb::arg("state"), nb::arg("wld"), nb::arg("every"), nb::arg("line"), nb::arg("seconds"),
            nb::arg("nodes"))
        .def(
            "wait",
            [](Solving& self, double seconds) {
                const Unlocked unlocked;
                return self.solver->wait(duration_of(seconds));
            },
            nb::arg("seconds"))
        .def("stop",
             [](Solving& self) {
                 const Unlocked unlocked;
                 self.solver->stop();
             })
        .def("report", [](const Solving& self) { return as_dict(self.solver->solution()); })
        .def("forget", [](Solving& self) { self.solver->forget(); })
        .def("memory", [](const Solving& self) { return self.solver->bytes(); });
}

}  // namespace honte::bindings
