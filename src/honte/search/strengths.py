"""How strong the features of Go moves are, as learned from games by ``honte learn go``.

A file is a line of JSON that says how it was made, then the logarithms of all strengths in
thousandths, two bytes each, compressed.
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

LEARNED = Path(__file__).parent / "go.strengths"
UNIT = 1000
MAX_FILE = 4 << 20


def write(path: Path, about: dict[str, Any], logs: Sequence[float]) -> None:
    """Write a file that `read` reads."""
    numbers = array.array("h", (max(-32_000, min(32_000, round(UNIT * log))) for log in logs))
    if sys.byteorder == "big":
        numbers.byteswap()
    path.write_bytes(json.dumps(about).encode() + b"\n" + lzma.compress(numbers.tobytes()))


def read(path: Path = LEARNED) -> tuple[dict[str, Any], list[float]]:
    """What a file says of itself, and its logarithms; raises ValueError."""
    try:
        with path.open("rb") as file:
            head, _, packed = file.read(MAX_FILE).partition(b"\n")
        about: dict[str, Any] = json.loads(head)
        unpacked = lzma.LZMADecompressor().decompress(packed, MAX_FILE)
        numbers = array.array("h", unpacked)
    except (OSError, ValueError, lzma.LZMAError) as error:
        raise ValueError(f"{path.name} is no file of Go strengths ({error})") from None
    if sys.byteorder == "big":
        numbers.byteswap()
    if len(numbers) != _native.GO_FEATURES:
        raise ValueError(f"{path.name} has {len(numbers)} strengths; {_native.GO_FEATURES} belong")
    return about, [number / UNIT for number in numbers]


@cache
def number(name: str) -> int:
    """The number by which a search names a table: ``hand`` is 0, ``learned``, or a file's path."""
    if name == "hand":
        return 0
    if name == "learned":
        return _native.go_keep_strengths(read()[1])
    if not Path(name).is_file():
        raise ValueError(f"opinion={quote(name)} is neither hand nor learned nor a file")
    return _native.go_keep_strengths(read(Path(name))[1])
