// Vectors of sixteen 16-bit integers, shared by the kernels for x86-64. Only their files include
// it, each compiling it for its own processors.
#pragma once

#include <immintrin.h>

#include <cstring>

#include "nets/forward.hpp"

namespace honte::nets {
namespace {

struct X86Vectors {
    using I16 = __m256i;
    using Bytes = __m128i;

    static I16 load(const int16_t* at) {
        return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(at));
    }
    static void store(int16_t* at, I16 a) {
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(at), a);
    }
    static I16 all(int16_t number) { return _mm256_set1_epi16(number); }
    static I16 both(I16 a, I16 b) { return _mm256_and_si256(a, b); }
    static I16 plus(I16 a, I16 b) { return _mm256_add_epi16(a, b); }
    static I16 plus_saturated(I16 a, I16 b) { return _mm256_adds_epi16(a, b); }
    static I16 larger(I16 a, I16 b) { return _mm256_max_epi16(a, b); }
    static I16 not_negative(I16 a) { return _mm256_max_epi16(a, _mm256_setzero_si256()); }
    static I16 at_most_127(I16 a) { return _mm256_min_epi16(a, _mm256_set1_epi16(127)); }
    /// (a × b + 2¹⁴) / 2¹⁵
    static I16 times(I16 a, I16 b) { return _mm256_mulhrs_epi16(a, b); }
    static int32_t dot(I16 a, I16 b) {
        const __m256i sums = _mm256_madd_epi16(a, b);
        __m128i four =
            _mm_add_epi32(_mm256_castsi256_si128(sums), _mm256_extracti128_si256(sums, 1));
        four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
        return _mm_cvtsi128_si32(_mm_add_epi32(four, _mm_shuffle_epi32(four, 0xb1)));
    }

    /// 0 … 127 in bytes.
    static Bytes narrow(I16 a) {
        const __m128i bytes =
            _mm_packus_epi16(_mm256_castsi256_si128(a), _mm256_extracti128_si256(a, 1));
        return _mm_min_epu8(bytes, _mm_set1_epi8(127));
    }
    /// Sixteen channels of four cells to four groups of four channels.
    static void store_cells(Bytes a, Bytes b, Bytes c, Bytes d, uint8_t* at, ptrdiff_t plane) {
        const __m128i ab = _mm_unpacklo_epi32(a, b), cd = _mm_unpacklo_epi32(c, d);
        const __m128i ab2 = _mm_unpackhi_epi32(a, b), cd2 = _mm_unpackhi_epi32(c, d);
        const auto store = [&](int group, __m128i cells) {
            _mm_storeu_si128(reinterpret_cast<__m128i*>(at + group * plane), cells);
        };
        store(0, _mm_unpacklo_epi64(ab, cd));
        store(1, _mm_unpackhi_epi64(ab, cd));
        store(2, _mm_unpacklo_epi64(ab2, cd2));
        store(3, _mm_unpackhi_epi64(ab2, cd2));
    }
    static void store_cell(Bytes a, uint8_t* at, ptrdiff_t plane) {
        const auto store = [&](int group, int32_t channels) {
            std::memcpy(at + group * plane, &channels, sizeof channels);
        };
        store(0, _mm_cvtsi128_si32(a));
        store(1, _mm_extract_epi32(a, 1));
        store(2, _mm_extract_epi32(a, 2));
        store(3, _mm_extract_epi32(a, 3));
    }
    static int32_t group_at(const uint8_t* at) {
        int32_t channels;
        std::memcpy(&channels, at, sizeof channels);
        return channels;
    }
};

/// Eight sums in a register; `Dot` adds the products of four channels to each.
template <class Dot>
struct Ymm : X86Vectors {
    using Lanes = Lanes8;
    static constexpr int kMostBlocks = 1, kMostSums = 6;

    template <int Cells>
    static void sum_tile(const uint8_t* in, const int32_t* steps, const Convolution& layer,
                         const int8_t* weights, const int32_t* bias, int32_t* sums) {
        __m256i low[Cells], high[Cells];
#pragma GCC unroll 6
        for (int i = 0; i < Cells; ++i) {
            low[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bias));
            high[i] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bias + 8));
        }
        for (int step = 0; step < layer.steps; ++step) {
            const uint8_t* const cells = in + steps[step];
            const auto* const at = reinterpret_cast<const __m256i*>(weights);
#pragma GCC unroll 6
            for (int i = 0; i < Cells; ++i) {
                const __m256i four = _mm256_set1_epi32(group_at(cells + kGroup * i));
                low[i] = Dot::add(low[i], four, at[0]);
                high[i] = Dot::add(high[i], four, at[1]);
            }
            weights += ptrdiff_t{kGroup} * layer.outs;
        }
#pragma GCC unroll 6
        for (int i = 0; i < Cells; ++i) {
            int32_t* const at = sums + ptrdiff_t{i} * layer.outs;
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(at), low[i]);
            _mm256_storeu_si256(reinterpret_cast<__m256i*>(at + 8), high[i]);
        }
    }

    static Tile tile(int, int cells) {
        static constexpr Tile tiles[] = {&sum_tile<1>, &sum_tile<2>, &sum_tile<3>,
                                         &sum_tile<4>, &sum_tile<5>, &sum_tile<6>};
        return tiles[cells - 1];
    }

    static I16 scaled(const int32_t* sums, const float* scale) {
        const auto eight = [&](int at) {
            const __m256 wide =
                _mm256_cvtepi32_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(sums + at)));
            return _mm256_cvtps_epi32(_mm256_mul_ps(wide, _mm256_loadu_ps(scale + at)));
        };
        return _mm256_permute4x64_epi64(_mm256_packs_epi32(eight(0), eight(8)), 0xd8);
    }
};

}  // namespace
}  // namespace honte::nets
