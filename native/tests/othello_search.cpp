// The search of Othello against slow reference versions: flips, stable discs, scores, minimax.
#include <chrono>
#include <set>
#include <string_view>

#include "othello/alphabeta.hpp"
#include "othello/solver.hpp"
#include "tests/check.hpp"

namespace honte::othello {
namespace {

std::string draw(const Board& board) {
    std::string text = "X is the side to move";
    for (int square = 0; square < 64; ++square) {
        if (square % 8 == 0) text += '\n';
        text += board.own >> square & 1 ? 'X' : board.other >> square & 1 ? 'O' : '-';
    }
    return text;
}

Board read(std::string_view text) {
    Board board{0, 0};
    for (int square = 0; square < 64; ++square) {
        if (text[square] == 'X') board.own |= 1ULL << square;
        if (text[square] == 'O') board.other |= 1ULL << square;
    }
    return board;
}

/// A position from a random game with at most `empties` empty squares.
State random_state(const Rules& rules, int empties, Rng& rng) {
    for (;;) {
        State state(rules);
        while (!state.is_over() &&
               std::popcount(rules.board() & ~(state.board().own | state.board().other)) >
                   empties) {
            const auto moves = state.legal_moves();
            state.play_unchecked(moves[static_cast<int>(rng.below(moves.size()))]);
        }
        if (!state.is_over()) return state;
    }
}

/// The exact score by exhaustive search, with the rules alone.
int exhaustive(const Board& board, uint64_t squares, bool passed = false) {
    uint64_t moves = board.moves(squares);
    if (!moves) {
        if (!passed) return -exhaustive(board.passed(), squares, true);
        const int own = std::popcount(board.own), other = std::popcount(board.other);
        const int open = std::popcount(squares) - own - other;
        return own > other ? own - other + open : own < other ? own - other - open : 0;
    }
    int best = -100;
    for (; moves; moves &= moves - 1)
        best = std::max(best, -exhaustive(board.after(std::countr_zero(moves)), squares));
    return best;
}
int exhaustive(const State& state) { return exhaustive(state.board(), state.rules().board()); }

Solution solve(Solver& solver, const State& state, Solver::Goal goal = {}) {
    solver.start(state, goal, Clock::time_point::max());
    while (!solver.wait(std::chrono::seconds(1)));
    return solver.solution();
}

TEST(othello_search, fast_bits_are_the_bits_of_the_rules) {
    Rng rng = check::rng_for(40);
    for (check::Budget budget; budget.spend(10);) {
        uint64_t discs = rng.next() | rng.next(), own = rng.next();
        if (rng.below(2)) discs |= rng.next();
        const Board board{discs & own, discs & ~own};
        const check::Scene scene([&] { return draw(board); });
        CHECK(bits::fast_reach(board.own, board.other) == bits::reach(board.own, board.other));
        for (uint64_t rest = ~discs; rest; rest &= rest - 1) {
            const int square = std::countr_zero(rest);
            CHECK(bits::fast_flips(board.own, board.other, square) ==
                  bits::flips(board.own, board.other, square));
        }
        const int last = static_cast<int>(rng.below(64));
        const uint64_t mine = own & ~(1ULL << last), theirs = ~own & ~(1ULL << last);
        CHECK(bits::last_flips(mine, last) == 2 * std::popcount(bits::flips(mine, theirs, last)));
    }
}

TEST(othello_search, stable_discs_never_turn) {
    const Rules rules(8), small(6);
    Rng rng = check::rng_for(41);
    for (check::Budget budget; budget.is_left();) {
        for (const Rules* board : {&rules, &small}) {
            State state = random_state(*board, 4 + static_cast<int>(rng.below(30)), rng);
            const auto stable_of = [&](int player) {
                const uint64_t own = state.discs(player), other = state.discs(1 - player);
                return board->size() == 8 ? stable_discs(own, other)
                                          : stable_discs_small(own, other, board->board());
            };
            const uint64_t black = stable_of(0), white = stable_of(1);
            CHECK((black & ~state.discs(0)) == 0 && (white & ~state.discs(1)) == 0);
            const Board before = state.board();
            const check::Scene scene([&] { return draw(before); });
            while (!state.is_over() && budget.spend()) {
                const auto moves = state.legal_moves();
                state.play_unchecked(moves[static_cast<int>(rng.below(moves.size()))]);
                CHECK((black & ~state.discs(0)) == 0 && (white & ~state.discs(1)) == 0);
            }
        }
    }
}

TEST(othello_search, a_full_board_of_one_side_is_stable) {
    CHECK(stable_discs(~0ULL, 0) == ~0ULL);
    CHECK(stable_discs(1, 2) == 1);           // a corner
    CHECK(stable_discs(2, 0) == 0);           // beside an empty one
    CHECK(stable_discs(0x0f, 0xf0) == 0x0f);  // a full edge
    CHECK(stable_discs(0x303, 0) == 0x103);   // b2 needs more than its corner
    CHECK(stable_discs_small(1, 2, Rules(6).board()) == 1);
}

void check_solver(const Rules& rules, int empties, int positions, uint64_t seed) {
    Rng rng = check::rng_for(seed);
    Solver solver(1, 1);
    for (int i = 0; i < positions; ++i) {
        const State state = random_state(
            rules, 1 + static_cast<int>(rng.below(static_cast<uint32_t>(empties))), rng);
        const check::Scene scene([&] { return draw(state.board()); });
        const Solution found = solve(solver, state, {false, true});
        int score = -100;
        for (const SolvedMove& move : found.moves) {
            State next = state;
            next.play_unchecked(move.move);
            const int value = -exhaustive(next);
            CHECK(move.low == value && move.high == value);
            score = std::max(score, value);
        }
        CHECK(found.finished && found.low == score && found.high == score);
        CHECK(static_cast<int>(found.moves.size()) == state.legal_moves().size());
        State end = state;
        for (const Move move : found.pv)
            if (CHECK(end.is_legal(move))) end.play_unchecked(move);
        CHECK(end.is_over() && (state.to_move() ? -end.score() : end.score()) == score);
        const Solution sign = solve(solver, state, {true, false});
        CHECK((score > 0) == (sign.low > 0) && (score < 0) == (sign.high < 0));
        CHECK(sign.low <= score && score <= sign.high);
    }
}

TEST(othello_search, the_solver_finds_what_trying_everything_finds) {
    const int positions = static_cast<int>(std::min<int64_t>(check::options.plies / 100, 200));
    check_solver(Rules(8), 7, positions, 42);
    check_solver(Rules(6), 7, positions, 43);
    check_solver(Rules(4), 8, positions, 44);
}

TEST(long, othello_the_solver_finds_what_trying_everything_finds) {
    const int positions = static_cast<int>(check::options.plies / 4);
    check_solver(Rules(8), 10, positions, 45);
    check_solver(Rules(8), 12, positions / 10, 46);
    check_solver(Rules(6), 10, positions / 5, 47);
}

TEST(othello_search, a_side_without_a_move_passes_and_the_winner_gets_the_empties) {
    const Rules rules(8);
    Solver solver(1, 1);
    // Black wipes White out on the last square: 64 for Black whoever is to move, as White can only
    // pass.
    const Board won = read("XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO-");
    CHECK(solve(solver, State(rules, won, 0)).low == 64);
    CHECK(solve(solver, State(rules, won.passed(), 1)).low == -64);
    const Board stuck = read("XXXXXXX-OOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOOO");
    const State state(rules, stuck, 0);
    CHECK(solve(solver, state).low == (state.is_over() ? state.score() : exhaustive(state)));
}

TEST(othello_search, threads_give_the_same_score) {
    const Rules rules(8);
    Rng rng = check::rng_for(47);
    Solver alone(1, 4), together(3, 4);
    const int positions = check::options.plies >= 20000 ? 8 : 2;
    for (int i = 0; i < positions; ++i) {
        const State state = random_state(rules, 15, rng);
        const check::Scene scene([&] { return draw(state.board()); });
        const Solution one = solve(alone, state), three = solve(together, state);
        CHECK(one.low == one.high && one.low == three.low && three.low == three.high);
    }
}

TEST(othello_search, a_solver_that_is_stopped_keeps_true_bounds) {
    const Rules rules(8);
    Rng rng = check::rng_for(48);
    Solver solver(2, 4);
    const State state = random_state(rules, 30, rng);
    solver.start(state, {}, Clock::time_point::max());
    solver.wait(std::chrono::milliseconds(50));
    solver.stop();
    CHECK(solver.wait(std::chrono::milliseconds(0)));
    CHECK(solver.solution().low < solver.solution().high && !solver.solution().finished);
    solver.start(state, {}, Clock::now() + std::chrono::milliseconds(30));
    CHECK(solver.wait(std::chrono::seconds(60)) && !solver.solution().finished);
}

TEST(othello_search, the_table_gives_back_what_was_stored_and_lets_old_entries_go) {
    Table table(1);
    const Board board{0x0000000810000000ULL, 0x0000001008000000ULL};
    Bounds found{};
    CHECK(!table.find(Table::key_of(board), found));
    table.store(Table::key_of(board), {-64, 12, 33, 7, 44, 19});
    CHECK(table.find(Table::key_of(board), found));
    CHECK(found.low == -64 && found.high == 12 && found.depth == 33 && found.selectivity == 7);
    CHECK(found.move == 44 && found.second == 19);
    CHECK(!table.find(Table::key_of(board.passed()), found));
    table.new_search();
    Rng rng(49);
    for (int i = 0; i < 1 << 18; ++i) table.store(rng.next(), {0, 0, 1});
    CHECK(!table.find(Table::key_of(board), found));  // deep, but of an earlier search
    table.clear();
    CHECK(!table.find(Table::key_of(board), found));
}

Weights random_weights(Rng& rng) {
    Weights weights;
    const auto any = [&] { return static_cast<int>(rng.below(60001)) - 30000; };
    for (int& weight : weights.square) weight = any();
    weights.discs = any(), weights.mobility = any(), weights.stable = any();
    return weights;
}

void check_alphabeta(int positions, int deepest, uint64_t seed) {
    Rng rng = check::rng_for(seed);
    for (int i = 0; i < positions; ++i) {
        const Rules rules(i % 8 == 7 ? 4 : i % 8 == 6 ? 6 : 8);
        const State state = random_state(
            rules,
            1 + static_cast<int>(rng.below(static_cast<uint32_t>(rules.size() * rules.size() - 4))),
            rng);
        const check::Scene scene([&] { return draw(state.board()); });
        const WeightsEvaluation evaluation(random_weights(rng), rules.size(), rules.board());
        const int depth = 1 + static_cast<int>(rng.below(static_cast<uint32_t>(deepest)));
        AlphaBeta<WeightsEvaluation> pruned(evaluation, true), plain(evaluation, false);
        CHECK(pruned.value(state.board(), depth) == plain.value(state.board(), depth));
        const auto all = pruned.moves(state, depth, false),
                   every = plain.moves(state, depth, false);
        const auto best_only = pruned.moves(state, depth, true);
        const auto better = [](const RootMove& a, const RootMove& b) { return a.value < b.value; };
        for (size_t k = 0; k < all.size(); ++k)
            CHECK(all[k].move == every[k].move && all[k].value == every[k].value);
        CHECK(std::max_element(best_only.begin(), best_only.end(), better)->move ==
              std::max_element(every.begin(), every.end(), better)->move);
    }
}

TEST(othello_search, alpha_beta_values_are_minimax_values) {
    check_alphabeta(static_cast<int>(std::min<int64_t>(check::options.plies / 40, 500)), 4, 50);
}
TEST(long, othello_alpha_beta_values_are_minimax_values) { check_alphabeta(12000, 5, 51); }

TEST(othello_search, an_evaluation_counts_its_squares_for_one_and_against_the_other) {
    Weights weights;
    weights.square = {1, 10, 100, 1000, 10000, 100000, 0, 0, 0, 0};
    const WeightsEvaluation evaluation(weights, 8, ~0ULL);
    const auto bit = [](int row, int col) { return 1ULL << (8 * row + col); };
    CHECK(evaluation({bit(0, 0) | bit(7, 7), 0}) == 2);
    CHECK(evaluation({bit(0, 1) | bit(6, 7) | bit(1, 0), bit(7, 1)}) == 20);
    CHECK(evaluation({bit(6, 6), bit(2, 0) | bit(0, 5)}) == 100 - 2000);
    CHECK(evaluation({bit(2, 1) | bit(5, 6), bit(5, 5)}) == 20000 - 100000);
}

}  // namespace
}  // namespace honte::othello
