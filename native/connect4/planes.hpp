// What networks see of a position of Connect Four.
#pragma once

#include <array>
#include <cstdint>

#include "connect4/game.hpp"

namespace honte::connect4 {

/// The planes in the order of src/honte/games/connect4/planes.py, zeros and ones for each cell.
inline constexpr std::array<const char*, 10> kPlanes = {
    "board",       "playable",      "own",      "other",     "landing",
    "own_threats", "other_threats", "odd_rows", "odd_empty", "second_to_move"};

inline const auto& planes_of(const State&) { return kPlanes; }
inline const char* unsuited_to_networks(const State& state) {
    return state.rules().inarow() == 4 ? nullptr : "networks know four in a row alone";
}
inline int plane_columns(const State& state) { return state.rules().cols(); }
inline int plane_rows(const State& state) { return state.rules().rows(); }
/// The cell whose logit is an action's.
inline int plane_cell(const State& state, int action) {
    return action / kMaxSide * state.rules().rows() + action % kMaxSide;
}
/// Where a cell of the planes lies, counted row by row from the top left.
inline int board_cell(const State& state, int cell) {
    const int rows = state.rules().rows();
    return (rows - 1 - cell % rows) * state.rules().cols() + cell / rows;
}
inline int move_count(const State& state) { return state.rules().cols(); }

/// Write the planes [columns][rows][planes], rows from the bottom.
inline void write_planes(const State& state, uint8_t* out) {
    const Rules& rules = state.rules();
    const Lines& own = state.lines(state.to_move());
    const Lines& other = state.lines(1 - state.to_move());
    const auto odd_empty = static_cast<uint8_t>((rules.playable() - state.stones()) & 1);
    const auto second = static_cast<uint8_t>(state.stones() & 1);
    for (int col = 0; col < rules.cols(); ++col) {
        uint8_t odd = 0;
        for (int height = 0; height < rules.rows(); ++height, out += kPlanes.size()) {
            const bool playable = !rules.blocked(col, height);
            const bool mine = own.has(col, height), theirs = other.has(col, height);
            const bool empty = playable && !mine && !theirs;
            odd ^= static_cast<uint8_t>(playable);
            const auto completes = [&](const Lines& lines) {
                return empty && rules.has_line(lines.with(static_cast<unsigned>(col),
                                                          static_cast<unsigned>(height)));
            };
            out[0] = 1;
            out[1] = playable;
            out[2] = mine;
            out[3] = theirs;
            out[4] = height == state.landing(col);
            out[5] = completes(own);
            out[6] = completes(other);
            out[7] = playable ? odd : 0;
            out[8] = odd_empty;
            out[9] = second;
        }
    }
}

}  // namespace honte::connect4
