// The Go board: stones, groups and their liberties, kept move by move.
//
// Points lie in rows of kStride with a border round them, so the four neighbours of
// p are p ± 1 and p ± kStride on every size of board.
//
// A group is named by one of its stones, its stones form a ring, and its *pseudo-liberties* are
// counted: an empty point counts once for every adjacent stone of the group. The count is zero
// exactly when the group has no liberty, and updating it takes one subtraction per neighbour, no
// search. When groups join, the smaller is renamed; a join then costs more than with union-find,
// but every lookup is a single load (measured: see docs/speed.md).
//
// The tactical board also sums up the liberty points, in the same word: a group in atari has all
// its pseudo-liberties on one point, which is the sum divided by the count. That costs random games
// a sixth of their speed, so their board does without.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "core/rng.hpp"

namespace honte::go {

inline constexpr int kMaxSize = 19;
inline constexpr int kStride = kMaxSize + 1;
inline constexpr int kPoints = (kMaxSize + 2) * kStride + 1;
inline constexpr int kSteps[4] = {-kStride, -1, 1, kStride};
inline constexpr int kDiagonals[4] = {-kStride - 1, -kStride + 1, kStride - 1, kStride + 1};

enum Color : uint8_t { kEmpty = 0, kBlack = 1, kWhite = 2, kBorder = 3 };

constexpr Color opponent(Color color) { return static_cast<Color>(color ^ 3); }

namespace detail {
constexpr auto make_keys() {
    std::array<uint64_t, 2 * kPoints> keys{};
    for (size_t i = 0; i < keys.size(); ++i) keys[i] = mix(0x60000000 + i);
    return keys;
}
inline constexpr auto kKeys = make_keys();
}  // namespace detail

inline uint64_t key(int point, Color color) { return detail::kKeys[2 * point + color - 1]; }

template <bool Tactics>
class BoardOf {
public:
    explicit BoardOf(int size) : size_(size), used_((size + 2) * kStride + 1) {
        for (int p = 0; p < used_; ++p) {
            color_[p] = kBorder;
            group_[p] = next_[p] = stones_[p] = near_[p] = slot_[p] = 0;
            liberties_[p] = 0;
        }
        for (int row = 0; row < size; ++row)
            for (int col = 0; col < size; ++col) {
                const int p = (row + 1) * kStride + col + 1;
                color_[p] = kEmpty;
                slot_[p] = static_cast<uint16_t>(empties_);
                empty_[empties_++] = static_cast<uint16_t>(p);
                const int border = (row == 0) + (row == size - 1) + (col == 0) + (col == size - 1);
                near_[p] = static_cast<uint16_t>(border * 0x1011 + (4 - border) * 0x100);
            }
    }
    BoardOf(const BoardOf& other) { *this = other; }
    BoardOf& operator=(const BoardOf& other) {
        copy(other);
        std::memcpy(liberties_, other.liberties_, static_cast<size_t>(used_) * sizeof *liberties_);
        return *this;
    }
    /// The same position with the sums that tactics need.
    explicit BoardOf(const BoardOf<false>& other)
        requires Tactics
    {
        copy(other);
        for (int p = 0; p < used_; ++p) liberties_[p] = 0;
        for (int i = 0; i < empties_; ++i)
            for (const int step : kSteps) change(group_[empty_[i] + step], liberty(empty_[i]));
    }

    int size() const { return size_; }
    Color color(int p) const { return static_cast<Color>(color_[p]); }
    int ko() const { return ko_; }  // the point forbidden by a simple ko, or 0
    uint64_t hash() const { return hash_; }
    int empties() const { return empties_; }
    int empty_at(int i) const { return empty_[i]; }
    int stones(Color color) const { return stones_of_[color - 1]; }
    void forget_ko() { ko_ = 0; }
    void set_ko(int p) { ko_ = static_cast<uint16_t>(p); }

    bool has_empty_neighbour(int p) const { return near_[p] & 0xf00; }
    int empty_neighbours(int p) const { return near_[p] >> 8 & 0xf; }
    /// How many of the four neighbours are stones of this colour.
    int stones_near(int p, Color color) const {
        return static_cast<int>(count_near(p, color)) - (near_[p] >> 12);
    }
    /// Is every neighbour this colour's or the border?
    bool is_enclosed(int p, Color color) const { return count_near(p, color) == 4; }

    /// An eye that a playout leaves alone: enclosed, and the diagonals do not break it
    /// (one of the opponent's is allowed in the middle, none at the border).
    bool is_eye(int p, Color color) const {
        if (!is_enclosed(p, color)) return false;
        int enemies = 0, border = 0;
        for (const int step : kDiagonals) {
            enemies += color_[p + step] == opponent(color);
            border |= color_[p + step] == kBorder;
        }
        return enemies + border < 2;
    }

    /// Would a stone here be without liberties even after captures?
    bool is_suicide(int p, Color color) const {
        return !has_empty_neighbour(p) && !breathes(p, color);
    }
    /// Does the move take at least one stone?
    bool captures(int p, Color color) const {
        for (const int step : kSteps)
            if (color_[p + step] == opponent(color) && dies(p, group_[p + step])) return true;
        return false;
    }

    /// The board's hash after the move, without making it. Suicide removes the mover's own stones.
    uint64_t hash_after(int p, Color color) const {
        uint64_t hash = hash_ ^ key(p, color);
        if (has_empty_neighbour(p) && stones_near(p, opponent(color)) == 0) return hash;
        int taken[4], count = 0;
        const bool suicide = is_suicide(p, color);
        const Color victim = suicide ? color : opponent(color);
        for (const int step : kSteps) {
            const int g = group_[p + step];
            if (color_[p + step] != victim || (!suicide && !dies(p, g))) continue;
            bool seen = false;
            for (int i = 0; i < count; ++i) seen |= taken[i] == g;
            if (seen) continue;
            taken[count++] = g;
            int stone = g;
            do hash ^= key(stone, victim);
            while ((stone = next_[stone]) != g);
        }
        return suicide ? hash ^ key(p, color) : hash;
    }

    /// Put a stone down, take what it captures (or its own group, in a suicide).
    void play(int p, Color color) {
        const Color enemy = opponent(color);
        const bool lone_among_enemies = count_near(p, enemy) == 4;
        add_stone(p, color);
        const Word fresh = liberties_near(p);
        for (const int step : kSteps) change(group_[p + step], -liberty(p));  // 0 where empty
        // Join the friendly neighbours: the stone enters the first group, and further
        // groups join that one.
        if (const unsigned own = neighbours(p, color)) {
            const uint16_t g = group_[p + kSteps[std::countr_zero(own)]];
            group_[p] = g;
            next_[p] = next_[g];
            next_[g] = static_cast<uint16_t>(p);
            ++stones_[g];
            change(g, fresh);
            for (unsigned rest = own & (own - 1); rest; rest &= rest - 1) {
                const int other = group_[p + kSteps[std::countr_zero(rest)]];
                if (other != group_[p]) join(group_[p], other);
            }
        } else {
            group_[p] = next_[p] = static_cast<uint16_t>(p);
            stones_[p] = 1;
            liberties_[p] = fresh;
        }
        // Take the opponent's groups that have no liberty left. Looking at all four first
        // makes the usual answer, none, one branch that is easy to predict.
        ko_ = 0;
        unsigned dead = 0;
        for (int i = 0; i < 4; ++i) {
            const int q = p + kSteps[i];
            dead |= static_cast<unsigned>((color_[q] == enemy) & (count(group_[q]) == 0)) << i;
        }
        if (dead) {
            int taken = 0, last = 0;
            for (; dead; dead &= dead - 1) {
                const int q = p + kSteps[std::countr_zero(dead)];
                if (color_[q] == enemy) taken += take(last = q);
            }
            if (taken == 1 && lone_among_enemies) ko_ = static_cast<uint16_t>(last);
        } else if (count(group_[p]) == 0) {
            take(p);
        }
    }

    /// A random point that is legal under simple ko, not a friendly eye, and accepted;
    /// 0 to pass.
    template <class Accepts>
    int random_move(Color color, Rng& rng, Accepts accepts) {
        unsigned candidates = static_cast<unsigned>(empties_);
        while (candidates) {
            const unsigned i = rng.below(candidates);
            const int p = empty_[i];
            if (has_empty_neighbour(p) || (p != ko_ && !is_eye(p, color) && breathes(p, color)))
                if (accepts(p)) return p;
            // Rejected: move it behind the candidates, so that the rest stay equally likely.
            const int swapped = empty_[--candidates];
            empty_[i] = static_cast<uint16_t>(swapped);
            empty_[candidates] = static_cast<uint16_t>(p);
            slot_[swapped] = static_cast<uint16_t>(i);
            slot_[p] = static_cast<uint16_t>(candidates);
        }
        return 0;
    }
    int random_move(Color color, Rng& rng) {
        return random_move(color, rng, [](int) { return true; });
    }

    /// Black's area minus White's where every empty point has a stone beside it, as at
    /// the end of a playout; `State::area` is the count for any board.
    int settled_area() const {
        int area = stones_of_[0] - stones_of_[1];
        for (int i = 0; i < empties_; ++i)
            area += is_enclosed(empty_[i], kBlack) - is_enclosed(empty_[i], kWhite);
        return area;
    }

    /// The stones of the group at a point, in ring order: f(point) for each.
    template <class F>
    void each_stone(int p, F f) const {
        int stone = p;
        do f(stone);
        while ((stone = next_[stone]) != p);
    }
    int group(int p) const { return group_[p]; }
    int next(int p) const { return next_[p]; }                      // in the ring of its group
    int stones_in(int p) const { return stones_[group_[p]]; }       // of the group at a point
    int pseudo_liberties(int p) const { return count(group_[p]); }  // likewise
    /// The only liberty of the group at a point; 0 if it has more than one.
    int atari(int p) const
        requires Tactics
    {
        const int g = group_[p];
        const unsigned n = count(g), sum = liberties_[g] >> kCountBits;
        if (n > 4) return 0;
        constexpr unsigned kShare[5] = {0, 65536, 32768, 21846, 16384};  // 65536 / n, rounded up
        const unsigned q = sum * kShare[n] >> 16;
        // The mean of several liberties may also be a point of the board.
        return q * n == sum && color_[q] == kEmpty && dies(static_cast<int>(q), g)
                   ? static_cast<int>(q)
                   : 0;
    }
    /// What stands on the eight points round p: two bits each, rows from the top left.
    unsigned around(int p) const {
        const auto row = [&](int start) {  // three bytes with two bits each, side by side
            uint32_t x;
            std::memcpy(&x, color_ + start, sizeof x);
            if constexpr (std::endian::native == std::endian::big) x = __builtin_bswap32(x);
            return (x | x >> 6 | x >> 12) & 0x3f;
        };
        return row(p - kStride - 1) | static_cast<unsigned>(color_[p - 1]) << 6 |
               static_cast<unsigned>(color_[p + 1]) << 8 | row(p + kStride - 1) << 10;
    }

private:
    template <bool>
    friend class BoardOf;

    template <bool Other>
    void copy(const BoardOf<Other>& other) {  // only the part that this size uses
        size_ = other.size_;
        used_ = other.used_;
        empties_ = other.empties_;
        ko_ = other.ko_;
        stones_of_[0] = other.stones_of_[0];
        stones_of_[1] = other.stones_of_[1];
        hash_ = other.hash_;
        const size_t n = static_cast<size_t>(used_);
        std::memcpy(color_, other.color_, n * sizeof *color_);
        std::memcpy(near_, other.near_, n * sizeof *near_);
        std::memcpy(group_, other.group_, n * sizeof *group_);
        std::memcpy(next_, other.next_, n * sizeof *next_);
        std::memcpy(stones_, other.stones_, n * sizeof *stones_);
        std::memcpy(slot_, other.slot_, n * sizeof *slot_);
        std::memcpy(empty_, other.empty_, static_cast<size_t>(empties_) * sizeof *empty_);
    }

    // near_: how many of the four neighbours are what, a hexadecimal digit each:
    //     border, empty, white or border, black or border
    unsigned count_near(int p, Color color) const { return near_[p] >> (4 * color - 4) & 0xf; }

    // A group's word: how many pseudo-liberties it has and, for tactics, above that the sum of
    // their points. At most 4·361 come together: eleven bits for the count, twenty for the sum.
    using Word = std::conditional_t<Tactics, uint32_t, uint16_t>;
    static constexpr int kCountBits = 11;
    static constexpr int liberty(int p) { return Tactics ? 1 + (p << kCountBits) : 1; }
    void change(int g, int by) { liberties_[g] = static_cast<Word>(liberties_[g] + by); }
    unsigned count(int g) const {
        return Tactics ? liberties_[g] & ((1u << kCountBits) - 1) : liberties_[g];
    }
    Word liberties_near(int p) const {
        if constexpr (!Tactics) return near_[p] >> 8 & 0xf;
        Word sum = 0;
        for (const int step : kSteps)
            if (color_[p + step] == kEmpty) sum += static_cast<Word>(liberty(p + step));
        return sum;
    }

    /// Does this group lose its last liberty to a stone at p?
    bool dies(int p, int g) const {
        unsigned touching = 0;
        for (const int step : kSteps) touching += group_[p + step] == g;
        return count(g) == touching;
    }
    /// With no empty neighbour: does a friendly neighbour keep a liberty, or is an enemy captured?
    /// Without early exits: the four answers are hard to predict, so branches would cost more.
    bool breathes(int p, Color color) const {
        bool yes = false;
        for (const int step : kSteps) {
            const int q = p + step;
            yes |= (color_[q] != kBorder) & ((color_[q] == color) != dies(p, group_[q]));
        }
        return yes;
    }
    /// Which of the four neighbours have this colour: bit i for kSteps[i].
    unsigned neighbours(int p, Color color) const {
        unsigned mask = 0;
        for (int i = 0; i < 4; ++i)
            mask |= static_cast<unsigned>(color_[p + kSteps[i]] == color) << i;
        return mask;
    }

    void add_stone(int p, Color color) {
        color_[p] = color;
        ++stones_of_[color - 1];
        hash_ ^= key(p, color);
        const uint16_t moved = empty_[--empties_];
        empty_[slot_[p]] = moved;
        slot_[moved] = slot_[p];
        const auto nearer = static_cast<uint16_t>((1 << (4 * color - 4)) - 0x100);
        for (const int step : kSteps)
            near_[p + step] = static_cast<uint16_t>(near_[p + step] + nearer);
    }

    void join(int a, int b) {
        if (stones_[a] < stones_[b]) {
            const int other = a;
            a = b;
            b = other;
        }
        stones_[a] = static_cast<uint16_t>(stones_[a] + stones_[b]);
        change(a, static_cast<int>(liberties_[b]));
        int stone = b;
        do group_[stone] = static_cast<uint16_t>(a);
        while ((stone = next_[stone]) != b);
        const uint16_t after = next_[a];
        next_[a] = next_[b];
        next_[b] = after;
    }

    int take(int p) {
        const auto color = static_cast<Color>(color_[p]);
        const auto nearer = static_cast<uint16_t>(0x100 - (1 << (4 * color - 4)));
        int stone = p, count = 0;
        do {
            color_[stone] = kEmpty;
            hash_ ^= key(stone, color);
            slot_[stone] = static_cast<uint16_t>(empties_);
            empty_[empties_++] = static_cast<uint16_t>(stone);
            for (const int step : kSteps) {
                change(group_[stone + step], liberty(stone));  // a dying group's is never read
                near_[stone + step] = static_cast<uint16_t>(near_[stone + step] + nearer);
            }
            ++count;
        } while ((stone = next_[stone]) != p);
        do group_[stone] = 0;
        while ((stone = next_[stone]) != p);
        stones_of_[color - 1] -= count;
        return count;
    }

    int size_, used_;
    int empties_ = 0;
    int stones_of_[2] = {0, 0};
    uint64_t hash_ = 0;
    uint16_t ko_ = 0;
    uint8_t color_[kPoints + 1];  // `around` reads one byte more than it needs
    uint16_t near_[kPoints];
    uint16_t group_[kPoints];   // the stone that names the group; 0 where there is none
    uint16_t next_[kPoints];    // the ring of its stones
    Word liberties_[kPoints];   // pseudo-liberties, by group; [0] is a dummy
    uint16_t stones_[kPoints];  // by group
    uint16_t slot_[kPoints];    // where an empty point stands in empty_
    uint16_t empty_[kMaxSize * kMaxSize];
};

using Board = BoardOf<false>;
using TacticalBoard = BoardOf<true>;

/// Area ownership: a stone owns its point, and an empty region belongs to the only colour that
/// borders on it.
class Owners {
public:
    template <bool Tactics>
    explicit Owners(const BoardOf<Tactics>& board) : size_(board.size()) {
        for (int p = 0; p < (size_ + 2) * kStride + 1; ++p) color_[p] = board.color(p);
    }
    /// Remove a dead stone.
    void lift(int p) { color_[p] = kEmpty; }

    /// Black's area minus White's. Afterwards `owner` knows.
    int area() {
        int area = 0;
        int16_t region[kMaxSize * kMaxSize];
        for (int row = 1; row <= size_; ++row)
            for (int start = row * kStride + 1; start <= row * kStride + size_; ++start) {
                if (color_[start] == kBlack) ++area;
                if (color_[start] == kWhite) --area;
                if (color_[start] != kEmpty) continue;
                int count = 0, touched = 0;
                region[count++] = static_cast<int16_t>(start);
                color_[start] = kSeen;
                for (int i = 0; i < count; ++i)
                    for (const int step : kSteps) {
                        const int q = region[i] + step;
                        if (color_[q] == kBlack || color_[q] == kWhite) touched |= color_[q];
                        if (color_[q] != kEmpty) continue;
                        color_[q] = kSeen;
                        region[count++] = static_cast<int16_t>(q);
                    }
                for (int i = 0; i < count; ++i)
                    color_[region[i]] = static_cast<uint8_t>(kSeen | (touched == 3 ? 0 : touched));
                if (touched == kBlack) area += count;
                if (touched == kWhite) area -= count;
            }
        return area;
    }
    /// 1 Black, −1 White, 0 neutral.
    int owner(int p) const {
        return (color_[p] & 3) == kBlack ? 1 : (color_[p] & 3) == kWhite ? -1 : 0;
    }

private:
    static constexpr uint8_t kSeen = 4;
    int size_;
    uint8_t color_[kPoints];
};

/// Play random legal moves that fill no own eye until both pass; return Black's area minus White's.
/// `on_move` is called for each stone.
template <class OnMove>
int playout(Board& board, Color color, int passes, Rng& rng, OnMove on_move) {
    int plies_left = 3 * board.size() * board.size() + 8;  // long cycles end here
    for (; passes < 2 && plies_left > 0; --plies_left, color = opponent(color)) {
        const int p = board.random_move(color, rng);
        if (p) {
            on_move(p, color);
            board.play(p, color);
            passes = 0;
        } else {
            board.forget_ko();
            ++passes;
        }
    }
    return board.settled_area();
}
inline int playout(Board& board, Color color, int passes, Rng& rng) {
    return playout(board, color, passes, rng, [](int, Color) {});
}

}  // namespace honte::go
