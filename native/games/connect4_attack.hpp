// Winning by threats alone: every move leaves a line to be completed at once, so every answer is
// forced, and the last move leaves two. Few moves threaten, so such a win is found far deeper
// than by trying everything.
#pragma once

#include <bit>
#include <cstring>

#include "games/connect4_board.hpp"

namespace honte::connect4 {

class Attack {
public:
    /// On a board where this player is to move.
    Attack(const Rules& rules, const Lines (&lines)[2], const uint8_t (&landing)[kMaxSide],
           int attacker)
        : rules_(rules), me_(attacker), root_(rules, Stones(lines, landing)) {}

    /// Plies to a win that takes at most so many of one's own moves; 0 if none was found in so
    /// many positions.
    int plies(int moves, int patience = 48) {
        left_ = patience;
        return rules_.inarow() == 4 ? search(root_, moves) : 0;
    }
    /// The move that begins it.
    int first() const { return first_; }

private:
    struct Stones {
        Lines lines[2];
        uint8_t landing[kMaxSide];

        Stones(const Lines (&given)[2], const uint8_t (&heights)[kMaxSide])
            : lines{given[0], given[1]} {
            std::memcpy(landing, heights, sizeof landing);
        }
    };
    struct Board : Stones {
        Threats<true> threats;

        Board(const Rules& rules, const Stones& stones)
            : Stones(stones), threats(rules, lines, landing) {}
        Board(const Board& other) : Stones(other), threats(other.threats, lines) {}

        void play(const Rules& rules, int player, int col) {
            const int height = landing[col];
            const uint64_t packed =
                lines[player].place(static_cast<unsigned>(col), static_cast<unsigned>(height));
            landing[col] = static_cast<uint8_t>(rules.above(col, height));
            threats.update(player, col, height, packed);
        }
    };

    int search(const Board& board, int moves) {
        const Threats<true>& threats = board.threats;
        const uint32_t mine = threats.now(me_), theirs = threats.now(me_ ^ 1);
        if (mine) return begin(std::countr_zero(mine), 1);
        if (moves < 2 || (theirs & (theirs - 1)) || --left_ < 0) return 0;
        uint32_t single = 0;
        uint8_t answer[kMaxSide];
        // Not where the opponent would complete a line on top of it.
        uint32_t tried = (theirs ? theirs : threats.open()) & ~threats.above(me_ ^ 1);
        for (; tried; tried &= tried - 1) {
            const int col = std::countr_zero(tried);
            const uint32_t made = threats.made_by(me_, col);
            if (made & (made - 1)) return begin(col, 3);
            if (made) {
                single |= 1u << col;
                answer[col] = static_cast<uint8_t>(std::countr_zero(made));
            }
        }
        for (; single; single &= single - 1) {
            const int col = std::countr_zero(single);
            Board next = board;
            next.play(rules_, me_, col);
            next.play(rules_, me_ ^ 1, answer[col]);
            if (const int plies = search(next, moves - 1)) return begin(col, plies + 2);
        }
        return 0;
    }
    int begin(int col, int plies) {
        first_ = col;
        return plies;
    }

    const Rules& rules_;
    int me_;
    Board root_;
    int left_ = 0;  // positions that may still be looked at
    int first_ = -1;
};

}  // namespace honte::connect4
