// Go on Botzone.
#pragma once

#include <span>
#include <utility>

#include "go/uct.hpp"
#include "sites/program.hpp"

namespace honte::sites {

/// x is the column and y the row from the bottom, from 1; (−1, −1) is a pass, (−2, −2) the first
/// request to the side that moves first.
struct Go {
    using State = go::State;

    int size;
    double komi;
    go::Ko ko;
    bool suicide;

    go::Rules rules(const nets::Json& /*first*/) const {
        return {size, komi, ko, suicide, std::span<const Move>{}};
    }
    Move move(const State& /*state*/, int x, int y) const {
        if (x == -2) return -1;
        return x < 0 ? size * size : (size - y) * size + x - 1;
    }
    std::pair<int, int> point(const State& /*state*/, Move move) const {
        if (move == size * size) return {-1, -1};
        return {move % size + 1, size - move / size};
    }
};

}  // namespace honte::sites
