"""Readers of game records answer broken text with a ValueError and nothing else.

HONTE_FUZZ sets how many inputs are tried in all; HONTE_FUZZ_SEED starts another sequence.
"""

from __future__ import annotations

import os
import random
import struct
import time
from collections.abc import Callable
from typing import Any

import pytest

from honte.core import record as records
from honte.core.record import Record
from honte.games.go import sgf
from honte.games.othello import ggf, obf, wthor

INPUTS = int(os.environ.get("HONTE_FUZZ", "5000"))
SEED = int(os.environ.get("HONTE_FUZZ_SEED", "1"))
LONG = os.environ.get("HONTE_LONG", "") not in ("", "0")
MANY = 2**17 if LONG else 2**15
"""Characters of one shape repeated."""

BOARD = b"O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"
TRANSCRIPT = "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6b5"


def wthor_file() -> bytes:
    codes = [int(row) * 10 + "abcdefgh".index(col) + 1 for col, row in pairs(TRANSCRIPT)]
    game = struct.pack("<HHHBB60s", 1, 2, 3, 40, 32, bytes(codes))
    return struct.pack("<4BIHHBBBB", 19, 99, 1, 2, 3, 0, 1987, 8, 0, 24, 0) + game * 3


def pairs(text: str) -> list[tuple[str, str]]:
    return list(zip(text[::2], text[1::2], strict=True))


OBF = [
    BOARD + b" X; A2:+38; C7:+36; D8:-4;\n% comment\n" + BOARD.lower() + b" o;\n",
    BOARD.replace(b"X", b"*").replace(b"-", b".")
    + b" * ; a2:+0;\nOX"
    + b"-" * 62
    + b" X; pass:-64",
]
GGF = [
    b"(;GM[Othello]PC[x]PB[a\\]b]PW[c]RE[+4.00:r]TI[5:00]TY[8]BO[8 "
    + b"---------------------------O*------*O--------------------------- *]"
    + b"".join(
        b"%c[%s/1.5/0.25]" % (b"BW"[i % 2], (col + row).encode())
        for i, (col, row) in enumerate(pairs(TRANSCRIPT))
    )
    + b";)",
    b"2 (;GM[Othello]TY[6]B[E4]W[E3];)(;GM[Othello]TY[4]BO[4 ---- -O*- -*O- ---- *]B[D3//1]W[D2];)",
]
SGF = [
    b"(;FF[4]GM[1]CA[UTF-8]SZ[9]KM[6.5]HA[2]AB[cg][gc]PB[a\\]]PW[\xe6\x9c\xac]RE[W+3.5]RU[AGA]"
    b"C[x\\\\y];W[ee]V[0.5];B[cc]C[hm](;W[gg];B[];W[tt])(;W[dd];B[ff]))",
    b"(;SZ[3];B[bb];W[ab];B[aa];W[ba];B[bc])\n(;GM[1]SZ[19]PL[W]CA[gb2312]AW[aa:cc];W[dd];W[ee])",
]
WTHOR = [wthor_file()]
TRANSCRIPTS = [TRANSCRIPT.encode() + b"\n% a comment\nF5 D6,c3\n", b"F5F6e6f4"]

# Fragments that mean something in one of the formats, and fragments that break careless parsers.
PIECES = [
    *(bytes([letter]) for letter in b"()[]\\;:/% \n\r\0"),
    *b"(; ;) B[aa] W[PA] AB[aa:ss] AE[aa] PL[W] SZ[19] SZ[1] KM[nan] HA[9] HA[2] GM[2]".split(),
    *b"CA[utf-16] CA[zlib] CA[idna] TY[8r20] BO[8 X; A1:+64; -1 1e400 0x10 1_000 inf".split(),
    *(b"\xff\xfe", b"\xef\xbb\xbf", b"\xc0\x80", b"\xed\xa0\x80", "٣".encode(), "²".encode()),
    *(b"9" * 5000, b"(;" * 400, b"[" * 400, b"A" * 100),
]


def mutate(choose: random.Random, data: bytes) -> bytes:
    """Damage a text in one to four ways."""
    for _ in range(choose.choice((1, 1, 1, 2, 4))):
        at = choose.randrange(len(data) + 1)
        to = min(len(data), at + choose.choice((1, 2, 8, 64)))
        how = choose.randrange(8)
        if how == 0 and at < len(data):
            data = data[:at] + bytes([data[at] ^ 1 << choose.randrange(8)]) + data[at + 1 :]
        elif how == 1:
            data = data[:at] if choose.random() < 0.5 else data[at:]
        elif how == 2:
            data = data[:at] + choose.randbytes(choose.choice((1, 2, 4, 32))) + data[at:]
        elif how == 3:
            data = data[:at] + data[at:to] * choose.choice((2, 3, 50)) + data[to:]
        elif how == 4:
            data = data[:at] + data[to:]
        elif how == 5:
            data = data[:at] + choose.choice(PIECES) + data[to if choose.random() < 0.5 else at :]
        elif how == 6:
            other = choose.randrange(len(data) + 1)
            data = data[:at] + data[other : other + 32] + data[at:]
        elif choose.random() < 0.1:
            data = choose.randbytes(choose.randrange(200))
    return data


def replay(found: list[Record]) -> None:
    for record in found[:2]:
        for _ in record.states():
            pass


def try_obf(data: bytes) -> None:
    found = obf.loads(data.decode("utf-8", "surrogateescape"))
    assert obf.loads(obf.dumps(found)) == found


def try_ggf(data: bytes) -> None:
    found = ggf.loads(data.decode("utf-8", "surrogateescape"))
    again = ggf.loads(ggf.dumps(found))
    assert [(r.players, r.start, r.moves) for r in again] == [
        (r.players, r.start, r.moves) for r in found
    ]
    replay(found)


def try_sgf(data: bytes) -> None:
    found = sgf.loads(data if len(data) % 2 else data.decode("utf-8", "surrogateescape"))
    replay(found)
    again = sgf.loads(sgf.dumps(found))
    assert [(r.moves, r.score) for r in again] == [(r.moves, r.score) for r in found]


def try_wthor(data: bytes) -> None:
    # Half of the files get a matching count, so that damaged games are parsed too.
    if len(data) >= 16 and data[-1] % 2 == 0:
        games = (len(data) - 16) // 68
        data = data[:4] + struct.pack("<I", games) + data[8 : 16 + games * 68]
    wthor.read_arrays(data)
    for _ in wthor.read(data):
        pass


def try_transcripts(data: bytes) -> None:
    replay(records.transcripts(data.decode("utf-8", "surrogateescape"), "othello"))


FORMATS: dict[str, tuple[Callable[[bytes], None], list[bytes]]] = {
    "obf": (try_obf, OBF),
    "ggf": (try_ggf, GGF),
    "sgf": (try_sgf, SGF),
    "wthor": (try_wthor, WTHOR),
    "transcripts": (try_transcripts, TRANSCRIPTS),
}


@pytest.mark.parametrize("name", FORMATS)
def test_the_seeds_themselves_are_read(name: str) -> None:
    reader, seeds = FORMATS[name]
    for seed in seeds:
        reader(seed)


def answer(reader: Callable[[bytes], None], data: bytes) -> str | None:
    """Why a reader refuses a text; None if it reads it. Anything but a ValueError comes through."""
    try:
        reader(data)
    except UnicodeError as error:
        raise AssertionError("a UnicodeError says nothing to a person") from error
    except ValueError as error:
        return str(error)
    return None


@pytest.mark.parametrize("name", FORMATS)
def test_damaged_records_raise_nothing_but_value_errors(name: str) -> None:
    reader, seeds = FORMATS[name]
    choose = random.Random(f"{name} {SEED}")
    read = 0
    inputs = INPUTS // len(FORMATS)
    for number in range(inputs):
        data = mutate(choose, choose.choice(seeds))
        try:
            reason = answer(reader, data)
            assert reason is None or 8 < len(reason) < 400
        except BaseException as error:
            error.add_note(f"input {number} of {name}: {data[:2000]!r}")
            raise
        read += reason is None
    assert 0 < read < inputs  # otherwise the mutations test only the first check, or none


HOSTILE = {
    "digits": b"9",
    "blanks": b" ",
    "lines": b"\n",
    "opening brackets": b"[",
    "closing brackets": b"]",
    "backslashes": b"\\",
    "nested trees": b"(;",
    "nested brackets": b"(",
    "nodes": b";",
    "names": b"A ",
    "empty properties": b"A[]",
    "escapes": b"[\\]",
    "moves": b"B[aa]",
    "alternate moves": b";B[aa];W[bb]",
    "comments": b";C[x]",
    "whole games": b"(;SZ[2])",
    "discs": b"X",
    "zeros": b"\0",
    "bad text": b"\xff",
}
HEADS = [b"", b"(;", b"(;A[", b"(;GM[1]SZ[", b"(;B[", b"(;AB", BOARD + b" X; A2:"]


@pytest.mark.parametrize("shape", HOSTILE)
def test_one_shape_repeated_for_long_is_answered_in_linear_time(shape: str) -> None:
    """5 s of processor time for 128 KiB, proportionally less for shorter text."""
    piece = HOSTILE[shape]
    readers: tuple[Callable[[bytes], Any], ...] = (
        lambda data: obf.loads(data.decode("utf-8", "replace")),
        lambda data: ggf.loads(data.decode("utf-8", "replace")),
        sgf.loads,
        try_wthor,
        try_transcripts,
    )
    for head in HEADS:
        for reader in readers:
            begun = time.process_time()
            reason = answer(reader, head + piece * (MANY // len(piece)))
            assert reason is None or len(reason) < 400
            assert time.process_time() - begun < 5 * MANY / 2**17


@pytest.mark.parametrize("piece", [b"9", b"(;", b"[", b" ", b"\n", OBF[0], GGF[0], SGF[0]])
def test_a_text_of_ten_megabytes_is_refused_in_half_a_second(piece: bytes) -> None:
    data = piece * (10_000_000 // len(piece))
    readers: tuple[Callable[[Any], Any], ...] = (
        obf.loads,
        ggf.loads,
        sgf.loads,
        lambda text: records.transcripts(text, "othello"),
    )
    for reader in readers:
        for text in (data, data.decode()) if reader is sgf.loads else (data.decode(),):
            begun = time.process_time()
            with pytest.raises(ValueError, match=f"longer than {records.MAX_TEXT} characters"):
                reader(text)
            assert time.process_time() - begun < 0.5


def test_one_long_line_of_obf_is_refused_by_itself() -> None:
    with pytest.raises(ValueError, match="line 1: the line has 1000000 characters"):
        list(obf.read(["X" * 1_000_000]))


@pytest.mark.parametrize("reader", [ggf.loads, sgf.loads])
def test_a_text_of_countless_empty_games_is_refused(
    reader: Callable[[str], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(records, "MAX_GAMES", 100)
    assert len(reader("(;)" * 100)) == 100
    with pytest.raises(ValueError, match="more than 100 games; split it"):
        reader("(;)" * 1_000_000)
