#include <initializer_list>

#include "course.h"

void clearPoint(Point* p) { clear(p); }

static int rows, cols;

static bool wins(const int* board, int who, int x, int y) {
    const int steps[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    for (auto& step : steps) {
        int length = 1;
        for (int way = -1; way <= 1; way += 2) {
            int a = x + way * step[0], b = y + way * step[1];
            while (a >= 0 && a < rows && b >= 0 && b < cols && board[a * cols + b] == who) {
                length++, a += way * step[0], b += way * step[1];
            }
        }
        if (length >= 4) return true;
    }
    return false;
}

Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX,
                const int lastY, const int noX, const int noY) {
    rows = M, cols = N;
    const int mine = 1, theirs = 2;  // the other way round
    for (int who : {mine, theirs})
        for (int y = 0; y < N; y++)
            if (top[y] > 0 && wins(board, who, top[y] - 1, y)) return new Point{top[y] - 1, y};
    int y = firstOpen(N, top);
    return new Point{top[y] - 1, y};
}
