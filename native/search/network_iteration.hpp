// Iterations that end with a network's view of a new position in place of a playout.
//
// Visits are counted on the way down: to other threads they are virtual losses.
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

template <SearchGame S>
class NetworkIteration {
public:
    NetworkIteration(const Settings& settings, Tree& tree, const Expansion<S>& expansion,
                     const Root<S>& root)
        : settings_(settings), tree_(tree), expansion_(expansion), root_(root) {}

    /// Evaluate one position; false if another thread has the leaf in hand.
    template <bool Shared>
    bool run(Worker<S>& worker) {
        S& state = worker.state;
        state = root_.state;
        Entry entry = worker.path[0] = tree_.root();
        add<Shared>(entry.block->visits_of()[entry.i], 1u);
        int depth = 0;
        std::optional<float> estimate;
        int64_t value = 0;  // in units, for player 0
        for (;;) {
            if (const auto exact = root_.proven_value(entry, depth)) {
                value = *exact;
                break;
            }
            uint32_t name = entry.link();
            if (name < Pool::kFirst) {
                if (root_.proves_end(state, entry, depth)) continue;
                if (depth == kDeepest) {
                    value = mixed_value(worker, worker.network->value(state));
                    break;
                }
                if (!entry.claim()) {
                    take_back<Shared>(worker, depth);
                    std::this_thread::yield();
                    return false;
                }
                name = expansion_.expand(*worker.network, state, entry, root_.ply + depth,
                                         worker.rng, worker.chunk, estimate);
                if (proof_of(entry.info()) != kOpen) continue;
                if (estimate) {
                    value = mixed_value(worker, *estimate);
                    break;
                }
            }
            Block& block = *tree_.at(name);
            const int i = select(block, entry, worker.rng);
            const Move move = state.move_of(block.action()[i]);
            if (tree_.shares() && !state.is_legal(move)) {  // the block is another history's
                value = mixed_value(worker, worker.network->value(state));
                break;
            }
            entry = worker.path[++depth] = {&block, i};
            add<Shared>(block.visits_of()[i], 1u);
            if (tree_.shares()) add<Shared>(block.visits, 1u);
            state.play_unchecked(move);
        }
        worker.count(depth);
        credit<Shared>(worker, depth, value);
        return true;
    }

private:
    /// The child of an entry to enter; a visit of the entry is under way.
    int select(Block& block, Entry entry, Rng& rng) const {
        const uint32_t visits = entry.visits(), before = std::max(visits, 2u) - 1;
        const double mean = 1 - static_cast<double>(entry.points()) / kUnit / before;
        const int i =
            best_by_network(block, settings_, tree_.shares() ? get(block.visits) + 1 : visits,
                            visits > 1 ? mean : 0);
        return i >= 0 ? i : static_cast<int>(rng.below(block.count));
    }

    template <bool Shared>
    void take_back(Worker<S>& worker, int depth) {
        for (int d = 0; d <= depth; ++d) {
            const auto [block, i] = worker.path[d];
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

    /// Add a value along the path. Where it completes a proof, the proven result replaces what the
    /// visits had estimated, also in the sums above.
    template <bool Shared>
    void credit(Worker<S>& worker, int depth, int64_t value) {
        int64_t change = 0;  // of the sum below by a proof, for the side that moved there
        bool is_news = false;
        for (int d = depth; d >= 0; --d) {
            const Entry entry = worker.path[d];
            int64_t& points = entry.block->points()[entry.i];
            const int64_t mine = root_.mover_into(d) == 0 ? value : -value;
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
            const bool was_open = proof_of(worker.path[d - 1].info()) == kOpen;
            back_up_proof(entry, worker.path[d - 1]);
            is_news = was_open && proof_of(worker.path[d - 1].info()) != kOpen;
        }
    }

    const Settings& settings_;
    Tree& tree_;
    const Expansion<S>& expansion_;
    const Root<S>& root_;
};

}  // namespace honte::search
