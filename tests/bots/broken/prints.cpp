#include <cstdio>

#include "course.h"

void clearPoint(Point* p) { clear(p); }

Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX,
                const int lastY, const int noX, const int noY) {
    int y = firstOpen(N, top);
    printf("I play column %d\n", y);
    return new Point{top[y] - 1, y};
}
