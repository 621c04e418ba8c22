// The learned evaluation of Othello: the value of disc patterns on lines and in corners, looked up
// in tables (Buro 1997).
//
// A pattern is a list of squares; its images under the eight symmetries of the board share one
// table. The discs on an image form a number in base three (0 empty, 1 black, 2 white). The numbers
// of all images are updated move by move: a vector of 64 lanes, to which every placed or flipped
// disc adds a vector of powers of three.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

#include "othello/game.hpp"

namespace honte::othello {

namespace patterns {

inline constexpr int kPhases = 12;    // of five discs each
inline constexpr int kLanes = 64;     // room for all images
inline constexpr int kLargest = 10;   // squares in a pattern
inline constexpr int kUnit = 128;     // weights are whole numbers of 1/128 disc
inline constexpr int kMobility = 32;  // distinct counts of moves

/// The phase of a position: how many discs lie on the board.
inline int phase_of(int discs) { return std::clamp((discs - 4) / 5, 0, kPhases - 1); }

struct Kind {
    const char* name;
    int size;
    std::array<uint8_t, kLargest> squares;  // of one image; a1 is 0, b1 is 1, a2 is 8
};
inline constexpr Kind kKinds[] = {
    {"corner 3×3", 9, {0, 1, 2, 8, 9, 10, 16, 17, 18}},
    {"edge and X", 10, {0, 1, 2, 3, 4, 5, 6, 7, 9, 14}},
    {"corner 2×5", 10, {0, 1, 2, 3, 4, 8, 9, 10, 11, 12}},
    {"triangle", 10, {0, 1, 2, 3, 8, 9, 10, 16, 17, 24}},
    {"edge and inside", 10, {0, 2, 3, 4, 5, 7, 10, 11, 12, 13}},
    {"second line", 8, {8, 9, 10, 11, 12, 13, 14, 15}},
    {"third line", 8, {16, 17, 18, 19, 20, 21, 22, 23}},
    {"fourth line", 8, {24, 25, 26, 27, 28, 29, 30, 31}},
    {"diagonal of 8", 8, {0, 9, 18, 27, 36, 45, 54, 63}},
    {"diagonal of 7", 7, {1, 10, 19, 28, 37, 46, 55}},
    {"diagonal of 6", 6, {2, 11, 20, 29, 38, 47}},
    {"diagonal of 5", 5, {3, 12, 21, 30, 39}},
    {"diagonal of 4", 4, {4, 13, 22, 31}},
};
inline constexpr int kKindCount = sizeof kKinds / sizeof kKinds[0];

constexpr int power(int exponent) { return exponent == 0 ? 1 : 3 * power(exponent - 1); }

/// A square under one of the eight symmetries.
constexpr int image(int square, int symmetry) {
    int row = square / 8, col = square % 8;
    if (symmetry & 1) col = 7 - col;
    if (symmetry & 2) row = 7 - row;
    return symmetry & 4 ? 8 * col + row : 8 * row + col;
}

/// Where every image and table lies, worked out once.
struct Layout {
    int images = 0;
    int kind_of[kLanes] = {};
    uint8_t squares[kLanes][kLargest] = {};
    int offset[kKindCount + 1] = {};            // of a kind's table; the last is their length
    uint8_t mirror[kKindCount][kLargest] = {};  // the order of squares that reads the same table
    uint16_t power_of[64][kLanes] = {};         // what a black disc on a square adds to each lane

    Layout() {
        for (int kind = 0; kind < kKindCount; ++kind) {
            const Kind& pattern = kKinds[kind];
            offset[kind + 1] = offset[kind] + power(pattern.size);
            const int first = images;
            for (int j = 0; j < pattern.size; ++j) mirror[kind][j] = static_cast<uint8_t>(j);
            for (int symmetry = 0; symmetry < 8; ++symmetry) {
                uint8_t seen[kLargest];
                uint64_t mask = 0;
                for (int j = 0; j < pattern.size; ++j) {
                    seen[j] = static_cast<uint8_t>(image(pattern.squares[j], symmetry));
                    mask |= 1ULL << seen[j];
                }
                int same = first;
                while (same < images && mask_of(same, pattern.size) != mask) ++same;
                if (same == images) {
                    kind_of[images] = kind;
                    std::copy(seen, seen + pattern.size, squares[images++]);
                } else if (same == first) {  // the first image onto itself
                    for (int j = 0; j < pattern.size; ++j)
                        mirror[kind][j] = static_cast<uint8_t>(
                            std::find(seen, seen + pattern.size, squares[first][j]) - seen);
                }
            }
        }
        for (int lane = 0; lane < images; ++lane)
            for (int j = 0; j < kKinds[kind_of[lane]].size; ++j)
                power_of[squares[lane][j]][lane] = static_cast<uint16_t>(power(j));
    }
    int length() const { return offset[kKindCount]; }

    /// The smaller of a pattern's number and that of its mirror image, which stands for both.
    int canonical(int kind, int number) const {
        int digits[kLargest], mirrored = 0;
        for (int j = 0, rest = number; j < kKinds[kind].size; ++j, rest /= 3) digits[j] = rest % 3;
        for (int j = kKinds[kind].size - 1; j >= 0; --j)
            mirrored = 3 * mirrored + digits[mirror[kind][j]];
        return std::min(number, mirrored);
    }
    /// A number as the other side sees it: black for white.
    static int swapped(int size, int number) {
        int result = 0;
        for (int j = 0; j < size; ++j, number /= 3) result += number % 3 * 2 % 3 * power(j);
        return result;
    }

private:
    uint64_t mask_of(int lane, int size) const {
        uint64_t mask = 0;
        for (int j = 0; j < size; ++j) mask |= 1ULL << squares[lane][j];
        return mask;
    }
};
inline const Layout kLayout;

/// The numbers of all images in a position, updated move by move.
struct Numbers {
    typedef uint16_t Lanes __attribute__((vector_size(32)));
    static constexpr int kParts = kLanes / 16;
    Lanes part[kParts];

    static const Lanes* powers(int square) {
        return reinterpret_cast<const Lanes*>(kTable.aligned[square]);
    }

    Numbers(uint64_t black, uint64_t white) : part{} {
        for (; black; black &= black - 1) add(std::countr_zero(black), 1);
        for (; white; white &= white - 1) add(std::countr_zero(white), 2);
    }
    void add(int square, uint16_t times) {
        for (int i = 0; i < kParts; ++i) part[i] += powers(square)[i] * times;
    }
    /// Update after a move of black (0) or white (1): the disc placed and those flipped.
    void play(int mover, int square, uint64_t turned) {
        Lanes change[kParts];
        for (int i = 0; i < kParts; ++i) change[i] = powers(square)[i] * uint16_t(mover + 1);
        // White to black takes one from each digit, black to white adds one.
        if (mover == 0)
            for (; turned; turned &= turned - 1)
                for (int i = 0; i < kParts; ++i) change[i] -= powers(std::countr_zero(turned))[i];
        else
            for (; turned; turned &= turned - 1)
                for (int i = 0; i < kParts; ++i) change[i] += powers(std::countr_zero(turned))[i];
        for (int i = 0; i < kParts; ++i) part[i] += change[i];
    }
    int operator[](int lane) const { return part[lane / 16][lane % 16]; }

private:
    struct Table {
        alignas(32) uint16_t aligned[64][kLanes];
        Table() { std::memcpy(aligned, kLayout.power_of, sizeof aligned); }
    };
    static inline const Table kTable;
};

}  // namespace patterns

/// The tables of all phases, indexed for either side.
class PatternWeights {
public:
    /// From the weights of the side to move as black: for each phase all tables, then a weight for
    /// each count of own moves and of the other side's.
    explicit PatternWeights(std::span<const int16_t> weights) {
        using namespace patterns;
        const int each = size_of_phase();
        if (weights.size() != static_cast<size_t>(each) * kPhases)
            throw std::invalid_argument("the pattern weights have the wrong length");
        for (auto& side : table_) side.resize(weights.size());
        table_[0].assign(weights.begin(), weights.end());
        std::vector<int> swapped(each);  // where white reads what black reads at an index
        for (int kind = 0; kind < kKindCount; ++kind)
            for (int number = 0; number < power(kKinds[kind].size); ++number)
                swapped[kLayout.offset[kind] + number] =
                    kLayout.offset[kind] + Layout::swapped(kKinds[kind].size, number);
        for (int i = kLayout.length(); i < each; ++i) swapped[i] = i;  // counts of moves
        for (size_t start = 0; start < weights.size(); start += each)
            for (int i = 0; i < each; ++i) table_[1][start + swapped[i]] = weights[start + i];
    }
    static int size_of_phase() { return patterns::kLayout.length() + 2 * patterns::kMobility; }

    /// The expected final difference in discs for the side to move, in units.
    int evaluate(const patterns::Numbers& numbers, const Board& board, int to_move) const {
        using namespace patterns;
        const int phase = phase_of(std::popcount(board.own | board.other));
        const int16_t* table = table_[to_move].data() + size_t(phase) * size_of_phase();
        int sum = 0;
        alignas(32) uint16_t number[kLanes];
        std::memcpy(number, numbers.part, sizeof number);
        for (int lane = 0; lane < kLayout.images; ++lane)
            sum += table[kLayout.offset[kLayout.kind_of[lane]] + number[lane]];
        const int16_t* mobility = table + kLayout.length();
        sum += mobility[std::min(std::popcount(board.moves(~0ULL)), kMobility - 1)];
        sum +=
            mobility[kMobility + std::min(std::popcount(board.other_moves(~0ULL)), kMobility - 1)];
        return sum;
    }

private:
    std::vector<int16_t> table_[2];
};

}  // namespace honte::othello
