"""A running study: ask the optimiser, play the games, tell it the scores, verify the winner.

It keeps no state of its own on disk. The games are in the store; when run again, the optimiser asks
for the same trials, finds their games there, and goes on with those that are missing.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from honte.arena.game import Played
from honte.arena.match import Standing
from honte.arena.schedule import Plan, Task, match
from honte.arena.statistics import summary
from honte.core.language import Message
from honte.tune.games import TrialScheduler
from honte.tune.optimiser import Score, Trial
from honte.tune.space import Point
from honte.tune.study import Study

FRESH = 7_919
"""Added to the seed for the verification, which needs openings and random numbers of its own."""


class Plays(Protocol):
    """The part of `Run` that a study uses."""

    retired: dict[str, str]
    max_faults: int

    def play(self, tasks: Iterable[Task]) -> Iterator[Played]: ...


@dataclass(frozen=True)
class Step:
    """One round of `ask` and `tell`."""

    number: int
    games: int
    """Games played up to its end."""
    stage: str
    trials: Sequence[Trial]
    scores: Sequence[Score]
    best: Point
    notes: Mapping[str, float]

    @property
    def top(self) -> Score:
        """The highest score of the round."""
        return max(self.scores, key=lambda score: score.value)

    @property
    def mean(self) -> float:
        return sum(score.value for score in self.scores) / len(self.scores)


@dataclass
class Tuning:
    """A study and its progress."""

    study: Study
    versions: Mapping[str, str] = field(default_factory=dict)
    version: str = ""

    def __post_init__(self) -> None:
        self.optimiser = self.study.optimiser()
        self.history: list[Step] = []
        self.verification: dict[str, Standing] = {}
        self.games = 0
        """Games of the search so far."""
        self.stopped = ""
        self._scheduler = TrialScheduler(self.study, self.versions, self.version)
        self._trials: list[Trial] = []
        self._games: list[list[Task]] = []

    @property
    def expected_games(self) -> int:
        """Approximate number of games of the search."""
        return self.optimiser.expected_games or self.study.trials * self.study.objective.games

    @property
    def best(self) -> Point:
        return self.optimiser.best

    def next_round(self) -> dict[str, Task]:
        """The games of the next round by their ids; none when the optimiser asks for no more."""
        self._trials = self.optimiser.ask()
        self._games = self._scheduler.games_of(self._trials, self.optimiser.best)
        # Two equal points may ask for the very same game, which is played once.
        return {task.id: task for tasks in self._games for task in tasks}

    def end_round(self, played: Mapping[str, Played]) -> None:
        """Tell the optimiser how the games of the round went."""
        scores = [
            self._scheduler.score([played[task.id] for task in tasks]) for tasks in self._games
        ]
        self.optimiser.tell(scores)
        self.history.append(
            Step(
                number=len(self.history) + 1,
                games=self.games,
                stage=self.optimiser.stage,
                trials=self._trials,
                scores=scores,
                best=self.optimiser.best,
                notes=dict(self.optimiser.notes),
            )
        )

    def search(self, run: Plays) -> Generator[Played]:
        """Play the games of the search, until the optimiser asks for no more."""
        while tasks := self.next_round():
            played = {}
            for game in run.play(tasks.values()):
                played[game.task.id] = game
                self.games += 1
                yield game
                if self._ended(run):
                    return
            self.end_round(played)

    def _ended(self, run: Plays) -> bool:
        """Whether a player is retired, whose further games would be given away."""
        for spec, why in run.retired.items():
            self.stopped = Message(
                "{spec} faulted {max_faults} times in a row ({why})",
                spec=spec,
                max_faults=run.max_faults,
                why=why,
            )
            return True
        return False

    def last_games(self, spec: str) -> Iterator[Task]:
        """The verification match of the winner against an opponent, with fresh seeds."""
        asked = self.study.verify
        plies = asked.opening_plies
        plan = Plan(
            game=self.study.file.game,
            limit=self.study.objective.limit,
            seed=self.study.seed + FRESH,
            opening_plies=self.study.objective.opening_plies if plies is None else plies,
            versions=self.versions,
            version=self.version,
        )
        return match(plan, self.study.spec(self.best), spec, asked.games)

    def verify(self, run: Plays) -> Generator[Played]:
        """Play the winner against the start settings, or the opponents that the study names."""
        for spec in self.study.verified:
            standing = self.verification[spec] = Standing()
            for game in run.play(self.last_games(spec)):
                standing.add(game)
                yield game
                if self._ended(run):
                    return

    def summary(self) -> dict[str, object]:
        """The study as JSON-ready values."""
        return {
            "game": self.study.file.game,
            "optimiser": self.study.name,
            "games": self.games,
            "steps": len(self.history),
            "winner": self.study.spec(self.best),
            "settings": self.study.space.words(self.best),
            "start": self.study.spec(self.study.space.start),
            "verification": [
                {"against": spec, **summary(standing)}
                for spec, standing in self.verification.items()
                if standing.total.games
            ],
            "stopped": self.stopped,
        }
