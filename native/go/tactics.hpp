// Tactical reading: liberties, self-atari, eye shapes, ladders.
//
// Everything is computed from the board on demand, and stops as soon as the answer is clear: "at
// least three liberties" visits two or three stones of most groups.
#pragma once

#include <cstdint>

#include "go/board.hpp"

namespace honte::go {

/// A small set of points: only the first `Most` are kept.
template <int Most>
struct Points {
    int count = 0;
    int16_t at[Most];

    bool full() const { return count == Most; }
    bool has(int p) const {
        for (int i = 0; i < count; ++i)
            if (at[i] == p) return true;
        return false;
    }
    void add(int p) {
        if (!full() && !has(p)) at[count++] = static_cast<int16_t>(p);
    }
    const int16_t* begin() const { return at; }
    const int16_t* end() const { return at + count; }
};

/// The liberties of the group at a point, the first `Most` of them.
template <int Most>
Points<Most> liberties(const TacticalBoard& board, int p) {
    Points<Most> found;
    int stone = p;
    do {
        for (const int step : kSteps)
            if (board.color(stone + step) == kEmpty) found.add(stone + step);
        stone = board.next(stone);
    } while (stone != p && !found.full());
    return found;
}

/// The effect of a stone at an empty point: the liberties of its group (up to `Most`), how many
/// stones it joins, how many it captures.
template <int Most>
struct Placed {
    Points<Most> liberties;
    int joined = 0, taken = 0;  // stones besides the new one
};

template <int Most>
Placed<Most> placed(const TacticalBoard& board, int p, Color color) {
    Placed<Most> found;
    Points<4> own, dead;
    for (const int step : kSteps) {
        const int q = p + step;
        if (board.color(q) == kEmpty) found.liberties.add(q);
        if (board.color(q) == color) own.add(board.group(q));
        if (board.color(q) == opponent(color) && board.atari(q) == p) dead.add(board.group(q));
    }
    for (const int g : own) found.joined += board.stones_in(g);
    for (const int g : dead) {
        found.taken += board.stones_in(g);
        int stone = g;  // a taken stone leaves a liberty where it touched the group
        do {
            for (const int step : kSteps) {
                const int q = stone + step;
                if (q == p || (board.color(q) == color && own.has(board.group(q))))
                    found.liberties.add(stone);
            }
            stone = board.next(stone);
        } while (stone != g && !found.liberties.full());
    }
    for (const int g : own) {
        if (found.liberties.full()) break;
        int stone = g;
        do {
            for (const int step : kSteps) {
                const int q = stone + step;
                if (q != p && board.color(q) == kEmpty) found.liberties.add(q);
            }
            stone = board.next(stone);
        } while (stone != g && !found.liberties.full());
    }
    return found;
}

/// May this colour play here under simple ko? (Superko is left to the game.)
inline bool can_play(const TacticalBoard& board, int p, Color color) {
    return board.color(p) == kEmpty && p != board.ko() && !board.is_suicide(p, color);
}

/// A connected set of points: an eye space, or the stones inside one.
struct Shape {
    static constexpr int kMost = 6;
    Points<kMost + 1> points;
    int degree[kMost + 1] = {};  // neighbours within the shape

    void measure() {
        for (int i = 0; i < points.count; ++i) {
            degree[i] = 0;
            for (const int step : kSteps) degree[i] += points.has(points.at[i] + step);
        }
    }
    /// The index of the vital point, which makes two eyes of the shape, or one. −1 if there is
    /// none: straight and bent fours live, a square four is dead as it stands.
    int vital() const {
        const int n = points.count;
        int best = 0, edges = 0;
        for (int i = 0; i < n; ++i) {
            if (degree[i] > degree[best]) best = i;
            edges += degree[i];
        }
        const int most = degree[best];
        const bool has = (n == 3 && most == 2) ||                    // three in a row, or bent
                         (n == 4 && most == 3) ||                    // the pyramid
                         (n == 5 && most == 4) ||                    // the cross
                         (n == 5 && most == 3 && edges == 2 * 5) ||  // the bulky five
                         (n == 6 && most == 4 && edges == 2 * 6);    // the rabbity six
        return has ? best : -1;
    }
    /// Once these stones are captured, can the eye space they leave be kept to one eye?
    bool is_nakade() const {
        const int n = points.count;
        if (n <= 3) return true;
        int edges = 0;
        for (int i = 0; i < n; ++i) edges += degree[i];
        return (n == 4 && edges == 8) || vital() >= 0;
    }
};

/// The vital point of the eye space that contains an empty point: a few connected empty points
/// enclosed by stones of `color` only. 0 if there is no such eye space, or it has no vital point.
inline int vital_point(const TacticalBoard& board, int p, Color color) {
    const auto is_inside = [&](int q) { return board.stones_near(q, opponent(color)) == 0; };
    // A point with three empty neighbours lies in the open, unless it is the middle of a pyramid.
    const int beside = board.color(p) == kEmpty ? board.empty_neighbours(p) : 0;
    if (beside < 1 || beside > 2 || !is_inside(p)) return 0;
    Shape eye;
    eye.points.add(p);
    for (int i = 0, wide = 0; i < eye.points.count; ++i) {
        const int q = eye.points.at[i];
        eye.degree[i] = board.empty_neighbours(q);
        wide += eye.degree[i] > 2;
        if (wide > 1) return 0;  // no shape with a vital point has two such
        for (const int step : kSteps) {
            if (board.color(q + step) != kEmpty) continue;
            eye.points.add(q + step);
            if (!is_inside(q + step) || eye.points.full()) return 0;
        }
    }
    const int i = eye.vital();
    return i < 0 ? 0 : eye.points.at[i];
}

/// Is a stone here a self-atari for nothing? A throw-in of one stone is allowed, and so is filling
/// an eye with a shape that leaves only one eye.
inline bool is_bad_self_atari(const TacticalBoard& board, int p, Color color) {
    // The common cases, cheapest first: two empty neighbours, a lone stone, or a friend with
    // enough pseudo-liberties to keep two (a point counts at most four times).
    if (board.empty_neighbours(p) >= 2) return false;
    const int friends = board.stones_near(p, color);
    if (friends == 0) return false;
    for (const int step : kSteps)
        if (board.color(p + step) == color && board.pseudo_liberties(p + step) > friends + 4)
            return false;
    const auto stone = placed<2>(board, p, color);
    if (stone.liberties.count >= 2 || stone.taken > 0) return false;
    if (stone.joined >= Shape::kMost || stone.liberties.count == 0) return true;
    for (const int step : kSteps) {  // the eye must be full but for one point
        const int q = stone.liberties.at[0] + step;
        if (q != p && board.color(q) == kEmpty) return true;
    }
    Shape shape;
    shape.points.add(p);
    for (const int step : kSteps)
        if (board.color(p + step) == color)
            board.each_stone(p + step, [&](int q) { shape.points.add(q); });
    shape.measure();
    return !shape.is_nakade();
}

/// Reads ladders: can a group with one or two liberties be captured by atari after atari?
///
/// The chaser plays on one of two liberties; the chased side extends, or captures a group in atari.
/// A group that gets three liberties has escaped.
class Ladder {
public:
    /// Is the group at a point, in atari and with its own side to move, captured?
    static bool holds(const TacticalBoard& board, int stone) {
        return !Ladder().escapes(board, stone);
    }
    /// The first move of a ladder that captures the group at a point, with the opponent to move; 0
    /// if there is none, or the group does not have two liberties.
    static int start(const TacticalBoard& board, int stone) {
        return Ladder().chases(board, stone);
    }

private:
    static constexpr int kMost = 200;  // nodes of a ladder search
    int looked_ = 0;

    /// The group has one liberty, and its side moves.
    bool escapes(const TacticalBoard& board, int stone) {
        const Color color = board.color(stone);
        const int liberty = board.atari(stone);
        Points<8> tries;
        int s = stone;
        do {  // capture a group beside it
            for (const int step : kSteps)
                if (board.color(s + step) == opponent(color))
                    if (const int p = board.atari(s + step)) tries.add(p);
            s = board.next(s);
        } while (s != stone && !tries.full());
        tries.add(liberty);
        for (const int p : tries) {
            if (!can_play(board, p, color)) continue;
            if (p == liberty) {
                const int count = placed<3>(board, p, color).liberties.count;
                if (count == 3) return true;
                if (count < 2) continue;
            }
            if (++looked_ > kMost) return true;
            TacticalBoard after(board);
            after.play(p, color);
            const auto left = liberties<3>(after, stone);
            if (left.count == 3 || (left.count == 2 && !chases(after, stone))) return true;
        }
        return false;
    }
    /// The group has two liberties, and the other side moves.
    int chases(const TacticalBoard& board, int stone) {
        const Color color = opponent(board.color(stone));
        const auto two = liberties<3>(board, stone);
        if (two.count != 2) return 0;
        for (const int p : two) {
            if (!can_play(board, p, color)) continue;
            if (!board.captures(p, color)) {  // three liberties next: no need to read on
                const int other = two.at[p == two.at[0]];
                const auto run = placed<4>(board, other, opponent(color));
                if (run.liberties.count - run.liberties.has(p) >= 3) continue;
            }
            if (++looked_ > kMost) return 0;
            TacticalBoard after(board);
            after.play(p, color);
            if (after.atari(stone) && !escapes(after, stone)) return p;
        }
        return 0;
    }
};

}  // namespace honte::go
