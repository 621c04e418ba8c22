// What UCT needs of Connect Four: playouts, forced moves, a policy, network planes.
#pragma once

#include "connect4/planes.hpp"
#include "connect4/playout.hpp"
#include "connect4/policy.hpp"
#include "connect4/threat_search.hpp"
#include "search/network.hpp"

namespace honte::connect4 {

static_assert(search::SearchGame<State> && search::HasPolicy<State> && search::HasPlanes<State>);

}  // namespace honte::connect4
