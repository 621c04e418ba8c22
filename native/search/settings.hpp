// What can be chosen about a UCT search: one plain struct, checked in Python.
#pragma once

#include <cstddef>
#include <cstdint>

namespace honte::search {

enum class Selection { kFlat, kUcb1, kUcb1Tuned, kUcbTuned2, kPuct };
enum class Final { kVisits, kValue, kUcb, kLcb };
enum class Rave { kNo, kSchedule, kBias };

struct Settings {
    Selection selection = Selection::kUcb1;
    double c = 0.8;
    int ucb_factor = 2;  // the number before ln N under the root
    double fpu = -1;     // the value of a move never tried; < 0: before any formula
    Rave rave = Rave::kNo;
    double rave_k = 1000;    // simulations at which AMAF and UCT weigh the same
    double rave_bias = 0.1;  // the b of the bias form
    unsigned playout = 0;    // the game's own playout policies, as it reads them
    double priors = 0;       // how much the game's opinion of moves weighs; 0: not at all
    unsigned policy = 0;     // which table foresees moves, where the game has some; 0: none
    double foreseen = 0;     // … and AMAF starts with so many wins for a move that is certain
    double caution = 0;      // with a policy: how much worse a move never tried is thought to be
    double widen = 0;        // new moves are looked at one by one, best priors first; 0: all
    uint32_t prune = 0;      // a move is given up after so many visits; 0: never
    double prune_value = 0;  // … if its value is lower than this
    bool forced = true;      // the game's forced moves shape new nodes
    int attack = 0;          // … and a win by so many moves that threaten is known at once
    bool solver = true;      // proven results are backed up
    Final final = Final::kVisits;
    double length = 0;  // how much a longer game takes off its result
    bool transpositions = false;
    int threads = 1;
    uint64_t seed = 0;
    size_t memory_mb = 512;
};

}  // namespace honte::search
