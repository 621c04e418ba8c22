#include "connect4/uct.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bindings/batch.hpp"

namespace honte::bindings {

void bind_connect4_uct(nb::module_& module);
void bind_connect4_alphabeta(nb::module_& module);
void bind_connect4_solver(nb::module_& module);

void bind_connect4(nb::module_& module) {
    using connect4::Rules;
    using connect4::State;
    using H = Held<State>;

    nb::class_<Rules> rules_class(module, "Connect4Rules");
    rules_class
        .def(
            "__init__",
            [](Rules* self, int rows, int cols, int inarow, const nb::bytes& blocked) {
                if (rows < 0 || cols < 0 ||
                    blocked.size() != static_cast<size_t>(rows) * static_cast<size_t>(cols))
                    throw std::invalid_argument("blocked must have one byte for each cell");
                bool flags[connect4::kMaxSide * connect4::kMaxSide] = {};
                const auto bytes = as_bytes(blocked);
                for (size_t i = 0; i < bytes.size() && i < std::size(flags); ++i)
                    flags[i] = bytes[i] != 0;
                new (self) Rules(rows, cols, inarow, flags);
            },
            nb::arg("rows"), nb::arg("cols"), nb::arg("inarow"), nb::arg("blocked"))
        .def("start", [](const Rules& rules,
                         nb::object game) { return make_state(State(rules), std::move(game)); })
        .def("setup", [](const Rules& rules, nb::object game, const nb::bytes& cells, int to_move) {
            return make_state(State(rules, as_bytes(cells), to_move), std::move(game));
        });

    auto state_class = bind_state<State>(module, "Connect4State");
    bind_planes(state_class);
    bind_batch<State>(module, rules_class, "Connect4Batch");
    state_class
        .def("cells",
             [](const H& held) {
                 const Rules& rules = held.state.rules();
                 char cells[connect4::kMaxSide * connect4::kMaxSide];
                 for (int row = 0; row < rules.rows(); ++row)
                     for (int col = 0; col < rules.cols(); ++col)
                         cells[row * rules.cols() + col] =
                             static_cast<char>(held.state.at(row, col));
                 return nb::bytes(cells, static_cast<size_t>(rules.rows() * rules.cols()));
             })
        .def(
            "landing_row",
            [](const H& held, int col) {
                const Rules& rules = held.state.rules();
                const bool open =
                    col >= 0 && col < rules.cols() && held.state.landing(col) != connect4::kFull;
                return int_or_none(open ? rules.rows() - 1 - held.state.landing(col) : -1);
            },
            nb::arg("col"));

    bind_connect4_uct(module);
    bind_connect4_alphabeta(module);
    bind_connect4_solver(module);
}

}  // namespace honte::bindings
