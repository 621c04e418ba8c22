// The board of Connect Four: its rules and its lines.
//
// A board is kept as *line words*: for each side one 16-bit word for every row, column, diagonal
// and anti-diagonal. A stone sets one bit in each of four words, so whether it completes a line
// depends on those four alone, packed into one 64-bit number:
//
//      63      48 47      32 31      16 15       0
//     +----------+----------+----------+----------+
//     |   anti   |   diag   |  column  |   row    |    the four lines through the stone
//     +----------+----------+----------+----------+
//
// A row, diagonal or anti-diagonal is indexed by column inside its word, a column by height from
// the bottom. Blocked cells are set for neither side, so they break lines without a special case.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>

namespace honte::connect4 {

inline constexpr int kMaxSide = 16;
inline constexpr int kFull = kMaxSide;  // the landing height of a full column

enum Cell : uint8_t { kEmpty = 0, kFirst = 1, kSecond = 2, kBlocked = 3 };

/// The immutable part of a game: the size, the blocked cells, the length of a line.
class Rules {
public:
    /// `blocked` holds rows·cols flags, row by row from the top left.
    Rules(int rows, int cols, int inarow, std::span<const bool> blocked)
        : rows_(rows), cols_(cols), inarow_(inarow) {
        if (rows < 4 || rows > kMaxSide || cols < 4 || cols > kMaxSide)
            throw std::invalid_argument("a board has 4 to 16 rows and 4 to 16 columns");
        if (inarow < 2 || inarow > kMaxSide) throw std::invalid_argument("inarow must be 2 to 16");
        for (int col = 0; col < kMaxSide; ++col) {
            int lowest = kFull;
            for (int height = kMaxSide - 1; height >= 0; --height) {
                above_[col][height] = static_cast<uint8_t>(lowest);
                if (col >= cols || height >= rows) continue;
                const bool is_blocked = blocked[(rows - 1 - height) * cols + col];
                blocked_[col][height] = is_blocked;
                if (is_blocked) continue;
                lowest = height;
                ++playable_;
            }
            bottom_[col] = static_cast<uint8_t>(lowest);
        }
        for (int col = 0; col < cols; ++col)
            for (int height = rows - 1, over = 0; height >= 0; --height) {
                first_gets_[col][height] = (playable_ - over) % 2 == 1;
                over += !blocked_[col][height];
            }
        walls_.build([this](int col, int height) {
            return col < 0 || col >= cols_ || height < 0 || height >= rows_ ||
                   blocked_[col][height];
        });
        if (playable_ == 0) throw std::invalid_argument("every cell of the board is blocked");
    }

    bool operator==(const Rules& other) const {
        return rows_ == other.rows_ && cols_ == other.cols_ && inarow_ == other.inarow_ &&
               std::equal(&blocked_[0][0], &blocked_[0][0] + kMaxSide * kMaxSide,
                          &other.blocked_[0][0]);
    }
    int rows() const { return rows_; }
    int cols() const { return cols_; }
    int inarow() const { return inarow_; }
    int playable() const { return playable_; }
    bool blocked(int col, int height) const { return blocked_[col][height]; }

    /// The landing height above a piece at this height; kFull if the column is then full.
    int above(int col, int height) const { return above_[col][height]; }
    int bottom(int col) const { return bottom_[col]; }

    /// Who gets a cell once all other columns are full: decided by the parity of the cells above it
    /// and of all cells.
    int gets(int col, int height) const { return first_gets_[col][height] ? 0 : 1; }

    /// The cells where no stone can lie, as line words with three extra cells in front.
    struct Walls {
        uint32_t row[kMaxSide], column[kMaxSide], diag[2 * kMaxSide], anti[2 * kMaxSide];

        template <class IsWall>
        void build(IsWall is_wall) {
            const auto line = [](auto wall_at) {
                uint32_t bits = 0;
                for (int i = -3; i < kMaxSide + 3; ++i)
                    bits |= static_cast<uint32_t>(wall_at(i)) << (i + 3);
                return bits;
            };
            for (int i = 0; i < kMaxSide; ++i) {
                row[i] = line([&](int col) { return is_wall(col, i); });
                column[i] = line([&](int height) { return is_wall(i, height); });
            }
            for (int i = 0; i < 2 * kMaxSide; ++i) {
                diag[i] = line([&](int col) { return is_wall(col, col - i + kMaxSide); });
                anti[i] = line([&](int col) { return is_wall(col, i - col); });
            }
        }
    };
    const Walls& walls() const { return walls_; }

    /// Is there a line of `inarow` in one of the four packed words?
    bool has_line(uint64_t packed) const {
        if (inarow_ == 4) [[likely]]
            return has_four(packed);
        for (int i = 1; i < inarow_ && packed; ++i) packed &= (packed >> 1) & 0x7fff7fff7fff7fffULL;
        return packed != 0;
    }
    static bool has_four(uint64_t packed) {
        const uint64_t pairs = packed & ((packed >> 1) & 0x7fff7fff7fff7fffULL);
        return (pairs & ((pairs >> 2) & 0x3fff3fff3fff3fffULL)) != 0;
    }
    /// The cells that would complete four in each of the packed words, taken or not.
    static uint64_t wins_of_four(uint64_t packed) {
        const uint64_t left1 = packed << 1 & 0xfffefffefffefffeULL;
        const uint64_t left2 = packed << 2 & 0xfffcfffcfffcfffcULL;
        const uint64_t left3 = packed << 3 & 0xfff8fff8fff8fff8ULL;
        const uint64_t right1 = packed >> 1 & 0x7fff7fff7fff7fffULL;
        const uint64_t right2 = packed >> 2 & 0x3fff3fff3fff3fffULL;
        const uint64_t right3 = packed >> 3 & 0x1fff1fff1fff1fffULL;
        return (left1 & left2 & (left3 | right1)) | (right1 & right2 & (right3 | left1));
    }

private:
    int rows_, cols_, inarow_;
    int playable_ = 0;
    uint8_t bottom_[kMaxSide];
    uint8_t above_[kMaxSide][kMaxSide];
    bool blocked_[kMaxSide][kMaxSide] = {};
    bool first_gets_[kMaxSide][kMaxSide] = {};
    Walls walls_;
};

/// The stones of one side, as line words.
struct Lines {
    uint16_t row[kMaxSide], column[kMaxSide], diag[2 * kMaxSide], anti[2 * kMaxSide];

    /// Set the stone and return the four lines through it.
    uint64_t place(unsigned col, unsigned height) {
        const auto bit = static_cast<uint16_t>(1u << col);
        const uint64_t in_row = row[height] |= bit;
        const uint64_t in_column = column[col] |= static_cast<uint16_t>(1u << height);
        const uint64_t in_diag = diag[col - height + kMaxSide] |= bit;
        const uint64_t in_anti = anti[col + height] |= bit;
        return in_row | in_column << 16 | in_diag << 32 | in_anti << 48;
    }
    /// The four lines through the cell as they would be with a stone on it.
    uint64_t with(unsigned col, unsigned height) const {
        const uint64_t bit = 1u << col;
        return (row[height] | bit) | (column[col] | uint64_t{1} << height) << 16 |
               (diag[col - height + kMaxSide] | bit) << 32 | (anti[col + height] | bit) << 48;
    }
    bool has(int col, int height) const { return row[height] >> col & 1; }
};

}  // namespace honte::connect4
