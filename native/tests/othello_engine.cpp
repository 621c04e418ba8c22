// The Othello engine: its pattern numbers against a full recount, its search against minimax.
#include "othello/engine.hpp"

#include "tests/check.hpp"

namespace honte::othello {
namespace {

/// Made-up weights that look learned: small, all different, and symmetric under mirroring.
std::shared_ptr<const PatternWeights> some_weights() {
    using namespace patterns;
    std::vector<int16_t> weights;
    for (int phase = 0; phase < kPhases; ++phase) {
        for (int kind = 0; kind < kKindCount; ++kind)
            for (int number = 0; number < power(kKinds[kind].size); ++number) {
                const uint64_t name = static_cast<uint64_t>(kLayout.canonical(kind, number));
                weights.push_back(static_cast<int16_t>(mix(name * 64 + kind * 4 + phase) % 101) -
                                  50);
            }
        for (int i = 0; i < 2 * kMobility; ++i)
            weights.push_back(static_cast<int16_t>(9 * i - 250));
    }
    return std::make_shared<PatternWeights>(weights);
}
const std::shared_ptr<const PatternWeights>& shared_weights() {
    static const auto kWeights = some_weights();
    return kWeights;
}
const PatternWeights& weights() { return *shared_weights(); }
Margins some_margins() {
    Margins margins;
    for (auto& phase : margins.sigma)
        for (auto& sigma : phase) sigma = 4 * patterns::kUnit;
    return margins;
}

Node random_node(Rng& rng, int discs) {
    for (;;) {
        Node node({1ULL << 28 | 1ULL << 35, 1ULL << 27 | 1ULL << 36}, 0);
        while (std::popcount(node.board.own | node.board.other) < discs) {
            const uint64_t moves = node.moves();
            if (!moves) {
                node = node.passed();
                if (!node.moves()) break;
                continue;
            }
            const auto count = static_cast<uint32_t>(std::popcount(moves));
            const int square = bits::select(moves, rng.below(count));
            node = node.after(square, bits::flips(node.board.own, node.board.other, square));
        }
        if (std::popcount(node.board.own | node.board.other) == discs && node.moves()) return node;
    }
}

uint64_t under(uint64_t set, int symmetry) {
    uint64_t result = 0;
    for (; set; set &= set - 1) result |= 1ULL << patterns::image(std::countr_zero(set), symmetry);
    return result;
}
int evaluate(const Node& node) { return weights().evaluate(node.numbers, node.board, node.color); }

TEST(othello_engine, numbers_kept_move_by_move_are_those_of_a_fresh_count) {
    Rng rng = check::rng_for(701);
    for (check::Budget budget; budget.spend(60);) {
        const Node node = random_node(rng, 5 + static_cast<int>(rng.below(58)));
        const Node fresh(node.board, node.color);
        for (int lane = 0; lane < patterns::kLayout.images; ++lane)
            CHECK(node.numbers[lane] == fresh.numbers[lane]);
    }
}

TEST(othello_engine, evaluation_sees_no_difference_between_mirror_images_and_colours) {
    Rng rng = check::rng_for(702);
    for (check::Budget budget; budget.spend(600);) {
        const Node node = random_node(rng, 5 + static_cast<int>(rng.below(58)));
        const int value = evaluate(node);
        for (int symmetry = 0; symmetry < 8; ++symmetry) {
            const Board image{under(node.board.own, symmetry), under(node.board.other, symmetry)};
            CHECK(evaluate(Node(image, node.color)) == value);
            CHECK(evaluate(Node(image, 1 - node.color)) == value);
        }
    }
}

/// Plain minimax to some depth.
int minimax(const Node& node, int depth) {
    const int n = std::popcount(node.empties());
    const uint64_t moves = node.moves();
    if (!moves) {
        if (!node.passed().moves()) return patterns::kUnit * final_score(node.board, n);
        // Passing costs no depth; a leaf that must pass is evaluated for the other side.
        return -minimax(node.passed(), depth);
    }
    if (depth == 0) return std::clamp(evaluate(node), -Midgame::kMost + 1, Midgame::kMost - 1);
    int best = -Midgame::kMost - 1;
    for (uint64_t rest = moves; rest; rest &= rest - 1) {
        const int square = std::countr_zero(rest);
        const Node next = node.after(square, bits::flips(node.board.own, node.board.other, square));
        best = std::max(best, -minimax(next, depth - 1));
    }
    return best;
}

TEST(othello_engine, search_that_leaves_nothing_out_is_minimax) {
    Rng rng = check::rng_for(703);
    Table table(1), end_table(1);
    const Margins margins = some_margins();
    const std::atomic<bool> stop{false};
    for (check::Budget budget; budget.spend(100);) {
        const Node node = random_node(rng, 6 + static_cast<int>(rng.below(52)));
        const int depth = 1 + static_cast<int>(rng.below(4));
        if (depth >= std::popcount(node.empties())) continue;
        Midgame search(table, end_table, weights(), margins, stop, Clock::time_point::max());
        table.clear();
        CHECK(search.search(node, depth, -Midgame::kMost, Midgame::kMost, Bounds::kExact) ==
              minimax(node, depth));
    }
}

TEST(othello_engine, engine_ends_games_exactly_with_any_number_of_threads) {
    Rng rng = check::rng_for(704);
    const Margins margins = some_margins();
    for (check::Budget budget; budget.spend(1000);) {
        const Node node = random_node(rng, 56 + static_cast<int>(rng.below(6)));
        if (std::popcount(node.moves()) == 1) continue;  // a forced move is not searched
        const int score = minimax(node, 64);
        for (const int threads : {1, 3}) {
            Engine engine(shared_weights(), margins, 2);
            engine.search(node.board, node.color, {.all_moves = threads == 1, .threads = threads});
            const EngineResult found = engine.result();
            CHECK(found.solved);
            CHECK(found.moves.front().value == score);
            CHECK(!found.pv.empty() && found.pv.front() == found.moves.front().square);
        }
    }
}

}  // namespace
}  // namespace honte::othello
