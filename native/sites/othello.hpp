// Othello on Botzone.
#pragma once

#include <utility>

#include "othello/uct.hpp"
#include "sites/program.hpp"

namespace honte::sites {

/// x is the column and y the row, from 0; (−1, −1) is a pass, and at first "nothing yet".
struct Othello {
    using State = othello::State;

    static othello::Rules rules(const nets::Json& /*first*/) { return othello::Rules(8); }
    static Move move(const State& state, int x, int y) {
        if (x >= 0) return 8 * y + x;
        return state.is_legal(othello::kPass) ? othello::kPass : -1;
    }
    static std::pair<int, int> point(const State& /*state*/, Move move) {
        if (move == othello::kPass) return {-1, -1};
        return {move % 8, move / 8};
    }
};

}  // namespace honte::sites
