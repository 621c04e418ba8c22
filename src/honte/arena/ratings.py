"""Ratings from games: Bradley and Terry's model, with draws and the first mover's advantage.

Davidson's form (1970): with x the rating difference plus the advantage of moving first, win,
draw and loss weigh e^(x/2), e^d and e^(−x/2). The logarithm of the likelihood is concave, so
Newton's method finds its one summit; its curvature there gives the errors.

A wide prior (a normal of 1000 Elo around nothing) keeps those who win or lose everything finite;
with a few dozen games it moves nobody by more than a small part of the error.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

SCALE = 400 / math.log(10)
"""Elo for each unit of the model."""
CONFIDENCE = 1.96
PRIOR = 1000 / SCALE

Game = tuple[int, int, int]
"""First mover, second mover, and the result for the first: 1, 0 or −1."""
Matrix = list[list[float]]


@dataclass(frozen=True)
class Ratings:
    """Elo of each player around a mean of 0, with half the 95 % intervals."""

    elo: list[float]
    errors: list[float]
    first: float
    """What moving first is worth, in Elo."""
    first_error: float
    draw: float
    """The share of draws between equals, neither of whom has the first move."""
    covariance: Matrix
    """Of the ratings in Elo², about the mean."""

    def difference(self, a: int, b: int) -> tuple[float, float]:
        """How much A is above B, and half the 95 % interval."""
        c = self.covariance
        variance = c[a][a] + c[b][b] - 2 * c[a][b]
        return self.elo[a] - self.elo[b], CONFIDENCE * math.sqrt(max(0.0, variance))


def rate(
    players: int,
    games: Iterable[Game],
    prior: float | None = PRIOR,
    first_mover: bool = True,
) -> Ratings:
    """The most likely ratings.

    >>> won_three_of_four = [(0, 1, 1), (0, 1, 1), (0, 1, 1), (0, 1, -1)] * 100
    >>> found = rate(2, won_three_of_four, first_mover=False)
    >>> round(found.elo[0] - found.elo[1])
    191
    """
    counts: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for one, two, result in games:
        counts[one, two][result + 1] += 1
    draws = any(count[1] for count in counts.values())
    free = [True] * players + [first_mover, draws]
    theta = [0.0] * (players + 1) + [0.0]
    weight = 1e-12 if prior is None else 1 / prior**2
    now = _likelihood(theta, counts, players, free, weight)
    curvature: Matrix = []
    for _ in range(100):
        slope, curvature = _derivatives(theta, counts, players, free, weight)
        step = solve(curvature, slope)
        size = 1.0
        while size > 1e-6:  # halve the step until it climbs
            trial = [t + size * s for t, s in zip(theta, step, strict=True)]
            height = _likelihood(trial, counts, players, free, weight)
            if height >= now:
                break
            size /= 2
        else:
            break
        climbed, theta, now = height - now, trial, height
        if climbed < 1e-12 * (1 + abs(now)) and max(map(abs, step)) < 1e-9:
            break
    _, curvature = _derivatives(theta, counts, players, free, weight)
    return _ratings(theta, inverse(curvature), players, free)


def _ratings(theta: list[float], spread: Matrix, players: int, free: list[bool]) -> Ratings:
    mean = sum(theta[:players]) / players
    # About the mean: C·S·C with C = 1 − 1/n takes out the direction that no game can tell.
    rows = [sum(row[:players]) / players for row in spread[:players]]
    whole = sum(rows) / players
    covariance = [
        [(spread[i][j] - rows[i] - rows[j] + whole) * SCALE**2 for j in range(players)]
        for i in range(players)
    ]
    drawn = math.exp(theta[players + 1]) if free[players + 1] else 0.0
    return Ratings(
        elo=[(value - mean) * SCALE for value in theta[:players]],
        errors=[CONFIDENCE * math.sqrt(max(0.0, covariance[i][i])) for i in range(players)],
        first=theta[players] * SCALE,
        first_error=CONFIDENCE * SCALE * math.sqrt(max(0.0, spread[players][players]))
        if free[players]
        else 0.0,
        draw=drawn / (2 + drawn),
        covariance=covariance,
    )


def _chances(x: float, d: float, draws: bool) -> tuple[float, float, float]:
    """Of loss, draw and win for the first mover."""
    top = max(abs(x) / 2, d)
    loss, win = math.exp(-x / 2 - top), math.exp(x / 2 - top)
    draw = math.exp(d - top) if draws else 0.0
    total = loss + draw + win
    return loss / total, draw / total, win / total


def _likelihood(
    theta: list[float],
    counts: dict[tuple[int, int], list[int]],
    players: int,
    free: list[bool],
    weight: float,
) -> float:
    found = -weight / 2 * sum(value * value for value in theta)
    for (one, two), count in counts.items():
        x = theta[one] - theta[two] + theta[players]
        for seen, chance in zip(
            count, _chances(x, theta[players + 1], free[players + 1]), strict=True
        ):
            if seen:
                found += seen * math.log(max(chance, 1e-300))
    return found


def _derivatives(
    theta: list[float],
    counts: dict[tuple[int, int], list[int]],
    players: int,
    free: list[bool],
    weight: float,
) -> tuple[list[float], Matrix]:
    """The slope, and minus the second derivatives."""
    size = players + 2
    slope = [-weight * value for value in theta]
    curvature = [[weight if i == j else 0.0 for j in range(size)] for i in range(size)]
    for i in range(players):  # hold the mean, which the games leave open
        for j in range(players):
            curvature[i][j] += 1.0 / players
    first, drawn = players, players + 1
    for (one, two), (losses, draws, wins) in counts.items():
        x = theta[one] - theta[two] + theta[first]
        loss, draw, win = _chances(x, theta[drawn], free[drawn])
        n = losses + draws + wins
        by_x = (wins - losses) / 2 - n * (win - loss) / 2
        by_d = draws - n * draw
        xx = n * ((win + loss) / 4 - (win - loss) ** 2 / 4)
        xd = -n * draw * (win - loss) / 2
        dd = n * draw * (1 - draw)
        signs = ((one, 1.0), (two, -1.0), (first, 1.0))
        for i, sign in signs:
            slope[i] += sign * by_x
            curvature[i][drawn] += sign * xd
            curvature[drawn][i] += sign * xd
            for j, other in signs:
                curvature[i][j] += sign * other * xx
        slope[drawn] += by_d
        curvature[drawn][drawn] += dd
    for i in range(size):
        if i >= players and not free[i]:
            slope[i] = 0.0
            for j in range(size):
                curvature[i][j] = curvature[j][i] = 1.0 if i == j else 0.0
    return slope, curvature


def solve(matrix: Matrix, right: Sequence[float]) -> list[float]:
    """Solve a symmetric positive system."""
    lower = cholesky(matrix)
    size = len(right)
    y = [0.0] * size
    for i in range(size):
        row = lower[i]
        y[i] = (right[i] - sum(row[k] * y[k] for k in range(i))) / row[i]
    x = [0.0] * size
    for i in reversed(range(size)):
        x[i] = (y[i] - sum(lower[k][i] * x[k] for k in range(i + 1, size))) / lower[i][i]
    return x


def inverse(matrix: Matrix) -> Matrix:
    """The inverse of a symmetric positive matrix: L⁻ᵀ·L⁻¹."""
    lower = cholesky(matrix)
    size = len(matrix)
    back = [[0.0] * size for _ in range(size)]
    for j in range(size):
        for i in range(j, size):
            row = lower[i]
            done = (1.0 if i == j else 0.0) - sum(row[k] * back[k][j] for k in range(j, i))
            back[i][j] = done / row[i]
    return [
        [sum(back[k][i] * back[k][j] for k in range(max(i, j), size)) for j in range(size)]
        for i in range(size)
    ]


def cholesky(matrix: Matrix) -> Matrix:
    """L with L·Lᵀ = matrix."""
    size = len(matrix)
    lower = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(map(float.__mul__, lower[i][:j], lower[j][:j]))
            if i == j:
                lower[i][i] = math.sqrt(max(rest, 1e-12))
            else:
                lower[i][j] = rest / lower[j][j]
    return lower
