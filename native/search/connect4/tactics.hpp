// Who wins by force soon: a search for combinations that asks for nothing else.
//
// It tells the moves that lose to a combination from those that do not, long before the rest of
// the board can be solved. Nothing is evaluated: the attacker must win on every defence. A reply
// without an alternative costs no depth, so that a row of threats is followed twice as far as
// quiet moves are.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>
#include <vector>

#include "search/connect4/search.hpp"

namespace honte::connect4 {

/// What was found out about a move.
struct Verdict {
    Move move;
    int outcome = 0;  // 1: it wins by force, −1: it loses to one, 0: neither is known
    int depth = 0;    // at which that came out
};

class Tactics {
public:
    virtual ~Tactics() = default;
    /// The legal moves, from the middle out. One that wins ends the search.
    virtual std::vector<Verdict> look(const State& state, Clock::time_point until,
                                      uint64_t most_nodes, const std::atomic<bool>* stop) = 0;
    uint64_t nodes() const { return nodes_; }  // of the last look

    static std::unique_ptr<Tactics> make(const Rules& rules, size_t bytes);

protected:
    uint64_t nodes_ = 0;
};

template <class Word>
class TacticsOf final : public Tactics {
public:
    TacticsOf(const Rules& rules, size_t bytes) : board_(rules) {
        entries_.resize(std::bit_floor(std::max<size_t>(bytes / sizeof(Entry), 2)));
        for (int i = 0; i < board_.cols; ++i)
            from_middle_.push_back(board_.cols / 2 + (i & 1 ? -(i + 1) / 2 : i / 2));
    }

    std::vector<Verdict> look(const State& state, Clock::time_point until, uint64_t most_nodes,
                              const std::atomic<bool>* stop) override {
        nodes_ = 0, until_ = until, most_nodes_ = most_nodes, stop_ = stop;
        std::vector<Verdict> verdicts;
        const Position root = position_of(board_, state);
        const Word landing = board_.landing(root.filled);
        const Word quiet = not_losing(landing, spots(other(root), root.filled));
        const Word wins_now = spots(root.own, root.filled) & landing;
        for (const Move col : from_middle_) {
            const Word cell = landing & board_.board & board_.column[col];
            if (!static_cast<bool>(cell)) continue;
            const bool wins = static_cast<bool>(cell & wins_now);
            verdicts.push_back({col, wins ? 1 : static_cast<bool>(cell & quiet) ? 0 : -1, 0});
            if (wins) return verdicts;
        }
        try {
            for (int depth = 1; depth <= board_.cells - root.stones; ++depth) {
                int open = 0;
                for (Verdict& verdict : verdicts) {
                    if (verdict.outcome) continue;
                    const Position next = after(root, landing & board_.column[verdict.move]);
                    if (is_lost(next, spots(root.own | (next.filled ^ root.filled), next.filled),
                                depth - 1)) {
                        verdict.outcome = 1, verdict.depth = depth;
                        return verdicts;
                    }
                    if (wins(next, depth - 1)) verdict.outcome = -1, verdict.depth = depth;
                    open += verdict.outcome == 0;
                }
                if (open == 0) break;
            }
        } catch (const Stopped&) {
        }
        return verdicts;
    }

private:
    using Position = connect4::Position<Word>;

    struct Entry {
        uint64_t check = 0;
        int16_t wins_from = 1000;  // the least depth that is known to be enough
        int16_t not_up_to = -1;    // the largest that is known to be too little
        int16_t col = -1;          // the attack that was best
        int16_t unused = 0;
    };
    struct Child {
        Word cell, spots;
        int worth;
    };

    Word other(const Position& p) const { return p.filled & board_.board & ~p.own; }
    Position after(const Position& p, const Word& cell) const {
        return {other(p), p.filled | cell, p.stones + 1};
    }
    /// The free cells that complete a line.
    Word spots(const Word& stones, const Word& filled) const {
        return board_.line_cells(stones) & board_.board & ~filled;
    }
    /// The moves after which the opponent, who can win on these cells, does not at once.
    Word not_losing(const Word& landing, const Word& theirs) const {
        Word moves = landing & board_.board;
        const Word forced = moves & theirs;
        if (static_cast<bool>(forced)) {
            if (several(forced)) return Word{};
            moves = forced;
        }
        return moves & ~board_.below(theirs);
    }

    /// Does the side to move win by force?
    bool wins(const Position& p, int depth) {
        visit();
        const Word landing = board_.landing(p.filled);
        if (static_cast<bool>(spots(p.own, p.filled) & landing)) return true;
        if (depth <= 0) return false;
        const Place at = PairedEntry::place(p.own | landing, std::countr_zero(entries_.size()));
        Entry& entry = entries_[at.bucket];
        int first = -1;
        if (entry.check == at.check) {
            if (entry.wins_from <= depth) return true;
            if (entry.not_up_to >= depth) return false;
            first = entry.col;
        }
        Child children[kMaxSide];
        int count_of = 0;
        for (Word rest = not_losing(landing, spots(other(p), p.filled)); static_cast<bool>(rest);) {
            const Word cell = lowest(rest);
            rest ^= cell;
            const Word mine = spots(p.own | cell, p.filled | cell);
            const Word next = board_.landing(p.filled | cell);
            const int col = board_.column_of(cell);
            const int worth = (col == first ? 100'000 : 0) + 64 * count(mine) +
                              (static_cast<bool>(mine & next) ? 1000 : 0) -
                              std::abs(2 * col + 1 - board_.cols);
            insert(children, count_of++, {cell, mine, worth});
        }
        bool found = false;
        int best = -1;
        for (int i = 0; i < count_of && !found; ++i) {
            found = is_lost(after(p, children[i].cell), children[i].spots, depth - 1);
            if (found) best = board_.column_of(children[i].cell);
        }
        Entry made{at.check, 1000, -1, static_cast<int16_t>(best)};
        if (entry.check == at.check) made = entry;
        if (found)
            made.wins_from = static_cast<int16_t>(depth), made.col = static_cast<int16_t>(best);
        else
            made.not_up_to = static_cast<int16_t>(depth);
        entry = made;
        return found;
    }

    /// Does the side to move, which cannot win at once, lose to an attacker with these spots?
    bool is_lost(const Position& p, const Word& theirs, int depth) {
        if (p.stones == board_.cells) return false;
        const Word landing = board_.landing(p.filled);
        const Word quiet = not_losing(landing, theirs);
        if (!static_cast<bool>(quiet)) return true;
        if (!several(quiet)) return wins(after(p, quiet), depth);
        if (depth <= 0) return false;
        Child children[kMaxSide];
        int count_of = 0;
        for (Word rest = quiet; static_cast<bool>(rest);) {
            const Word cell = lowest(rest);
            rest ^= cell;
            insert(children, count_of++, {cell, {}, refutations_[counter(cell, p)]});
        }
        for (int i = 0; i < count_of; ++i)
            if (!wins(after(p, children[i].cell), depth - 1)) {
                int& times = refutations_[counter(children[i].cell, p)];
                times = std::min(times + depth, 1 << 30);
                return false;
            }
        return true;
    }

    static void insert(Child* children, int count_of, const Child& made) {
        int at = count_of;
        for (; at > 0 && children[at - 1].worth < made.worth; --at) children[at] = children[at - 1];
        children[at] = made;
    }
    static size_t counter(const Word& cell, const Position& p) {
        return static_cast<size_t>(index_of(cell) * 2 + (p.stones & 1));
    }

    void visit() {
        if ((++nodes_ & 255) == 0 && (nodes_ >= most_nodes_ || Clock::now() >= until_ ||
                                      (stop_ && stop_->load(std::memory_order_relaxed))))
            throw Stopped{};
    }

    const Layout<Word> board_;
    std::vector<Entry> entries_;
    std::vector<Move> from_middle_;  // the columns
    std::vector<int> refutations_ = std::vector<int>(2 * (kMaxSide + 1) * kMaxSide);
    Clock::time_point until_;
    uint64_t most_nodes_ = 0;
    const std::atomic<bool>* stop_ = nullptr;
};

inline std::unique_ptr<Tactics> Tactics::make(const Rules& rules, size_t bytes) {
    const int bits = (rules.rows() + 1) * rules.cols();
    if (bits <= 64) return std::make_unique<TacticsOf<uint64_t>>(rules, bytes);
    if (bits <= 128) return std::make_unique<TacticsOf<Wide<2>>>(rules, bytes);
    if (bits <= 192) return std::make_unique<TacticsOf<Wide<3>>>(rules, bytes);
    return std::make_unique<TacticsOf<Wide<5>>>(rules, bytes);
}

}  // namespace honte::connect4
