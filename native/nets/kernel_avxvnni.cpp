// AVX-VNNI: AVX2 with the dot product of four bytes in one instruction.
#ifdef __AVXVNNI__
#include "nets/x86.hpp"

namespace honte::nets {
namespace {

struct DotProduct {
    static __m256i add(__m256i sums, __m256i activations, __m256i weights) {
        return _mm256_dpbusd_avx_epi32(sums, activations, weights);
    }
};
struct AvxVnni : Ymm<DotProduct> {};

}  // namespace

void forward_avxvnni(const Layout& net, const Board& board, Scratch& scratch) {
    ForwardPass<AvxVnni>::run(net, board, scratch);
}

}  // namespace honte::nets
#endif
