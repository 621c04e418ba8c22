"""A tournament: table, crosstable and ratings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Generator, Sequence
from dataclasses import dataclass, field

from honte.arena import schedule
from honte.arena.adaptive import Adaptive
from honte.arena.game import RETIRED, Played
from honte.arena.match import Tally
from honte.arena.ratings import Game, Ratings, rate
from honte.arena.run import Run
from honte.arena.schedule import Plan, Task
from honte.arena.statistics import counted, wilson
from honte.core.language import Message

SYSTEMS = ("round robin", "gauntlet", "swiss", "adaptive")
BYE = 2.0
"""Points for a bye: those of a won pair."""


@dataclass
class Row:
    """The results of one player."""

    spec: str
    total: Tally = field(default_factory=Tally)
    first: Tally = field(default_factory=Tally)
    second: Tally = field(default_factory=Tally)
    faults: Counter[str] = field(default_factory=Counter)
    fault: str = ""
    """The last fault, in words."""
    byes: int = 0

    @property
    def points(self) -> float:
        return self.total.points + self.byes * BYE


class Tournament:
    """The table of a tournament, updated game by game."""

    def __init__(self, players: Sequence[str], by_rating: bool = False) -> None:
        if len(players) < 2:
            raise ValueError(Message("a tournament needs at least two players; name more of them"))
        for spec, count in Counter(players).items():
            if count > 1:
                raise ValueError(
                    Message(
                        "{spec} is named {count} times; name each player once",
                        spec=spec,
                        count=count,
                    )
                )
        self.players = list(players)
        self.by_rating = by_rating
        """Whether to rank by rating: points say little where the strong meet the strong."""
        self.rows = {spec: Row(spec) for spec in players}
        self.cross: dict[tuple[str, str], Tally] = defaultdict(Tally)
        self.games: Counter[Game] = Counter()
        """Games that count for the ratings, without the forfeits of retired players."""
        self.reasons: Counter[str] = Counter()
        self.retired: dict[str, str] = {}
        self.stopped = ""
        self._seen: set[int] = set()
        self._index = {spec: index for index, spec in enumerate(players)}

    def add(self, played: Played) -> None:
        one, two = played.task.players
        result = played.for_first
        self.rows[one].total.add(result)
        self.rows[two].total.add(-result)
        self.rows[one].first.add(result)
        self.rows[two].second.add(-result)
        self.cross[one, two].add(result)
        self.cross[two, one].add(-result)
        self.reasons[played.reason] += 1
        if played.faulty is not None:
            self.rows[played.faulty].faults[played.reason] += 1
            self.rows[played.faulty].fault = played.detail
        if played.reason != RETIRED:
            self.games[self._index[one], self._index[two], result] += 1
            self._seen.add(hash((played.task.game, played.moves)))

    @property
    def total(self) -> int:
        return sum(self.reasons.values())

    def ratings(self) -> Ratings:
        return rate(len(self.players), list(self.games.elements()))

    def ranking(self, ratings: Ratings) -> list[str]:
        """Players by points, then by rating; or by rating alone, the retired ones last."""

        def key(spec: str) -> tuple[float, float]:
            first = spec in self.retired if self.by_rating else -self.rows[spec].points
            return first, -ratings.elo[self._index[spec]]

        return sorted(self.players, key=key)

    def summary(self) -> dict[str, object]:
        """The tournament as JSON-ready values."""
        ratings = self.ratings()
        order = self.ranking(ratings)
        table = []
        for spec in order:
            row, index = self.rows[spec], self._index[spec]
            low, high = wilson(row.total.points, row.total.games)
            table.append(
                {
                    "player": spec,
                    "games": row.total.games,
                    **counted(row.total),
                    "first": counted(row.first),
                    "second": counted(row.second),
                    "points": row.points,
                    "wilson": [round(low, 4), round(high, 4)],
                    "elo": round(ratings.elo[index], 1),
                    "elo_error": round(ratings.errors[index], 1),
                    "faults": dict(row.faults),
                    "last_fault": row.fault,
                    "retired": self.retired.get(spec),
                }
            )
        return {
            "games": self.total,
            "players": table,
            "crosstable": [
                [counted(self.cross[a, b]) if a != b else None for b in order] for a in order
            ],
            "first_mover_elo": round(ratings.first, 1),
            "first_mover_elo_error": round(ratings.first_error, 1),
            "draws_between_equals": round(ratings.draw, 3),
            "distinct": len(self._seen),
            "reasons": dict(self.reasons),
            "stopped": self.stopped,
        }


def expected_games(system: str, players: int, rounds: int) -> int:
    """The number of games of a tournament; an adaptive one may end with fewer."""
    pairs = {
        "round robin": players * (players - 1) // 2,
        "gauntlet": players - 1,
        "swiss": players // 2,
    }
    pairs["adaptive"] = pairs["round robin"]
    return 2 * rounds * pairs[system]


def play(
    tournament: Tournament, plan: Plan, system: str, rounds: int, run: Run, games: int | None = None
) -> Generator[Played]:
    """Play a tournament; each game is in the table when it is yielded.

    `games`: the maximum of an adaptive tournament; by default as many as in a round robin.
    """
    players = tournament.players
    if system == "swiss":
        yield from _swiss(tournament, plan, rounds, run)
        return
    if system == "adaptive":
        budget = games or expected_games(system, len(players), rounds)
        yield from _adaptive(tournament, plan, budget, run)
        return
    tasks = (
        schedule.gauntlet(plan, players, rounds)
        if system == "gauntlet"
        else schedule.round_robin(plan, players, rounds)
    )
    for played in run.play(tasks):
        tournament.add(played)
        tournament.retired = run.retired
        yield played


def _adaptive(tournament: Tournament, plan: Plan, games: int, run: Run) -> Generator[Played]:
    adaptive = Adaptive(plan, tournament.players, games, run.store)
    for played in run.play(adaptive.tasks(), adaptive.ahead):
        adaptive.add(played, run.retired)
        tournament.add(played)
        tournament.retired = run.retired
        yield played
    tournament.stopped = adaptive.stopped


def _swiss(tournament: Tournament, plan: Plan, rounds: int, run: Run) -> Generator[Played]:
    met: set[frozenset[str]] = set()
    number = 0
    for round in range(rounds):
        points = {spec: row.points for spec, row in tournament.rows.items()}
        there = [spec for spec in tournament.players if spec not in run.retired]
        if len(there) < 2:
            return
        pairings, out = schedule.swiss_pairings(there, points, met)
        if out is not None:
            met.add(frozenset((out,)))
            tournament.rows[out].byes += 1
        tasks: list[Task] = []
        for a, b in pairings:
            met.add(frozenset((a, b)))
            tasks += plan.pair(a, b, number, round)
            number += 2
        for played in run.play(tasks):
            tournament.add(played)
            tournament.retired = run.retired
            yield played
