// A place on the board: x is the row, counted from the top, y the column; both from 0.
#ifndef POINT_H
#define POINT_H

struct Point {
    int x, y;
    Point(int x, int y) : x(x), y(y) {}
};

#endif
