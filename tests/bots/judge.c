/* A judge of the course in plain C: loads a library and lets it play itself.
 *
 *   judge LIBRARY GAMES SECONDS [SEED]
 *
 * Prints one line a game (rows, columns, blocked cell, stones, who won) and at the end the number
 * of calls and the longest in seconds. Exit status: 0 fine, 1 a move was illegal or too late. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct Point { int x, y; };
typedef struct Point *(*GetPoint)(const int, const int, const int *, const int *, const int,
                                  const int, const int, const int);
typedef void (*ClearPoint)(struct Point *);

static GetPoint get_point;
static ClearPoint clear_point;
static double longest;
static long calls;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int has_line(const int *board, int rows, int cols, int x, int y) {
    static const int step[4][2] = {{0, 1}, {1, 0}, {1, 1}, {1, -1}};
    const int who = board[x * cols + y];
    for (int d = 0; d < 4; ++d) {
        int length = 1;
        for (int sign = -1; sign <= 1; sign += 2)
            for (int i = 1;; ++i) {
                const int r = x + sign * i * step[d][0], c = y + sign * i * step[d][1];
                if (r < 0 || r >= rows || c < 0 || c >= cols || board[r * cols + c] != who) break;
                ++length;
            }
        if (length >= 4) return 1;
    }
    return 0;
}

/* 1 or 2: who won; 0 a draw; -1 a fault. */
static int play(int rows, int cols, int no_x, int no_y, int *stones) {
    int board[12 * 12] = {0}, view[12 * 12], top[12];
    int last_x = -1, last_y = -1, free_cells = rows * cols - 1;
    for (int y = 0; y < cols; ++y) top[y] = rows;
    if (no_x == rows - 1) top[no_y] = rows - 1;
    for (int who = 1; free_cells > 0; who = 3 - who, --free_cells) {
        for (int i = 0; i < rows * cols; ++i)
            view[i] = board[i] == 0 ? 0 : board[i] == who ? 2 : 1;
        const double began = now();
        struct Point *point = get_point(rows, cols, top, view, last_x, last_y, no_x, no_y);
        const double took = now() - began;
        ++calls;
        if (took > longest) longest = took;
        if (!point) return -1;
        const int x = point->x, y = point->y;
        clear_point(point);
        if (x < 0 || x >= rows || y < 0 || y >= cols || top[y] != x + 1 ||
            (x == no_x && y == no_y)) {
            printf("illegal: %d/%d after %d stones\n", x, y, *stones);
            return -1;
        }
        board[x * cols + y] = who;
        ++*stones;
        top[y] = x;
        if (y == no_y && x == no_x + 1) --top[y];
        last_x = x, last_y = y;
        if (has_line(board, rows, cols, x, y)) return who;
    }
    return 0;
}

int main(int count, char **words) {
    if (count < 4) {
        fprintf(stderr, "usage: judge LIBRARY GAMES SECONDS [SEED]\n");
        return 2;
    }
    void *library = dlopen(words[1], RTLD_NOW);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        return 2;
    }
    *(void **)&get_point = dlsym(library, "getPoint");
    *(void **)&clear_point = dlsym(library, "clearPoint");
    if (!get_point || !clear_point) {
        fprintf(stderr, "the library lacks the interface\n");
        return 2;
    }
    srand(count > 4 ? (unsigned)atoi(words[4]) : 1);
    for (int i = 0; i < atoi(words[2]); ++i) {
        const int rows = 9 + rand() % 4, cols = 9 + rand() % 4;
        const int no_x = rand() % rows, no_y = rand() % cols;
        int stones = 0;
        const int result = play(rows, cols, no_x, no_y, &stones);
        printf("%dx%d %d/%d: %d stones, %d\n", rows, cols, no_x, no_y, stones, result);
        if (result < 0) return 1;
    }
    printf("%ld calls, the longest %.3f s\n", calls, longest);
    return longest > atof(words[3]);
}
