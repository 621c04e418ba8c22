// Positions as learners see them: planes row by row from the top left, and a mask of legal moves.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "core/game.hpp"

namespace honte {

/// A game that can be observed, by free functions that stand beside its State.
template <class S>
concept Observable = GameState<S> && requires(const S state, uint8_t* out) {
    { planes_of(state).size() } -> std::convertible_to<size_t>;  // their names
    { plane_columns(state) } -> std::same_as<int>;
    { plane_rows(state) } -> std::same_as<int>;
    { write_planes(state, out) };                       // [cells][planes], zeros and ones
    { board_cell(state, int{}) } -> std::same_as<int>;  // of a cell, row by row from the top
    { move_count(state) } -> std::same_as<int>;         // moves are 0 … move_count − 1
};

/// Writes positions of one board as [planes][rows][columns], row 0 at the top.
template <Observable S>
class Observer {
public:
    explicit Observer(const S& state)
        : planes_(planes_of(state).size()),
          cells_(static_cast<size_t>(plane_columns(state) * plane_rows(state))),
          cell_major_(planes_ * cells_) {
        for (size_t cell = 0; cell < cells_; ++cell)
            places_.push_back(static_cast<size_t>(board_cell(state, static_cast<int>(cell))));
    }
    size_t size() const { return planes_ * cells_; }

    void write(const S& state, uint8_t* out) {
        write_planes(state, cell_major_.data());
        const uint8_t* from = cell_major_.data();
        for (const size_t place : places_)
            for (size_t plane = 0; plane < planes_; ++plane) out[plane * cells_ + place] = *from++;
    }

private:
    size_t planes_, cells_;
    std::vector<uint8_t> cell_major_;  // as networks read them
    std::vector<size_t> places_;       // of the cells
};

/// Write one flag for each move: whether it is legal.
template <Observable S>
void write_legal_mask(const S& state, bool* out) {
    std::memset(out, 0, static_cast<size_t>(move_count(state)));
    for (const Move move : state.legal_moves()) out[move] = true;
}

}  // namespace honte
