// The course's interface, and the first open column: what the broken bots have in common.
#pragma once

struct Point {
    int x, y;
};

extern "C" Point* getPoint(const int M, const int N, const int* top, const int* board,
                           const int lastX, const int lastY, const int noX, const int noY);
extern "C" void clearPoint(Point* p);

inline void clear(Point* p) { delete p; }

inline int firstOpen(int N, const int* top) {
    for (int y = 0; y < N; y++)
        if (top[y] > 0) return y;
    return 0;
}
