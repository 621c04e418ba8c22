// Positions as learners see them: planes row by row from the top left, and a mask of legal moves.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/game.hpp"

#if defined(__BMI2__) && !defined(HONTE_PORTABLE)
#define HONTE_BMI2 1
#include <immintrin.h>
#endif

namespace honte {

/// A game with observations, as free functions next to its State.
template <class S>
concept Observable = GameState<S> && requires(const S state, uint8_t* out) {
    { planes_of(state).size() } -> std::convertible_to<size_t>;  // their names
    { plane_columns(state) } -> std::same_as<int>;
    { plane_rows(state) } -> std::same_as<int>;
    { write_board_planes(state, out) };          // [planes][rows][columns], row 0 at the top
    { move_count(state) } -> std::same_as<int>;  // moves are 0 … move_count − 1
};

namespace bytes {

static_assert(std::endian::native == std::endian::little);
inline constexpr uint64_t kOnes = 0x0101010101010101ULL;

/// Eight bits as bytes, the lowest first.
inline uint64_t spread(uint64_t bits) {
#if defined(HONTE_BMI2)
    return _pdep_u64(bits, kOnes);
#else
    // Byte i keeps bit i alone; adding 0x7f carries it to the top of its byte, except bit 7,
    // which is there already.
    const uint64_t alone = ((bits & 0xff) * kOnes) & 0x8040201008040201ULL;
    return ((alone + 0x007f7f7f7f7f7f7fULL) >> 7) & kOnes;
#endif
}

/// The index of the n-th byte that is 1, counted from 0, in a word of 0 and 1 bytes.
inline int select(uint64_t flags, unsigned n) {
#if defined(HONTE_BMI2)
    flags = _pdep_u64(1ULL << n, flags);
#else
    for (; n; --n) flags &= flags - 1;
#endif
    return std::countr_zero(flags) / 8;
}

/// Write rows of bits, bit 0 for the first column, as bytes.
inline void spread_rows(const uint16_t* rows, size_t count, size_t columns, uint8_t* out) {
    uint8_t* const end = out + count * columns;
    for (; out < end; ++rows, out += columns)
        for (size_t column = 0; column < columns; column += 8) {
            const uint64_t word = spread(*rows >> column);
            uint8_t* const to = out + column;
            // Bytes written past the end of a row are overwritten by the next row.
            if (end - to >= 8)
                std::memcpy(to, &word, 8);
            else
                std::memcpy(to, &word, static_cast<size_t>(end - to));
        }
}

}  // namespace bytes

/// Writes positions of one board as [planes][rows][columns], row 0 at the top.
template <Observable S>
class Observer {
public:
    explicit Observer(const S& state)
        : size_(planes_of(state).size() *
                static_cast<size_t>(plane_rows(state) * plane_columns(state))) {}

    size_t size() const { return size_; }
    void write(const S& state, uint8_t* out) const { write_board_planes(state, out); }

private:
    size_t size_;
};

/// Write one flag for each move: whether it is legal.
template <Observable S>
void write_legal_mask(const S& state, bool* out) {
    std::memset(out, 0, static_cast<size_t>(move_count(state)));
    for (const Move move : state.legal_moves()) out[move] = true;
}

}  // namespace honte
