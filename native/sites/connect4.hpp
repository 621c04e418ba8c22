// Connect Four on Saiblo, and in Botzone's protocol.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "connect4/uct.hpp"
#include "course/judge_view.hpp"
#include "sites/program.hpp"

namespace honte::sites {

/// x is the row from the top and y the column; the first request has the board.
struct Connect4 {
    using State = connect4::State;

    static connect4::Rules rules(const nets::Json& first) {
        const auto& blocked = first["blocked"].list();
        course::Cell cell;
        if (!blocked.empty()) {
            cell.row = static_cast<int>(blocked[0].list().at(0).integer(0, 99));
            cell.col = static_cast<int>(blocked[0].list().at(1).integer(0, 99));
        }
        const int rows = static_cast<int>(first["rows"].integer(4, connect4::kMaxSide));
        const int cols = static_cast<int>(first["cols"].integer(4, connect4::kMaxSide));
        return course::View{rows, cols, nullptr, nullptr, cell}.rules();
    }
    static Move move(const State& /*state*/, int /*x*/, int y) { return y; }
    static std::pair<int, int> point(const State& state, Move col) {
        return {state.rules().rows() - 1 - state.landing(col), col};
    }
};

/// A game by Saiblo's protocol: numbers in, a length of four bytes and "x y" out.
template <class Think>
int saiblo(double limit, Think think) {
    int rows = 0, cols = 0;
    course::Cell blocked;
    if (!(std::cin >> rows >> cols >> blocked.row >> blocked.col)) return 1;
    std::vector<int> top(static_cast<size_t>(cols)), board(static_cast<size_t>(rows * cols));
    const course::View view{rows, cols, top.data(), board.data(), blocked};
    if (!view.is_possible()) return 1;
    const connect4::Rules rules = view.rules();
    for (int last_row, last_col; std::cin >> last_row >> last_col;) {
        const auto deadline = Clock::now() + time_to_think(limit);
        for (int& number : top) std::cin >> number;
        for (int& number : board) std::cin >> number;
        course::Cell cell = view.any_move();
        const auto state = view.position(rules);
        if (state && !state->is_over()) {
            const Move col = think(*state, deadline);
            cell = {rows - 1 - state->landing(col), col};
        }
        const std::string answer = std::to_string(cell.row) + " " + std::to_string(cell.col);
        const unsigned char length[4] = {0, 0, 0, static_cast<unsigned char>(answer.size())};
        std::fwrite(length, 1, 4, stdout);
        std::fwrite(answer.data(), 1, answer.size(), stdout);
        std::fflush(stdout);
    }
    return 0;
}

}  // namespace honte::sites
