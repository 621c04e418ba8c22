// Symmetric moves in the opening of a game of Go.
#pragma once

#include "go/game.hpp"

namespace honte::go {

/// Where a reflection or rotation moves a point: bits 0 and 1 of the form mirror, bit 2 transposes.
constexpr Move image_of(int size, Move move, int form) {
    int row = move / size, col = move % size;
    if (form & 1) row = size - 1 - row;
    if (form & 2) col = size - 1 - col;
    return form & 4 ? col * size + row : row * size + col;
}

/// The reflections and rotations of a position.
class Symmetry {
public:
    explicit Symmetry(const State& state) : state_(state), size_(state.rules().size()) {}

    /// The symmetries, other than the identity, that leave the stones unchanged, one bit each. None
    /// once there are more than a few stones, or on boards so small that superko makes the history
    /// matter.
    unsigned forms() const {
        const Rules& rules = state_.rules();
        const Board& board = state_.board();
        if (rules.pass() - board.empties() > kFewStones || size_ < 5) return 0;
        unsigned found = 0;
        for (int form = 1; form < 8; ++form) {
            Move move = 0;
            while (move < rules.pass() &&
                   board.color(rules.point(move)) == board.color(rules.point(image(move, form))))
                ++move;
            if (move == rules.pass()) found |= 1u << form;
        }
        return found;
    }
    /// Is the move the lowest of its legal images?
    bool is_first_of_its_images(Move move, unsigned forms) const {
        for (int form = 1; form < 8; ++form)
            if (forms >> form & 1 && image(move, form) < move && state_.is_legal(image(move, form)))
                return false;
        return true;
    }

private:
    static constexpr int kFewStones = 8;

    Move image(Move move, int form) const { return image_of(size_, move, form); }

    const State& state_;
    const int size_;
};

/// The legal moves; in the opening only one of each set of symmetric ones.
inline State::Moves distinct_moves(const State& state) {
    const Symmetry symmetry(state);
    const unsigned forms = symmetry.forms();
    if (!forms) return state.legal_moves();
    State::Moves moves;
    for (const Move move : state.legal_moves())
        if (move == state.rules().pass() || symmetry.is_first_of_its_images(move, forms))
            moves.push(move);
    return moves;
}

}  // namespace honte::go
