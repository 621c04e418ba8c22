"""Opponents of graded strength, from ``level:1`` (nearly random) to ``level:100``.

Each game has one strength dial: random moves, then a small search with a shrinking share of random
moves, then larger searches. ``honte calibrate`` measures the dial and writes a table of a hundred
levels at equal steps of Elo.

Where a network knows the board (`Levels.network`) and its levels are measured, it plays the higher
ones, up to the strength of ``best``: the lower of these by its policy alone, sampled at a
temperature, the others with few simulations. It errs like a player who knows the usual moves and
misses the exceptions. On other boards level 100 is the top of the dial, not the strongest engine.
"""

from __future__ import annotations

import hashlib
import json
import random
import time
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from honte.core.contract import Game
from honte.core.descriptor import load
from honte.core.descriptor_parts import Levels, NetworkLevels
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.player import Player
from honte.core.players import player as make_player
from honte.core.report import Candidate, Report
from honte.core.request import Limit, Request
from honte.core.spec import Options, join, number, split, whole, yes_no
from honte.players.random import random_report
from honte.search.uct_settings import OPTIONS as UCT_OPTIONS
from honte.search.uct_settings import defaults

HIGHEST = 100
UNIMPORTANT = ("seed", "threads", "memory_mb")
"""Engine settings that do not affect a level's strength."""
NAME = "level"
TABLE = "levels.json"
"""The file of a game's levels, in its data folder."""
NETWORK_TABLE = "network_levels.json"
"""The file of the levels that a network plays."""
WEAKEST = 30
"""The rank of the random player, in kyu."""
AHEAD = 0.1
"""The lead, as a value, beyond which a lenient level gives it back."""
CARELESS = 2.0
"""How much hotter a lenient level that draws from its policy gets when it is ahead."""
SEEN = 0.02
"""The visit share from which a lenient level considers a move."""


def dial_at(levels: Levels, x: float) -> tuple[float, int]:
    """Share of random moves and iterations at a dial setting.

    >>> dial_at(Levels("game", low=10, top=1000), 0.7)
    (0.0, 100)
    """
    noise = max(0.0, 1 - x / levels.bend)
    grown = max(0.0, (x - levels.bend) / (1 - levels.bend))
    return round(noise, 4), round(levels.low * (levels.top / levels.low) ** grown)


def engine_spec(levels: Levels | NetworkLevels, iterations: int) -> str:
    """The spec of a level's engine, without the random moves."""
    name, settings = split(levels.engine)
    return join(name, {**settings, "iterations": iterations})


def network_of(game: Game) -> NetworkLevels | None:
    """The network's dial, if the network knows this board."""
    levels = game.descriptor.levels
    dial = None if levels is None else levels.network
    return dial if dial is not None and load(dial.plays)(game) else None


def rank(kyu: float) -> str:
    """A rank in words: 30 kyu is the weakest; above 1 kyu come the dan ranks.

    >>> [rank(kyu) for kyu in (29.7, 7.6, 1.4, 0.4, -1)]
    ['30 kyu', '8 kyu', '1 kyu', '1 dan', '2 dan']
    """
    whole = round(kyu)
    return Message("{n} kyu", n=whole) if whole >= 1 else Message("{n} dan", n=1 - whole)


def read_rank(text: str) -> str:
    """A rank of a table, which holds it in English, as `rank` words it.

    >>> [read_rank(text) for text in ("8 kyu", "1 dan", "")]
    ['8 kyu', '1 dan', '']
    """
    if not text:
        return ""
    number, unit = text.split()
    return rank(int(number) if unit == "kyu" else 1 - int(number))


def levels_of(game: Game) -> Levels:
    """The dial of a game's levels; raises ValueError if it has none."""
    if game.descriptor.levels is None:
        raise ValueError(
            Message(
                "there are no levels for {name}; play `best` or `textbook`", name=quote(game.name)
            )
        )
    return game.descriptor.levels


@dataclass(frozen=True)
class Rung:
    """One level of a game."""

    level: int
    spec: str
    """The engine, limited by iterations: equally strong on slow and fast machines."""
    noise: float
    """The share of uniformly random moves."""
    elo: float
    """Elo above the random player, which has 0."""
    error: float
    """Half-width of the 95 % interval."""
    rank: str = ""
    """The human rank of about this strength, in games with ranks: 8 kyu."""
    temperature: float = 0.0
    """Temperature of the policy that moves are sampled from; 0: the engine's move."""

    @property
    def words(self) -> str:
        """How it plays, for menus.

        >>> Rung(3, "best:iterations=20", 0.9, 30, 5).words
        'moves at random, nearly always'
        """
        for least, words in NOISE_WORDS:
            if self.noise >= least:
                return words
        for least, words in TEMPERATURE_WORDS:
            if self.temperature >= least:
                return words
        return next(words for most, words in SEARCH_WORDS if self.level <= most)

    @property
    def signature(self) -> str:
        """A hash that changes when the level plays differently."""
        return signature(self.spec, self.noise, self.temperature)


def signature(engine: str, noise: float, temperature: float = 0.0) -> str:
    """A short hash of a level's engine, noise and temperature."""
    warm = f" {temperature}" if temperature else ""
    return hashlib.sha256(f"{engine} {noise}{warm}".encode()).hexdigest()[:8]


NOISE_WORDS = (
    (0.8, Message("moves at random, nearly always")),
    (0.6, Message("mostly moves at random, now and then with sense")),
    (0.4, Message("every other move is careless")),
    (0.2, Message("sensible, but careless once in a few moves")),
    (0.05, Message("sensible, with a blunder now and then")),
    (0.0001, Message("sensible, with a blunder once in a long while")),
)
TEMPERATURE_WORDS = (
    (1.5, Message("has seen the game played")),
    (1.0, Message("knows some shapes, and often chooses the wrong one")),
    (0.6, Message("plays by feeling")),
    (0.0001, Message("plays good shape and does not read")),
)
"""Descriptions of levels that play by a policy, down to each temperature."""
SEARCH_WORDS = (
    (40, Message("glances at the board")),
    (55, Message("looks a little ahead")),
    (70, Message("thinks for a moment")),
    (85, Message("thinks carefully")),
    (HIGHEST - 1, Message("thinks hard")),
    (HIGHEST, Message("thinks as hard as the ladder goes")),
)
"""Descriptions of levels without random moves, up to each level."""


def table_path(game: Game, file: str = TABLE) -> Path:
    """The file with the table of a game's levels."""
    levels_of(game)
    assert game.descriptor.data is not None
    return game.descriptor.data / file


@cache
def _read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _table(game: Game, file: str = TABLE) -> dict[str, Any]:
    path = table_path(game, file)
    if not path.is_file():
        raise ValueError(
            Message(
                "the levels of {name} are not measured yet; run `honte calibrate {name}`",
                name=game.name,
            )
        )
    return _read(path)


def table(game: Game) -> list[Rung]:
    """The hundred levels of a game, the weakest first.

    >>> import honte
    >>> [rung.level for rung in table(honte.game("connect4"))[:3]]
    [1, 2, 3]
    """
    found = base_table(game)
    if network_of(game) is not None and table_path(game, NETWORK_TABLE).is_file():
        for row in _table(game, NETWORK_TABLE)["levels"]:
            found[row["level"] - 1] = read_rung(row)
    return found


def base_table(game: Game) -> list[Rung]:
    """The levels without a network."""
    return [read_rung(row) for row in _table(game)["levels"]]


def read_rung(row: dict[str, Any]) -> Rung:
    """A level of a table."""
    return Rung(**{**row, "rank": read_rank(row.get("rank", ""))})


def rung_of(game: Game, level: int) -> Rung:
    """One level of a game."""
    return table(game)[level - 1]


def measured(game: Game) -> dict[str, Any]:
    """How the levels of a game were measured: its file without the levels."""
    return {key: value for key, value in _table(game).items() if key != "levels"}


def lenient(report: Report) -> Report:
    """Choose the move that keeps the smallest lead; win at once if possible, defend if not ahead.

    >>> tried = [Candidate(1, 60, 0.8), Candidate(2, 30, 0.2), Candidate(3, 10, -0.1)]
    >>> lenient(Report(1, value=0.8, candidates=tried)).move
    2
    >>> lenient(Report(1, value=0.0, candidates=tried[2:])).move
    1
    """
    best = report.best
    if best is None or best.value <= AHEAD or (best.proven == "win" and best.distance <= 1):
        return report
    visits = SEEN * sum(candidate.visits for candidate in report.candidates)

    def is_choice(candidate: Candidate) -> bool:
        known = candidate.kind == "exact" or (candidate.visits >= max(visits, 1))
        return known and candidate.kind != "bound" and candidate.value >= AHEAD

    chosen = min(filter(is_choice, report.candidates), key=lambda one: one.value, default=best)
    return with_choice(report, chosen)


def drawn_by_policy(
    report: Report, temperature: float, draw: float, done: int | None, most: int | None = None
) -> Report:
    """Sample a move from the policy at this temperature; `done`, the pass, is not sampled.

    With `most`, it is one of that many likeliest moves.

    >>> tried = [Candidate(1, prior=0.9), Candidate(2, prior=0.1)]
    >>> [drawn_by_policy(Report(1, candidates=tried), 1.0, draw, None).move for draw in (0.8, 0.95)]
    [1, 2]
    """
    choices = [
        candidate
        for candidate in report.candidates
        if candidate.prior and (candidate.move != done or candidate.move == report.move)
    ]
    if not choices or report.move == done:
        return report
    if most is not None and len(choices) > most:
        choices = sorted(choices, key=lambda candidate: candidate.prior or 0, reverse=True)[:most]
    top = max(candidate.prior or 0 for candidate in choices)
    weights = [((candidate.prior or 0) / top) ** (1 / temperature) for candidate in choices]
    left = draw * sum(weights)
    for chosen, weight in zip(choices, weights, strict=True):
        left -= weight
        if left < 0:
            return with_choice(report, chosen)
    return report


def with_choice(report: Report, chosen: Candidate) -> Report:
    """The report with another candidate as its move."""
    if chosen.move == report.move:
        return report
    return replace(
        report,
        move=chosen.move,
        value=chosen.value,
        proven=chosen.proven,
        distance=chosen.distance,
        pv=list(chosen.line) or [chosen.move],
    )


class LevelPlayer(Player):
    """A level of the ladder.

    >>> import honte
    >>> game = honte.game("connect4")
    >>> honte.player("level:40", game)
    honte.player('level:40')

    ``level:noise=0.2,iterations=50`` and, by a network, ``level:temperature=0.5,iterations=1`` are
    uncalibrated settings, as ``honte calibrate`` uses them.
    ``level:40,lenient=yes`` thinks as level 40 does and does not press an advantage; one that
    draws from a policy gets careless when it is ahead.
    """

    options = Options(
        whole("number", None, 1, HIGHEST, "1 is nearly random, 100 the top of the ladder"),
        number("noise", None, 0, 1, "share of random moves, instead of a number"),
        number("temperature", None, 0, 10, "of the network's policy, instead of a number"),
        whole("iterations", None, 1, 2**62, "simulations per move, instead of a number"),
        yes_no("lenient", False, "does not punish mistakes: keeps the game close when ahead"),
        whole("seed", None, 0, 2**63 - 1, "makes its choices repeatable"),
    )

    def __init__(self, game: Game, /, **settings: object) -> None:
        for key in [key for key in settings if key.isdecimal() and settings[key] == "yes"]:
            if "number" in settings:
                raise ValueError(Message("{name}: the number is given twice", name=NAME))
            settings["number"] = key
            del settings[key]
        self._values = values = self.options.read(NAME, settings)
        level, noise, iterations = values["number"], values["noise"], values["iterations"]
        warmth = values["temperature"]
        own = noise is not None or iterations is not None or warmth is not None
        if (level is not None) == own or (own and iterations is None):
            raise ValueError(
                Message(
                    "{name} needs one number, like {name}:40 (or noise and iterations in its "
                    "place)",
                    name=NAME,
                )
            )
        if level is not None:
            rung = rung_of(game, level)
            self.noise, self.temperature, engine = rung.noise, rung.temperature, rung.spec
            self.spec = f"{NAME}:{level}"
        elif warmth is not None:
            dial = network_of(game)
            if dial is None or noise is not None:
                raise ValueError(
                    Message(
                        "{name}: a temperature needs a network, and no noise beside it", name=NAME
                    )
                )
            self.noise, self.temperature, engine = 0.0, warmth, engine_spec(dial, iterations)
            self.spec = join(NAME, {"temperature": warmth, "iterations": iterations})
        else:
            self.noise, self.temperature = noise or 0.0, 0.0
            engine = engine_spec(levels_of(game), iterations)
            self.spec = join(NAME, {"noise": self.noise, "iterations": iterations})
        self.signature = signature(engine, self.noise, self.temperature)
        network = network_of(game)
        self._choices = network.choices if network is not None else None
        self._lenient: bool = values["lenient"]
        if self._lenient:
            self.spec += ",lenient=yes"
        seed = values["seed"]
        if seed is not None:
            self.spec += f",seed={seed}"
        self._random = random.Random(seed)
        # Without a seed an engine uses a fixed one; the games of a level must vary.
        self._engine = make_player(engine, game, seed=self._random.getrandbits(62))
        self.limit = self._engine.limit

    def effective_settings(self) -> dict[str, Any]:
        """The settings, with what the number stands for in this game.

        >>> import honte
        >>> honte.player("level:40", honte.game("connect4")).effective_settings()["iterations"]
        20
        """
        limit = self.limit or Limit()
        meant = {"noise": self.noise, "temperature": self.temperature}
        return {**self._values, **meant, "iterations": limit.iterations}

    def think(self, request: Request) -> Report:
        # Always draw two numbers, so that the random sequence does not depend on the outcome.
        careless, which = self._random.random() < self.noise, self._random.random()
        if not careless:
            report = self._engine.think(request)
            if self.temperature > 0:
                game = request.state.game
                passes = game.descriptor.pass_move
                done = passes(game) if passes is not None else None
                ahead = self._lenient and report.value > AHEAD
                temperature = self.temperature * (CARELESS if ahead else 1)
                return drawn_by_policy(report, temperature, which, done, self._choices)
            return lenient(report) if self._lenient else report
        started = time.perf_counter()
        moves = request.state.legal_moves()
        return random_report(moves[int(which * len(moves))], moves, started, "noise")

    @property
    def has_tree(self) -> bool:
        return self._engine.has_tree

    def look(self, moves: list[int]) -> Report | None:
        return self._engine.look(moves)

    def new_game(self) -> None:
        self._engine.new_game()

    def close(self) -> None:
        self._engine.close()


def engine_words(levels: Levels) -> str:
    """The settings of a dial's engine on one line, as the table records them.

    If they change, the levels must be measured again.
    """
    name, given = split(levels.engine)
    if name != "uct":
        raise ValueError(
            Message("levels are measured with uct, not with {engine}", engine=quote(levels.engine))
        )
    settings = UCT_OPTIONS.read(name, {**defaults(make_game(levels.game), given), **given})
    return " ".join(
        f"{key}={value}" for key, value in sorted(settings.items()) if key not in UNIMPORTANT
    )


def is_measured_with(words: str, levels: Levels) -> bool:
    """Whether a table with these settings was measured with the current engine.

    Settings added since count with their defaults.

    >>> import honte
    >>> levels = levels_of(honte.game("connect4"))
    >>> is_measured_with(engine_words(levels).replace("value=net", ""), levels)
    True
    >>> is_measured_with(engine_words(levels).replace("puct", "ucb1"), levels)
    False
    """
    known = {option.name: str(option.default) for option in UCT_OPTIONS}
    known.update(_by_name(words))
    return all(known.get(key) == value for key, value in _by_name(engine_words(levels)).items())


def _by_name(words: str) -> dict[str, str]:
    return {key: value for key, _, value in (word.partition("=") for word in words.split())}
