// The network's forward pass, over the vector operations of a kernel K. Every kernel computes the
// same bits: integers are exact, and each float operation is rounded once, in a fixed order.
//
// K must be local to its file, so that the linker does not merge instances of these templates that
// were compiled for different processors.
#pragma once

#include "nets/layout.hpp"

namespace honte::nets {

// A register's worth of numbers, for code that needs no special instructions: K::Lanes.
struct Lanes4 {
    typedef float Floats __attribute__((vector_size(16), aligned(4), may_alias));
    typedef int32_t Integers __attribute__((vector_size(16), aligned(4), may_alias));
    typedef int16_t Shorts __attribute__((vector_size(8), aligned(2), may_alias));
};
struct Lanes8 {
    typedef float Floats __attribute__((vector_size(32), aligned(4), may_alias));
    typedef int32_t Integers __attribute__((vector_size(32), aligned(4), may_alias));
    typedef int16_t Shorts __attribute__((vector_size(16), aligned(2), may_alias));
};
struct Lanes16 {
    typedef float Floats __attribute__((vector_size(64), aligned(4), may_alias));
    typedef int32_t Integers __attribute__((vector_size(64), aligned(4), may_alias));
    typedef int16_t Shorts __attribute__((vector_size(32), aligned(2), may_alias));
};

/// Sums of some blocks × cells of one column: (activations of the first cell, offsets of the
/// steps, layer, weights, bias, sums).
using Tile = void (*)(const uint8_t*, const int32_t*, const Convolution&, const int8_t*,
                      const int32_t*, int32_t*);

template <class K>
class ForwardPass {
public:
    static void run(const Layout& net, const Board& board, Scratch& scratch) {
        ForwardPass(net, board, scratch).run();
    }

private:
    using I16 = typename K::I16;
    using Floats = typename K::Lanes::Floats;
    using Integers = typename K::Lanes::Integers;
    using Shorts = typename K::Lanes::Shorts;
    static constexpr int kLanes = sizeof(Floats) / sizeof(float);

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
        write_cells(net_.policy, scratch_.policy);
        if (scratch_.wants_ownership) write_cells(net_.ownership, scratch_.ownership);
        multiply(net_.hidden, scratch_.pooled, scratch_.vectors);
        for (int i = 0; i < net_.hidden.outs; ++i)
            scratch_.vectors[i] = scratch_.vectors[i] > 0 ? scratch_.vectors[i] : 0.0f;
        multiply(net_.values, scratch_.vectors, scratch_.pooled);
        for (int i = 0; i < kValues; ++i) scratch_.values[i] = scratch_.pooled[i];
    }

    // -- convolutions ----------------------------------------------------------------

    /// The sums of one column: [rows][outs].
    void sum_column(const Convolution& layer, const uint8_t* in, const int32_t* steps, int column,
                    const int32_t* bias) {
        const uint8_t* const first = in + kGroup * ((column + 1) * board_.stride + 1);
        const int blocks = layer.outs / kBlock;
        for (int block = 0; block < blocks;) {
            const int left = blocks - block;
            const int some = left < K::kMostBlocks ? left : K::kMostBlocks;
            const int limit = K::kMostSums / some;
            const int tiles = (board_.rows + limit - 1) / limit;
            for (int tile = 0, row = 0; tile < tiles; ++tile) {  // of almost equal size
                const int cells = (board_.rows - row) / (tiles - tile);
                K::tile(some, cells)(first + kGroup * row, steps, layer,
                                     layer.weights + kBlock * kGroup * block, bias + kBlock * block,
                                     scratch_.sums + ptrdiff_t{row} * layer.outs + kBlock * block);
                row += cells;
            }
            block += some;
        }
    }

    static I16 on_board(I16 features, const int16_t* mask, int cell) {
        return mask ? K::both(features, K::all(mask[cell])) : features;
    }

    /// Narrow to 7 bits what `features(sums, cell, channel)` makes of a layer's scaled sums.
    ///
    /// The loops read local copies: byte stores may alias anything, so the compiler would otherwise
    /// reload everything.
    template <class Features>
    void convolve(const Convolution& layer, const uint8_t* in, const int32_t* steps,
                  const int32_t* bias, uint8_t* out, const Features features) {
        const ptrdiff_t plane = ptrdiff_t{kGroup} * board_.plane;
        const int columns = board_.columns, rows = board_.rows, stride = board_.stride;
        const int outs = layer.outs;
        for (int column = 0; column < columns; ++column) {
            sum_column(layer, in, steps, column, bias);
            uint8_t* at = out + kGroup * ((column + 1) * stride + 1);
            const int32_t* sums = scratch_.sums;
            const float* scale = layer.scale;
            for (int channel = 0; channel < outs; channel += kBlock) {
                const auto bytes = [=](int row) {
                    const I16 scaled = K::scaled(sums + ptrdiff_t{row} * outs, scale);
                    return K::narrow(features(scaled, column * rows + row, channel));
                };
                int row = 0;
                for (; row + 4 <= rows; row += 4) {
                    const auto a = bytes(row), b = bytes(row + 1);
                    const auto c = bytes(row + 2), d = bytes(row + 3);
                    K::store_cells(a, b, c, d, at + kGroup * row, plane);
                }
                for (; row < rows; ++row) K::store_cell(bytes(row), at + kGroup * row, plane);
                sums += kBlock;
                scale += kBlock;
                at += kBlock / kGroup * plane;
            }
        }
    }

    template <bool Pools>
    void write_inner(const Convolution& layer) {
        auto* const sum = reinterpret_cast<int16_t*>(scratch_.vectors);  // < 2¹⁶: 19·19·127
        int16_t* const most = sum + kMostChannels;
        if constexpr (Pools)
            for (int i = 0; i < layer.outs; ++i) sum[i] = most[i] = 0;
        const int16_t* const mask = board_.mask;
        convolve(layer, scratch_.copy, board_.steps, layer.bias, scratch_.inner,
                 [=](I16 sums, int cell, int channel) {
                     const I16 kept = on_board(K::at_most_127(K::not_negative(sums)), mask, cell);
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
        const int32_t* const steps = Adds ? board_.steps : board_.stem_steps;
        const int16_t* const mask = board_.mask;
        int16_t* const stream = scratch_.stream;
        const ptrdiff_t outs = layer.outs;
        convolve(layer, in, steps, bias, scratch_.copy, [=](I16 sums, int cell, int channel) {
            int16_t* const at = stream + cell * outs + channel;
            const I16 moved = Adds ? K::plus_saturated(K::load(at), sums) : sums;
            const I16 kept = on_board(K::not_negative(moved), mask, cell);
            K::store(at, kept);
            return K::times(kept, K::load(copy + channel));
        });
    }

    void write_head() {
        const Convolution& layer = net_.head;
        const int rows = board_.rows, outs = layer.outs;
        const int16_t* const mask = board_.mask;
        int16_t* to = scratch_.head;
        for (int column = 0; column < board_.columns; ++column) {
            sum_column(layer, scratch_.copy, board_.head_steps, column, layer.bias);
            const int32_t* sums = scratch_.sums;
            for (int row = 0; row < rows; ++row)
                for (int channel = 0; channel < outs; channel += kBlock) {
                    const I16 scaled = K::scaled(sums, layer.scale + channel);
                    K::store(to, on_board(K::not_negative(scaled), mask, column * rows + row));
                    sums += kBlock;
                    to += kBlock;
                }
        }
    }

    // -- pooling, matrices, heads ----------------------------------------------------

    /// Compute several registers of outputs at once, which hides the latency of the additions.
    template <int Some>
    static int multiply_some(const Matrix& matrix, const float* in, float* out, int to) {
        const int ins = matrix.ins, outs = matrix.outs;
        for (; to + Some * kLanes <= outs; to += Some * kLanes) {
            Floats sum[Some];
            for (int k = 0; k < Some; ++k)
                sum[k] = *reinterpret_cast<const Floats*>(matrix.bias + to + kLanes * k);
            const float* weights = matrix.weights + to;
            for (int i = 0; i < ins; ++i, weights += outs)
                for (int k = 0; k < Some; ++k)
                    sum[k] += in[i] * *reinterpret_cast<const Floats*>(weights + kLanes * k);
            for (int k = 0; k < Some; ++k)
                *reinterpret_cast<Floats*>(out + to + kLanes * k) = sum[k];
        }
        return to;
    }
    static void multiply(const Matrix& matrix, const float* in, float* out) {
        multiply_some<1>(matrix, in, out, multiply_some<4>(matrix, in, out, 0));
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
        for (int channel = 0; channel < channels; channel += kLanes) {
            Integers sum{}, most{};
            const int16_t* at = scratch_.head + channel;
            for (int i = 0; i < cells; ++i, at += channels) {
                const auto features =
                    __builtin_convertvector(*reinterpret_cast<const Shorts*>(at), Integers);
                sum = sum + features;
                most = most > features ? most : features;
            }
            for (int i = 0; i < kLanes; ++i) {
                scratch_.pooled[channel + i] =
                    static_cast<float>(sum[i]) / static_cast<float>(board_.area);
                scratch_.pooled[channels + channel + i] = static_cast<float>(most[i]);
            }
        }
    }

    void write_cells(const CellHead& layer, float* out) {
        multiply(layer.pool, scratch_.pooled, scratch_.vectors);
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
                sum += K::dot(features, K::load(layer.weights + channel));
            }
            const float logit = static_cast<float>(sum) * layer.scale;
            const bool on = !board_.mask || board_.mask[cell];
            out[cell] = on ? logit + layer.bias : 0.0f;
        }
    }

    const Layout& net_;
    const Board& board_;
    Scratch& scratch_;
};

}  // namespace honte::nets
