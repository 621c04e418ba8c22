// The Othello engine behind a site's protocol: alpha-beta with the learned patterns.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "learned/othello.hpp"
#include "othello/engine.hpp"
#include "sites/othello.hpp"

namespace honte::sites {

/// Decode 16-bit numbers from text, as honte.games.othello.sites packs them. The first character
/// says what follows: below 64 the rest of a small number, then short runs of zeros, a long run of
/// zeros, a large number.
inline std::vector<int16_t> unpacked(std::string_view text) {
    size_t at = 0;
    const auto next = [&] {  // '#' to '~' without '?' and the backslash
        const int code = text[at++];
        return code - '#' - (code > '?') - (code > '\\');
    };
    std::vector<int16_t> numbers;
    while (at < text.size()) {
        const int first = next();
        if (first < 64) {
            numbers.push_back(static_cast<int16_t>(90 * first + next() - 2880));
        } else if (first < 88) {
            numbers.insert(numbers.end(), static_cast<size_t>(first - 63), 0);
        } else if (first == 88) {
            const int high = next();
            numbers.insert(numbers.end(), static_cast<size_t>(90 * high + next()), 0);
        } else {
            const int high = next(), middle = next();
            numbers.push_back(static_cast<int16_t>((90 * high + middle) * 90 + next() - 32768));
        }
    }
    return numbers;
}

class OthelloThinker {
public:
    explicit OthelloThinker(size_t memory_mb) {
        std::vector<int16_t> numbers = unpacked({kOthelloWeights, sizeof kOthelloWeights - 1});
        othello::Margins margins;
        constexpr size_t kSigmas = sizeof margins.sigma / sizeof(int16_t);
        std::copy(numbers.end() - kSigmas, numbers.end(), &margins.sigma[0][0]);
        numbers.resize(numbers.size() - kSigmas);
        auto weights = std::make_shared<othello::PatternWeights>(std::move(numbers));
        engine_ = std::make_unique<othello::Engine>(std::move(weights), margins, memory_mb);
    }

    Move operator()(const othello::State& state, Clock::time_point deadline) {
        if (const auto moves = state.legal_moves(); moves.size() == 1) return moves[0];
        othello::Task task;
        task.until = deadline;
        engine_->search(state.board(), state.to_move(), task);
        return engine_->result().moves.at(0).square;
    }

private:
    std::unique_ptr<othello::Engine> engine_;
};

}  // namespace honte::sites
