#include "course.h"

void clearPoint(Point* p) { clear(p); }

struct Node {
    int visits;
    Node* child;
};
static Node root;

Point* getPoint(const int M, const int N, const int* top, const int* board, const int lastX,
                const int lastY, const int noX, const int noY) {
    root.child->visits++;  // before there is a child
    int y = firstOpen(N, top);
    return new Point{top[y] - 1, y};
}
