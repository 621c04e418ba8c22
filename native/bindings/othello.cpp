#include "othello/uct.hpp"

#include "bindings/batch.hpp"

namespace honte::bindings {

void bind_othello_uct(nb::module_& module);
void bind_othello_minimax(nb::module_& module);
void bind_othello_solver(nb::module_& module);
void bind_othello_engine(nb::module_& module);
void bind_othello_training(nb::module_& module);

void bind_othello(nb::module_& module) {
    using othello::Board;
    using othello::PerftStyle;
    using othello::Rules;
    using othello::State;
    using H = Held<State>;

    nb::class_<Rules> rules_class(module, "OthelloRules");
    rules_class.def(nb::init<int>(), nb::arg("size"))
        .def("start", [](const Rules& rules,
                         nb::object game) { return make_state(State(rules), std::move(game)); })
        .def("setup",
             [](const Rules& rules, nb::object game, uint64_t black, uint64_t white, int to_move) {
                 const Board board = to_move ? Board{white, black} : Board{black, white};
                 return make_state(State(rules, board, to_move), std::move(game));
             });

    auto state_class = bind_state<State>(module, "OthelloState");
    bind_planes(state_class);
    bind_batch<State>(module, rules_class, "OthelloBatch");
    state_class
        .def("cells",
             [](const H& held) {
                 const int size = held.state.rules().size();
                 const uint64_t black = held.state.discs(0), white = held.state.discs(1);
                 char cells[64];
                 for (int i = 0; i < size * size; ++i) {
                     const int square = i / size * 8 + i % size;
                     cells[i] =
                         static_cast<char>((black >> square & 1) | (white >> square & 1) << 1);
                 }
                 return nb::bytes(cells, static_cast<size_t>(size * size));
             })
        .def(
            "discs_mask", [](const H& held, int player) { return held.state.discs(player != 0); },
            nb::arg("player"))
        .def("legal_moves_mask", [](const H& held) { return held.state.moves_mask(); })
        .def(
            "leaves",
            [](const H& held, int depth, bool pass_free, bool bulk) {
                check_depth(depth);
                const uint64_t squares = held.state.rules().board();
                const Board board = held.state.board();
                const Unlocked unlocked;
                if (pass_free)
                    return bulk ? othello::perft<PerftStyle{false, true}>(board, squares, depth)
                                : othello::perft<PerftStyle{false, false}>(board, squares, depth);
                return bulk ? othello::perft<PerftStyle{true, true}>(board, squares, depth)
                            : othello::perft<PerftStyle{true, false}>(board, squares, depth);
            },
            nb::arg("depth"), nb::arg("pass_free") = false, nb::arg("bulk") = true);

    bind_othello_uct(module);
    bind_othello_minimax(module);
    bind_othello_solver(module);
    bind_othello_engine(module);
    bind_othello_training(module);
}

}  // namespace honte::bindings
