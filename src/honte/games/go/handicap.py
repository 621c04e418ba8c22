"""Free placement of handicap stones."""

from __future__ import annotations

from collections.abc import Callable

from honte.games.go.game import handicap_points


def most_fixed(size: int) -> int:
    """The maximum of GTP's fixed handicap for a size."""
    return 0 if size < 7 else 4 if size == 7 or size % 2 == 0 else 9


def free_points(size: int, stones: int) -> list[int]:
    """The star points first, then repeatedly the point farthest from all others.

    >>> free_points(9, 2) == handicap_points(9, 2), len(set(free_points(5, 12)))
    (True, 12)
    """
    fixed = most_fixed(size)
    points = handicap_points(size, min(stones, fixed)) if fixed else []
    edge = 2 if size >= 9 else 1 if size >= 4 else 0
    while len(points) < stones:
        points.append(max(set(range(size * size)) - set(points), key=_worth(size, points, edge)))
    return points


def _worth(size: int, points: list[int], edge: int) -> Callable[[int], tuple[bool, int, int]]:
    def worth(point: int) -> tuple[bool, int, int]:
        row, col = divmod(point, size)
        inside = min(row, col, size - 1 - row, size - 1 - col) >= edge
        near = min(
            ((row - other // size) ** 2 + (col - other % size) ** 2 for other in points), default=0
        )
        return inside, near, -point

    return worth
