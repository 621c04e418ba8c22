// What networks see of a position of Othello.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "othello/game.hpp"

namespace honte::othello {

/// Zeros and ones for each square; the last is the same on the whole board.
inline constexpr std::array<const char*, 6> kPlanes = {"board", "own",         "other",
                                                       "legal", "other_legal", "odd_empty"};

inline const auto& planes_of(const State&) { return kPlanes; }
inline const char* unsuited_to_networks(const State&) { return nullptr; }
inline int plane_columns(const State& state) { return state.rules().size(); }
inline int plane_rows(const State& state) { return state.rules().size(); }
/// The cell whose logit is a move's: the board from the top left, row by row; a pass comes last.
inline int plane_cell(const State& state, int action) {
    const int size = state.rules().size();
    return action == kPass ? size * size : action / 8 * size + action % 8;
}
/// Where a reflection or rotation moves a cell: bits 0 and 1 mirror, bit 2 transposes.
inline int plane_image(const State& state, int cell, int form) {
    const int size = state.rules().size();
    int row = cell / size, col = cell % size;
    if (form & 1) row = size - 1 - row;
    if (form & 2) col = size - 1 - col;
    return form & 4 ? col * size + row : row * size + col;
}
inline int board_cell(const State&, int cell) { return cell; }
inline int move_count(const State&) { return kPass + 1; }

/// Write the planes [squares][planes], squares from the top left, row by row.
inline void write_planes(const State& state, uint8_t* out) {
    const Rules& rules = state.rules();
    const Board& board = state.board();
    const uint64_t other_legal = board.other_moves(rules.board());
    const auto odd_empty =
        static_cast<uint8_t>(std::popcount(rules.board() & ~(board.own | board.other)) & 1);
    for (int row = 0; row < rules.size(); ++row)
        for (int col = 0; col < rules.size(); ++col, out += kPlanes.size()) {
            const int square = 8 * row + col;
            out[0] = 1;
            out[1] = board.own >> square & 1;
            out[2] = board.other >> square & 1;
            out[3] = state.moves_mask() >> square & 1;
            out[4] = other_legal >> square & 1;
            out[5] = odd_empty;
        }
}

}  // namespace honte::othello
