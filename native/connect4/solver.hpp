// Solves a position by a sequence of null-window searches.
#pragma once

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "connect4/search.hpp"
#include "search/solution.hpp"

namespace honte::connect4 {

using search::Solution;
using search::SolvedMove;

struct Goal {
    bool wld = false;    // only whether it is a win, a draw or a loss
    bool every = false;  // the score of every move, not only of the best
    bool line = false;   // the principal variation
    Clock::time_point until = Clock::time_point::max();
    uint64_t nodes = ~uint64_t{0};
};

/// Solves positions of one board, keeping its transposition table from one to the next.
class Solver {
public:
    virtual ~Solver() = default;

    /// Start solving. Easy positions are solved on return, the others in background threads.
    virtual void start(const State& state, const Goal& goal) = 0;
    /// Wait at most this long; true if the search has ended.
    virtual bool wait(Clock::duration most) = 0;
    /// Stop at once and keep the bounds proved so far.
    virtual void stop() = 0;
    virtual Solution solution() const = 0;
    /// Clear the transposition tables.
    virtual void forget() = 0;
    virtual size_t bytes() const = 0;

    static std::unique_ptr<Solver> make(const Rules& rules, int threads, size_t bytes);
};

template <class Search>
class SolverOf final : public Solver {
public:
    using Word = typename Search::Word;
    using Position = typename Search::Position;
    using Entries = Table<typename Search::Entry>;

    SolverOf(const Rules& rules, int threads, size_t bytes)
        : board_(rules), small_(std::min(bytes, kSmallTable)), bytes_(bytes) {
        for (int i = 0; i < threads; ++i) searches_.push_back(std::make_unique<Search>(board_, i));
        for (int i = 0; i < board_.cols; ++i)
            from_middle_.push_back(board_.cols / 2 + (i & 1 ? -(i + 1) / 2 : i / 2));
    }
    ~SolverOf() override { stop(); }

    void start(const State& state, const Goal& goal) override {
        stop();
        root_ = position_of(board_, state);
        goal_ = goal;
        nodes_ = 0;
        solution_ = {};
        table_ = &small_;
        prepare(state);
        try {  // most positions are too easy to be worth a thread
            background_.stop = false;
            quick_ = true;
            solve();
            return;
        } catch (const Stopped&) {
        }
        quick_ = false;
        if (is_spent()) return;
        if (!large_) large_ = std::make_unique<Entries>(bytes_);
        table_ = large_.get();
        background_.begin([this] {
            try {
                solve();
            } catch (const Stopped&) {
            }
        });
    }
    bool wait(Clock::duration most) override { return background_.wait(most); }
    void stop() override { background_.end(); }
    Solution solution() const override {
        const std::lock_guard lock(mutex_);
        Solution copy = solution_;
        copy.nodes = nodes_.load(std::memory_order_relaxed);
        return copy;
    }
    void forget() override {
        stop();
        small_.forget();
        if (large_) large_->forget();
    }
    size_t bytes() const override { return small_.bytes() + (large_ ? large_->bytes() : 0); }

private:
    /// List the moves from the middle out, with the bounds known without a search.
    void prepare(const State& state) {
        const Bounds widest = searches_[0]->widest(root_.stones);
        solution_.low = widest.low, solution_.high = widest.high;
        if (state.is_over()) {
            solution_.low = solution_.high = state.is_won() ? widest.low - 1 : 0;
            return;
        }
        for (const Move col : from_middle_) {
            if (!state.is_legal(col)) continue;
            SolvedMove move{col, widest.low, widest.high};
            if (searches_[0]->wins(root_, cell_of(root_, col)))
                move.low = widest.high;
            else if (root_.stones + 1 == board_.cells)
                move.low = move.high = 0;
            else
                move.high = std::max(searches_[0]->win(root_.stones + 2), 0);
            solution_.moves.push_back(move);
        }
        std::stable_partition(solution_.moves.begin(), solution_.moves.end(),
                              [&](const SolvedMove& move) { return move.low == widest.high; });
    }

    bool is_spent() const {
        return background_.stop || nodes_ >= goal_.nodes || Clock::now() >= goal_.until;
    }

    // -- one null window, by all threads -------------------------------------------------------

    /// A bound on the score of a position: upper if ≤ alpha, else lower.
    int null_window(const Position& position, int alpha) {
        const int left = board_.cells - position.stones;
        const size_t threads = quick_ || left < kAlone ? 1 : searches_.size();
        std::atomic<bool> answered{false};
        std::optional<int> answer;
        std::mutex answers;
        const auto search = [&](size_t i) {
            const uint64_t most = quick_ ? std::min(goal_.nodes, kQuickNodes) : goal_.nodes;
            searches_[i]->set(*table_, {&background_.stop, &answered, &nodes_, goal_.until, most});
            try {
                const int found = searches_[i]->bound(position, alpha);
                const std::lock_guard lock(answers);
                if (!answer) answer = found;
                answered = true;
            } catch (const Stopped&) {
            }
            searches_[i]->flush();
        };
        std::vector<std::thread> others;
        for (size_t i = 1; i < threads; ++i) others.emplace_back(search, i);
        search(0);
        for (std::thread& other : others) other.join();
        if (!answer) throw Stopped{};
        return *answer;
    }
    Position after(Move col) const { return searches_[0]->after(root_, cell_of(root_, col)); }

    // -- the root -------------------------------------------------------------------------

    void solve() {
        if (!solution_.moves.empty()) {
            if (quick_) narrow_at_once();
            narrow([this] { return std::pair{solution_.low, solution_.high}; },
                   [this](int alpha) { test(alpha); });
            find_best();
            if (goal_.every) value_others();
            if (goal_.line) follow();
        }
        const std::lock_guard lock(mutex_);
        solution_.finished = true;
    }

    /// Search the position as a whole: faster, but without scores for the single moves.
    void narrow_at_once() {
        narrow([this] { return std::pair{solution_.low, solution_.high}; },
               [this](int alpha) {
                   const int value = null_window(root_, alpha);
                   const std::lock_guard lock(mutex_);
                   if (value > alpha)
                       solution_.low = std::max(solution_.low, value);
                   else
                       solution_.high = std::min(solution_.high, value);
               });
    }

    /// Search until the bounds meet, or the winner is known if that is the goal.
    ///
    /// Quick wins are cheap to find and to exclude, so the quick pass bisects from the outside in.
    /// If that takes long, the score is near 0, and the long pass works outwards from there.
    template <class Known, class Ask>
    void narrow(Known known, Ask test_above) {
        int step = 1;
        bool risen = false, fallen = false;
        for (;;) {
            const auto [low, high] = known();
            if (low >= high || (goal_.wld && (low > 0 || high < 0))) return;
            int alpha = (low + high - 1) / 2;
            if (goal_.wld) {
                alpha = low < 0 ? -1 : 0;
            } else if (quick_) {
                if (alpha <= 0 && low / 2 < alpha) alpha = low / 2;
                if (alpha >= 0 && high / 2 > alpha) alpha = high / 2;
            } else if (low <= 0 && high > 0) {
                alpha = 0;
            } else if (!(risen && fallen)) {
                alpha = low > 0 ? low + step - 1 : high - step;
                step *= 2;
            }
            alpha = std::clamp(alpha, low, high - 1);
            test_above(alpha);
            (known().first > alpha ? risen : fallen) = true;
        }
    }

    void test(int alpha) {
        test_above(solution_, mutex_, alpha,
                   [this](Move move, int above) { return -null_window(after(move), -above - 1); });
    }

    /// With the score known, find a move that reaches it; none can exceed it.
    void find_best() {
        {
            const std::lock_guard lock(mutex_);
            for (SolvedMove& move : solution_.moves)
                move.high = std::min(move.high, solution_.high);
        }
        if (solution_.moves.front().low < solution_.low) test(solution_.low - 1);
    }

    /// Search the other moves for their own scores.
    void value_others() {
        for (SolvedMove& move : solution_.moves)
            narrow([&move] { return std::pair{move.low, move.high}; },
                   [&](int alpha) {
                       const int value = -null_window(after(move.move), -alpha - 1);
                       const std::lock_guard lock(mutex_);
                       if (value > alpha)
                           move.low = std::max(move.low, value);
                       else
                           move.high = std::min(move.high, value);
                   });
    }

    /// The principal variation: at each position a move that reaches the known score.
    void follow() {
        std::vector<Move> line{solution_.moves.front().move};
        if (!goal_.wld && !searches_[0]->wins(root_, cell_of(root_, line.front()))) {
            int score = -solution_.low;
            Position position = after(line.front());
            while (position.stones < board_.cells) {
                const Move col = move_reaching(position, score);
                line.push_back(col);
                const Word cell = cell_of(position, col);
                if (searches_[0]->wins(position, cell)) break;
                position = searches_[0]->after(position, cell);
                score = -score;
            }
        }
        const std::lock_guard lock(mutex_);
        solution_.pv = std::move(line);
    }
    Word cell_of(const Position& position, Move col) const {
        return searches_[0]->moves(position) & board_.column[col];
    }
    Move move_reaching(const Position& position, int score) {
        for (const Move col : from_middle_)
            if (const Word cell = cell_of(position, col); static_cast<bool>(cell))
                if (searches_[0]->wins(position, cell)) return col;
        for (const Move col : from_middle_) {
            const Word cell = cell_of(position, col);
            if (!static_cast<bool>(cell)) continue;
            const Position next = searches_[0]->after(position, cell);
            if (next.stones == board_.cells || -null_window(next, -score) >= score) return col;
        }
        throw Stopped{};  // hash collision on a huge board: better no line
    }

    static constexpr size_t kSmallTable = size_t{1} << 19;
    static constexpr uint64_t kQuickNodes = 100'000;
    static constexpr int kAlone = 16;  // with fewer free cells a second thread does not pay

    const typename Search::Board board_;
    Entries small_;
    std::unique_ptr<Entries> large_;
    Entries* table_ = nullptr;
    const size_t bytes_;
    std::vector<std::unique_ptr<Search>> searches_;
    std::vector<Move> from_middle_;  // the columns
    std::atomic<uint64_t> nodes_{0};

    Position root_;
    Goal goal_;
    bool quick_ = false;

    mutable std::mutex mutex_;
    Solution solution_;
    search::Background background_;  // declared last: its thread ends before the rest is destroyed
};

inline std::unique_ptr<Solver> Solver::make(const Rules& rules, int threads, size_t bytes) {
    const int bits = (rules.rows() + 1) * rules.cols();
    if (rules.rows() == 6 && rules.cols() <= 7)
        return std::make_unique<SolverOf<Search<uint64_t, 7, PackedEntry>>>(rules, threads, bytes);
    if (bits <= 64)
        return std::make_unique<SolverOf<Search<uint64_t, 0, PairedEntry>>>(rules, threads, bytes);
    if (bits <= 128)
        return std::make_unique<SolverOf<Search<Wide<2>, 0, PairedEntry>>>(rules, threads, bytes);
    if (bits <= 192)
        return std::make_unique<SolverOf<Search<Wide<3>, 0, PairedEntry>>>(rules, threads, bytes);
    return std::make_unique<SolverOf<Search<Wide<5>, 0, PairedEntry>>>(rules, threads, bytes);
}

}  // namespace honte::connect4
