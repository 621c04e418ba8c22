"""A study: one TOML file, checked before anything is played.

game = "examples/gomoku.py:Gomoku"
engine = "textbook:iterations=100"
seed = 1

[parameters.c]                  # a range; or values = [...]; or of a vector, free = [...]
low = 0.2
high = 2.0
start = 1.4

[objective]
against = ["start"]             # specs; or "population", or "last best"
games = 32

[optimiser]
name = "spsa"
games = 2000

[verify]
games = 1000
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from honte.core.contract import Game
from honte.core.descriptor import load as load_ref
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.players import player as make_player
from honte.core.request import Limit
from honte.core.spec import split
from honte.core.vector import Vector
from honte.core.wire import convert
from honte.tune import optimiser as optimisers
from honte.tune.optimiser import Optimiser, Problem
from honte.tune.space import Coordinate, Point, Space, TunedVector

MAX_FILE = 100_000
START = "start"
"""The opponent that is the engine at its start settings."""
RELATIVE = ("population", "last best")


class _Part(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class Parameter(_Part, frozen=True, kw_only=True):
    """A setting that is tuned."""

    low: float | None = None
    high: float | None = None
    start: float | str | bool | None = None
    whole: bool = False
    log: bool = False
    values: list[str | float | bool] | None = None
    free: list[str] | None = None
    """For a vector, the numbers of it that are tuned."""


class Objective(_Part, frozen=True, kw_only=True):
    """How a trial is measured."""

    against: list[str] | str = START
    games: Annotated[int, Meta(ge=1, le=1_000_000)] = 32
    """Games of a trial."""
    measure: Literal["points", "margin"] = "points"
    seconds: float | None = None
    iterations: int | None = None
    nodes: int | None = None
    depth: int | None = None
    opening_plies: Annotated[int, Meta(ge=0, le=100)] | None = None

    @property
    def limit(self) -> Limit | None:
        given = (self.seconds, self.iterations, self.nodes, self.depth)
        return None if given == (None,) * 4 else Limit(*given)


class Verify(_Part, frozen=True, kw_only=True):
    """The match at the end, with fresh seeds."""

    games: Annotated[int, Meta(ge=0, le=1_000_000)] = 1000
    against: tuple[str, ...] = (START,)
    opening_plies: Annotated[int, Meta(ge=0, le=100)] | None = None


class File(_Part, frozen=True, kw_only=True):
    """The contents of a study's file."""

    game: str
    engine: str
    parameters: dict[str, Parameter]
    seed: Annotated[int, Meta(ge=0, le=2**40)] = 0
    objective: Objective = Objective()
    optimiser: dict[str, Any]
    verify: Verify = Verify()


class Study:
    """A checked study: its file, space, opponents and optimiser.

    If it is only followed (``play=False``), none of its players is created: a bot is a program.
    """

    def __init__(self, file: File, play: bool = True) -> None:
        self.file = file
        self.spec = lru_cache(10_000)(self._spec)
        """The spec of the player at a point."""
        self.game: Game = make_game(file.game)
        self.objective, self.verify, self.seed = file.objective, file.verify, file.seed
        self.space = _space(file, self.game)
        _ = self.objective.limit  # raises if it is wrong
        if play:
            self._check_engine()
        self.name, self._kind, self._settings, self.budget = _optimiser(file.optimiser)
        self.relative = self.objective.against in RELATIVE
        for spec in {*self.opponents, *self.verified} if play else ():
            make_player(spec, self.game).close()
        if self.objective.games % 2 and self._plays_objective:
            raise ValueError(
                Message(
                    "objective.games = {games}: games come in pairs, with the sides changed; use "
                    "an even number",
                    games=self.objective.games,
                )
            )

    @property
    def _plays_objective(self) -> bool:
        return not self._kind.__name__.startswith("Report")

    def _check_engine(self) -> None:
        """Create the engine at the ends of every range, to find wrong names and values early."""
        start = list(self.space.start)
        for place, one in enumerate(self.space.coordinates):
            ends = range(len(one.values)) if one.values else (one.low, one.high)
            for end in ends:
                self._try(self.space.spec((*start[:place], float(end), *start[place + 1 :])))
        self._try(self.space.spec(self.space.start))

    def _try(self, spec: str) -> None:
        try:
            make_player(spec, self.game).close()
        except ValueError as error:
            raise ValueError(
                Message("cannot create engine {spec}: {error}", spec=quote(spec), error=error)
            ) from None

    def _named(self, spec: str) -> str:
        return self.space.spec(self.space.start) if spec == START else spec

    @property
    def opponents(self) -> list[str]:
        """The opponents of every trial; none if trials play points of the study."""
        against = self.objective.against
        if against in RELATIVE:
            return []
        return [self._named(spec) for spec in ([against] if isinstance(against, str) else against)]

    @property
    def verified(self) -> list[str]:
        """The opponents of the winner in the verification."""
        return [self._named(spec) for spec in self.verify.against]

    @property
    def trials(self) -> int:
        return max(1, (self.budget or 0) // self.objective.games)

    def optimiser(self) -> Optimiser:
        """A fresh optimiser."""
        problem = Problem(self.space, self.seed, self.trials, self.objective.games, self.relative)
        return self._kind(problem, self._settings)

    def _spec(self, point: Point) -> str:
        return self.space.spec(point)


def load(path: str | PathLike[str], seed: int | None = None) -> Study:
    """Read a study's file; `seed` overrides the file's."""
    name = Path(path).name
    with open(path, "rb") as file:
        raw = file.read(MAX_FILE + 1)
    if len(raw) > MAX_FILE:
        raise ValueError(
            Message(
                "{name} is larger than {max_file:,} bytes, too large for a study",
                name=name,
                max_file=MAX_FILE,
            )
        )
    try:
        return parse(raw.decode("utf-8"), seed)
    except (ValueError, RecursionError) as error:
        why = str(error) or Message("it nests too deeply")
        raise ValueError(Message("{name}: {why}", name=name, why=why)) from None


def parse(text: str, seed: int | None = None, play: bool = True) -> Study:
    """A study from the text of its file."""
    given = tomllib.loads(text)
    return Study(convert(given if seed is None else {**given, "seed": seed}, File), play)


def _optimiser(given: dict[str, Any]) -> tuple[str, type[Optimiser], Any, int | None]:
    """Name, class, settings and budget from the section."""
    rest = dict(given)
    name, preset = rest.pop("name", None), rest.pop("preset", "")
    if not isinstance(name, str) or not isinstance(preset, str):
        raise ValueError(
            Message(
                "optimiser.name is missing; it is one of {names}",
                names=", ".join(optimisers.names()),
            )
        )
    kind = optimisers.kind(name, preset)
    budget = None
    if not preset:  # a preset has its own number of games
        if "games" not in rest:
            raise ValueError(
                Message("optimiser.games is missing: how many games the search may play")
            )
        count: Any = Annotated[int, Meta(ge=2, le=10**9)]
        budget = convert(rest.pop("games"), count, "optimiser.games")
    return name, kind, convert(rest, kind.Settings, "optimiser"), budget


def _space(file: File, game: Game) -> Space:
    coordinates: list[Coordinate] = []
    tuned: list[TunedVector] = []
    engine = split(file.engine)[0]
    for name, one in file.parameters.items():
        ref = game.descriptor.vectors.get(f"{engine}.{name}")
        if ref is not None and one.values is None:
            vector: Vector = load_ref(ref)
            start = vector.read(str(one.start or vector.start))
            tuned.append(TunedVector(name, vector, start))
            coordinates += _vector(name, one, vector, start)
        elif one.free is not None:
            known = ", ".join(game.descriptor.vectors) or "none here"
            raise ValueError(
                Message(
                    "parameters.{name}.free: only a vector has parts ({known})",
                    name=name,
                    known=known,
                )
            )
        elif one.values is not None:
            coordinates.append(_listed(name, one))
        else:
            coordinates.append(_range(name, one, one.start))
    return Space(file.engine, coordinates, tuned)


def _range(name: str, one: Parameter, start: object) -> Coordinate:
    if one.low is None or one.high is None:
        raise ValueError(
            Message("parameters.{name} has no range; give low and high, or values", name=name)
        )
    if start is None:
        start = (one.low * one.high) ** 0.5 if one.log and one.low > 0 else (one.low + one.high) / 2
        start = float(round(start)) if one.whole else start
    if not isinstance(start, int | float):
        raise ValueError(
            Message("parameters.{name}.start must be a number from low to high", name=name)
        )
    return Coordinate(name, one.low, one.high, float(start), one.whole, one.log)


def _listed(name: str, one: Parameter) -> Coordinate:
    values = [_word(value) for value in one.values or []]
    if len(values) < 2 or len(set(values)) < len(values):
        raise ValueError(
            Message("parameters.{name}.values: list two values or more, each once", name=name)
        )
    start = values[0] if one.start is None else _word(one.start)
    if start not in values:
        raise ValueError(
            Message(
                "parameters.{name}.start is not among its values; choose one of them", name=name
            )
        )
    return Coordinate(name, 0, len(values) - 1, values.index(start), values=tuple(values))


def _word(value: object) -> str:
    """A value as a spec holds it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _vector(name: str, one: Parameter, vector: Vector, start: Sequence[float]) -> list[Coordinate]:
    try:
        free = vector.chosen(one.free or [])
    except ValueError as error:
        raise ValueError(
            Message("parameters.{name}.free: {error}", name=name, error=error)
        ) from None
    values = dict(zip(vector.names, start, strict=True))
    return [_range(each, one, values[each]) for each in free]
