// A naive implementation of Go: flood fills over a plain grid, every earlier board kept.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "go/game.hpp"

namespace honte::go::naive {

using Cells = std::vector<uint8_t>;  // size² of them from the top left: kEmpty, kBlack, kWhite

struct Neighbours {
    int count = 0, points[4];
    const int* begin() const { return points; }
    const int* end() const { return points + count; }
};

inline Neighbours neighbours(int size, int i) {
    Neighbours found;
    if (i >= size) found.points[found.count++] = i - size;
    if (i % size > 0) found.points[found.count++] = i - 1;
    if (i % size < size - 1) found.points[found.count++] = i + 1;
    if (i < size * (size - 1)) found.points[found.count++] = i + size;
    return found;
}

/// The connected cells of one colour (or of none) and what they touch.
struct Region {
    std::vector<int> cells;
    int pseudo_liberties = 0;  // an empty point counts for every stone beside it
    bool touches_black = false, touches_white = false;
};

inline Region region(const Cells& cells, int size, int start) {
    Region found;
    bool seen[kMaxSize * kMaxSize] = {};
    found.cells.push_back(start);
    seen[start] = true;
    for (size_t next = 0; next < found.cells.size(); ++next) {
        const int i = found.cells[next];
        for (const int n : neighbours(size, i)) {
            if (cells[n] == cells[i] && !seen[n]) {
                found.cells.push_back(n);
                seen[n] = true;
            }
            found.pseudo_liberties += cells[n] == kEmpty;
            found.touches_black |= cells[n] == kBlack;
            found.touches_white |= cells[n] == kWhite;
        }
    }
    return found;
}

struct Placement {
    Cells cells;
    int taken = 0, suicides = 0;
};

/// Place a stone: first the opponent's groups without liberties are removed, then the mover's.
inline Placement place(const Cells& cells, int size, int i, Color color) {
    Placement after{cells};
    const auto take_if_dead = [&](int stone) {
        const Region group = region(after.cells, size, stone);
        if (group.pseudo_liberties > 0) return 0;
        for (const int dead : group.cells) after.cells[dead] = kEmpty;
        return static_cast<int>(group.cells.size());
    };
    after.cells[i] = color;
    for (const int n : neighbours(size, i))
        if (after.cells[n] == opponent(color)) after.taken += take_if_dead(n);
    after.suicides = take_if_dead(i);
    return after;
}

inline bool is_eye(const Cells& cells, int size, int i, Color color) {
    for (const int n : neighbours(size, i))
        if (cells[n] != color) return false;
    int enemies = 0, outside = 0;
    for (const int down : {-1, 1})
        for (const int right : {-1, 1}) {
            const int row = i / size + down, col = i % size + right;
            if (row < 0 || row >= size || col < 0 || col >= size)
                ++outside;
            else
                enemies += cells[row * size + col] == opponent(color);
        }
    return outside ? enemies == 0 : enemies <= 1;
}

inline int area(const Cells& cells, int size) {
    int area = 0;
    bool counted[kMaxSize * kMaxSize] = {};
    for (int i = 0; i < size * size; ++i) {
        if (cells[i] != kEmpty) area += cells[i] == kBlack ? 1 : -1;
        if (cells[i] != kEmpty || counted[i]) continue;
        const Region empty = region(cells, size, i);
        for (const int reached : empty.cells) counted[reached] = true;
        const int whose = empty.touches_black - empty.touches_white;
        area += whose * static_cast<int>(empty.cells.size());
    }
    return area;
}

inline std::string draw(const Cells& cells, int size) {
    std::string text;
    for (int i = 0; i < size * size; ++i) {
        if (i % size == 0) text += '\n';
        text += ".XO"[cells[i]];
    }
    return text;
}

/// A game: the board and all that the ko rules need to remember.
struct Game {
    int size;
    Ko ko;
    bool suicide;
    Cells cells = Cells(static_cast<size_t>(size * size));
    int to_move = 0, passes = 0;
    Cells before = {};  // the board before the last move
    std::set<std::string> seen = {};

    std::string situation(const Cells& board, int next) const {
        const std::string stones(board.begin(), board.end());
        return ko == Ko::kSituational && next ? stones + "O to move" : stones;
    }
    void remember() { seen.insert(situation(cells, to_move)); }
    Color mover() const { return to_move ? kWhite : kBlack; }

    bool is_legal(Move move) const {
        if (passes == 2 || move < 0 || move > size * size) return false;
        if (move == size * size) return true;
        if (cells[move] != kEmpty) return false;
        const Placement after = place(cells, size, move, mover());
        if (after.suicides && !suicide) return false;
        // Simple ko: the move must not restore the board before the opponent's last move. (A lone
        // stone's suicide changes nothing and is no ko.)
        if (ko == Ko::kSimple) return after.suicides || after.cells != before;
        return !seen.contains(situation(after.cells, to_move ^ 1));
    }
    void play(Move move) {
        before = cells;
        passes = move == size * size ? passes + 1 : 0;
        if (move < size * size) cells = place(cells, size, move, mover()).cells;
        to_move ^= 1;
        remember();
    }
    std::string draw() const {
        return std::string(suicide ? "suicide, " : "") +
               (ko == Ko::kSimple       ? "simple ko, "
                : ko == Ko::kPositional ? "positional superko, "
                                        : "situational superko, ") +
               (to_move ? "O" : "X") + " to move" + naive::draw(cells, size);
    }
};

}  // namespace honte::go::naive
