"""Bots by name: ``bots.toml`` in the working directory, or the file that HONTE_BOTS names.

    [bots.mine]
    spec = "getpoint:./bot.so"
    sandbox = "careful"      # and any other setting of a bot

Relative paths in it start from the folder that the file lies in.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

FILE = "bots.toml"
VARIABLE = "HONTE_BOTS"
MOST_BYTES = 1 << 20


def bots(file: str | Path | None = None) -> dict[str, dict[str, Any]]:
    """Every named bot with its settings, ``spec`` among them; none if there is no file."""
    given = file or os.environ.get(VARIABLE)
    path = Path(given or FILE)
    try:
        if not given and not path.is_file():
            return {}
        if path.stat().st_size > MOST_BYTES:
            raise ValueError(f"{path} is larger than a list of bots can be")
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, RecursionError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is nested too deep"
        raise ValueError(f"{path} cannot be read: {why}") from None
    except ValueError as error:  # not UTF-8, or not TOML
        raise ValueError(f"{path} is not a list of bots: {error}") from None
    table = content.get("bots", {})
    if not isinstance(table, dict):
        raise ValueError(f'{path}: write [bots.NAME] and under it spec = "…"')
    found = {}
    for name, settings in table.items():
        if not isinstance(settings, dict) or not isinstance(settings.get("spec"), str):
            raise ValueError(f'{path}: [bots.{name}] needs a line spec = "…"')
        found[name] = {"folder": str(path.absolute().parent), **settings}
    return found


def find(name: str) -> dict[str, Any] | None:
    """The settings of a named bot, ``spec`` and ``folder`` among them; None for no such name."""
    return bots().get(name)


def known() -> list[str]:
    """The names there are; a broken file has none."""
    try:
        return list(bots())
    except ValueError:
        return []
