#include "course.h"

void clearPoint(Point* p) { clear(p); }

static char cells[12][12];  // 1 mine, -1 the opponent's, 0 free

Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX,
                const int lastY, const int noX, const int noY) {
    for (int x = 0; x < M; x++)
        for (int y = 0; y < N; y++) cells[x][y] = board[x * N + y] == 2 ? 1 : -board[x * N + y];
    for (int y = N - 1; y >= 0; y--)
        if (top[y] > 0 && top[y] < M && cells[top[y]][y] == -1) return new Point{top[y] - 1, y};
    int y = firstOpen(N, top);
    return new Point{top[y] - 1, y};
}
