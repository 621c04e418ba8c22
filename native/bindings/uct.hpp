// Python bindings of a search and its settings, shared by all games.
#pragma once

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "bindings/nets.hpp"
#include "bindings/state.hpp"
#include "search/uct.hpp"

namespace honte::bindings {

/// Policy weights as Python holds them; searches share them.
struct PolicyHandle {
    std::shared_ptr<const search::Policy> weights;
};
template <class Weights>
struct PolicyHandleOf : PolicyHandle {};

/// The class of a game's policy weights, made from their logarithms.
template <class Weights>
void bind_policy(nb::module_& module, const char* name) {
    using Handle = PolicyHandleOf<Weights>;
    nb::class_<Handle, PolicyHandle>(module, name)
        .def(
            "__init__",
            [](Handle* self, const std::vector<float>& logs) {
                new (self) Handle{{std::make_shared<const Weights>(logs)}};
            },
            nb::arg("logs"));
}

using search::ChildReport;
using search::Settings;
using search::Snapshot;

template <class T>
T named(const std::string& name, const std::map<std::string, T>& values) {
    const auto found = values.find(name);
    if (found == values.end()) throw std::invalid_argument("no setting is called " + name);
    return found->second;
}

inline Settings read_settings(const nb::dict& given) {
    using namespace search;
    Settings s;
    const auto get = [&]<class T>(const char* key, T& place) { place = nb::cast<T>(given[key]); };
    s.selection = named<Selection>(nb::cast<std::string>(given["selection"]),
                                   {{"flat", Selection::kFlat},
                                    {"ucb1", Selection::kUcb1},
                                    {"ucb1_tuned", Selection::kUcb1Tuned},
                                    {"ucb_tuned2", Selection::kUcbTuned2},
                                    {"puct", Selection::kPuct}});
    s.final = named<Final>(nb::cast<std::string>(given["final"]), {{"visits", Final::kVisits},
                                                                   {"value", Final::kValue},
                                                                   {"ucb", Final::kUcb},
                                                                   {"lcb", Final::kLcb}});
    s.rave = named<Rave>(nb::cast<std::string>(given["rave_form"]),
                         {{"no", Rave::kNo}, {"schedule", Rave::kSchedule}, {"bias", Rave::kBias}});
    get("c", s.c);
    get("ucb_factor", s.ucb_factor);
    get("fpu", s.fpu);
    get("rave_k", s.rave_k);
    get("rave_bias", s.rave_bias);
    get("playout", s.playout);
    get("priors", s.priors);
    if (!given["policy"].is_none())
        s.policy = nb::cast<const PolicyHandle&>(given["policy"]).weights;
    if (!given["network"].is_none())
        s.network = nb::cast<const SharedNetwork&>(given["network"]).share();
    get("playout_share", s.playout_share);
    get("temperature", s.temperature);
    get("batch", s.batch);
    get("gumbel", s.gumbel);
    get("considered", s.considered);
    get("gumbel_scale", s.gumbel_scale);
    get("noise", s.noise);
    get("alpha", s.alpha);
    get("move_temperature", s.move_temperature);
    get("score_utility", s.score_utility);
    get("rave_prior", s.rave_prior);
    get("fpu_reduction", s.fpu_reduction);
    get("progressive_widening", s.progressive_widening);
    get("prune", s.prune);
    get("prune_value", s.prune_value);
    get("forced", s.forced);
    get("threat_depth", s.threat_depth);
    get("solver", s.solver);
    get("transpositions", s.transpositions);
    get("threads", s.threads);
    get("seed", s.seed);
    get("memory_mb", s.memory_mb);
    return s;
}

inline const char* proof_name(search::Proof proof) {
    constexpr const char* names[] = {nullptr, "win", "loss", "draw"};
    return names[proof];
}

inline nb::dict as_dict(const Snapshot& shot) {
    nb::list children;  // tuples in the order of the fields of honte.Candidate
    for (const ChildReport& child : shot.children)
        children.append(nb::make_tuple(child.move, child.visits, child.value, child.prior,
                                       proof_name(child.proof), child.distance, child.low,
                                       child.high, child.exploration, child.amaf_visits,
                                       child.amaf_value, child.rave_share, child.lead));
    nb::dict report;
    report["children"] = children;
    report["chosen"] = shot.chosen;
    report["proven"] = proof_name(shot.proof);
    report["distance"] = shot.distance;
    report["pv"] = shot.pv;
    report["depth"] = shot.depth;
    report["iterations"] = shot.iterations;
    report["nodes"] = shot.nodes;
    report["memory"] = shot.bytes;
    report["full"] = shot.full;
    return report;
}

/// The class of a game's search.
template <search::SearchGame S>
void bind_uct(nb::module_& module, const char* name) {
    /// The search and the Game whose rules its positions point to.
    struct Search {
        search::Uct<S> uct;
        nb::object game;
    };
    nb::class_<Search>(module, name)
        .def(
            "__init__",
            [](Search* self, const Held<S>& held, const nb::dict& settings) {
                new (self) Search{{held.state, read_settings(settings)}, held.game};
            },
            nb::arg("state"), nb::arg("settings"))
        .def(
            "set_position",
            [](Search& self, const Held<S>& held) {
                const bool known = self.uct.set_position(held.state);
                self.game = held.game;
                return known;
            },
            nb::arg("state"))
        .def(
            "run",
            [](Search& self, uint64_t iterations, double seconds) {
                const Unlocked unlocked;
                const auto now = search::Clock::now();
                const auto span = std::chrono::duration<double>(std::min(seconds, 1e6));
                const auto ended = self.uct.run(
                    iterations, now + std::chrono::duration_cast<search::Clock::duration>(span));
                constexpr const char* reasons[] = {"iterations", "time", "stopped", "proven"};
                return reasons[static_cast<int>(ended)];
            },
            nb::arg("iterations"), nb::arg("seconds"))
        .def("iterations", [](const Search& self) { return self.uct.iterations(); })
        .def("stop", [](Search& self) { self.uct.stop(); })
        .def("ownership", [](const Search& self) { return self.uct.ownership(); })
        .def("report", [](const Search& self) { return as_dict(self.uct.snapshot()); })
        .def(
            "look",
            [](const Search& self, const std::vector<Move>& moves) -> std::optional<nb::dict> {
                if (const auto shot = self.uct.look(moves)) return as_dict(*shot);
                return {};
            },
            nb::arg("moves"));
}

}  // namespace honte::bindings
