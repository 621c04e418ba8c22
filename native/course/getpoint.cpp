// The course's interface as a shared library: getPoint and clearPoint.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <new>

#include "course/games.hpp"

#if defined(_WIN32)
#define HONTE_EXPORT extern "C" __declspec(dllexport)
#else
#define HONTE_EXPORT extern "C" __attribute__((visibility("default")))
#endif

struct Point {
    int x, y;
};

/// `honte export getpoint --seconds S` writes the number into a copy of the library.
HONTE_EXPORT char honte_getpoint_seconds[32];
char honte_getpoint_seconds[32] = "HONTE-SECONDS=2.500000";

namespace {

honte::course::Games& games() {
    static auto* const all = new honte::course::Games;  // never destroyed: calls may come at exit
    return *all;
}

std::chrono::steady_clock::duration time_to_think() {
    const double written = std::atof(honte_getpoint_seconds + sizeof "HONTE-SECONDS=" - 1);
    const double seconds = written > 0.02 ? written : 0.02;
    // Keep a margin: a busy machine may deschedule us just before the deadline.
    return std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(seconds * 0.9 - (seconds > 0.2 ? 0.05 : 0.0)));
}

}  // namespace

HONTE_EXPORT Point* getPoint(const int rows, const int cols, const int* top, const int* board,
                             const int /*last_row*/, const int /*last_col*/, const int blocked_row,
                             const int blocked_col) {
    const auto deadline = std::chrono::steady_clock::now() + time_to_think();
    const honte::course::View view{rows, cols, top, board, {blocked_row, blocked_col}};
    honte::course::Cell cell;
    try {
        cell = games().choose(view, deadline);
    } catch (const std::exception&) {  // out of memory: any move is better than none
        if (view.is_possible()) cell = view.any_move();
    }
    return new (std::nothrow) Point{cell.row, cell.col};
}

HONTE_EXPORT void clearPoint(Point* point) { delete point; }
