// The 3×3 patterns of playouts: hane, cut, and moves at the border.
//
// The patterns are those of MoGo (Gelly, Wang, Munos, Teytaud 2006). The eight points around a move
// form a 16-bit index into a bit table that says whether a pattern matches.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "go/board.hpp"

namespace honte::go {

/// The patterns, rows from the top, the move in the middle. X and O may change places; every
/// turned and mirrored form counts too.
///   X O   a stone     .  empty     #  border
///   x o   anything but X, anything but O     ?  anything
inline constexpr const char* kPatterns[] = {
    "XOX"
    "..."
    "???",  // hane: between two stones
    "XO."
    "..."
    "?.?",  // hane without a cut
    "XO?"
    "X.."
    "x.?",  // hane at a wall
    ".O."
    "X.."
    "...",  // a shoulder
    "XO?"
    "O.o"
    "?o?",  // a cut that is not protected
    "XO?"
    "O.X"
    "???",  // a cut that is peeped at
    "?X?"
    "O.O"
    "ooo",  // a cut through two stones
    "OX?"
    "o.O"
    "???",  // a cut from the side
    "X.?"
    "O.?"
    "###",  // border: a chase
    "OX?"
    "X.O"
    "###",  // border: a cut
    "?X?"
    "x.O"
    "###",  // border: blocking
    "?XO"
    "x.x"
    "###",  // border: going down
    "?OX"
    "X.O"
    "###",  // border: a cut from the side
};

class Patterns {
public:
    /// Does a pattern match round this point? `around` is Board::around.
    bool match(unsigned around) const { return bits_[around >> 6] >> (around & 63) & 1; }

    static const Patterns& get() {
        static const Patterns patterns;
        return patterns;
    }

private:
    Patterns() {
        for (const char* pattern : kPatterns)
            for (int form = 0; form < 16; ++form) {
                char cells[8];
                for (int i = 0; i < 9; ++i) {
                    if (i == 4) continue;
                    int row = i / 3, col = i % 3;
                    if (form & 1) row = 2 - row;
                    if (form & 2) col = 2 - col;
                    if (form & 4) std::swap(row, col);
                    const char cell = pattern[3 * row + col];
                    cells[i < 4 ? i : i - 1] = form & 8 ? swapped(cell) : cell;
                }
                add(cells, 0, 0);
            }
    }
    static char swapped(char cell) {
        switch (cell) {
            case 'X':
                return 'O';
            case 'O':
                return 'X';
            case 'x':
                return 'o';
            case 'o':
                return 'x';
            default:
                return cell;
        }
    }
    static bool fits(char cell, Color color) {
        switch (cell) {
            case 'X':
                return color == kBlack;
            case 'O':
                return color == kWhite;
            case 'x':
                return color != kBlack;
            case 'o':
                return color != kWhite;
            case '.':
                return color == kEmpty;
            case '#':
                return color == kBorder;
            default:
                return true;
        }
    }
    void add(const char* cells, int i, unsigned code) {
        if (i == 8) {
            bits_[code >> 6] |= 1ULL << (code & 63);
            return;
        }
        for (const Color color : {kEmpty, kBlack, kWhite, kBorder})
            if (fits(cells[i], color))
                add(cells, i + 1, code | static_cast<unsigned>(color) << 2 * i);
    }

    std::array<uint64_t, 1024> bits_{};
};

}  // namespace honte::go
