// Many games of one kind in lockstep, for training: each step plays one action in every game.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "core/observation.hpp"
#include "core/rng.hpp"

namespace honte {

/// Zero-initialised and aligned for any vector unit: other frameworks use the memory without a
/// copy.
template <class T>
class AlignedArray {
public:
    explicit AlignedArray(size_t count) : memory_(new (kAlignment) T[count]()) {}
    T* data() { return memory_.get(); }

private:
    static constexpr std::align_val_t kAlignment{64};
    struct Free {
        void operator()(T* memory) const { ::operator delete[](memory, kAlignment); }
    };
    std::unique_ptr<T[], Free> memory_;
};

/// Games that are stepped together. The arrays that learners read never move.
template <Observable S>
class Batch {
public:
    /// With `auto_reset` a game that ends starts again at once; otherwise it stays as it ended.
    Batch(const S& start, size_t count, bool auto_reset, uint64_t seed)
        : start_(start),
          auto_reset_(auto_reset),
          actions_(static_cast<size_t>(move_count(start))),
          observer_(start),
          rng_(seed),
          states_(count, start),
          moves_(count),
          to_move_(count),
          mask_(count * actions_ + sizeof(uint64_t)),  // rows are read in whole words
          planes_(count * observer_.size()),
          scores_(count) {
        reset();
    }

    size_t size() const { return states_.size(); }
    size_t actions() const { return actions_; }
    size_t planes_size() const { return observer_.size(); }  // of one game
    const S& operator[](size_t i) const { return states_[i]; }

    int8_t* to_move() { return to_move_.data(); }  // [games]
    bool* legal_mask() { return mask_.data(); }    // [games][actions]
    /// Final scores for player 0 of the games that the last step ended, 0 elsewhere: [games].
    float* scores() { return scores_.data(); }
    /// [games][planes][rows][columns], written on demand.
    uint8_t* planes() {
        if (!observed_)
            for (size_t i = 0; i < size(); ++i)
                observer_.write(states_[i], planes_.data() + i * observer_.size());
        observed_ = true;
        return planes_.data();
    }

    void reset() {
        std::fill(states_.begin(), states_.end(), start_);
        std::fill_n(scores_.data(), size(), 0.0f);
        for (size_t i = 0; i < size(); ++i) describe(i);
        observed_ = false;
    }
    void seed(uint64_t seed) { rng_ = Rng(seed); }
    void set(size_t i, const S& state) {
        states_[i] = state;
        describe(i);
        observed_ = false;
    }

    /// Play an action in every unfinished game; write for each the reward of the side that moved
    /// and whether the game has ended. An illegal action changes nothing, and the index of its game
    /// is returned; −1 if all actions are legal.
    ptrdiff_t step(std::span<const int64_t> actions, float* rewards, bool* ends) {
        for (size_t i = 0; i < size(); ++i) {
            const int64_t action = actions[i];
            const bool fits = action >= 0 && action < static_cast<int64_t>(actions_);
            moves_[i] = static_cast<int16_t>(fits ? action : -1);
            if (!states_[i].is_legal(moves_[i]) && !states_[i].is_over())
                return static_cast<ptrdiff_t>(i);
        }
        std::fill_n(rewards, size(), 0.0f);
        std::fill_n(ends, size(), false);
        std::fill_n(scores_.data(), size(), 0.0f);
        observed_ = false;
        for (size_t i = 0; i < size(); ++i) {
            S& state = states_[i];
            prefetch(i + kAhead);
            if (!auto_reset_ && state.is_over()) {
                ends[i] = true;
                continue;
            }
            const int mover = state.to_move();
            state.play_unchecked(moves_[i]);
            if (state.is_over()) {
                ends[i] = true;
                rewards[i] = static_cast<float>(mover ? -state.outcome() : state.outcome());
                scores_.data()[i] = static_cast<float>(state.score());
                if (auto_reset_) state = start_;
            }
            describe(i);
        }
        return -1;
    }

    /// A legal action for each game, all equally likely; −1 in a game that is over.
    void choose_random(int64_t* actions) {
        const bool* row = mask_.data();
        for (size_t i = 0; i < size(); ++i, row += actions_) actions[i] = random_set(row);
    }

private:
    /// Prefetch a state of several cache lines while other games are played.
    void prefetch(size_t i) const {
        constexpr size_t kLine = 64, kMost = 8 * kLine;
        if constexpr (sizeof(S) > kLine && sizeof(S) <= kMost) {
            const auto* const state =
                reinterpret_cast<const char*>(&states_[std::min(i, size() - 1)]);
            for (size_t at = 0; at < sizeof(S); at += kLine) __builtin_prefetch(state + at, 1);
        }
    }

    void describe(size_t i) {
        to_move_.data()[i] = static_cast<int8_t>(states_[i].to_move());
        write_legal_mask(states_[i], mask_.data() + i * actions_);
    }

    /// The index of a set flag of a row, drawn uniformly; −1 if none is set.
    int64_t random_set(const bool* row) {
        const auto word = [&](size_t at) {  // eight flags, a byte each
            uint64_t flags;
            std::memcpy(&flags, row + at, sizeof flags);
            const size_t left = actions_ - at;
            return left < 8 ? flags & ((1ULL << 8 * left) - 1) : flags;
        };
        unsigned count = 0;
        for (size_t at = 0; at < actions_; at += 8)
            count += static_cast<unsigned>(std::popcount(word(at)));
        if (count == 0) return -1;
        unsigned skip = rng_.below(count);
        for (size_t at = 0;; at += 8) {
            const uint64_t flags = word(at);
            const auto here = static_cast<unsigned>(std::popcount(flags));
            if (skip >= here) {
                skip -= here;
                continue;
            }
            return static_cast<int64_t>(at) + bytes::select(flags, skip);
        }
    }

    static constexpr size_t kAhead = 8;

    const S start_;
    const bool auto_reset_;
    const size_t actions_;
    const Observer<S> observer_;
    Rng rng_;
    std::vector<S> states_;
    std::vector<int16_t> moves_;  // of a step, once they are known to be legal
    bool observed_ = false;       // the planes show the states
    AlignedArray<int8_t> to_move_;
    AlignedArray<bool> mask_;
    AlignedArray<uint8_t> planes_;
    AlignedArray<float> scores_;
};

}  // namespace honte
