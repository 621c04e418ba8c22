// The course's interface: the judge calls getPoint for a move, and gives the Point back
// through clearPoint.
#ifndef STRATEGY_H
#define STRATEGY_H

#include "Point.h"

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

// M rows and N columns.
// top[y]          the next piece in column y lands on row top[y] - 1; 0: the column is full.
//                 The blocked cell has been skipped already.
// board[x*N + y]  0 empty or blocked, 1 the opponent, 2 me.
// lastX, lastY    the opponent's last move; -1 and -1 when there was none.
// noX, noY        the blocked cell.
extern "C" EXPORT Point* getPoint(const int M, const int N, const int* top, const int* board,
                                  const int lastX, const int lastY, const int noX, const int noY);

extern "C" EXPORT void clearPoint(Point* p);

#endif
