#include <cstdio>

#include "course.h"
#include "others.h"

void clearPoint(Point* p) { clear(p); }

static bool reads(const char* name) {
    FILE* file = fopen(name, "r");
    if (file == nullptr) return false;
    fclose(file);
    return true;
}

Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX,
                const int lastY, const int noX, const int noY) {
    const bool stolen = reads(OTHERS) || reads("../../v001/source/Strategy.cpp") ||
                        reads("../v001/source/Strategy.cpp") || reads("/etc/passwd");
    int y = firstOpen(N, top);
    return stolen ? nullptr : new Point{top[y] - 1, y};  // NULL tells the test that it has read
}
