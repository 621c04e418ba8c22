// Portable C++: runs on every processor, and is the reference for the other kernels.
#include "nets/forward.hpp"

namespace honte::nets {
namespace {

struct Plain {
    using Lanes = Lanes4;
    static constexpr int kMostBlocks = 1, kMostSums = 4;

    struct I16 {
        int16_t at[kBlock];
    };
    struct Bytes {
        uint8_t at[kBlock];
    };

    template <class F>
    static I16 each(F f) {
        I16 result;
        for (int i = 0; i < kBlock; ++i) result.at[i] = static_cast<int16_t>(f(i));
        return result;
    }
    static int saturated(int number) {
        return number < -32768 ? -32768 : number > 32767 ? 32767 : number;
    }

    static I16 load(const int16_t* at) {
        return each([&](int i) { return at[i]; });
    }
    static void store(int16_t* at, const I16& a) {
        for (int i = 0; i < kBlock; ++i) at[i] = a.at[i];
    }
    static I16 all(int16_t number) {
        return each([&](int) { return number; });
    }
    static I16 both(const I16& a, const I16& b) {
        return each([&](int i) { return a.at[i] & b.at[i]; });
    }
    static I16 plus(const I16& a, const I16& b) {
        return each([&](int i) { return a.at[i] + b.at[i]; });
    }
    static I16 plus_saturated(const I16& a, const I16& b) {
        return each([&](int i) { return saturated(a.at[i] + b.at[i]); });
    }
    static I16 larger(const I16& a, const I16& b) {
        return each([&](int i) { return a.at[i] > b.at[i] ? a.at[i] : b.at[i]; });
    }
    static I16 not_negative(const I16& a) {
        return each([&](int i) { return a.at[i] > 0 ? a.at[i] : 0; });
    }
    static I16 at_most_127(const I16& a) {
        return each([&](int i) { return a.at[i] < 127 ? a.at[i] : 127; });
    }
    static I16 times(const I16& a, const I16& b) {
        return each([&](int i) { return (a.at[i] * b.at[i] + 16384) >> 15; });
    }
    static int32_t dot(const I16& a, const I16& b) {
        int32_t sum = 0;
        for (int i = 0; i < kBlock; ++i) sum += a.at[i] * b.at[i];
        return sum;
    }
    static I16 scaled(const int32_t* sums, const float* scale) {
        return each([&](int i) {
            const float number = static_cast<float>(sums[i]) * scale[i];
            return saturated(static_cast<int>(__builtin_lrintf(number)));
        });
    }

    static Bytes narrow(const I16& a) {
        Bytes bytes;
        for (int i = 0; i < kBlock; ++i)
            bytes.at[i] = static_cast<uint8_t>(a.at[i] < 0 ? 0 : a.at[i] > 127 ? 127 : a.at[i]);
        return bytes;
    }
    static void store_cell(const Bytes& a, uint8_t* at, ptrdiff_t plane) {
        for (int i = 0; i < kBlock; ++i) at[i / kGroup * plane + i % kGroup] = a.at[i];
    }
    static void store_cells(const Bytes& a, const Bytes& b, const Bytes& c, const Bytes& d,
                            uint8_t* at, ptrdiff_t plane) {
        store_cell(a, at, plane);
        store_cell(b, at + kGroup, plane);
        store_cell(c, at + 2 * kGroup, plane);
        store_cell(d, at + 3 * kGroup, plane);
    }

    template <int Cells>
    static void sum_tile(const uint8_t* in, const int32_t* steps, const Convolution& layer,
                         const int8_t* weights, const int32_t* bias, int32_t* sums) {
        int32_t sum[Cells][kBlock];
        for (int i = 0; i < Cells; ++i)
            for (int k = 0; k < kBlock; ++k) sum[i][k] = bias[k];
        for (int step = 0; step < layer.steps; ++step) {
            const uint8_t* const cells = in + steps[step];
            for (int i = 0; i < Cells; ++i)
                for (int k = 0; k < kBlock; ++k)
                    for (int n = 0; n < kGroup; ++n)
                        sum[i][k] += cells[kGroup * i + n] * weights[kGroup * k + n];
            weights += ptrdiff_t{kGroup} * layer.outs;
        }
        for (int i = 0; i < Cells; ++i)
            for (int k = 0; k < kBlock; ++k) sums[ptrdiff_t{i} * layer.outs + k] = sum[i][k];
    }
    static Tile tile(int, int cells) {
        static constexpr Tile tiles[] = {&sum_tile<1>, &sum_tile<2>, &sum_tile<3>, &sum_tile<4>};
        return tiles[cells - 1];
    }
};

}  // namespace

void forward_plain(const Layout& net, const Board& board, Scratch& scratch) {
    ForwardPass<Plain>::run(net, board, scratch);
}

}  // namespace honte::nets
