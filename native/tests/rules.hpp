// What holds for every game: known perft counts, states that are values, playouts that are games.
#pragma once

#include <algorithm>
#include <climits>
#include <initializer_list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/batch.hpp"
#include "search/game.hpp"
#include "tests/check.hpp"

namespace honte::check {

/// Count the leaves at increasing depths and compare with the known counts.
template <class Count>
void check_counts(int first_depth, std::initializer_list<uint64_t> expected, Count count) {
    int depth = first_depth;
    for (const uint64_t leaves : expected) {
        const Scene scene([&] {
            return "depth " + std::to_string(depth) + ": counted " + std::to_string(count(depth)) +
                   ", known " + std::to_string(leaves);
        });
        CHECK(count(depth) == leaves);
        ++depth;
    }
}

/// Several threads play out one shared position; each must get the same result as alone.
template <search::SearchGame S>
void check_shared_playouts(const S& state) {
    constexpr int kThreads = 4, kPlayouts = 50;
    const auto total = [&state](uint64_t seed) {
        Rng rng(seed);
        int sum = 0;
        for (int i = 0; i < kPlayouts; ++i) sum += search::random_playout(state, rng);
        return sum;
    };
    int together[kThreads];
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i) threads.emplace_back([&, i] { together[i] = total(i); });
    for (std::thread& thread : threads) thread.join();
    for (int i = 0; i < kThreads; ++i) CHECK(together[i] == total(i));
}

/// Playing on a copy leaves the original unchanged, and numbers that are no moves are illegal.
template <search::SearchGame S>
void check_values(const S& start, uint64_t test) {
    Rng rng = rng_for(test);
    S state = start;
    Budget budget;
    for (int ply = 0; ply < 500 && budget.spend(10); ++ply) {
        const auto moves = state.legal_moves();
        CHECK(state.is_over() == (moves.size() == 0));
        for (int i = 1; i < moves.size(); ++i) CHECK(moves[i - 1] < moves[i]);
        int legal = 0;
        for (Move move = -3; move < 400; ++move) legal += state.is_legal(move);
        CHECK(legal == moves.size());
        for (const Move move : {INT_MIN, INT_MIN + 1, -65536, 1000, 65535, 65536 + 3, INT_MAX})
            CHECK(!state.is_legal(move));
        if (state.is_over()) {
            CHECK(search::random_playout(state, rng) == state.outcome());
            state = start;
            continue;
        }
        const uint64_t hash = state.hash();
        S next = state;
        CHECK(next == state && next.hash() == hash);
        const Move move = moves[static_cast<int>(rng.below(moves.size()))];
        next.play_unchecked(move);
        CHECK(state.hash() == hash && next.hash() != hash && !(next == state));
        CHECK(next.last_move() == move);
        state = next;
    }
}

/// Games in lockstep equal games played one by one, and learners see what networks see.
template <Observable S>
void check_batch(const S& start, uint64_t seed) {
    constexpr size_t kGames = 3;
    Batch<S> games(start, kGames, true, seed);
    std::vector<S> alone(kGames, start);
    const size_t size = games.planes_size();
    std::vector<uint8_t> planes(size);
    int64_t actions[kGames];
    float rewards[kGames];
    bool ends[kGames];
    for (int ply = 0; ply < 150; ++ply) {
        games.choose_random(actions);
        CHECK(games.step(actions, rewards, ends) == -1);
        for (size_t i = 0; i < kGames; ++i) {
            const int mover = alone[i].to_move();
            CHECK(alone[i].is_legal(static_cast<Move>(actions[i])));
            alone[i].play_unchecked(static_cast<Move>(actions[i]));
            CHECK(ends[i] == alone[i].is_over());
            CHECK(rewards[i] == (ends[i] ? (mover ? -1 : 1) * alone[i].outcome() : 0));
            if (ends[i]) alone[i] = start;
            CHECK(games[i] == alone[i]);
            for (size_t move = 0; move < games.actions(); ++move)
                CHECK(games.legal_mask()[i * games.actions() + move] ==
                      alone[i].is_legal(static_cast<Move>(move)));
            write_planes(alone[i], planes.data());
            const uint8_t* const seen = games.planes() + i * size;
            CHECK(std::count(planes.begin(), planes.end(), 1) == std::count(seen, seen + size, 1));
        }
    }
    games.choose_random(actions);
    actions[1] = -1;
    CHECK(games.step(actions, rewards, ends) == 1);
    CHECK(games[0] == alone[0]);
}

/// Records the moves of a playout, as a search receives them.
struct Trace {
    std::vector<std::pair<int, int>> moves;
    void add(int action, int player) { moves.push_back({action, player}); }
};

/// Replay a playout's moves by the rules, adding the passes it omits.
/// A playout may stop after `cut` plies; its outcome is then a guess.
template <search::SearchGame S>
void check_playout_is_a_game(const S& start, unsigned policy, Move pass, int cut, Rng& rng) {
    Trace trace;
    S spent = start;
    const search::Result result = finish_game(spent, rng, policy, trace);
    S state = start;
    int plies = 0;
    const auto play = [&](Move move) {
        CHECK(state.is_legal(move));
        if (!state.is_legal(move)) return false;  // checked again for the compiler's benefit
        state.play_unchecked(move);
        ++plies;
        return true;
    };
    for (const auto& [action, player] : trace.moves) {
        if (state.to_move() != player && !play(pass)) return;
        if (!CHECK(state.to_move() == player) || !play(S::move_of(action))) return;
    }
    const int moves = static_cast<int>(trace.moves.size());
    while (!state.is_over() && play(pass)) continue;  // Go ends with passes
    CHECK(result.plies >= moves && result.plies <= plies);
    if (state.is_over() && plies < cut) CHECK(state.outcome() == result.outcome);
}

template <search::SearchGame S>
void check_playouts_are_games(const S& start, unsigned policies, Move pass, int cut,
                              uint64_t test) {
    Rng rng = rng_for(test);
    S state = start;
    for (Budget budget; budget.spend(10);) {
        check_playout_is_a_game(state, rng.below(policies), pass, cut, rng);
        if (state.is_over()) {
            state = start;
            continue;
        }
        const auto moves = state.legal_moves();
        state.play_unchecked(moves[static_cast<int>(rng.below(moves.size()))]);
    }
}

}  // namespace honte::check
