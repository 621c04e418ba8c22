"""The ladder: a bot against levels 2, 4, …, 100 with both colours, the course's batch.

The ratings of the levels are known, so the bot's rating follows from its results. A quick climb
chooses each next level near the current rating, where a game is most informative.
"""

from __future__ import annotations

import math
import time
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from honte.arena.game import RETIRED, Played
from honte.arena.identity import Identity, level_identity
from honte.arena.match import Tally
from honte.arena.run import Run
from honte.arena.schedule import Plan, Task
from honte.arena.statistics import CONFIDENCE, SCALE, counted, expected
from honte.core.contract import Game
from honte.core.language import Message
from honte.players.level import HIGHEST, NAME, Rung

LEVELS = tuple(range(2, HIGHEST + 1, 2))
TOP = 60
"""From this level on `--top-rounds` applies."""
BEST_FIVE = LEVELS[-5:]
FULL_MARKS = 40
QUICK_RUNGS = 10
QUICK_SECONDS = 300.0
MIDDLE = 50
"""The first level of a quick climb."""


@dataclass
class Row:
    """The games against one level."""

    rung: Rung
    first: Tally = field(default_factory=Tally)
    second: Tally = field(default_factory=Tally)

    @property
    def games(self) -> int:
        return self.first.games + self.second.games

    @property
    def points(self) -> int:
        """As in the course: 2 for a win, 1 for a draw."""
        return round(2 * (self.first.points + self.second.points))

    @property
    def rate(self) -> float:
        return self.points / (2 * self.games)


def level_spec(level: int) -> str:
    return f"{NAME}:{level}"


def identities(rungs: Sequence[Rung], game: Game) -> dict[str, Identity]:
    """The builds of the levels, by spec."""
    return {level_spec(rung.level): level_identity(rung.signature, game) for rung in rungs}


def schedule(plan: Plan, bot: str, rounds: int, top_rounds: int) -> Iterator[Task]:
    """The batch from the lowest level up, each pair of games on its own board."""
    number = 0
    for level in LEVELS:
        for round in range(top_rounds if level >= TOP else rounds):
            yield from pair(plan, bot, level, number, round)
            number += 2


def pair(plan: Plan, bot: str, level: int, number: int, round: int) -> tuple[Task, Task]:
    """Two games against a level; the board does not depend on the number of rounds."""
    return plan.pair(bot, level_spec(level), number, 1000 * round + level)


class Ladder:
    """A bot's results against the levels."""

    def __init__(self, bot: str, rungs: Sequence[Rung]) -> None:
        self.bot = bot
        self.rungs = {rung.level: rung for rung in rungs}
        self.rows: dict[int, Row] = {}
        self.stopped = ""
        self.total = Tally()
        self.retired = ""
        self.faults: list[dict[str, Any]] = []
        self.lost: list[dict[str, Any]] = []
        self._results: list[tuple[float, float]] = []  # the opponent's Elo, the score

    def add(self, played: Played) -> None:
        task = played.task
        opponent = task.players[1 if task.a_first else 0]
        rung = self.rungs[int(opponent.partition(":")[2])]
        row = self.rows.setdefault(rung.level, Row(rung))
        (row.first if task.a_first else row.second).add(played.result)
        self.total.add(played.result)
        if played.reason == RETIRED:
            return  # not played: it counts as a loss but not for the rating
        self._results.append((rung.elo, (1 + played.result) / 2))
        about: dict[str, Any] = {
            "level": rung.level,
            "side": "first" if task.a_first else "second",
            "reason": played.reason,
            "detail": played.detail,
            "plies": len(played.moves),
            "id": task.id,
        }
        if played.fault is not None and (played.fault == 0) == task.a_first:
            self.faults.append(about)
        if played.result < 0:
            self.lost.append(about)

    @property
    def points(self) -> int:
        return sum(row.points for row in self.rows.values())

    def rating(self) -> tuple[float, float]:
        """The most likely Elo on the levels' scale, and half its 95 % interval.

        A prior as wide as the ladder keeps it finite if the bot wins or loses everything.
        """
        elos = [rung.elo for rung in self.rungs.values()]
        middle, spread = (min(elos) + max(elos)) / 2, max(elos) - min(elos)
        return most_likely(self._results, middle, spread)

    def next_level(self) -> int:
        """The level nearest to the rating among those not played yet."""
        elo, _ = self.rating()
        free = [level for level in LEVELS if level not in self.rows]
        return min(free, key=lambda level: abs(self.rungs[level].elo - elo))

    def nearest(self, elo: float) -> int:
        """The level nearest to a rating; 0 below all levels, 101 above."""
        rungs = sorted(self.rungs.values(), key=lambda rung: rung.elo)
        step = (rungs[-1].elo - rungs[0].elo) / max(1, len(rungs) - 1)
        if elo < rungs[0].elo - step / 2:
            return 0
        if elo > rungs[-1].elo + step / 2:
            return HIGHEST + 1
        return min(rungs, key=lambda rung: abs(rung.elo - elo)).level

    def summary(self) -> dict[str, object]:
        """The ladder as JSON-ready values."""
        rows = [self.rows[level] for level in sorted(self.rows)]
        best = [row for row in rows if row.rung.level in BEST_FIVE]
        elo, error = self.rating()
        level = self.nearest(elo)
        games = self.total.games
        return {
            "bot": self.bot,
            "games": games,
            **counted(self.total),
            "points": self.points,
            "course_score": round(self.points * FULL_MARKS / (2 * games), 2),
            "mean_rate": round(sum(row.rate for row in rows) / len(rows), 4),
            "top_five_rate": round(
                sum(row.points for row in best) / (2 * sum(row.games for row in best)), 4
            )
            if best
            else None,
            "elo": round(elo, 1),
            "elo_error": round(error, 1),
            "level": level,
            "rank": self.rungs[level].rank if level in self.rungs else "",
            "opponents": [
                {
                    "level": row.rung.level,
                    "elo": row.rung.elo,
                    "elo_error": row.rung.error,
                    "first": counted(row.first),
                    "second": counted(row.second),
                    "points": row.points,
                    "rate": round(row.rate, 4),
                }
                for row in rows
            ],
            "faults": sorted(self.faults, key=lambda fault: fault["level"]),
            "lost": sorted(self.lost, key=lambda lost: lost["level"]),
            "retired": self.retired or None,
            "stopped": self.stopped,
        }


def most_likely(
    results: Sequence[tuple[float, float]], middle: float, spread: float
) -> tuple[float, float]:
    """The most likely Elo given scores against rated opponents, and half its 95 % interval.

    >>> elo, error = most_likely([(1000, 1), (1000, 1), (1000, 1), (1000, 0)] * 100, 1000, 3000)
    >>> round(elo), round(error)
    (1191, 39)
    """

    def slope(elo: float) -> float:
        pull = (middle - elo) / spread**2 * SCALE
        return pull + sum(score - expected(elo - other) for other, score in results)

    low, high = middle - 5 * spread, middle + 5 * spread
    for _ in range(60):  # bisection: the slope decreases
        elo = (low + high) / 2
        low, high = (elo, high) if slope(elo) > 0 else (low, elo)
    chances = [expected(elo - other) for other, _ in results]
    information = sum(p * (1 - p) for p in chances) / SCALE**2 + 1 / spread**2
    return elo, CONFIDENCE / math.sqrt(information)


def play(ladder: Ladder, plan: Plan, rounds: int, top_rounds: int, run: Run) -> Generator[Played]:
    """Play the batch; each game is in the table when it is yielded."""
    playing = run.play(schedule(plan, ladder.bot, rounds, top_rounds))
    try:
        for played in playing:
            _count(ladder, run, played)
            yield played
        ladder.stopped = Message("all games played")
    finally:
        playing.close()


def climb(
    ladder: Ladder,
    plan: Plan,
    run: Run,
    rungs: int = QUICK_RUNGS,
    seconds: float = QUICK_SECONDS,
) -> Generator[Played]:
    """Play levels near the rating, each with both colours; start no new one after `seconds`."""
    began = time.monotonic()
    level = MIDDLE
    for number in range(rungs):
        for played in run.play(pair(plan, ladder.bot, level, 2 * number, 0)):
            _count(ladder, run, played)
            yield played
        if ladder.retired:
            ladder.stopped = Message("the bot was retired")
            return
        if time.monotonic() - began > seconds and number + 1 < rungs:
            ladder.stopped = Message(
                "{seconds:g} minutes are over after {number} levels",
                seconds=seconds / 60,
                number=number + 1,
            )
            return
        level = ladder.next_level()
    ladder.stopped = Message("all games played")


def _count(ladder: Ladder, run: Run, played: Played) -> None:
    ladder.add(played)
    ladder.retired = run.retired.get(ladder.bot, "")
