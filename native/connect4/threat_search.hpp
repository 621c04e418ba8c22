// Threat search: wins by forcing moves alone, and the forced moves for UCT.
//
// Every attacking move threatens to complete a line, so every reply is forced, and the last move
// makes a double threat. Few moves threaten anything, so such wins are found far deeper than by
// full-width search (threat-space search: Allis, van den Herik, Huntjens 1993).
#pragma once

#include <bit>
#include <cstring>

#include "connect4/game.hpp"
#include "connect4/threats.hpp"
#include "search/game.hpp"

namespace honte::connect4 {

class ThreatSearch {
public:
    /// For the side to move.
    explicit ThreatSearch(const State& state)
        : rules_(state.rules()),
          me_(state.to_move()),
          root_(rules_, Stones(state.lines(), state.landings())) {}

    /// Plies to a win within this many moves of the attacker; 0 if none was found within this many
    /// nodes.
    int plies(int moves, int max_nodes = 48) {
        nodes_left_ = max_nodes;
        return rules_.inarow() == 4 ? search(root_, moves) : 0;
    }
    /// Its first move.
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
        if (moves < 2 || (theirs & (theirs - 1)) || --nodes_left_ < 0) return 0;
        uint32_t single = 0;
        uint8_t answer[kMaxSide];
        // Never below a cell where the opponent completes a line.
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
    int nodes_left_ = 0;
    int first_ = -1;
};

/// The mover's own win comes first; then the opponent's threats: a single one must be blocked, a
/// double one is lost. Then a win by at most `threat_depth` forcing moves.
inline search::Forced forced_moves(const State& state, int threat_depth) {
    using search::Forced;
    const auto won_by = [](int col, int plies) {
        Forced win{Forced::kWin, {}, plies};
        win.moves.push(col);
        return win;
    };
    const int me = state.to_move();
    Forced blocks;
    for (int col = 0; col < state.rules().cols(); ++col) {
        if (state.landing(col) == kFull) continue;
        if (state.wins_at(me, col)) return won_by(col, 1);
        if (state.wins_at(me ^ 1, col)) blocks.moves.push(col);
    }
    blocks.kind = blocks.moves.size() == 0   ? Forced::kNothing
                  : blocks.moves.size() == 1 ? Forced::kOnly
                                             : Forced::kLost;
    blocks.plies = 2;
    if (blocks.kind == Forced::kLost || threat_depth == 0) return blocks;
    ThreatSearch threats(state);
    const int plies = threats.plies(threat_depth);
    return plies ? won_by(threats.first(), plies) : blocks;
}

}  // namespace honte::connect4
