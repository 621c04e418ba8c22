// The native signatures, and the one list of games that they cover.
#pragma once

#include "connect4/signature.hpp"
#include "go/signature.hpp"
#include "othello/signature.hpp"

namespace honte {

/// Rules and playouts.
inline uint64_t rules_signature() {
    Signature signature;
    connect4::add_rules(signature);
    othello::add_rules(signature);
    go::add_rules(signature);
    return signature.value();
}

/// Rules, playouts and UCT under all of its selection rules.
inline uint64_t signature() {
    using namespace search;
    Signature signature;
    signature.add(rules_signature());
    for (const Selection selection : {Selection::kFlat, Selection::kUcb1, Selection::kUcb1Tuned,
                                      Selection::kUcbTuned2, Selection::kPuct})
        for (const Rave rave : {Rave::kNo, Rave::kSchedule, Rave::kBias}) {
            Settings settings;
            settings.selection = selection;
            settings.rave = rave;
            settings.memory_mb = 16;
            settings.playout = static_cast<unsigned>(selection);  // some policies of each game
            settings.transpositions = rave == Rave::kSchedule;
            connect4::add_uct(signature, settings);
            othello::add_uct(signature, settings);
            if (rave != Rave::kBias) go::add_uct(signature, settings);
        }
    connect4::add_policy_uct(signature);
    go::add_policy_uct(signature);
    return signature.value();
}

/// Everything else that decides moves: threat search, alpha-beta, solvers, the pattern engine.
inline uint64_t engine_signature() {
    Signature signature;
    connect4::add_engines(signature);
    othello::add_engines(signature);
    go::add_engines(signature);
    return signature.value();
}

}  // namespace honte
