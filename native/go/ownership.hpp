// Ownership of each point of a Go board, estimated by playouts.
#pragma once

#include "go/game.hpp"
#include "go/playout.hpp"

namespace honte::go {

/// Sum the final owners of the points over some playouts, half of them started by each side: 1 for
/// Black, −1 for White.
inline void add_ownership(const State& state, int count, unsigned policies, uint64_t seed,
                          double* owned) {
    const Rules& rules = state.rules();
    Rng rng(seed);
    for (int i = 0; i < count; ++i) {
        const bool turned = i % 2;
        Playout playout(state.board(), turned ? opponent(state.mover()) : state.mover(), 0,
                        turned ? 0 : state.last_point(), policies);
        playout.finish(rng, [](int, Color) {});
        Owners owners(playout.board());
        owners.area();
        for (Move move = 0; move < rules.pass(); ++move)
            owned[move] += owners.owner(rules.point(move));
    }
}

}  // namespace honte::go
