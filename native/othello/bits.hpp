// Faster versions of the bit functions of othello/game.hpp, for the searches.
//
// On machines with AVX-512 all eight directions fit one register and the nearest disc is a
// count of leading zeros; elsewhere these are the functions of the rules.
#pragma once

#include <bit>
#include <cstdint>

#include "othello/game.hpp"

#if defined(__AVX512VL__) && defined(__AVX512CD__) && !defined(HONTE_PORTABLE)
#define HONTE_OTHELLO_AVX512 1
#include <immintrin.h>
#endif

namespace honte::othello::bits {

#if defined(HONTE_OTHELLO_AVX512)
/// The four lines through each square, above it and below it.
struct alignas(32) LineMasks {
    uint64_t up[64][4] = {}, down[64][4] = {};
    constexpr LineMasks() {
        constexpr int row_step[4] = {0, 1, 1, 1}, col_step[4] = {1, -1, 0, 1};
        for (int square = 0; square < 64; ++square)
            for (int k = 0; k < 4; ++k)
                for (const int sign : {1, -1}) {
                    const int down_by = sign * row_step[k], right_by = sign * col_step[k];
                    int row = square / 8 + down_by, col = square % 8 + right_by;
                    for (; row >= 0 && row < 8 && col >= 0 && col < 8;
                         row += down_by, col += right_by)
                        (sign > 0 ? up : down)[square][k] |= 1ULL << (8 * row + col);
                }
    }
};
inline constexpr LineMasks kLineMasks;

inline uint64_t any4(__m256i v) {
    const __m128i half = _mm_or_si128(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1));
    return static_cast<uint64_t>(_mm_cvtsi128_si64(half)) |
           static_cast<uint64_t>(_mm_extract_epi64(half, 1));
}

/// The discs of `other` that flip when `own` plays on a square.
inline uint64_t fast_flips(uint64_t own, uint64_t other, int square) {
    const __m256i mine = _mm256_set1_epi64x(static_cast<long long>(own));
    const __m256i theirs = _mm256_set1_epi64x(static_cast<long long>(other));
    // Upwards, the nearest square that is not theirs is the lowest bit; everything below it flips.
    const __m256i up = _mm256_load_si256(reinterpret_cast<const __m256i*>(kLineMasks.up[square]));
    const __m256i open = _mm256_andnot_si256(theirs, up);
    const __m256i minus_one = _mm256_set1_epi64x(-1);
    const __m256i lowest =
        _mm256_and_si256(_mm256_andnot_si256(_mm256_add_epi64(open, minus_one), open), mine);
    const __mmask8 found = _mm256_test_epi64_mask(lowest, lowest);
    const __m256i above = _mm256_maskz_and_epi64(found, _mm256_add_epi64(lowest, minus_one), up);
    // Downwards it is the highest bit.
    const __m256i down =
        _mm256_load_si256(reinterpret_cast<const __m256i*>(kLineMasks.down[square]));
    const __m256i zeros = _mm256_lzcnt_epi64(_mm256_andnot_si256(theirs, down));
    const __m256i top = _mm256_set1_epi64x(static_cast<long long>(0x8000000000000000ULL));
    const __m256i highest = _mm256_and_si256(_mm256_srlv_epi64(top, zeros), mine);
    // −2h sets every bit above h; with h = 0, none.
    const __m256i below = _mm256_and_si256(
        _mm256_sub_epi64(_mm256_setzero_si256(), _mm256_add_epi64(highest, highest)), down);
    return any4(_mm256_or_si256(above, below));
}

/// The squares from which `own` flanks something of `other`, before removing taken squares.
inline uint64_t fast_reach(uint64_t own, uint64_t other) {
    // Rotations serve as shifts: a run lies on squares that are inside in its direction.
    const __m512i by = _mm512_set_epi64(1, 7, 8, 9, 63, 57, 56, 55);
    const __m512i by2 = _mm512_set_epi64(2, 14, 16, 18, 62, 50, 48, 46);
    const __m512i inside = _mm512_set_epi64(
        0x7e7e7e7e7e7e7e7e, 0x007e7e7e7e7e7e00, 0x00ffffffffffff00, 0x007e7e7e7e7e7e00,
        0x7e7e7e7e7e7e7e7e, 0x007e7e7e7e7e7e00, 0x00ffffffffffff00, 0x007e7e7e7e7e7e00);
    const __m512i line = _mm512_and_si512(_mm512_set1_epi64(static_cast<long long>(other)), inside);
    const __m512i start = _mm512_set1_epi64(static_cast<long long>(own));
    __m512i run = _mm512_and_si512(line, _mm512_maskz_rolv_epi64(0xff, start, by));
    // 0xf8 is a | (b & c).
    run = _mm512_ternarylogic_epi64(run, line, _mm512_maskz_rolv_epi64(0xff, run, by), 0xf8);
    const __m512i pairs = _mm512_and_si512(line, _mm512_maskz_rolv_epi64(0xff, line, by));
    run = _mm512_ternarylogic_epi64(run, pairs, _mm512_maskz_rolv_epi64(0xff, run, by2), 0xf8);
    run = _mm512_ternarylogic_epi64(run, pairs, _mm512_maskz_rolv_epi64(0xff, run, by2), 0xf8);
    const __m512i ends = _mm512_maskz_rolv_epi64(0xff, run, by);
    return any4(_mm256_or_si256(_mm512_maskz_extracti64x4_epi64(0xf, ends, 0),
                                _mm512_maskz_extracti64x4_epi64(0xf, ends, 1)));
}
#else
inline uint64_t fast_flips(uint64_t own, uint64_t other, int square) {
    return flips(own, other, square);
}
inline uint64_t fast_reach(uint64_t own, uint64_t other) { return reach(own, other); }
#endif

/// The eight neighbours of each square: a move flips something only next to an opposing disc.
struct Neighbours {
    uint64_t of[64] = {};
    constexpr Neighbours() {
        for (int square = 0; square < 64; ++square)
            for (int row = square / 8 - 1; row <= square / 8 + 1; ++row)
                for (int col = square % 8 - 1; col <= square % 8 + 1; ++col)
                    if (row >= 0 && row < 8 && col >= 0 && col < 8 && 8 * row + col != square)
                        of[square] |= 1ULL << (8 * row + col);
    }
};
inline constexpr Neighbours kNeighbours;

/// Twice the discs that flip in a line of eight when `at` is played, indexed by the mover's discs.
/// Every other square counts as the opponent's: the board is full but for this square.
struct LastFlips {
    uint8_t twice[8][256] = {};
    uint64_t up_diagonal[64] = {}, down_diagonal[64] = {};
    constexpr LastFlips() {
        for (int at = 0; at < 8; ++at)
            for (int line = 0; line < 256; ++line)
                for (const int step : {1, -1}) {
                    int i = at + step;
                    while (i >= 0 && i < 8 && !(line >> i & 1)) i += step;
                    if (i >= 0 && i < 8)
                        twice[at][line] += static_cast<uint8_t>(2 * (step * (i - at) - 1));
                }
        for (int square = 0; square < 64; ++square)
            for (int other = 0; other < 64; ++other) {
                const int down = other / 8 - square / 8, right = other % 8 - square % 8;
                if (down == right) down_diagonal[square] |= 1ULL << other;
                if (down == -right) up_diagonal[square] |= 1ULL << other;
            }
    }
};
inline constexpr LastFlips kLastFlips;

/// Twice the discs that flip when `own` takes the last empty square of the board.
inline int last_flips(uint64_t own, int square) {
    constexpr uint64_t kFirstFile = 0x0101010101010101ULL;
    const int row = square >> 3, col = square & 7;
    const auto& by_col = kLastFlips.twice[col];
    // A multiplication gathers a file, or a diagonal, into the top byte.
    return by_col[own >> (8 * row) & 255] +
           kLastFlips.twice[row][((own >> col & kFirstFile) * 0x0102040810204080ULL) >> 56] +
           by_col[(own & kLastFlips.down_diagonal[square]) * kFirstFile >> 56] +
           by_col[(own & kLastFlips.up_diagonal[square]) * kFirstFile >> 56];
}

}  // namespace honte::othello::bits
