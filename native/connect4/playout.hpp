// Playouts of Connect Four: uniformly random, or by policies that see immediate threats.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>

#include "connect4/game.hpp"
#include "connect4/threats.hpp"
#include "search/game.hpp"

namespace honte::connect4 {

/// Playout policies, one bit each, in the order in which they are tried.
enum PlayoutPolicy : unsigned {
    kWinNow = 1,        // complete a line
    kBlock = 2,         // block the opponent's line
    kSeekWon = 4,       // make a double threat (experimental: slow)
    kCentre = 8,        // prefer the middle: weights 1, 2, …, 2, 1
    kSafe = 16,         // do not play below the opponent's winning cell
    kKeepThreats = 32,  // do not play below a winning cell of the mover
    kLocal = 64,        // every other move within two columns of the last move
};

namespace detail {
constexpr auto make_bits() {
    std::array<std::array<uint8_t, 8>, 256> places{};
    for (unsigned byte = 0; byte < 256; ++byte)
        for (unsigned bit = 0, n = 0; bit < 8; ++bit)
            if (byte >> bit & 1) places[byte][n++] = static_cast<uint8_t>(bit);
    return places;
}
inline constexpr auto kBits = make_bits();
}  // namespace detail

/// The index of the nth set bit of a 16-bit word, n from 0.
inline int nth_bit(uint32_t word, unsigned n) {
    const auto in_low = static_cast<unsigned>(std::popcount(word & 0xff));
    return n < in_low ? detail::kBits[word & 0xff][n] : 8 + detail::kBits[word >> 8][n - in_low];
}

/// Plays a state to its end in place.
class Playout {
public:
    explicit Playout(State& state) : state_(state) {}

    template <class Trace>
    search::Result finish(Rng& rng, unsigned policies, Trace& trace) {
        if (state_.is_over()) return {state_.outcome(), 0};
        if (policies & (kSafe | kKeepThreats)) return by_policies<true>(rng, policies, trace);
        if (policies) return by_policies<false>(rng, policies, trace);
        const Rules& rules = *state_.rules_;
        return rules.inarow() == 4 ? uniformly(rng, trace, Rules::has_four)
                                   : uniformly(rng, trace, [&rules](uint64_t packed) {
                                         return rules.has_line(packed);
                                     });
    }

private:
    using Result = search::Result;

    /// The columns that are not full.
    struct Open {
        uint8_t cols[kMaxSide];
        unsigned count = 0;
        explicit Open(const State& state) {
            for (int col = 0; col < state.rules_->cols(); ++col) {
                cols[count] = static_cast<uint8_t>(col);
                count += state.landing_[col] != kFull;
            }
        }
    };

    template <class Trace, class HasLine>
    Result uniformly(Rng& rng, Trace& trace, HasLine has_line) {
        const int mover = state_.to_move();
        Lines* const lines[2] = {&state_.lines_[mover], &state_.lines_[mover ^ 1]};
        Open open(state_);
        for (int plies = 1;; plies += 2) {
            uint64_t random = rng.next();  // 32 bits for each of two plies
            for (int side = 0; side < 2; ++side, random >>= 32) {
                const auto pick =
                    static_cast<unsigned>(((random & 0xffffffffULL) * open.count) >> 32);
                const unsigned col = open.cols[pick];
                const unsigned height = state_.landing_[col];
                trace.add(static_cast<int>(col * kMaxSide + height), mover ^ side);
                if (has_line(lines[side]->place(col, height)))
                    return {side == mover ? 1 : -1, plies + side};
                const int next =
                    state_.rules_->above(static_cast<int>(col), static_cast<int>(height));
                state_.landing_[col] = static_cast<uint8_t>(next);
                if (next == kFull) {
                    open.cols[pick] = open.cols[--open.count];
                    if (open.count == 0) return {0, plies + side};
                }
            }
        }
    }

    template <bool Above, class Trace>
    Result by_policies(Rng& rng, unsigned policies, Trace& trace) {
        uint32_t open = 0;  // the columns that are not full, as bits
        for (int col = 0; col < state_.rules_->cols(); ++col)
            open |= static_cast<uint32_t>(state_.landing_[col] != kFull) << col;
        Threats<Above> threats(*state_.rules_, state_.lines_, state_.landing_);
        for (int plies = 1;; ++plies) {
            const int me = state_.to_move();
            const Move col = choose(open, threats, policies, rng);
            trace.add(state_.action(col), me);
            if (threats.now(me) >> col & 1) return {me == 0 ? 1 : -1, plies};
            const int height = state_.landing_[col];
            const uint64_t packed = state_.lines_[me].place(col, height);
            state_.landing_[col] = static_cast<uint8_t>(state_.rules_->above(col, height));
            state_.last_ = static_cast<int8_t>(col);
            ++state_.stones_;
            threats.update(me, col, height, packed);
            if (state_.landing_[col] == kFull) {
                open &= ~(1u << col);
                if (open == 0) return {0, plies};
            }
        }
    }
    /// The open column that the policies choose.
    template <bool Above>
    Move choose(uint32_t open, const Threats<Above>& threats, unsigned policies, Rng& rng) const {
        const int me = state_.to_move();
        if (policies & kWinNow && threats.now(me)) return std::countr_zero(threats.now(me));
        if (policies & kBlock && threats.now(me ^ 1)) return std::countr_zero(threats.now(me ^ 1));
        if constexpr (Above) {
            if (policies & kSafe && open & ~threats.above(me ^ 1)) open &= ~threats.above(me ^ 1);
            if (policies & kKeepThreats && open & ~threats.above(me)) open &= ~threats.above(me);
        }
        if (policies & kLocal && state_.last_ >= 0 && rng.below(2)) {
            const uint32_t near = (0x1fu << state_.last_) >> 2;
            if (open & near) open &= near;
        }
        if (policies & (kSeekWon | kCentre)) return choose_weighted(open, policies, rng);
        return nth_bit(open, rng.below(static_cast<unsigned>(std::popcount(open))));
    }
    Move choose_weighted(uint32_t open, unsigned policies, Rng& rng) const {
        const int me = state_.to_move();
        if (policies & kSeekWon)
            for (uint32_t rest = open; rest; rest &= rest - 1) {
                const int col = std::countr_zero(rest);
                State next = state_;
                next.play_unchecked(col);
                next.stones_ = static_cast<int16_t>(next.stones_ - 1);  // as if to move again
                if (!next.won_ && has_double_threat(next, me)) return col;
            }
        const auto weight = [&](int col) {
            return policies & kCentre
                       ? static_cast<unsigned>(std::min(col + 1, state_.rules_->cols() - col))
                       : 1u;
        };
        unsigned total = 0;
        for (uint32_t rest = open; rest; rest &= rest - 1) total += weight(std::countr_zero(rest));
        unsigned left = rng.below(total);
        while (left >= weight(std::countr_zero(open))) {
            left -= weight(std::countr_zero(open));
            open &= open - 1;
        }
        return std::countr_zero(open);
    }
    /// Does this player threaten two columns while the opponent threatens none?
    static bool has_double_threat(const State& state, int player) {
        int threats = 0;
        for (int col = 0; col < state.rules_->cols(); ++col) {
            if (state.landing_[col] == kFull) continue;
            if (state.wins_at(player ^ 1, col)) return false;
            threats += state.wins_at(player, col);
        }
        return threats >= 2;
    }

    State& state_;
};

template <class Trace>
search::Result finish_game(State& state, Rng& rng, unsigned policies, Trace& trace) {
    return Playout(state).finish(rng, policies, trace);
}

}  // namespace honte::connect4
