// A board of Connect Four as two words: the stones of the side to move, and all filled cells.
//
// Columns stand side by side in the word, each with one bit more than the board has rows, so
// that no line and no carry runs from one column into the next. On 7×6:
//
//       6 13 20 27 34 41 48     always 0 in a set of stones
//       5 12 19 26 33 40 47
//       4 11 18 25 32 39 46
//       3 10 17 24 31 38 45
//       2  9 16 23 30 37 44
//       1  8 15 22 29 36 43
//       0  7 14 21 28 35 42
//
// Blocked cells are filled but belong to neither side: pieces stack past them, and they break lines
// without a special case.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>

#include "connect4/game.hpp"

namespace honte::connect4 {

/// A word of N·64 bits; shifts are by 1 to 63.
template <int N>
struct Wide {
    std::array<uint64_t, N> part{};

    constexpr Wide() = default;
    constexpr Wide(uint64_t low) { part[0] = low; }  // NOLINT: 0 and 1 are words too

    explicit operator bool() const {
        uint64_t any = 0;
        for (const uint64_t p : part) any |= p;
        return any != 0;
    }
    bool operator==(const Wide&) const = default;
    bool operator<(const Wide& other) const {
        for (int i = N - 1; i > 0; --i)
            if (part[i] != other.part[i]) return part[i] < other.part[i];
        return part[0] < other.part[0];
    }
    friend Wide operator&(Wide a, const Wide& b) {
        for (int i = 0; i < N; ++i) a.part[i] &= b.part[i];
        return a;
    }
    friend Wide operator|(Wide a, const Wide& b) {
        for (int i = 0; i < N; ++i) a.part[i] |= b.part[i];
        return a;
    }
    friend Wide operator^(Wide a, const Wide& b) {
        for (int i = 0; i < N; ++i) a.part[i] ^= b.part[i];
        return a;
    }
    Wide operator~() const {
        Wide a;
        for (int i = 0; i < N; ++i) a.part[i] = ~part[i];
        return a;
    }
    Wide operator<<(int by) const {
        Wide a;
        a.part[0] = part[0] << by;
        for (int i = 1; i < N; ++i) a.part[i] = part[i] << by | part[i - 1] >> (64 - by);
        return a;
    }
    Wide operator>>(int by) const {
        Wide a;
        a.part[N - 1] = part[N - 1] >> by;
        for (int i = 0; i < N - 1; ++i) a.part[i] = part[i] >> by | part[i + 1] << (64 - by);
        return a;
    }
    friend Wide operator+(Wide a, const Wide& b) {
        uint64_t carry = 0;
        for (int i = 0; i < N; ++i) {
            const uint64_t sum = a.part[i] + b.part[i];
            const uint64_t with = sum + carry;
            carry = (sum < b.part[i]) | (with < sum);
            a.part[i] = with;
        }
        return a;
    }
    Wide& operator|=(const Wide& other) { return *this = *this | other; }
    Wide& operator&=(const Wide& other) { return *this = *this & other; }
    Wide& operator^=(const Wide& other) { return *this = *this ^ other; }
};

inline int count(uint64_t word) { return std::popcount(word); }
inline uint64_t lowest(uint64_t word) { return word & (0 - word); }
inline int index_of(uint64_t word) { return std::countr_zero(word); }
inline uint64_t bit(int index, uint64_t) { return uint64_t{1} << index; }

template <int N>
int count(const Wide<N>& word) {
    int sum = 0;
    for (const uint64_t p : word.part) sum += std::popcount(p);
    return sum;
}
template <int N>
int index_of(const Wide<N>& word) {
    int i = 0;
    while (i < N - 1 && !word.part[i]) ++i;
    return i * 64 + std::countr_zero(word.part[i]);
}
template <int N>
Wide<N> bit(int index, const Wide<N>&) {
    Wide<N> word;
    word.part[index / 64] = uint64_t{1} << index % 64;
    return word;
}
template <int N>
Wide<N> lowest(const Wide<N>& word) {
    return word ? bit(index_of(word), word) : word;
}
/// Is more than one bit set?
template <class Word>
bool several(const Word& word) {
    return static_cast<bool>(word & ~lowest(word));
}

/// Masks and constants of a board. `Stride` is the number of bits a column takes if known at
/// compile time, else 0.
template <class Word, int Stride = 0>
struct Layout {
    int rows, cols, inarow, cells;
    int stride_;
    Word board{};    // playable cells
    Word blocked{};  // cells that neither side can take
    Word bottom{};   // the lowest cell of each column, blocked or not
    Word follow{};   // cells with an even number of playable cells above them
    Word column[kMaxSide] = {};
    bool symmetric = true;

    explicit Layout(const Rules& rules)
        : rows(rules.rows()),
          cols(rules.cols()),
          inarow(rules.inarow()),
          cells(rules.playable()),
          stride_(rules.rows() + 1) {
        for (int col = 0; col < cols; ++col) {
            bool even = true;
            bottom |= at(col, 0);
            for (int height = rows - 1; height >= 0; --height) {
                column[col] |= at(col, height);
                symmetric &= rules.blocked(col, height) == rules.blocked(cols - 1 - col, height);
                if (rules.blocked(col, height)) {
                    blocked |= at(col, height);
                    continue;
                }
                board |= at(col, height);
                if (even) follow |= at(col, height);
                even = !even;
            }
        }
    }

    int stride() const { return Stride ? Stride : stride_; }
    int bits() const { return stride() * cols; }
    Word at(int col, int height) const { return bit(col * stride() + height, Word{}); }
    int column_of(const Word& cell) const { return index_of(cell) / stride(); }

    /// Where pieces land; for a full column, the spare bit above it.
    Word landing(const Word& filled) const { return (filled + bottom) & ~filled; }

    /// These cells and those above them, up to the next blocked one.
    Word upwards(Word word) const {
        for (int i = 1; i < rows; ++i) word |= word << 1 & board;
        return word;
    }
    /// The cell filled just before each of these: the one below, skipping blocked cells.
    Word below(const Word& cells_above) const {
        Word under = cells_above >> 1;
        for (Word on_blocked = under & blocked; static_cast<bool>(on_blocked);
             on_blocked = under & blocked)
            under = (under ^ on_blocked) | on_blocked >> 1;
        return under;
    }

    /// The cells, free or not, where one more stone makes a line.
    Word line_cells(const Word& stones) const {
        if (inarow != 4) return any_line_cells(stones);
        Word found = (stones << 1) & (stones << 2) & (stones << 3);
        const auto along = [&](int step) {
            const Word up = stones << step, down = stones >> step;
            const Word up_two = up & (stones << 2 * step), down_two = down & (stones >> 2 * step);
            found |= up_two & ((stones << 3 * step) | down);
            found |= down_two & (up | (stones >> 3 * step));
        };
        along(stride() - 1);
        along(stride());
        along(stride() + 1);
        return found;
    }
    /// Do these stones hold a line?
    bool has_line(const Word& stones) const {
        for (const int step : {1, stride() - 1, stride(), stride() + 1}) {
            Word run = stones;
            if (inarow == 4) {
                run = run & (run >> step);
                run = run & (run >> 2 * step);
            } else {
                for (int i = 1; i < inarow && static_cast<bool>(run); ++i)
                    run = stones & (run >> step);
            }
            if (static_cast<bool>(run)) return true;
        }
        return false;
    }

    /// The board mirrored left to right.
    Word mirrored(const Word& word) const {
        Word image{};
        for (int col = 0; col < cols; ++col) {
            const Word part = word & (column[col] | column[col] << 1);
            const int by = (cols - 1 - 2 * col) * stride();
            image |= by >= 0 ? part << by : part >> -by;
        }
        return image;
    }

private:
    Word any_line_cells(const Word& stones) const {
        Word found{};
        for (const int step : {1, stride() - 1, stride(), stride() + 1}) {
            Word up[kMaxSide], down = ~Word{};
            up[0] = ~Word{};
            for (int i = 1; i < inarow; ++i) up[i] = (stones << step) & (up[i - 1] << step);
            for (int i = inarow - 1; i >= 0; --i) {
                found |= up[i] & down;
                down = (stones >> step) & (down >> step);
            }
        }
        return found;
    }
};

template <class Word>
struct Position {
    Word own{}, filled{};  // the stones of the side to move; all stones and blocked cells
    int stones = 0;
};

template <class Word, int Stride>
Position<Word> position_of(const Layout<Word, Stride>& board, const State& state) {
    Position<Word> position{{}, board.blocked, state.stones()};
    for (int col = 0; col < board.cols; ++col)
        for (int height = 0; height < board.rows; ++height)
            for (int player = 0; player < 2; ++player)
                if (state.lines(player).has(col, height)) {
                    position.filled |= board.at(col, height);
                    if (player == state.to_move()) position.own |= board.at(col, height);
                }
    return position;
}

}  // namespace honte::connect4
