// arm64 with the dot product of four bytes in one instruction (ARMv8.2).
#ifdef __ARM_FEATURE_DOTPROD
#include "nets/neon.hpp"

namespace honte::nets {
namespace {

struct DotProduct {
    template <int Cell>
    static int32x4_t add(int32x4_t sums, int8x16_t weights, int8x16_t cells) {
        return vdotq_laneq_s32(sums, weights, cells, Cell);
    }
};
struct DotprodKernel : Neon<DotProduct> {};

}  // namespace

void forward_dotprod(const Layout& net, const Board& board, Scratch& scratch) {
    ForwardPass<DotprodKernel>::run(net, board, scratch);
}

}  // namespace honte::nets
#endif
