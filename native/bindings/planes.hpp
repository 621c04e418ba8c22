// Observations for training: planes and legal moves as NumPy arrays.
#pragma once

#include <nanobind/ndarray.h>

#include <memory>

#include "bindings/state.hpp"
#include "core/observation.hpp"

namespace honte::bindings {

/// An array that owns its memory.
template <class T, size_t Dimensions>
nb::ndarray<nb::numpy, T, nb::ndim<Dimensions>> new_array(std::initializer_list<size_t> shape) {
    size_t count = 1;
    for (const size_t side : shape) count *= side;
    auto memory = std::make_unique<T[]>(count);
    const nb::capsule owner(memory.get(), [](void* p) noexcept { delete[] static_cast<T*>(p); });
    return {memory.release(), shape, owner};
}

template <Observable S>
void bind_planes(nb::class_<Held<S>>& state_class) {
    using H = Held<S>;
    state_class
        .def_prop_ro(
            "plane_names",
            [](const H& held) {
                const auto& names = planes_of(held.state);
                return std::vector<std::string>(names.begin(), names.end());
            },
            "What each of the planes shows.")
        .def(
            "planes",
            [](const H& held) {
                const S& state = held.state;
                auto planes = new_array<uint8_t, 3>({planes_of(state).size(),
                                                     static_cast<size_t>(plane_rows(state)),
                                                     static_cast<size_t>(plane_columns(state))});
                Observer<S>(state).write(state, planes.data());
                return planes;
            },
            "The position as zeros and ones [planes, rows, columns], row 0 at the top.")
        .def(
            "legal_mask",
            [](const H& held) {
                auto mask = new_array<bool, 1>({static_cast<size_t>(move_count(held.state))});
                write_legal_mask(held.state, mask.data());
                return mask;
            },
            "Whether each action, from 0 to game.actions - 1, is a legal move.");
}

}  // namespace honte::bindings
