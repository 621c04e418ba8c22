// The exact search of Connect Four: negamax with null windows to the end of the game.
//
// A score is counted in stones: half the cells, rounded up, plus one, less the stones that the
// winner has played; so 18 on 7×6 is a win with the fourth stone, −1 a loss to the opponent's
// last. Every window is null, (alpha, alpha + 1): is the score above alpha?
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "connect4/table.hpp"

namespace honte::connect4 {

using Clock = std::chrono::steady_clock;

/// Thrown to unwind a search that was cancelled.
struct Stopped {};

/// Cancellation flags, limits and shared node counter.
struct Signals {
    const std::atomic<bool>* stop = nullptr;      // cancelled
    const std::atomic<bool>* answered = nullptr;  // another thread has the result
    std::atomic<uint64_t>* nodes = nullptr;       // of all threads
    Clock::time_point until = Clock::time_point::max();
    uint64_t most_nodes = ~uint64_t{0};
};

template <class Word_, int Stride, class Entry_>
class Search {
public:
    using Word = Word_;
    using Entry = Entry_;
    using Board = Layout<Word, Stride>;

    using Position = connect4::Position<Word>;

    /// `number` is the thread's index: all but the first vary the move order, so that threads
    /// diverge.
    Search(const Board& board, int number)
        : board_(board), number_(number), children_(size_t{1} * board.cells * board.cols) {}

    void set(Table<Entry>& table, const Signals& signals) {
        table_ = &table;
        signals_ = signals;
        nodes_ = told_ = 0;
    }
    /// Add to the shared node counter.
    void flush() {
        if (signals_.nodes) signals_.nodes->fetch_add(nodes_ - told_, std::memory_order_relaxed);
        told_ = nodes_;
    }

    Word moves(const Position& position) const {
        return board_.landing(position.filled) & board_.board;
    }
    Position after(const Position& position, const Word& cell) const {
        return {position.filled & board_.board & ~position.own, position.filled | cell,
                position.stones + 1};
    }
    bool wins(const Position& position, const Word& cell) const {
        return static_cast<bool>(board_.line_cells(position.own) & cell);
    }

    /// The score of a win with the next stone.
    int win(int stones) const { return (board_.cells + 1) / 2 - stones / 2; }
    /// The bounds on the score of any position with this many stones.
    Bounds widest(int stones) const {
        return {-std::max(win(stones + 1), 0), std::max(win(stones), 0)};
    }

    /// A bound on the score of an unfinished position: upper if ≤ alpha, else lower.
    int bound(const Position& position, int alpha) {
        const int stones = position.stones;
        const Word free = board_.board & ~position.filled;
        const Word other = position.filled & board_.board & ~position.own;
        const Word landing = board_.landing(position.filled);
        if (static_cast<bool>(board_.line_cells(position.own) & free & landing)) return win(stones);
        if (board_.cells - stones == 1) return 0;
        const Word theirs = board_.line_cells(other) & free;
        const Word quiet = not_losing(landing, theirs);
        if (!static_cast<bool>(quiet)) return -win(stones + 1);
        return search(position.own, position.filled, quiet, stones, alpha);
    }

private:
    struct Child {
        Word cell, spots, moves;
        Place place{};
        int score;
    };

    /// The moves that do not let the opponent win at once, for a side that cannot win at once
    /// itself.
    Word not_losing(const Word& landing, const Word& theirs) const {
        Word moves = landing & board_.board;
        const Word forced = moves & theirs;
        if (static_cast<bool>(forced)) {
            if (several(forced)) return Word{};
            moves = forced;
        }
        return moves & ~board_.below(theirs);
    }

    Place place_of(const Word& own, const Word& landing, int stones) const {
        Word key = own | landing;
        if constexpr (sizeof(Word) == 8)
            if (board_.symmetric && stones < kMirrored) key = std::min(key, board_.mirrored(key));
        return table_->place(key);
    }

    /// An upper bound on the score of the side to move, the leader, if the opponent plays
    /// follow-up.
    ///
    /// The follower answers every stone on a fixed cell, and so gets one of each pair of cells:
    /// - In a column with an even number of free cells, each cell is paired with the one above it
    ///   (claimeven: Allis 1988), so the follower gets every second cell.
    /// - The same holds in a column with an odd number if the follower can complete a line there on
    ///   a cell that it then gets: whoever opens that cell has lost, so the last one is never
    ///   played.
    /// - The lowest cells of two other columns with an odd number are a pair (baseinverse).
    /// - If one of these is left over, it is paired with the lowest cell of an even column where
    ///   the follower completes a line on one of the leader's cells: once both are played, that
    ///   cell is the follower's.
    /// Cells above one that completes a line for the follower are never played.
    int most_against_follower(const Word& own, const Word& filled, const Word& theirs,
                              const Word& landing, int stones) const {
        const Word free = board_.board & ~filled;
        Word odd = landing & board_.board & board_.follow, reversed{}, paired{};
        for (; static_cast<bool>(odd); odd = odd & ~lowest(odd)) {
            const Word& column = board_.column[board_.column_of(odd)];
            if (static_cast<bool>(theirs & column & ~board_.follow))
                reversed |= column;
            else
                paired |= lowest(odd);
        }
        Word gets = (board_.follow ^ reversed) & ~paired;  // the cells the follower is sure to get
        Word wins = theirs & gets & ~landing;
        if (count(paired) & 1) {
            const Word threat = lowest(theirs & ~board_.follow & ~reversed & ~landing);
            if (!static_cast<bool>(threat)) return kNoBound;
            gets &= ~board_.column[board_.column_of(threat)];
            wins = (wins & gets) | threat;
        }
        if (board_.has_line(own | (free & ~gets & ~board_.upwards(wins)))) return kNoBound;
        const bool follower_wins = static_cast<bool>(wins) ||
                                   board_.has_line((filled & board_.board & ~own) | (free & gets));
        if (!follower_wins) return 0;
        const int last = board_.cells - 1;
        return -win((last ^ stones) & 1 ? last : last - 1);
    }

    /// `moves` are those that do not lose at once; the side to move cannot win at once.
    int search(const Word& own, const Word& filled, const Word& moves, int stones, int alpha) {
        visit();
        if (stones >= board_.cells - 2) return 0;
        const int least = -std::max(win(stones + 3), 0);
        int most = win(stones + 2);
        if (most <= alpha) return most;
        if (least > alpha) return least;

        const Word other = filled & board_.board & ~own;
        const bool remember = board_.cells - stones > kForgotten;
        // In long games an immediate threat is a wasted one: the opponent just blocks it.
        const int at_once = std::abs(alpha) > kQuick ? 8 : -8;
        Child* const children = &children_[static_cast<size_t>(stones) * board_.cols];
        int count_of = 0;
        for (Word rest = moves; static_cast<bool>(rest);) {
            const Word cell = lowest(rest);
            rest ^= cell;
            const Word after = filled | cell;
            const Word spots = board_.line_cells(own | cell) & board_.board & ~after;
            const Word landing = board_.landing(after);
            const Word answers = not_losing(landing, spots);
            if (!static_cast<bool>(answers)) return most;
            Child& child = children[count_of++];
            child.cell = cell, child.spots = spots, child.moves = answers;
            child.score = 16 * count(spots) + (static_cast<bool>(spots & landing) ? at_once : 0);
            if (remember) {
                child.place = place_of(other, landing, stones + 1);
                table_->prefetch(child.place);
            }
        }
        most = std::max(win(stones + 4), 0);
        if (most <= alpha) return most;

        int best = -kNoBound;
        const int found = count_of;
        count_of = 0;
        for (int i = 0; i < found; ++i) {
            const Child child = children[i];
            const Word after = filled | child.cell;
            if (alpha < 1) {  // follow-up wins late
                const int bound = most_against_follower(other, after, child.spots,
                                                        board_.landing(after), stones + 1);
                if (-bound > alpha) return -bound;
            }
            Bounds known;
            if (remember && table_->find(child.place, known)) {
                if (-known.high > alpha) return -known.high;
                if (-known.low <= alpha) {
                    best = std::max(best, -known.low);
                    continue;
                }
            }
            insert(children, count_of++, child);
        }
        const uint64_t before = nodes_;
        for (int i = 0; i < count_of && best <= alpha; ++i) {
            const Child& child = children[i];
            best = std::max(
                best, -search(other, filled | child.cell, child.moves, stones + 1, -alpha - 1));
        }
        if (remember)
            table_->store(place_of(own, board_.landing(filled), stones),
                          best > alpha ? Bounds{best, most} : Bounds{least, best},
                          std::bit_width(nodes_ - before));
        return best;
    }

    /// Move ordering: by threats, then from the middle out.
    void insert(Child* children, int count_of, const Child& child) const {
        Child made = child;
        const int col = board_.column_of(child.cell);
        made.score = made.score * 32 - std::abs(2 * col + 1 - board_.cols);
        if (number_) made.score += static_cast<int>(child.place.check * number_ >> 3 & 31);
        int at = count_of;
        for (; at > 0 && children[at - 1].score < made.score; --at) children[at] = children[at - 1];
        children[at] = made;
    }

    void visit() {
        if ((++nodes_ & 1023) != 0) return;
        flush();
        const auto is_set = [](const std::atomic<bool>* flag) {
            return flag && flag->load(std::memory_order_relaxed);
        };
        if (is_set(signals_.stop) || is_set(signals_.answered) || Clock::now() >= signals_.until ||
            (signals_.nodes &&
             signals_.nodes->load(std::memory_order_relaxed) >= signals_.most_nodes))
            throw Stopped{};
    }

    static constexpr int kNoBound = 1000;
    static constexpr int kMirrored = 20;  // with fewer stones, mirror images share an entry
    static constexpr int kForgotten =
        4;                            // with fewer free cells the table costs more than it saves
    static constexpr int kQuick = 3;  // scores beyond this are quick wins

    const Board& board_;
    const int number_;
    std::vector<Child> children_;  // by stones: as locals they overflow the small stacks of threads
    Table<Entry>* table_ = nullptr;
    Signals signals_;
    uint64_t nodes_ = 0, told_ = 0;
};

}  // namespace honte::connect4
