// The immediate threats on a board of Connect Four, kept up to date move by move.
#pragma once

#include <cstdint>
#include <cstring>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "connect4/board.hpp"

namespace honte::connect4 {

/// For each side the columns, as bits, in which it would complete a line now; and, with `Above`,
/// those in which it could with a piece on top of the next one.
///
/// Updated incrementally: a stone gives its own side new threats only in line with it; and in its
/// own column the cell above becomes playable. Heights are kept in a register, because a vector
/// that is read just after one of its bytes was written stalls on store forwarding.
template <bool Above>
class Threats {
public:
    /// Tracks a board that is being played on; `landing` holds the heights of the next pieces.
    Threats(const Rules& rules, const Lines (&lines)[2], const uint8_t (&landing)[kMaxSide])
        : rules_(rules), lines_(lines) {
        std::memcpy(&landing_, landing, sizeof landing_);
        for (int col = 0; col < kMaxSide; ++col) {
            now_.look(*this, col, landing_[col]);
            if constexpr (Above) look_above(col, landing_[col]);
        }
    }

    /// The same threats, for a copy of the board.
    Threats(const Threats& other, const Lines (&lines)[2])
        : rules_(other.rules_),
          lines_(lines),
          landing_(other.landing_),
          above_(other.above_),
          now_(other.now_),
          over_(other.over_) {}

    uint32_t now(int player) const { return now_.of(player); }
    uint32_t above(int player) const { return over_.of(player); }

    /// The columns that are not full, as bits.
    uint32_t open() const { return bits_of(landing_ != Heights{} + uint8_t{kFull}); }

    /// The columns in which this player could complete a four after playing here, where that does
    /// not complete one.
    uint32_t made_by(int player, int col) const
        requires Above
    {
        const int height = landing_[col], next = above_[col];
        const uint64_t wins = Rules::wins_of_four(
            lines_[player].with(static_cast<unsigned>(col), static_cast<unsigned>(height)));
        const uint32_t bit = 1u << col;
        uint32_t made = (now(player) & ~bit) | in_line(landing_, wins, col, height);
        if (next != kFull) made |= (above(player) & bit) | (wins >> (16 + next) & 1 ? bit : 0);
        return made;
    }

    /// Update after this player's stone has landed here; `packed` are the four lines through it.
    void update(int player, int col, int height, uint64_t packed) {
        const int next = rules_.above(col, height);
        const auto here = kColumns == Heights{} + static_cast<uint8_t>(col);
        landing_ = here ? Heights{} + static_cast<uint8_t>(next) : landing_;
        if (rules_.inarow() != 4) [[unlikely]] {
            for (int other = 0; other < rules_.cols(); ++other) {
                now_.look(*this, other, landing_[other]);
                if constexpr (Above) look_above(other, landing_[other]);
            }
            return;
        }
        const uint64_t wins = Rules::wins_of_four(packed);
        now_.add(player, in_line(landing_, wins, col, height));
        if constexpr (Above) {
            over_.add(player, in_line(above_, wins, col, height));
            now_.take(over_, col);
            if (next != kFull && wins >> (16 + next) & 1) now_.add(player, 1u << col);  // upright
            look_above(col, next);
        } else {
            now_.look(*this, col, next);
        }
    }

private:
    typedef uint8_t Heights __attribute__((vector_size(kMaxSide)));
    static constexpr Heights kColumns = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

    /// Columns as bits, the second player's in the upper half.
    struct Both {
        uint64_t bits = 0;

        uint32_t of(int player) const { return static_cast<uint32_t>(bits >> 32 * player); }
        void add(int player, uint32_t cols) { bits |= static_cast<uint64_t>(cols) << 32 * player; }
        static uint64_t column(int col) { return 0x0000000100000001ULL << col; }
        void take(const Both& from, int col) {
            bits = (bits & ~column(col)) | (from.bits & column(col));
        }
        /// Who completes a line with a piece at this height?
        void look(const Threats& board, int col, int height) {
            bits &= ~column(col);
            if (height == kFull) return;
            for (int player = 0; player < 2; ++player)
                add(player, static_cast<uint32_t>(board.rules_.has_line(board.lines_[player].with(
                                static_cast<unsigned>(col), static_cast<unsigned>(height))))
                                << col);
        }
    };

    void look_above(int col, int height) {
        const int next = height == kFull ? kFull : rules_.above(col, height);
        const auto here = kColumns == Heights{} + static_cast<uint8_t>(col);
        above_ = here ? Heights{} + static_cast<uint8_t>(next) : above_;
        over_.look(*this, col, next);
    }
    /// The columns whose piece at these heights would be one of the wins in line with a stone.
    static uint32_t in_line(const Heights& there, uint64_t wins, int col, int height) {
        const Heights along = kColumns - static_cast<uint8_t>(col);
        const Heights level = Heights{} + static_cast<uint8_t>(height);
        const auto lane = [wins](int shift) {
            return static_cast<uint32_t>(wins >> shift) & 0xffff;
        };
        return ((bits_of(there == level) & lane(0)) | (bits_of(there == level + along) & lane(32)) |
                (bits_of(there == level - along) & lane(48))) &
               ~bits_of(there == Heights{} + uint8_t{kFull});
    }
    /// One bit for each of sixteen bytes that are all ones or all zeros.
    template <class Mask>
    static uint32_t bits_of(Mask mask) {
#if defined(__SSE2__)
        return static_cast<uint32_t>(_mm_movemask_epi8((__m128i)mask));
#else
        uint64_t halves[2];
        std::memcpy(halves, &mask, sizeof halves);
        uint32_t bits = 0;
        for (int half = 1; half >= 0; --half)  // byte i's lowest bit comes to bit 56 + i
            bits = bits << 8 |
                   static_cast<uint32_t>(
                       (halves[half] & 0x0101010101010101ULL) * 0x0102040810204080ULL >> 56);
        return bits;
#endif
    }

    const Rules& rules_;
    const Lines (&lines_)[2];
    Heights landing_, above_ = {};
    Both now_, over_;
};

}  // namespace honte::connect4
