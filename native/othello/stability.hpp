// Stable discs: those that can never be flipped.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace honte::othello {

/// The stable discs of one edge of eight squares, by the discs of both sides on it.
///
/// A disc is stable if no sequence of moves on the edge, by either side and in any order, flips it;
/// computed by playing out all of them on a board of eight squares.
class EdgeStability {
public:
    EdgeStability() {
        for (auto& row : stable_) row.fill(0);
        std::array<std::array<bool, 256>, 256> known{};
        for (int own = 0; own < 256; ++own)
            for (int other = 0; other < 256; ++other)
                if (!(own & other)) fill(own, other, known);
    }
    /// Of `own`'s discs.
    unsigned operator()(unsigned own, unsigned other) const { return stable_[own][other]; }

private:
    using Known = std::array<std::array<bool, 256>, 256>;

    static int turned(int mover, int sitter, int at) {
        int all = 0;
        for (const int step : {1, -1}) {
            int run = 0, i = at + step;
            for (; i >= 0 && i < 8 && (sitter >> i & 1); i += step) run |= 1 << i;
            if (i >= 0 && i < 8 && (mover >> i & 1)) all |= run;
        }
        return all;
    }
    int fill(int own, int other, Known& known) {
        if (known[own][other]) return stable_[own][other];
        int stable = own;
        for (int at = 0; at < 8 && stable; ++at) {
            const int bit = 1 << at;
            if ((own | other) & bit) continue;
            const int gained = turned(own, other, at), lost = turned(other, own, at);
            stable &= fill(own | bit | gained, other & ~gained, known);
            stable &= fill(own & ~lost, other | bit | lost, known);
        }
        known[own][other] = true;
        stable_[own][other] = static_cast<uint8_t>(stable);
        return stable;
    }

    std::array<std::array<uint8_t, 256>, 256> stable_;
};
inline const EdgeStability kEdgeStability;

/// Gather the left file (or, shifted, any file) into a byte, and spread a byte over it.
inline unsigned file_to_byte(uint64_t file) {
    return static_cast<unsigned>((file & 0x0101010101010101ULL) * 0x0102040810204080ULL >> 56);
}
inline uint64_t byte_to_file(unsigned byte) {
    return (((byte & 0x7f) * 0x0002040810204081ULL) & 0x0101010101010101ULL) |
           static_cast<uint64_t>(byte >> 7) << 56;
}

/// The squares whose row, column or diagonal is full, in each direction.
struct FullLines {
    uint64_t row, column, up, down;

    explicit FullLines(uint64_t discs) {
        row = discs;
        row &= row >> 1 & 0x7f7f7f7f7f7f7f7fULL;
        row &= row >> 2 & 0x3f3f3f3f3f3f3f3fULL;
        row &= row >> 4 & 0x0f0f0f0f0f0f0f0fULL;
        row = (row & 0x0101010101010101ULL) * 255;
        column = discs;
        column &= std::rotr(column, 8);
        column &= std::rotr(column, 16);
        column &= std::rotr(column, 32);
        // A diagonal is full when it is full in both directions up to the edge; a step that
        // would leave the board finds it full.
        const auto filled = [discs](int shift, uint64_t edge_up, uint64_t edge_down) {
            uint64_t to_high = discs, to_low = discs;
            uint64_t off_high = edge_up, off_low = edge_down;
            for (int step = 1; step <= 4; step *= 2) {
                to_high &= to_high >> (shift * step) | off_high;
                to_low &= to_low << (shift * step) | off_low;
                off_high |= off_high >> (shift * step);
                off_low |= off_low << (shift * step);
            }
            return to_high & to_low;
        };
        // Where one step of +9 or −9, +7 or −7 leaves the board.
        down = filled(9, 0xff80808080808080ULL, 0x01010101010101ffULL);
        up = filled(7, 0xff01010101010101ULL, 0x80808080808080ffULL);
    }
    uint64_t every() const { return row & column & up & down; }
};

/// A subset of the stable discs of `own` on the 8×8 board: edge discs by the table above, and inner
/// discs that in each of the four directions lie in a full line or next to an own stable disc.
inline uint64_t stable_discs(uint64_t own, uint64_t other) {
    uint64_t stable = kEdgeStability(own & 255, other & 255);
    stable |= static_cast<uint64_t>(kEdgeStability(own >> 56, other >> 56)) << 56;
    stable |= byte_to_file(kEdgeStability(file_to_byte(own), file_to_byte(other)));
    stable |= byte_to_file(kEdgeStability(file_to_byte(own >> 7), file_to_byte(other >> 7))) << 7;

    const FullLines full(own | other);
    constexpr uint64_t kInside = 0x007e7e7e7e7e7e00ULL;
    const uint64_t inside = own & kInside;
    stable |= full.every() & own;
    for (;;) {
        const uint64_t more = (stable << 1 | stable >> 1 | full.row) &
                              (stable << 8 | stable >> 8 | full.column) &
                              (stable << 9 | stable >> 9 | full.down) &
                              (stable << 7 | stable >> 7 | full.up) & inside & ~stable;
        if (!more) return stable;
        stable |= more;
    }
}

}  // namespace honte::othello
