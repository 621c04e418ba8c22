#include "course.h"

void clearPoint(Point* p) { clear(p); }

static int height[9];  // enough for the smallest board

Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX,
                const int lastY, const int noX, const int noY) {
    for (int y = 0; y < N; y++) height[y] = M - top[y];
    int y = firstOpen(N, top);
    return new Point{top[y] - 1, y};
}
