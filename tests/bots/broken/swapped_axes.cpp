#include "course.h"

void clearPoint(Point* p) { clear(p); }

Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX,
                const int lastY, const int noX, const int noY) {
    int y = firstOpen(N, top);
    return new Point{y, top[y] - 1};
}
