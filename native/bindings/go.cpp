#include "go/uct.hpp"

#include <nanobind/stl/pair.h>

#include <algorithm>

#include "bindings/batch.hpp"
#include "go/ownership.hpp"

namespace honte::bindings {

void bind_go_uct(nb::module_& module);

void bind_go(nb::module_& module) {
    using go::Ko;
    using go::Rules;
    using go::State;
    using H = Held<State>;

    nb::class_<Rules> rules_class(module, "GoRules");
    rules_class
        .def(
            "__init__",
            [](Rules* self, int size, double komi, const std::string& ko, bool suicide,
               const std::vector<Move>& handicap) {
                const Ko rule = ko == "simple"       ? Ko::kSimple
                                : ko == "positional" ? Ko::kPositional
                                                     : Ko::kSituational;
                new (self) Rules(size, komi, rule, suicide, handicap);
            },
            nb::arg("size"), nb::arg("komi"), nb::arg("ko"), nb::arg("suicide"),
            nb::arg("handicap"))
        .def("start", [](const Rules& rules,
                         nb::object game) { return make_state(State(rules), std::move(game)); })
        .def("setup", [](const Rules& rules, nb::object game, const nb::bytes& cells, int to_move,
                         int passes, const std::vector<Move>& forbidden,
                         const std::vector<uint64_t>& history) {
            State state(rules, as_bytes(cells), to_move, passes);
            state.remember(history);
            for (const Move move : forbidden) state.forbid(move);
            return make_state(std::move(state), std::move(game));
        });

    const auto check_point = [](const State& state, Move move) {
        if (move < 0 || move >= state.rules().pass())
            throw std::invalid_argument("point " + std::to_string(move) + " is off the board");
    };

    auto state_class = bind_state<State>(module, "GoState");
    bind_planes(state_class);
    bind_batch<State>(module, rules_class, "GoBatch");
    state_class.def_prop_ro("passes", [](const H& held) { return held.state.passes(); })
        .def_prop_ro("second_last_move",
                     [](const H& held) { return int_or_none(held.state.second_last_move()); })
        .def(
            "with_second_last_move",
            [](const H& held, std::optional<Move> move) {
                H marked = held;
                if (move && !held.state.is_move(*move))
                    throw std::invalid_argument("move " + std::to_string(*move) +
                                                " is not one of this board");
                marked.state.mark_second_last(move.value_or(-1));
                return marked;
            },
            nb::arg("move").none())
        .def("cells",
             [](const H& held) {
                 char cells[go::kMaxSize * go::kMaxSize];
                 const Rules& rules = held.state.rules();
                 for (Move move = 0; move < rules.pass(); ++move)
                     cells[move] = static_cast<char>(held.state.board().color(rules.point(move)));
                 return nb::bytes(cells, static_cast<size_t>(rules.pass()));
             })
        .def("forbidden",
             [](const H& held) {  // the empty points that the ko rule alone forbids now
                 const State& state = held.state;
                 const Rules& rules = state.rules();
                 std::vector<Move> moves;
                 if (state.is_over()) return moves;
                 for (Move move = 0; move < rules.pass(); ++move) {
                     const int p = rules.point(move);
                     if (state.board().color(p) == go::kEmpty && state.is_ko(p) &&
                         (rules.suicide() || !state.board().is_suicide(p, state.mover())))
                         moves.push_back(move);
                 }
                 return moves;
             })
        .def("history",
             [](const H& held) {
                 const auto hashes = held.state.history().hashes();
                 return std::vector<uint64_t>(hashes.begin(), hashes.end());
             })
        .def(
            "area",
            [check_point](const H& held, const std::vector<Move>& dead) {
                for (const Move move : dead) check_point(held.state, move);
                return held.state.area(dead);
            },
            nb::arg("dead") = std::vector<Move>{})
        .def(
            "ownership",
            [](const H& held, int count, unsigned policies, uint64_t seed) {
                std::vector<double> owned(static_cast<size_t>(held.state.rules().pass()));
                const Unlocked unlocked;
                go::add_ownership(held.state, count, policies, seed, owned.data());
                for (double& points : owned) points /= std::max(count, 1);
                return owned;
            },
            nb::arg("count"), nb::arg("policies") = 0, nb::arg("seed") = 0)
        .def(
            "group",
            [check_point](const H& held, Move move) {
                check_point(held.state, move);
                const Rules& rules = held.state.rules();
                const go::Board& board = held.state.board();
                const int p = rules.point(move);
                std::vector<Move> stones, liberties;
                if (board.color(p) == go::kEmpty) return std::pair(stones, liberties);
                bool seen[go::kPoints] = {};
                board.each_stone(p, [&](int stone) {
                    stones.push_back(rules.move(stone));
                    for (const int step : go::kSteps) {
                        const int q = stone + step;
                        if (board.color(q) != go::kEmpty || seen[q]) continue;
                        seen[q] = true;
                        liberties.push_back(rules.move(q));
                    }
                });
                std::sort(stones.begin(), stones.end());
                std::sort(liberties.begin(), liberties.end());
                return std::pair(stones, liberties);
            },
            nb::arg("point"));

    bind_go_uct(module);
}

}  // namespace honte::bindings
