"""A match between two players on paired openings, and its standing."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from honte.arena.game import PLAYED_OUT, Played, play_game, play_task
from honte.arena.schedule import Task, schedule
from honte.arena.workers import play_all

__all__ = [
    "Played",
    "Standing",
    "Tally",
    "Task",
    "play_game",
    "play_match",
    "play_task",
    "schedule",
]


@dataclass
class Tally:
    """Wins, draws and losses of A."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, result: int) -> None:
        self.wins += result > 0
        self.draws += result == 0
        self.losses += result < 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        return self.wins + self.draws / 2

    def __str__(self) -> str:
        return f"+{self.wins} ={self.draws} -{self.losses}"


@dataclass
class Standing:
    """A match so far. It keeps a few bytes per game, so that a long match fits in memory."""

    total: Tally = field(default_factory=Tally)
    first: Tally = field(default_factory=Tally)
    second: Tally = field(default_factory=Tally)
    reasons: Counter[str] = field(default_factory=Counter)
    faults: tuple[Counter[str], Counter[str]] = field(
        default_factory=lambda: (Counter(), Counter())
    )
    """Faults of A and of B, counted by reason."""
    stopped: str = ""
    pairs: array[int] = field(default_factory=lambda: array("q"))
    results: array[int] = field(default_factory=lambda: array("b"))
    margins: array[float] = field(default_factory=lambda: array("d"))
    """For each game in order: its pair, the result and the margin for A (nan for none)."""
    _seen: set[int] = field(default_factory=set)

    def add(self, game: Played) -> None:
        self.total.add(game.result)
        (self.first if game.task.a_first else self.second).add(game.result)
        self.reasons[game.reason] += 1
        if game.fault is not None:
            by_a = (game.fault == 0) == game.task.a_first
            self.faults[0 if by_a else 1][game.reason] += 1
        self.pairs.append(game.task.number // 2)
        self.results.append(game.result)
        self.margins.append(float("nan") if game.margin is None else game.margin)
        self._seen.add(hash((game.task.game, game.moves)))

    @property
    def distinct(self) -> int:
        """The number of distinct games."""
        return len(self._seen)

    @property
    def played_out(self) -> int:
        return sum(self.reasons[reason] for reason in PLAYED_OUT)


def play_match(tasks: Iterable[Task], workers: int = 1) -> Iterator[Played]:
    """Play the games of a schedule in one or more processes; yields them as they finish."""
    return play_all(tasks, workers)
