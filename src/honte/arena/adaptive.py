"""Adaptive schedule: play next the pair of games that says most about the ranking.

The games so far give ratings with a covariance (`honte.arena.ratings`), and so the probability P
that one player is stronger than another. The sum of P(1 − P) over all pairs of players measures
how uncertain the ranking is. The worth of a pair of games is the expected drop of that sum, and
the pair worth most is played next: a knowledge-gradient policy (Frazier, Powell and Dayanik 2008)
for rankings instead of values. Players whose order is settled are not paired, nor are players so
unequal that the result is certain.

The prior is normal; its spread is estimated from the games (empirical Bayes).
"""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, count

import numpy as np

from honte.arena.game import RETIRED, Played
from honte.arena.ratings import Array, Model, chances, information
from honte.arena.schedule import Plan, Task
from honte.arena.statistics import SCALE
from honte.arena.store import Store
from honte.core.language import Message

SURE = 1.645
"""Standard errors between neighbours whose order is 95 % sure."""
SPREAD, LEAST = 300 / SCALE, 50 / SCALE
"""Standard deviation of the players' strengths: before the first game, and the minimum."""
IN_FLIGHT = 16
"""Pairs of games in flight in a small field; in a larger one, half the number of players.

Each choice ignores the results of this many pairs before it, even finished ones. So the schedule
depends neither on the number of workers nor on their speed.
"""


class Chooser:
    """Chooses pairs of players, by number, from results and games in flight."""

    def __init__(self, players: int) -> None:
        self.results = np.zeros((players, players, 3))
        """Losses, draws and wins of each first mover against each second mover."""
        self.in_flight = np.zeros((players, players))
        """Games in flight, of each first mover against each second mover."""
        self.there = np.ones(players, bool)
        """Mask of the players still in the tournament."""
        self.spread = SPREAD
        self.theta: Array = np.zeros(players + 2)
        self._precision: Array = np.eye(players)  # the inverse of the covariance of the strengths
        self._fitted = False

    def add(self, one: int, two: int, result: int) -> None:
        """Count a result for the first mover: 1, 0 or −1."""
        self.results[one, two, result + 1] += 1
        self._fitted = False

    def choose(self) -> tuple[int, int] | None:
        """The two players whose next pair of games is worth most; None if there are fewer."""
        if self.there.sum() < 2:
            return None
        worth = np.triu(self._worth(), 1)
        worth[~self.there, :] = worth[:, ~self.there] = 0
        one, two = divmod(int(worth.argmax()), len(worth))
        return (one, two) if one != two else None

    def sure(self) -> bool:
        """Whether every two neighbours in the ranking are ordered with 95 % confidence."""
        self._fit()
        strength, variance = self._posterior(self._precision)
        order = np.argsort(-strength, kind="stable")
        order = order[self.there[order]]
        above, below = order[:-1], order[1:]
        gaps = strength[above] - strength[below]
        return bool((gaps >= SURE * np.sqrt(_differences(variance)[above, below])).all())

    def _worth(self) -> Array:
        """Expected drop of the sum of P(1 − P) from a pair of games, for every two players."""
        self._fit()
        apart = np.subtract.outer(self.theta[:-2], self.theta[:-2])
        draws = self.theta[-1] if self.results[:, :, 1].any() else -np.inf
        loss, _, win = chances(apart + self.theta[-2], draws)
        gained = information(win, loss)
        _, covariance = self._posterior(self._precision + _laplacian(self.in_flight * gained))
        squares = _differences(covariance)
        # P = Φ(z) with z = apart / √squares. A result that lowers a variance by v moves P by a
        # step of variance φ(z)² v / squares to first order: the expected drop of P(1 − P).
        weights = np.exp(-(apart**2) / squares) / squares
        weights[~self.there, :] = weights[:, ~self.there] = 0
        lost = _differences(covariance @ _laplacian(weights) @ covariance)
        pair = gained + gained.T
        found: Array = lost * pair / (1 + pair * squares)
        return found

    def _fit(self) -> None:
        """Bring the ratings and the spread up to date."""
        while not self._fitted:
            model = Model(self.results, 1 / self.spread**2)
            self.theta = model.fit(self.theta)
            players = len(self.results)
            _, curvature = model.derivatives(self.theta)
            self._precision = curvature[:players, :players]
            strength, covariance = self._posterior(self._precision)
            square = (strength @ strength + covariance.trace()) / (players - 1)
            spread = max(LEAST, math.sqrt(square))
            # One EM step per result is enough, unless the spread still moves by 10 % or more.
            self._fitted = abs(spread / self.spread - 1) < 0.1
            self.spread = spread

    def _posterior(self, precision: Array) -> tuple[Array, Array]:
        """Strengths and their covariance, both about the mean."""
        strength, covariance = self.theta[:-2], np.linalg.inv(precision)
        covariance = covariance - covariance.mean(axis=0)
        return strength - strength.mean(), covariance - covariance.mean(axis=1, keepdims=True)


def _differences(square: Array) -> Array:
    """uᵀ S u for the difference u of every two players; 1 for a player and itself."""
    own = square.diagonal()
    found: Array = np.maximum(own[:, None] + own - square - square.T, 1e-12)
    np.fill_diagonal(found, 1)
    return found


def _laplacian(weights: Array) -> Array:
    """The matrix L with xᵀ L x = Σ w(a, b) (x(a) − x(b))², over all ordered pairs."""
    both = weights + weights.T
    np.fill_diagonal(both, 0)
    found: Array = np.diag(both.sum(axis=0)) - both
    return found


class Adaptive:
    """The adaptive schedule of a tournament; `add` takes every counted game.

    Games already in the store come first, whichever run scheduled them. So a resumed run starts
    from all known results, and a player who joins later is the most uncertain one.
    """

    def __init__(
        self, plan: Plan, players: Sequence[str], games: int, store: Store | None = None
    ) -> None:
        self.plan = plan
        self.players = list(players)
        self.games = games
        self.store = store
        self.chooser = Chooser(len(players))
        self.ahead = 2 * max(IN_FLIGHT, len(players) // 2)
        """Games that may be handed out beyond the last counted one."""
        self.stopped = ""
        """Why there are no more games, if the budget is not the reason."""
        self._index = {spec: index for index, spec in enumerate(players)}
        self._counted: deque[tuple[Played, frozenset[str]]] = deque()
        self._learned = 0

    def add(self, played: Played, retired: Iterable[str]) -> None:
        """Count a game, in the order of the schedule; `retired`: all players retired by now."""
        self._counted.append((played, frozenset(retired)))

    def tasks(self) -> Iterator[Task]:
        """Yield the games, each chosen on demand."""
        met: Counter[tuple[int, int]] = Counter()
        stored = ((a, b) for a, b, _ in self.stored())
        for number in range(0, self.games, 2):
            self._learn(number - self.ahead)
            pair = next(stored, None) or self._chosen()
            if pair is None:
                return
            a, b = pair
            tasks = self.plan.pair(self.players[a], self.players[b], number, met[pair])
            met[pair] += 1
            for task in tasks[: self.games - number]:
                one, two = map(self._index.__getitem__, task.players)
                self.chooser.in_flight[one, two] += 1
                yield task

    def _chosen(self) -> tuple[int, int] | None:
        if self.chooser.sure():
            self.stopped = Message(
                "the ranking is settled: neighbours are in order with 95 % confidence"
            )
            return None
        return self.chooser.choose()

    def _learn(self, games: int) -> None:
        """Learn the results of the first games of the schedule."""
        while self._learned < games:
            played, retired = self._counted.popleft()
            self._learned += 1
            one, two = map(self._index.__getitem__, played.task.players)
            self.chooser.in_flight[one, two] -= 1
            if played.reason != RETIRED:
                self.chooser.add(one, two, played.for_first)
            for spec in retired:
                self.chooser.there[self._index[spec]] = False

    def stored(self) -> Iterator[tuple[int, int, int]]:
        """The pairings with a game in the store, each with its round, in the order of rounds."""
        if self.store is None:
            return
        pairs = list(combinations(range(len(self.players)), 2))
        for round in count():
            pairs = [pair for pair in pairs if self._is_stored(*pair, round)]
            if not pairs:
                return
            yield from ((a, b, round) for a, b in pairs)

    def _is_stored(self, a: int, b: int, round: int) -> bool:
        assert self.store is not None
        tasks = self.plan.pair(self.players[a], self.players[b], 0, round)
        return any(self.store.find(task) is not None for task in tasks)
