#include "othello/solver.hpp"

#include <stdexcept>

#include "bindings/solution.hpp"
#include "bindings/state.hpp"
#include "othello/uct.hpp"

namespace honte::bindings {

namespace {

using othello::Solver;
using OthelloHeld = Held<othello::State>;

/// The solver; a position is copied out of its state, so nothing of Python is kept.
struct Solving {
    Solver solver;
    Solving(int threads, size_t memory_mb) : solver(threads, memory_mb) {}
};

}  // namespace

void bind_othello_solver(nb::module_& module) {
    nb::class_<Solving>(module, "OthelloSolver")
        .def(
            "__init__",
            [](Solving* self, int threads, size_t memory_mb) {
                if (threads < 1 || threads > 64 || memory_mb < 1 || memory_mb > 32000)
                    throw std::invalid_argument("1 to 64 threads and 1 to 32000 megabytes");
                new (self) Solving(threads, memory_mb);
            },
            nb::arg("threads"), nb::arg("memory_mb"))
        .def(
            "start",
            [](Solving& self, const OthelloHeld& held, bool wld, bool every, double seconds) {
                const Unlocked unlocked;
                self.solver.start(held.state, {wld, every}, after_seconds(seconds));
            },
            nb::arg("state"), nb::arg("wld"), nb::arg("every"), nb::arg("seconds"))
        .def(
            "wait",
            [](Solving& self, double seconds) {
                const Unlocked unlocked;
                return self.solver.wait(duration_of(seconds));
            },
            nb::arg("seconds"))
        .def("stop",
             [](Solving& self) {
                 const Unlocked unlocked;
                 self.solver.stop();
             })
        .def("report", [](const Solving& self) { return as_dict(self.solver.solution()); })
        .def("memory", [](const Solving& self) { return self.solver.bytes(); });
}

}  // namespace honte::bindings
