// Valid and invalid input from the course's judge, and the answers to it.
#include <chrono>
#include <thread>

#include "course/games.hpp"
#include "tests/check.hpp"

namespace honte::course {
namespace {

using Clock = Playing::Clock;

/// A judge's picture of a game: the arrays that it passes.
struct Judge {
    int rows, cols;
    Cell blocked;
    std::vector<int> top, board;

    View view() const { return {rows, cols, top.data(), board.data(), blocked}; }
    std::string draw() const {
        std::string text = "top";
        for (const int t : top) text += " " + std::to_string(t);
        for (int row = 0; row < rows; ++row) {
            text += "\n";
            for (int col = 0; col < cols; ++col)
                text +=
                    blocked == Cell{row, col} ? " #" : " " + std::to_string(view().at(row, col));
        }
        return text;
    }
};

Judge judge_of(const State& state, Cell blocked) {
    const int rows = state.rules().rows(), cols = state.rules().cols();
    Judge judge{rows, cols, blocked, {}, {}};
    for (int row = 0; row < rows; ++row)
        for (int col = 0; col < cols; ++col) {
            const auto cell = state.at(row, col);
            const bool empty = cell == connect4::kEmpty || cell == connect4::kBlocked;
            judge.board.push_back(empty                                            ? 0
                                  : (cell == connect4::kSecond) == state.to_move() ? 2
                                                                                   : 1);
        }
    for (int col = 0; col < cols; ++col)
        judge.top.push_back(state.landing(col) == connect4::kFull ? 0 : rows - state.landing(col));
    return judge;
}

Clock::time_point soon() { return Clock::now() + std::chrono::microseconds(200); }

/// Any cell that a piece may fall on, by `top` or by the board.
bool is_some_move(const View& view, Cell cell) {
    return cell.col >= 0 && cell.col < view.cols &&
           (view.by_top(cell.col) == cell || view.by_board(cell.col) == cell);
}
bool has_some_move(const View& view) {
    for (int col = 0; col < view.cols; ++col)
        if (view.by_top(col) || view.by_board(col)) return true;
    return false;
}

struct CourseBoard {
    Cell blocked;
    Rules rules;
    explicit CourseBoard(Rng& rng)
        : CourseBoard(9 + static_cast<int>(rng.below(4)), 9 + static_cast<int>(rng.below(4)), rng) {
    }
    CourseBoard(int rows, int cols, Rng& rng)
        : blocked{static_cast<int>(rng.below(static_cast<uint32_t>(rows))),
                  static_cast<int>(rng.below(static_cast<uint32_t>(cols)))},
          rules(View{rows, cols, nullptr, nullptr, blocked}.rules()) {}
};

}  // namespace

TEST(course, every_move_of_a_game_lands_where_the_judge_says) {
    Rng rng = check::rng_for(1);
    Games games;
    for (int i = 0; i < 6; ++i) {
        const CourseBoard board(rng);
        State state(board.rules);
        while (!state.is_over()) {
            const Judge judge = judge_of(state, board.blocked);
            const check::Scene scene([&] { return judge.draw(); });
            const Cell cell = games.choose(judge.view(), soon());
            if (!CHECK(state.is_legal(cell.col))) return;
            CHECK(judge.top[static_cast<size_t>(cell.col)] == cell.row + 1);
            state.play_unchecked(cell.col);
        }
    }
}

TEST(course, nonsense_gets_a_move_where_there_is_one_and_never_a_crash) {
    Rng rng = check::rng_for(2);
    Games games;
    check::Budget budget;
    while (budget.spend(10)) {
        const CourseBoard board(rng);
        State state(board.rules);
        for (uint32_t left = rng.below(60); left > 0 && !state.is_over(); --left) {
            const auto moves = state.legal_moves();
            state.play_unchecked(moves[static_cast<int>(rng.below(moves.size()))]);
        }
        Judge judge = judge_of(state, board.blocked);
        const auto any_int = [&] {
            return rng.below(4) ? static_cast<int>(rng.below(16)) - 2
                                : static_cast<int>(static_cast<uint32_t>(rng.next()));
        };
        for (uint32_t left = rng.below(6); left > 0; --left) {
            if (rng.below(2))
                judge.top[rng.below(static_cast<uint32_t>(judge.cols))] = any_int();
            else
                judge.board[rng.below(static_cast<uint32_t>(judge.rows * judge.cols))] =
                    rng.below(2) ? static_cast<int>(rng.below(3)) : any_int();
        }
        if (rng.below(4) == 0) judge.blocked = {any_int(), any_int()};
        const check::Scene scene([&] { return judge.draw(); });
        const Cell cell = games.choose(judge.view(), soon());
        CHECK(has_some_move(judge.view()) ? is_some_move(judge.view(), cell) : cell == Cell{});
    }
}

TEST(course, sizes_out_of_range_and_missing_arrays_get_no_move) {
    Games games;
    const int zeros[256] = {};
    for (const int size : {-2147483647, -1, 0, 3, 17, 1000, 2147483647}) {
        CHECK(games.choose({size, 9, zeros, zeros, {}}, soon()) == Cell{});
        CHECK(games.choose({9, size, zeros, zeros, {}}, soon()) == Cell{});
    }
    CHECK(games.choose({9, 9, nullptr, zeros, {}}, soon()) == Cell{});
    CHECK(games.choose({9, 9, zeros, nullptr, {}}, soon()) == Cell{});
}

TEST(course, a_full_board_has_no_move_and_a_finished_game_still_has_one) {
    Games games;
    Judge judge{9, 9, {-1, -1}, std::vector<int>(9, 0), std::vector<int>(81, 1)};
    CHECK(games.choose(judge.view(), soon()) == Cell{});
    judge = {9, 9, {-1, -1}, std::vector<int>(9, 9), std::vector<int>(81, 0)};
    for (size_t col = 0; col < 4; ++col) {
        judge.board[8 * 9 + col] = 1;
        judge.top[col] = 8;
    }
    for (size_t col = 5; col < 8; ++col) {
        judge.board[8 * 9 + col] = 2;
        judge.top[col] = 8;
    }
    CHECK(is_some_move(judge.view(), games.choose(judge.view(), soon())));
}

TEST(course, a_win_is_taken_and_a_threat_is_met) {
    Games games;
    for (const int player : {2, 1}) {
        Judge judge{10, 11, {9, 0}, std::vector<int>(11, 10), std::vector<int>(110, 0)};
        judge.top[0] = 9;
        for (const size_t col : {1, 2, 3, 6, 8, 10}) {  // #ppp. q q q: only column 4 is open
            judge.board[9 * 11 + col] = col < 4 ? player : 3 - player;
            judge.top[col] = 9;
        }
        const Cell cell = games.choose(judge.view(), Clock::now() + std::chrono::milliseconds(20));
        CHECK(cell.row == 9 && cell.col == 4);
    }
}

TEST(course, threads_may_play_their_games_at_once) {
    Games games;
    std::vector<std::thread> threads;
    std::atomic<int> finished{0};
    for (uint64_t i = 0; i < 4; ++i)
        threads.emplace_back([&games, &finished, i] {
            Rng rng = check::rng_for(10 + i);
            const CourseBoard board(rng);
            State state(board.rules);
            while (!state.is_over()) {
                const Judge judge = judge_of(state, board.blocked);
                const Cell cell = games.choose(judge.view(), soon());
                if (!state.is_legal(cell.col)) return;
                state.play_unchecked(cell.col);
            }
            ++finished;
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(finished == 4);
}

}  // namespace honte::course
