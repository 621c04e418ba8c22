// What UCT needs of Othello: playouts and network planes; no forced moves and no policy.
#pragma once

#include "othello/planes.hpp"
#include "othello/playout.hpp"

namespace honte::othello {

inline search::Forced forced_moves(const State& /*state*/, int /*threat_depth*/) { return {}; }

static_assert(search::SearchGame<State>);

}  // namespace honte::othello
