// What all kinds of iteration share: the root position, and each thread's working memory.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "search/game.hpp"
#include "search/gumbel.hpp"
#include "search/mcts_solver.hpp"
#include "search/network.hpp"
#include "search/tree.hpp"

namespace honte::search {

inline constexpr auto kOne = static_cast<int64_t>(kUnit);
inline constexpr int kDeepest = 1000;  // plies of a path

/// One thread's iteration: its working position and the path to it.
template <SearchGame S>
struct Worker {
    S state;
    Rng rng;
    uint64_t iterations = 0;
    int deepest = 0;
    Tree::Chunk chunk;
    Entry path[kDeepest + 1];
    // AMAF: who played each action first in this iteration.
    std::vector<int8_t> first;
    std::vector<int16_t> touched;
    std::unique_ptr<NetworkView<S>> network;

    Worker(const S& root, uint64_t seed) : state(root), rng(seed), first(S::kActions, -1) {}

    void add(int action, int player) {  // as a Trace
        if (first[action] >= 0) return;
        first[action] = static_cast<int8_t>(player);
        touched.push_back(static_cast<int16_t>(action));
    }

    /// The result of a playout for player 0, in units; consumes the position.
    int64_t play_out(unsigned policies, bool amaf) {
        NoTrace nobody;
        const Result result = amaf ? finish_game(state, rng, policies, *this)
                                   : finish_game(state, rng, policies, nobody);
        return result.outcome * kOne;
    }

    /// An iteration has ended at this depth.
    void count(int depth) {
        ++iterations;
        if (depth > deepest) deepest = depth;
    }
};

/// The root position, and what all paths from it share.
template <SearchGame S>
struct Root {
    S state;
    int ply = 0;           // since the tree was begun: part of a transposition's key
    double lead = 0;       // the lead that others are compared with, for player 0
    double half_lead = 1;  // points at which half of a lead's utility is reached
    int waiting = 0;       // visits that wait for an evaluator
    std::optional<Halving> halving =
        {};  // sequential halving of the root's moves, if that is the rule

    /// Who made the move into the entry at this depth of a path.
    int mover_into(int depth) const { return state.to_move() ^ ((depth + 1) & 1); }

    double sign_of(int player) const { return player == 0 ? 1 : -1; }

    /// The exact value for player 0, in units, of an entry below the root that is proven.
    std::optional<int64_t> proven_value(Entry entry, int depth) const {
        const Proof proof = proof_of(entry.info());
        if (proof == kOpen || depth == 0) return {};
        return static_cast<int64_t>(sign_of(mover_into(depth)) * value_of(proof) * kUnit);
    }

    /// Record the result of a finished game as a proof of the entry that leads to it.
    bool proves_end(const S& here, Entry entry, int depth) const {
        if (!here.is_over()) return false;
        const Proof proof = proof_for(mover_into(depth), here.outcome());
        put(entry.block->info()[entry.i], make_info(proof, 0));
        return true;
    }
};

}  // namespace honte::search
