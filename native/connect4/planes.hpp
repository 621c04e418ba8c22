// Network input planes of a Connect Four position.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "connect4/game.hpp"
#include "core/observation.hpp"

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
/// The cell whose logit belongs to an action.
inline int plane_cell(const State& state, int action) {
    return action / kMaxSide * state.rules().rows() + action % kMaxSide;
}
inline int move_count(const State& state) { return state.rules().cols(); }

/// The cells of each row, from the bottom, that complete a line of this side's, taken or not.
inline void write_threats(const Rules& rules, const Lines& lines, uint16_t* threats) {
    if (rules.inarow() != 4) {
        for (int height = 0; height < rules.rows(); ++height) {
            threats[height] = 0;
            for (int col = 0; col < rules.cols(); ++col)
                if (rules.has_line(
                        lines.with(static_cast<unsigned>(col), static_cast<unsigned>(height))))
                    threats[height] |= static_cast<uint16_t>(1u << col);
        }
        return;
    }
    constexpr int kBeyond = 3;  // empty rows below and above
    uint16_t rows[kMaxSide + 2 * kBeyond] = {};
    std::copy_n(lines.row, kMaxSide, rows + kBeyond);
    // All rows of the largest board, so that they fit one vector. Bit c of stones(k) is the k-th
    // stone from column c along a line.
    for (int height = 0; height < kMaxSide; ++height) {
        const uint16_t* const row = rows + kBeyond + height;
        const auto wins = [](auto stones) {
            return (stones(1) & stones(2) & (stones(3) | stones(-1))) |
                   (stones(-1) & stones(-2) & (stones(-3) | stones(1)));
        };
        const auto right = [](uint16_t bits, int by) {
            return static_cast<uint16_t>(by < 0 ? bits << -by : bits >> by);
        };
        threats[height] = static_cast<uint16_t>(wins([&](int k) { return right(row[0], k); }) |
                                                wins([&](int k) { return row[k]; }) |
                                                wins([&](int k) { return right(row[k], k); }) |
                                                wins([&](int k) { return right(row[k], -k); }));
    }
}

/// Write the planes as bits [planes][rows], row 0 at the top.
inline void write_plane_rows(const State& state, uint16_t* out) {
    const Rules& rules = state.rules();
    const Lines& own = state.lines(state.to_move());
    const Lines& other = state.lines(1 - state.to_move());
    const auto board = static_cast<uint16_t>((1u << rules.cols()) - 1);
    const uint16_t odd_empty = (rules.playable() - state.stones()) & 1 ? board : uint16_t{0};
    const uint16_t second = state.stones() & 1 ? board : uint16_t{0};
    uint16_t own_threats[kMaxSide], other_threats[kMaxSide];
    write_threats(rules, own, own_threats);
    write_threats(rules, other, other_threats);
    uint16_t landing[kMaxSide + 1] = {};
    for (int col = 0; col < rules.cols(); ++col)
        landing[state.landing(col)] |= static_cast<uint16_t>(1u << col);
    uint16_t odd = 0;
    for (int height = 0; height < rules.rows(); ++height) {
        const auto playable = static_cast<uint16_t>(~(rules.walls().row[height] >> 3) & board);
        const auto empty = static_cast<uint16_t>(playable & ~own.row[height] & ~other.row[height]);
        odd ^= playable;
        const uint16_t planes[] = {board,
                                   playable,
                                   own.row[height],
                                   other.row[height],
                                   landing[height],
                                   static_cast<uint16_t>(own_threats[height] & empty),
                                   static_cast<uint16_t>(other_threats[height] & empty),
                                   static_cast<uint16_t>(odd & playable),
                                   odd_empty,
                                   second};
        for (int plane = 0; plane < static_cast<int>(kPlanes.size()); ++plane)
            out[(plane + 1) * rules.rows() - 1 - height] = planes[plane];
    }
}

/// Write the planes [planes][rows][columns].
inline void write_board_planes(const State& state, uint8_t* out) {
    const Rules& rules = state.rules();
    uint16_t bits[kPlanes.size() * kMaxSide];
    write_plane_rows(state, bits);
    bytes::spread_rows(bits, kPlanes.size() * static_cast<size_t>(rules.rows()),
                       static_cast<size_t>(rules.cols()), out);
}
/// Write the planes [columns][rows][planes], rows from the bottom.
inline void write_planes(const State& state, uint8_t* out) {
    const Rules& rules = state.rules();
    uint16_t bits[kPlanes.size() * kMaxSide];
    write_plane_rows(state, bits);
    for (int col = 0; col < rules.cols(); ++col)
        for (int row = rules.rows() - 1; row >= 0; --row)
            for (int plane = 0; plane < static_cast<int>(kPlanes.size()); ++plane)
                *out++ = bits[plane * rules.rows() + row] >> col & 1;
}

/// One flag for each column: bit 4 of a landing height says that it is full.
inline void write_legal_mask(const State& state, bool* out) {
    static_assert(kFull == 16);
    const int cols = state.rules().cols();
    const auto write = [&]<class Word>(int from, Word ones) {
        Word heights;
        std::memcpy(&heights, state.landings() + from, sizeof heights);
        const Word flags = state.is_won() ? 0 : ~(heights >> 4) & ones;
        std::memcpy(out + from, &flags, sizeof flags);
    };
    // Two words that may overlap hold any number of columns.
    if (cols < 8) {
        write(0, uint32_t{0x01010101});
        write(cols - 4, uint32_t{0x01010101});
    } else {
        write(0, bytes::kOnes);
        write(cols - 8, bytes::kOnes);
    }
}

}  // namespace honte::connect4
