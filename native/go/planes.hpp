// Network input planes of a Go position.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "go/symmetry.hpp"

namespace honte::go {

/// Zeros and ones for each point. Planes from "last_pass" on are constant over the board.
inline constexpr std::array<const char*, 32> kPlanes = {
    "board",         "own",           "other",         "liberties_1",
    "liberties_2",   "liberties_3",   "forbidden",     "last",
    "second_last",   "last_pass",     "whole_komi",    "komi_above_-10",
    "komi_above_-9", "komi_above_-8", "komi_above_-7", "komi_above_-6",
    "komi_above_-5", "komi_above_-4", "komi_above_-3", "komi_above_-2",
    "komi_above_-1", "komi_above_0",  "komi_above_1",  "komi_above_2",
    "komi_above_3",  "komi_above_4",  "komi_above_5",  "komi_above_6",
    "komi_above_7",  "komi_above_8",  "komi_above_9",  "komi_above_10"};

inline const auto& planes_of(const State&) { return kPlanes; }
inline const char* unsuited_to_networks(const State&) { return nullptr; }
inline int plane_columns(const State& state) { return state.rules().size(); }
inline int plane_rows(const State& state) { return state.rules().size(); }
/// The cell whose logit is a move's: the board from the top left, row by row; a pass comes last.
inline int plane_cell(const State&, int action) { return action; }
/// Where a reflection or rotation moves a cell: bits 0 and 1 mirror, bit 2 transposes.
inline int plane_image(const State& state, int cell, int form) {
    return image_of(state.rules().size(), cell, form);
}
inline int move_count(const State& state) { return state.rules().pass() + 1; }

/// The moves that training searches: the legal ones that fill no own eye.
inline State::Moves learned_moves(const State& state, const State::Moves& legal) {
    State::Moves moves;
    for (const Move move : legal)
        if (move == state.rules().pass() ||
            !state.board().is_eye(state.rules().point(move), state.mover()))
            moves.push(move);
    return moves;
}

/// The liberties of the group at a point, up to four.
inline int few_liberties(const Board& board, int p) {
    int found[4], count = 0, stone = p;
    do {
        for (const int step : kSteps) {
            const int q = stone + step;
            if (board.color(q) != kEmpty) continue;
            int i = 0;
            while (i < count && found[i] != q) ++i;
            if (i < count) continue;
            found[count++] = q;
            if (count == 4) return count;
        }
    } while ((stone = board.next(stone)) != p);
    return count;
}

/// Write the planes, plane by plane or point by point, the points as moves name them.
template <bool ByPlane>
void write_planes_in_order(const State& state, const State::Moves& legal, uint8_t* out) {
    constexpr int kLow = -10, kHigh = 10;
    constexpr auto kCount = static_cast<int>(kPlanes.size());
    const Rules& rules = state.rules();
    const Board& board = state.board();
    const Color own = state.mover();
    const int points = rules.pass();
    const auto at = [&](Move move, int plane) -> uint8_t& {
        return out[ByPlane ? plane * points + move : move * kCount + plane];
    };
    uint8_t everywhere[kCount] = {1};
    const double komi = own == kWhite ? rules.komi() : -rules.komi();
    everywhere[9] = state.passes() > 0;
    everywhere[10] = komi == std::floor(komi);
    for (int n = kLow; n <= kHigh; ++n) everywhere[11 + n - kLow] = komi > n;
    if constexpr (ByPlane)
        for (int plane = 0; plane < kCount; ++plane)
            std::memset(&at(0, plane), everywhere[plane], static_cast<size_t>(points));
    else
        for (Move move = 0; move < points; ++move)
            std::memcpy(&at(move, 0), everywhere, sizeof everywhere);
    uint8_t liberties[kPoints] = {};  // by group
    rules.each_point([&](Move move, int p) {
        if (board.color(p) == kEmpty) {
            at(move, 6) = 1;
            return;
        }
        at(move, board.color(p) == own ? 1 : 2) = 1;
        uint8_t& count = liberties[board.group(p)];
        if (count == 0) count = static_cast<uint8_t>(few_liberties(board, p));
        if (count < 4) at(move, 2 + count) = 1;
    });
    const auto mark = [&](Move move, int plane, uint8_t bit) {
        if (move >= 0 && move < points) at(move, plane) = bit;
    };
    for (const Move move : legal) mark(move, 6, 0);
    mark(state.last_move(), 7, 1);
    mark(state.second_last_move(), 8, 1);
}
/// Write the planes [points][planes].
inline void write_planes(const State& state, const State::Moves& legal, uint8_t* out) {
    write_planes_in_order<false>(state, legal, out);
}
inline void write_planes(const State& state, uint8_t* out) {
    write_planes(state, state.legal_moves(), out);
}
/// Write the planes [planes][rows][columns].
inline void write_board_planes(const State& state, uint8_t* out) {
    write_planes_in_order<true>(state, state.legal_moves(), out);
}

}  // namespace honte::go
