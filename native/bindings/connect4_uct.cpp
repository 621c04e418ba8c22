#include "connect4/uct.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>

#include "bindings/searches.hpp"
#include "bindings/uct.hpp"
#include "connect4/planes.hpp"
#include "connect4/policy_learning.hpp"

namespace honte::bindings {

void bind_connect4_uct(nb::module_& module) {
    using H = Held<connect4::State>;
    bind_policy<connect4::PolicyWeights>(module, "Connect4Policy");
    module.attr("CONNECT4_FEATURES") = static_cast<int>(connect4::MovePatterns::kCount);
    bind_uct<connect4::State>(module, "Connect4Uct");
    bind_searches<connect4::State>(module, "Connect4Searches");

    module.def(
        "connect4_planes",
        [](const H& held) {
            const auto& rules = held.state.rules();
            std::string planes(
                connect4::kPlanes.size() * static_cast<size_t>(rules.cols() * rules.rows()), 0);
            connect4::write_planes(held.state, reinterpret_cast<uint8_t*>(planes.data()));
            return nb::bytes(planes.data(), planes.size());
        },
        nb::arg("state"));

    using connect4::Learner;
    nb::class_<Learner>(module, "Connect4Learner")
        .def(nb::init<>())
        .def("__len__", &Learner::size)
        .def(
            "add",
            [](Learner& self, const H& held, const std::vector<std::pair<Move, float>>& shares) {
                for (const auto& [move, share] : shares)
                    if (!held.state.is_legal(move))
                        throw std::invalid_argument("visit shares are for legal moves only");
                self.add(held.state, shares);
            },
            nb::arg("state"), nb::arg("shares"))
        .def("step", &Learner::step, nb::arg("rate"), nb::arg("decay"), nb::arg("seed"),
             nb::call_guard<Unlocked>())
        .def(
            "measure",
            [](const Learner& self, const Learner& other) {
                const auto measure = self.measure(other);
                return std::tuple(measure.likelihood, measure.entropy, measure.first);
            },
            nb::arg("other"))
        .def("logs", &Learner::logs);
}

}  // namespace honte::bindings
