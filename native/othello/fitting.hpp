// Fitting the pattern tables: linear least squares on the final difference in discs.
//
// For one phase, the prediction is the sum of the weights that a position's pattern numbers select.
// With X the matrix of which position uses which weight, the best weights solve (XᵀX + λ) w = Xᵀy.
// X has sixty ones a row, so it is never stored: the conjugate gradient method needs only products
// with it. λ is L2 regularisation (ridge regression), which keeps the weights of patterns seen once
// or twice small.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "othello/patterns.hpp"

namespace honte::othello {

/// A position and its final result, both as the side to move sees them.
struct Example {
    uint64_t own, other;
    float result;
};

/// How far predictions are from results.
struct Errors {
    double absolute = 0;
    int64_t count = 0;
    void add(double error) {
        absolute += std::fabs(error);
        ++count;
    }
};

/// The weights of one phase, being fitted.
class Fit {
public:
    explicit Fit(double lambda) : lambda_(lambda) {
        using namespace patterns;
        // Mirror images share a weight.
        weight_of_.resize(kLayout.length());
        std::vector<int> of(kLayout.length(), -1);
        for (int kind = 0; kind < kKindCount; ++kind)
            for (int number = 0; number < power(kKinds[kind].size); ++number) {
                int& shared = of[kLayout.offset[kind] + kLayout.canonical(kind, number)];
                if (shared < 0) shared = weights_++;
                weight_of_[kLayout.offset[kind] + number] = shared;
            }
        weights_ += 2 * kMobility;
        solution_.assign(weights_, 0);
    }

    void add(const Example& example) {
        const auto used = used_by(example);
        rows_.insert(rows_.end(), used.begin(), used.end());
        results_.push_back(example.result);
    }

    /// Run some conjugate gradient steps from the current weights, which start at zero.
    void run(int steps) {
        const auto n = static_cast<size_t>(weights_);
        if (direction_.empty()) {
            diagonal_.assign(n, lambda_);
            residual_.assign(n, 0);
            for (size_t row = 0; row < results_.size(); ++row)
                for (int j = 0; j < kUsed; ++j) {
                    residual_[at(row, j)] += results_[row];
                    diagonal_[at(row, j)] += 1;
                }
            direction_.assign(n, 0);
            for (size_t i = 0; i < n; ++i) direction_[i] = residual_[i] / diagonal_[i];
            energy_ = dot(residual_, direction_);
        }
        std::vector<double> product(n);
        for (; steps > 0 && energy_ > 1e-9; --steps) {
            for (size_t i = 0; i < n; ++i) product[i] = lambda_ * direction_[i];
            for (size_t row = 0; row < results_.size(); ++row) {
                double sum = 0;
                for (int j = 0; j < kUsed; ++j) sum += direction_[at(row, j)];
                for (int j = 0; j < kUsed; ++j) product[at(row, j)] += sum;
            }
            const double length = energy_ / dot(direction_, product);
            double energy = 0;
            for (size_t i = 0; i < n; ++i) {
                solution_[i] += length * direction_[i];
                residual_[i] -= length * product[i];
                energy += residual_[i] * residual_[i] / diagonal_[i];
            }
            const double turn = energy / energy_;
            energy_ = energy;
            for (size_t i = 0; i < n; ++i)
                direction_[i] = residual_[i] / diagonal_[i] + turn * direction_[i];
        }
    }

    double predict(const Example& example) const {
        double sum = 0;
        for (const uint32_t weight : used_by(example)) sum += solution_[weight];
        return sum;
    }
    Errors training_errors() const {
        Errors errors;
        for (size_t row = 0; row < results_.size(); ++row) {
            double sum = 0;
            for (int j = 0; j < kUsed; ++j) sum += solution_[at(row, j)];
            errors.add(sum - results_[row]);
        }
        return errors;
    }

    /// The weights as PatternWeights reads them.
    std::vector<int16_t> tables() const {
        std::vector<int16_t> out;
        for (const int weight : weight_of_) out.push_back(rounded(solution_[weight]));
        for (int i = 2 * patterns::kMobility; i > 0; --i)
            out.push_back(rounded(solution_[weights_ - i]));
        return out;
    }

private:
    static constexpr int kUsed = 54 + 2;
    using Used = std::array<uint32_t, kUsed>;

    Used used_by(const Example& example) const {
        using namespace patterns;
        Used used;
        const Numbers numbers(example.own, example.other);
        const Board board{example.own, example.other};
        for (int lane = 0; lane < kUsed - 2; ++lane)
            used[lane] = weight_of_[kLayout.offset[kLayout.kind_of[lane]] + numbers[lane]];
        const auto last = static_cast<uint32_t>(weights_ - 2 * kMobility);
        used[kUsed - 2] = last + std::min(std::popcount(board.moves(~0ULL)), kMobility - 1);
        used[kUsed - 1] =
            last + kMobility + std::min(std::popcount(board.other_moves(~0ULL)), kMobility - 1);
        return used;
    }
    uint32_t at(size_t row, int j) const { return rows_[row * kUsed + j]; }
    static double dot(const std::vector<double>& a, const std::vector<double>& b) {
        double sum = 0;
        for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
        return sum;
    }
    static int16_t rounded(double weight) {
        return static_cast<int16_t>(
            std::lround(std::clamp(weight * patterns::kUnit, -32000.0, 32000.0)));
    }

    double lambda_;
    int weights_ = 0;
    std::vector<int> weight_of_;
    std::vector<uint32_t> rows_;
    std::vector<float> results_;
    std::vector<double> solution_, residual_, diagonal_, direction_;
    double energy_ = 0;
};

}  // namespace honte::othello
