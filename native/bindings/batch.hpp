// Batches of games for Python, which reads their memory in place; honte/games/batch.py wraps them.
#pragma once

#include <mutex>

#include "bindings/planes.hpp"
#include "core/batch.hpp"

namespace honte::bindings {

/// A batch, and the Python Game that keeps its rules alive.
template <Observable S>
struct HeldBatch {
    nb::object game;
    Batch<S> batch;
    std::mutex mutex;

    /// Call f(batch) without the GIL; calls from several threads take turns.
    template <class F>
    auto alone(F f) {
        const Unlocked unlocked;
        const std::lock_guard lock(mutex);
        return f(batch);
    }
};

/// Bind the batches of a game; `rules_class` gets the method that makes them.
template <Observable S>
void bind_batch(nb::module_& module, nb::class_<typename S::Rules>& rules_class, const char* name) {
    using H = HeldBatch<S>;
    using B = Batch<S>;
    using Self = nb::handle_t<H>;
    using Actions = nb::ndarray<int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    using Rewards = nb::ndarray<float, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    using Ends = nb::ndarray<bool, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
    // An array in the memory of the batch, which it keeps alive.
    const auto in_place = []<class T>(T* data, std::initializer_list<size_t> shape, Self self) {
        return nb::ndarray<nb::numpy, T>(data, shape, self);
    };
    const auto held_by = [](Self self) -> H& { return *nb::inst_ptr<H>(self); };
    const auto check = [](const H& held, std::initializer_list<size_t> lengths) {
        for (const size_t length : lengths)
            if (length != held.batch.size())
                throw std::invalid_argument("a batch takes one number for each game");
    };
    const auto check_index = [](const H& held, size_t i) {
        if (i >= held.batch.size()) throw nb::index_error("the batch has no such game");
    };

    rules_class.def(
        "batch",
        [](const typename S::Rules& rules, nb::object game, size_t count, bool auto_reset,
           uint64_t seed) {
            if (count == 0) throw std::invalid_argument("a batch has at least one game");
            return new H{std::move(game), B(S(rules), count, auto_reset, seed), {}};
        },
        nb::arg("game"), nb::arg("count"), nb::arg("auto_reset"), nb::arg("seed"));

    nb::class_<H>(module, name)
        .def("__len__", [](const H& held) { return held.batch.size(); })
        .def("to_move",
             [=](Self self) {
                 B& batch = held_by(self).batch;
                 return in_place(batch.to_move(), {batch.size()}, self);
             })
        .def("scores",
             [=](Self self) {
                 B& batch = held_by(self).batch;
                 return in_place(batch.scores(), {batch.size()}, self);
             })
        .def("legal_mask",
             [=](Self self) {
                 B& batch = held_by(self).batch;
                 return in_place(batch.legal_mask(), {batch.size(), batch.actions()}, self);
             })
        .def("planes",
             [=](Self self) {
                 H& held = held_by(self);
                 const S& any = held.batch[0];
                 const auto rows = static_cast<size_t>(plane_rows(any)),
                            columns = static_cast<size_t>(plane_columns(any));
                 uint8_t* const planes = held.alone([](B& batch) { return batch.planes(); });
                 return in_place(planes, {held.batch.size(), planes_of(any).size(), rows, columns},
                                 self);
             })
        .def(
            "step",
            [=](H& held, Actions actions, Rewards rewards, Ends ends) {
                check(held, {actions.size(), rewards.size(), ends.size()});
                return held.alone([&](B& batch) {
                    return batch.step({actions.data(), actions.size()}, rewards.data(),
                                      ends.data());
                });
            },
            nb::arg("actions").noconvert(), nb::arg("rewards").noconvert(),
            nb::arg("ends").noconvert())
        .def(
            "choose_random",
            [=](H& held, Actions actions) {
                check(held, {actions.size()});
                held.alone([&](B& batch) { batch.choose_random(actions.data()); });
            },
            nb::arg("actions").noconvert())
        .def("reset", [](H& held) { held.alone([](B& batch) { batch.reset(); }); })
        .def(
            "seed", [](H& held, uint64_t seed) { held.alone([&](B& batch) { batch.seed(seed); }); },
            nb::arg("seed"))
        .def(
            "state",
            [=](H& held, size_t i) {
                check_index(held, i);
                return make_state(held.alone([&](B& batch) { return batch[i]; }), held.game);
            },
            nb::arg("index"))
        .def(
            "set",
            [=](H& held, size_t i, const Held<S>& position) {
                check_index(held, i);
                const S state = position.state;
                if (&state.rules() != &held.batch[i].rules())
                    throw std::invalid_argument("a batch takes positions of its own game");
                held.alone([&](B& batch) { batch.set(i, state); });
            },
            nb::arg("index"), nb::arg("state"));
}

}  // namespace honte::bindings
