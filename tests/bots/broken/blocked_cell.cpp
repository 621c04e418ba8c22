#include "course.h"

void clearPoint(Point* p) { clear(p); }

Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX,
                const int lastY, const int noX, const int noY) {
    for (int y = 0; y < N; y++) {
        int x = M - 1;  // counts pieces, as if nothing were blocked
        while (x >= 0 && board[x * N + y] != 0) x--;
        if (x >= 0) return new Point{x, y};
    }
    return new Point{0, 0};
}
