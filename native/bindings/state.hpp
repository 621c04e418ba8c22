// Python bindings of a native state: the contract's methods, shared by all games.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <utility>

#include "bindings/unlocked.hpp"
#include "search/game.hpp"

namespace honte::bindings {

namespace nb = nanobind;

/// A state and the Python Game it belongs to, which keeps the state's rules alive.
template <GameState S>
struct Held {
    S state;
    nb::object game;
};

/// A Python int, or None for a negative number: "no move" and "no winner" in Python.
inline nb::object int_or_none(int value) {
    if (value < 0) return nb::none();
    return nb::int_(value);
}

inline std::span<const uint8_t> as_bytes(const nb::bytes& bytes) {
    return {static_cast<const uint8_t*>(bytes.data()), bytes.size()};
}

/// Convert a Python object to a move; −1 for an integer that fits no game.
inline Move read_move(nb::handle given) {
    int overflow = 0;
    long value = 0;
    if (PyLong_CheckExact(given.ptr())) {
        value = PyLong_AsLongAndOverflow(given.ptr(), &overflow);
    } else {
        PyObject* index = PyNumber_Index(given.ptr());
        if (!index) {
            PyErr_Clear();
            throw nb::type_error("a move is an int, or text in the game's notation");
        }
        value = PyLong_AsLongAndOverflow(index, &overflow);
        Py_DECREF(index);
    }
    return overflow || value < 0 || value > 0xffff ? -1 : static_cast<Move>(value);
}

inline void check_depth(int depth) {
    if (depth < 0) throw std::invalid_argument("a depth is 0 or more");
}

/// Let the Game word the error: it knows how people write its moves.
template <class H>
[[noreturn]] void raise_illegal(const H& held, nb::handle self, nb::handle move) {
    nb::object error = held.game.attr("illegal")(self, move);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(error.ptr())), error.ptr());
    throw nb::python_error();
}

template <GameState S>
nb::object make_state(S state, nb::object game) {
    return nb::cast(Held<S>{std::move(state), std::move(game)});
}

template <search::SearchGame S>
nb::class_<Held<S>> bind_state(nb::module_& module, const char* name) {
    using H = Held<S>;
    return nb::class_<H>(module, name)
        .def_prop_ro("game", [](const H& held) { return held.game; })
        .def_prop_ro("to_move", [](const H& held) { return held.state.to_move(); })
        .def_prop_ro("is_over", [](const H& held) { return held.state.is_over(); })
        .def_prop_ro("winner",
                     [](const H& held) {
                         const int outcome = held.state.is_over() ? held.state.outcome() : 0;
                         return int_or_none(outcome == 0 ? -1 : outcome < 0);
                     })
        .def_prop_ro("score", [](const H& held) { return held.state.score(); })
        .def_prop_ro("last_move", [](const H& held) { return int_or_none(held.state.last_move()); })
        .def("legal_moves",
             [](const H& held) {
                 const auto moves = held.state.legal_moves();
                 PyObject* list = PyList_New(moves.size());
                 if (!list) throw nb::python_error();
                 for (int i = 0; i < moves.size(); ++i)
                     NB_LIST_SET_ITEM(list, i, PyLong_FromLong(moves[i]));
                 return nb::steal<nb::list>(list);
             })
        .def(
            "is_legal",
            [](const H& held, nb::handle move) { return held.state.is_legal(read_move(move)); },
            nb::arg("move").none())
        .def(
            "play",
            [](nb::handle_t<H> self, nb::handle given) {
                const H& held = *nb::inst_ptr<H>(self);
                nb::object parsed;  // a move as people write it
                if (PyUnicode_Check(given.ptr())) given = parsed = held.game.attr("parse")(given);
                const Move move = read_move(given);
                if (!held.state.is_legal(move)) raise_illegal(held, self, given);
                nb::object next = nb::inst_alloc(nb::type<H>());
                H* made = new (nb::inst_ptr<H>(next)) H(held);
                nb::inst_mark_ready(next);
                made->state.play_unchecked(move);
                return next;
            },
            nb::arg("move").none())
        .def(
            "with_last_move",  // a copy that marks another move as the last one, for drawing
            [](const H& held, std::optional<Move> move) {
                H marked(held);
                if (move && !held.state.is_move(*move))
                    throw std::invalid_argument("the last move is no move of this game");
                marked.state.mark_last(move.value_or(-1));
                return marked;
            },
            nb::arg("move").none())
        .def(
            "perft",
            [](const H& held, int depth) {
                check_depth(depth);
                const Unlocked unlocked;
                return perft(held.state, depth);
            },
            nb::arg("depth"))
        .def(
            "playouts",
            [](const H& held, int count, uint64_t seed, unsigned policy) {
                const Unlocked unlocked;
                Rng rng(seed);
                int64_t total = 0;
                search::NoTrace trace;
                for (int i = 0; i < count; ++i) {
                    S state = held.state;
                    total += finish_game(state, rng, policy, trace).outcome;
                }
                return total;
            },
            nb::arg("count"), nb::arg("seed") = 0, nb::arg("policy") = 0)
        .def("__hash__",
             [](const H& held) { return static_cast<Py_ssize_t>(held.state.hash() >> 1); })
        .def(
            "__eq__",
            [](const H& held, nb::handle other) -> nb::object {
                if (!nb::isinstance<H>(other)) return nb::borrow(nb::handle(Py_NotImplemented));
                const H& that = *nb::inst_ptr<H>(other);
                return nb::bool_((held.game.is(that.game) || held.game.equal(that.game)) &&
                                 held.state == that.state);
            },
            nb::arg("other").none());
}

}  // namespace honte::bindings
