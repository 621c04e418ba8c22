/* A bot that costs next to nothing, for measuring the arena: it speaks Saiblo and plays the last
 * column with room. "quick_bot hello" says a line and waits; "quick_bot think SEED MS" spins for
 * MS milliseconds before every eighth answer or so. */
#define _POSIX_C_SOURCE 199309L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int number(void) {
    int n;
    if (scanf("%d", &n) != 1) {
        exit(0);
    }
    return n;
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

int main(int argc, char** argv) {
    double spin = 0;
    unsigned seed = 1;
    if (argc > 1 && strcmp(argv[1], "hello") == 0) {
        puts("ready");
        fflush(stdout);
        getchar();
        return 0;
    }
    if (argc > 3 && strcmp(argv[1], "think") == 0) {
        seed = (unsigned)atoi(argv[2]);
        spin = atof(argv[3]);
    }
    int rows = number(), cols = number();
    number(), number(); /* the blocked cell */
    for (;;) {
        int tops[64], pick = 0;
        number(), number(); /* the last move */
        double until = now() + spin;
        for (int i = 0; i < cols; i++) {
            tops[i] = number();
        }
        for (int i = 0; i < rows * cols; i++) {
            seed += (unsigned)number() * 31 + 7;
        }
        for (int i = 0; i < cols; i++) {
            if (tops[i] > 0) {
                pick = i;
                seed = seed * 1103515245u + 12345u;
                if (seed >> 16 & 1) {
                    break;
                }
            }
        }
        if (spin > 0 && (seed >> 20) % 8 == 0) {
            while (now() < until) {
            }
        }
        char text[32];
        int length = snprintf(text, sizeof text, "%d %d", tops[pick] - 1, pick);
        unsigned char head[4] = {0, 0, 0, (unsigned char)length};
        fwrite(head, 1, 4, stdout);
        fwrite(text, 1, (size_t)length, stdout);
        fflush(stdout);
    }
}
