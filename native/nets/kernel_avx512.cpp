// AVX-512 VNNI: sixteen sums in a register, the dot product of four bytes in one instruction.
#ifdef __AVX512VNNI__
#include <utility>

#include "nets/x86.hpp"

namespace honte::nets {
namespace {

struct Avx512 : X86Vectors {
    using Lanes = Lanes16;
    static constexpr int kMostBlocks = 4, kMostSums = 24;

    template <int Blocks, int Cells>
    static void sum_tile(const uint8_t* in, const int32_t* steps, const Convolution& layer,
                         const int8_t* weights, const int32_t* bias, int32_t* sums) {
        __m512i sum[Cells][Blocks];
#pragma GCC unroll 24
        for (int i = 0; i < Cells; ++i)
#pragma GCC unroll 4
            for (int k = 0; k < Blocks; ++k) sum[i][k] = _mm512_loadu_si512(bias + kBlock * k);
        for (int step = 0; step < layer.steps; ++step) {
            const uint8_t* const cells = in + steps[step];
            __m512i four_by_block[Blocks];
#pragma GCC unroll 4
            for (int k = 0; k < Blocks; ++k)
                four_by_block[k] = _mm512_loadu_si512(weights + kBlock * kGroup * k);
#pragma GCC unroll 24
            for (int i = 0; i < Cells; ++i) {
                const __m512i four = _mm512_set1_epi32(group_at(cells + kGroup * i));
#pragma GCC unroll 4
                for (int k = 0; k < Blocks; ++k)
                    sum[i][k] = _mm512_dpbusd_epi32(sum[i][k], four, four_by_block[k]);
            }
            weights += ptrdiff_t{kGroup} * layer.outs;
        }
#pragma GCC unroll 24
        for (int i = 0; i < Cells; ++i)
#pragma GCC unroll 4
            for (int k = 0; k < Blocks; ++k)
                _mm512_storeu_si512(sums + ptrdiff_t{i} * layer.outs + kBlock * k, sum[i][k]);
    }

    template <int Blocks, int... Cells>
    static Tile one_of(int cells, std::integer_sequence<int, Cells...>) {
        static constexpr Tile tiles[] = {&sum_tile<Blocks, Cells + 1>...};
        return tiles[cells - 1];
    }
    template <int Blocks>
    static Tile tile_of(int cells) {
        constexpr int kMost = kMostSums / Blocks < kMostSide ? kMostSums / Blocks : kMostSide;
        return one_of<Blocks>(cells, std::make_integer_sequence<int, kMost>());
    }
    static Tile tile(int blocks, int cells) {
        switch (blocks) {
            case 1:
                return tile_of<1>(cells);
            case 2:
                return tile_of<2>(cells);
            case 3:
                return tile_of<3>(cells);
            default:
                return tile_of<4>(cells);
        }
    }

    static I16 scaled(const int32_t* sums, const float* scale) {
        const __m512 wide = _mm512_cvtepi32_ps(_mm512_loadu_si512(sums));
        return _mm512_cvtsepi32_epi16(
            _mm512_cvtps_epi32(_mm512_mul_ps(wide, _mm512_loadu_ps(scale))));
    }
};

}  // namespace

void forward_avx512(const Layout& net, const Board& board, Scratch& scratch) {
    ForwardPass<Avx512>::run(net, board, scratch);
}

}  // namespace honte::nets
#endif
