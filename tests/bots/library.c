/* Course libraries that misbehave; the mode is chosen when this is compiled. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct Point {
    int x, y;
};

static struct Point* at(int x, int y) {
    struct Point* point = malloc(sizeof *point);
    point->x = x;
    point->y = y;
    return point;
}

struct Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX,
                       const int lastY, const int noX, const int noY) {
    (void)M, (void)board, (void)lastX, (void)lastY, (void)noX, (void)noY;
#if defined(SEGFAULT)
    *(volatile int*)0 = 1;
#elif defined(ABORT)
    abort();
#elif defined(EXIT)
    exit(7);
#elif defined(SPIN)
    for (volatile int i = 0;; i = i + 1) {
    }
#elif defined(LEAK)
    for (;;) {
        memset(malloc(1 << 20), 1, 1 << 20);
    }
#elif defined(NULL_POINT)
    return 0;
#elif defined(SWAPPED)
    return at(N / 2, top[N / 2] - 1);
#elif defined(BLOCKED)
    return at(noX, noY);
#endif
    printf("noise on standard output\n");
    fflush(stdout);
    for (int y = 0; y < N; y++) {
        if (top[y] > 0) {
            return at(top[y] - 1, y);
        }
    }
    return 0;
}

#ifndef NO_CLEAR
void clearPoint(struct Point* point) { free(point); }
#endif
