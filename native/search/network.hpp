// Network evaluation: values and move probabilities of new positions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "nets/evaluator.hpp"
#include "search/game.hpp"

namespace honte::search {

/// A game with network inputs: planes of a position, and the cell that holds an action's logit; the
/// cell after the last one stands for a pass.
template <class S>
concept HasPlanes = requires(const S state, uint8_t* out) {
    { *planes_of(state).begin() } -> std::convertible_to<std::string>;
    { unsuited_to_networks(state) } -> std::same_as<const char*>;  // why not; nullptr: it suits
    { plane_columns(state) } -> std::same_as<int>;
    { plane_rows(state) } -> std::same_as<int>;
    { plane_cell(state, int{}) } -> std::same_as<int>;
    { write_planes(state, out) };
};

/// A game whose planes keep their meaning in eight forms: reflected and rotated.
template <class S>
concept HasSymmetries = HasPlanes<S> && requires(const S state) {
    { plane_image(state, int{}, int{}) } -> std::same_as<int>;  // of a cell
};

/// A game that leaves some moves out of training: a network says nothing about them.
template <class S>
concept LearnsFromSomeMoves = requires(const S state, const S::Moves legal) {
    { learned_moves(state, legal) } -> std::same_as<typename S::Moves>;
};

/// A network's evaluation of a position, for the side to move.
struct Evaluation {
    float value;  // −1 … 1
    float lead;   // in points; 0 if the network does not score
};

/// Evaluates positions of one game with a network, for one thread.
template <class S>
class NetworkView {
public:
    static constexpr bool kDefers = false;  // it answers at once

    NetworkView(std::shared_ptr<const nets::Network> network, double temperature, const S& root)
        : evaluator_(std::move(network)), sharpness_(static_cast<float>(1 / temperature)) {
        if constexpr (!HasPlanes<S>) {
            throw std::invalid_argument("no network plays this game");
        } else {
            const auto& wanted = evaluator_.network().planes();
            const auto& have = planes_of(root);
            if (!std::equal(wanted.begin(), wanted.end(), have.begin(), have.end(),
                            [](const std::string& a, const char* b) { return a == b; }))
                throw std::invalid_argument("this network is another game's");
            if (const char* const why = unsuited_to_networks(root))
                throw std::invalid_argument(why);
            cells_ = plane_columns(root) * plane_rows(root);
            depth_ = static_cast<int>(have.size());
            planes_.resize(static_cast<size_t>(cells_ * depth_));
            logits_.resize(static_cast<size_t>(cells_ + 1));
            if constexpr (HasSymmetries<S>) {
                turned_.resize(planes_.size());
                for (int form = 0; form < kForms; ++form)
                    for (int cell = 0; cell < cells_; ++cell)
                        images_.push_back(static_cast<int16_t>(plane_image(root, cell, form)));
            }
        }
    }

    /// Evaluate a position with these legal moves, in the form (symmetry) that its hash chooses.
    template <class Moves>
    Evaluation evaluate(const S& state, const Moves& legal) {
        if constexpr (HasPlanes<S>) {
            if constexpr (requires { write_planes(state, legal, planes_.data()); })
                write_planes(state, legal, planes_.data());
            else
                write_planes(state, planes_.data());
            return evaluate_form(state, HasSymmetries<S> ? mix(state.hash()) % kForms : 0);
        }
        return {};
    }
    Evaluation evaluate(const S& state) { return evaluate(state, state.legal_moves()); }

    /// The probabilities of some actions of the position that was evaluated last.
    void set_probabilities(const S& state, const uint16_t* actions, int count, float* out) const {
        if constexpr (HasPlanes<S>) {
            float most = -1e30f;
            for (int i = 0; i < count; ++i) {
                out[i] = logits_[static_cast<size_t>(turned(plane_cell(state, actions[i])))];
                most = std::max(most, out[i]);
            }
            float sum = 0;
            for (int i = 0; i < count; ++i)
                sum += out[i] = nets::exponential((out[i] - most) * sharpness_);
            for (int i = 0; i < count; ++i) out[i] /= sum;
        }
    }

    /// Evaluate a position in every form; the means of the values, and of the probabilities.
    Evaluation evaluate_all(const S& state, const uint16_t* actions, int count, float* out) {
        Evaluation sum{};
        if constexpr (HasPlanes<S>) {
            constexpr int kCount = HasSymmetries<S> ? kForms : 1;
            write_planes(state, planes_.data());
            std::vector<float> probabilities(static_cast<size_t>(count));
            std::fill_n(out, count, 0.0f);
            for (int form = 0; form < kCount; ++form) {
                const Evaluation found = evaluate_form(state, form);
                sum.value += found.value / kCount;
                sum.lead += found.lead / kCount;
                set_probabilities(state, actions, count, probabilities.data());
                for (int i = 0; i < count; ++i)
                    out[i] += probabilities[static_cast<size_t>(i)] / kCount;
            }
        }
        return sum;
    }

    /// The expected owner of each cell, averaged over all forms: 1 for player 0, −1 for the other;
    /// empty without an ownership head.
    std::vector<float> ownership(const S& state) {
        std::vector<float> mean;
        if constexpr (HasPlanes<S>) {
            if (!evaluator_.network().has("ownership")) return mean;
            constexpr int kCount = HasSymmetries<S> ? kForms : 1;
            mean.resize(static_cast<size_t>(cells_));
            std::vector<float> owned(mean.size());
            write_planes(state, planes_.data());
            const float share = (state.to_move() == 0 ? 1.0f : -1.0f) / kCount;
            for (int form = 0; form < kCount; ++form) {
                evaluate_form(state, form, owned.data());
                for (int cell = 0; cell < cells_; ++cell)
                    mean[static_cast<size_t>(cell)] +=
                        share * owned[static_cast<size_t>(turned(cell))];
            }
        }
        return mean;
    }

    /// The geometric mean of the board's rows and columns.
    double side() const { return std::sqrt(static_cast<double>(cells_)); }

private:
    static constexpr int kForms = 8;

    /// The place of a cell in the form that was evaluated last.
    int turned(int cell) const {
        return form_ == 0 || cell == cells_ ? cell
                                            : images_[static_cast<size_t>(form_ * cells_ + cell)];
    }

    Evaluation evaluate_form(const S& state, int form, float* owned = nullptr) {
        form_ = form;
        const uint8_t* planes = planes_.data();
        if (form > 0) {
            for (int cell = 0; cell < cells_; ++cell)
                std::copy_n(planes + cell * depth_, depth_, turned_.data() + turned(cell) * depth_);
            planes = turned_.data();
        }
        float outcome[3], score;
        evaluator_.evaluate(
            planes, 1, plane_columns(state), plane_rows(state),
            {logits_.data(), outcome, &logits_[static_cast<size_t>(cells_)], &score, owned});
        return {outcome[0] - outcome[2], score};
    }

    nets::Evaluator evaluator_;
    float sharpness_;
    int cells_ = 0, depth_ = 0;
    int form_ = 0;
    std::vector<uint8_t> planes_, turned_;
    std::vector<int16_t> images_;  // [forms][cells]
    std::vector<float> logits_;    // of the cells, and of a pass
};

}  // namespace honte::search
