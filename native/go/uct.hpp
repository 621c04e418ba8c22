// What UCT needs of Go: playouts, move priors, a policy, network planes, and the pruning of
// symmetric moves.
#pragma once

#include "go/game.hpp"
#include "go/move_priors.hpp"
#include "go/planes.hpp"
#include "go/playout.hpp"
#include "go/symmetry.hpp"

namespace honte::go {

/// After a pass, a second pass that wins the count: the only win detected without search.
inline search::Forced forced_moves(const State& state, int threat_depth) {
    search::Forced forced;
    if (threat_depth == 0 || state.passes() != 1) return forced;
    if (state.outcome() == (state.to_move() == 0 ? 1 : -1)) {
        forced.kind = search::Forced::kWin;
        forced.moves.push(state.rules().pass());
        forced.plies = 1;
    }
    return forced;
}

/// A playout by a list of policies, encoded as in playout.hpp; 0 is a random game that fills no own
/// eye.
template <class Trace>
search::Result finish_game(State& state, Rng& rng, unsigned policies, Trace& trace) {
    if (state.is_over()) return {state.outcome(), 0};
    int plies = 0;
    const Rules& rules = state.rules();
    const auto on_move = [&](int p, Color color) {
        trace.add(rules.move(p), color == kWhite);
        ++plies;
    };
    const int area =
        policies
            ? Playout(state.board(), state.mover(), state.passes(), state.last_point(), policies)
                  .finish(rng, on_move)
            : playout(state.spend_board(), state.mover(), state.passes(), rng, on_move);
    const double score = area - rules.komi();
    return {(score > 0) - (score < 0), plies};
}

/// Priors of these moves, with their probabilities where there is a policy.
inline void set_priors(const State& state, const PolicyWeights* policy, const uint16_t* moves,
                       int count, search::Prior* priors) {
    const Rules& rules = state.rules();
    const bool after_a_pass = state.passes() > 0;
    const MovePriors known(state.board(), state.mover(), state.last_point());
    for (int i = 0; i < count; ++i)
        priors[i] = moves[i] == rules.pass() ? MovePriors::pass(after_a_pass)
                                             : known.of(rules.point(moves[i]));
    if (!policy) return;
    float sum = 0;
    for (int i = 0; i < count; ++i)
        if (moves[i] != rules.pass())
            sum += priors[i].probability = known.odds(*policy, rules.point(moves[i]));
    if (sum == 0) return;
    // A pass that would end the game is as likely as everything else together: it must be visited.
    for (int i = 0; i < count; ++i)
        priors[i].probability =
            moves[i] == rules.pass() && after_a_pass ? 0.5f : priors[i].probability / sum;
}

}  // namespace honte::go

template <>
struct honte::search::PolicyOf<honte::go::State> {
    using Weights = go::PolicyWeights;
};

namespace honte::go {

static_assert(search::SearchGame<State> && search::HasMovePriors<State> &&
              search::PrunesMoves<State>);

}  // namespace honte::go
