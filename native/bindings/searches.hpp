// Python bindings of searches with an evaluator, shared by all games.
#pragma once

#include <nanobind/stl/tuple.h>

#include <tuple>

#include "bindings/planes.hpp"
#include "bindings/uct.hpp"
#include "search/searches.hpp"

namespace honte::bindings {

/// The class of one game's searches in lockstep, called from Python by one thread.
template <search::SearchGame S>
void bind_searches(nb::module_& module, const char* name) {
    struct Searches {
        search::Searches<S> native;
        search::Rows<S> roots;
        bool improves, reuse;
        nb::object game;
    };
    using Self = nb::handle_t<Searches>;
    const auto self_of = [](Self self) -> Searches& { return *nb::inst_ptr<Searches>(self); };

    // Views of native memory, which the owner keeps alive.
    const auto planes_in = [](search::Rows<S>& rows, size_t count, nb::handle owner) {
        const S& any = rows.state(0);
        return nb::ndarray<nb::numpy, uint8_t, nb::ndim<4>>(
            rows.planes(),
            {count, planes_of(any).size(), static_cast<size_t>(plane_rows(any)),
             static_cast<size_t>(plane_columns(any))},
            owner);
    };
    const auto legal_in = [](search::Rows<S>& rows, size_t count, nb::handle owner) {
        return nb::ndarray<nb::numpy, bool>(rows.legal(), {count, rows.moves()}, owner);
    };

    nb::class_<Searches>(module, name)
        .def(
            "__init__",
            [](Searches* self, const Held<S>& held, int games, const nb::dict& settings) {
                const search::Settings read = read_settings(settings);
                new (self) Searches{{held.state, games, read},
                                    {held.state, static_cast<size_t>(games)},
                                    read.gumbel,
                                    nb::cast<bool>(settings["reuse"]),
                                    held.game};
            },
            nb::arg("state"), nb::arg("games"), nb::arg("settings"))
        .def_prop_ro("moves", [](Searches& self) { return self.roots.moves(); })

        // One batch of leaves: collect, look at them, settle or abandon.
        .def(
            "plan", [](Searches& self, uint64_t iterations) { self.native.plan(iterations); },
            nb::arg("iterations"))
        .def("is_done", [](Searches& self) { return self.native.is_done(); })
        .def("collect",
             [](Searches& self) {
                 const Unlocked unlocked;
                 return self.native.collect();
             })
        .def("planes",
             [=](Self self) {
                 search::Leaves<S>& leaves = self_of(self).native.leaves();
                 return planes_in(leaves.rows(), leaves.size(), self);
             })
        .def("legal",
             [=](Self self) {
                 search::Leaves<S>& leaves = self_of(self).native.leaves();
                 return legal_in(leaves.rows(), leaves.size(), self);
             })
        .def("positions",
             [](Searches& self) {
                 nb::list states;
                 search::Leaves<S>& leaves = self.native.leaves();
                 for (size_t row = 0; row < leaves.size(); ++row)
                     states.append(make_state(leaves.rows().state(row), self.game));
                 return states;
             })
        .def(
            "settle",
            [](Searches& self,
               nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu> priors,
               nb::ndarray<const float, nb::ndim<1>, nb::c_contig, nb::device::cpu> values)
                -> std::optional<std::tuple<std::string, size_t, int, double>> {
                const size_t rows = self.native.leaves().size();
                if (priors.shape(0) != rows || values.shape(0) != rows ||
                    priors.shape(1) != self.roots.moves())
                    throw std::invalid_argument("an evaluation for each leaf");
                const Unlocked unlocked;
                const auto fault = self.native.settle(priors.data(), values.data());
                if (!fault) return {};
                return std::tuple(fault->kind == search::Fault::kPrior ? "prior" : "value",
                                  fault->row, fault->move, fault->given);
            },
            nb::arg("priors"), nb::arg("values"))
        .def("abandon", [](Searches& self) { self.native.abandon(); })

        // One of the games, as a search by itself.
        .def(
            "set_position",
            [](Searches& self, int game, const Held<S>& held) {
                const bool known = self.native[game].set_position(held.state, self.reuse);
                self.game = held.game;
                return known;
            },
            nb::arg("game"), nb::arg("state"))
        .def(
            "position",
            [](Searches& self, int game) {
                return make_state(self.native[game].position(), self.game);
            },
            nb::arg("game"))
        .def(
            "iterations", [](Searches& self, int game) { return self.native[game].iterations(); },
            nb::arg("game"))
        .def(
            "is_proven", [](Searches& self, int game) { return self.native[game].is_proven(); },
            nb::arg("game"))
        .def(
            "report",
            [](Searches& self, int game) { return as_dict(self.native[game].snapshot()); },
            nb::arg("game"))
        .def(
            "look",
            [](Searches& self, int game,
               const std::vector<Move>& moves) -> std::optional<nb::dict> {
                if (const auto shot = self.native[game].look(moves)) return as_dict(*shot);
                return {};
            },
            nb::arg("game"), nb::arg("moves"))

        // All games.
        .def("roots",
             [=](Self self) {
                 Searches& searches = self_of(self);
                 const auto count = static_cast<size_t>(searches.native.size());
                 for (size_t i = 0; i < count; ++i)
                     searches.roots.write(i, searches.native[static_cast<int>(i)].position());
                 return std::tuple(planes_in(searches.roots, count, self),
                                   legal_in(searches.roots, count, self));
             })
        .def("targets",
             [](Searches& self) {
                 const auto games = static_cast<size_t>(self.native.size());
                 const size_t width = self.roots.moves();
                 auto visits = new_array<uint32_t, 2>({games, width});
                 auto policy = new_array<float, 2>({games, width});
                 auto values = new_array<float, 1>({games});
                 auto moves = new_array<int64_t, 1>({games});
                 for (size_t i = 0; i < games; ++i) {
                     const search::Target target =
                         search::target_of(self.native[static_cast<int>(i)], self.improves,
                                           visits.data() + i * width, policy.data() + i * width);
                     values.data()[i] = static_cast<float>(target.value);
                     moves.data()[i] = target.move;
                 }
                 return std::tuple(visits, policy, values, moves);
             })
        .def("to_move",
             [](Searches& self) {
                 auto sides = new_array<int8_t, 1>({static_cast<size_t>(self.native.size())});
                 for (int i = 0; i < self.native.size(); ++i)
                     sides.data()[i] = static_cast<int8_t>(self.native[i].position().to_move());
                 return sides;
             })
        .def(
            "advance",
            [](Searches& self, const std::vector<Move>& moves, const Held<S>& start) {
                const auto games = static_cast<size_t>(self.native.size());
                for (size_t i = 0; i < games; ++i)
                    if (!self.native[static_cast<int>(i)].position().is_legal(moves.at(i)))
                        return std::tuple(static_cast<int>(i), nb::object(nb::none()),
                                          nb::object(nb::none()));
                auto over = new_array<bool, 1>({games});
                auto outcomes = new_array<int8_t, 1>({games});
                for (size_t i = 0; i < games; ++i) {
                    search::Uct<S>& uct = self.native[static_cast<int>(i)];
                    S next = uct.position();
                    next.play_unchecked(moves[i]);
                    over.data()[i] = next.is_over();
                    outcomes.data()[i] = static_cast<int8_t>(next.is_over() ? next.outcome() : 0);
                    uct.set_position(next.is_over() ? start.state : next, self.reuse);
                }
                return std::tuple(-1, nb::object(nb::cast(over)), nb::object(nb::cast(outcomes)));
            },
            nb::arg("moves"), nb::arg("start"));
}

}  // namespace honte::bindings
