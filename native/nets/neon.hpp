// Shared by the kernels for arm64; `Dot` multiplies the channels of four cells with weights. Only
// their files include it, each compiling it for its own processors.
#pragma once

#include <arm_neon.h>

#include "nets/forward.hpp"

namespace honte::nets {
namespace {

template <class Dot>
struct Neon {
    using Lanes = Lanes4;
    static constexpr int kMostBlocks = 1, kMostSums = 4;

    using I16 = int16x8x2_t;
    using Bytes = uint8x16_t;

    static I16 load(const int16_t* at) { return {{vld1q_s16(at), vld1q_s16(at + 8)}}; }
    static void store(int16_t* at, I16 a) {
        vst1q_s16(at, a.val[0]);
        vst1q_s16(at + 8, a.val[1]);
    }
    static I16 all(int16_t number) { return {{vdupq_n_s16(number), vdupq_n_s16(number)}}; }
    static I16 both(I16 a, I16 b) {
        return {{vandq_s16(a.val[0], b.val[0]), vandq_s16(a.val[1], b.val[1])}};
    }
    static I16 plus(I16 a, I16 b) {
        return {{vaddq_s16(a.val[0], b.val[0]), vaddq_s16(a.val[1], b.val[1])}};
    }
    static I16 plus_saturated(I16 a, I16 b) {
        return {{vqaddq_s16(a.val[0], b.val[0]), vqaddq_s16(a.val[1], b.val[1])}};
    }
    static I16 larger(I16 a, I16 b) {
        return {{vmaxq_s16(a.val[0], b.val[0]), vmaxq_s16(a.val[1], b.val[1])}};
    }
    static I16 not_negative(I16 a) { return larger(a, all(0)); }
    static I16 at_most_127(I16 a) {
        const int16x8_t most = vdupq_n_s16(127);
        return {{vminq_s16(a.val[0], most), vminq_s16(a.val[1], most)}};
    }
    /// (a × b + 2¹⁴) / 2¹⁵; neither may be negative.
    static I16 times(I16 a, I16 b) {
        return {{vqrdmulhq_s16(a.val[0], b.val[0]), vqrdmulhq_s16(a.val[1], b.val[1])}};
    }
    static int32_t dot(I16 a, I16 b) {
        int32x4_t sum = vmull_s16(vget_low_s16(a.val[0]), vget_low_s16(b.val[0]));
        sum = vmlal_high_s16(sum, a.val[0], b.val[0]);
        sum = vmlal_s16(sum, vget_low_s16(a.val[1]), vget_low_s16(b.val[1]));
        return vaddvq_s32(vmlal_high_s16(sum, a.val[1], b.val[1]));
    }
    static I16 scaled(const int32_t* sums, const float* scale) {
        const auto four = [&](int at) {
            const float32x4_t wide = vcvtq_f32_s32(vld1q_s32(sums + at));
            return vqmovn_s32(vcvtnq_s32_f32(vmulq_f32(wide, vld1q_f32(scale + at))));
        };
        return {{vcombine_s16(four(0), four(4)), vcombine_s16(four(8), four(12))}};
    }

    /// 0 … 127 in bytes.
    static Bytes narrow(I16 a) {
        const uint8x16_t bytes = vcombine_u8(vqmovun_s16(a.val[0]), vqmovun_s16(a.val[1]));
        return vminq_u8(bytes, vdupq_n_u8(127));
    }
    /// Sixteen channels of four cells to four groups of four channels.
    static void store_cells(Bytes a, Bytes b, Bytes c, Bytes d, uint8_t* at, ptrdiff_t plane) {
        const auto wide = [](Bytes bytes) { return vreinterpretq_u32_u8(bytes); };
        const uint32x4x2_t ab = vzipq_u32(wide(a), wide(b)), cd = vzipq_u32(wide(c), wide(d));
        const auto store = [&](int group, uint32x2_t first, uint32x2_t second) {
            vst1q_u8(at + group * plane, vreinterpretq_u8_u32(vcombine_u32(first, second)));
        };
        store(0, vget_low_u32(ab.val[0]), vget_low_u32(cd.val[0]));
        store(1, vget_high_u32(ab.val[0]), vget_high_u32(cd.val[0]));
        store(2, vget_low_u32(ab.val[1]), vget_low_u32(cd.val[1]));
        store(3, vget_high_u32(ab.val[1]), vget_high_u32(cd.val[1]));
    }
    static void store_cell(Bytes a, uint8_t* at, ptrdiff_t plane) {
        uint8_t bytes[kBlock];
        vst1q_u8(bytes, a);
        for (int group = 0; group < kBlock / kGroup; ++group)
            __builtin_memcpy(at + group * plane, bytes + kGroup * group, kGroup);
    }

    /// Reads sixteen bytes for every four cells, even if there are fewer.
    template <int Cells>
    static void sum_tile(const uint8_t* in, const int32_t* steps, const Convolution& layer,
                         const int8_t* weights, const int32_t* bias, int32_t* sums) {
        int32x4_t sum[Cells][4];
#pragma GCC unroll 4
        for (int i = 0; i < Cells; ++i)
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) sum[i][k] = vld1q_s32(bias + 4 * k);
        for (int step = 0; step < layer.steps; ++step) {
            const uint8_t* const cells = in + steps[step];
            const int8x16_t four = vreinterpretq_s8_u8(vld1q_u8(cells));
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k) {
                const int8x16_t by_output = vld1q_s8(weights + 16 * k);
                sum[0][k] = Dot::template add<0>(sum[0][k], by_output, four);
                if constexpr (Cells > 1)
                    sum[1][k] = Dot::template add<1>(sum[1][k], by_output, four);
                if constexpr (Cells > 2)
                    sum[2][k] = Dot::template add<2>(sum[2][k], by_output, four);
                if constexpr (Cells > 3)
                    sum[3][k] = Dot::template add<3>(sum[3][k], by_output, four);
            }
            weights += ptrdiff_t{kGroup} * layer.outs;
        }
#pragma GCC unroll 4
        for (int i = 0; i < Cells; ++i)
#pragma GCC unroll 4
            for (int k = 0; k < 4; ++k)
                vst1q_s32(sums + ptrdiff_t{i} * layer.outs + 4 * k, sum[i][k]);
    }
    static Tile tile(int, int cells) {
        static constexpr Tile tiles[] = {&sum_tile<1>, &sum_tile<2>, &sum_tile<3>, &sum_tile<4>};
        return tiles[cells - 1];
    }
};

}  // namespace
}  // namespace honte::nets
