// Alpha-beta over an evaluation of lines and threats: negamax with iterative deepening, a
// transposition table, killer moves and the history heuristic.
//
// A value beyond ±kSure is a proven result: kWon less the plies to the end of the game. All other
// values come from the evaluation. A search to some depth returns exactly the minimax value of that
// depth, under two rules: a position whose side to move wins at once, or loses whatever it plays,
// is not evaluated; and a forced move costs no depth.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "connect4/evaluation.hpp"
#include "connect4/search.hpp"
#include "search/solution.hpp"

namespace honte::connect4 {

inline constexpr int kWon = 1'000'000;
inline constexpr int kSure = kWon - 1000;

/// What iterative deepening has found so far.
struct DepthResult {
    int depth = 0;                          // of the last finished iteration
    int value = 0;                          // for the side to move
    std::vector<search::SolvedMove> moves;  // best first; an upper bound for the others
    std::vector<Move> pv;
    uint64_t nodes = 0;
    bool finished = false;  // at the depth limit, or decided
};

/// Iterative deepening in a thread of its own.
class AlphaBeta {
public:
    virtual ~AlphaBeta() = default;
    virtual void start(const State& state, int depth, Clock::time_point until) = 0;
    /// Wait at most this long; true if the search has ended.
    virtual bool wait(Clock::duration most) = 0;
    virtual void stop() = 0;
    virtual DepthResult result() const = 0;
    /// The static evaluation of a position, for the side to move.
    virtual int evaluate(const State& state) const = 0;

    static std::unique_ptr<AlphaBeta> make(const Rules& rules, size_t bytes);
};

template <class Word>
class AlphaBetaOf final : public AlphaBeta {
public:
    AlphaBetaOf(const Rules& rules, size_t bytes) : board_(rules), evaluation_(board_) {
        entries_.resize(std::bit_floor(std::max<size_t>(bytes / sizeof(Entry), 2)));
        for (int i = 0; i < board_.cols; ++i)
            from_middle_.push_back(board_.cols / 2 + (i & 1 ? -(i + 1) / 2 : i / 2));
    }
    ~AlphaBetaOf() override { stop(); }

    void start(const State& state, int depth, Clock::time_point until) override {
        stop();
        root_ = position_of(board_, state);
        until_ = until;
        nodes_ = 0;
        result_ = {};
        std::fill(history_.begin(), history_.end(), 0);
        prepare();
        background_.begin([this, depth] {
            try {
                iterative_deepening(depth);
            } catch (const Stopped&) {
            }
            const std::lock_guard lock(mutex_);
            result_.nodes = nodes_;
        });
    }
    bool wait(Clock::duration most) override { return background_.wait(most); }
    void stop() override { background_.end(); }
    DepthResult result() const override {
        const std::lock_guard lock(mutex_);
        return result_;
    }
    int evaluate(const State& state) const override {
        const Position position = position_of(board_, state);
        return leaf(position, moves_in(position));
    }

private:
    using Position = connect4::Position<Word>;
    struct Moves {
        Word quiet{};     // moves that do not let the opponent win at once
        int decided = 0;  // the value, if there is no choice
    };
    struct Entry {
        uint64_t check = 0;
        int32_t value = 0;
        int16_t depth = -1;
        uint8_t kind = 0;  // kExact, kAtLeast, kAtMost
        uint8_t col = 0;
    };
    enum Kind : uint8_t { kExact, kAtLeast, kAtMost };

    Word other(const Position& p) const { return p.filled & board_.board & ~p.own; }
    Position after(const Position& p, const Word& cell) const {
        return {other(p), p.filled | cell, p.stones + 1};
    }

    /// The moves that do not lose at once, or the result.
    Moves moves_in(const Position& p) const {
        Moves moves;
        const Word open = board_.landing(p.filled) & board_.board;
        if (static_cast<bool>(board_.line_cells(p.own) & open)) {
            moves.decided = kWon - 1;
            return moves;
        }
        const Word theirs = board_.line_cells(other(p)) & board_.board & ~p.filled;
        moves.quiet = open;
        if (const Word forced = open & theirs; static_cast<bool>(forced))
            moves.quiet = several(forced) ? Word{} : forced;
        moves.quiet &= ~board_.below(theirs);
        if (!static_cast<bool>(moves.quiet) && p.stones < board_.cells) moves.decided = -(kWon - 2);
        return moves;
    }
    int leaf(const Position& p, const Moves& moves) const {
        if (moves.decided) return moves.decided;
        if (p.stones == board_.cells) return 0;
        return evaluation_(p.own, other(p), p.stones & 1);
    }

    // -- the root ----------------------------------------------------------------------------

    /// Every legal move, those that do not lose at once first, from the middle out.
    void prepare() {
        const Word open = board_.landing(root_.filled) & board_.board;
        const Word wins = board_.line_cells(root_.own) & open;
        const Moves moves = moves_in(root_);
        const auto rank = [&](const search::SolvedMove& move) {
            const Word cell = open & board_.column[move.move];
            if (static_cast<bool>(cell & wins)) return 0;
            if (static_cast<bool>(cell & moves.quiet)) return 1;
            const Word theirs = board_.line_cells(other(root_));
            return static_cast<bool>(cell & theirs) ? 2 : 3;  // even a lost root blocks
        };
        for (const Move col : from_middle_)
            if (static_cast<bool>(open & board_.column[col]))
                result_.moves.push_back({col, -kWon, kWon});
        std::stable_sort(result_.moves.begin(), result_.moves.end(),
                         [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
        for (search::SolvedMove& move : result_.moves) {
            if (rank(move) == 0) move.low = move.high = kWon - 1;
            if (!static_cast<bool>(wins) && rank(move) > 1) move.low = move.high = -(kWon - 2);
        }
        result_.value = leaf(root_, moves);
        result_.pv = {result_.moves.front().move};
    }

    void iterative_deepening(int most) {
        const Moves moves = moves_in(root_);
        if (moves.decided) {
            const std::lock_guard lock(mutex_);
            result_.depth = 1;
            result_.finished = true;
            return;
        }
        for (int depth = 1; depth <= most; ++depth) {
            search_root(moves, depth);
            const std::lock_guard lock(mutex_);
            result_.depth = depth;
            result_.nodes = nodes_;
            result_.finished = depth == most || std::abs(result_.value) > kSure ||
                               root_.stones + depth >= board_.cells;
            if (result_.finished) return;
        }
    }

    /// One iteration at the root.
    void search_root(const Moves& moves, int depth) {
        auto found = result_.moves;
        const int left = several(moves.quiet) ? depth - 1 : depth;
        int best = -kWon;
        for (size_t i = 0; i < found.size(); ++i) {
            const Word cell = board_.landing(root_.filled) & board_.column[found[i].move];
            if (!static_cast<bool>(cell & moves.quiet)) continue;
            const int value = -negamax(after(root_, cell), left, 1, -kWon, -best);
            found[i].high = value;
            found[i].low = value > best ? value : -kWon;
            if (value <= best) continue;
            best = value;
            std::rotate(found.begin(), found.begin() + static_cast<long>(i),
                        found.begin() + static_cast<long>(i) + 1);
            const std::lock_guard lock(mutex_);  // beats the previous iteration's best: usable
            result_.value = best;
            result_.moves = found;
            result_.pv = principal_variation(found.front().move);
        }
        const std::lock_guard lock(mutex_);
        result_.moves = found;
    }

    /// The principal variation, as far as the transposition table has it.
    std::vector<Move> principal_variation(Move first) {
        std::vector<Move> moves{first};
        Position p = after(root_, board_.landing(root_.filled) & board_.column[first]);
        while (p.stones < board_.cells && moves.size() < 60) {
            const Word open = board_.landing(p.filled) & board_.board;
            if (const Word wins = board_.line_cells(p.own) & open; static_cast<bool>(wins)) {
                moves.push_back(board_.column_of(lowest(wins)));
                break;
            }
            const Place at = place_of(p);
            const Entry& entry = entries_[at.bucket];
            if (entry.check != at.check || entry.kind == kAtMost) break;
            const Word cell = open & board_.column[entry.col];
            if (!static_cast<bool>(cell)) break;
            moves.push_back(entry.col);
            p = after(p, cell);
        }
        return moves;
    }

    // -- below it ----------------------------------------------------------------------------

    Place place_of(const Position& p) const {
        return PairedEntry::place(p.own | board_.landing(p.filled),
                                  std::countr_zero(entries_.size()));
    }
    /// The table counts the plies of a decided value from the stored position, not from the root.
    static int to_table(int value, int ply) {
        return value > kSure ? value + ply : value < -kSure ? value - ply : value;
    }
    static int from_table(int value, int ply) {
        return value > kSure ? value - ply : value < -kSure ? value + ply : value;
    }

    int negamax(const Position& p, int depth, int ply, int alpha, int beta) {
        visit();
        const Moves moves = moves_in(p);
        if (moves.decided || depth == 0 || p.stones == board_.cells)
            return from_table(leaf(p, moves), ply);
        const Place at = place_of(p);
        Entry& entry = entries_[at.bucket];
        int first = -1;
        if (entry.check == at.check && entry.depth >= 0) {
            first = entry.col;
            const int value = from_table(entry.value, ply);
            if (entry.depth == depth || std::abs(value) > kSure) {
                if (entry.kind == kExact || (entry.kind == kAtLeast && value >= beta) ||
                    (entry.kind == kAtMost && value <= alpha))
                    return value;
            }
        }
        Ordered order[kMaxSide];
        const int count_of = ordered(p, moves.quiet, first, ply, order);
        const int left = count_of > 1 ? depth - 1 : depth;
        int best = -kWon, best_col = 0;
        for (int i = 0; i < count_of && best < beta; ++i) {
            const int value =
                -negamax(after(p, order[i].cell), left, ply + 1, -beta, -std::max(alpha, best));
            if (value > best) best = value, best_col = order[i].col;
        }
        if (best >= beta && count_of > 1) {
            killers_[static_cast<size_t>(ply)] = static_cast<uint8_t>(best_col);
            history_[history_index(board_.landing(p.filled) & board_.column[best_col], p)] +=
                depth * depth;
        }
        entry = {at.check, to_table(best, ply), static_cast<int16_t>(depth),
                 best >= beta    ? kAtLeast
                 : best <= alpha ? kAtMost
                                 : kExact,
                 static_cast<uint8_t>(best_col)};
        return best;
    }

    struct Ordered {
        Word cell;
        int col;
        int64_t score;
    };
    /// Move ordering: the transposition-table move, the killer move, then the history heuristic;
    /// ties from the middle out.
    int ordered(const Position& p, const Word& quiet, int first, int ply, Ordered* order) const {
        int count_of = 0;
        const int killer = killers_[static_cast<size_t>(ply)];
        for (int i = 0; i < board_.cols; ++i) {
            const int col = from_middle_[static_cast<size_t>(i)];
            const Word cell = quiet & board_.column[col];
            if (!static_cast<bool>(cell)) continue;
            Ordered made{cell, col, 0};
            made.score = history_[history_index(cell, p)];
            if (col == killer) made.score += int64_t{1} << 40;
            if (col == first) made.score += int64_t{1} << 41;
            int at = count_of++;
            for (; at > 0 && order[at - 1].score < made.score; --at) order[at] = order[at - 1];
            order[at] = made;
        }
        return count_of;
    }

    /// Index of a cell and a side in the history table.
    static size_t history_index(const Word& cell, const Position& p) {
        return static_cast<size_t>(index_of(cell) * 2 + (p.stones & 1));
    }

    void visit() {
        if ((++nodes_ & 1023) == 0 && (background_.stop || Clock::now() >= until_)) throw Stopped{};
    }

    const Layout<Word> board_;
    const LinesEvaluation<Word> evaluation_;
    std::vector<Entry> entries_;
    std::vector<Move> from_middle_;  // the columns
    std::vector<int64_t> history_ = std::vector<int64_t>(2 * (kMaxSide + 1) * kMaxSide);
    std::array<uint8_t, kMaxSide * kMaxSide + 1> killers_{};
    uint64_t nodes_ = 0;

    Position root_;
    Clock::time_point until_;

    mutable std::mutex mutex_;
    DepthResult result_;
    search::Background background_;  // declared last: its thread ends before the rest is destroyed
};

inline std::unique_ptr<AlphaBeta> AlphaBeta::make(const Rules& rules, size_t bytes) {
    const int bits = (rules.rows() + 1) * rules.cols();
    if (bits <= 64) return std::make_unique<AlphaBetaOf<uint64_t>>(rules, bytes);
    if (bits <= 128) return std::make_unique<AlphaBetaOf<Wide<2>>>(rules, bytes);
    if (bits <= 192) return std::make_unique<AlphaBetaOf<Wide<3>>>(rules, bytes);
    return std::make_unique<AlphaBetaOf<Wide<5>>>(rules, bytes);
}

}  // namespace honte::connect4
