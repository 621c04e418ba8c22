// A network beside the tree: values and move probabilities of new positions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "nets/evaluator.hpp"
#include "search/game.hpp"

namespace honte::search {

/// A game that networks can see: its position as planes, and the cell that stands for an action.
template <class S>
concept HasPlanes = requires(const S state, uint8_t* out) {
    { *planes_of(state).begin() } -> std::convertible_to<std::string>;
    { suits_networks(state) } -> std::same_as<bool>;
    { plane_columns(state) } -> std::same_as<int>;
    { plane_rows(state) } -> std::same_as<int>;
    { plane_cell(state, int{}) } -> std::same_as<int>;
    { write_planes(state, out) };
};

/// A network's view of the positions of one game, for one thread.
template <class S>
class NetworkView {
public:
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
            if (!suits_networks(root))
                throw std::invalid_argument("networks know four in a row alone");
            const auto cells = static_cast<size_t>(plane_columns(root) * plane_rows(root));
            planes_.resize(cells * have.size());
            logits_.resize(cells);
        }
    }

    /// The value of a position for the side to move, −1 … 1.
    float value(const S& state) {
        if constexpr (HasPlanes<S>) {
            write_planes(state, planes_.data());
            float outcome[3];
            evaluator_.evaluate(planes_.data(), 1, plane_columns(state), plane_rows(state),
                                {logits_.data(), outcome});
            return outcome[0] - outcome[2];
        }
        return 0;
    }

    /// The probabilities of some actions of the position that was evaluated last.
    void set_probabilities(const S& state, const uint16_t* actions, int count, float* out) const {
        if constexpr (HasPlanes<S>) {
            float most = -1e30f;
            for (int i = 0; i < count; ++i) {
                out[i] = logits_[static_cast<size_t>(plane_cell(state, actions[i]))];
                most = std::max(most, out[i]);
            }
            float sum = 0;
            for (int i = 0; i < count; ++i)
                sum += out[i] = nets::exponential((out[i] - most) * sharpness_);
            for (int i = 0; i < count; ++i) out[i] /= sum;
        }
    }

private:
    nets::Evaluator evaluator_;
    float sharpness_;
    std::vector<uint8_t> planes_;
    std::vector<float> logits_;
};

}  // namespace honte::search
