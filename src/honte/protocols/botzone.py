"""Botzone: ``botzone:./bot`` for Othello, Go, and Connect Four in the same shape.

A bot is started for every move and gets the whole game in a line of JSON; if it prints
``>>>BOTZONE_REQUEST_KEEP_RUNNING<<<`` after its reply, it keeps running and gets bare requests.
``botzone_simple:`` is the form for bots without JSON: a count n, 2n−1 lines, and a line of data,
the one that the bot wrote after its last reply.

Coordinates: Connect Four x is the row and y the column, from 0 at the top left. Othello x is
the column and y the row, from 0; Go the same from 1, with y from the bottom.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, ClassVar

from honte.core.contract import Game, State
from honte.core.descriptor_parts import Cell
from honte.core.fault import Fault
from honte.core.games import settings_of
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.request import Limit
from honte.drawing.text import cell_of
from honte.protocols.protocol import (
    LINE,
    Exchange,
    Protocol,
    field,
    illegal,
    plain,
    read_json,
    shown,
    whole,
)

KEEP_RUNNING = b">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
PASS = (-1, -1)


@dataclass(frozen=True)
class Coordinates:
    """How Botzone writes the cells of one game."""

    first: int = -1
    """x and y of the request before the first move."""
    row_first: bool = False
    origin: int = 0
    upward: bool = False
    """Rows are counted from the bottom."""
    board: bool = False
    """The first request carries the size of the board and its blocked cells."""

    def point(self, cell: Cell, rows: int) -> tuple[int, int]:
        row, col = cell
        row = (rows - 1 - row if self.upward else row) + self.origin
        col += self.origin
        return (row, col) if self.row_first else (col, row)

    def cell(self, point: tuple[int, int], rows: int) -> Cell:
        row, col = point if self.row_first else (point[1], point[0])
        row, col = row - self.origin, col - self.origin
        return (rows - 1 - row if self.upward else row), col


COORDINATES = {
    "othello": Coordinates(),
    "go": Coordinates(first=-2, origin=1, upward=True),
    "connect4": Coordinates(row_first=True, board=True),
}


def check_game(name: str, game: Game) -> None:
    """Raise for a game that Botzone cannot express."""
    if game.name not in COORDINATES:
        raise ValueError(
            Message(
                "{name} is spoken for {games}, not for {game}",
                name=name,
                games=", ".join(COORDINATES),
                game=game.name,
            )
        )
    if "handicap" in settings_of(game.spec):
        raise ValueError(
            Message("{name}: there is no handicap; leave it out of the game", name=name)
        )


class Botzone(Protocol):
    """The JSON form."""

    name = "botzone"
    games = tuple(COORDINATES)
    default_game = "othello"
    lifetime = "move"
    advice: ClassVar = {
        "framing": Message(
            'print the reply as JSON on one line, like {"response": {"x": 5, "y": 3}}, '
            "with a line end; use `botzone_simple:` for a bot without JSON"
        ),
        "exit": Message("print the reply before ending"),
    }
    needs_history = True

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        check_game(self.name, game)
        self._data: object = ""
        self.running = False
        """The bot has asked to keep running, and gets bare requests."""

    def hello(self) -> Exchange[None]:
        self.running = False
        return
        yield LINE

    def new_game(self) -> Exchange[None]:
        self._data, self.running = "", False
        return
        yield LINE

    def requests(self, moves: list[int], state: State) -> tuple[list[Any], list[Any]]:
        """The requests to the side to move so far, including the current one, and its responses."""
        position = self.game.start()
        points = []
        for move in moves:
            points.append(to_point(position, move))
            position = position.play(move)
        mine = len(moves) % 2  # 0 for the first mover
        requests: list[Any] = [] if mine else [nothing(self.game)]
        requests += points[0 if mine else 1 :: 2]
        responses = points[mine::2]
        if COORDINATES[self.game.name].board:
            blocked = sorted(map(list, self.game.blocked))
            board = {"rows": self.game.rows, "cols": self.game.cols, "blocked": blocked}
            requests[0] = {**board, **requests[0]}
        return requests, responses

    def turn(self, moves: list[int], state: State, limit: Limit) -> Exchange[int]:
        requests, responses = self.requests(moves, state)
        if self.running:
            yield line(requests[-1])
        else:
            seconds = f"{limit.seconds:g}" if limit.seconds else ""
            given = {"requests": requests, "responses": responses, "data": self._data}
            given |= {"globaldata": "", "time_limit": seconds, "memory_limit": ""}
            yield line(given)
        answer = read_json((yield LINE).removeprefix(b"\xef\xbb\xbf"))
        if not isinstance(answer, dict) or "response" not in answer:
            raise Fault(
                "protocol",
                Message('malformed reply: {"response": {"x": …, "y": …}} is expected, on one line'),
            )
        self._data = answer.get("data", "")
        response = answer["response"]
        return from_point(state, field(response, "x"), field(response, "y"))

    def keeps_running(self, rest: bytes) -> bool:
        """Whether the output after the reply asks to keep running."""
        said, asked, more = rest.partition(KEEP_RUNNING)
        if again := self.second_answer(said) or more.strip():
            raise Fault("illegal", Message("it answered twice: {value}", value=shown(again)))
        self.running = self.running or bool(asked)
        return self.running

    def second_answer(self, said: bytes) -> bytes:
        """What a bot may not say after its reply, of what it said."""
        return said.strip()

    def cell(self, point: tuple[int, int]) -> Cell:
        return COORDINATES[self.game.name].cell(point, shape(self.game)[0])


class BotzoneSimple(Botzone):
    """The form without JSON, which cannot express the size of the board."""

    name = "botzone_simple"
    games = tuple(game for game, how in COORDINATES.items() if not how.board)
    advice: ClassVar = {
        **Botzone.advice,
        "framing": Message(
            "print two numbers on one line, like `5 3`; use `botzone:` for a bot that writes JSON"
        ),
    }
    afterword = KEEP_RUNNING

    def turn(self, moves: list[int], state: State, limit: Limit) -> Exchange[int]:
        requests, responses = self.requests(moves, state)
        lines = [requests[-1]] if self.running else [requests[0]]
        if not self.running:
            for response, request in zip(responses, requests[1:], strict=True):
                lines += [response, request]
        words = [f"{point['x']} {point['y']}" for point in lines]
        if not self.running:
            words = [str(len(requests)), *words, str(self._data)]
        yield "".join(f"{word}\n" for word in words).encode()
        answer = plain((yield LINE).removeprefix(b"\xef\xbb\xbf")).split()
        if len(answer) != 2:
            raise Fault(
                "protocol",
                Message(
                    "malformed reply: two numbers are expected, not {answer}", answer=quote(answer)
                ),
            )
        return from_point(state, whole(answer[0]), whole(answer[1]))

    def second_answer(self, said: bytes) -> bytes:
        """Keep its data for the next turn: a line after the reply, or the second of several.

        Those are, as in the object of JSON, for debugging, the data, and the global data.
        """
        lines = said.decode("utf-8", "replace").removesuffix("\n").split("\n")
        self._data = lines[min(1, len(lines) - 1)].removesuffix("\r")
        return b""


def line(message: object) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def nothing(game: Game) -> dict[str, int]:
    """The placeholder for the opponent's last move that the first mover gets."""
    first = COORDINATES[game.name].first
    return {"x": first, "y": first}


def to_point(state: State, move: int) -> dict[str, int]:
    """A move in a position, in Botzone's coordinates."""
    rows, cols = shape(state.game)
    cell = cell_of(state, cols, move)
    if cell is None:
        return {"x": PASS[0], "y": PASS[1]}
    x, y = COORDINATES[state.game.name].point(cell, rows)
    return {"x": x, "y": y}


def from_point(state: State, x: int, y: int) -> int:
    """The move at a bot's coordinates."""
    game, descriptor = state.game, state.game.descriptor
    rows, cols = shape(game)
    if (x, y) == PASS and descriptor.pass_move is not None:
        return descriptor.pass_move(game)
    row, col = cell = COORDINATES[game.name].cell((x, y), rows)
    if 0 <= row < rows and 0 <= col < cols:
        at = descriptor.board.move
        move = row * cols + col if at is None else at(game, cell)
        if cell_of(state, cols, move) == cell:  # a piece may fall farther
            return move
    raise illegal(f"({x}, {y})", state)


def shape(game: Game) -> tuple[int, int]:
    found = game.shape()
    assert found is not None, "games on Botzone have a board"
    return found
