"""Opponents of every strength: ``level:1``, nearly random, to ``level:100``, the best engine.

Each game has one dial. It is turned up from random moves to a small search that moves at random
less and less often, and from there to a large one. ``honte calibrate`` measures the strength
along the dial and writes a table of a hundred levels at equal steps of Elo.
"""

from __future__ import annotations

import hashlib
import json
import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from honte.games.contract import Game, State, quote
from honte.games.registry import game as make_game
from honte.games.spec import Options, join, number, split, whole
from honte.players.contract import Player, check_choice
from honte.players.registry import player as make_player
from honte.search.limit import Limit
from honte.search.report import Candidate, Report
from honte.search.uct import OPTIONS as UCT_OPTIONS
from honte.search.uct import Uct

HIGHEST = 100
UNIMPORTANT = ("seed", "threads", "memory_mb")
"""Settings of an engine that change no level's strength."""
NAME = "level"
WEAKEST = 30
"""Kyu of the random player."""


@dataclass(frozen=True)
class Dial:
    """What a game's levels are made of: one number from 0, random, to 1, the strongest."""

    game: str
    """Where the levels are measured."""
    low: int
    """Iterations of the small search that plays beside the random moves."""
    top: int
    """Iterations of level 100: what one waits for, about half a second a move."""
    bend: float = 0.4
    """Up to here the random moves grow fewer; from here on the search grows."""
    engine: str = "best"
    distances: tuple[int, ...] = (2, 3)
    """How far apart on the dial they meet who measure it: close ones add up to a worse sum of
    steps, but where a step is large, far ones win every game."""
    anchor: tuple[int, int] | None = None
    """So many iterations play like so many kyu, where a game has such ranks. The random player
    counts as 30 kyu, and ranks are equal steps of Elo from there over here and on."""

    def at(self, x: float) -> tuple[float, int]:
        """The share of random moves and the iterations at a place of the dial.

        >>> Dial("othello", low=10, top=1000).at(0.7)
        (0.0, 100)
        """
        noise = max(0.0, 1 - x / self.bend)
        grown = max(0.0, (x - self.bend) / (1 - self.bend))
        return round(noise, 4), round(self.low * (self.top / self.low) ** grown)

    def spec(self, iterations: int) -> str:
        name, settings = split(self.engine)
        return join(name, {**settings, "iterations": iterations})


def rank(kyu: float) -> str:
    """A rank in words, from 30 kyu, the weakest, over 1 kyu to the dan.

    >>> [rank(kyu) for kyu in (29.7, 7.6, 1.4, 0.4, -1)]
    ['30 kyu', '8 kyu', '1 kyu', '1 dan', '2 dan']
    """
    whole = round(kyu)
    return f"{whole} kyu" if whole >= 1 else f"{1 - whole} dan"


# The one place to change when a game gets a stronger engine; then run `honte calibrate` again.
DIALS = {
    "connect4": Dial("connect4:course", low=20, top=100_000, engine="uct:policy=learned"),
    "othello": Dial("othello", low=20, top=50_000, engine="uct:playout=uniform"),
    # 500 simulations scored 37 of 61 against GNU Go 3.8, level 10, whom people take for 8 kyu, so
    # 400 are its equal.
    "go": Dial("go:size=9", low=20, top=5_000, engine="uct", distances=(1, 2), anchor=(400, 8)),
}


def dial_of(game_name: str) -> Dial:
    """The dial of a game."""
    if game_name not in DIALS:
        raise ValueError(
            f"there are no levels for {quote(game_name)}; there are for {', '.join(DIALS)}"
        )
    return DIALS[game_name]


@dataclass(frozen=True)
class Rung:
    """One level of a game."""

    level: int
    spec: str
    """The engine, with a limit by iterations: as strong on a slow machine as on a fast one."""
    noise: float
    """How often it makes any legal move instead."""
    elo: float
    """Above the random player, who has 0."""
    error: float
    """Half the 95 % interval."""
    rank: str = ""
    """What a person of about its strength is called, where the game has such names: 8 kyu."""

    @property
    def words(self) -> str:
        """What it is like to play against.

        >>> Rung(3, "best:iterations=20", 0.9, 30, 5).words
        'moves at random, nearly always'
        """
        for least, words in NOISE_WORDS:
            if self.noise >= least:
                return words
        return next(words for most, words in SEARCH_WORDS if self.level <= most)

    @property
    def signature(self) -> str:
        """Changes when the level plays differently: its games are then other games."""
        text = f"{self.spec} {self.noise}"
        return hashlib.sha256(text.encode()).hexdigest()[:8]


NOISE_WORDS = (
    (0.8, "moves at random, nearly always"),
    (0.6, "mostly moves at random, now and then with sense"),
    (0.4, "every other move is careless"),
    (0.2, "sensible, but careless once in a few moves"),
    (0.05, "sensible, with a blunder now and then"),
    (0.0001, "sensible, with a blunder once in a long while"),
)
SEARCH_WORDS = (
    (40, "glances at the board"),
    (55, "looks a little ahead"),
    (70, "thinks for a moment"),
    (85, "thinks carefully"),
    (HIGHEST - 1, "thinks hard"),
    (HIGHEST, "thinks as hard as the ladder goes"),
)
"""Of those who make no random moves, by level."""
FOLDER = Path(__file__).parent / "levels"


@cache
def _read(game_name: str) -> dict[str, Any]:
    dial_of(game_name)
    path = FOLDER / f"{game_name}.json"
    if not path.is_file():
        raise ValueError(
            f"the levels of {game_name} are not measured yet; run `honte calibrate {game_name}`"
        )
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def table(game_name: str) -> list[Rung]:
    """The hundred levels of a game, the weakest first.

    >>> [rung.level for rung in table("connect4")[:3]]
    [1, 2, 3]
    """
    return [Rung(**rung) for rung in _read(game_name)["levels"]]


def rung_of(game_name: str, level: int) -> Rung:
    """One level of a game."""
    return table(game_name)[level - 1]


def measured(game_name: str) -> dict[str, Any]:
    """How the levels of a game were measured: all of its file but the levels."""
    return {key: value for key, value in _read(game_name).items() if key != "levels"}


class LevelPlayer(Player):
    """A level of the ladder.

    >>> import honte
    >>> game = honte.game("connect4")
    >>> honte.player("level:40", game)
    honte.player('level:40')

    ``level:noise=0.2,iterations=50`` is a setting of one's own, as ``honte calibrate`` uses them.
    """

    options = Options(
        whole("number", None, 1, HIGHEST, "1 is nearly random, 100 the strongest"),
        number("noise", None, 0, 1, "in place of a number: how often it moves at random"),
        whole("iterations", None, 1, 2**62, "in place of a number: of its search"),
        whole("seed", None, 0, 2**63 - 1, "makes its choices repeatable"),
    )

    def __init__(self, game: Game, /, **settings: object) -> None:
        for key in [key for key in settings if key.isdecimal() and settings[key] == "yes"]:
            if "number" in settings:
                raise ValueError(f"{NAME}: its number is set twice; leave one out")
            settings["number"] = key
            del settings[key]
        values = self.options.read(NAME, settings)
        level, noise, iterations = values["number"], values["noise"], values["iterations"]
        own = noise is not None or iterations is not None
        if (level is not None) == own or (own and iterations is None):
            raise ValueError(
                f"{NAME} needs one number, like {NAME}:40 (or noise and iterations in its place)"
            )
        if level is not None:
            rung = rung_of(game.name, level)
            self.noise, engine = rung.noise, rung.spec
            self.spec = f"{NAME}:{level}"
        else:
            self.noise, engine = noise or 0.0, dial_of(game.name).spec(iterations)
            self.spec = join(NAME, {"noise": self.noise, "iterations": iterations})
        seed = values["seed"]
        if seed is not None:
            self.spec += f",seed={seed}"
        self._random = random.Random(seed)
        # An engine without a seed has one of its own, always the same; a level must vary.
        self._engine: Any = make_player(engine, game, seed=self._random.getrandbits(62))
        self.limit: Limit | None = getattr(self._engine, "limit", None)

    @property
    def uct(self) -> Uct | None:
        """The search behind it, to look into and to stop."""
        return getattr(self._engine, "uct", None)

    def choose(
        self,
        state: State,
        limit: Limit | None = None,
        on_progress: Callable[[Report], None] | None = None,
    ) -> Report:
        check_choice(state)
        # Two numbers a move, whichever way it goes: so the draws stay in step.
        careless, which = self._random.random() < self.noise, self._random.random()
        if not careless:
            told = () if on_progress is None else (on_progress,)
            report: Report = self._engine.choose(state, limit, *told)
            return report
        started = time.perf_counter()
        moves = state.legal_moves()
        move = moves[int(which * len(moves))]
        return Report(
            move=move,
            pv=[move],
            candidates=[Candidate(candidate) for candidate in moves],
            seconds=time.perf_counter() - started,
            stopped="noise",
        )

    def new_game(self) -> None:
        self._engine.new_game()

    def close(self) -> None:
        self._engine.close()


def engine_words(dial: Dial) -> str:
    """The settings of a dial's engine, in one line.

    A table was measured with some of them; with others it must be measured again.
    """
    engine = make_player(dial.spec(1), make_game(dial.game))
    settings: dict[str, object] = getattr(getattr(engine, "uct", None), "settings", {})
    engine.close()
    return " ".join(
        f"{key}={value}" for key, value in sorted(settings.items()) if key not in UNIMPORTANT
    )


def is_measured_with(words: str, dial: Dial) -> bool:
    """Whether a table whose settings these are was measured with the dial's engine.

    A setting that came later counts as it stands when nobody names it.

    >>> othello = dial_of("othello")
    >>> is_measured_with(engine_words(othello).replace("policy=no ", ""), othello)
    True
    >>> is_measured_with(engine_words(dial_of("connect4")), othello)
    False
    """
    known = {option.name: str(option.default) for option in UCT_OPTIONS}
    known.update(_by_name(words))
    return all(known.get(key) == value for key, value in _by_name(engine_words(dial)).items())


def _by_name(words: str) -> dict[str, str]:
    return {key: value for key, _, value in (word.partition("=") for word in words.split())}
