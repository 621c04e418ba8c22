// The board of Connect Four: its rules, its lines, and the wins that are there to take.
//
// A board is kept as *line words*: for each side one 16-bit word for every row,
// column, diagonal and anti-diagonal. A stone sets one bit in each of four words,
// and whether it completes a line is a question to those four words alone,
// packed into one 64-bit number:
//
//      63      48 47      32 31      16 15       0
//     +----------+----------+----------+----------+
//     |   anti   |   diag   |  column  |   row    |    the four lines through the stone
//     +----------+----------+----------+----------+
//
// Rows, diagonals and anti-diagonals are indexed by column inside their word, a
// column by height; heights count from the bottom. Blocked cells are set for
// nobody, so they break lines by themselves.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace honte::connect4 {

inline constexpr int kMaxSide = 16;
inline constexpr int kFull = kMaxSide;  // the landing height of a full column

enum Cell : uint8_t { kEmpty = 0, kFirst = 1, kSecond = 2, kBlocked = 3 };

/// The immutable part of a game: the size, the blocked cells, the length of a line.
class Rules {
public:
    /// `blocked` holds rows·cols flags, row by row from the top left.
    Rules(int rows, int cols, int inarow, std::span<const bool> blocked)
        : rows_(rows), cols_(cols), inarow_(inarow) {
        if (rows < 4 || rows > kMaxSide || cols < 4 || cols > kMaxSide)
            throw std::invalid_argument("a board has 4 to 16 rows and 4 to 16 columns");
        if (inarow < 2 || inarow > kMaxSide) throw std::invalid_argument("inarow must be 2 to 16");
        for (int col = 0; col < kMaxSide; ++col) {
            int lowest = kFull;
            for (int height = kMaxSide - 1; height >= 0; --height) {
                above_[col][height] = static_cast<uint8_t>(lowest);
                if (col >= cols || height >= rows) continue;
                const bool is_blocked = blocked[(rows - 1 - height) * cols + col];
                blocked_[col][height] = is_blocked;
                if (is_blocked) continue;
                lowest = height;
                ++playable_;
            }
            bottom_[col] = static_cast<uint8_t>(lowest);
        }
        for (int col = 0; col < cols; ++col)
            for (int height = rows - 1, over = 0; height >= 0; --height) {
                first_gets_[col][height] = (playable_ - over) % 2 == 1;
                over += !blocked_[col][height];
            }
        walls_.build([this](int col, int height) {
            return col < 0 || col >= cols_ || height < 0 || height >= rows_ ||
                   blocked_[col][height];
        });
        if (playable_ == 0) throw std::invalid_argument("every cell of the board is blocked");
    }

    int rows() const { return rows_; }
    int cols() const { return cols_; }
    int inarow() const { return inarow_; }
    int playable() const { return playable_; }
    bool blocked(int col, int height) const { return blocked_[col][height]; }

    /// Where the next piece lands above one that lies at this height; kFull if nowhere.
    int above(int col, int height) const { return above_[col][height]; }
    int bottom(int col) const { return bottom_[col]; }

    /// Who gets a cell when all other columns are full: with so many cells above it of so many in
    /// all, it is known with which stone that will be.
    int gets(int col, int height) const { return first_gets_[col][height] ? 0 : 1; }

    /// Where no stone can lie, as line words with three cells more at their beginning.
    struct Walls {
        uint32_t row[kMaxSide], column[kMaxSide], diag[2 * kMaxSide], anti[2 * kMaxSide];

        template <class IsWall>
        void build(IsWall is_wall) {
            const auto line = [](auto wall_at) {
                uint32_t bits = 0;
                for (int i = -3; i < kMaxSide + 3; ++i)
                    bits |= static_cast<uint32_t>(wall_at(i)) << (i + 3);
                return bits;
            };
            for (int i = 0; i < kMaxSide; ++i) {
                row[i] = line([&](int col) { return is_wall(col, i); });
                column[i] = line([&](int height) { return is_wall(i, height); });
            }
            for (int i = 0; i < 2 * kMaxSide; ++i) {
                diag[i] = line([&](int col) { return is_wall(col, col - i + kMaxSide); });
                anti[i] = line([&](int col) { return is_wall(col, i - col); });
            }
        }
    };
    const Walls& walls() const { return walls_; }

    /// Is there a line of `inarow` in one of the four packed words?
    bool has_line(uint64_t packed) const {
        if (inarow_ == 4) [[likely]]
            return has_four(packed);
        for (int i = 1; i < inarow_ && packed; ++i) packed &= (packed >> 1) & 0x7fff7fff7fff7fffULL;
        return packed != 0;
    }
    static bool has_four(uint64_t packed) {
        const uint64_t pairs = packed & ((packed >> 1) & 0x7fff7fff7fff7fffULL);
        return (pairs & ((pairs >> 2) & 0x3fff3fff3fff3fffULL)) != 0;
    }
    /// The cells that would complete four in each of the packed words, taken or not.
    static uint64_t wins_of_four(uint64_t packed) {
        const uint64_t left1 = packed << 1 & 0xfffefffefffefffeULL;
        const uint64_t left2 = packed << 2 & 0xfffcfffcfffcfffcULL;
        const uint64_t left3 = packed << 3 & 0xfff8fff8fff8fff8ULL;
        const uint64_t right1 = packed >> 1 & 0x7fff7fff7fff7fffULL;
        const uint64_t right2 = packed >> 2 & 0x3fff3fff3fff3fffULL;
        const uint64_t right3 = packed >> 3 & 0x1fff1fff1fff1fffULL;
        return (left1 & left2 & (left3 | right1)) | (right1 & right2 & (right3 | left1));
    }

private:
    int rows_, cols_, inarow_;
    int playable_ = 0;
    uint8_t bottom_[kMaxSide];
    uint8_t above_[kMaxSide][kMaxSide];
    bool blocked_[kMaxSide][kMaxSide] = {};
    bool first_gets_[kMaxSide][kMaxSide] = {};
    Walls walls_;
};

/// The stones of one side, as line words.
struct Lines {
    uint16_t row[kMaxSide], column[kMaxSide], diag[2 * kMaxSide], anti[2 * kMaxSide];

    /// Set the stone and give the four lines through it.
    uint64_t place(unsigned col, unsigned height) {
        const auto bit = static_cast<uint16_t>(1u << col);
        const uint64_t in_row = row[height] |= bit;
        const uint64_t in_column = column[col] |= static_cast<uint16_t>(1u << height);
        const uint64_t in_diag = diag[col - height + kMaxSide] |= bit;
        const uint64_t in_anti = anti[col + height] |= bit;
        return in_row | in_column << 16 | in_diag << 32 | in_anti << 48;
    }
    /// The four lines through the cell as they would be with a stone on it.
    uint64_t with(unsigned col, unsigned height) const {
        const uint64_t bit = 1u << col;
        return (row[height] | bit) | (column[col] | uint64_t{1} << height) << 16 |
               (diag[col - height + kMaxSide] | bit) << 32 | (anti[col + height] | bit) << 48;
    }
    bool has(int col, int height) const { return row[height] >> col & 1; }
};

/// For each side the columns, as bits, in which it would complete a line now; and, if wanted,
/// those in which it could with a piece on top of the next one.
///
/// A stone changes little: its own side can have new ones only where a piece would lie in line
/// with it; and in its own column what was above is now. Heights are kept in a register: a vector
/// that is read just after one of its bytes was written waits for the memory.
template <bool Above>
class Threats {
public:
    /// Of a board that is being played on; `landing` are the heights of the next pieces.
    Threats(const Rules& rules, const Lines (&lines)[2], const uint8_t (&landing)[kMaxSide])
        : rules_(rules), lines_(lines) {
        std::memcpy(&landing_, landing, sizeof landing_);
        for (int col = 0; col < kMaxSide; ++col) {
            now_.look(*this, col, landing_[col]);
            if constexpr (Above) look_above(col, landing_[col]);
        }
    }

    /// The same of a copy of the board.
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

    /// A stone of this player has come to lie here; `packed` are the four lines through it.
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
