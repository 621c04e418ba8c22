// The solver of Connect Four against minimax over the rules alone.
#include "connect4/alphabeta.hpp"
#include "connect4/solver.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <unordered_map>

#include "tests/check.hpp"

namespace honte::connect4 {
namespace {

using std::chrono::seconds;

std::string draw(const State& state) {
    std::string text = std::string("to move: ") + "XO"[state.to_move()];
    for (int row = 0; row < state.rules().rows(); ++row) {
        text += '\n';
        for (int col = 0; col < state.rules().cols(); ++col) text += ".XO#"[state.at(row, col)];
    }
    return text;
}

Rules random_board(Rng& rng, int most_rows, int most_cols, int inarow) {
    const int rows = 4 + static_cast<int>(rng.below(static_cast<uint32_t>(most_rows - 3)));
    const int cols = 4 + static_cast<int>(rng.below(static_cast<uint32_t>(most_cols - 3)));
    bool blocked[kMaxSide * kMaxSide] = {};
    for (uint32_t left = rng.below(5); left > 0; --left)
        blocked[rng.below(static_cast<uint32_t>(rows * cols))] = true;
    return {rows, cols, inarow, blocked};
}

/// A position of an unfinished random game with `free` free cells; nothing if no random game gets
/// that far.
std::optional<State> random_state(const Rules& rules, int free, Rng& rng) {
    for (int i = 0; i < 200; ++i) {
        State state(rules);
        while (!state.is_over() && rules.playable() - state.stones() > free) {
            const auto moves = state.legal_moves();
            const Move move = moves[static_cast<int>(rng.below(moves.size()))];
            // Few games last long if every line is completed at once.
            if (!state.wins_at(state.to_move(), move) || rng.below(16) == 0)
                state.play_unchecked(move);
        }
        if (!state.is_over()) return state;
    }
    return {};
}

/// The score by exhaustive search; positions are memoised, and no move is pruned.
class Minimax {
public:
    int score(const State& state) {
        const int half = (state.rules().playable() + 1) / 2;
        if (state.is_won()) return -(half + 1 - (state.stones() + 1) / 2);
        if (state.is_over()) return 0;
        const auto known = known_.find(state.hash());
        if (known != known_.end()) return known->second;
        int best = -1000;
        for (const Move move : state.legal_moves()) {
            State next = state;
            next.play_unchecked(move);
            best = std::max(best, -score(next));
        }
        return known_[state.hash()] = best;
    }

private:
    std::unordered_map<uint64_t, int> known_;
};

Solution solve(Solver& solver, const State& state, const Goal& goal) {
    solver.start(state, goal);
    while (!solver.wait(seconds(1))) {
    }
    return solver.solution();
}

/// Check the score, every move's score, the winner, and a line that leads to it.
void check_against_minimax(Solver& solver, const State& state) {
    const check::Scene scene([&] { return draw(state); });
    Minimax minimax;
    const int score = minimax.score(state);
    const Solution solved = solve(solver, state, {.every = true, .line = true});
    CHECK(solved.finished);
    CHECK(solved.low == score && solved.high == score);
    CHECK(solved.moves.front().low == score);
    CHECK(static_cast<int>(solved.moves.size()) == state.legal_moves().size());
    for (const SolvedMove& move : solved.moves) {
        State next = state;
        next.play_unchecked(move.move);
        CHECK(move.low == move.high && move.low == -minimax.score(next));
    }
    State end = state;
    for (const Move move : solved.pv) {
        if (!CHECK(end.is_legal(move))) return;
        end.play_unchecked(move);
    }
    CHECK(end.is_over());
    CHECK(minimax.score(end) * ((end.stones() - state.stones()) % 2 ? -1 : 1) == score);
    const Solution winner = solve(solver, state, {.wld = true});
    CHECK(winner.low <= score && score <= winner.high);
    CHECK((winner.low > 0) == (score > 0) && (winner.high < 0) == (score < 0));
}

void compare(int boards, int positions, uint64_t seed) {
    Rng rng = check::rng_for(seed);
    for (int i = 0; i < boards; ++i) {
        const int inarow = rng.below(4) ? 4 : 3 + static_cast<int>(rng.below(3));
        const bool wide = rng.below(2);
        const Rules rules = random_board(rng, wide ? 4 : 5, wide ? 6 : 5, inarow);
        const auto solver = Solver::make(rules, 1, size_t{1} << 20);
        for (int j = 0; j < positions; ++j) {
            const auto free = static_cast<int>(1 + rng.below(12));
            if (const auto state = random_state(rules, free, rng))
                check_against_minimax(*solver, *state);
        }
    }
}

}  // namespace

TEST(connect4_solver, finds_what_trying_everything_finds) { compare(40, 10, 1); }

TEST(long, connect4_solver_finds_what_trying_everything_finds) { compare(2000, 12, 2); }

TEST(connect4_solver, finds_it_wherever_in_a_large_board_the_game_is_played) {
    Rng rng = check::rng_for(3);
    for (const auto& [rows, cols] : {std::pair{6, 7}, {8, 7}, {9, 10}, {12, 12}, {16, 16}})
        for (int i = 0; i < 6; ++i) {  // all blocked but a window of 4×5
            bool blocked[kMaxSide * kMaxSide];
            std::fill(std::begin(blocked), std::end(blocked), true);
            const auto top = static_cast<int>(rng.below(static_cast<uint32_t>(rows - 3)));
            const auto left = static_cast<int>(rng.below(static_cast<uint32_t>(cols - 4)));
            for (int row = top; row < top + 4; ++row)
                for (int col = left; col < left + 5; ++col) blocked[row * cols + col] = false;
            const Rules rules(rows, cols, 4, blocked);
            const auto solver = Solver::make(rules, 1, size_t{1} << 20);
            if (const auto state = random_state(rules, 12, rng))
                check_against_minimax(*solver, *state);
        }
}

TEST(connect4_solver, threads_share_a_table_and_agree) {
    const bool blocked[42] = {};
    const Rules rules(6, 7, 4, blocked);
    Rng rng = check::rng_for(4);
    const auto alone = Solver::make(rules, 1, size_t{1} << 22);
    const auto together = Solver::make(rules, 3, size_t{1} << 22);
    for (int i = 0; i < 3; ++i) {
        const State state = *random_state(rules, 29, rng);
        CHECK(solve(*alone, state, {}).low == solve(*together, state, {}).low);
    }
}

TEST(connect4_solver, limits_leave_bounds_and_stop_ends_it_at_once) {
    const bool blocked[42] = {};
    const Rules rules(6, 7, 4, blocked);
    const State start(rules);
    const auto solver = Solver::make(rules, 2, size_t{1} << 22);
    for (const Goal& goal : {Goal{.nodes = 5000}, Goal{.nodes = 300'000},
                             Goal{.until = Clock::now() + std::chrono::milliseconds(50)}}) {
        const Solution some = solve(*solver, start, goal);
        CHECK(!some.finished);
        CHECK(some.low <= 1 && some.high >= 1 && some.low < some.high);
        CHECK(some.moves.size() == 7);
    }
    solver->start(start, {});
    CHECK(!solver->wait(std::chrono::milliseconds(20)));
    const auto began = Clock::now();
    solver->stop();
    CHECK(Clock::now() - began < seconds(5));
    CHECK(!solver->solution().finished);
}

TEST(connect4_solver, known_scores_of_the_standard_board_come_out) {
    const bool blocked[42] = {};
    const Rules rules(6, 7, 4, blocked);
    const auto solver = Solver::make(rules, 1, size_t{1} << 22);
    for (const auto& [moves, score] : {std::pair{"32164625", 11},
                                       {"243335424257", 12},
                                       {"52753311433677442422121", 8},
                                       {"1233722555341451114725221333", -1},
                                       {"23163416124767223154467471272416755633", 0}}) {
        State state(rules);
        for (const char* move = moves; *move; ++move) state.play_unchecked(*move - '1');
        solver->forget();
        const Solution solved = solve(*solver, state, {});
        CHECK(solved.low == score && solved.high == score);
    }
}

TEST(connect4_solver, looking_by_lines_ends_when_it_is_told) {
    Rng rng = check::rng_for(6);
    for (int i = 0; i < 8; ++i) {
        const Rules rules = random_board(rng, 4 + static_cast<int>(rng.below(13)),
                                         4 + static_cast<int>(rng.below(13)), 4);
        const auto search = AlphaBeta::make(rules, size_t{1} << 16);
        State state(rules);
        for (int depth = 1; depth < 4 && !state.is_over(); ++depth) {
            search->start(state, depth, Clock::time_point::max());
            while (!search->wait(seconds(1))) {
            }
            const DepthResult found = search->result();
            CHECK(found.finished && state.is_legal(found.moves.front().move));
            state.play_unchecked(found.pv.front());
        }
        if (state.is_over()) continue;
        search->start(state, 1000, Clock::time_point::max());
        search->stop();
        CHECK(state.is_legal(search->result().moves.front().move));
    }
}

}  // namespace honte::connect4
