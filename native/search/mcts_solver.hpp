// MCTS-Solver: proven results in the tree (Winands, Björnsson, Saito 2008).
#pragma once

#include <algorithm>

#include "search/tree.hpp"

namespace honte::search {

inline Proof proof_for(int player, int outcome) {
    return outcome == 0 ? kDraw : (outcome > 0) == (player == 0) ? kWin : kLoss;
}

/// The result of a position for the side that moved into it, from its children; 0 if open.
inline uint16_t conclude(Block& block) {
    int quickest_win = -1, longest_loss = -1, draw = -1;
    bool open = false;
    for (int i = 0; i < block.count; ++i) {
        const uint16_t info = get(block.info()[i]);
        const int distance = distance_of(info);
        switch (proof_of(info)) {
            case kOpen:
                open = true;
                break;
            case kWin:
                if (quickest_win < 0 || distance < quickest_win) quickest_win = distance;
                break;
            case kLoss:
                longest_loss = std::max(longest_loss, distance);
                break;
            case kDraw:
                draw = std::max(draw, distance);
                break;
        }
    }
    if (quickest_win >= 0) return make_info(kLoss, quickest_win + 1);
    if (open) return 0;
    return draw >= 0 ? make_info(kDraw, draw + 1) : make_info(kWin, longest_loss + 1);
}

/// Back a proven child up to its parent. A lost move is never selected again.
inline void back_up_proof(Entry child, Entry parent) {
    if (proof_of(child.info()) == kLoss) put(child.block->inv()[child.i], 0.0f);
    if (proof_of(parent.info()) != kOpen) return;
    if (const uint16_t info = conclude(*child.block)) put(parent.block->info()[parent.i], info);
}

}  // namespace honte::search
