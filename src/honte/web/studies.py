"""A study as the page shows it, followed from the store that another process writes."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Sequence
from typing import Any

from honte.arena.statistics import CONFIDENCE, score_and_error
from honte.tune.following import Find, Following
from honte.tune.grid import Grid
from honte.tune.optimiser import Score
from honte.tune.space import TunedVector
from honte.tune.study import parse
from honte.tune.tuning import Step, Tuning
from honte.web.position import Json

MOST_POINTS = 200
"""Maximum points of a curve; more rounds are drawn together."""
MOST_ROWS = 200
"""Points of a grid that are shown."""
TEMPERATURES = 30
FEWEST = 4
"""Minimum games for a score with a meaningful interval."""


def study_of(command: Json) -> Json:
    """A run's command in short: of a study its subject, not its whole text."""
    if command.get("command") != "tune":
        return command
    try:
        given: Any = tomllib.loads(str(command.get("study", "")))
        return {"command": "tune", "game": given["game"], "system": given["optimiser"]["name"]}
    except (ValueError, KeyError, TypeError):
        return {"command": "tune"}


class Studied:
    """The study of one run."""

    def __init__(self, run: Json) -> None:
        self._run = _decisive(run)
        self._trouble = ""
        command = run["command"]
        try:
            # The store is untrusted, so no player that it names is created.
            study = parse(str(command.get("study", "")), int(command["seed"]), play=False)
            versions = command.get("versions")
            if not isinstance(versions, dict):
                versions = {}
            build = str(command.get("build", run["version"]))
            self._following = Following(Tuning(study, versions, build))
        except (ValueError, KeyError, TypeError, ArithmeticError, RecursionError) as error:
            self._trouble = str(error)[:300] or "it cannot be read"

    def is_of(self, run: Json) -> bool:
        return self._run == _decisive(run)

    def look(self, find: Find) -> Json:
        """Its current state, or why it cannot be followed."""
        if self._trouble:
            return {"trouble": self._trouble}
        self._following.look(find)
        return view(self._following)


def _decisive(run: Json) -> object:
    """The part of a run's command that identifies its study."""
    command = run["command"]
    return [command.get(key) for key in ("study", "seed", "versions", "build")], run["version"]


def view(following: Following) -> Json:
    """Everything that the page draws."""
    tuning = following.tuning
    study, space, history = tuning.study, tuning.study.space, tuning.history
    steps = list(groups(history, MOST_POINTS))
    start, answer = space.words(space.start), space.words(tuning.best)
    tuned = next(iter(space.vectors), None)
    grid = tuning.optimiser if isinstance(tuning.optimiser, Grid) else None
    table = grid.table() if grid else []
    return {
        "optimiser": study.name,
        "engine": study.file.engine,
        "game": study.file.game,
        "stage": tuning.optimiser.stage,
        "games": following.games,
        "expected": following.expected_games,
        "ended": following.ended,
        "rounds": [fitness(group) for group in steps],
        "names": space.names,
        "way": [[round(x, 4) for x in space.unit(group[-1].best)] for group in steps],
        "answer": [
            {"name": name, "value": value, "start": start[name]} for name, value in answer.items()
        ],
        "board": board(tuned, space.vector_at(tuned, tuning.best)) if tuned is not None else None,
        "words": {key: dict(words) for key, words in study.game.descriptor.words.items()},
        "top": _interval(max((score for _, score in table), key=lambda score: score.value))
        if table
        else _interval(history[-1].top)
        if history
        else None,
        "sweep": [
            {"at": " ".join(space.words(point).values()), **(_interval(score) or {})}
            for point, score in table[:MOST_ROWS]
        ],
        "acceptance": acceptance(history),
        "verification": [
            {
                "against": spec,
                "of": study.verify.games,
                "games": standing.total.games,
                **dict(
                    zip(("score", "error"), map(_short, score_and_error(standing)), strict=True)
                ),
            }
            for spec, standing in tuning.verification.items()
            if standing.total.games
        ],
    }


def board(tuned: TunedVector, numbers: Sequence[float]) -> Json | None:
    """The numbers of a vector on the cells that they belong to, and the others by name."""
    vector = tuned.vector
    if vector.board is None:
        return None
    grouped = {name for group in vector.groups.values() for name in group}
    terms = zip(vector.names, numbers, strict=True)
    return {
        "cells": [[_short(value) for value in line] for line in vector.board(numbers)],
        "terms": [[name, _short(value)] for name, value in terms if name not in grouped],
    }


def groups(history: Sequence[Step], most: int) -> Iterator[Sequence[Step]]:
    """The rounds, grouped if there are more than can be drawn."""
    size = max(1, -(-len(history) // most))
    return (history[at : at + size] for at in range(0, len(history), size))


def fitness(group: Sequence[Step]) -> Json:
    """Best, mean and worst of a round, and what the optimiser notes about it."""
    names = dict.fromkeys(name for step in group for name in step.notes)
    return {
        "games": group[-1].games,
        "best": _mean([step.top.value for step in group]),
        "mean": _mean([step.mean for step in group]),
        "worst": _mean([min(score.value for score in step.scores) for step in group]),
        "notes": {
            name: _mean([step.notes[name] for step in group if name in step.notes])
            for name in names
        },
    }


def acceptance(history: Sequence[Step]) -> list[list[float]]:
    """Temperatures, and the share of the steps that were taken there."""
    steps = [step for step in history if {"temperature", "accepted"} <= step.notes.keys()]
    return [
        [_mean([step.notes[name] for step in group]) for name in ("temperature", "accepted")]
        for group in groups(steps, TEMPERATURES)
    ]


def _interval(score: Score) -> Json | None:
    if score.games < FEWEST:
        return None
    error = CONFIDENCE * score.error
    return {"score": _short(score.value), "error": _short(error), "games": score.games}


def _mean(values: Sequence[float]) -> float:
    return _short(sum(values) / len(values))


def _short(number: float) -> float:
    """With as many digits as a picture needs; JSON has no infinity."""
    return float(f"{min(max(number, -1e9), 1e9):.4g}")
