#include "go/uct.hpp"

#include <nanobind/stl/pair.h>

#include "bindings/searches.hpp"
#include "bindings/uct.hpp"
#include "go/planes.hpp"
#include "go/policy_learning.hpp"

namespace honte::bindings {

void bind_go_uct(nb::module_& module) {
    using H = Held<go::State>;
    bind_policy<go::PolicyWeights>(module, "GoPolicy");
    module.attr("GO_FEATURES") = go::MoveFeatures::count();
    bind_uct<go::State>(module, "GoUct");
    bind_searches<go::State>(module, "GoSearches");
    module.def(
        "go_planes",
        [](const H& held) {
            std::string planes(go::kPlanes.size() * static_cast<size_t>(held.state.rules().pass()),
                               0);
            go::write_planes(held.state, reinterpret_cast<uint8_t*>(planes.data()));
            return nb::bytes(planes.data(), planes.size());
        },
        nb::arg("state"));
    module.attr("GO_PLANES") = std::vector<std::string>(go::kPlanes.begin(), go::kPlanes.end());

    using go::Learner;
    const auto pair = [](Learner::Measure measure) {
        return std::pair(measure.likelihood, measure.first);
    };
    nb::class_<Learner>(module, "GoLearner")
        .def(nb::init<>())
        .def("__len__", &Learner::size)
        .def(
            "add",
            [](Learner& self, const H& held, Move move) { return self.add(held.state, move); },
            nb::arg("state"), nb::arg("move"))
        .def("step", &Learner::step, nb::arg("regularization"), nb::call_guard<Unlocked>())
        .def(
            "measure",
            [pair](const Learner& self, const Learner& other) { return pair(self.measure(other)); },
            nb::arg("other"))
        .def(
            "measure_by_hand",
            [pair](const Learner& self, double scale) { return pair(self.measure_by_hand(scale)); },
            nb::arg("scale"))
        .def("measure_uniform",
             [pair](const Learner& self) { return pair(self.measure_uniform()); })
        .def("logs", &Learner::logs);
}

}  // namespace honte::bindings
