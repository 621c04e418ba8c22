"""A noisy objective with a known optimum: games decided by the distance to it."""

from __future__ import annotations

import math
import random
from typing import Any

import msgspec

from honte.tune.optimiser import Optimiser, Problem, Score, Trial, kind
from honte.tune.space import Coordinate, Point, Space

OPTIMUM = (60.0, -45.0, 30.0)
SPACE = Space("uct", [Coordinate(name, -100, 100, 0) for name in ("one", "two", "three")])


def quality(point: Point) -> float:
    """0 at the optimum, in Elo-like units below it elsewhere."""
    return -sum(((a - b) / 50) ** 2 for a, b in zip(point, OPTIMUM, strict=True))


def distance(point: Point) -> float:
    """Distance to the optimum, relative to that of the middle of the space."""
    return math.dist(point, OPTIMUM) / math.dist((0, 0, 0), OPTIMUM)


class Games:
    """Plays trials: a game is won with a probability, and its margin is noisy too."""

    def __init__(self, seed: int) -> None:
        self._draw = random.Random(seed)
        self.played = 0

    def score(self, trial: Trial, usual: int) -> Score:
        games = trial.games or usual
        other = (0.0, 0.0, 0.0) if trial.against is None else trial.against
        lead = quality(trial.point) - quality(other)
        won = 1 / (1 + math.exp(-lead))
        points = sum(self._draw.random() < won for _ in range(games))
        self.played += games
        value = points / games
        margin = 4 * lead + self._draw.gauss(0, 8 / math.sqrt(games))
        return Score(value, math.sqrt(0.25 / games), games, margin)


def make(
    name: str, seed: int = 1, budget: int = 400, relative: bool = False, **settings: Any
) -> Optimiser:
    chosen = kind(name, settings.pop("preset", ""))
    read = msgspec.convert(settings, chosen.Settings)
    return chosen(Problem(SPACE, seed, budget, 16, relative), read)


def drive(optimiser: Optimiser, games: Games, usual: int = 16) -> Optimiser:
    """Ask and tell to the end."""
    while trials := optimiser.ask():
        optimiser.tell([games.score(trial, usual) for trial in trials])
    return optimiser
