// UCT: exact counts under threads, its formulas, its memory.
#include "search/uct.hpp"

#include <cmath>
#include <thread>

#include "connect4/uct.hpp"
#include "core/embedded.hpp"
#include "go/uct.hpp"
#include "learned/connect4.hpp"
#include "othello/uct.hpp"
#include "signature/signature.hpp"
#include "tests/check.hpp"

namespace honte::search {

namespace {

const Clock::time_point kFarAway = Clock::now() + std::chrono::hours(24);

std::vector<Settings> many_settings() {
    std::vector<Settings> all;
    for (const Selection selection : {Selection::kFlat, Selection::kUcb1, Selection::kUcb1Tuned,
                                      Selection::kUcbTuned2, Selection::kPuct})
        for (const Rave rave : {Rave::kNo, Rave::kSchedule, Rave::kBias})
            for (const bool transpositions : {false, true})
                for (const size_t memory_mb : {size_t{1}, size_t{64}}) {
                    Settings settings;
                    settings.selection = selection;
                    settings.rave = rave;
                    settings.transpositions = transpositions;
                    settings.memory_mb = memory_mb;
                    settings.playout = transpositions ? 3 : 0;
                    all.push_back(settings);
                }
    for (const size_t memory_mb : {size_t{1}, size_t{64}}) {
        Settings settings;
        settings.selection = Selection::kPuct;
        settings.policy = connect4::made_up_policy();  // of Connect Four: see check_counts
        settings.fpu_reduction = 0.2;
        settings.memory_mb = memory_mb;
        all.push_back(settings);
    }
    return all;
}

template <SearchGame S>
void check_counts(const S& start, Settings settings, int threads, uint64_t iterations) {
    settings.threads = threads;
    if constexpr (std::same_as<S, go::State>)
        if (settings.policy) settings.policy = go::made_up_policy();
    Uct<S> uct(start, settings);
    S state = start;
    // A few moves of a game, the tree kept from one to the next.
    for (int move = 0; move < 3 && !state.is_over(); ++move) {
        const bool kept = uct.set_position(state);
        uint64_t before = 0;
        for (const ChildReport& child : uct.snapshot().children) before += child.visits;
        CHECK(kept || before == 0);
        uct.run(iterations, kFarAway);
        const Snapshot shot = uct.snapshot();
        uint64_t visits = 0;
        for (const ChildReport& child : shot.children) visits += child.visits;
        // The visits kept are those below the new root: one fewer than came to it, at most.
        CHECK(visits == before + shot.iterations);
        CHECK(shot.proof != kOpen || shot.iterations == iterations);
        CHECK(shot.bytes <= settings.memory_mb << 20);
        CHECK(shot.chosen >= 0);
        state.play_unchecked(shot.children[static_cast<size_t>(shot.chosen)].move);
    }
}

void check_threads(int threads) {
    bool blocked[256] = {};
    blocked[40] = true;
    const connect4::Rules wide(9, 10, 4, blocked);
    const connect4::Rules small(4, 5, 4, {blocked + 60, 20});
    const go::Rules go(5, 7.5, go::Ko::kPositional, false, {});
    for (const Settings& settings : many_settings()) {
        check_counts(connect4::State(wide), settings, threads, 2500);
        check_counts(connect4::State(small), settings, threads, 2500);
        check_counts(go::State(go), settings, threads, 200);
    }
}

void check_network(int threads) {
    bool blocked[256] = {};
    blocked[40] = true;
    const connect4::Rules wide(9, 10, 4, blocked), small(4, 5, 4, {blocked + 60, 20});
    Settings settings;
    settings.selection = Selection::kPuct;
    settings.network = nets::Network::read(embedded(kNetwork));
    settings.c = 1.5;
    settings.fpu_reduction = 0.2;
    for (const bool transpositions : {false, true})
        for (const size_t memory_mb : {size_t{1}, size_t{64}}) {
            settings.transpositions = transpositions;
            settings.memory_mb = memory_mb;
            check_counts(connect4::State(wide), settings, threads, 300);
            check_counts(connect4::State(small), settings, threads, 300);
        }
}

}  // namespace

TEST(uct, of_two_moves_that_win_as_often_the_higher_lead_is_selected) {
    const Extras extras{.network = true, .leads = true};
    Tree tree(size_t{1} << 20, extras, false);
    Tree::Chunk chunk;
    Block& block = *tree.at(tree.make(3, chunk));
    const float probabilities[] = {0.1f, 0.4f, 0.4f};
    for (int i = 0; i < 3; ++i) {
        block.action()[i] = static_cast<uint16_t>(i);
        block.policy()[i] = probabilities[i];
    }
    block.order_by_probability(extras);
    CHECK(block.action()[0] == 1 && block.action()[1] == 2 && block.action()[2] == 0);
    for (int i = 0; i < 2; ++i) {
        block.visits_of()[i] = 10;
        block.points()[i] = static_cast<int64_t>(12 * kUnit);
        block.leads()[i] = static_cast<int64_t>((i ? 50 : 20) * kUnit);
    }
    Settings settings;
    settings.c = 0.1;
    CHECK(best_by_network(block, settings, 20, 0, {}) == 0);
    CHECK(best_by_network(block, settings, 20, 0, {0.2, 9, 0}) == 1);
    CHECK(best_by_network(block, settings, 20, 1, {0.2, 9, 0}) == 2);  // a new one promises more
    block.policy()[2] = 0.9f;  // another look at the root: what was visited stays in front
    block.order_by_probability(extras);
    CHECK(block.action()[2] == 0 && block.leads()[1] == static_cast<int64_t>(50 * kUnit));
}

TEST(uct, visits_sum_to_the_iterations_with_a_network) { check_network(1); }
TEST(uct, visits_sum_to_the_iterations_with_a_network_on_three_threads) { check_network(3); }
TEST(uct, visits_sum_to_the_iterations_on_one_thread) { check_threads(1); }
TEST(uct, visits_sum_to_the_iterations_on_two_threads) { check_threads(2); }
TEST(uct, visits_sum_to_the_iterations_on_four_threads) { check_threads(4); }

TEST(uct, a_search_can_be_stopped_from_another_thread) {
    bool blocked[256] = {};
    const connect4::Rules rules(9, 10, 4, blocked);
    Settings settings;
    settings.threads = 2;
    settings.memory_mb = 64;
    Uct<connect4::State> uct(connect4::State(rules), settings);
    for (int i = 0; i < 3; ++i) {
        std::jthread stopper([&] {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            uct.stop();
        });
        CHECK(uct.run(UINT64_MAX, kFarAway) == Ended::kStopped);
        stopper.join();
        uct.set_position(connect4::State(rules));
    }
}

/// The worked example of the Go report: Q(a) = 0/2, Q(b) = 2/3, AMAF 3/5 and 2/5 (as shares of
/// wins). With equal weights a scores 0.3 and b 0.533; AMAF alone prefers a.
TEST(uct, rave_mixes_as_in_the_report) {
    Settings settings;
    settings.rave = Rave::kSchedule;
    settings.rave_k = 1000;
    const double half = rave_share(settings, 1000, 3, 5);
    CHECK(std::abs(half - 0.5) < 1e-12);  // k simulations: both weigh the same
    CHECK(rave_share(settings, 0, 3, 5) == 1);
    CHECK(rave_share(settings, 1e9, 3, 5) < 0.001);
    CHECK(rave_share(settings, 1000, 3, 0) == 0);  // nothing known as first
    CHECK(std::abs((1 - half) * 0 / 2 + half * 3 / 5 - 0.3) < 1e-12);
    CHECK(std::abs((1 - half) * 2 / 3 + half * 2 / 5 - 0.5333333333) < 1e-9);

    // The same numbers in a block, read as the search reads them (values from −1 to 1).
    const Extras extras{.squares = false, .amaf = true};
    Tree tree(1 << 20, extras, false);
    Tree::Chunk chunk;
    Block& block = *tree.at(tree.make(2, chunk));
    const auto points = [](double wins) { return static_cast<int64_t>(2 * wins * kUnit); };
    block.visits_of()[0] = 2, block.points()[0] = points(0);
    block.visits_of()[1] = 3, block.points()[1] = points(2);
    block.amaf_visits(extras)[0] = 5, block.amaf_total(extras)[0] = static_cast<int64_t>(kUnit);
    block.amaf_visits(extras)[1] = 5, block.amaf_total(extras)[1] = -static_cast<int64_t>(kUnit);
    const ChildView a(block, 0, extras), b(block, 1, extras);
    CHECK(std::abs(a.mixed(half) - (2 * 0.3 - 1)) < 1e-9);
    CHECK(std::abs(b.mixed(half) - (2 * 0.5333333333 - 1)) < 1e-9);
    settings.c = 0;
    settings.solver = false;
    CHECK(best_child(block, settings, extras, 1000) == 1);
    settings.rave_k = 1e12;  // AMAF alone
    CHECK(best_child(block, settings, extras, 1000) == 0);
}

TEST(uct, logarithms_are_right) {
    for (const uint32_t n : {1u, 2u, 3u, 10u, 1000u, 2047u})
        CHECK(std::abs(ln(n) - std::log(n)) < 1e-12);
    for (uint32_t n = 2048; n < 4000000000u; n += n / 7)
        CHECK(std::abs(ln(n) - std::log(n)) < 0.001);
}

/// The fast choice of block.hpp agrees with the formula, on random blocks of every width.
TEST(uct, the_fast_choice_is_the_formulas) {
    Rng rng(check::options.seed);
    Tree tree(1 << 22, {}, false);
    Tree::Chunk chunk;
    for (int count = 1; count <= 40; ++count)
        for (int trial = 0; trial < 50; ++trial) {
            tree.clear();
            chunk = {};
            Block& block = *tree.at(tree.make(count, chunk));
            const double k = rng.below(3000) / 1000.0;
            double best_score = 0;
            for (int i = 0; i < count; ++i) {
                if (rng.below(5) == 0) continue;  // never visited, or closed
                const uint32_t visits = 1 + rng.below(1 << (1 + rng.below(20)));
                const double share = rng.below(2001) / 1000.0;
                block.visits_of()[i] = visits;
                block.points()[i] = static_cast<int64_t>(share * visits * kUnit);
                block.inv()[i] = one_over_root(visits);
                const double mean = static_cast<double>(block.points()[i]) / kUnit / visits;
                best_score = std::max(best_score, mean + k / std::sqrt(visits));
            }
            const int chosen = best_ucb1(block, static_cast<float>(k * kUnit));
            if (best_score == 0) {
                CHECK(chosen == -1 || block.visits_of()[chosen] > 0);
                continue;
            }
            CHECK(chosen >= 0 && block.visits_of()[chosen] > 0);
            const double score =
                static_cast<double>(block.points()[chosen]) / kUnit / block.visits_of()[chosen] +
                k / std::sqrt(block.visits_of()[chosen]);
            CHECK(score > best_score - 1e-5);
        }
}

TEST(uct, the_fast_puct_selection_is_the_formulas) {
    Rng rng(check::options.seed);
    Tree tree(1 << 22, {.policy = true}, false);
    Tree::Chunk chunk;
    for (int count = 1; count <= 40; ++count)
        for (int trial = 0; trial < 50; ++trial) {
            tree.clear();
            chunk = {};
            Block& block = *tree.at(tree.make(count, chunk));
            CHECK(Block::units(count, tree.extras()) * 8 >=
                  sizeof(Block) + 24 * count + 16 * ((count + 3) / 4));  // read by fours
            const double k = rng.below(30000) / 1000.0;
            const auto score = [&](int i) {
                return (static_cast<double>(block.points()[i]) / kUnit +
                        k * static_cast<double>(block.policy()[i])) /
                       (block.visits_of()[i] + 1);
            };
            double best_score = 0;
            for (int i = 0; i < count; ++i) {
                const uint32_t visits = rng.below(1 << (1 + rng.below(20)));
                block.visits_of()[i] = visits;
                block.points()[i] =
                    static_cast<int64_t>(rng.below(2001) / 1000.0 * (visits + 1) * kUnit);
                block.policy()[i] = static_cast<float>(rng.below(1000) + 1) / 1000;
                if (rng.below(5) == 0) continue;  // closed
                block.inv()[i] = 1.0f / static_cast<float>(visits + 1);
                best_score = std::max(best_score, score(i));
            }
            const int chosen = best_puct(block, static_cast<float>(k * kUnit));
            if (best_score == 0) continue;
            CHECK(chosen >= 0 && block.inv()[chosen] > 0);
            CHECK(score(chosen) > best_score * (1 - 1e-5) - 1e-9);
        }
}

/// The probabilities sum to 1 and follow the weights.
TEST(uct, a_policy_is_the_softmax_of_its_weights) {
    const bool blocked[90] = {};
    const connect4::Rules rules(9, 10, 4, blocked);
    connect4::State state(rules);
    Rng rng(check::options.seed);
    const auto weights = connect4::made_up_policy();
    while (!state.is_over()) {
        const auto moves = state.legal_moves();
        uint16_t actions[16];
        float policy[16];
        for (int i = 0; i < moves.size(); ++i)
            actions[i] = static_cast<uint16_t>(state.action(moves[i]));
        set_probabilities(state, *weights, actions, moves.size(), policy);
        const connect4::MovePatterns patterns(state);
        double sum = 0;
        for (int i = 0; i < moves.size(); ++i) {
            const int more = weights->of(patterns, moves[i], state.landing(moves[i])) -
                             weights->of(patterns, moves[0], state.landing(moves[0]));
            CHECK(std::abs(std::log(policy[i] / policy[0]) - more / 16.0) < 1e-3);
            sum += static_cast<double>(policy[i]);
        }
        CHECK(std::abs(sum - 1) < 1e-5);
        state.play_unchecked(moves[static_cast<int>(rng.below(moves.size()))]);
    }
}

}  // namespace honte::search
