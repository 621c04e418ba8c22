"""The games of a trial: opponents, openings, and the resulting score."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from honte.arena.game import Played, play_task, verdict
from honte.arena.schedule import Plan, Task
from honte.arena.statistics import CONFIDENCE, mean_and_error, pair_means
from honte.core.contract import State
from honte.core.descriptor import load
from honte.core.games import game as make_game
from honte.tune.optimiser import Score, Trial
from honte.tune.space import Point
from honte.tune.study import Study

QUICK_BATCH = 16


class TrialScheduler:
    """Schedules the games of trials and scores them.

    All trials of one `ask` play the same openings against the same opponents in the same order,
    so that only the points differ; the next `ask` has openings of its own.
    """

    def __init__(self, study: Study, versions: Mapping[str, str], version: str) -> None:
        self.study = study
        self._plan = Plan(
            game=study.file.game,
            limit=study.objective.limit,
            seed=study.seed,
            opening_plies=study.objective.opening_plies,
            versions=versions,
            version=version,
        )
        self._round = 0
        self._number = count(0, 2)

    def games_of(self, trials: Sequence[Trial], best: Point) -> list[list[Task]]:
        """The games of every trial of one `ask`."""
        specs = [self.study.spec(trial.point) for trial in trials]
        found, longest = [], 0
        for place, trial in enumerate(trials):
            games = trial.games or self.study.objective.games
            opponents = self._opponents(trial, place, specs, best)
            found.append(list(self._duel(specs[place], opponents, games)))
            longest = max(longest, games)
        self._round += (longest + 1) // 2
        return found

    def _opponents(self, trial: Trial, place: int, specs: list[str], best: Point) -> Sequence[str]:
        if trial.against is not None:
            return [self.study.spec(trial.against)]
        if self.study.objective.against == "population" and len(specs) > 1:
            return specs[place + 1 :] + specs[:place]
        return self.study.opponents or [self.study.spec(best)]

    def _duel(self, spec: str, opponents: Sequence[str], games: int) -> Iterator[Task]:
        for pair in range((games + 1) // 2):
            other = opponents[pair % len(opponents)]
            number = next(self._number)
            yield from self._plan.pair(spec, other, number, self._round + pair)[: games - 2 * pair]

    @property
    def _largest_margin(self) -> float:
        """Every cell of the board where the game counts a margin, else 1."""
        shape = self.study.game.shape()
        return float(shape[0] * shape[1]) if shape and self.study.game.descriptor.unit else 1.0

    def score(self, games: Sequence[Played]) -> Score:
        """The score of a trial from its games."""
        pairs = [game.task.number // 2 for game in games]
        margins = [0.0 if game.margin is None else game.margin for game in games]
        values = [(1 + game.result) / 2 for game in games]
        if self.study.objective.measure == "margin":
            most = self._largest_margin
            values = [
                value if game.margin is None else (1 + min(max(margin / most, -1), 1)) / 2
                for value, margin, game in zip(values, margins, games, strict=True)
            ]
        value, error = mean_and_error(pair_means(pairs, values))
        return Score(
            value=value,
            error=error / CONFIDENCE if math.isfinite(error) else 0.5,
            games=len(games),
            margin=sum(margins) / len(games),
        )


def play(task: Task) -> Played:
    """Play a game, natively from beginning to end if the game supports it."""
    state = make_game(task.game).start()
    for move in task.opening:
        state = state.play(move)
    limited = task.limit is not None and task.limit.depth is not None
    began, clock = time.time(), time.monotonic()
    moves = None if limited else _quick(state, *task.players)
    if moves is None:
        return play_task(task)
    for move in moves:
        state = state.play(move)
    result, margin, reason = verdict(state, 0 if task.a_first else 1, None)
    return Played(
        task=task,
        moves=(*task.opening, *moves),
        result=result,
        margin=margin,
        reason=reason,
        started=began,
        seconds=time.monotonic() - clock,
    )


def batch(study: Study) -> int:
    """The best batch size for the workers: large if a game takes a millisecond."""
    spec = study.spec(study.space.start)
    start, opponents = study.game.start(), study.opponents or [spec]
    quick = all(_quick(start, spec, opponent) is not None for opponent in opponents)
    return QUICK_BATCH if quick else 1


def _quick(state: State, first: str, second: str) -> list[int] | None:
    """The moves of a game played by the game's own `quick_game`, if it has one."""
    ref = state.game.descriptor.quick_game
    if ref is None:
        return None
    moves: list[int] | None = load(ref)(state, first, second)
    return moves
