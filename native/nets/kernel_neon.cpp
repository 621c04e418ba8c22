// Baseline NEON of every arm64 processor: sums pairs of products in 16 bits, which 7-bit
// activations cannot overflow.
#ifdef __aarch64__
#include "nets/neon.hpp"

namespace honte::nets {
namespace {

struct MultiplyAdd {
    template <int Cell>
    static int32x4_t add(int32x4_t sums, int8x16_t weights, int8x16_t cells) {
        const auto four = vreinterpret_s8_s32(vdup_laneq_s32(vreinterpretq_s32_s8(cells), Cell));
        const int16x8_t low = vmull_s8(vget_low_s8(weights), four);
        const int16x8_t high = vmull_s8(vget_high_s8(weights), four);
        return vpadalq_s16(sums, vpaddq_s16(low, high));
    }
};
struct NeonKernel : Neon<MultiplyAdd> {};

}  // namespace

void forward_neon(const Layout& net, const Board& board, Scratch& scratch) {
    ForwardPass<NeonKernel>::run(net, board, scratch);
}

}  // namespace honte::nets
#endif
