// A first bot: win if possible, block if necessary, give nothing away, else near the centre.
//
// It keeps nothing from one call to the next, so there is nothing to reset between games.

#include "Strategy.h"

#include <cstdlib>
#include <vector>

namespace {

const int OPPONENT = 1, ME = 2;

struct Board {
    int M, N, noX, noY;
    std::vector<int> cell;  // M * N, row by row from the top
    std::vector<int> top;

    // Which row a piece in column y lands on; -1 if the column is full.
    int landing(int y) const { return top[y] - 1; }

    bool is(int x, int y, int side) const {
        return x >= 0 && x < M && y >= 0 && y < N && cell[x * N + y] == side;
    }

    void drop(int y, int side) {
        cell[landing(y) * N + y] = side;
        top[y]--;
        if (y == noY && top[y] - 1 == noX) {
            top[y]--;  // a piece rests on the blocked cell
        }
    }

    // Whether a piece of a side on (x, y) makes four in a line. The blocked cell is 0 and so
    // belongs to nobody.
    bool wins(int x, int y, int side) const {
        const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
        for (const auto& step : steps) {
            int count = 1;
            for (int sign = -1; sign <= 1; sign += 2) {
                int i = x + sign * step[0], j = y + sign * step[1];
                while (is(i, j, side)) {
                    count++;
                    i += sign * step[0];
                    j += sign * step[1];
                }
            }
            if (count >= 4) {
                return true;
            }
        }
        return false;
    }

    // A column in which a side wins at once; -1 if there is none.
    int winning_column(int side) const {
        for (int y = 0; y < N; y++) {
            if (landing(y) >= 0 && wins(landing(y), y, side)) {
                return y;
            }
        }
        return -1;
    }
};

int choose(const Board& board) {
    int y = board.winning_column(ME);
    if (y < 0) {
        y = board.winning_column(OPPONENT);
    }
    if (y >= 0) {
        return y;
    }
    int best = -1, best_score = 0;
    for (y = 0; y < board.N; y++) {
        if (board.landing(y) < 0) {
            continue;
        }
        Board after = board;
        after.drop(y, ME);
        int score = -std::abs(2 * y - (board.N - 1));  // near the centre
        if (after.winning_column(OPPONENT) >= 0) {
            score -= 1000;  // the opponent would win on top of it
        }
        if (best < 0 || score > best_score) {
            best = y;
            best_score = score;
        }
    }
    return best;
}

}  // namespace

extern "C" Point* getPoint(const int M, const int N, const int* top, const int* board,
                           const int /*lastX*/, const int /*lastY*/, const int noX,
                           const int noY) {
    Board now{M, N, noX, noY, std::vector<int>(board, board + M * N),
              std::vector<int>(top, top + N)};
    const int y = choose(now);
    return new Point(now.landing(y), y);
}

extern "C" void clearPoint(Point* p) { delete p; }
