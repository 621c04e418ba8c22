"""Ratings from games: the Bradley–Terry model with draws and a first-move advantage.

Davidson's form (1970): with x the rating difference plus the advantage of moving first, win, draw
and loss have the weights e^(x/2), e^d and e^(−x/2). The log-likelihood is concave, so Newton's
method finds its only maximum; the inverse of the curvature there is the covariance of the ratings.

A wide prior (normal, 1000 Elo around 0) keeps the rating of a player who wins or loses everything
finite; with a few dozen games it moves no rating by more than a small part of its error.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honte.arena.statistics import CONFIDENCE, SCALE

PRIOR = 1000 / SCALE

Game = tuple[int, int, int]
"""First mover, second mover, and the result for the first: 1, 0 or −1."""
Array = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Ratings:
    """Elo of each player around a mean of 0, with half the 95 % intervals."""

    elo: list[float]
    errors: list[float]
    first: float
    """First-move advantage in Elo."""
    first_error: float
    draw: float
    """The share of draws between equal players, without the advantage of the first move."""
    covariance: Array
    """Covariance of the ratings about their mean, in Elo²."""

    def difference(self, a: int, b: int) -> tuple[float, float]:
        """A's rating above B's, and half the 95 % interval."""
        c = self.covariance
        variance = float(c[a, a] + c[b, b] - 2 * c[a, b])
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
    results = np.zeros((players, players, 3))
    for (one, two, result), count in Counter(games).items():
        results[one, two, result + 1] = count
    model = Model(results, 1e-12 if prior is None else 1 / prior**2, first_mover)
    theta = model.fit()
    covariance = np.linalg.inv(model.derivatives(theta)[1])
    spread = covariance[:players, :players] * SCALE**2
    for axis in (0, 1):  # centre on the mean, which no game determines
        spread = spread - spread.mean(axis=axis, keepdims=True)
    first, draw = players, players + 1
    drawn = math.exp(theta[draw]) if model.free[draw] else 0.0
    error = SCALE * math.sqrt(max(0.0, covariance[first, first])) if first_mover else 0.0
    return Ratings(
        elo=((theta[:players] - theta[:players].mean()) * SCALE).tolist(),
        errors=(CONFIDENCE * np.sqrt(np.maximum(0.0, spread.diagonal()))).tolist(),
        first=float(theta[first]) * SCALE,
        first_error=CONFIDENCE * error,
        draw=drawn / (2 + drawn),
        covariance=spread,
    )


def chances(x: Array, d: float) -> Array:
    """Probabilities of loss, draw and win, in this order along the first axis."""
    weights = np.stack([-x / 2, np.full_like(x, d), x / 2])
    weights = np.exp(weights - weights.max(axis=0))
    found: Array = weights / weights.sum(axis=0)
    return found


def information(win: Array, loss: Array) -> Array:
    """Fisher information of one game about x."""
    return (win + loss - (win - loss) ** 2) / 4


class Model:
    """The likelihood of some games, as a function of theta.

    Theta is the strength of each player, then the advantage of the first move, then d.
    """

    def __init__(self, results: Array, weight: float, first_mover: bool = True) -> None:
        """Results: losses, draws and wins of each first mover against each second mover."""
        self.players = players = len(results)
        self.weight = weight
        """Weight of the prior."""
        one, two = np.nonzero(results.any(axis=2))
        self.counts = results[one, two].T.copy()
        """Losses, draws and wins of the first mover, for each pair that has met."""
        self.terms = (one, 1.0), (two, -1.0), (np.full_like(one, players), 1.0)
        """The parameters that make up the x of each pair, with their signs."""
        self.draws = bool(self.counts[1].any())
        self.free = np.array([True] * players + [first_mover, self.draws])
        """Mask of the parameters to fit; the others stay 0."""

    def fit(self, start: Array | None = None) -> Array:
        """The maximum, by Newton's method with step halving."""
        theta = np.zeros(self.players + 2) if start is None else np.where(self.free, start, 0.0)
        height = self.likelihood(theta)
        for _ in range(100):
            slope, curvature = self.derivatives(theta)
            step = np.linalg.solve(curvature, slope)
            size = 1.0
            while (higher := self.likelihood(theta + size * step)) < height and size > 1e-6:
                size /= 2
            if higher < height:
                break
            climbed, height = higher - height, higher
            theta = theta + size * step
            if climbed < 1e-12 * (1 + abs(height)) and np.abs(step).max() < 1e-9:
                break
        return theta

    def chances(self, theta: Array) -> Array:
        """Probabilities of loss, draw and win for the first mover of each pair."""
        x = sum((sign * theta[i] for i, sign in self.terms), np.zeros(self.counts.shape[1]))
        return chances(x, theta[-1] if self.draws else -np.inf)

    def likelihood(self, theta: Array) -> float:
        """The log-likelihood plus the log-prior."""
        logs = np.log(np.maximum(self.chances(theta), 1e-300))
        return float((self.counts * logs).sum() - self.weight / 2 * theta @ theta)

    def derivatives(self, theta: Array) -> tuple[Array, Array]:
        """The gradient and the negative Hessian."""
        loss, draw, win = self.chances(theta)
        losses, draws, wins = self.counts
        games = self.counts.sum(axis=0)
        by_x = (wins - losses) / 2 - games * (win - loss) / 2
        by_xx = games * information(win, loss)
        by_xd = -games * draw * (win - loss) / 2
        slope = -self.weight * theta
        curvature = self.weight * np.eye(len(theta))
        curvature[: self.players, : self.players] += 1 / self.players  # holds the mean at 0
        # Not a matrix product: for a larger one BLAS would take cores from the games.
        size = len(theta)
        for i, sign in self.terms:
            slope += np.bincount(i, sign * by_x, size)
            crossed = np.bincount(i, sign * by_xd, size)
            curvature[:, -1] += crossed
            curvature[-1, :] += crossed
            for j, other in self.terms:
                both = np.bincount(i * size + j, sign * other * by_xx, size**2)
                curvature += both.reshape(size, size)
        slope[-1] += (draws - games * draw).sum()
        curvature[-1, -1] += (games * draw * (1 - draw)).sum()
        fixed = ~self.free
        slope[fixed] = 0
        curvature[fixed, :] = 0
        curvature[:, fixed] = 0
        curvature[fixed, fixed] = 1
        return slope, curvature
