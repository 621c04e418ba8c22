// All children of a node in one block of memory, one column (array) for each kind of number.
//
//     header | points × n | inv × n | visits × n | link × n | action × n | info × n | extras
//
// Results are counted in points: a loss is 0, a draw 1, a win 2. So a visit that is still under way
// counts as a loss (virtual loss), and every score is positive. Selection reads only the first two
// columns, four children at a time: with inv = 1/√visits the UCB1 score
//
//     points/visits + k/√visits   is   inv · (points · inv + k),   k = c·√(factor · ln N),
//
// so selection computes no division and no square root. A child that the formula must not select
// (unvisited, or closed by a proof) has inv = 0, the lowest score there is. With a policy, a child
// starts with one virtual visit, whose value is the first-play urgency; then with inv = 1/(visits +
// 1) the PUCT score
//
//     (points + k·P)/(visits + 1)   is   inv · (points + k·P),   k = c·√N.
//
// Without extras a child takes 24 bytes.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>

#include "search/game.hpp"

namespace honte::search {

inline constexpr double kUnit = 65536;  // points are kept in units of 1/65536
inline constexpr int kMostChildren = 512;

/// What is proven about a move, seen from the side that plays it.
enum Proof : uint16_t { kOpen = 0, kWin = 1, kLoss = 2, kDraw = 3 };

constexpr uint16_t make_info(Proof proof, int distance) {
    return static_cast<uint16_t>(proof | (distance > 16000 ? 16000 : distance) << 2);
}
constexpr Proof proof_of(uint16_t info) { return static_cast<Proof>(info & 3); }
constexpr int distance_of(uint16_t info) { return info >> 2; }  // plies to the end
constexpr double value_of(Proof proof) { return proof == kWin ? 1 : proof == kLoss ? -1 : 0; }
/// The same result for the other side.
constexpr Proof opposite(Proof proof) {
    return proof == kWin ? kLoss : proof == kLoss ? kWin : proof;
}

/// Relaxed atomic access to numbers that threads share, one by one and without ordering. On one
/// thread the same code is plain loads, stores and additions.
template <class T>
T get(const T& place) {
    T value;
    __atomic_load(&place, &value, __ATOMIC_RELAXED);
    return value;
}
template <class T>
void put(T& place, T value) {
    __atomic_store(&place, &value, __ATOMIC_RELAXED);
}
template <bool Shared, class T>
T add(T& place, T amount) {  // returns the new value
    if constexpr (Shared) return __atomic_add_fetch(&place, amount, __ATOMIC_RELAXED);
    const T sum = get(place) + amount;
    put(place, sum);
    return sum;
}

/// Which columns the chosen settings need besides the usual ones.
struct Extras {
    bool squares = false;  // the sum of squared results, for the tuned formulas
    bool amaf = false;     // all-moves-as-first visits and totals, for RAVE
    bool priors = false;   // the game's move priors
    bool policy = false;   // the policy's probabilities, for PUCT; without any of the others
    bool network = false;  // a network's or an evaluator's instead, and no virtual visits
    bool leads = false;    // the sum of the leads that a network expects
};

struct Block {
    uint32_t visits;  // through every parent that shares the block; kept with transpositions
    uint16_t count;
    uint16_t next;  // the child to enter next, or the first never entered; see Uct::select
                    // with an evaluator: its value of the position, in 1/30000

    int64_t* points() { return reinterpret_cast<int64_t*>(this + 1); }
    float* inv() { return reinterpret_cast<float*>(points() + count); }
    uint32_t* visits_of() { return reinterpret_cast<uint32_t*>(inv() + count); }
    uint32_t* link() { return visits_of() + count; }
    uint16_t* action() { return reinterpret_cast<uint16_t*>(link() + count); }
    uint16_t* info() { return action() + count; }

    // The extras follow, each only where it is used: squares, then amaf totals and visits, priors.
    int64_t* squares() { return points() + 3 * count; }
    int64_t* amaf_total(Extras extras) { return squares() + (extras.squares ? count : 0); }
    uint32_t* amaf_visits(Extras extras) {
        return reinterpret_cast<uint32_t*>(amaf_total(extras) + count);
    }

    Prior* priors(Extras extras) {
        return extras.amaf ? reinterpret_cast<Prior*>(amaf_visits(extras) + count)
                           : reinterpret_cast<Prior*>(amaf_total(extras));
    }

    float* policy() { return reinterpret_cast<float*>(points() + 3 * count); }
    int64_t* leads() { return points() + 3 * count + 2 * ((count + 3) / 4); }

    /// The evaluator's value of the position, for the side to move.
    double evaluation() const { return static_cast<int16_t>(next) / 30000.0; }
    void set_evaluation(double value) {
        next = static_cast<uint16_t>(static_cast<int16_t>(value * 30000));
    }

    static uint32_t units(int count, Extras extras) {
        int bytes = static_cast<int>(sizeof(Block)) + 24 * count;
        if (extras.squares) bytes += 8 * count;
        if (extras.amaf) bytes += 12 * count;
        if (extras.priors) bytes += static_cast<int>(sizeof(Prior)) * count;
        if (extras.policy || extras.network)
            bytes += 16 * ((count + 3) / 4);  // they are read by fours
        if (extras.leads) bytes += 8 * count;
        return static_cast<uint32_t>((bytes + 7) / 8);
    }
    /// Order the children of a network's block: the visited ones, then the others by falling
    /// probability. Selection stops at the first unvisited one.
    void order_by_probability(Extras extras) {
        uint64_t order[kMostChildren];
        for (int i = 0; i < count; ++i) {
            uint32_t bits;  // non-negative floats sort by their bits
            std::memcpy(&bits, policy() + i, sizeof bits);
            order[i] = uint64_t{visits_of()[i] > 0 ? ~0u : bits} << 32 |
                       static_cast<uint64_t>(kMostChildren - i);
        }
        std::sort(order, order + count, std::greater<>());
        const auto move = [&]<class T>(T* column) {
            T before[kMostChildren];
            std::copy_n(column, count, before);
            for (int i = 0; i < count; ++i)
                column[i] = before[kMostChildren - static_cast<uint32_t>(order[i])];
        };
        move(action());
        move(policy());
        move(info());
        if (order[0] >> 32 != ~0u) return;  // the other columns are empty
        move(points());
        move(inv());
        move(visits_of());
        move(link());
        if (extras.leads) move(leads());
    }

    void clear(int children, Extras extras) {
        std::memset(static_cast<void*>(this), 0, size_t{units(children, extras)} * 8);
        count = static_cast<uint16_t>(children);
    }
};
static_assert(sizeof(Block) == 8);

/// Prefetch a block that will be read in a moment.
inline void prefetch(const void* block, int bytes) {
    for (int i = 0; i < bytes; i += 64) __builtin_prefetch(static_cast<const char*>(block) + i);
}

inline float one_over_root(uint32_t visits) { return 1.0f / std::sqrt(static_cast<float>(visits)); }

/// The natural logarithm of a count, the same bits on every machine: libraries differ in the
/// last one. Counts from 2048 on are cut to eleven binary digits, which moves ln N by under
/// 0.001.
class Logarithms {
public:
    Logarithms() {
        for (int i = 1; i < 2048; ++i) {
            // ln i by the series of 2·artanh((m−1)/(m+1)), i = m·2^e with m in ½√2 … √2
            double m = i;
            int e = 0;
            while (m > 1.4142135623730951) m /= 2, ++e;
            const double z = (m - 1) / (m + 1), zz = z * z;
            double term = z, sum = 0;
            for (int k = 1; k < 40; k += 2, term *= zz) sum += term / k;
            table_[i] = 2 * sum + e * kLn2;
        }
    }
    double operator()(uint32_t n) const {
        if (n < 2048) return table_[n];
        const int shift = 21 - __builtin_clz(n);
        return table_[n >> shift] + shift * kLn2;
    }

private:
    static constexpr double kLn2 = 0.69314718055994530942;
    double table_[2048] = {};
};
inline const Logarithms ln;

/// The child of highest score by inv · f(points, inv or P), which is never negative; −1 if
/// every score is 0. `of` is called with four children at a time, or with one.
template <class Score>
int best_by(Block& block, const float* third, Score of) {
    const int count = block.count;
#if !defined(__SANITIZE_THREAD__)
    // Under threads a lane is read whole on every machine we build for, but the language does
    // not promise it, so the race detector gets the plain loop below.
    if (count <= 16) {
        // Four children at a time. Scores are positive, so their bits order them as whole
        // numbers; the last four bits give way to the child's number (from the end, so that
        // the first of equals wins), and the highest number says both. There is no branch on
        // which child it is, since no branch predictor could learn it.
        typedef float Floats __attribute__((vector_size(16)));
        typedef int32_t Ints __attribute__((vector_size(16)));
        typedef int64_t Totals __attribute__((vector_size(32)));
        const int64_t* points = block.points();
        const float* inv = block.inv();
        Ints top = {0, 0, 0, 0}, number = {15, 14, 13, 12};
        for (int i = 0; i < count; i += 4, number -= 4) {
            Totals sums;
            Floats parts, thirds;
            std::memcpy(&sums, points + i, sizeof sums);  // the last may read into what follows
            std::memcpy(&parts, inv + i, sizeof parts);
            std::memcpy(&thirds, third + i, sizeof thirds);
            // Beyond the last child lie whole numbers, which as floats are subnormal: some
            // processors take a hundred times as long to multiply them.
            const Ints is_child = 15 - number < count;
            parts = is_child ? parts : Floats{};
            thirds = is_child ? thirds : Floats{};
            const Floats score = parts * of(__builtin_convertvector(sums, Floats), thirds);
            Ints bits;
            std::memcpy(&bits, &score, sizeof bits);
            bits = (bits & ~15) | number;
            top = bits > top ? bits : top;
        }
        Ints other = __builtin_shufflevector(top, top, 2, 3, 0, 1);
        top = other > top ? other : top;
        other = __builtin_shufflevector(top, top, 1, 0, 3, 2);
        top = other > top ? other : top;
        return top[0] >= 16 ? 15 - (top[0] & 15) : -1;
    }
#endif
    int best = -1;
    float best_score = 0;
    for (int i = 0; i < count; ++i) {
        const float score =
            get(block.inv()[i]) * of(static_cast<float>(get(block.points()[i])), get(third[i]));
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    return best;
}

/// The child of highest UCB1 score; −1 if every child is closed or unvisited. `k` in units.
inline int best_ucb1(Block& block, float k) {
    return best_by(block, block.inv(), [k](auto points, auto inv) { return points * inv + k; });
}

/// The child of highest PUCT score; −1 if every child is closed. `k` is c·√N in units.
inline int best_puct(Block& block, float k) {
    return best_by(block, block.policy(),
                   [k](auto points, auto probability) { return points + k * probability; });
}

}  // namespace honte::search
