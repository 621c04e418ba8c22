// What can be set about a UCT search: one plain struct, checked in Python.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "search/game.hpp"

namespace honte::nets {
class Network;
}

namespace honte::search {

enum class Selection { kFlat, kUcb1, kUcb1Tuned, kUcbTuned2, kPuct };
enum class Final { kVisits, kValue, kUcb, kLcb };
enum class Rave { kNo, kSchedule, kBias };

struct Settings {
    Selection selection = Selection::kUcb1;
    double c = 0.8;
    int ucb_factor = 2;  // of ln N under the square root
    double fpu = -1;     // first-play urgency; < 0: every move is visited once first
    Rave rave = Rave::kNo;
    double rave_k = 1000;    // equivalence parameter: AMAF and UCT weigh the same after k visits
    double rave_bias = 0.1;  // the b of the bias form
    unsigned playout = 0;    // the game's own playout policies, as it encodes them
    double priors = 0;       // weight of the move priors, in virtual visits; 0: none
    std::shared_ptr<const Policy> policy;          // of the game that is searched; null: none
    std::shared_ptr<const nets::Network> network;  // values and probabilities; null: none
    bool evaluator = false;                        // external, in place of a network: leaves wait
    double temperature = 1;                        // of the network's probabilities
    double playout_share = 0;                      // of a playout's result in a network's value
    double score_utility = 0;                      // weight of the lead beside the outcome
    double rave_prior = 0;                         // initial AMAF wins of a move, scaled by √P
    double fpu_reduction = 0;  // with a policy: unvisited moves start this far below their parent;
                               // with a network: times the square root of the policy visited
    double progressive_widening = 0;  // moves considered at a new node, best priors first; 0: all
    uint32_t prune = 0;               // visits after which a move may be pruned; 0: never
    double prune_value = 0;           // … if its value is below this
    bool forced = true;               // the game's forced moves shape new nodes
    int threat_depth = 0;             // … and wins by at most this many forcing moves are proven
    bool solver = true;               // proven results are backed up
    Final final = Final::kVisits;
    // With an evaluator:
    int batch = 8;                // leaves of one tree that may wait at once
    bool gumbel = false;          // the root's rule: sequential halving in place of PUCT
    int considered = 16;          // moves that sequential halving starts with
    double gumbel_scale = 1;      // of the Gumbel noise; 0: none
    double noise = 0;             // share of Dirichlet noise in the root's probabilities
    double alpha = 0.3;           // its concentration
    double move_temperature = 0;  // 0: the final rule; above: by visits to the power of 1/this
    bool transpositions = false;
    int threads = 1;
    uint64_t seed = 0;
    size_t memory_mb = 512;
    int games = 1;  // that share the memory
};

}  // namespace honte::search
