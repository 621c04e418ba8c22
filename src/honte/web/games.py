"""The games of the page: a table of names made at start-up, and each game as the page gets it.

The browser sends a name and settings (``gomoku:size=13``), never a path. Names come from the
registry: the built-in games, entry points, and the files named on the command line, which the
server and its workers register when they start.
"""

from __future__ import annotations

import secrets
import sys
from collections.abc import Iterable
from functools import cache, lru_cache
from typing import Any

from honte.core import games as registry
from honte.core.contract import Game, cells_of
from honte.core.descriptor import load
from honte.core.messages import quote
from honte.core.record import dumped_formats
from honte.core.rules import Rule
from honte.core.spec import Option, join
from honte.players.level import table

Json = dict[str, Any]

_files: dict[str, str] = {}
"""Games of files: the spec of the file without settings, and the name registered for it."""


def register(spec: str) -> str:
    """Register the game of a command line for the page; returns the spec that the browser uses."""
    if not registry.is_from_file(spec):
        return game_of(spec).spec
    named = registry.register_file(spec)
    file, factory = spec.split(":")[:2]
    _files[f"{file}:{factory}"] = named.partition(":")[0]
    return game_of(named).spec


def files() -> list[str]:
    """The file specs that a worker process has to register too."""
    return list(_files)


def named(spec: str) -> str:
    """The spec of a stored game with the name of its file, if that file was registered."""
    for file, name in _files.items():
        if spec == file or spec.startswith(f"{file}:"):
            return name + spec[len(file) :]
    return spec


@lru_cache(maxsize=256)
def game_of(spec: str) -> Game:
    """The game of a spec that the browser sent."""
    name = spec.partition(":")[0].strip()
    if name not in registry.names():
        known = ", ".join(registry.names())
        raise ValueError(f"there is no game {quote(name)}; there are {known}")
    game = registry.game(spec)
    start = game.start()
    shape, cells = game.shape(), cells_of(start)
    if shape is None or cells is None or len(cells) != shape[0] * shape[1]:
        raise ValueError(
            f"{name} has no board that the page can draw; give the game `rows` and `cols` (or "
            "`size`) and its states `cells()`, or play it with --terminal"
        )
    return game


def random_board(spec: str) -> str:
    """The spec with a new board, where its settings leave the board to chance."""
    game = game_of(spec)
    settings = registry.settings_of(spec)
    settings.pop("seed", None)
    is_random = game.descriptor.drawn
    if is_random is None or not is_random(settings):
        raise ValueError(f"{quote(spec)} names one board; there is nothing to draw from a seed")
    return game_of(join(game.name, settings | {"seed": secrets.randbelow(2**31)})).spec


@cache
def all_games() -> list[Json]:
    """Every game of the table, with its options, presets and levels, for the new-game form."""
    found = []
    for name in registry.names():
        try:
            game = game_of(name)
        except Exception as error:  # a third-party package; the other games work
            print(f"honte: the game {name} is left out: {error}", file=sys.stderr)
            continue
        found.append(
            descriptor_json(game)
            | {
                "spec": game.spec,
                "options": [
                    option_json(option)
                    for option in game.descriptor.options
                    if option.form != "hidden"
                ],
                "presets": list(presets_json(game)),
                "levels": levels_json(game),
            }
        )
    return found


@lru_cache(maxsize=256)
def descriptor_json(game: Game) -> Json:
    """DESCRIPTOR: what the page needs to know to draw a game and to talk about it."""
    descriptor = game.descriptor
    style = descriptor.board
    rows, _ = game.shape() or (0, 0)
    return {
        "name": game.name,
        "title": descriptor.title or game.name,
        "about": descriptor.about,
        "shape": style.shape,
        "columns": style.columns,
        "rows": style.rows,
        "stars": style.stars(rows) if style.stars is not None else [],
        "hints": style.shows_legal or style.shape == "columns",
        "sides": [{"name": side.name, "color": side.color} for side in descriptor.sides],
        "unit": descriptor.unit,
        "score_unit": descriptor.proof_unit or descriptor.unit,
        "counts": descriptor.counts,
        "passes": descriptor.pass_move is not None,
        "ownership": descriptor.ownership is not None,
        "scoring": descriptor.scoring is not None,
        "formats": [*dumped_formats(descriptor), "text"],
        "words": {language: dict(words) for language, words in descriptor.words.items()},
    }


def rules_of(game: Game) -> tuple[Rule, ...]:
    """The rules of a game in words and boards; none where its author wrote none."""
    ref = game.descriptor.rules
    found: tuple[Rule, ...] = () if ref is None else load(ref)
    return found


def option_json(option: Option) -> Json:
    """One field of the new-game form."""
    default = option.default
    return {
        "name": option.name,
        "kind": option.kind,
        "label": option.label or option.name,
        "help": option.help,
        "default": default if isinstance(default, bool | int | float | str) else None,
        "low": option.low,
        "high": option.high,
        "step": option.step,
        "choices": list(option.choices),
        "folded": option.form == "folded",
    }


def presets_json(game: Game) -> Iterable[Json]:
    """The boards to start from; ``random``: the server draws another one each time."""
    is_random = game.descriptor.drawn
    for title, spec in game.descriptor.presets:
        settings = registry.settings_of(spec)
        unseeded = {key: value for key, value in settings.items() if key != "seed"}
        random = is_random is not None and is_random(unseeded)
        yield {"title": title, "spec": spec, "settings": settings, "random": random}


def levels_json(game: Game) -> list[Json]:
    """The calibrated levels of a game; none where they have not been measured."""
    try:
        rungs = table(game)
    except ValueError:
        return []
    return [
        {
            "level": rung.level,
            "elo": rung.elo,
            "error": rung.error,
            "words": rung.words,
            "rank": rung.rank,
        }
        for rung in rungs
    ]
