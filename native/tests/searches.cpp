// Searches with an evaluator: every visit is accounted for, whatever the evaluator does.
#include "search/searches.hpp"

#include <vector>

#include "connect4/uct.hpp"
#include "go/uct.hpp"
#include "othello/uct.hpp"
#include "tests/check.hpp"

namespace honte::search {

namespace {

/// Priors and values that depend on the position alone.
template <SearchGame S>
bool evaluate(Searches<S>& searches) {
    Leaves<S>& leaves = searches.leaves();
    const size_t width = leaves.rows().moves();
    std::vector<float> priors(leaves.size() * width), values(leaves.size());
    for (size_t row = 0; row < leaves.size(); ++row) {
        Rng rng(leaves.rows().state(row).hash());
        for (size_t move = 0; move < width; ++move)
            priors[row * width + move] = static_cast<float>(rng.below(3));
        values[row] = static_cast<float>(uniform(rng) * 2 - 1);
    }
    return !searches.settle(priors.data(), values.data());
}

/// Check visits along the tree: an entry has the visits of its children, plus at most one of its
/// own for each evaluation; nothing waits.
void check_visits(const Tree& tree, Entry entry) {
    const uint32_t name = entry.link();
    CHECK(name != Entry::kClaimed);
    if (name < Pool::kFirst) return;
    Block& block = *tree.at(name);
    uint32_t sum = 0;
    for (int i = 0; i < block.count; ++i) {
        sum += block.visits_of()[i];
        check_visits(tree, {&block, i});
    }
    CHECK(sum <= entry.visits());
}

template <SearchGame S>
void check_games(const S& start, const Settings& settings, int games, int plies) {
    constexpr uint64_t kIterations = 40;
    Searches<S> searches(start, games, settings);
    Rng rng(7);
    for (int ply = 0; ply < plies; ++ply) {
        searches.plan(kIterations);
        while (!searches.is_done()) {
            searches.collect();
            if (searches.leaves().size() > 0 && rng.below(5) == 0)
                searches.abandon();
            else
                CHECK(evaluate(searches));
        }
        for (int i = 0; i < games; ++i) {
            Uct<S>& uct = searches[i];
            CHECK(uct.is_proven() || uct.iterations() == kIterations);
            if (!settings.transpositions) check_visits(uct.tree(), uct.root());
            std::vector<uint32_t> visits(searches.leaves().rows().moves());
            std::vector<float> policy(visits.size());
            const Target target = target_of(uct, settings.gumbel, visits.data(), policy.data());
            CHECK(uct.position().is_legal(target.move));
            double sum = 0;
            for (const float share : policy) sum += share;
            CHECK(std::abs(sum - 1) < 1e-4);
            S next = uct.position();
            next.play_unchecked(target.move);
            uct.set_position(next.is_over() ? start : next);
        }
    }
}

void check_all(const Settings& settings) {
    const bool blocked[42] = {};
    const connect4::Rules board(6, 7, 4, blocked);
    check_games(connect4::State(board), settings, 9, 45);
    const othello::Rules squares(6);
    check_games(othello::State(squares), settings, 3, 20);
    const go::Rules points(5, 0.5, go::Ko::kPositional, false, {});
    check_games(go::State(points), settings, 3, 20);
}

Settings evaluated() {
    Settings settings;
    settings.selection = Selection::kPuct;
    settings.c = 1.5;
    settings.fpu_reduction = 0.2;
    settings.memory_mb = 1;
    return settings;
}

}  // namespace

TEST(searches, visits_are_accounted_for) {
    Settings settings = evaluated();
    check_all(settings);
    settings.noise = 0.25;
    settings.move_temperature = 1;
    settings.solver = settings.forced = false;
    check_all(settings);
}

TEST(searches, visits_are_accounted_for_with_gumbel_roots) {
    Settings settings = evaluated();
    settings.gumbel = true;
    settings.considered = 5;
    check_all(settings);
}

TEST(searches, visits_are_accounted_for_with_transpositions) {
    Settings settings = evaluated();
    settings.transpositions = true;
    settings.memory_mb = 8;
    settings.batch = 32;
    check_all(settings);
}

}  // namespace honte::search
