// Network input planes of an Othello position.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "core/observation.hpp"
#include "othello/game.hpp"

namespace honte::othello {

/// Zeros and ones for each square; the last plane is constant over the board.
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
inline int move_count(const State&) { return kPass + 1; }

/// Write the planes as bits [planes][rows].
inline void write_plane_rows(const State& state, uint16_t* out) {
    const Rules& rules = state.rules();
    const Board& board = state.board();
    const bool odd_empty = std::popcount(rules.board() & ~(board.own | board.other)) & 1;
    const uint64_t planes[] = {rules.board(),
                               board.own,
                               board.other,
                               state.moves_mask(),
                               board.other_moves(rules.board()),
                               odd_empty ? rules.board() : 0};
    for (const uint64_t plane : planes)
        for (int row = 0; row < rules.size(); ++row)
            *out++ = static_cast<uint16_t>(plane >> 8 * row & 0xff);
}

/// Write the planes [planes][rows][columns].
inline void write_board_planes(const State& state, uint8_t* out) {
    const auto size = static_cast<size_t>(state.rules().size());
    uint16_t bits[kPlanes.size() * 8];
    write_plane_rows(state, bits);
    bytes::spread_rows(bits, kPlanes.size() * size, size, out);
}
/// Write the planes [squares][planes], squares from the top left, row by row.
inline void write_planes(const State& state, uint8_t* out) {
    const int size = state.rules().size();
    uint16_t bits[kPlanes.size() * 8];
    write_plane_rows(state, bits);
    for (int row = 0; row < size; ++row)
        for (int col = 0; col < size; ++col)
            for (int plane = 0; plane < static_cast<int>(kPlanes.size()); ++plane)
                *out++ = bits[plane * size + row] >> col & 1;
}

inline void write_legal_mask(const State& state, bool* out) {
    for (int row = 0; row < 8; ++row) {
        const uint64_t flags = bytes::spread(state.moves_mask() >> 8 * row & 0xff);
        std::memcpy(out + 8 * row, &flags, sizeof flags);
    }
    out[kPass] = state.is_legal(kPass);
}

}  // namespace honte::othello
