"""Files of learned data: read whole, or refused in one sentence and little memory."""

from __future__ import annotations

import json
import lzma
import random
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from honte.core import packed
from honte.games.connect4 import book as connect4_book
from honte.games.go import joseki
from honte.games.othello import book as othello_book
from honte.games.othello import patterns
from honte.search import policy

READERS: dict[str, Callable[[Path], Any]] = {
    "Connect Four's book": connect4_book.read,
    "Othello's book": othello_book.read,
    "Othello's weights": patterns.read,
    "Go's book": joseki.read,
    "a policy": lambda path: policy.read(path, 7),
}
HEADER = b"{}\n"
BOMBS = [zlib.compress(bytes(64 << 20)), lzma.compress(bytes(64 << 20), preset=0)]


def test_what_was_written_is_read(tmp_path: Path) -> None:
    about, data = {"seed": 3}, random.Random(1).randbytes(1000)
    packed.write(tmp_path / "file", about, data)
    assert packed.read(tmp_path / "file", "a file") == (about, data)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_file_that_was_packed_by_lzma_is_read(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(HEADER + lzma.compress(b"numbers"))
    assert packed.read(tmp_path / "file", "a file") == ({}, b"numbers")


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"nothing",
        b"[]\n",
        HEADER,
        HEADER + bytes(100),
        HEADER + zlib.compress(b"abc" * 9)[:-5],
        HEADER + lzma.compress(b"abc" * 9)[:-5],
    ],
    ids=["empty", "text", "no header", "no data", "not packed", "truncated", "truncated LZMA"],
)
def test_another_file_is_refused_in_a_sentence(tmp_path: Path, name: str, content: bytes) -> None:
    path = tmp_path / "some.file"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"^some\.file is not an? [^\n]+ \([^\n]+\)$"):
        READERS[name](path)


@pytest.mark.parametrize("bomb", BOMBS, ids=["zlib", "lzma"])
@pytest.mark.parametrize("name", READERS)
def test_a_bomb_is_not_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, bomb: bytes
) -> None:
    monkeypatch.setattr(packed, "MAX_UNPACKED", 1 << 20)
    path = tmp_path / "bomb"
    path.write_bytes(HEADER + bomb)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match="unpacks to more than 1 MiB"):
            READERS[name](path)
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


def test_a_file_that_never_ends_is_not_read_whole() -> None:
    with pytest.raises(ValueError, match="zero is not a book"):
        packed.read(Path("/dev/zero"), "a book")


def test_a_header_may_be_deep(tmp_path: Path) -> None:
    path = tmp_path / "deep"
    path.write_bytes(b"[" * 100_000 + b"\n" + zlib.compress(json.dumps({}).encode()))
    with pytest.raises(ValueError, match="deep is not a book"):
        packed.read(path, "a book")
