#include "course.h"

void clearPoint(Point* p) { clear(p); }

Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX,
                const int lastY, const int noX, const int noY) {
    char* tree = new char[3 << 20];  // and never delete[]
    for (int i = 0; i < 3 << 20; i += 4096) tree[i] = 1;
    int y = firstOpen(N, top) + tree[0] - 1;
    return new Point{top[y] - 1, y};
}
