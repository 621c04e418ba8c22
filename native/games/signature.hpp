// One number for what the rules and the playouts decide: a change that means to
// keep the behaviour keeps the number, on every machine and in every build.
#pragma once

#include <cstdint>

#include "games/connect4.hpp"
#include "games/go.hpp"
#include "games/othello.hpp"

namespace honte {

class Signature {
public:
    void add(uint64_t value) { value_ = mix(value_ ^ value); }
    uint64_t value() const { return value_; }

    /// Random games, move by move, and a few playouts from every position on the way.
    template <GameState S>
    void add_games(const S& start, int games, uint64_t seed) {
        Rng rng(seed);
        for (int i = 0; i < games; ++i) {
            S state = start;
            for (int ply = 0; ply < 400 && !state.is_over(); ++ply) {
                const auto moves = state.legal_moves();
                state.play_unchecked(moves[static_cast<int>(rng.below(moves.size()))]);
                add(state.hash());
                add(static_cast<uint64_t>(moves.size()));
                if (ply % 8 == 0) add(static_cast<uint64_t>(state.playout(rng) + 1));
            }
            add(static_cast<uint64_t>(state.outcome() + 1));
        }
    }

private:
    uint64_t value_ = 0;
};

/// The part of the signature that rules and playouts decide.
inline uint64_t rules_signature() {
    Signature signature;
    bool blocked[256] = {};
    {
        const connect4::Rules standard(6, 7, 4, blocked);
        signature.add(perft(connect4::State(standard), 6));
        signature.add_games(connect4::State(standard), 200, 1);
        blocked[5 * 12 + 6] = true;
        const connect4::Rules course(12, 12, 4, blocked);
        signature.add_games(connect4::State(course), 200, 2);
        const connect4::Rules wide(16, 16, 5, blocked);
        signature.add_games(connect4::State(wide), 50, 3);
    }
    for (const int size : {4, 6, 8}) {
        const othello::Rules rules(size);
        const othello::State start(rules);
        signature.add(othello::perft<othello::PerftStyle{}>(start.board(), rules.board(), 7));
        signature.add_games(start, 100, 4);
    }
    for (const int size : {2, 5, 9, 19})
        for (const go::Ko ko : {go::Ko::kSimple, go::Ko::kPositional, go::Ko::kSituational})
            for (const bool suicide : {false, true}) {
                const go::Rules rules(size, 7.5, ko, suicide, {});
                signature.add_games(go::State(rules), size == 19 ? 2 : 10, 5);
            }
    return signature.value();
}

}  // namespace honte
