// Training samples for the evaluation: positions of finished games with their results.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "othello/endgame.hpp"
#include "othello/fitting.hpp"

namespace honte::othello {

/// One finished game: squares without passes, and its result.
struct TrainingGame {
    std::span<const uint8_t> squares;
    int result;                    // discs of black minus white at the end, empties to the winner
    std::optional<int> perfect{};  // the same with both sides perfect from `empties` on
    int empties = 0;
};

/// The exact result of a game with perfect play from a few empties on, for black; nothing if the
/// game ended before.
class ExactResults {
public:
    static constexpr int kEmpties = 13;  // a millisecond a game

    std::optional<int> of(std::span<const uint8_t> squares) {
        Board board{1ULL << 28 | 1ULL << 35, 1ULL << 27 | 1ULL << 36};
        int mover = 0;
        for (const uint8_t square : squares) {
            if (square >= 64) break;
            if (!(board.moves(~0ULL) >> square & 1)) {
                board = board.passed();
                mover ^= 1;
                if (!(board.moves(~0ULL) >> square & 1)) break;
            }
            if (std::popcount(~(board.own | board.other)) == kEmpties) {
                const int score = solve(board);
                return mover ? -score : score;
            }
            board = board.after(square);
            mover ^= 1;
        }
        return {};
    }

private:
    int solve(const Board& board) {
        int low = -64, high = 64;
        for (int guess = -1; low<high; guess = low> guess ? low : high - 1) {
            const int score = end_.score(board, guess);
            score > guess ? low = score : high = score;
        }
        return low;
    }

    Table table_{16};
    Endgame end_{table_, ~0ULL};
};

/// Training samples by the number of discs, some of them held out.
class TrainingSet {
public:
    int64_t games = 0;  // so far

    /// Add every position in which a move was made; false if the game contains an illegal move.
    bool add(const TrainingGame& game, bool held_out) {
        Board board{1ULL << 28 | 1ULL << 35, 1ULL << 27 | 1ULL << 36};
        int mover = 0;
        std::vector<Example> found;
        for (const uint8_t square : game.squares) {
            if (square >= 64) break;
            if (!(board.moves(~0ULL) >> square & 1)) {
                board = board.passed();
                mover ^= 1;
                if (!(board.moves(~0ULL) >> square & 1)) return false;
            }
            const int empties = 64 - std::popcount(board.own | board.other);
            const bool perfect = game.perfect && empties >= game.empties;
            const int result = perfect ? *game.perfect : game.result;
            found.push_back({board.own, board.other, static_cast<float>(mover ? -result : result)});
            board = board.after(square);
            mover ^= 1;
        }
        auto& kept = held_out ? held_out_ : training_;
        for (const Example& example : found)
            kept[std::popcount(example.own | example.other)].push_back(example);
        return true;
    }

    /// Add the samples of a phase to a fit; `spread` includes positions with a few discs more or
    /// less.
    void add_to(Fit& fit, int phase, int spread) const {
        for (int discs = 4; discs < 64; ++discs)
            if (patterns::phase_of(discs + spread) >= phase &&
                patterns::phase_of(discs - spread) <= phase)
                for (const Example& example : training_[discs]) fit.add(example);
    }
    Errors held_out_errors(const Fit& fit, int phase) const {
        Errors errors;
        for (int discs = 4; discs < 64; ++discs)
            if (patterns::phase_of(discs) == phase)
                for (const Example& example : held_out_[discs])
                    errors.add(fit.predict(example) - example.result);
        return errors;
    }
    size_t size() const {
        size_t sum = 0;
        for (int discs = 0; discs < 65; ++discs)
            sum += training_[discs].size() + held_out_[discs].size();
        return sum;
    }

private:
    std::vector<Example> training_[65], held_out_[65];
};

}  // namespace honte::othello
