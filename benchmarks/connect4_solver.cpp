// The speed of the Connect Four solver on known positions, without the overhead of Python.
//
//   c++ -std=c++20 -O3 -march=native -Inative benchmarks/connect4_solver.cpp -o
//   build/connect4_solver build/connect4_solver Test_L3_R1 Test_L2_R1 Test_L1_R1
//
// A line of a file holds the columns played and the score. CPU time, best of five runs; the table
// is cleared before every position.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include "connect4/solver.hpp"

using namespace honte::connect4;

int main(int count, char** words) {
    const bool blocked[42] = {};
    const Rules rules(6, 7, 4, blocked);
    const auto solver = Solver::make(rules, 1, size_t{256} << 20);
    for (int i = 1; i < count; ++i) {
        std::vector<std::pair<State, int>> problems;
        std::ifstream file(words[i]);
        std::string moves;
        for (int score; file >> moves >> score;) {
            State state(rules);
            for (const char move : moves) state.play_unchecked(move - '1');
            problems.emplace_back(state, score);
        }
        double best = 1e9;
        int wrong = 0;
        for (int run = 0; run < 5; ++run) {
            clock_t spent = 0;
            wrong = 0;
            for (const auto& [state, score] : problems) {
                solver->forget();
                const clock_t began = clock();
                solver->start(state, {});
                while (!solver->wait(std::chrono::seconds(1))) {
                }
                spent += clock() - began;
                wrong += solver->solution().low != score || solver->solution().high != score;
            }
            best = std::min(best, static_cast<double>(spent) / CLOCKS_PER_SEC);
        }
        std::printf("%s: %zu positions, %d wrong, %.4f ms\n", words[i], problems.size(), wrong,
                    1000 * best / static_cast<double>(problems.size()));
    }
}
