// The yardstick for UCT: a plain, careful single-file program on the same board.
//
//     c++ -O3 -march=native -std=c++20 benchmarks/yardstick_uct.cpp -o yardstick
//     ./yardstick ROWS COLS BLOCKED_ROW BLOCKED_COL ITERATIONS C [SEED]     (−1 −1: none blocked)
//
// One tree, the children of a node side by side in one vector with their means, UCB1, uniform
// playouts, lines found by shifting words. No proofs, no forced moves, no options, one thread. The
// exploration term is the product's: mean + c·√(2·ln N / n), results in −1 … 1. `python
// benchmarks/yardstick.py` builds it and runs both in turn.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace {

/// The stones of a side on a board of up to 64 bits: a column takes rows + 1 bits, the last of them
/// always 0.
struct OneWord {
    uint64_t bits = 0;

    /// Place a stone; true if it completes a line.
    bool put(int rows, int col, int height) {
        const int column = rows + 1;
        bits |= uint64_t{1} << (col * column + height);
        for (const int step : {1, column, column - 1, column + 1}) {
            const uint64_t pairs = bits & bits >> step;
            if (pairs & pairs >> 2 * step) return true;
        }
        return false;
    }
};

/// On a larger board: a word for each row, column and diagonal.
struct ManyWords {
    uint16_t row[16] = {}, column[16] = {}, diag[32] = {}, anti[32] = {};

    bool put(int, int col, int height) {
        const auto bit = static_cast<uint16_t>(1u << col);
        const uint64_t words[4] = {row[height] |= bit,
                                   column[col] |= static_cast<uint16_t>(1u << height),
                                   diag[col - height + 16] |= bit, anti[col + height] |= bit};
        uint64_t fours = 0;
        for (const uint64_t word : words) {
            const uint64_t pairs = word & word >> 1;
            fours |= pairs & pairs >> 2;
        }
        return fours != 0;
    }
};

struct Board {
    int rows, cols, blocked_row, blocked_col;  // the blocked row is counted from the bottom
    /// The row where a stone falling onto this height comes to rest.
    int landing(int col, int height) const {
        return height + (col == blocked_col && height == blocked_row);
    }
};

template <class Stones>
struct Position {
    Stones stones[2];
    uint8_t height[16];
    int plies = 0;

    explicit Position(const Board& board) {
        for (int col = 0; col < board.cols; ++col)
            height[col] = static_cast<uint8_t>(board.landing(col, 0));
    }
    /// Place a stone of the side to move; true if it completes a line.
    bool play(const Board& board, int col) {
        const int at = height[col];
        height[col] = static_cast<uint8_t>(board.landing(col, at + 1));
        return stones[plies++ & 1].put(board.rows, col, at);
    }
    int open_columns(const Board& board, uint8_t* cols) const {
        int count = 0;
        for (int col = 0; col < board.cols; ++col) {
            cols[count] = static_cast<uint8_t>(col);
            count += height[col] < board.rows;
        }
        return count;
    }
};

struct Random {
    uint64_t state;
    uint64_t next() {  // xorshift64* (Vigna 2016)
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        return state * 0x2545f4914f6cdd1dULL;
    }
    unsigned below(unsigned n) { return static_cast<unsigned>((next() >> 32) * n >> 32); }
};

struct Node {
    float mean = 0;  // for the side that moves here
    uint32_t visits = 0;
    uint32_t children = 0;  // the first of them; 0: none yet
    uint8_t count = 0, col = 0;
    bool is_won = false;  // by the move
};

template <class Stones>
class Search {
public:
    Search(const Board& board, float c, uint64_t seed, size_t iterations)
        : board_(board), c_(c), random_{seed * 2 + 1} {
        nodes_.reserve(iterations * static_cast<size_t>(board.cols) / 2 + 64);
        nodes_.emplace_back();
    }
    void iterate() {
        Position<Stones> position(board_);
        uint32_t path[257];
        int depth = 0;
        path[0] = 0;
        float value;  // for the side that made the last move
        for (;;) {
            const uint32_t here = path[depth];
            if (nodes_[here].is_won) {
                value = 1;
                break;
            }
            if (nodes_[here].children == 0) {
                if (nodes_[here].visits == 0 || !expand(here, position)) {
                    value = play_out(position);
                    break;
                }
            }
            const uint32_t child = select(nodes_[here]);
            const bool wins = position.play(board_, nodes_[child].col);
            nodes_[child].is_won = wins;
            path[++depth] = child;
        }
        deepest += static_cast<uint64_t>(depth);
        for (int d = depth; d >= 0; --d, value = -value) {
            Node& node = nodes_[path[d]];
            ++node.visits;
            node.mean += (value - node.mean) / static_cast<float>(node.visits);
        }
    }
    uint64_t deepest = 0;

private:
    bool expand(uint32_t here, const Position<Stones>& position) {
        uint8_t cols[16];
        const int count = position.open_columns(board_, cols);
        if (count == 0) return false;
        for (int i = count - 1; i > 0; --i)
            std::swap(cols[i], cols[random_.below(static_cast<unsigned>(i) + 1)]);
        nodes_[here].children = static_cast<uint32_t>(nodes_.size());
        nodes_[here].count = static_cast<uint8_t>(count);
        for (int i = 0; i < count; ++i) nodes_.emplace_back().col = cols[i];
        return true;
    }
    uint32_t select(const Node& parent) const {
        const float log = c_ * c_ * 2 * std::log(static_cast<float>(parent.visits));
        uint32_t best = parent.children;
        float best_score = -1e9f;
        for (uint32_t i = parent.children; i < parent.children + parent.count; ++i) {
            const Node& child = nodes_[i];
            if (child.visits == 0) return i;
            const float score = child.mean + std::sqrt(log / static_cast<float>(child.visits));
            if (score > best_score) {
                best_score = score;
                best = i;
            }
        }
        return best;
    }
    /// The result for the side that moved last.
    float play_out(Position<Stones>& position) {
        const int last = (position.plies & 1) ^ 1;
        uint8_t cols[16];
        int count = position.open_columns(board_, cols);
        while (count > 0) {
            const unsigned pick = random_.below(static_cast<unsigned>(count));
            const int col = cols[pick], mover = position.plies & 1;
            if (position.play(board_, col)) return mover == last ? 1.0f : -1.0f;
            if (position.height[col] >= board_.rows) cols[pick] = cols[--count];
        }
        return 0;
    }

    const Board board_;
    const float c_;
    Random random_;
    std::vector<Node> nodes_;
};

template <class Stones>
void run(const Board& board, float c, uint64_t seed, size_t iterations) {
    const std::clock_t start = std::clock();
    Search<Stones> search(board, c, seed, iterations);
    for (size_t i = 0; i < iterations; ++i) search.iterate();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::printf("%.0f iterations per CPU second, mean depth %.1f\n",
                static_cast<double>(iterations) / seconds,
                static_cast<double>(search.deepest) / static_cast<double>(iterations));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 7) {
        std::fprintf(stderr, "usage: %s ROWS COLS BLOCKED_ROW BLOCKED_COL ITERATIONS C [SEED]\n",
                     argv[0]);
        return 2;
    }
    const int rows = std::atoi(argv[1]), cols = std::atoi(argv[2]);
    const int row = std::atoi(argv[3]), col = std::atoi(argv[4]);
    const Board board{rows, cols, row < 0 ? -1 : rows - 1 - row, col};
    const auto iterations = static_cast<size_t>(std::atoll(argv[5]));
    const auto c = static_cast<float>(std::atof(argv[6]));
    const uint64_t seed = argc > 7 ? static_cast<uint64_t>(std::atoll(argv[7])) : 1;
    if ((rows + 1) * cols <= 64)
        run<OneWord>(board, c, seed, iterations);
    else
        run<ManyWords>(board, c, seed, iterations);
}
