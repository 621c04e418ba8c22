#include "search/uct.hpp"

#include <map>
#include <optional>
#include <stdexcept>

#include "bindings/state.hpp"
#include "games/connect4.hpp"
#include "games/go.hpp"
#include "games/othello.hpp"

namespace honte::bindings {

namespace {

using search::ChildReport;
using search::Settings;
using search::Snapshot;

template <class T>
T named(const std::string& name, const std::map<std::string, T>& values) {
    const auto found = values.find(name);
    if (found == values.end()) throw std::invalid_argument("no setting is called " + name);
    return found->second;
}

Settings read_settings(const nb::dict& given) {
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
    get("policy", s.policy);
    get("foreseen", s.foreseen);
    get("caution", s.caution);
    get("widen", s.widen);
    get("prune", s.prune);
    get("prune_value", s.prune_value);
    get("forced", s.forced);
    get("attack", s.attack);
    get("solver", s.solver);
    get("length", s.length);
    get("transpositions", s.transpositions);
    get("threads", s.threads);
    get("seed", s.seed);
    get("memory_mb", s.memory_mb);
    return s;
}

const char* proof_name(search::Proof proof) {
    constexpr const char* names[] = {nullptr, "win", "loss", "draw"};
    return names[proof];
}

nb::dict as_dict(const Snapshot& shot) {
    nb::list children;  // tuples in the order of the fields of honte.Candidate
    for (const ChildReport& child : shot.children)
        children.append(nb::make_tuple(child.move, child.visits, child.value, child.prior,
                                       proof_name(child.proof), child.distance, child.low,
                                       child.high, child.exploration, child.amaf_visits,
                                       child.amaf_value, child.rave_share));
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

template <GameState S>
void bind_search(nb::module_& module, const char* name) {
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
                nb::gil_scoped_release release;
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
        .def("report", [](const Search& self) { return as_dict(self.uct.snapshot()); })
        .def(
            "look",
            [](const Search& self, const std::vector<Move>& moves) -> std::optional<nb::dict> {
                if (const auto shot = self.uct.look(moves)) return as_dict(*shot);
                return {};
            },
            nb::arg("moves"));
}

}  // namespace

void bind_uct(nb::module_& module) {
    bind_search<connect4::State>(module, "Connect4Uct");
    bind_search<othello::State>(module, "OthelloUct");
    bind_search<go::State>(module, "GoUct");
}

}  // namespace honte::bindings
