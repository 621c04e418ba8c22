// Iterations that evaluate a new leaf with a network in place of a playout.
//
// Visits are counted on the way down, so they act as virtual losses for other threads, and for the
// other leaves of a batch that waits for an evaluator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <thread>

#include "search/expansion.hpp"
#include "search/mcts_solver.hpp"
#include "search/select.hpp"
#include "search/worker.hpp"

namespace honte::search {

/// The outcome of an iteration: backed up; waiting for its leaf's evaluation; or taken back, as its
/// leaf is already being evaluated.
enum class Step { kDone, kWaits, kBusy };

template <SearchGame S>
class NetworkIteration {
public:
    NetworkIteration(const Settings& settings, Tree& tree, const Expansion<S>& expansion,
                     Root<S>& root)
        : settings_(settings), tree_(tree), expansion_(expansion), root_(root) {}

    /// Evaluate the root in every form. If it is new, that is its first visit.
    void evaluate_root(Worker<S>& worker, Block& children) {
        const Entry root = tree_.root();
        const Evaluation found = worker.network->evaluate_all(root_.state, children.action(),
                                                              children.count, children.policy());
        children.order_by_probability(tree_.extras());
        if (root.visits() == 0) {
            root.block->visits_of()[0] = 1;
            root.block->points()[0] = static_cast<int64_t>((1 - found.value) * kUnit);
        }
        if (!tree_.extras().leads) return;
        int64_t& leads = root.block->leads()[0];
        if (root.visits() == 1) leads = static_cast<int64_t>(-found.lead * kUnit);
        root_.lead =
            root_.sign_of(root_.mover_into(0)) * static_cast<double>(leads) / kUnit / root.visits();
        root_.half_lead = worker.network->side();
    }

    /// Evaluate one position by a network, or queue it for evaluation.
    template <bool Shared, class View>
    Step run(Worker<S>& worker, View& view) {
        S& state = worker.state;
        state = root_.state;
        Entry entry = worker.path[0] = tree_.root();
        add<Shared>(entry.block->visits_of()[entry.i], 1u);
        int depth = 0;
        std::optional<Evaluation> found;
        bool ends = false;            // the game, here or by force
        int64_t value = 0, lead = 0;  // in units, for player 0
        uint32_t made = Pool::kNone;  // the children of the leaf
        for (;;) {
            if (const auto exact = root_.proven_value(entry, depth)) {
                value = *exact;
                if (tree_.extras().leads)
                    lead = ends ? static_cast<int64_t>(state.score() * kUnit)
                                : mean_lead(entry, root_.mover_into(depth));
                break;
            }
            uint32_t name = entry.link();
            if (name < Pool::kFirst) {
                if (root_.proves_end(state, entry, depth)) {
                    ends = true;
                    continue;
                }
                if (depth == kDeepest) {
                    found = view.evaluate(state);
                    break;
                }
                if (!entry.claim()) {
                    take_back<Shared>(worker.path, depth);
                    std::this_thread::yield();
                    return Step::kBusy;
                }
                name = expansion_.expand(view, state, entry, root_.ply + depth, worker.rng,
                                         worker.chunk, found);
                if (proof_of(entry.info()) != kOpen) {
                    ends = true;
                    continue;
                }
                if (found) {
                    made = name;
                    break;
                }
            }
            Block& block = *tree_.at(name);
            const int i = select(block, entry, depth, worker.rng);
            if (View::kDefers && i < 0) {
                take_back<Shared>(worker.path, depth);
                return Step::kBusy;
            }
            const Move move = state.move_of(block.action()[i]);
            if (tree_.shares() && !state.is_legal(move)) {  // another position with the key
                found = view.evaluate(state);
                break;
            }
            entry = worker.path[++depth] = {&block, i};
            add<Shared>(block.visits_of()[i], 1u);
            if (tree_.shares()) add<Shared>(block.visits, 1u);
            state.play_unchecked(move);
        }
        worker.count(depth);
        if constexpr (View::kDefers) {
            if (found) {
                view.keep(worker.path, depth, made);
                return Step::kWaits;
            }
        } else if (found) {
            const double sign = root_.sign_of(state.to_move());
            lead = static_cast<int64_t>(sign * found->lead * kUnit);
            value = mixed_value(worker, found->value);
        }
        credit<Shared>(worker.path, depth, value, lead);
        return Step::kDone;
    }

    /// Back up the evaluation of a leaf that has waited for it; `made` are its children, if any.
    void settle(const S& state, const Entry* path, int depth, uint32_t made, const float* priors,
                double value) {
        if (made >= Pool::kFirst)
            expansion_.settle(state, path[depth], root_.ply + depth, made, priors, value);
        credit<false>(path, depth,
                      static_cast<int64_t>(root_.sign_of(state.to_move()) * value * kUnit), 0);
    }

    /// Take back an iteration whose leaf will not be evaluated.
    void abandon(const Entry* path, int depth, uint32_t made) {
        take_back<false>(path, depth);
        if (depth > 0 && made >= Pool::kFirst) path[depth].publish(Pool::kNone);
    }

private:
    /// The child to descend to; the current visit of the entry is already counted. −1: wait for
    /// pending evaluations.
    int select(Block& block, Entry entry, int depth, Rng& rng) const {
        if (depth == 0 && root_.halving) {
            const int i = root_.halving->select(block, root_.waiting > 0);
            if (i != Halving::kNone) return i;
        }
        const uint32_t visits = entry.visits(), before = std::max(visits, 2u) - 1;
        double mean = visits > 1 ? 1 - static_cast<double>(entry.points()) / kUnit / before : 0;
        LeadUtility utility;
        if (tree_.extras().leads && settings_.score_utility > 0) {
            utility = {settings_.score_utility, root_.half_lead,
                       root_.sign_of(root_.mover_into(depth + 1)) * root_.lead};
            mean += utility(-static_cast<double>(entry.leads()) / kUnit / before);
        }
        const int i = best_by_network(
            block, settings_, tree_.shares() ? get(block.visits) + 1 : visits, mean, utility);
        return i >= 0 ? i : static_cast<int>(rng.below(block.count));
    }

    /// The mean lead of an entry for player 0, the current visit excluded.
    int64_t mean_lead(Entry entry, int mover) const {
        const auto before = static_cast<int64_t>(std::max(entry.visits(), 2u) - 1);
        return (mover == 0 ? 1 : -1) * entry.leads() / before;
    }

    template <bool Shared>
    void take_back(const Entry* path, int depth) {
        for (int d = 0; d <= depth; ++d) {
            const auto [block, i] = path[d];
            add<Shared>(block->visits_of()[i], -1u);
            if (d > 0 && tree_.shares()) add<Shared>(block->visits, -1u);
        }
    }

    /// A network's value of the worker's position, mixed with a playout's result: for player 0.
    int64_t mixed_value(Worker<S>& worker, double estimate) {
        const double share = settings_.playout_share;
        const double sign = worker.state.to_move() == 0 ? 1 : -1;
        const double result =
            share > 0 ? static_cast<double>(worker.play_out(settings_.playout, false)) / kUnit : 0;
        return static_cast<int64_t>(((1 - share) * sign * estimate + share * result) * kUnit);
    }

    /// Back up a value and a lead along the path. If that completes a proof, the proven result
    /// replaces the estimates of earlier visits, in the sums above as well.
    template <bool Shared>
    void credit(const Entry* path, int depth, int64_t value, int64_t lead) {
        int64_t change = 0;  // of the sum below by a proof, for the side that moved there
        bool is_news = false;
        for (int d = depth; d >= 0; --d) {
            const Entry entry = path[d];
            int64_t& points = entry.block->points()[entry.i];
            const bool first = root_.mover_into(d) == 0;
            const int64_t mine = first ? value : -value;
            if (tree_.extras().leads)
                add<Shared>(entry.block->leads()[entry.i], first ? lead : -lead);
            change = -change;
            const int64_t sum = add<Shared>(points, mine + kOne + change);
            const Proof proof = proof_of(entry.info());
            if (is_news) {
                const auto exact =
                    static_cast<int64_t>(value_of(proof) * kUnit + kUnit) * entry.visits();
                add<Shared>(points, exact - sum);
                change += exact - sum;
            }
            if (!settings_.solver || d == 0 || proof == kOpen) {
                is_news = false;
                continue;
            }
            const bool was_open = proof_of(path[d - 1].info()) == kOpen;
            back_up_proof(entry, path[d - 1]);
            is_news = was_open && proof_of(path[d - 1].info()) != kOpen;
        }
    }

    const Settings& settings_;
    Tree& tree_;
    const Expansion<S>& expansion_;
    Root<S>& root_;
};

}  // namespace honte::search
