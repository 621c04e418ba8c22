"""From a spec's command line to a player: one function for each protocol.

A spec is ``PROTOCOL:command line``, without settings; those come from bots.toml or from
`honte.player(spec, game, sandbox="careful")`.
"""

from __future__ import annotations

import os
import platform
import shlex
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import honte
from honte.core import players
from honte.core.contract import Game
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.spec import Option, Options, number, whole, yes_no
from honte.protocols.botzone import Botzone, BotzoneSimple
from honte.protocols.getpoint import GetPoint
from honte.protocols.gtp import Gtp
from honte.protocols.kaggle import Kaggle
from honte.protocols.nboard import NBoard
from honte.protocols.protocol import Protocol
from honte.protocols.python import PythonFunction
from honte.protocols.saiblo import Saiblo, SaibloJson
from honte.sandbox import names

names.need_posix()  # what follows imports modules that Windows lacks

from honte.sandbox import host, levels  # noqa: E402
from honte.sandbox.fork_server import START_SECONDS  # noqa: E402
from honte.sandbox.levels import Command  # noqa: E402
from honte.sandbox.player import MARGIN, BotPlayer  # noqa: E402

PROTOCOLS: dict[str, type[Protocol]] = {
    protocol.name: protocol
    for protocol in (
        Gtp,
        PythonFunction,
        GetPoint,
        Saiblo,
        SaibloJson,
        Botzone,
        BotzoneSimple,
        Kaggle,
        NBoard,
    )
}
"""Every protocol by the name that begins a spec."""
DEFAULT_LEVEL = "HONTE_SANDBOX"
"""The environment variable with the sandbox level of bots that have no setting of their own."""

ELF = b"\x7fELF"
MACHINES = {3: "x86 (32 bits)", 40: "ARM (32 bits)", 62: "x86-64", 183: "arm64", 243: "RISC-V"}
"""Machines by their numbers in elf.h."""

OPTIONS = Options(
    Option("sandbox", None, "auto, trusted, careful or untrusted", str, "sandbox level"),
    whole("memory_mb", 1024, 16, 2**20, "memory limit"),
    number("margin", MARGIN, 0, 60, "grace over the time limit, in seconds"),
    number("start_seconds", START_SECONDS, 0.01, 600, "seconds to start"),
    yes_no("pause", False, "stop it during the opponent's turn"),
    Option("folder", ".", "a folder", str, "working directory"),
    Option("read", "", "paths joined by :", str, "other files that it may read in a sandbox"),
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
        raise ValueError(Message("py: {command} is not file.py:function", command=quote(command)))
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
        raise ValueError(
            Message(
                "{name}: a quotation mark is open in {command}",
                name=protocol.name,
                command=quote(command),
            )
        ) from None
    if not words:
        raise ValueError(Message("{name}: name a program, like {name}:./bot", name=protocol.name))
    if words[0].endswith(".py"):
        words.insert(0, levels.PYTHON)
    found = find_program(words[0], values["folder"])
    if found is None:
        why = why_not_run(words[0], values["folder"])
        raise ValueError(Message("{name}: {why}", name=protocol.name, why=why))
    if words[0] == levels.PYTHON and len(words) > 1 and not words[1].startswith("-"):
        check_file(protocol.name, Path(values["folder"], words[1]))
    # A program on the PATH is the user's choice; a path may be a bot's own link.
    named = tuple(words if "/" in words[0] else words[1:])
    return with_sandbox(protocol, command, (found, *words[1:]), values, named)


def find_program(word: str, folder: str) -> str | None:
    """The path of a program: relative to the folder, or found on the PATH."""
    if "\0" in word:
        return None
    if "/" in word:
        path = os.path.abspath(os.path.join(folder, word))
        return path if os.path.isfile(path) and os.access(path, os.X_OK) else None
    found = shutil.which(word, path=levels.environment()["PATH"])
    return os.path.abspath(found) if found else None


def why_not_run(word: str, folder: str) -> str:
    """Why `find_program` finds no program, in a sentence."""
    if "/" in word and "\0" not in word:
        path = os.path.join(folder, word)
        if os.path.isdir(path):
            return Message("{word} is a folder; name the program in it", word=quote(word, 200))
        if os.path.isfile(path):
            return Message(
                "the file {word} may not be executed; allow it with `chmod +x {path}`",
                word=quote(word, 200),
                path=shlex.quote(word),
            )
    return Message("there is no program {word} that can be run", word=quote(word))


def check_file(name: str, path: Path) -> str:
    """The absolute path of a file that must exist."""
    shown = quote(str(path), 200)
    try:
        if path.is_dir():
            raise IsADirectoryError
        found = path.is_file()
    except IsADirectoryError:
        raise ValueError(
            Message("{name}: {shown} is a folder; name the file in it", name=name, shown=shown)
        ) from None
    except (OSError, ValueError):
        found = False
    if not found:
        raise ValueError(Message("{name}: there is no file {shown}", name=name, shown=shown))
    if not os.access(path, os.R_OK):
        raise ValueError(
            Message(
                "{name}: the file {shown} may not be read; allow it with `chmod u+r`",
                name=name,
                shown=shown,
            )
        )
    return os.path.abspath(path)


def hosted(
    protocol: Protocol, file: str, what: str, command: str, settings: dict[str, object]
) -> BotPlayer:
    """A player that runs in a host process of ours."""
    values = OPTIONS.read(protocol.name, settings)
    path = check_file(protocol.name, Path(values["folder"], file))
    if isinstance(protocol, GetPoint) and (other := other_machine(path)):
        raise ValueError(
            Message(
                "{name}: {file} is a library for {other}, and this Python runs on {machine}; "
                "compile it here",
                name=protocol.name,
                file=quote(file, 200),
                other=other,
                machine=platform.machine(),
            )
        )
    package = os.path.realpath(Path(honte.__file__).parent.parent)
    argv = (levels.PYTHON, "-I", host.__file__, protocol.name, path, what, package)
    return with_sandbox(protocol, command, argv, values, (path, package))


def other_machine(path: str) -> str:
    """The machine that a program or library was compiled for, if it is not this one.

    >>> other_machine(sys.executable)
    ''
    """
    try:
        with open(path, "rb") as file, open(sys.executable, "rb") as ours:
            head, own = file.read(20), ours.read(20)
    except OSError:  # a program that is executable but not readable
        return ""
    if not head[:4] == own[:4] == ELF or len(head) < 20:
        return ""
    if (head[4:6], head[18:20]) == (own[4:6], own[18:20]):
        return ""
    number = int.from_bytes(head[18:20], "big" if head[5] == 2 else "little")
    return MACHINES.get(number, f"another machine (ELF {number})")


def default_level() -> str:
    """The sandbox level of bots that have no setting of their own."""
    return os.environ.get(DEFAULT_LEVEL) or "auto"


def fallback(specs: Iterable[str]) -> str:
    """A warning about the sandbox of these players if ``auto`` found no bubblewrap.

    "" if it did, if no player is a bot, or if the level was chosen explicitly.
    """
    for spec in specs:
        found: dict[str, Any] = {"spec": spec}
        if spec.strip().partition(":")[0] not in players.names():
            found = names.find(spec.strip()) or found
        protocol = str(found["spec"]).strip().partition(":")[0]
        if protocol in PROTOCOLS and (found.get("sandbox") or default_level()) == "auto":
            return levels.fallback()
    return ""


def with_sandbox(
    protocol: Protocol,
    command: str,
    argv: tuple[str, ...],
    values: dict[str, Any],
    named: tuple[str, ...],
) -> BotPlayer:
    """The player, with its sandbox; ``named`` are the words of its spec that may be paths."""
    folder = os.path.abspath(values["folder"])
    more = tuple(path for path in values["read"].split(":") if path)
    package = Path(honte.__file__).parent  # `honte gtp` and its like are bots too
    run = Command(
        argv=argv,
        folder=folder,
        level=levels.check_level(values["sandbox"] or default_level()),
        memory_mb=values["memory_mb"],
        readable=(str(package), *(os.path.abspath(os.path.join(folder, path)) for path in more)),
        named=named,
    )
    if not os.path.isdir(folder):
        raise ValueError(
            Message(
                "{name}: there is no folder {folder}", name=protocol.name, folder=quote(folder, 200)
            )
        )
    try:
        if run.level != "trusted":
            if (machine := other_machine(argv[0])).endswith("(32 bits)"):
                raise ValueError(
                    Message(
                        "{argv} is a program for {machine}, which only the sandbox level "
                        "trusted runs; "
                        "compile it for 64 bits",
                        argv=quote(argv[0], 200),
                        machine=machine,
                    )
                )
            levels.check_links((*named, *more), folder)
        levels.check_users(run)
    except ValueError as error:
        raise ValueError(Message("{name}: {why}", name=protocol.name, why=error)) from None
    return BotPlayer(
        f"{protocol.name}:{command.strip()}",
        protocol,
        run,
        start_seconds=values["start_seconds"],
        margin=values["margin"],
        pause=values["pause"],
    )
