"""Files of policy weights, as ``honte learn`` writes them.

A file is a JSON header line, then the log-weights in thousandths as 16-bit integers, compressed
with zlib.
"""

from __future__ import annotations

import array
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from honte.core import packed
from honte.core.language import Message
from honte.core.messages import quote

UNIT = 1000


def write(path: Path, about: dict[str, Any], logs: Sequence[float]) -> None:
    """Write a file that `read` reads."""
    numbers = array.array("h", (max(-32_000, min(32_000, round(UNIT * log))) for log in logs))
    if sys.byteorder == "big":
        numbers.byteswap()
    packed.write(path, about, numbers.tobytes())


def read(path: Path, features: int) -> tuple[dict[str, Any], list[float]]:
    """The header and the log-weights of a file; raises ValueError."""
    about, data = packed.read(path, "a file of policy weights")
    if len(data) != 2 * features:
        raise ValueError(
            Message(
                "{name} has {count:g} weights; this game has {features}",
                name=path.name,
                count=len(data) / 2,
                features=features,
            )
        )
    numbers = array.array("h", data)
    if sys.byteorder == "big":
        numbers.byteswap()
    return about, [number / UNIT for number in numbers]


def read_named(name: str, learned: Path, features: int) -> list[float]:
    """The log-weights of a setting: ``learned`` (installed) or a file's path."""
    if name != "learned" and not Path(name).is_file():
        raise ValueError(
            Message(
                "there is no file {name}; use `learned` for the installed weights", name=quote(name)
            )
        )
    return read(learned if name == "learned" else Path(name), features)[1]
