// UCT: Monte Carlo tree search for every native game (Kocsis & Szepesvári 2006).
//
// One iteration copies the root position, selects a path down the tree, expands its last node,
// plays the rest out, and backs the result up. Positions are not stored: the working copy is
// played along.
//
// Threads share the tree without locks. The bottleneck is not arithmetic but cache lines that two
// cores write in turn. So a thread descends through the contended nodes near the root, adds virtual
// losses to the first one that is not contended, and runs a batch of iterations below it. There it
// is nearly always alone, and uses plain stores: a result is lost only if two threads write the
// same entry at the same instant, once in many thousands (lock-free tree: Enzenberger & Müller
// 2009). The nodes above get the sum of the batch by atomic additions, so their cache lines stay
// readable by all.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <thread>
#include <vector>

#include "search/expansion.hpp"
#include "search/game.hpp"
#include "search/mcts_solver.hpp"
#include "search/network_iteration.hpp"
#include "search/report.hpp"
#include "search/select.hpp"
#include "search/settings.hpp"
#include "search/tree.hpp"
#include "search/worker.hpp"

namespace honte::search {

using Clock = std::chrono::steady_clock;

/// Why a run ended.
enum class Ended { kIterations, kTime, kStopped, kProven };

template <SearchGame S>
class Uct {
public:
    Uct(const S& root, const Settings& settings)
        : settings_(settings),
          extras_(extras_for<S>(settings)),
          is_fast_((settings.selection == Selection::kUcb1 || extras_.policy) &&
                   settings.rave == Rave::kNo && settings.fpu < 0 && !settings.transpositions &&
                   !extras_.priors && settings.progressive_widening == 0 && settings.prune == 0 &&
                   !extras_.network),
          weight_(static_cast<float>(kUnit * settings.c *
                                     (extras_.policy ? 1 : std::sqrt(settings.ucb_factor)))),
          tree_((settings.memory_mb << 20) / settings.games, extras_, settings.transpositions),
          expansion_(settings_, tree_, weight_),
          root_{root},
          network_iteration_(settings_, tree_, expansion_, root_) {
        if (settings_.fpu < 0) settings_.fpu = extras_.amaf || extras_.priors ? 1 : kFirst;
        for (int i = 0; i < settings.threads; ++i) {
            workers_.push_back(std::make_unique<Worker<S>>(root, settings.seed + 0x1000003ULL * i));
            if (settings.network)
                workers_[i]->network =
                    std::make_unique<NetworkView<S>>(settings.network, settings.temperature, root);
        }
        prepare_root();
    }

    uint64_t iterations() const { return iterations_; }  // since the position was set

    /// Continue from another position and keep its subtree; false if there was none to keep.
    bool set_position(const S& state, bool reuse = true) {
        stop_.store(false, std::memory_order_relaxed);
        earlier_ += iterations_;
        iterations_ = 0;
        deepest_ = 0;
        const auto [known, plies] = find(state);
        const bool keeps = reuse && known.block && known.link() >= Pool::kFirst &&
                           proof_of(known.info()) == kOpen &&
                           !(tree_.shares() && tree_.is_full()) && earlier_ < kMostIterations / 2;
        root_.state = state;
        if (keeps) {
            if (plies > 0) tree_.reroot(known);
            root_.ply += plies;
        } else {
            tree_.clear();
            earlier_ = 0;
            root_.ply = 0;
            for (auto& worker : workers_) worker->chunk = {};
        }
        prepare_root();
        if (keeps && plies > 0) disturb_root();
        return keeps;
    }

    const S& position() const { return root_.state; }

    /// Search until this many more iterations are done, the deadline has passed, the root is proven
    /// or stop() is called. The first iteration asked for is made in any case, unless the root is
    /// proven already or the tree has had as many as its 32-bit counts of visits hold.
    Ended run(uint64_t iterations, Clock::time_point deadline) {
        const uint64_t had = earlier_ + iterations_;
        const uint64_t most = had < kMostIterations ? kMostIterations - had : 0;
        budget_.store(static_cast<int64_t>(std::min(iterations, most)), std::memory_order_relaxed);
        ended_.store(-1, std::memory_order_relaxed);
        if (settings_.threads == 1) {
            is_fast_ ? work<false, true>(*workers_[0], deadline)
                     : work<false, false>(*workers_[0], deadline);
        } else {
            std::vector<std::jthread> threads;
            for (auto& worker : workers_)
                threads.emplace_back([&, w = worker.get()] {
                    is_fast_ ? work<true, true>(*w, deadline) : work<true, false>(*w, deadline);
                });
        }
        for (auto& worker : workers_) take_counts(*worker);
        return static_cast<Ended>(ended_.load(std::memory_order_relaxed));
    }

    /// Stop the search of this position; may be called from any thread.
    void stop() { stop_.store(true, std::memory_order_relaxed); }

    Snapshot snapshot() const {
        Snapshot shot = look_at(tree_, tree_.root(), root_.state, settings_, choice());
        shot.depth = deepest_;
        shot.iterations = iterations_;
        return shot;
    }

    /// A report on the position some moves below the root; nothing if the tree does not reach it.
    std::optional<Snapshot> look(std::span<const Move> moves) const {
        S state = root_.state;
        Entry entry = tree_.root();
        for (const Move move : moves) {
            if (!state.is_legal(move)) return {};
            Block& block = *tree_.at(entry.link());
            int i = 0;
            while (i < block.count && state.move_of(block.action()[i]) != move) ++i;
            if (i == block.count) return {};
            entry = {&block, i};
            if (entry.link() < Pool::kFirst) return {};
            state.play_unchecked(move);
        }
        Snapshot shot = look_at(tree_, entry, state, settings_);
        shot.iterations = moves.empty() ? iterations_ : entry.visits();
        return shot;
    }

    /// The network's ownership of each cell, from 1 for player 0 to −1; empty without an ownership
    /// head. Must not be called during a search.
    std::vector<float> ownership() const {
        return settings_.network ? workers_[0]->network->ownership(root_.state)
                                 : std::vector<float>();
    }

    // -- with an external evaluator ------------------------------------------------------

    /// Plan this many iterations for this position, on top of those already made.
    void plan(uint64_t iterations) {
        planned_ = iterations_ + iterations;
        root_.halving.reset();
    }

    /// Descend until a batch of leaves waits, the planned iterations are made, the root is proven,
    /// or the next leaf is one that already waits. The root itself is the first leaf.
    template <class Leaves>
    void collect(Leaves& leaves) {
        constexpr int kMost = 256;  // iterations between two clock reads
        if (is_proven()) return;
        Worker<S>& worker = *workers_[0];
        const Entry root = tree_.root();
        if (root.visits() == 0) {
            root.block->visits_of()[0] = 1;
            leaves.evaluate(root_.state);
            leaves.keep(&root, 0, root.link());
            ++root_.waiting;
            return;
        }
        if (settings_.gumbel && !root_.halving)
            root_.halving.emplace(*tree_.at(root.link()), settings_, planned_ - iterations_,
                                  worker.rng);
        for (int i = 0; i < kMost && root_.waiting < settings_.batch &&
                        iterations_ + worker.iterations < planned_ && !is_proven();
             ++i) {
            const Step step = network_iteration_.template run<false>(worker, leaves);
            if (step == Step::kBusy) break;
            root_.waiting += step == Step::kWaits;
        }
        take_counts(worker);
    }

    /// Back up the evaluation of a leaf: priors by move, and a value for the side to move.
    void settle(const S& state, const Entry* path, int depth, uint32_t made, const float* priors,
                double value) {
        network_iteration_.settle(state, path, depth, made, priors, value);
        if (depth == 0) disturb_root();
        --root_.waiting;
    }

    /// Take back a leaf that gets no evaluation.
    void abandon(const Entry* path, int depth, uint32_t made) {
        network_iteration_.abandon(path, depth, made);
        if (depth > 0) --iterations_;
        --root_.waiting;
    }

    const Tree& tree() const { return tree_; }
    Entry root() const { return tree_.root(); }
    Block& children() const { return *tree_.at(tree_.root().link()); }
    bool is_proven() const { return settings_.solver && proof_of(tree_.root().info()) != kOpen; }
    bool is_done() const { return is_proven() || iterations_ >= planned_; }

    /// The root's child that Gumbel noise or the temperature has chosen; none if the settings'
    /// final rule decides.
    std::optional<int> choice() const {
        if (!settings_.evaluator || is_proven()) return {};
        Block& block = children();
        if (root_.halving) return root_.halving->choice(block);
        if (settings_.move_temperature == 0) return {};
        const uint32_t most = *std::max_element(block.visits_of(), block.visits_of() + block.count);
        std::vector<double> shares(static_cast<size_t>(block.count));
        double sum = 0;
        for (int i = 0; i < block.count; ++i)
            if (block.visits_of()[i] > 0 && proof_of(block.info()[i]) != kLoss)
                sum += shares[static_cast<size_t>(i)] =
                    std::pow(static_cast<double>(block.visits_of()[i]) / most,
                             1 / settings_.move_temperature);
        Rng rng(settings_.seed ^ root_.state.hash());  // the same choice on every call
        double left = uniform(rng) * sum;
        for (int i = 0; i < block.count; ++i)
            if ((left -= shares[static_cast<size_t>(i)]) < 0) return i;
        return {};
    }

private:
    static constexpr double kFirst = 1e6;            // a first-play urgency above every score
    static constexpr uint32_t kSharedVisits = 2048;  // above this visit count nodes are contended
    static constexpr uint32_t kBatch = 64;           // iterations a thread makes below a node

    // -- the loop ------------------------------------------------------------------------

    template <bool Shared, bool Fast>
    void work(Worker<S>& worker, Clock::time_point deadline) {
        // The clock is read about every 50 µs, however long an iteration takes.
        uint64_t batch = 1;
        auto then = Clock::now();
        for (;;) {
            int64_t todo = static_cast<int64_t>(batch);
            const int64_t left = budget_.fetch_sub(todo, std::memory_order_relaxed);
            todo = std::min(todo, left);
            for (int64_t i = 0; i < todo && !is_proven();) {
                if (!Fast && worker.network) {
                    i += network_iteration_.template run<Shared>(worker, *worker.network) !=
                         Step::kBusy;
                } else if constexpr (Shared) {
                    i += run_batch<Fast>(worker, static_cast<uint32_t>(todo - i));
                } else {
                    worker.path[0] = tree_.root();
                    iterate<false, Fast>(worker, root_.state, 0);
                    ++i;
                }
            }
            if (is_proven()) finish(Ended::kProven);
            if (todo < static_cast<int64_t>(batch)) finish(Ended::kIterations);
            const auto now = Clock::now();
            if (stop_.load(std::memory_order_relaxed)) finish(Ended::kStopped);
            if (now >= deadline) finish(Ended::kTime);
            if (ended_.load(std::memory_order_relaxed) >= 0) break;
            if (now - then < std::chrono::microseconds(25) && batch < 256) batch *= 2;
            if (now - then > std::chrono::microseconds(100) && batch > 1) batch /= 2;
            then = now;
        }
    }

    void take_counts(Worker<S>& worker) {
        iterations_ += worker.iterations;
        deepest_ = std::max(deepest_, worker.deepest);
        tree_.count(worker.chunk);
        worker.iterations = 0;
        worker.deepest = 0;
    }

    void finish(Ended reason) {
        int nobody = -1;
        ended_.compare_exchange_strong(nobody, static_cast<int>(reason), std::memory_order_relaxed);
    }

    /// Descend through the contended nodes and run a batch of iterations below them; returns how
    /// many.
    template <bool Fast>
    uint32_t run_batch(Worker<S>& worker, uint32_t most) {
        S base = root_.state;
        Entry entry = tree_.root();
        worker.path[0] = entry;
        int depth = 0;
        while (entry.visits() >= kSharedVisits && depth < kDeepest) {
            const uint32_t name = entry.link();
            if (name < Pool::kFirst || (depth > 0 && proof_of(entry.info()) != kOpen)) break;
            Block& block = *tree_.at(name);
            entry = {&block, select<Fast>(block, entry.visits(), worker.rng)};
            const Move move = base.move_of(entry.action());
            if (!base.is_legal(move)) break;
            base.play_unchecked(move);
            worker.path[++depth] = entry;
        }
        entry = worker.path[depth];
        const uint32_t planned = std::min({most, kBatch, entry.visits() / 16 + 1});
        add<true>(entry.block->visits_of()[entry.i], planned);  // virtual loss
        int64_t total = 0, squares = 0;
        uint32_t done = 0;
        while (done < planned && (done == 0 || proof_of(entry.info()) == kOpen)) {
            const int64_t value = iterate<true, Fast>(worker, base, depth);
            total += value;
            squares += square(value);
            ++done;
        }
        add<true>(entry.block->visits_of()[entry.i], done - planned);
        for (int d = depth; d >= 0; --d) {
            const auto [block, i] = worker.path[d];
            if (d < depth) add<true>(block->visits_of()[i], done);
            if (d > 0 && tree_.shares()) add<true>(block->visits, done);
            add<true>(block->points()[i],
                      (root_.mover_into(d) == 0 ? total : -total) + done * kOne);
            if (!Fast && extras_.squares) add<true>(block->squares()[i], squares);
            refresh(worker.path[d]);
            if (Fast && d < depth)
                preselect(*worker.path[d + 1].block, worker.path[d + 1].i, worker.path[d].visits());
            if (settings_.solver && d > 0 && proof_of(worker.path[d].info()) != kOpen)
                back_up_proof(worker.path[d], worker.path[d - 1]);
        }
        return done;
    }

    /// One iteration from the entry at path[base], whose position is `from`; the result for
    /// player 0. Entries down to `base` are left to the caller if the tree is shared.
    template <bool Shared, bool Fast>
    int64_t iterate(Worker<S>& worker, const S& from, const int base) {
        S& state = worker.state;
        state = from;
        Entry entry = worker.path[base];
        int depth = base;
        bool is_new = Shared && depth > 0 && entry.visits() <= 1;  // the virtual one
        int64_t value = 0;                                         // in units
        for (;;) {
            if (const auto exact = root_.proven_value(entry, depth)) {
                value = *exact;
                break;
            }
            uint32_t name = entry.link();
            if (name < Pool::kFirst) {
                if (root_.proves_end(state, entry, depth)) continue;
                // A leaf: the first visit plays out, the second expands.
                const bool grows = !is_new && depth < kDeepest && name == Pool::kNone &&
                                   settings_.selection != Selection::kFlat;
                if (grows) {
                    name = expansion_.template expand<Shared>(state, entry, root_.ply + depth,
                                                              worker.rng, worker.chunk);
                    if (proof_of(entry.info()) != kOpen) continue;
                }
                if (name < Pool::kFirst) {
                    value = worker.play_out(settings_.playout, extras_.amaf);
                    break;
                }
            }
            Block& block = *tree_.at(name);
            const int i = Fast ? preselected(block, worker.rng)
                               : select<false>(block, entry.visits(), worker.rng);
            const Move move = state.move_of(block.action()[i]);
            if (!Fast && tree_.shares()) {
                add<Shared>(block.visits, 1u);
                if (!state.is_legal(move)) {  // another position with the same key
                    value = worker.play_out(settings_.playout, extras_.amaf);
                    break;
                }
            }
            entry = {&block, i};
            prefetch(tree_.at(entry.link()), 320);
            is_new = entry.visits() == 0;
            state.play_unchecked(move);
            worker.path[++depth] = entry;
        }
        worker.count(depth);
        back_up<Shared, Fast>(worker, depth, base, value);
        return value;
    }

    static int64_t square(int64_t value) { return value * value / kOne; }

    // -- selection -----------------------------------------------------------------------

    /// The child to descend to.
    ///
    /// The fast rules select on the way up, as soon as a result has been backed up (`preselect`):
    /// nothing changes until the next visit, and on the way up the plies do not wait for each
    /// other's cache misses, as they do on the way down. The other rules select here.
    template <bool Fast>
    int select(Block& block, uint32_t parent_visits, Rng& rng) {
        const int next = get(block.next);
        if (!extras_.policy && (Fast || settings_.fpu == kFirst)) {  // unvisited moves first
            if (next < block.count && get(block.visits_of()[next]) == 0) {
                put(block.next, static_cast<uint16_t>(next + 1));
                return next;
            }
        }
        int best;
        if constexpr (Fast) {
            best = best_fast(block, parent_visits);
        } else if (settings_.selection == Selection::kFlat) {
            best = 0;
            for (int i = 1; i < block.count; ++i)
                if (get(block.visits_of()[i]) < get(block.visits_of()[best])) best = i;
        } else {
            best = best_child(block, settings_, extras_,
                              tree_.shares() ? get(block.visits) : parent_visits);
        }
        return best >= 0 ? best : static_cast<int>(rng.below(block.count));
    }

    int preselected(const Block& block, Rng& rng) {
        const int next = get(block.next);
        return next < block.count ? next : static_cast<int>(rng.below(block.count));
    }
    /// Select the next child by a fast rule, after a visit to child i was backed up; none if all
    /// are closed by proofs.
    void preselect(Block& block, int i, uint32_t parent_visits) {
        if (extras_.policy || ++i == block.count || get(block.visits_of()[i]) > 0)
            i = best_fast(block, parent_visits);
        put(block.next, static_cast<uint16_t>(i));
    }
    int best_fast(Block& block, uint32_t parent_visits) const {
        return extras_.policy
                   ? best_puct(block, weight_ * std::sqrt(static_cast<float>(parent_visits)))
                   : best_ucb1(block, weight_ * std::sqrt(static_cast<float>(ln(parent_visits))));
    }
    float inv_of(uint32_t visits) const {
        return extras_.policy ? 1.0f / static_cast<float>(visits + 1) : one_over_root(visits);
    }

    // -- backup --------------------------------------------------------------------------

    template <bool Shared, bool Fast>
    void back_up(Worker<S>& worker, int depth, int base, int64_t value) {
        const bool amaf = !Fast && extras_.amaf;
        for (int d = depth; d >= 0; --d) {
            const Entry entry = worker.path[d];
            const int64_t mine = root_.mover_into(d) == 0 ? value : -value;
            if (d > base || !Shared) {
                d == 1 ? write<Shared, Fast>(entry, mine) : write<false, Fast>(entry, mine);
                if (settings_.solver && d > 0 && proof_of(entry.info()) != kOpen)
                    back_up_proof(entry, worker.path[d - 1]);
            }
            if (Fast && d < depth)
                preselect(*worker.path[d + 1].block, worker.path[d + 1].i, entry.visits());
            if (Shared && d == base && !amaf) break;
            if (amaf && d > 0) credit_amaf<Shared>(worker, entry, root_.mover_into(d), mine);
        }
        if (amaf) {
            for (const int action : worker.touched) worker.first[action] = -1;
            worker.touched.clear();
        }
    }

    /// Add a result to an entry, atomically (`Exactly`) if other threads may be writing too.
    template <bool Exactly, bool Fast>
    void write(Entry entry, int64_t value) {
        const auto [block, i] = entry;
        const uint32_t visits = add<Exactly>(block->visits_of()[i], 1u);
        add<Exactly>(block->points()[i], value + kOne);
        if (!Fast && extras_.squares) add<Exactly>(block->squares()[i], square(value));
        put(block->inv()[i], inv_of(visits));
    }

    /// Recompute what depends on the visits, unless a proof has closed the entry.
    void refresh(Entry entry) {
        const bool closed = settings_.solver && proof_of(entry.info()) == kLoss;
        put(entry.block->inv()[entry.i], closed ? 0.0f : inv_of(entry.visits()));
    }

    /// All moves as first: the result counts for every sibling that the same side played
    /// later, if it was the first to play there.
    template <bool Shared>
    void credit_amaf(Worker<S>& worker, Entry entry, int player, int64_t value) {
        if (worker.first[entry.action()] < 0)
            worker.touched.push_back(static_cast<int16_t>(entry.action()));
        worker.first[entry.action()] = static_cast<int8_t>(player);
        Block& block = *entry.block;
        uint32_t* visits = block.amaf_visits(extras_);
        int64_t* total = block.amaf_total(extras_);
        for (int i = 0; i < block.count; ++i) {
            if (worker.first[block.action()[i]] != player) continue;
            add<Shared>(visits[i], 1u);
            add<Shared>(total[i], value);
        }
    }

    // -- the root ------------------------------------------------------------------------

    /// Expand the root. Here no move is left out: a won root reports its other moves too, and a
    /// lost one still defends, the blocks first.
    void prepare_root() {
        const Entry root = tree_.root();
        if (root.link() >= Pool::kFirst) {
            if constexpr (HasSymmetries<S>)
                if (settings_.network)
                    network_iteration_.evaluate_root(*workers_[0], *tree_.at(root.link()));
            return;
        }
        if (root_.state.is_over()) throw std::invalid_argument("the game is over in this position");
        const Forced forced = expansion_.forced_in(root_.state);
        Worker<S>& worker = *workers_[0];
        const uint32_t name =
            expansion_.make_children(forced, root_.state, 1, worker.rng, worker.chunk);
        if (name == Pool::kNone)
            throw std::invalid_argument("memory_mb is too small for the root of this game");
        root.publish(name);
        Block& block = *tree_.at(name);
        if (worker.network) network_iteration_.evaluate_root(worker, block);
        for (int i = 0; i < block.count; ++i) {
            const Move move = root_.state.move_of(block.action()[i]);
            if (forced.kind == Forced::kWin && move == forced.moves[0])
                block.info()[i] = make_info(kWin, forced.plies - 1);
            if (forced.kind == Forced::kLost) {
                block.info()[i] = make_info(kLoss, 1);
                if (move == forced.moves[0]) std::swap(block.action()[0], block.action()[i]);
            }
        }
        if (settings_.solver)
            if (const uint16_t info = conclude(block)) root.block->info()[0] = info;
        tree_.count(worker.chunk);
    }

    /// Noise in the probabilities of a new root.
    void disturb_root() {
        if (settings_.noise == 0) return;
        add_noise(children(), settings_, workers_[0]->rng);
        children().order_by_probability(extras_);
    }

    struct Found {
        Entry entry;
        int plies;  // below the root
    };
    /// The entry of a position that is the root, a child or a grandchild of it.
    Found find(const S& state) const {
        const Entry root = tree_.root();
        if (state == root_.state) return {root, 0};
        Block& block = *tree_.at(root.link());
        for (int i = 0; i < block.count; ++i) {
            S first = root_.state;
            first.play_unchecked(first.move_of(block.action()[i]));
            if (first == state) return {{&block, i}, 1};
            const uint32_t name = Entry{&block, i}.link();
            if (name < Pool::kFirst || first.is_over()) continue;
            Block& replies = *tree_.at(name);
            for (int j = 0; j < replies.count; ++j) {
                const Move move = first.move_of(replies.action()[j]);
                if (move != state.last_move() || !first.is_legal(move)) continue;
                S second = first;
                second.play_unchecked(move);
                if (second == state) return {{&replies, j}, 2};
            }
        }
        return {{nullptr, 0}, 0};
    }

    Settings settings_;
    Extras extras_;
    bool is_fast_;  // plain UCB1, or PUCT with a policy, and nothing else
    float weight_;  // c, or c·√factor, in units
    Tree tree_;
    const Expansion<S> expansion_;
    Root<S> root_;
    NetworkIteration<S> network_iteration_;
    std::vector<std::unique_ptr<Worker<S>>> workers_;
    std::atomic<bool> stop_{false};
    std::atomic<int> ended_{-1};
    std::atomic<int64_t> budget_{0};
    static constexpr uint64_t kMostIterations = 0xfff00000;  // of one tree
    uint64_t iterations_ = 0, planned_ = 0;
    uint64_t earlier_ = 0;  // iterations of this tree before the position was set
    int deepest_ = 0;
};

}  // namespace honte::search
