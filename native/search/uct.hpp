// UCT: Monte Carlo tree search for every native game (Kocsis & Szepesvári 2006).
//
// One iteration copies the root position, walks down the tree by a formula, adds what it
// finds at the edge, plays the rest by a playout, and writes the result into every entry it
// passed. Positions are not stored: the working copy is played along.
//
// Under threads the tree is shared without locks, and what costs is not the arithmetic but the
// cache lines that two cores write in turn. So a thread walks down the plies that everybody
// passes, announces its visits at the first entry that is not crowded, and stays below it for a
// while. There it is nearly always alone, and writes by plain stores of whole numbers: that two
// threads write the same entry at the same instant and one result is lost happens once in many
// thousands (Enzenberger & Müller 2009). The plies above are added to exactly and in bulk, so
// their lines stay readable by all.
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

#include "games/game.hpp"
#include "search/report.hpp"
#include "search/select.hpp"
#include "search/settings.hpp"
#include "search/tree.hpp"

namespace honte::search {

using Clock = std::chrono::steady_clock;

/// Why a run came back.
enum class Ended { kIterations, kTime, kStopped, kProven };

template <GameState S>
class Uct {
public:
    Uct(const S& root, const Settings& settings)
        : settings_(settings),
          extras_{.squares = settings.selection == Selection::kUcb1Tuned ||
                             settings.selection == Selection::kUcbTuned2,
                  .amaf = settings.rave != Rave::kNo,
                  .priors = RatesMoves<S> && (settings.priors > 0 || settings.policy > 0),
                  .chances = ForeseesMoves<S> && settings.policy > 0},
          is_plain_((settings.selection == Selection::kUcb1 || extras_.chances) &&
                    settings.rave == Rave::kNo && settings.fpu < 0 && !settings.transpositions &&
                    !extras_.priors && settings.widen == 0 && settings.prune == 0),
          weight_(static_cast<float>(kUnit * settings.c *
                                     (extras_.chances ? 1 : std::sqrt(settings.ucb_factor)))),
          tree_(settings.memory_mb << 20, extras_, settings.transpositions),
          root_(root) {
        if (settings_.fpu < 0) settings_.fpu = extras_.amaf || extras_.priors ? 1 : kFirst;
        for (int i = 0; i < settings.threads; ++i)
            workers_.push_back(std::make_unique<Worker>(root, settings.seed + 0x1000003ULL * i));
        prepare_root();
    }

    uint64_t iterations() const { return iterations_; }  // since the position was set

    /// Go on from another position, with what the tree knows of it; true if it knew it.
    bool set_position(const S& state) {
        stop_.store(false, std::memory_order_relaxed);
        iterations_ = 0;
        deepest_ = 0;
        const auto [known, plies] = find(state);
        const bool keeps = known.block && known.link() >= Pool::kFirst &&
                           proof_of(known.info()) == kOpen && !(tree_.shares() && tree_.is_full());
        root_ = state;
        if (keeps) {
            if (plies > 0) tree_.reroot(known);
            root_ply_ += plies;
        } else {
            tree_.clear();
            root_ply_ = 0;
            for (auto& worker : workers_) worker->chunk = {};
        }
        prepare_root();
        return keeps;
    }

    /// Search until this many more iterations are done, the time has come, the root is proven
    /// or somebody calls stop(). Unless it is proven already, at least one iteration is made.
    Ended run(uint64_t iterations, Clock::time_point deadline) {
        budget_.store(static_cast<int64_t>(std::min<uint64_t>(iterations, INT64_MAX)),
                      std::memory_order_relaxed);
        ended_.store(-1, std::memory_order_relaxed);
        if (settings_.threads == 1) {
            is_plain_ ? work<false, true>(*workers_[0], deadline)
                      : work<false, false>(*workers_[0], deadline);
        } else {
            std::vector<std::jthread> threads;
            for (auto& worker : workers_)
                threads.emplace_back([&, w = worker.get()] {
                    is_plain_ ? work<true, true>(*w, deadline) : work<true, false>(*w, deadline);
                });
        }
        for (auto& worker : workers_) {
            iterations_ += worker->iterations;
            deepest_ = std::max(deepest_, worker->deepest);
            tree_.count(worker->chunk);
            worker->iterations = 0;
            worker->deepest = 0;
        }
        return static_cast<Ended>(ended_.load(std::memory_order_relaxed));
    }

    /// End the search of this position, from any thread.
    void stop() { stop_.store(true, std::memory_order_relaxed); }

    Snapshot snapshot() const {
        Snapshot shot = look_at(tree_, tree_.stem(), root_, settings_);
        shot.depth = deepest_;
        shot.iterations = iterations_;
        return shot;
    }

    /// What the tree says about a position some moves below the root; nothing where it has not
    /// grown that far.
    std::optional<Snapshot> look(std::span<const Move> moves) const {
        S state = root_;
        Entry entry = tree_.stem();
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

private:
    static constexpr auto kOne = static_cast<int64_t>(kUnit);
    static constexpr double kFirst = 1e6;     // an urgency above every score: try it first
    static constexpr int kDeepest = 1000;     // plies that a walk goes down
    static constexpr uint32_t kCrowd = 2048;  // visits from which an entry is everybody's
    static constexpr uint32_t kStay = 64;     // iterations that a thread stays below an entry

    struct Worker {
        S state;
        Rng rng;
        uint64_t iterations = 0;
        int deepest = 0;
        Tree::Chunk chunk;
        Entry path[kDeepest + 1];
        // Who played each action first, in this iteration: all moves as first.
        std::vector<int8_t> first;
        std::vector<int16_t> touched;

        Worker(const S& root, uint64_t seed) : state(root), rng(seed), first(S::kActions, -1) {}

        void add(int action, int player) {  // as a Trace
            if (first[action] >= 0) return;
            first[action] = static_cast<int8_t>(player);
            touched.push_back(static_cast<int16_t>(action));
        }
    };

    // -- the loop ------------------------------------------------------------------------

    template <bool Shared, bool Plain>
    void work(Worker& worker, Clock::time_point deadline) {
        // The clock is read about every 50 µs, however long an iteration takes.
        uint64_t batch = 1;
        auto then = Clock::now();
        for (;;) {
            int64_t todo = static_cast<int64_t>(batch);
            const int64_t left = budget_.fetch_sub(todo, std::memory_order_relaxed);
            todo = std::min(todo, left);
            for (int64_t i = 0; i < todo && !is_proven();) {
                if constexpr (Shared) {
                    i += stay<Plain>(worker, static_cast<uint32_t>(todo - i));
                } else {
                    worker.path[0] = tree_.stem();
                    iterate<false, Plain>(worker, root_, 0);
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

    bool is_proven() const { return settings_.solver && proof_of(tree_.stem().info()) != kOpen; }

    void finish(Ended reason) {
        int nobody = -1;
        ended_.compare_exchange_strong(nobody, static_cast<int>(reason), std::memory_order_relaxed);
    }

    /// Walk down the crowded plies and make some iterations below them; how many.
    template <bool Plain>
    uint32_t stay(Worker& worker, uint32_t most) {
        S base = root_;
        Entry entry = tree_.stem();
        worker.path[0] = entry;
        int depth = 0;
        while (entry.visits() >= kCrowd && depth < kDeepest) {
            const uint32_t name = entry.link();
            if (name < Pool::kFirst || (depth > 0 && proof_of(entry.info()) != kOpen)) break;
            Block& block = *tree_.at(name);
            entry = {&block, choose<Plain>(block, entry.visits(), worker.rng)};
            const Move move = base.move_of(entry.action());
            if (!base.is_legal(move)) break;
            base.play_unchecked(move);
            worker.path[++depth] = entry;
        }
        entry = worker.path[depth];
        const uint32_t planned = std::min({most, kStay, entry.visits() / 16 + 1});
        add<true>(entry.block->visits_of()[entry.i], planned);  // lost, until they come back
        int64_t total = 0, squares = 0;
        uint32_t done = 0;
        while (done < planned && (done == 0 || proof_of(entry.info()) == kOpen)) {
            const int64_t value = iterate<true, Plain>(worker, base, depth);
            total += value;
            squares += square(value);
            ++done;
        }
        add<true>(entry.block->visits_of()[entry.i], done - planned);
        for (int d = depth; d >= 0; --d) {
            const auto [block, i] = worker.path[d];
            if (d < depth) add<true>(block->visits_of()[i], done);
            if (d > 0 && tree_.shares()) add<true>(block->visits, done);
            add<true>(block->points()[i], (chooser(d) == 0 ? total : -total) + done * kOne);
            if (!Plain && extras_.squares) add<true>(block->squares()[i], squares);
            refresh(worker.path[d]);
            if (Plain && d < depth)
                decide(*worker.path[d + 1].block, worker.path[d + 1].i, worker.path[d].visits());
            if (settings_.solver && d > 0 && proof_of(worker.path[d].info()) != kOpen)
                prove(worker.path[d], worker.path[d - 1]);
        }
        return done;
    }

    /// One iteration from the entry at path[base], whose position is `from`; the result for
    /// player 0. Entries down to `base` are left to the caller if the tree is shared.
    template <bool Shared, bool Plain>
    int64_t iterate(Worker& worker, const S& from, const int base) {
        ++worker.iterations;
        S& state = worker.state;
        state = from;
        Entry entry = worker.path[base];
        int depth = base;
        bool is_new = Shared && depth > 0 && entry.visits() <= 1;  // the one announced
        int64_t value = 0;                                         // in units
        for (;;) {
            const uint16_t info = entry.info();
            if (proof_of(info) != kOpen && depth > 0) {
                value = known_value(info, depth);
                break;
            }
            uint32_t name = entry.link();
            if (name < Pool::kFirst) {
                if (state.is_over()) {
                    const Proof proof = proof_for(chooser(depth), state.outcome());
                    put(entry.block->info()[entry.i], make_info(proof, 0));
                    continue;
                }
                // The edge of the tree: the first visit plays out, the second makes children.
                const bool grows = !is_new && depth < kDeepest && name == Pool::kNone &&
                                   settings_.selection != Selection::kFlat;
                if (grows) {
                    name = expand<Shared>(worker, entry, depth);
                    if (proof_of(entry.info()) != kOpen) continue;
                }
                if (name < Pool::kFirst) {
                    value = play_out(worker, depth);
                    break;
                }
            }
            Block& block = *tree_.at(name);
            const int i = Plain ? decided(block, worker.rng)
                                : choose<false>(block, entry.visits(), worker.rng);
            const Move move = state.move_of(block.action()[i]);
            if (!Plain && tree_.shares()) {
                add<Shared>(block.visits, 1u);
                if (!state.is_legal(move)) {  // another history than the one that made the block
                    value = play_out(worker, depth);
                    break;
                }
            }
            entry = {&block, i};
            prefetch(tree_.at(entry.link()), 320);
            is_new = entry.visits() == 0;
            state.play_unchecked(move);
            worker.path[++depth] = entry;
        }
        if (depth > worker.deepest) worker.deepest = depth;
        back_up<Shared, Plain>(worker, depth, base, value);
        return value;
    }

    /// Who made the move into the entry at this depth of a walk.
    int chooser(int depth) const { return root_.to_move() ^ ((depth + 1) & 1); }
    static Proof proof_for(int player, int outcome) {
        return outcome == 0 ? kDraw : (outcome > 0) == (player == 0) ? kWin : kLoss;
    }

    static int64_t square(int64_t value) { return value * value / kOne; }
    int64_t weigh(double outcome, int plies) const {
        const double part = std::min(1.0, static_cast<double>(plies) / root_.longest());
        return static_cast<int64_t>(outcome * (1 - settings_.length * part) * kUnit);
    }
    int64_t known_value(uint16_t info, int depth) const {
        const double sign = chooser(depth) == 0 ? 1 : -1;
        return weigh(sign * value_of(proof_of(info)), depth + distance_of(info));
    }
    int64_t play_out(Worker& worker, int depth) {
        NoTrace nobody;
        const Result result = extras_.amaf
                                  ? worker.state.finish(worker.rng, settings_.playout, worker)
                                  : worker.state.finish(worker.rng, settings_.playout, nobody);
        return weigh(result.outcome, depth + result.plies);
    }

    // -- down ----------------------------------------------------------------------------

    /// The child to enter.
    ///
    /// What the fast formulas enter next is decided on the way up, as soon as a visit has come back
    /// (`decide`): nothing changes until the next visit, and on the way up the plies do not wait
    /// for each other, as they do on the way down. The other formulas decide here.
    template <bool Plain>
    int choose(Block& block, uint32_t parent_visits, Rng& rng) {
        const int next = get(block.next);
        if (!extras_.chances &&
            (Plain || settings_.fpu == kFirst)) {  // no formula while there are moves never tried
            if (next < block.count && get(block.visits_of()[next]) == 0) {
                put(block.next, static_cast<uint16_t>(next + 1));
                return next;
            }
        }
        int best;
        if constexpr (Plain) {
            best = best_plain(block, parent_visits);
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

    int decided(const Block& block, Rng& rng) {
        const int next = get(block.next);
        return next < block.count ? next : static_cast<int>(rng.below(block.count));
    }
    /// By a fast formula, after a visit to child i has come back: which child is next; none if all
    /// are closed.
    void decide(Block& block, int i, uint32_t parent_visits) {
        if (extras_.chances || ++i == block.count || get(block.visits_of()[i]) > 0)
            i = best_plain(block, parent_visits);
        put(block.next, static_cast<uint16_t>(i));
    }
    int best_plain(Block& block, uint32_t parent_visits) const {
        return extras_.chances
                   ? best_puct(block, weight_ * std::sqrt(static_cast<float>(parent_visits)))
                   : best_ucb1(block, weight_ * std::sqrt(static_cast<float>(ln(parent_visits))));
    }
    float inv_of(uint32_t visits) const {
        return extras_.chances ? 1.0f / static_cast<float>(visits + 1) : one_over_root(visits);
    }

    Forced forced_in(const S& state) const {
        return settings_.forced ? state.forced(settings_.attack) : Forced{};
    }

    /// Make the children of an entry whose position is the worker's.
    template <bool Shared>
    uint32_t expand(Worker& worker, Entry entry, int depth) {
        const S& state = worker.state;
        if (Shared && !entry.claim()) return Pool::kNone;
        const Forced forced = forced_in(state);
        if (forced.kind == Forced::kWin || forced.kind == Forced::kLost) {
            const bool wins = forced.kind == Forced::kWin;  // for the side to move now
            put(entry.block->info()[entry.i], make_info(wins ? kLoss : kWin, forced.plies));
            if (Shared) entry.publish(Pool::kNone);
            return Pool::kNone;
        }
        uint64_t key = 0;
        uint32_t name = Pool::kNone;
        if (tree_.shares()) {
            // Positions are equal only at the same ply, so that no walk can come round to where
            // it was, whatever captures and passes do in Go.
            key = mix(state.hash() ^ static_cast<uint64_t>(root_ply_ + depth) << 40);
            name = tree_.table().find(key);
        }
        if (name == Pool::kNone) {
            const double worth =
                2 - static_cast<double>(entry.points()) / kUnit / (entry.visits() + 1);
            name = forced.kind == Forced::kOnly ? fill(forced.moves, state, worker, worth)
                                                : fill(moves_to_try(state), state, worker, worth);
            if (name != Pool::kNone && tree_.shares()) tree_.table().put(key, name);
        }
        entry.publish(name);
        return name;
    }

    /// The legal moves, but for those that the game knows to be like others.
    typename S::Moves moves_to_try(const S& state) const {
        if constexpr (LeavesOutMoves<S>)
            if (extras_.priors) return state.moves_to_try();
        return state.legal_moves();
    }

    /// A block for these moves, in random order. `worth` is what the position is thought to be
    /// worth in points to the side to move.
    template <class Moves>
    uint32_t fill(const Moves& moves, const S& state, Worker& worker, double worth) {
        const uint32_t name = tree_.make(static_cast<int>(moves.size()), worker.chunk);
        if (name == Pool::kNone) return name;
        uint16_t* action = tree_.at(name)->action();
        unsigned count = 0;
        for (const Move move : moves) {
            const unsigned at = worker.rng.below(++count);
            action[count - 1] = action[at];
            action[at] = static_cast<uint16_t>(state.action(move));
        }
        if constexpr (RatesMoves<S>)
            if (extras_.priors) rate(*tree_.at(name), state);
        if constexpr (ForeseesMoves<S>)
            if (extras_.chances) foresee(*tree_.at(name), state, worth);
        return name;
    }
    /// Write down how likely the moves of a block are, and pretend one visit to each.
    void foresee(Block& block, const S& state, double worth)
        requires ForeseesMoves<S>
    {
        state.foresee(block.action(), block.count, block.chances(), settings_.policy);
        const auto units = static_cast<int64_t>(std::max(0.0, worth - settings_.caution) * kUnit);
        for (int i = 0; i < block.count; ++i) {
            block.points()[i] = units;
            block.inv()[i] = 1;
        }
        block.next = static_cast<uint16_t>(best_puct(block, weight_));
    }
    /// Write down what the game thinks of the moves of a block, and put the best first. What is
    /// foreseen is also told to AMAF, as games won.
    void rate(Block& block, const S& state)
        requires RatesMoves<S>
    {
        Prior priors[S::kActions];
        state.rate(block.action(), block.count, priors, settings_.policy);
        std::pair<float, uint16_t> order[S::kActions];
        for (int i = 0; i < block.count; ++i)
            order[i] = {-priors[i].value * priors[i].weight - priors[i].chance,
                        static_cast<uint16_t>(i)};
        std::sort(order, order + block.count);
        uint16_t actions[S::kActions];
        for (int i = 0; i < block.count; ++i) {
            const int from = order[i].second;
            actions[i] = block.action()[from];
            block.priors(extras_)[i] = priors[from];
            block.priors(extras_)[i].weight *= static_cast<float>(settings_.priors);
            if (extras_.amaf) {
                const auto wins = std::lround(settings_.foreseen * std::sqrt(priors[from].chance));
                block.amaf_visits(extras_)[i] = static_cast<uint32_t>(wins);
                block.amaf_total(extras_)[i] = static_cast<int64_t>(wins * kUnit);
            }
        }
        std::copy(actions, actions + block.count, block.action());
    }

    // -- up ------------------------------------------------------------------------------

    template <bool Shared, bool Plain>
    void back_up(Worker& worker, int depth, int base, int64_t value) {
        const bool amaf = !Plain && extras_.amaf;
        for (int d = depth; d >= 0; --d) {
            const Entry entry = worker.path[d];
            const int64_t mine = chooser(d) == 0 ? value : -value;
            if (d > base || !Shared) {
                d == 1 ? write<Shared, Plain>(entry, mine) : write<false, Plain>(entry, mine);
                if (settings_.solver && d > 0 && proof_of(entry.info()) != kOpen)
                    prove(entry, worker.path[d - 1]);
            }
            if (Plain && d < depth)
                decide(*worker.path[d + 1].block, worker.path[d + 1].i, entry.visits());
            if (Shared && d == base && !amaf) break;
            if (amaf && d > 0) credit_amaf<Shared>(worker, entry, chooser(d), mine);
        }
        if (amaf) {
            for (const int action : worker.touched) worker.first[action] = -1;
            worker.touched.clear();
        }
    }

    /// Add a result to an entry; exactly, where others may be writing too.
    template <bool Exactly, bool Plain>
    void write(Entry entry, int64_t value) {
        const auto [block, i] = entry;
        const uint32_t visits = add<Exactly>(block->visits_of()[i], 1u);
        add<Exactly>(block->points()[i], value + kOne);
        if (!Plain && extras_.squares) add<Exactly>(block->squares()[i], square(value));
        put(block->inv()[i], inv_of(visits));
    }

    /// Bring what goes by the visits up to date, unless the entry is closed.
    void refresh(Entry entry) {
        const bool closed = settings_.solver && proof_of(entry.info()) == kLoss;
        put(entry.block->inv()[entry.i], closed ? 0.0f : inv_of(entry.visits()));
    }

    /// All moves as first: the result counts for every sibling that the same side played
    /// later, if it was the first to play there.
    template <bool Shared>
    void credit_amaf(Worker& worker, Entry entry, int player, int64_t value) {
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

    /// Draw from a proven child what it says of its parent (Winands, Björnsson, Saito 2008).
    void prove(Entry child, Entry parent) {
        if (proof_of(child.info()) == kLoss) put(child.block->inv()[child.i], 0.0f);
        if (proof_of(parent.info()) != kOpen) return;
        if (const uint16_t info = conclude(*child.block)) put(parent.block->info()[parent.i], info);
    }
    /// The result of a position for the side that moved into it, from its moves; 0 if open.
    static uint16_t conclude(Block& block) {
        int quickest_win = -1, longest_loss = -1, draw = -1;
        bool open = false;
        for (int i = 0; i < block.count; ++i) {
            const uint16_t info = get(block.info()[i]);
            const int distance = distance_of(info);
            switch (proof_of(info)) {
                case kOpen:
                    open = true;
                    break;
                case kWin:
                    if (quickest_win < 0 || distance < quickest_win) quickest_win = distance;
                    break;
                case kLoss:
                    longest_loss = std::max(longest_loss, distance);
                    break;
                case kDraw:
                    draw = std::max(draw, distance);
                    break;
            }
        }
        if (quickest_win >= 0) return make_info(kLoss, quickest_win + 1);
        if (open) return 0;
        return draw >= 0 ? make_info(kDraw, draw + 1) : make_info(kWin, longest_loss + 1);
    }

    // -- the root ------------------------------------------------------------------------

    /// Give the root its children. Here nothing is left out: a won root shows its other moves
    /// too, and a lost one defends, the blocks first.
    void prepare_root() {
        const Entry stem = tree_.stem();
        if (stem.link() >= Pool::kFirst) return;
        if (root_.is_over()) throw std::invalid_argument("the game is over in this position");
        const Forced forced = forced_in(root_);
        Worker& worker = *workers_[0];
        const uint32_t name = forced.kind == Forced::kOnly
                                  ? fill(forced.moves, root_, worker, 1)
                                  : fill(moves_to_try(root_), root_, worker, 1);
        if (name == Pool::kNone)
            throw std::invalid_argument("memory_mb is too small for the root of this game");
        stem.publish(name);
        Block& block = *tree_.at(name);
        for (int i = 0; i < block.count; ++i) {
            const Move move = root_.move_of(block.action()[i]);
            if (forced.kind == Forced::kWin && move == forced.moves[0])
                block.info()[i] = make_info(kWin, forced.plies - 1);
            if (forced.kind == Forced::kLost) {
                block.info()[i] = make_info(kLoss, 1);
                if (move == forced.moves[0]) std::swap(block.action()[0], block.action()[i]);
            }
        }
        if (settings_.solver)
            if (const uint16_t info = conclude(block)) stem.block->info()[0] = info;
        tree_.count(worker.chunk);
    }

    struct Found {
        Entry entry;
        int plies;  // below the root
    };
    /// The entry of a position that is the root, a child or a grandchild of it.
    Found find(const S& state) const {
        const Entry stem = tree_.stem();
        if (state == root_) return {stem, 0};
        Block& block = *tree_.at(stem.link());
        for (int i = 0; i < block.count; ++i) {
            S first = root_;
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
    bool is_plain_;  // UCB1, or PUCT by chances, and nothing else: the fast path
    float weight_;   // c, or c·√factor, in units
    Tree tree_;
    S root_;
    int root_ply_ = 0;  // since the tree was begun: part of a transposition's key
    std::vector<std::unique_ptr<Worker>> workers_;
    std::atomic<bool> stop_{false};
    std::atomic<int> ended_{-1};
    std::atomic<int64_t> budget_{0};
    uint64_t iterations_ = 0;
    int deepest_ = 0;
};

}  // namespace honte::search
