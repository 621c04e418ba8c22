// Network inference: policy, outcome, score and ownership of positions.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "nets/kernels.hpp"
#include "nets/network.hpp"

namespace honte::nets {

/// exp(x) for x ≤ 0; the same bits on every machine.
float exponential(float x);

/// Where evaluations of a batch are written; null pointers are skipped. Outputs that the network
/// has no head for are 0.
struct Outputs {
    float* policy;               // a logit for each cell [batch][columns][rows], 0 off the board
    float* outcome;              // chances of win, draw and loss for the side to move [batch][3]
    float* pass = nullptr;       // the logit of a pass [batch]
    float* score = nullptr;      // the final lead of the side to move, in points [batch]
    float* ownership = nullptr;  // 1 the side to move's … −1 the other's [batch][columns][rows]
};

/// Working memory for one thread; the network is shared.
class Evaluator {
public:
    explicit Evaluator(std::shared_ptr<const Network> network,
                       const Kernel& kernel = nets::kernel());

    /// Evaluate positions given as planes [batch][columns][rows][planes], of which the lowest
    /// bit of each byte counts; plane 0 marks the board, and cells off it change nothing.
    void evaluate(const uint8_t* planes, int batch, int columns, int rows, Outputs out);

    const Network& network() const { return *network_; }

private:
    void find_board(const uint8_t* planes, int columns, int rows);
    void lay_out();
    void read_planes(const uint8_t* planes, int rows);
    void write(const float* cells, int rows, float* out) const;

    std::shared_ptr<const Network> network_;
    const Kernel* kernel_;
    Board board_{};
    int first_column_ = 0, first_row_ = 0;
    Scratch scratch_{};
    std::vector<uint8_t> memory_;
    std::vector<int16_t> mask_;
    std::vector<int32_t> stem_steps_, steps_;
};

}  // namespace honte::nets
