// What Go adds to the signature: rules, playouts, UCT with priors and a policy.
#pragma once

#include <memory>

#include "go/uct.hpp"
#include "search/signature.hpp"

namespace honte::go {

inline std::shared_ptr<const PolicyWeights> made_up_policy() {
    return std::make_shared<PolicyWeights>(search::made_up_logs(MoveFeatures::count()));
}

inline void add_rules(Signature& signature) {
    for (const int size : {2, 5, 9, 19})
        for (const Ko ko : {Ko::kSimple, Ko::kPositional, Ko::kSituational})
            for (const bool suicide : {false, true}) {
                const Rules rules(size, 7.5, ko, suicide, {});
                search::add_games(signature, State(rules), size == 19 ? 2 : 10, 5);
            }
}

inline void add_uct(Signature& signature, const search::Settings& settings) {
    const Rules rules(9, 7.5, Ko::kPositional, false, {});
    search::add_uct(signature, State(rules), settings);
}

inline void add_policy_uct(Signature& signature) {
    search::Settings settings;
    settings.selection = search::Selection::kPuct;
    settings.policy = made_up_policy();
    settings.rave = search::Rave::kBias;
    settings.priors = 1;
    settings.rave_prior = 10;
    add_uct(signature, settings);
}

/// Searches from later positions, with every playout policy.
inline void add_engines(Signature& signature) {
    Rng rng(12);
    for (const int size : {7, 13}) {
        const Rules rules(size, 6.5, Ko::kPositional, false, {});
        for (const int plies : {6, 30}) {
            search::Settings settings;
            settings.selection = search::Selection::kPuct;
            settings.c = 0.05;
            settings.policy = made_up_policy();
            settings.rave = search::Rave::kBias;
            settings.rave_bias = 0.0085;
            settings.priors = 1;
            settings.rave_prior = 10;
            settings.playout = kSave | kNakade << kPolicyBits | kPattern << 2 * kPolicyBits |
                               kCapture << 3 * kPolicyBits | kSafe << 4 * kPolicyBits;
            settings.memory_mb = 64;
            search::add_uct(signature, search::random_position(State(rules), plies, rng), settings,
                            400);
        }
    }
}

}  // namespace honte::go
