// The last few empties of a game of Othello: no table, odd quarters first, the very last unrolled.
#pragma once

#include <bit>
#include <cstdint>
#include <utility>

#include "othello/bits.hpp"
#include "othello/move_ordering.hpp"
#include "othello/stability.hpp"

namespace honte::othello {

/// The final difference for `own`: the empties go to the winner.
inline int final_score(const Board& board, int empties) {
    const int difference = std::popcount(board.own) - std::popcount(board.other);
    return difference > 0 ? difference + empties : difference < 0 ? difference - empties : 0;
}

/// The last plies of the endgame search, which need nothing but the board.
///
/// Every function asks whether the score is above alpha, and returns a bound: an upper one if it is
/// ≤ alpha, else a lower one.
class LastEmpties {
public:
    explicit LastEmpties(uint64_t squares)
        : squares_(squares), count_(std::popcount(squares)), whole_(squares == ~0ULL) {}

    uint64_t nodes = 0;

protected:
    static constexpr int kInfinity = 100;

    /// Whether the opponent's stable discs already keep the score at or below alpha.
    bool is_capped(const Board& board, int alpha, int n, int& cap) const {
        // Worth computing only if the opponent could have enough of them.
        if (!whole_ || alpha < (n < 31 ? 2 * (n - 4) : 54)) return false;
        cap = 64 - 2 * std::popcount(stable_discs(board.other, board.own));
        return cap <= alpha;
    }

    // -- the last squares, each unrolled ---------------------------------------------------

    int last1(uint64_t own, int a) {
        ++nodes;
        const int base = 2 * std::popcount(own) - count_;
        if (const int turned = bits::last_flips(own, a)) return base + 2 + turned;
        if (const int turned = bits::last_flips(squares_ & ~own & ~(1ULL << a), a))
            return base - turned;
        return base + (base + 1 > 0 ? 2 : 0);
    }

    int last2(const Board& board, int a, int b, int alpha, bool passed = false) {
        ++nodes;
        int best = -kInfinity;
        const int order[2][2] = {{a, b}, {b, a}};
        for (const auto& [here, there] : order) {
            if (!(bits::kNeighbours.of[here] & board.other)) continue;
            const uint64_t turned = bits::fast_flips(board.own, board.other, here);
            if (!turned) continue;
            const int value = -last1(board.other ^ turned, there);
            if (value > alpha) return value;
            if (value > best) best = value;
        }
        if (best > -kInfinity) return best;
        if (passed) return final_score(board, 2);
        return -last2(board.passed(), a, b, -alpha - 1, true);
    }

    int last3(const Board& board, int a, int b, int c, int alpha, bool passed = false) {
        ++nodes;
        int best = -kInfinity;
        const int order[3][3] = {{a, b, c}, {b, a, c}, {c, a, b}};
        for (const auto& [here, one, two] : order) {
            if (!(bits::kNeighbours.of[here] & board.other)) continue;
            const uint64_t turned = bits::fast_flips(board.own, board.other, here);
            if (!turned) continue;
            const Board next{board.other ^ turned, board.own | turned | 1ULL << here};
            const int value = -last2(next, one, two, -alpha - 1);
            if (value > alpha) return value;
            if (value > best) best = value;
        }
        if (best > -kInfinity) return best;
        if (passed) return final_score(board, 3);
        return -last3(board.passed(), a, b, c, -alpha - 1, true);
    }

    /// `odd` has a bit for each quarter with an odd number of empties.
    int last4(const Board& board, uint64_t empties, unsigned odd, int alpha) {
        ++nodes;
        int cap;
        if (is_capped(board, alpha, 4, cap)) return cap;
        int s[4];
        // Squares alone in their quarter come first.
        int i = 0;
        const uint64_t first = empties & kQuarters.squares[odd];
        for (uint64_t rest = first; rest; rest &= rest - 1) s[i++] = std::countr_zero(rest);
        for (uint64_t rest = empties ^ first; rest; rest &= rest - 1)
            s[i++] = std::countr_zero(rest);
        return last4(board, s[0], s[1], s[2], s[3], alpha, false);
    }

    int last4(const Board& board, int a, int b, int c, int d, int alpha, bool passed) {
        int best = -kInfinity;
        const int order[4][4] = {{a, b, c, d}, {b, a, c, d}, {c, a, b, d}, {d, a, b, c}};
        for (const auto& [here, one, two, three] : order) {
            if (!(bits::kNeighbours.of[here] & board.other)) continue;
            const uint64_t turned = bits::fast_flips(board.own, board.other, here);
            if (!turned) continue;
            const Board next{board.other ^ turned, board.own | turned | 1ULL << here};
            // The one that now stands alone comes first.
            int x = one, y = two, z = three;
            const unsigned qx = Quarters::of(x), qy = Quarters::of(y), qz = Quarters::of(z);
            if (qx == qy && qx != qz)
                std::swap(x, z);
            else if (qx == qz && qx != qy)
                std::swap(x, y);
            const int value = -last3(next, x, y, z, -alpha - 1);
            if (value > alpha) return value;
            if (value > best) best = value;
        }
        if (best > -kInfinity) return best;
        if (passed) return final_score(board, 4);
        ++nodes;
        return -last4(board.passed(), a, b, c, d, -alpha - 1, true);
    }

    // -- few empties: no table, odd quarters first --------------------------------------------

    int few(const Board& board, uint64_t empties, int n, unsigned odd, int alpha) {
        switch (n) {
            case 0:
                ++nodes;
                return final_score(board, 0);
            case 1:
                return last1(board.own, std::countr_zero(empties));
            case 2: {
                const int a = std::countr_zero(empties),
                          b = std::countr_zero(empties & (empties - 1));
                return last2(board, a, b, alpha);
            }
            case 3: {
                const uint64_t rest = empties & (empties - 1);
                return last3(board, std::countr_zero(empties), std::countr_zero(rest),
                             std::countr_zero(rest & (rest - 1)), alpha);
            }
            case 4:
                return last4(board, empties, odd, alpha);
            default:
                return shallow(board, empties, n, odd, alpha, false);
        }
    }

    int shallow(const Board& board, uint64_t empties, int n, unsigned odd, int alpha, bool passed) {
        ++nodes;
        int cap;
        if (is_capped(board, alpha, n, cap)) return cap;
        const uint64_t moves = bits::fast_reach(board.own, board.other) & empties;
        if (!moves) {
            if (passed) return final_score(board, n);
            return -shallow(board.passed(), empties, n, odd, -alpha - 1, true);
        }
        int best = -kInfinity;
        const uint64_t odd_squares = kQuarters.squares[odd];
        for (const uint64_t part : {moves & odd_squares, moves & ~odd_squares})
            for (uint64_t rest = part; rest; rest &= rest - 1) {
                const int square = std::countr_zero(rest);
                const uint64_t bit = rest & -rest;
                const uint64_t turned = bits::fast_flips(board.own, board.other, square);
                const Board next{board.other ^ turned, board.own | turned | bit};
                const unsigned now_odd = odd ^ Quarters::of(square);
                const int value =
                    n == 5 ? -last4(next, empties ^ bit, now_odd, -alpha - 1)
                           : -shallow(next, empties ^ bit, n - 1, now_odd, -alpha - 1, false);
                if (value > alpha) return value;
                if (value > best) best = value;
            }
        return best;
    }

    const uint64_t squares_;
    const int count_;   // of squares
    const bool whole_;  // 8×8: only there are edges where the stable discs look for them
};

}  // namespace honte::othello
