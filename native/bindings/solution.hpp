// Python bindings of proofs and clocks, shared by all solvers.
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "search/solution.hpp"

namespace honte::bindings {

namespace nb = nanobind;

using SteadyClock = std::chrono::steady_clock;

inline SteadyClock::duration duration_of(double seconds) {
    const std::chrono::duration<double> span(seconds > 0 ? std::min(seconds, 3600.0) : 0.0);
    return std::chrono::duration_cast<SteadyClock::duration>(span);
}

inline SteadyClock::time_point after_seconds(double seconds) {
    if (!(seconds < 1e6)) return SteadyClock::time_point::max();
    const std::chrono::duration<double> span(std::max(seconds, 0.0));
    return SteadyClock::now() + std::chrono::duration_cast<SteadyClock::duration>(span);
}

/// Reject a position of another board than the one the search was made for.
template <class Rules, class S>
void check_board(const Rules& rules, const S& state) {
    if (!(state.rules() == rules))
        throw std::invalid_argument("the position is of another board than this search");
}

inline nb::dict as_dict(const search::Solution& solution) {
    nb::list moves;
    for (const search::SolvedMove& move : solution.moves)
        moves.append(nb::make_tuple(move.move, move.low, move.high));
    nb::dict report;
    report["low"] = solution.low;
    report["high"] = solution.high;
    report["moves"] = moves;
    report["pv"] = solution.pv;
    report["nodes"] = solution.nodes;
    report["finished"] = solution.finished;
    return report;
}

}  // namespace honte::bindings
