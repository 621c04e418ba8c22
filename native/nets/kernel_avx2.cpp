// AVX2: sums pairs of products in 16 bits, which 7-bit activations cannot overflow.
#ifdef __AVX2__
#include "nets/x86.hpp"

namespace honte::nets {
namespace {

struct MultiplyAdd {
    static __m256i add(__m256i sums, __m256i activations, __m256i weights) {
        const __m256i pairs = _mm256_maddubs_epi16(activations, weights);
        return _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)));
    }
};
struct Avx2 : Ymm<MultiplyAdd> {};

}  // namespace

void forward_avx2(const Layout& net, const Board& board, Scratch& scratch) {
    ForwardPass<Avx2>::run(net, board, scratch);
}

}  // namespace honte::nets
#endif
