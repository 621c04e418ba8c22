"""From a spec's command line to a player: one function for each protocol.

``PROTOCOL:command line``, the rest of the spec taken as it stands. Settings come beside it,
from `honte.player(spec, game, sandbox="careful")` or from bots.toml.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

import honte
from honte.bots import host, sandbox
from honte.bots.botzone import Botzone, BotzoneSimple
from honte.bots.getpoint import GetPoint
from honte.bots.gtp import Gtp
from honte.bots.kaggle import Kaggle
from honte.bots.nboard import NBoard
from honte.bots.player import MARGIN, BotPlayer
from honte.bots.process import START_SECONDS
from honte.bots.protocol import Protocol
from honte.bots.python import PythonFunction
from honte.bots.saiblo import Saiblo, SaibloJson
from honte.bots.sandbox import Command
from honte.games.contract import Game, quote
from honte.games.spec import Option, Options, number, whole, yes_no

DEFAULT_LEVEL = "HONTE_SANDBOX"
"""The environment variable that names the level of bots which name none."""

OPTIONS = Options(
    Option("sandbox", None, "auto, trusted, careful or untrusted", str, "how well it is kept"),
    whole("memory_mb", 1024, 16, 2**20, "memory that it may take"),
    number("margin", MARGIN, 0, 60, "seconds over the limit before it loses on time"),
    number("start_seconds", START_SECONDS, 0.01, 600, "time to get ready"),
    yes_no("pause", False, "stop it while the other side thinks"),
    Option("folder", ".", "a folder", str, "where its command line is meant"),
    Option("read", "", "paths joined by :", str, "what else it may read in a sandbox"),
)


def gtp(game: Game, command: str, /, **settings: object) -> BotPlayer:
    """``gtp:gnugo --mode gtp``."""
    return program(Gtp(game), command, settings)


def saiblo(game: Game, command: str, /, **settings: object) -> BotPlayer:
    """``saiblo:./bot``."""
    return program(Saiblo(game), command, settings)


def saiblo_json(game: Game, command: str, /, **settings: object) -> BotPlayer:
    """``saiblo_json:./bot``, the older form."""
    return program(SaibloJson(game), command, settings)


def botzone(game: Game, command: str, /, **settings: object) -> BotPlayer:
    """``botzone:./bot``."""
    return program(Botzone(game), command, settings)


def botzone_simple(game: Game, command: str, /, **settings: object) -> BotPlayer:
    """``botzone_simple:./bot``, without JSON."""
    return program(BotzoneSimple(game), command, settings)


def nboard(game: Game, command: str, /, **settings: object) -> BotPlayer:
    """``nboard:./engine``."""
    return program(NBoard(game), command, settings)


def py(game: Game, command: str, /, **settings: object) -> BotPlayer:
    """``py:file.py:function``."""
    file, colon, function = command.strip().rpartition(":")
    if not colon or not function.isidentifier():
        raise ValueError(f"py: {quote(command)} is not file.py:function")
    return hosted(PythonFunction(game), file, function, command, settings)


def kaggle(game: Game, command: str, /, **settings: object) -> BotPlayer:
    """``kaggle:agent.py``, or ``kaggle:agent.py:function``."""
    file, colon, function = command.strip().rpartition(":")
    if not colon or not function.isidentifier():
        file, function = command.strip(), ""
    return hosted(Kaggle(game), file, function, command, settings)


def getpoint(game: Game, command: str, /, **settings: object) -> BotPlayer:
    """``getpoint:./bot.so``."""
    return hosted(GetPoint(game), command.strip(), "", command, settings)


def program(protocol: Protocol, command: str, settings: dict[str, object]) -> BotPlayer:
    """A player that runs a command line."""
    values = OPTIONS.read(protocol.name, settings)
    try:
        words = shlex.split(command)
    except ValueError:
        raise ValueError(f"{protocol.name}: a quotation mark is open in {quote(command)}") from None
    if not words:
        raise ValueError(f"{protocol.name}: name a program, like {protocol.name}:./bot")
    if words[0].endswith(".py"):
        words.insert(0, sys.executable)
    found = find_program(words[0], values["folder"])
    if found is None:
        raise ValueError(f"{protocol.name}: there is no program {quote(words[0])} that can be run")
    if words[0] == sys.executable and len(words) > 1 and not words[1].startswith("-"):
        check_file(protocol.name, Path(values["folder"], words[1]))
    package = Path(honte.__file__).parent  # `honte gtp` and its like are bots too
    return joined(protocol, command, (found, *words[1:]), values, (str(package),))


def find_program(word: str, folder: str) -> str | None:
    """Where a program lies: a path from the folder, or a name on the PATH."""
    if "\0" in word:
        return None
    if "/" in word:
        path = os.path.abspath(os.path.join(folder, word))
        return path if os.path.isfile(path) and os.access(path, os.X_OK) else None
    found = shutil.which(word, path=sandbox.environment()["PATH"])
    return os.path.abspath(found) if found else None


def check_file(name: str, path: Path) -> str:
    """The absolute path of a file that must be there."""
    try:
        found = path.is_file()
    except (OSError, ValueError):
        found = False
    if not found:
        raise ValueError(f"{name}: there is no file {quote(str(path), 200)}")
    return os.path.abspath(path)


def hosted(
    protocol: Protocol, file: str, what: str, command: str, settings: dict[str, object]
) -> BotPlayer:
    """A player that lives in a host of ours."""
    values = OPTIONS.read(protocol.name, settings)
    path = check_file(protocol.name, Path(values["folder"], file))
    package = Path(honte.__file__).parent
    argv = (sys.executable, "-I", host.__file__, protocol.name, path, what, str(package.parent))
    return joined(protocol, command, argv, values, (str(package),))


def joined(
    protocol: Protocol,
    command: str,
    argv: tuple[str, ...],
    values: dict[str, Any],
    read: tuple[str, ...] = (),
) -> BotPlayer:
    """The player, with its sandbox."""
    level = values["sandbox"] or os.environ.get(DEFAULT_LEVEL) or "auto"
    folder = os.path.abspath(values["folder"])
    more = [os.path.join(folder, path) for path in values["read"].split(":") if path]
    run = Command(
        argv=argv,
        folder=folder,
        level=sandbox.check_level(level),
        memory_mb=values["memory_mb"],
        readable=(*read, *map(os.path.abspath, more)),
    )
    return BotPlayer(
        f"{protocol.name}:{command.strip()}",
        protocol,
        run,
        start_seconds=values["start_seconds"],
        margin=values["margin"],
        pause=values["pause"],
    )
