/* Course libraries, each with one defect, chosen when this is compiled. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct Point {
    int x, y;
};

static struct Point* at(int x, int y) {
    struct Point* point = malloc(sizeof *point);
    point->x = x;
    point->y = y;
    return point;
}

#ifdef NO_GETPOINT
#define getPoint get_point
#endif

struct Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX,
                       const int lastY, const int noX, const int noY) {
    int columns = N;
    (void)M, (void)board, (void)lastX, (void)lastY, (void)noX, (void)noY;
#if defined(FIRST_MOVE)
    if (lastX < 0) { /* as an index into a table would end */
        abort();
    }
#elif defined(SECOND_MOVE)
    static int begun = 0;
    begun = begun || lastX < 0;
    if (!begun) { /* set up only where nobody has moved */
        abort();
    }
#elif defined(NULL_AT_THE_END)
    int left = 0;
    for (int y = 0; y < N; y++) {
        left += top[y];
    }
    if (left < 3) {
        return 0;
    }
#elif defined(LAST_COLUMN)
    columns = N - 1;
#elif defined(SIZE)
    static int kept = 0;
    kept = kept ? kept : N;
    for (int y = 0; y < kept; y++) { /* the first board's columns on every board */
        int x = top[kept - 1 - y] - 1;
        if (x >= 0) {
            return at(x, kept - 1 - y);
        }
    }
#elif defined(NO_RESET)
    static int begun = 0, own[16]; /* its own tops, from the first call ever */
    for (int y = 0; y < N; y++) {
        if (!begun || y == lastY) {
            own[y] = top[y];
        }
    }
    begun = 1;
    for (int y = 0; y < N; y++) {
        if (own[y] > 0) {
            int x = --own[y];
            own[y] -= y == noY && x - 1 == noX;
            return at(x, y);
        }
    }
#elif defined(LEAK)
    memset(malloc(3 << 20), 1, 3 << 20);
#elif defined(SLOW)
    usleep(700 * 1000);
#endif
    for (int y = 0; y < columns; y++) {
        int x = top[y] - 1;
#if defined(FULL_COLUMN)
        return at(x, y);
#elif defined(COUNTS_PIECES)
        x = M - 1;
        while (x >= 0 && board[x * N + y] != 0) {
            x--;
        }
#elif defined(ON_BLOCKED)
        if (y == noY && x == noX - 1) {
            x = noX;
        }
#endif
        if (x >= 0) {
#if defined(SWAPPED)
            return at(y, x);
#elif defined(UPSIDE_DOWN)
            return at(M - 1 - x, y);
#elif defined(TOO_LOW)
            return at(top[y], y);
#else
            return at(x, y);
#endif
        }
    }
    return at(-1, -1);
}

void clearPoint(struct Point* point) { free(point); }
