"""WTHOR: .wtb files, the standard database of Othello tournament games.

A file is a header of 16 bytes and 68 bytes a game, all numbers little endian:

    0-3   date of the file           0-1   number of the tournament
    4-7   number of games            2-3   number of the black player
    8-9   0                          4-5   number of the white player
    10-11 year of the games          6     real score: black's discs, the empties to the winner
    12    board: 0 or 8, or 10       7     theoretical score, both sides playing perfectly
    13    1 for solitaires           8-67  60 moves as 10 * row + column, from 11; 0 for none
    14    depth of that perfect play
    15    0

Passes are left out; `read` puts them back. The names of players are in separate files, so a Record
names players by their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from struct import Struct
from typing import NamedTuple

from honte.core import games as registry
from honte.core.contract import IllegalMove, State
from honte.core.language import Message
from honte.core.record import Record

PASS = 64
NO_MOVE = 255  # in Arrays.moves, after the last move of a game

_HEADER = Struct("<4xI2xHBxBx")  # games, year, board, depth
_GAME = Struct("<HHHBB60s")  # tournament, black, white, real, theoretical, moves
_MOVES = 60
_GAMES_AT_ONCE = 1024
_BAD = 254
# From 10 * row + column to 8 * row + column, both counted from 0, in one call of translate.
_SQUARE = bytes(
    (code // 10 - 1) * 8 + code % 10 - 1
    if 1 <= code // 10 <= 8 and 1 <= code % 10 <= 8
    else (NO_MOVE if code == 0 else _BAD)
    for code in range(256)
)

Source = str | PathLike[str] | bytes


class Header(NamedTuple):
    """The file header."""

    games: int
    year: int
    depth: int  # empties from which the theoretical score is exact


class Arrays(NamedTuple):
    """The games of a file as columns of bytes, for training; nothing is replayed."""

    header: Header
    real: bytes  # black's discs, a byte a game
    theoretical: bytes  # the theoretical score, a byte a game
    moves: bytes  # 60 a game as 8 * row + column, without passes, NO_MOVE after the last


def read(source: Source) -> Iterator[Record]:
    """Read the games of a file (or of its bytes) one after the other, passes put back.

    The file's length is checked at once, each game when its turn comes: an illegal move raises
    IllegalMove with the number of the game and the move.
    """
    if isinstance(source, bytes):
        header = _check(source[:16], len(source))
        return _records(header, iter([source[16:]]))
    path = Path(source)
    with path.open("rb") as file:
        header = _check(file.read(16), path.stat().st_size)
    return _records(header, _chunks(path))


def read_arrays(source: Source) -> Arrays:
    """Read the scores and moves of a file (or of its bytes) as columns, without replay."""
    data = source if isinstance(source, bytes) else Path(source).read_bytes()
    header = _check(data[:16], len(data))
    size = _GAME.size
    real, theoretical = data[16 + 6 :: size], data[16 + 7 :: size]
    starts = range(16 + 8, len(data), size)
    moves = b"".join([data[start : start + _MOVES] for start in starts]).translate(_SQUARE)
    if (place := moves.find(_BAD)) >= 0:
        number = place // _MOVES
        raise ValueError(_bad_move(number + 1, data[starts[number] :], place % _MOVES))
    for column in (real, theoretical):
        if column and max(column) > 64:
            number = next(i for i, score in enumerate(column, start=1) if score > 64)
            raise ValueError(_bad_score(number, column[number - 1]))
    return Arrays(header, real, theoretical, moves)


def _check(head: bytes, length: int) -> Header:
    """The header, checked against the length of the file."""
    if len(head) < 16:
        raise ValueError(
            Message(
                "the file has {length} bytes; a WTHOR file begins with a header of 16",
                length=length,
            )
        )
    games, year, board, depth = _HEADER.unpack(head)
    if board not in (0, 8):
        raise ValueError(
            Message("the board is {board}x{board}; only 8x8 games are read", board=board)
        )
    if length != 16 + games * _GAME.size:
        raise ValueError(
            Message(
                "the header promises {games} games, which take {size} bytes, but the file "
                "has {length}; fetch it again",
                games=games,
                size=16 + games * _GAME.size,
                length=length,
            )
        )
    return Header(games, year, depth)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        file.seek(16)
        while chunk := file.read(_GAMES_AT_ONCE * _GAME.size):
            yield chunk


def _records(header: Header, chunks: Iterator[bytes]) -> Iterator[Record]:
    start = registry.game("othello").start()
    number = 0
    for chunk in chunks:
        whole = len(chunk) // _GAME.size * _GAME.size  # a file may shrink while it is read
        for tournament, black, white, real, theoretical, codes in _GAME.iter_unpack(chunk[:whole]):
            number += 1
            if max(real, theoretical) > 64:
                raise ValueError(_bad_score(number, max(real, theoretical)))
            yield Record(
                game_spec="othello",
                players=(f"#{black}", f"#{white}"),
                moves=_replay(start, number, codes),
                result=f"{real}-{64 - real}",
                score=2 * real - 64,
                meta={
                    "tournament": tournament,
                    "year": header.year,
                    "theoretical": 2 * theoretical - 64,
                    "depth": header.depth,
                },
            )


def _replay(state: State, number: int, codes: bytes) -> list[int]:
    """The moves of a game with its passes, each one checked by the rules."""
    moves = []
    played = codes.rstrip(b"\0")
    for index, move in enumerate(played.translate(_SQUARE)):
        if move in (NO_MOVE, _BAD):
            raise ValueError(_bad_move(number, codes, index))
        try:
            state = state.play(move)
        except IllegalMove as error:
            try:
                state = state.play(PASS).play(move)
            except IllegalMove:
                raise IllegalMove(
                    Message(
                        "game {number}, move {index}: {error}",
                        number=number,
                        index=index + 1,
                        error=error,
                    )
                ) from error
            moves.append(PASS)
        moves.append(move)
    return moves


def _bad_move(number: int, codes: bytes, index: int) -> Message:
    if codes[index] == 0:
        return Message(
            "game {number} continues after its end at move {index}; fetch the file again",
            number=number,
            index=index,
        )
    return Message(
        "game {number}, move {index}: {code} is not a square; squares are 11 to 88",
        number=number,
        index=index + 1,
        code=codes[index],
    )


def _bad_score(number: int, score: int) -> Message:
    return Message(
        "game {number} has a score of {score} discs; a board has 64", number=number, score=score
    )
