"""Bots by name: ``bots.toml`` in the working directory, or the file that HONTE_BOTS names.

    [bots.mine]
    spec = "getpoint:./bot.so"
    sandbox = "careful"      # and any other setting of a bot

Relative paths in it start from the file's own folder.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

from honte.core import players
from honte.core.language import Message
from honte.core.messages import quote

FILE = "bots.toml"
VARIABLE = "HONTE_BOTS"
UPLOADS = "HONTE_UPLOADS"
"""Environment variable: the folder of bots uploaded to the page; its ``bots.toml`` names them."""
GIVEN = "HONTE_GIVEN_BOT"
"""Environment variable: the command line's bot as ``NAME SPEC``, for child processes."""
MAX_BYTES = 1 << 20
NO_BOTS = "bots need Linux or macOS; on Windows, run honte in WSL for them"


def need_posix() -> None:
    """Raise ValueError on a system without POSIX, which the sandbox needs."""
    if sys.platform == "win32":
        raise ValueError(NO_BOTS)


def give(spec: str) -> str:
    """Name the command line's bot for this process and its children; returns the name.

    >>> give("getpoint:./my bot.so")
    'my-bot.so'
    >>> known()[-1]
    'my-bot.so'
    >>> del os.environ[GIVEN]
    """
    tail = spec.partition(":")[2]
    last = tail.rpartition("/")[2] if "/" in tail or "." in tail else spec
    name = re.sub(r"[^\w.]+", "-", last).strip("-.") or "bot"
    os.environ[GIVEN] = f"{name} {spec}"
    return name


def given() -> dict[str, dict[str, Any]]:
    """The bot of the command line, if there is one."""
    name, _, spec = os.environ.get(GIVEN, "").partition(" ")
    return {name: {"spec": spec, "folder": str(Path.cwd())}} if spec else {}


def bots(file: str | Path | None = None) -> dict[str, dict[str, Any]]:
    """Every named bot with its settings, ``spec`` among them; none if there is no file."""
    given = file or os.environ.get(VARIABLE)
    path = Path(given or FILE)
    try:
        if not given and not path.is_file():
            return {}
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(Message("{path} is too large for a list of bots", path=path))
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is nested too deep"
        raise ValueError(Message("{path} cannot be read: {why}", path=path, why=why)) from None
    except ValueError as error:  # not UTF-8, or not TOML
        raise ValueError(
            Message("{path} is not a list of bots: {error}", path=path, error=error)
        ) from None
    table = content.pop("bots", {})
    if not isinstance(table, dict):
        raise ValueError(Message('{path}: write [bots.NAME] and under it spec = "…"', path=path))
    for name in content:
        raise ValueError(
            Message(
                "{path}: {name} is not known here; a bot begins with [bots.NAME]",
                path=path,
                name=quote(name),
            )
        )
    found = {}
    for name, settings in table.items():
        if not isinstance(settings, dict):
            raise ValueError(
                Message(
                    "{path}: {name} under [bots] is not a bot; write [bots.{bare}] and under it "
                    'spec = "…"',
                    path=path,
                    name=quote(name),
                    bare=name,
                )
            )
        if not isinstance(settings.get("spec"), str):
            raise ValueError(
                Message('{path}: [bots.{name}] needs a line spec = "…"', path=path, name=name)
            )
        if name in players.names():
            raise ValueError(
                Message(
                    "{path}: {name} is a player of ours; choose another name",
                    path=path,
                    name=quote(name),
                )
            )
        found[name] = {"folder": str(path.absolute().parent), **settings}
    return found


def toml_string(text: str) -> str:
    """A text as TOML writes it.

    >>> toml_string('a "b"\\x7f')
    '"a \\\\"b\\\\"\\\\u007f"'
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def find(name: str) -> dict[str, Any] | None:
    """The settings of a named bot, ``spec`` and ``folder`` among them; None if there is none."""
    return given().get(name) or bots().get(name) or uploaded().get(name)


def uploaded() -> dict[str, dict[str, Any]]:
    """The bots that were uploaded to the page of this server."""
    folder = os.environ.get(UPLOADS)
    file = Path(folder, FILE) if folder else None
    return bots(file) if file is not None and file.is_file() else {}


def known() -> list[str]:
    """The known names; none if the file is broken."""
    try:
        return [*bots(), *given(), *uploaded()]
    except ValueError:
        return [*given()]
