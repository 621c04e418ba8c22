// Leaves that wait for an external evaluator: collected from many trees, evaluated as one batch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/observation.hpp"
#include "search/network.hpp"
#include "search/tree.hpp"

namespace honte::search {

/// Positions as planes and as masks of their legal moves, one row each.
template <Observable S>
class Rows {
public:
    Rows(const S& any, size_t capacity)
        : states_(capacity, any),
          observer_(any),
          planes_(capacity * observer_.size()),
          moves_(static_cast<size_t>(move_count(any))),
          legal_(new bool[capacity * moves_]) {}

    void write(size_t row, const S& state) {
        states_[row] = state;
        observer_.write(state, planes_.data() + row * observer_.size());
        write_legal_mask(state, legal_.get() + row * moves_);
    }

    size_t moves() const { return moves_; }  // all moves that the game numbers, from 0
    const S& state(size_t row) const { return states_[row]; }
    uint8_t* planes() { return planes_.data(); }  // [rows][planes][rows of the board][columns]
    bool* legal() { return legal_.get(); }        // [rows][moves]

private:
    std::vector<S> states_;
    Observer<S> observer_;
    std::vector<uint8_t> planes_;
    size_t moves_;
    std::unique_ptr<bool[]> legal_;
};

/// The leaves of a batch: a `View` that defers.
template <Observable S>
class Leaves {
public:
    static constexpr bool kDefers = true;

    Leaves(const S& any, size_t capacity) : rows_(any, capacity) {}

    struct Leaf {
        int game, depth;
        size_t path;    // where its path begins
        uint32_t made;  // the children that wait with it, or none
    };

    /// The leaves collected from now on belong to this game.
    void set_game(int game) { game_ = game; }

    template <class Moves>
    Evaluation evaluate(const S& state, const Moves& /*legal*/) {
        rows_.write(leaves_.size(), state);
        return {};
    }
    Evaluation evaluate(const S& state) { return evaluate(state, 0); }

    void keep(const Entry* path, int depth, uint32_t made) {
        leaves_.push_back({game_, depth, paths_.size(), made});
        paths_.insert(paths_.end(), path, path + depth + 1);
    }
    void clear() {
        leaves_.clear();
        paths_.clear();
    }

    size_t size() const { return leaves_.size(); }
    const Leaf& operator[](size_t row) const { return leaves_[row]; }
    const Entry* path(const Leaf& leaf) const { return &paths_[leaf.path]; }
    Rows<S>& rows() { return rows_; }

private:
    Rows<S> rows_;
    int game_ = 0;
    std::vector<Leaf> leaves_;
    std::vector<Entry> paths_;
};

}  // namespace honte::search
