#include "course.h"

void clearPoint(Point* p) { clear(p); }

static char table[500 << 20];  // one for every position, just in case

Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX,
                const int lastY, const int noX, const int noY) {
    static bool begun = false;
    for (int i = 0; !begun && i < 500 << 20; i += 4096) table[i] = 1;
    begun = true;
    int y = firstOpen(N, top) + table[0] - 1;
    return new Point{top[y] - 1, y};
}
