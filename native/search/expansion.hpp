// Expansion: the children of a new node, by forced moves, priors, the policy, transpositions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <utility>

#include "search/game.hpp"
#include "search/network.hpp"
#include "search/select.hpp"
#include "search/settings.hpp"
#include "search/tree.hpp"

namespace honte::search {

/// Which columns a block of this game needs with these settings.
template <SearchGame S>
Extras extras_for(const Settings& settings) {
    return {.squares = settings.selection == Selection::kUcb1Tuned ||
                       settings.selection == Selection::kUcbTuned2,
            .amaf = settings.rave != Rave::kNo,
            .priors = HasMovePriors<S> && (settings.priors > 0 || settings.policy),
            .policy = HasPolicy<S> && settings.policy,
            .network = settings.network || settings.evaluator,
            .leads = settings.network && settings.network->has("score")};
}

template <SearchGame S>
class Expansion {
public:
    Expansion(const Settings& settings, Tree& tree, float puct_weight)
        : settings_(settings),
          tree_(tree),
          extras_(tree.extras()),
          policy_(weights_in(settings)),
          puct_weight_(puct_weight) {}

    Forced forced_in(const S& state) const {
        return settings_.forced ? forced_moves(state, settings_.threat_depth) : Forced{};
    }

    /// Expand an entry whose position is `state`, or prove its result. `ply` counts from the first
    /// root of the tree.
    template <bool Shared>
    uint32_t expand(const S& state, Entry entry, int ply, Rng& rng, Tree::Chunk& chunk) const {
        if (Shared && !entry.claim()) return Pool::kNone;
        const Forced forced = forced_in(state);
        if (proves(forced, entry)) {
            if (Shared) entry.publish(Pool::kNone);
            return Pool::kNone;
        }
        const uint64_t key = key_of(state, ply);
        uint32_t name = tree_.shares() ? tree_.table().find(key) : Pool::kNone;
        if (name == Pool::kNone) {
            const double value =
                2 - static_cast<double>(entry.points()) / kUnit / (entry.visits() + 1);
            name = make_children(forced, state, value, rng, chunk);
            if (name != Pool::kNone && tree_.shares()) tree_.table().put(key, name);
        }
        entry.publish(name);
        return name;
    }

    /// The same with a network, for an entry that was claimed. `found` is set if the position had
    /// to be evaluated; a single move is expanded without. If the view defers, `settle` publishes
    /// the children.
    template <class View>
    uint32_t expand(View& network, const S& state, Entry entry, int ply, Rng& rng,
                    Tree::Chunk& chunk, std::optional<Evaluation>& found) const {
        const Forced forced = forced_in(state);
        if (proves(forced, entry)) {
            entry.publish(Pool::kNone);
            return Pool::kNone;
        }
        const uint64_t key = key_of(state, ply);
        uint32_t name = tree_.shares() ? tree_.table().find(key) : Pool::kNone;
        if (name != Pool::kNone) {
            entry.publish(name);
            return name;
        }
        const auto grow = [&](const auto& moves, const auto& children) {
            const bool single = children.size() == 1;
            if (!single) found = network.evaluate(state, moves);
            name = fill(children, state, 0, rng, chunk);
            if (name == Pool::kNone) {  // out of memory: it stays a leaf
                if (single) found = network.evaluate(state);
                return;
            }
            Block& block = *tree_.at(name);
            if (single) {
                block.policy()[0] = 1;
            } else if constexpr (View::kDefers) {
                return;
            } else {
                network.set_probabilities(state, block.action(), block.count, block.policy());
                block.order_by_probability(extras_);
            }
            if (tree_.shares()) tree_.table().put(key, name);
        };
        if (forced.kind == Forced::kOnly) {
            grow(forced.moves, forced.moves);
        } else {
            const auto moves = state.legal_moves();
            if constexpr (LearnsFromSomeMoves<S>)
                grow(moves, learned_moves(state, moves));
            else
                grow(moves, moves);
        }
        if (!View::kDefers || !found || name == Pool::kNone) entry.publish(name);
        return name;
    }

    /// Apply a deferred evaluation: publish the children with their priors, which are indexed by
    /// move and need not sum to 1.
    void settle(const S& state, Entry entry, int ply, uint32_t name, const float* priors,
                double value) const {
        Block& block = *tree_.at(name);
        double sum = 0;
        for (int i = 0; i < block.count; ++i) sum += priors[state.move_of(block.action()[i])];
        for (int i = 0; i < block.count; ++i)
            block.policy()[i] = static_cast<float>(
                sum > 0 ? priors[state.move_of(block.action()[i])] / sum : 1.0 / block.count);
        block.order_by_probability(extras_);
        block.set_evaluation(value);
        if (tree_.shares()) tree_.table().put(key_of(state, ply), name);
        entry.publish(name);
    }

    /// A block for the moves of a position, in random order or ordered by their priors. `value` is
    /// the position's value in points, for the side to move.
    uint32_t make_children(const Forced& forced, const S& state, double value, Rng& rng,
                           Tree::Chunk& chunk) const {
        if (forced.kind == Forced::kOnly) return fill(forced.moves, state, value, rng, chunk);
        if constexpr (LearnsFromSomeMoves<S>)
            if (extras_.network)
                return fill(learned_moves(state, state.legal_moves()), state, value, rng, chunk);
        if constexpr (PrunesMoves<S>)
            if (extras_.priors) return fill(distinct_moves(state), state, value, rng, chunk);
        return fill(state.legal_moves(), state, value, rng, chunk);
    }

private:
    using Weights = PolicyWeightsOf<S>;

    /// Record the result of a position that its forced moves decide.
    static bool proves(const Forced& forced, Entry entry) {
        if (forced.kind != Forced::kWin && forced.kind != Forced::kLost) return false;
        const bool wins = forced.kind == Forced::kWin;  // for the side to move now
        put(entry.block->info()[entry.i], make_info(wins ? kLoss : kWin, forced.plies));
        return true;
    }

    /// The ply is part of the key, so that the graph has no cycles, whatever captures and passes
    /// do.
    static uint64_t key_of(const S& state, int ply) {
        uint64_t hash;
        if constexpr (requires { state.full_hash(); })
            hash = state.full_hash();
        else
            hash = state.hash();
        return mix(hash ^ static_cast<uint64_t>(ply) << 40);
    }

    static const Weights* weights_in(const Settings& settings) {
        if (!settings.policy) return nullptr;
        if constexpr (std::is_void_v<Weights>) {
            throw std::invalid_argument("this game has no policy");
        } else {
            const auto* weights = dynamic_cast<const Weights*>(settings.policy.get());
            if (!weights) throw std::invalid_argument("these policy weights are another game's");
            return weights;
        }
    }

    template <class Moves>
    uint32_t fill(const Moves& moves, const S& state, double value, Rng& rng,
                  Tree::Chunk& chunk) const {
        const uint32_t name = tree_.make(static_cast<int>(moves.size()), chunk);
        if (name == Pool::kNone) return name;
        Block& block = *tree_.at(name);
        uint16_t* action = block.action();
        unsigned count = 0;
        for (const Move move : moves) {
            const unsigned at = rng.below(++count);
            action[count - 1] = action[at];
            action[at] = static_cast<uint16_t>(state.action(move));
        }
        if constexpr (HasMovePriors<S>)
            if (extras_.priors) add_priors(block, state);
        if constexpr (HasPolicy<S>)
            if (extras_.policy) add_policy(block, state, value);
        return name;
    }

    /// Set the probabilities of the moves, with one virtual visit each: first-play urgency is the
    /// parent's value less the reduction.
    void add_policy(Block& block, const S& state, double value) const {
        set_probabilities(state, *policy_, block.action(), block.count, block.policy());
        const auto urgency =
            static_cast<int64_t>(std::max(0.0, value - settings_.fpu_reduction) * kUnit);
        for (int i = 0; i < block.count; ++i) {
            block.points()[i] = urgency;
            block.inv()[i] = 1;
        }
        block.next = static_cast<uint16_t>(best_puct(block, puct_weight_));
    }

    /// Set the priors of the moves, best first, and AMAF's initial wins.
    void add_priors(Block& block, const S& state) const {
        Prior priors[S::kActions];
        set_priors(state, policy_, block.action(), block.count, priors);
        std::pair<float, uint16_t> order[S::kActions];
        for (int i = 0; i < block.count; ++i)
            order[i] = {-priors[i].value * priors[i].weight - priors[i].probability,
                        static_cast<uint16_t>(i)};
        std::sort(order, order + block.count);
        uint16_t actions[S::kActions];
        for (int i = 0; i < block.count; ++i) {
            const int from = order[i].second;
            actions[i] = block.action()[from];
            block.priors(extras_)[i] = priors[from];
            block.priors(extras_)[i].weight *= static_cast<float>(settings_.priors);
            if (extras_.amaf) {
                const auto wins =
                    std::lround(settings_.rave_prior * std::sqrt(priors[from].probability));
                block.amaf_visits(extras_)[i] = static_cast<uint32_t>(wins);
                block.amaf_total(extras_)[i] = static_cast<int64_t>(wins * kUnit);
            }
        }
        std::copy(actions, actions + block.count, block.action());
    }

    const Settings& settings_;
    Tree& tree_;
    const Extras extras_;
    const Weights* const policy_;  // kept alive by the settings
    const float puct_weight_;
};

}  // namespace honte::search
