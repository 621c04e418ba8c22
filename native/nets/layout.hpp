// A network as the kernels see it: plain pointers. Kernels are compiled for other processors than
// the rest, so no function may be defined here that the linker could share with the rest.
#pragma once

#include <cstddef>
#include <cstdint>

namespace honte::nets {

/// Output channels come in blocks of 16, padded with zeros; input channels in groups of 4.
inline constexpr int kBlock = 16, kGroup = 4;
/// The largest magnitude that pooling adds to a sum.
inline constexpr float kMostPooled = 16777216.0f;
inline constexpr int kMostSide = 19, kMostChannels = 256, kMostHidden = 256;

/// sums = bias + weights · activations; result = sums × scale, rounded to nearest even.
struct Convolution {
    const int8_t* weights;  // [steps][outs][4]
    const int32_t* bias;
    const float* scale;
    int groups, steps, outs;  // steps: taps × groups
};

/// Adds products in the order of its inputs.
struct Matrix {
    const float* weights;  // [ins][outs]
    const float* bias;
    int ins, outs;
};

struct ResidualBlock {
    Convolution first, second;
    const int16_t* copy;  // of the stream to 7 bits: multipliers in 1/32768
    const Matrix* pool;   // nullptr: without
};

/// A number for each cell: weights · relu(the cell's features + a bias from all cells).
struct CellHead {
    Matrix pool;
    const int16_t* weights;  // nullptr: the network has no such head
    float scale, bias;
};

/// Outputs of the value layer: logits of win, draw, loss and of a pass; the lead of the side to
/// move in points.
enum Value { kWin, kDraw, kLoss, kPass, kScore, kValues };

struct Layout {
    int planes, channels, head_channels;
    Convolution stem, head;
    const ResidualBlock* blocks;
    int block_count;
    const int16_t* head_copy;
    Matrix hidden, values;
    CellHead policy, ownership;
};

/// The rectangle of a position that holds its board, with one empty cell around and between
/// columns, so that the nine taps of a convolution are nine fixed offsets:
///
///     . . . . .      rows = 3, stride = 4: above a column's last cell and below the next
///     0 1 2 . 0      column's first stands the same empty cell
///     1 2 . 0 1 …
struct Board {
    int columns, rows;
    int stride;           // cells from a column to the next
    int plane;            // all cells, the border included
    int area;             // cells on the board
    const int16_t* mask;  // −1 on the board, 0 off it, by column; nullptr: all are on it
    // Where each step of a convolution reads: byte offsets from the cell that it computes.
    const int32_t* stem_steps;
    const int32_t* steps;
    const int32_t* head_steps;
};

/// Working memory of one evaluation; the cells around the board are zero.
struct Scratch {
    uint8_t* planes;   // [groups][plane][4], as everything of 7 bits
    uint8_t* copy;     // the stream's
    uint8_t* inner;    // between the convolutions of a block
    int16_t* stream;   // [columns][rows][channels]
    int16_t* head;     // [columns][rows][head channels]
    int32_t* sums;     // [rows][outs]
    int32_t* bias;     // [outs], with what pooling adds
    float* pooled;     // mean and maximum of each channel
    float* vectors;    // results of matrices
    float* policy;     // logits [columns][rows]
    float* ownership;  // likewise
    bool wants_ownership;
    float values[kValues];
};

/// Evaluates one position whose planes stand in the scratch memory.
using Forward = void (*)(const Layout&, const Board&, Scratch&);

// One for each kernel; those of other architectures are declared but never linked.
void forward_plain(const Layout&, const Board&, Scratch&);
void forward_avx2(const Layout&, const Board&, Scratch&);
void forward_avxvnni(const Layout&, const Board&, Scratch&);
void forward_avx512(const Layout&, const Board&, Scratch&);
void forward_neon(const Layout&, const Board&, Scratch&);
void forward_dotprod(const Layout&, const Board&, Scratch&);

}  // namespace honte::nets
