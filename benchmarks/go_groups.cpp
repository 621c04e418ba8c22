// Two ways to track groups in Go, raced: relabelling the smaller group on a join (as in
// native/go/board.hpp), and union-find with path halving (below).
//
//     g++ -std=c++20 -O3 -march=native -Inative benchmarks/go_groups.cpp -o build/go_groups
//     build/go_groups [seconds per run, default 0.1]
//
// Both boards are otherwise identical and draw the same random moves, so each playout must end in
// the same position; the program stops if one does not.
#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

#include "go/board.hpp"

namespace {

using honte::Rng;
using namespace honte::go;

/// The board of native/go/board.hpp, cut down to what a playout needs, with union-find groups.
class UnionFindBoard {
public:
    explicit UnionFindBoard(int size) : size_(size), used_((size + 2) * kStride + 1) {
        for (int p = 0; p < used_; ++p) {
            color_[p] = kBorder;
            parent_[p] = next_[p] = liberties_[p] = stones_[p] = near_[p] = slot_[p] = 0;
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
    UnionFindBoard(const UnionFindBoard& other) { *this = other; }
    UnionFindBoard& operator=(const UnionFindBoard& other) {
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
        std::memcpy(parent_, other.parent_, n * sizeof *parent_);
        std::memcpy(next_, other.next_, n * sizeof *next_);
        std::memcpy(liberties_, other.liberties_, n * sizeof *liberties_);
        std::memcpy(stones_, other.stones_, n * sizeof *stones_);
        std::memcpy(slot_, other.slot_, n * sizeof *slot_);
        std::memcpy(empty_, other.empty_, static_cast<size_t>(empties_) * sizeof *empty_);
        return *this;
    }

    int size() const { return size_; }
    uint64_t hash() const { return hash_; }
    void forget_ko() { ko_ = 0; }

    void play(int p, Color color) {
        const Color enemy = opponent(color);
        const unsigned near = near_[p];
        const bool lone_among_enemies = count_near(p, enemy) == 4;
        add_stone(p, color);
        int group[4];  // the neighbours' groups, looked up once; 0 for none
        for (int i = 0; i < 4; ++i) --liberties_[group[i] = find(p + kSteps[i])];
        const uint16_t liberties = near >> 8 & 0xf;
        int mine = p;
        if (const unsigned own = neighbours(p, color)) {
            mine = group[std::countr_zero(own)];
            parent_[p] = static_cast<uint16_t>(mine);
            next_[p] = next_[mine];
            next_[mine] = static_cast<uint16_t>(p);
            ++stones_[mine];
            liberties_[mine] = static_cast<uint16_t>(liberties_[mine] + liberties);
            for (unsigned rest = own & (own - 1); rest; rest &= rest - 1) {
                const int other = find(p + kSteps[std::countr_zero(rest)]);
                if (other != mine) mine = join(mine, other);
            }
        } else {
            parent_[p] = next_[p] = static_cast<uint16_t>(p);
            stones_[p] = 1;
            liberties_[p] = liberties;
        }
        ko_ = 0;
        unsigned dead = 0;
        for (int i = 0; i < 4; ++i)
            dead |= static_cast<unsigned>((color_[p + kSteps[i]] == enemy) &
                                          (liberties_[group[i]] == 0))
                    << i;
        if (dead) {
            int taken = 0, last = 0;
            for (; dead; dead &= dead - 1) {
                const int q = p + kSteps[std::countr_zero(dead)];
                if (color_[q] == enemy) taken += take(last = q);
            }
            if (taken == 1 && lone_among_enemies) ko_ = static_cast<uint16_t>(last);
        } else if (liberties_[mine] == 0) {
            take(p);
        }
    }

    int random_move(Color color, Rng& rng) {
        unsigned candidates = static_cast<unsigned>(empties_);
        while (candidates) {
            const unsigned i = rng.below(candidates);
            const int p = empty_[i];
            if (near_[p] & 0xf00) return p;
            if (p != ko_ && !is_eye(p, color) && breathes(p, color)) return p;
            const int swapped = empty_[--candidates];
            empty_[i] = static_cast<uint16_t>(swapped);
            empty_[candidates] = static_cast<uint16_t>(p);
            slot_[swapped] = static_cast<uint16_t>(i);
            slot_[p] = static_cast<uint16_t>(candidates);
        }
        return 0;
    }

    int settled_area() const {
        int area = stones_of_[0] - stones_of_[1];
        for (int i = 0; i < empties_; ++i)
            area += (count_near(empty_[i], kBlack) == 4) - (count_near(empty_[i], kWhite) == 4);
        return area;
    }

private:
    unsigned count_near(int p, Color color) const { return near_[p] >> (4 * color - 4) & 0xf; }

    /// The root of a stone's tree; every other stone on the way is relinked to its grandparent.
    int find(int p) {
        int parent = parent_[p];
        for (;;) {
            const int grandparent = parent_[parent];
            if (grandparent == parent) return parent;  // the root; 0 if there is no stone
            parent_[p] = static_cast<uint16_t>(grandparent);
            p = grandparent;
            parent = parent_[p];
        }
    }
    unsigned neighbours(int p, Color color) const {
        unsigned mask = 0;
        for (int i = 0; i < 4; ++i)
            mask |= static_cast<unsigned>(color_[p + kSteps[i]] == color) << i;
        return mask;
    }

    bool is_eye(int p, Color color) const {
        if (count_near(p, color) != 4) return false;
        int enemies = 0, border = 0;
        for (const int step : kDiagonals) {
            enemies += color_[p + step] == opponent(color);
            border |= color_[p + step] == kBorder;
        }
        return enemies + border < 2;
    }
    bool breathes(int p, Color color) {
        int group[4];
        for (int i = 0; i < 4; ++i) group[i] = find(p + kSteps[i]);
        bool yes = false;
        for (int i = 0; i < 4; ++i) {
            int touching = 0;
            for (const int g : group) touching += g == group[i];
            const int q = p + kSteps[i];
            yes |= (color_[q] != kBorder) &
                   ((color_[q] == color) != (liberties_[group[i]] == touching));
        }
        return yes;
    }

    void add_stone(int p, Color color) {
        color_[p] = color;
        ++stones_of_[color - 1];
        hash_ ^= key(p, color);
        const uint16_t moved = empty_[--empties_];
        empty_[slot_[p]] = moved;
        slot_[moved] = slot_[p];
        const auto change = static_cast<uint16_t>((1 << (4 * color - 4)) - 0x100);
        for (const int step : kSteps)
            near_[p + step] = static_cast<uint16_t>(near_[p + step] + change);
    }

    /// Link the root of the smaller tree to that of the larger.
    int join(int a, int b) {
        if (stones_[a] < stones_[b]) std::swap(a, b);
        stones_[a] = static_cast<uint16_t>(stones_[a] + stones_[b]);
        liberties_[a] = static_cast<uint16_t>(liberties_[a] + liberties_[b]);
        parent_[b] = static_cast<uint16_t>(a);
        std::swap(next_[a], next_[b]);
        return a;
    }

    int take(int p) {
        const auto color = static_cast<Color>(color_[p]);
        const auto change = static_cast<uint16_t>(0x100 - (1 << (4 * color - 4)));
        int stone = p, count = 0;
        do parent_[stone] = 0;  // first, so that no find starts at a removed stone
        while ((stone = next_[stone]) != p);
        do {
            color_[stone] = kEmpty;
            hash_ ^= key(stone, color);
            slot_[stone] = static_cast<uint16_t>(empties_);
            empty_[empties_++] = static_cast<uint16_t>(stone);
            for (const int step : kSteps) {
                ++liberties_[find(stone + step)];
                near_[stone + step] = static_cast<uint16_t>(near_[stone + step] + change);
            }
            ++count;
        } while ((stone = next_[stone]) != p);
        stones_of_[color - 1] -= count;
        return count;
    }

    int size_, used_;
    int empties_ = 0;
    int stones_of_[2] = {0, 0};
    uint64_t hash_ = 0;
    uint16_t ko_ = 0;
    uint8_t color_[kPoints];
    uint16_t near_[kPoints];
    uint16_t parent_[kPoints];  // towards the root; 0 if there is no stone
    uint16_t next_[kPoints];
    uint16_t liberties_[kPoints];  // by root
    uint16_t stones_[kPoints];     // by root
    uint16_t slot_[kPoints];
    uint16_t empty_[kMaxSize * kMaxSize];
};

template <class B>
int play_out(B& board, Rng& rng) {
    Color color = kBlack;
    int plies_left = 3 * board.size() * board.size() + 8;
    for (int passes = 0; passes < 2 && plies_left > 0; --plies_left, color = opponent(color)) {
        const int p = board.random_move(color, rng);
        if (p)
            board.play(p, color);
        else
            board.forget_ko();
        passes = p ? 0 : passes + 1;
    }
    return board.settled_area();
}

/// Many playouts from the empty board; the digest depends on the result of each.
template <class B>
uint64_t play_many(int size, int count, uint64_t seed) {
    const B start(size);
    Rng rng(seed);
    uint64_t digest = 0;
    for (int i = 0; i < count; ++i) {
        B board = start;
        const int area = play_out(board, rng);
        digest = honte::mix(digest ^ board.hash()) + static_cast<uint64_t>(area);
    }
    return digest;
}

double cpu_seconds() {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class B>
double rate(int size, int count, uint64_t seed, uint64_t& digest) {
    const double started = cpu_seconds();
    digest = play_many<B>(size, count, seed);
    return count / (cpu_seconds() - started);
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
    return values[values.size() / 2];
}

}  // namespace

int main(int count, char** words) {
    const double seconds = count > 1 ? std::atof(words[1]) : 0.1;
    constexpr int kRepeats = 31;
    std::printf("playouts a CPU second, median of %d interleaved runs\n", kRepeats);
    std::printf("size   renaming   union-find   ratio of a pair: median (quartiles)\n");
    for (const int size : {9, 13, 19}) {
        uint64_t digest[2];
        const double guess = rate<Board>(size, 2000, 0, digest[0]);
        const int playouts = std::max(1, static_cast<int>(guess * seconds));
        std::vector<double> renaming, union_find, ratio;
        for (int i = 0; i < kRepeats; ++i) {
            const auto seed = static_cast<uint64_t>(i + 1);
            // Alternate who goes first, so that neither always runs on the warmer machine.
            double r = 0, u = 0;
            if (i % 2 == 0) r = rate<Board>(size, playouts, seed, digest[0]);
            u = rate<UnionFindBoard>(size, playouts, seed, digest[1]);
            if (i % 2 == 1) r = rate<Board>(size, playouts, seed, digest[0]);
            if (digest[0] != digest[1]) {
                std::fprintf(stderr, "the boards part on %dx%d with seed %d\n", size, size, i + 1);
                return 1;
            }
            renaming.push_back(r);
            union_find.push_back(u);
            ratio.push_back(r / u);
        }
        std::sort(ratio.begin(), ratio.end());
        std::printf("%2dx%-2d  %9.0f    %9.0f   %.3f (%.3f to %.3f)\n", size, size,
                    median(renaming), median(union_find), median(ratio), ratio[kRepeats / 4],
                    ratio[kRepeats * 3 / 4]);
    }
    return 0;
}
