"""How strong the features of moves are, as learned from games by ``honte learn``.

A file is a line of JSON that says how it was made, then the logarithms of all strengths in
thousandths, two bytes each, compressed.

>>> about, logs = read("connect4")
>>> len(logs) == _native.CONNECT4_FEATURES
True
"""

from __future__ import annotations

import array
import json
import lzma
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from honte import _native
from honte.games.contract import quote

FEATURES = {"connect4": _native.CONNECT4_FEATURES, "go": _native.GO_FEATURES}
UNIT = 1000
MAX_FILE = 4 << 20


def learned(game: str) -> Path:
    """The file that comes with the program."""
    return Path(__file__).parent / f"{game}.strengths"


def write(path: Path, about: dict[str, Any], logs: Sequence[float]) -> None:
    """Write a file that `read` reads."""
    numbers = array.array("h", (max(-32_000, min(32_000, round(UNIT * log))) for log in logs))
    if sys.byteorder == "big":
        numbers.byteswap()
    path.write_bytes(json.dumps(about).encode() + b"\n" + lzma.compress(numbers.tobytes()))


def read(game: str, path: Path | None = None) -> tuple[dict[str, Any], list[float]]:
    """What a game's file says of itself, and its logarithms; raises ValueError."""
    path = path or learned(game)
    try:
        with path.open("rb") as file:
            head, _, packed = file.read(MAX_FILE).partition(b"\n")
        about: dict[str, Any] = json.loads(head)
        unpacked = lzma.LZMADecompressor().decompress(packed, MAX_FILE)
        numbers = array.array("h", unpacked)
    except (OSError, ValueError, lzma.LZMAError) as error:
        raise ValueError(f"{path.name} is no file of strengths ({error})") from None
    if sys.byteorder == "big":
        numbers.byteswap()
    if len(numbers) != FEATURES[game]:
        raise ValueError(
            f"{path.name} has {len(numbers)} strengths; {FEATURES[game]} belong to {game}"
        )
    return about, [number / UNIT for number in numbers]


@cache
def number(game: str, name: str) -> int:
    """The number by which a game's search names a table: ``learned``, or a file's path."""
    keep = {"connect4": _native.connect4_keep_strengths, "go": _native.go_keep_strengths}[game]
    if name != "learned" and not Path(name).is_file():
        raise ValueError(f"{quote(name)} is no file; `learned` is what comes with the program")
    return keep(read(game, None if name == "learned" else Path(name))[1])
