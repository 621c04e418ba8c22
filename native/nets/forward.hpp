// The network's arithmetic, over the vectors that a kernel K offers. Every kernel computes the
// same to the bit: integers are exact, and each float operation is rounded once, in one order.
//
// K must be local to its file, so that the linker shares no instance of these templates.
#pragma once

#include "nets/layout.hpp"

namespace honte::nets {

/// Sixteen numbers; the compiler splits them where registers are narrower.
typedef float Floats __attribute__((vector_size(64), aligned(4), may_alias));
typedef int32_t Integers __attribute__((vector_size(64), aligned(4), may_alias));
typedef int16_t Shorts __attribute__((vector_size(32), aligned(2), may_alias));

/// Sums of some blocks × cells of one column: (activations of the first cell, offsets of the
/// taps, bytes of a plane, layer, weights, bias, sums).
using Tile = void (*)(const uint8_t*, const ptrdiff_t*, ptrdiff_t, const Convolution&,
                      const int8_t*, const int32_t*, int32_t*);

template <class K>
class ForwardPass {
public:
    static void run(const Layout& net, const Board& board, Scratch& scratch) {
        ForwardPass(net, board, scratch).run();
    }

private:
    using I16 = typename K::I16;

    ForwardPass(const Layout& net, const Board& board, Scratch& scratch)
        : net_(net), board_(board), scratch_(scratch) {}

    void run() {
        write_stream<false>(net_.stem, scratch_.planes, net_.stem.bias, 0);
        for (int i = 0; i < net_.block_count; ++i) {
            const ResidualBlock& block = net_.blocks[i];
            const int32_t* bias = block.second.bias;
            if (block.pool) {
                write_inner<true>(block.first);
                bias = bias_with_pool(block);
            } else {
                write_inner<false>(block.first);
            }
            write_stream<true>(block.second, scratch_.inner, bias, i + 1);
        }
        write_head();
        pool_head();
        multiply(net_.value_hidden, scratch_.pooled, scratch_.vectors);
        for (int i = 0; i < net_.value_hidden.outs; ++i)
            scratch_.vectors[i] = scratch_.vectors[i] > 0 ? scratch_.vectors[i] : 0.0f;
        float outcome[kBlock];
        multiply(net_.value_outcome, scratch_.vectors, outcome);
        for (int i = 0; i < 3; ++i) scratch_.outcome[i] = outcome[i];
        multiply(net_.policy_pool, scratch_.pooled, scratch_.vectors);
        write_policy();
    }

    // -- convolutions ----------------------------------------------------------------

    /// The sums of one column: [rows][outs].
    void sum_column(const Convolution& layer, const uint8_t* in, int column, const int32_t* bias) {
        ptrdiff_t taps[9];
        for (int i = 0; i < layer.taps; ++i)
            taps[i] = layer.taps == 1 ? 0 : kGroup * ((i / 3 - 1) * board_.stride + i % 3 - 1);
        const uint8_t* const first = in + kGroup * ((column + 1) * board_.stride + 1);
        const int blocks = layer.outs / kBlock;
        for (int block = 0; block < blocks;) {
            const int left = blocks - block;
            const int some = left < K::kMostBlocks ? left : K::kMostBlocks;
            const int limit = K::kMostSums / some;
            const int tiles = (board_.rows + limit - 1) / limit;
            for (int tile = 0, row = 0; tile < tiles; ++tile) {  // of almost equal size
                const int cells = (board_.rows - row) / (tiles - tile);
                K::tile(some, cells)(first + kGroup * row, taps, ptrdiff_t{kGroup} * board_.plane,
                                     layer, layer.weights + kBlock * kGroup * block,
                                     bias + kBlock * block,
                                     scratch_.sums + ptrdiff_t{row} * layer.outs + kBlock * block);
                row += cells;
            }
            block += some;
        }
    }

    I16 scaled(const Convolution& layer, int row, int channel) const {
        return K::scaled(scratch_.sums + ptrdiff_t{row} * layer.outs + channel,
                         layer.scale + channel);
    }
    I16 on_board(I16 features, int cell) const {
        return board_.mask ? K::both(features, K::all(board_.mask[cell])) : features;
    }

    /// Write 7 bits of what `features` makes of a layer's scaled sums: (sums, cell, channel).
    template <class Features>
    void convolve(const Convolution& layer, const uint8_t* in, const int32_t* bias, uint8_t* out,
                  Features features) {
        const ptrdiff_t plane = ptrdiff_t{kGroup} * board_.plane;
        for (int column = 0; column < board_.columns; ++column) {
            sum_column(layer, in, column, bias);
            uint8_t* const to = out + kGroup * ((column + 1) * board_.stride + 1);
            for (int channel = 0; channel < layer.outs; channel += kBlock) {
                uint8_t* const group = to + channel / kGroup * plane;
                int row = 0;
                const auto next = [&] {
                    const int cell = column * board_.rows + row;
                    const auto bytes =
                        K::narrow(features(scaled(layer, row, channel), cell, channel));
                    ++row;
                    return bytes;
                };
                while (row + 4 <= board_.rows) {
                    uint8_t* const at = group + kGroup * row;
                    const auto a = next(), b = next(), c = next(), d = next();
                    K::store_cells(a, b, c, d, at, plane);
                }
                while (row < board_.rows) {
                    uint8_t* const at = group + kGroup * row;
                    K::store_cell(next(), at, plane);
                }
            }
        }
    }

    template <bool Pools>
    void write_inner(const Convolution& layer) {
        auto* const sum = reinterpret_cast<int16_t*>(scratch_.vectors);  // < 2¹⁶: 19·19·127
        int16_t* const most = sum + kMostChannels;
        if constexpr (Pools)
            for (int i = 0; i < layer.outs; ++i) sum[i] = most[i] = 0;
        convolve(layer, scratch_.copy, layer.bias, scratch_.inner,
                 [&](I16 sums, int cell, int channel) {
                     const I16 kept = on_board(K::at_most_127(K::not_negative(sums)), cell);
                     if constexpr (Pools) {
                         K::store(sum + channel, K::plus(K::load(sum + channel), kept));
                         K::store(most + channel, K::larger(K::load(most + channel), kept));
                     }
                     return kept;
                 });
        if constexpr (Pools)
            for (int i = 0; i < layer.outs; ++i) {
                scratch_.pooled[i] = static_cast<float>(static_cast<uint16_t>(sum[i])) /
                                     static_cast<float>(board_.area);
                scratch_.pooled[layer.outs + i] = static_cast<float>(most[i]);
            }
    }

    template <bool Adds>
    void write_stream(const Convolution& layer, const uint8_t* in, const int32_t* bias, int next) {
        const int16_t* const copy =
            next < net_.block_count ? net_.blocks[next].copy : net_.head_copy;
        convolve(layer, in, bias, scratch_.copy, [&](I16 sums, int cell, int channel) {
            int16_t* const at = scratch_.stream + ptrdiff_t{cell} * layer.outs + channel;
            const I16 moved = Adds ? K::plus_saturated(K::load(at), sums) : sums;
            const I16 kept = on_board(K::not_negative(moved), cell);
            K::store(at, kept);
            return K::times(kept, K::load(copy + channel));
        });
    }

    void write_head() {
        const Convolution& layer = net_.head;
        for (int column = 0; column < board_.columns; ++column) {
            sum_column(layer, scratch_.copy, column, layer.bias);
            for (int row = 0; row < board_.rows; ++row)
                for (int channel = 0; channel < layer.outs; channel += kBlock) {
                    const int cell = column * board_.rows + row;
                    K::store(scratch_.head + ptrdiff_t{cell} * layer.outs + channel,
                             on_board(K::not_negative(scaled(layer, row, channel)), cell));
                }
        }
    }

    // -- pooling, matrices, policy ---------------------------------------------------

    static void multiply(const Matrix& matrix, const float* in, float* out) {
        for (int to = 0; to < matrix.outs; to += kBlock) {
            Floats sum = *reinterpret_cast<const Floats*>(matrix.bias + to);
            const float* weights = matrix.weights + to;
            for (int i = 0; i < matrix.ins; ++i, weights += matrix.outs)
                sum = sum + in[i] * *reinterpret_cast<const Floats*>(weights);
            *reinterpret_cast<Floats*>(out + to) = sum;
        }
    }

    static int rounded(float number, float most) {
        number = number < -most ? -most : number > most ? most : number;
        return static_cast<int>(__builtin_lrintf(number));
    }

    const int32_t* bias_with_pool(const ResidualBlock& block) {
        multiply(*block.pool, scratch_.pooled, scratch_.vectors);
        for (int i = 0; i < block.second.outs; ++i)
            scratch_.bias[i] = block.second.bias[i] + rounded(scratch_.vectors[i], kMostPooled);
        return scratch_.bias;
    }

    void pool_head() {
        const int cells = board_.columns * board_.rows, channels = net_.head_channels;
        for (int channel = 0; channel < channels; channel += kBlock) {
            Integers sum{}, most{};
            const int16_t* at = scratch_.head + channel;
            for (int i = 0; i < cells; ++i, at += channels) {
                const auto features =
                    __builtin_convertvector(*reinterpret_cast<const Shorts*>(at), Integers);
                sum = sum + features;
                most = most > features ? most : features;
            }
            for (int i = 0; i < kBlock; ++i) {
                scratch_.pooled[channel + i] =
                    static_cast<float>(sum[i]) / static_cast<float>(board_.area);
                scratch_.pooled[channels + channel + i] = static_cast<float>(most[i]);
            }
        }
    }

    void write_policy() {
        const int cells = board_.columns * board_.rows, channels = net_.head_channels;
        int16_t bias[kMostChannels];
        for (int i = 0; i < channels; ++i)
            bias[i] = static_cast<int16_t>(rounded(scratch_.vectors[i], 32767.0f));
        const int16_t* head = scratch_.head;
        for (int cell = 0; cell < cells; ++cell, head += channels) {
            int32_t sum = 0;
            for (int channel = 0; channel < channels; channel += kBlock) {
                const I16 features = K::not_negative(
                    K::plus_saturated(K::load(head + channel), K::load(bias + channel)));
                sum += K::dot(features, K::load(net_.policy_cell + channel));
            }
            const float logit = static_cast<float>(sum) * net_.policy_scale;
            const bool on = !board_.mask || board_.mask[cell];
            scratch_.policy[cell] = on ? logit + net_.policy_bias : 0.0f;
        }
    }

    const Layout& net_;
    const Board& board_;
    Scratch& scratch_;
};

}  // namespace honte::nets
