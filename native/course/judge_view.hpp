// The arguments of the course's judge, and the position that they describe.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include "connect4/game.hpp"

namespace honte::course {

using connect4::Rules;
using connect4::State;

/// A row and a column, row 0 at the top; −1, −1 is "no move".
struct Cell {
    int row = -1, col = -1;
    bool operator==(const Cell&) const = default;
};

/// The arguments of getPoint, untrusted.
struct View {
    int rows, cols;
    const int* top;    // for each column the row above which the next piece lands; 0: full
    const int* board;  // 0 empty or blocked, 1 the opponent's, 2 mine
    Cell blocked;

    bool is_possible() const {
        return rows >= 4 && rows <= connect4::kMaxSide && cols >= 4 && cols <= connect4::kMaxSide &&
               top && board;
    }
    bool is_blocked(int row, int col) const { return blocked == Cell{row, col}; }
    int at(int row, int col) const { return board[row * cols + col]; }

    std::vector<uint8_t> blocked_flags() const {
        std::vector<uint8_t> flags(static_cast<size_t>(rows * cols));
        if (blocked.row >= 0 && blocked.row < rows && blocked.col >= 0 && blocked.col < cols)
            flags[static_cast<size_t>(blocked.row * cols + blocked.col)] = 1;
        return flags;
    }
    Rules rules() const {
        bool blocked_cells[connect4::kMaxSide * connect4::kMaxSide] = {};
        const std::vector<uint8_t> flags = blocked_flags();
        std::copy(flags.begin(), flags.end(), blocked_cells);
        return {rows, cols, 4, blocked_cells};
    }
    /// The position on this board, or nothing if no game leads to it.
    std::optional<State> position(const Rules& rules) const {
        std::vector<uint8_t> cells = blocked_flags();
        int stones[2] = {0, 0};
        for (int i = 0; i < rows * cols; ++i) {
            const bool is_held = cells[static_cast<size_t>(i)] != 0;
            if (board[i] < 0 || board[i] > 2 || (board[i] && is_held)) return {};
            if (board[i]) ++stones[board[i] - 1];
        }
        const int to_move = stones[0] - stones[1];  // 1 if we moved second, else 0
        if (to_move < 0 || to_move > 1) return {};
        for (int i = 0; i < rows * cols; ++i) {
            uint8_t& cell = cells[static_cast<size_t>(i)];
            if (cell)
                cell = connect4::kBlocked;
            else if (board[i])
                cell = (board[i] == 2) != (to_move == 1) ? connect4::kFirst : connect4::kSecond;
        }
        try {
            return State(rules, cells, to_move);
        } catch (const std::invalid_argument&) {
            return {};
        }
    }
    /// The cell where a piece lands according to `top`; nothing if that is impossible.
    std::optional<Cell> by_top(int col) const {
        const int row = top[col] - 1;
        if (top[col] < 1 || row >= rows || is_blocked(row, col) || at(row, col)) return {};
        return Cell{row, col};
    }
    /// The cell where a piece lands according to the board: on top of the highest piece in the
    /// column.
    std::optional<Cell> by_board(int col) const {
        std::optional<Cell> lowest;
        for (int row = 0; row < rows && !at(row, col); ++row)
            if (!is_blocked(row, col)) lowest = Cell{row, col};
        return lowest;
    }
    /// Any move: preferably one that `top` and the board agree on, the middle before the sides.
    Cell any_move() const {
        Cell found;
        int best = 1 << 20;
        for (int col = 0; col < cols; ++col) {
            const auto by_judge = by_top(col), by_stones = by_board(col);
            const auto cell = by_judge ? by_judge : by_stones;
            const int doubt = by_judge && by_judge == by_stones ? 0 : by_judge ? 1000 : 2000;
            const int order = doubt + std::abs(2 * col + 1 - cols);
            if (cell && order < best) {
                best = order;
                found = *cell;
            }
        }
        return found;
    }
};

}  // namespace honte::course
