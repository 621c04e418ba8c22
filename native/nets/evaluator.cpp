#include "nets/evaluator.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace honte::nets {

/// exp(x) for x ≤ 0, in float32 without fused operations: the same bits everywhere. The logarithm
/// of 2 comes in two parts (Cody & Waite 1980).
float exponential(float x) {
    x = std::max(x, -87.0f);
    const float k = std::nearbyint(x * 1.44269504f);
    const float r = (x - k * 0.693359375f) - k * -2.12194440e-4f;
    float power = 1.0f / 720;
    for (const float factor : {1.0f / 120, 1.0f / 24, 1.0f / 6, 1.0f / 2, 1.0f, 1.0f})
        power = power * r + factor;
    return power * std::bit_cast<float>((static_cast<int32_t>(k) + 127) << 23);
}

namespace {

void softmax(const float* logits, float* chances) {
    const float most = std::max({logits[0], logits[1], logits[2]});
    for (int i = 0; i < 3; ++i) chances[i] = exponential(logits[i] - most);
    const float sum = (chances[0] + chances[1]) + chances[2];
    for (int i = 0; i < 3; ++i) chances[i] = chances[i] / sum;
}

/// The same bits on every machine.
float hyperbolic_tangent(float x) {
    const float power = exponential(-2.0f * std::abs(x));
    return std::copysign((1.0f - power) / (1.0f + power), x);
}

constexpr size_t kAlignment = 64;

}  // namespace

Evaluator::Evaluator(std::shared_ptr<const Network> network, const Kernel& kernel)
    : network_(std::move(network)), kernel_(&kernel) {}

void Evaluator::evaluate(const uint8_t* planes, int batch, int columns, int rows, Outputs out) {
    const int cells = columns * rows;
    scratch_.wants_ownership = out.ownership && network_->layout().ownership.weights;
    for (int i = 0; i < batch; ++i) {
        find_board(planes, columns, rows);
        std::fill_n(out.policy, cells, 0.0f);
        if (out.ownership) std::fill_n(out.ownership, cells, 0.0f);
        std::fill_n(scratch_.values, +kValues, 0.0f);
        if (board_.area > 0) {
            read_planes(planes, rows);
            kernel_->forward(network_->layout(), board_, scratch_);
            write(scratch_.policy, rows, out.policy);
            if (scratch_.wants_ownership) {
                write(scratch_.ownership, rows, out.ownership);
                std::transform(out.ownership, out.ownership + cells, out.ownership,
                               hyperbolic_tangent);
            }
        }
        softmax(scratch_.values + kWin, out.outcome);
        if (out.pass) *out.pass++ = scratch_.values[kPass];
        if (out.score) *out.score++ = scratch_.values[kScore];
        if (out.ownership) out.ownership += cells;
        planes += static_cast<ptrdiff_t>(cells) * network_->layout().planes;
        out.policy += cells;
        out.outcome += 3;
    }
}

/// Copy numbers of the board's cells onto the canvas.
void Evaluator::write(const float* cells, int rows, float* out) const {
    for (int column = 0; column < board_.columns; ++column)
        std::copy_n(cells + column * board_.rows, board_.rows,
                    out + (first_column_ + column) * rows + first_row_);
}

/// Find the smallest rectangle around the cells that plane 0 marks; allocate memory if it changed.
void Evaluator::find_board(const uint8_t* planes, int columns, int rows) {
    const int step = network_->layout().planes;
    const int cells = columns * rows;
    int area = 0;
    for (int i = 0; i < cells; ++i) area += planes[i * step] & 1;
    int low_column = 0, high_column = columns - 1, low_row = 0, high_row = rows - 1;
    if (area != cells) {
        std::swap(low_column, high_column);
        std::swap(low_row, high_row);
        for (int i = 0; i < cells; ++i)
            if (planes[i * step] & 1) {
                low_column = std::min(low_column, i / rows);
                high_column = std::max(high_column, i / rows);
                low_row = std::min(low_row, i % rows);
                high_row = std::max(high_row, i % rows);
            }
    }
    const Board before = board_;
    first_column_ = low_column;
    first_row_ = low_row;
    board_.area = area;
    board_.columns = area ? high_column - low_column + 1 : 0;
    board_.rows = area ? high_row - low_row + 1 : 0;
    board_.mask = nullptr;
    if (area && (board_.columns != before.columns || board_.rows != before.rows)) lay_out();
    if (area == board_.columns * board_.rows) return;
    mask_.clear();
    for (int column = low_column; column <= high_column; ++column)
        for (int row = low_row; row <= high_row; ++row)
            mask_.push_back(planes[(column * rows + row) * step] & 1 ? -1 : 0);
    board_.mask = mask_.data();
}

void Evaluator::lay_out() {
    const Layout& net = network_->layout();
    board_.stride = board_.rows + 1;
    board_.plane = (board_.columns + 2) * board_.stride + 1;
    const auto fill = [&](std::vector<int32_t>& steps, int groups) {
        steps.clear();
        for (int column = -1; column <= 1; ++column)
            for (int row = -1; row <= 1; ++row)
                for (int group = 0; group < groups; ++group)
                    steps.push_back(kGroup * (column * board_.stride + row + group * board_.plane));
        return steps.data();
    };
    board_.stem_steps = fill(stem_steps_, net.stem.groups);
    board_.steps = fill(steps_, net.head.groups);
    board_.head_steps = board_.steps + 4 * net.head.groups;  // the steps of the middle tap
    const size_t cells = static_cast<size_t>(board_.columns) * static_cast<size_t>(board_.rows);
    const auto plane = static_cast<size_t>(board_.plane);
    const auto channels = static_cast<size_t>(net.channels);
    const auto head = static_cast<size_t>(net.head_channels);
    const size_t widest = std::max(channels, head);
    const auto groups = static_cast<size_t>(net.stem.groups);
    size_t used = 0;
    uint8_t* base = nullptr;
    const auto take = [&]<class T>(T*& to, size_t count) {
        if (base) to = reinterpret_cast<T*>(base + used);
        used += (count * sizeof(T) + kAlignment) / kAlignment * kAlignment;
    };
    const auto take_all = [&] {
        used = 0;
        take(scratch_.planes, groups * plane * kGroup);
        take(scratch_.copy, channels * plane);
        take(scratch_.inner, channels * plane);
        take(scratch_.stream, cells * channels);
        take(scratch_.head, cells * head);
        take(scratch_.sums, static_cast<size_t>(board_.rows) * widest);
        take(scratch_.bias, channels);
        take(scratch_.pooled, 2 * widest);
        take(scratch_.vectors, std::max(kMostHidden, kMostChannels));
        take(scratch_.policy, cells);
        take(scratch_.ownership, cells);
    };
    take_all();
    memory_.assign(used + kAlignment, 0);
    const auto address = reinterpret_cast<uintptr_t>(memory_.data());
    base = memory_.data() + (kAlignment - address % kAlignment) % kAlignment;
    take_all();
}

/// From [cell][planes] to [group][cell][4].
void Evaluator::read_planes(const uint8_t* planes, int rows) {
    const int count = network_->layout().planes;
    for (int column = 0; column < board_.columns; ++column)
        for (int row = 0; row < board_.rows; ++row) {
            const uint8_t* from =
                planes + ((first_column_ + column) * rows + first_row_ + row) * count;
            const bool on = from[0] & 1;
            uint8_t* to = scratch_.planes + kGroup * ((column + 1) * board_.stride + row + 1);
            for (int left = count; left > 0; left -= kGroup, from += kGroup) {
                uint32_t four = 0;
                if (left >= kGroup)
                    std::memcpy(&four, from, sizeof four);
                else
                    for (int i = left - 1; i >= 0; --i) four = four << 8 | from[i];
                four = on ? four & 0x01010101u : 0;
                std::memcpy(to, &four, sizeof four);
                to += ptrdiff_t{kGroup} * board_.plane;
            }
        }
}

}  // namespace honte::nets
