"""Which build of an engine plays: a hash of everything that decides its moves.

A store keys every game by the identities of its players, so that a rebuilt engine, a new file of
weights or an edited module of a bot plays its games anew instead of inheriting the old results.

====================  ==========================================================================
built-in engine       the compiled core, the Python code of core, search, players and the game,
                      the game's data files, and every file that a setting names
level                 the same, and the level's own settings
bot                   the files on its command line and those that it may read, plus the modules
                      that its Python files import from their own folder
either                the file of a game that is not built in
====================  ==========================================================================

Not covered: what a shell script starts, libraries that a program links, packages that a Python
bot has installed, data files that a bot opens without naming them on its command line.
"""

from __future__ import annotations

import ast
import hashlib
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.machinery import all_suffixes
from itertools import islice
from pathlib import Path
from typing import Any

import honte
from honte import _native
from honte.core.contract import Game
from honte.core.fault import Fault
from honte.core.games import game as make_game
from honte.core.player import Player
from honte.core.players import player as make_player
from honte.core.spec import split
from honte.players.level import TABLE, LevelPlayer

PACKAGE = Path(honte.__file__).parent
ROOMS = ("core", "search", "players")
"""Folders of Python code that every built-in engine runs."""
LARGEST = 2**27
"""Maximum bytes of a file to hash; a larger one is identified by its size and date."""
RUNS_US = re.compile(rf"\s-m\s+{honte.__name__}\b")
MAX_FILES = 1000
"""Maximum number of files to hash for one bot, from imports or in a folder."""
SHORT = 8
"""Digits of a hash that are shown."""
CORE = "core"


@dataclass(frozen=True)
class Identity:
    """A build of an engine.

    >>> from honte.core.games import game
    >>> identity("uct", "othello").words  # doctest: +ELLIPSIS
    'honte 0.1.0, core ..., code ..., openings.book ..., patterns.weights ...'
    """

    hash: str
    """Twelve hexadecimal digits that differ between any two builds."""
    words: str
    """The parts of the hash, each with the first digits of its own hash."""


Part = tuple[str, str]
"""A name and a hash."""

DOES_NOT_START = Identity("does not start", "a bot that could not be started")


def identity(spec: str, game: str) -> Identity:
    """The build of the engine that a spec names now; raises ValueError for a wrong spec."""
    rules = make_game(game)
    try:
        player = make_player(spec, rules)
    except Fault:
        return DOES_NOT_START  # its games record the fault; the others are played
    try:
        return identity_of(player, rules, spec)
    finally:
        player.close()


def identity_of(player: Player, game: Game, spec: str | None = None) -> Identity:
    """The build of a player; `spec` is the name it was requested by, if that differs."""
    parts = game_parts(game) + file_parts(files_of(player))
    if not player.keeps_time:
        parts += engine_parts(game) + module_parts(type(player).__module__)
        for named in dict.fromkeys((player.spec, spec or player.spec)):
            parts += setting_parts(named)
    elif runs_us(player):
        parts += engine_parts(game)
    if isinstance(player, LevelPlayer):
        parts.append(("level", player.signature))
    if spec is not None and spec != player.spec:  # a name from bots.toml, or defaults written out
        parts.append(("spec", digest_of_text(player.spec)))
    return of_parts(parts, [player.version] if player.version else [])


def hashes(identities: Mapping[str, Identity]) -> dict[str, str]:
    """The hash of each build, by the same names, as `Plan.versions` takes them."""
    return {spec: identity.hash for spec, identity in identities.items()}


def level_identity(signature: str, game: Game) -> Identity:
    """The build of a level with this signature, without making the player."""
    parts = [*game_parts(game), *engine_parts(game), ("level", signature)]
    return of_parts(parts)


def of_parts(parts: Iterable[Part], words: Sequence[str] = ()) -> Identity:
    parts = dict.fromkeys(parts)
    ours = any(name == CORE for name, _ in parts)
    words = [*words, *([f"honte {honte.__version__}"] if ours else [])]
    text = "\n".join([*words, *(f"{name} {digest}" for name, digest in parts)])
    described = [*words, *(f"{name} {digest[:SHORT]}" for name, digest in parts)]
    return Identity(digest_of_text(text)[:12], ", ".join(described))


# -- built-in engines ------------------------------------------------------------------


def engine_parts(game: Game) -> list[Part]:
    """The parts that every built-in engine of a game consists of."""
    return list(_engine_parts(_folder_of(game), game.descriptor.data))


@cache
def _engine_parts(folder: Path | None, data: Path | None) -> tuple[Part, ...]:
    code = [path for room in ROOMS for path in (PACKAGE / room).rglob("*.py")]
    code += (PACKAGE / "games").glob("*.py")
    if folder is not None:
        code += folder.rglob("*.py")
    parts = [
        (CORE, digest_of(Path(_native.__file__))),
        ("code", digest_of_all(sorted(code), PACKAGE)),
    ]
    if data is not None:
        # The table of levels affects only levels, and they have it in their signature.
        parts += [
            (path.name, digest_of(path))
            for path in sorted(data.iterdir())
            if path.is_file() and path.name != TABLE
        ]
    return tuple(parts)


def _folder_of(game: Game) -> Path | None:
    """The folder of a built-in game's code."""
    file = _file_of(type(game).__module__)
    return file.parent if file is not None and file.is_relative_to(PACKAGE) else None


def setting_parts(spec: str) -> list[Part]:
    """The files that settings of a spec name: ``policy=my.weights``."""
    try:
        settings = split(spec)[1]
    except ValueError:  # a registered player may have its own spec syntax
        return []
    return [
        (f"{key}={Path(value).name}", digest_of(Path(value)))
        for key, value in settings.items()
        if is_file(Path(value))
    ]


def game_parts(game: Game) -> list[Part]:
    """The file of a game that is not built in, with what it imports from its own folder."""
    return module_parts(type(game).__module__)


def module_parts(name: str) -> list[Part]:
    """A module outside this package, with what it imports from its own folder."""
    file = _file_of(name)
    if file is None or file.is_relative_to(PACKAGE):
        return []
    return file_parts([file])


def _file_of(module: str) -> Path | None:
    """Where a module was loaded from; None for one typed into the interpreter."""
    loaded = sys.modules.get(module)
    file = vars(loaded).get("__file__") if loaded is not None else None
    return Path(file) if file and is_file(Path(file)) else None


# -- bots ------------------------------------------------------------------------------


def files_of(player: Player) -> list[Path]:
    """The files that decide how a player plays, except ours and the interpreter's."""
    found: list[Path] = []
    for path in player.files:
        if not path.is_relative_to(PACKAGE):
            found += islice(files_below(path), MAX_FILES) if path.is_dir() else [path]
    python = Path(sys.executable).resolve()
    return [path for path in found if path.resolve() != python]


def files_below(folder: Path) -> Iterator[Path]:
    """The files of a folder and its subfolders, in a stable order."""
    for root, folders, names in os.walk(folder):
        folders.sort()
        yield from (path for name in sorted(names) if is_file(path := Path(root, name)))


def runs_us(player: Player) -> bool:
    """Whether a bot runs this package: ``gtp:honte gtp``, or code that imports it."""
    if RUNS_US.search(player.spec):
        return True
    return any(
        imports_us(path) or path == Path(sys.executable).with_name(honte.__name__)
        for path in player.files
    )


def file_parts(files: Iterable[Path]) -> list[Part]:
    """Files, each with the modules that it imports from its own folder if it is Python."""
    return [
        (path.name, digest_of(path) if len(found) == 1 else digest_of_all(found, path.parent))
        for path in dict.fromkeys(path.resolve() for path in files)
        for found in [[path, *local_imports(path)]]
    ]


def local_imports(script: Path) -> list[Path]:
    """The files of a script's folder that it imports, and those that they import.

    Nothing is executed: imports are parsed from the source, including those inside functions.
    """
    if script.suffix != ".py":
        return []
    found = [script]
    for path in found:  # grows during the loop
        for base, name in imported(path):
            root = path.parents[base - 1] if base else script.parent
            found += [new for new in find_module(root, name) if new not in found]
        if len(found) > MAX_FILES:
            break
    return sorted(found[1:])


def imports_us(script: Path) -> bool:
    """Whether a Python file uses this package, directly or through its imports."""
    return not script.is_relative_to(PACKAGE) and any(
        base == 0 and name.partition(".")[0] == honte.__name__
        for path in [script, *local_imports(script)]
        for base, name in imported(path)
    )


def imported(path: Path) -> tuple[tuple[int, str], ...]:
    """The modules that a Python file imports, each with the dots of a relative import."""
    if path.suffix != ".py":
        return ()
    status = path.stat()
    return _imported(path, status.st_mtime_ns, status.st_size)


@lru_cache(4096)
def _imported(path: Path, modified: int, size: int) -> tuple[tuple[int, str], ...]:
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return ()  # it cannot be imported either
    found: dict[tuple[int, str], None] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found |= {(0, alias.name): None for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = f"{node.module}." if node.module else ""
            # `from a import b`: b may be a name in a, or a module of its own.
            found |= {(node.level, above + alias.name): None for alias in node.names}
        elif isinstance(node, ast.Call) and (name := _named_module(node)):
            found[0, name] = None
    return tuple(found)


def _named_module(call: ast.Call) -> str:
    """The module of ``importlib.import_module("name")`` and ``__import__("name")``."""
    function: Any = call.func
    name = function.attr if isinstance(function, ast.Attribute) else ""
    name = function.id if isinstance(function, ast.Name) else name
    if name not in ("import_module", "__import__") or not call.args:
        return ""
    given = call.args[0]
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, str) else ""


def find_module(folder: Path, dotted: str) -> list[Path]:
    """The files in a folder that importing a module reads: its packages, then itself."""
    found: list[Path] = []
    for part in dotted.split("."):
        if not part.isidentifier():
            break
        names = [part + suffix for suffix in all_suffixes()]
        names += [f"{part}/__init__{suffix}" for suffix in all_suffixes()]
        found += [folder / name for name in names if is_file(folder / name)]
        folder = folder / part
    return found


# -- files -----------------------------------------------------------------------------


def is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that no file can have
        return False


def digest_of_all(files: Sequence[Path], root: Path) -> str:
    """One hash of several files and their names."""
    return digest_of_text(
        "".join(f"{os.path.relpath(path, root)} {digest_of(path)}\n" for path in files)
    )


def digest_of_text(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).hexdigest()


def digest_of(path: Path) -> str:
    """The hash of a file's contents, read once while the file does not change."""
    status = path.stat()
    return _digest(path, status.st_mtime_ns, status.st_size)


@lru_cache(4096)
def _digest(path: Path, modified: int, size: int) -> str:
    if size > LARGEST:
        return digest_of_text(f"{modified} {size}")
    try:
        # Twice as fast as SHA-256 on a processor without SHA instructions.
        return hashlib.blake2b(path.read_bytes(), digest_size=16).hexdigest()
    except OSError:  # a program that is executable but not readable
        return digest_of_text(f"unreadable {modified} {size}")


# -- players with a seed ---------------------------------------------------------------

_takes_seed: dict[str, bool] = {}


def seeded(spec: str, game: Game, seed: int) -> Player:
    """A player with the game's seed, unless it takes none or its spec sets one."""
    if _takes_seed.get(spec):
        return make_player(spec, game, seed=seed)
    player = make_player(spec, game)
    if spec in _takes_seed:
        return player
    takes = any(option.name == "seed" for option in player.options) and "seed=" not in spec
    _takes_seed[spec] = takes
    if not takes:
        return player
    player.close()
    return make_player(spec, game, seed=seed)
