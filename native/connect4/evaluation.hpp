// Static evaluation of Connect Four: open lines and threats.
#pragma once

#include <array>

#include "connect4/bits.hpp"

namespace honte::connect4 {

/// An evaluation for boards of any size with blocked cells.
///
/// A line is open if it holds no opposing stone and no blocked cell; the fewer stones it lacks, the
/// more it counts. A free cell that completes a line is a threat. It counts for more if its owner
/// gets the cell once all other columns are full, which the parity of the playable cells above it
/// decides.
template <class Word>
class LinesEvaluation {
public:
    static constexpr int kLine[4] = {0, 16, 4, 1};  // by the number of stones it lacks
    static constexpr int kThreat = 16;              // a cell that completes a line
    static constexpr int kOwned = 64;               // … and falls to its owner in the end

    explicit LinesEvaluation(const Layout<Word>& board) : board_(board) {
        // Of T cells in all, one with a cells above it falls to player (T + a + 1) mod 2.
        const int of_even = (board.cells + 1) & 1;
        in_the_end_[of_even] = board.follow;
        in_the_end_[of_even ^ 1] = board.board & ~board.follow;
    }

    /// For the side whose stones are `own`; `player` is 0 for the player who moved first.
    int operator()(const Word& own, const Word& other, int player) const {
        return side(own, other, player) - side(other, own, player ^ 1);
    }

private:
    int side(const Word& own, const Word& other, int player) const {
        const Word open = board_.board & ~other;
        int worth = 0;
        for (const int step : {1, board_.stride() - 1, board_.stride(), board_.stride() + 1})
            worth += lines(own, open, step);
        const Word threats = board_.line_cells(own) & open & ~own;
        return worth + kThreat * count(threats) +
               (kOwned - kThreat) * count(threats & in_the_end_[player]);
    }

    /// Score the open lines of one direction. Each line is represented by its lowest bit; the
    /// stones of all lines are counted at once by bit-sliced addition.
    int lines(const Word& own, const Word& open, int step) const {
        std::array<Word, 5> digits{};
        Word whole = ~Word{};
        for (int i = 0; i < board_.inarow; ++i) {
            Word carry = shifted(own, i * step);
            for (int d = 0; d < 5 && static_cast<bool>(carry); ++d) {
                const Word both = digits[d] & carry;
                digits[d] ^= carry;
                carry = both;
            }
            whole &= shifted(open, i * step);
        }
        int worth = 0;
        for (int lacking = 1; lacking < 4 && lacking < board_.inarow; ++lacking) {
            Word such = whole;
            for (int d = 0; d < 5; ++d)
                such &= (board_.inarow - lacking) >> d & 1 ? digits[d] : ~digits[d];
            worth += kLine[lacking] * count(such);
        }
        return worth;
    }
    /// Shift down by any number of bits: a Word shifts by 1 to 63 at a time.
    static Word shifted(Word word, int by) {
        for (; by > 63; by -= 63) word = word >> 63;
        return by ? word >> by : word;
    }

    const Layout<Word>& board_;
    Word in_the_end_[2];
};

}  // namespace honte::connect4
