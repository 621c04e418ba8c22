"""Time per move of each player: a histogram of constant size, however long the run."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

from honte.arena.game import Played
from honte.core.games import game as make_game

STEP = math.log(1.02)
"""Width of a bin of the histogram: 2 %."""
SHORTEST = 1e-7


@dataclass
class Times:
    """The moves of one player, timed from the request written to the reply read."""

    moves: int = 0
    total: float = 0.0
    longest: float = 0.0
    idle: float | None = None
    """Total CPU seconds on the opponent's time; None if not measured."""
    counts: Counter[int] = field(default_factory=Counter)

    def add(self, seconds: float) -> None:
        self.moves += 1
        self.total += seconds
        self.longest = max(self.longest, seconds)
        self.counts[round(math.log(max(seconds, SHORTEST)) / STEP)] += 1

    def quantile(self, share: float) -> float:
        """A quantile of the times, within 2 %.

        >>> times = Times()
        >>> for seconds in (0.1, 0.2, 0.3):
        ...     times.add(seconds)
        >>> round(times.quantile(0.5), 2)
        0.2
        """
        wanted, seen = math.ceil(share * self.moves), 0
        for step in sorted(self.counts):
            seen += self.counts[step]
            if seen >= wanted:
                return min(math.exp(step * STEP), self.longest)
        return 0.0

    def summary(self) -> dict[str, float | int | None]:
        return {
            "moves": self.moves,
            "mean": round(self.total / max(1, self.moves), 6),
            "p50": round(self.quantile(0.5), 6),
            "p99": round(self.quantile(0.99), 6),
            "max": round(self.longest, 6),
            "idle_cpu": None if self.idle is None else round(self.idle, 2),
        }


@lru_cache(maxsize=64)
def first_side(game: str) -> int:
    """The side that moves first: the second one after a handicap."""
    return make_game(game).start().to_move


class Latencies:
    """The times of all players of a run, by spec."""

    def __init__(self) -> None:
        self.players: dict[str, Times] = {}
        self.bots: set[str] = set()
        """Players that are external programs."""

    def add(self, played: Played) -> None:
        for side, spec in enumerate(played.task.players):
            times = self.players.setdefault(spec, Times())
            idle = played.idle[side]
            if idle is not None:
                self.bots.add(spec)
                times.idle = (times.idle or 0.0) + idle
        begins = first_side(played.task.game)
        for number, seconds in enumerate(played.times):
            if seconds is not None:
                self.players[played.task.players[(begins + number) % 2]].add(seconds)

    def summary(self) -> dict[str, dict[str, float | int | None]]:
        return {spec: times.summary() for spec, times in self.players.items()}
