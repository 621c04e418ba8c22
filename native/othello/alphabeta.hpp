// Minimax of a fixed depth, with and without alpha-beta (Knuth & Moore 1975).
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <utility>
#include <vector>

#include "othello/endgame.hpp"
#include "othello/weights.hpp"

namespace honte::othello {

/// A root move and its value: from the evaluation, or beyond ±kWon if the game is finished.
struct RootMove {
    Move move;
    int value;
};

/// Copy-make: a move makes a new board, and undoing it drops the copy.
template <class Evaluation>
class AlphaBeta {
public:
    AlphaBeta(const Evaluation& evaluation, bool prune) : evaluation_(evaluation), prune_(prune) {}

    uint64_t nodes = 0;
    const std::atomic<bool>* stop = nullptr;
    Clock::time_point until = Clock::time_point::max();

    /// The value of every move, in the order of `legal_moves`. With `best_only`, a move that does
    /// not beat an earlier one gets only a bound, and the best move is the first of highest value.
    std::vector<RootMove> moves(const State& state, int depth, bool best_only) {
        std::vector<RootMove> found;
        int best = -kInfinity;
        for (const Move move : state.legal_moves()) {
            const Board next = move == kPass ? state.board().passed() : state.board().after(move);
            const int beta = best_only ? -best : kInfinity;
            const int value = -(prune_ ? value_of<true>(next, depth - 1, -kInfinity, beta)
                                       : value_of<false>(next, depth - 1, -kInfinity, kInfinity));
            found.push_back({move, value});
            best = std::max(best, value);
        }
        return found;
    }

    int value(const Board& board, int depth) {
        return prune_ ? value_of<true>(board, depth, -kInfinity, kInfinity)
                      : value_of<false>(board, depth, -kInfinity, kInfinity);
    }

    /// The principal variation, from a board with this many plies to go.
    std::vector<Move> line(State state, int depth) {
        std::vector<Move> moves_made;
        for (; depth > 0 && !state.is_over(); --depth) {
            const auto found = moves(state, depth, true);
            const auto best = std::max_element(
                found.begin(), found.end(),
                [](const RootMove& a, const RootMove& b) { return a.value < b.value; });
            moves_made.push_back(best->move);
            state.play_unchecked(best->move);
        }
        return moves_made;
    }

private:
    static constexpr int kInfinity = 2'000'000'000;

    int end_value(const Board& board) const {
        const uint64_t empties = evaluation_.squares() & ~(board.own | board.other);
        const int score = final_score(board, std::popcount(empties));
        return score > 0 ? kWon + score : score < 0 ? -kWon + score : 0;
    }

    template <bool Prune>
    int value_of(const Board& board, int depth, int alpha, int beta) {
        ++nodes;
        if (stop && (nodes & 4095) == 0 &&
            (stop->load(std::memory_order_relaxed) || Clock::now() >= until))
            throw Stopped{};
        const uint64_t empties = evaluation_.squares() & ~(board.own | board.other);
        const uint64_t moves = bits::fast_reach(board.own, board.other) & empties;
        if (!moves && !(bits::fast_reach(board.other, board.own) & empties))
            return end_value(board);
        if (depth <= 0) return evaluation_(board, moves);
        if (!moves) return -value_of<Prune>(board.passed(), depth - 1, -beta, -alpha);

        struct Child {
            Board board;
            int worth;
        } children[64];
        int count = 0;
        for (uint64_t rest = moves; rest; rest &= rest - 1) {
            const int square = std::countr_zero(rest);
            const uint64_t turned = bits::fast_flips(board.own, board.other, square);
            Child& child = children[count++];
            child.board = {board.other ^ turned, board.own | turned | (rest & -rest)};
            if (Prune) {
                // Far from the leaves, good move ordering is worth an evaluation.
                child.worth = depth >= 3 ? -evaluation_(child.board) : evaluation_.worth(square);
            }
        }
        int best = -kInfinity;
        for (int i = 0; i < count; ++i) {
            if (Prune) {
                int top = i;
                for (int j = i + 1; j < count; ++j)
                    if (children[j].worth > children[top].worth) top = j;
                std::swap(children[i], children[top]);
            }
            const int value = -value_of<Prune>(children[i].board, depth - 1, -beta,
                                               Prune ? -std::max(alpha, best) : -alpha);
            if (value > best) best = value;
            if (Prune && best >= beta) return best;
        }
        return best;
    }

    const Evaluation& evaluation_;
    bool prune_;
};

/// A whole game between two evaluations at one depth: its score for the side of `black`, and how
/// it went.
struct PlayedGame {
    int score;
    std::vector<Move> moves;
};

inline PlayedGame play_game(const WeightsEvaluation& black, const WeightsEvaluation& white,
                            int depth, State state) {
    std::vector<Move> moves;
    AlphaBeta<WeightsEvaluation> sides[2] = {{black, true}, {white, true}};
    while (!state.is_over()) {
        const auto legal = state.legal_moves();
        Move move = legal[0];
        if (legal.size() > 1) {
            int best = -2'000'000'000;
            for (const RootMove& root : sides[state.to_move()].moves(state, depth, true))
                if (root.value > best) best = root.value, move = root.move;
        }
        moves.push_back(move);
        state.play_unchecked(move);
    }
    return {state.score(), std::move(moves)};
}

}  // namespace honte::othello
