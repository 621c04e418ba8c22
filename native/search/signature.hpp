// One number for everything that rules, playouts and searches decide.
#pragma once

#include <cmath>

#include "games/signature.hpp"
#include "search/uct.hpp"

namespace honte::search {

/// What a search on one thread finds, to the last visit.
template <GameState S>
void add_search(Signature& signature, const S& state, const Settings& settings) {
    Uct<S> uct(state, settings);
    uct.run(3000, Clock::now() + std::chrono::hours(1));
    const Snapshot shot = uct.snapshot();
    signature.add(static_cast<uint64_t>(shot.children[static_cast<size_t>(shot.chosen)].move));
    signature.add(static_cast<uint64_t>(shot.nodes));
    for (const ChildReport& child : shot.children) {
        signature.add(child.visits);
        signature.add(static_cast<uint64_t>(std::llround(child.value * 1e6)));
    }
}

/// The number of a table that foresees something about any move of a game.
template <class Strengths>
unsigned made_up_policy(int features) {
    static const unsigned number = [features] {
        std::vector<float> logs;
        for (int i = 0; i < features; ++i)
            logs.push_back(static_cast<float>(mix(static_cast<uint64_t>(i)) % 64) / 32);
        return Kept<Strengths>::keep(Strengths(logs));
    }();
    return number;
}
inline unsigned made_up_policy(const connect4::State& /*of*/) {
    return made_up_policy<connect4::Strengths>(connect4::Shapes::kCount);
}
inline unsigned made_up_policy(const go::State& /*of*/) {
    return made_up_policy<go::Strengths>(go::Team::count());
}

inline uint64_t signature() {
    Signature signature;
    signature.add(rules_signature());
    bool blocked[256] = {};
    blocked[5 * 12 + 6] = true;
    const connect4::Rules course(12, 12, 4, blocked);
    const othello::Rules othello(8);
    const go::Rules go(9, 7.5, go::Ko::kPositional, false, {});
    for (const Selection selection : {Selection::kFlat, Selection::kUcb1, Selection::kUcb1Tuned,
                                      Selection::kUcbTuned2, Selection::kPuct})
        for (const Rave rave : {Rave::kNo, Rave::kSchedule, Rave::kBias}) {
            Settings settings;
            settings.selection = selection;
            settings.rave = rave;
            settings.memory_mb = 16;
            settings.playout = static_cast<unsigned>(selection);  // some policies of each game
            settings.transpositions = rave == Rave::kSchedule;
            add_search(signature, connect4::State(course), settings);
            add_search(signature, othello::State(othello), settings);
            if (rave != Rave::kBias) add_search(signature, go::State(go), settings);
        }
    Settings settings;
    settings.selection = Selection::kPuct;
    settings.policy = made_up_policy(connect4::State(course));
    settings.attack = 8;
    add_search(signature, connect4::State(course), settings);
    settings.policy = made_up_policy(go::State(go));
    settings.rave = Rave::kBias;
    settings.priors = 1;
    settings.foreseen = 10;
    add_search(signature, go::State(go), settings);
    return signature.value();
}

}  // namespace honte::search
