"""Botzone: ``botzone:./bot`` for Othello, Go, and Connect Four in the same shape.

A bot is started for every move and gets the whole game in a line of JSON; if it says
``>>>BOTZONE_REQUEST_KEEP_RUNNING<<<`` after its answer, it stays and then gets bare requests.
``botzone_simple:`` is the form for bots without JSON: a count n and 2n−1 lines.

Coordinates: Connect Four x is the row and y the column, from 0 at the top left. Othello x is
the column and y the row, from 0; Go the same from 1, with y from the bottom.
"""

from __future__ import annotations

import json
from typing import Any

from honte.bots.faults import Fault
from honte.bots.protocol import LINE, Protocol, Talk, field, illegal, plain, read_json, shown, whole
from honte.games.contract import Game, State, quote
from honte.search.limit import Limit

KEEP_RUNNING = b">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"


class Botzone(Protocol):
    """The form with JSON."""

    name = "botzone"
    games = ("othello", "go", "connect4")
    life = "move"
    needs_moves = True

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        if game.name == "go" and self.game.handicap:
            raise ValueError(f"{self.name}: there is no handicap; leave it out")
        self._data: object = ""
        self.running = False
        """The bot has asked to stay, and gets bare requests."""

    def hello(self) -> Talk[None]:
        self.running = False
        return
        yield LINE

    def new_game(self) -> Talk[None]:
        self._data, self.running = "", False
        return
        yield LINE

    def requests(self, moves: list[int], state: State) -> tuple[list[Any], list[Any]]:
        """What the side to move has been asked so far, the present included, and its answers."""
        position = self.game.start()
        points = []
        for move in moves:
            points.append(to_point(position, move))
            position = position.play(move)
        mine = len(moves) % 2  # 0 for who moved first
        requests: list[Any] = [] if mine else [nothing(self.game)]
        requests += points[0 if mine else 1 :: 2]
        responses = points[mine::2]
        if self.game.name == "connect4":
            blocked = sorted(map(list, self.game.blocked))
            board = {"rows": self.game.rows, "cols": self.game.cols, "blocked": blocked}
            requests[0] = {**board, **requests[0]}
        return requests, responses

    def turn(self, moves: list[int], state: State, limit: Limit) -> Talk[int]:
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
            raise Fault("protocol", 'an answer is {"response": {"x": …, "y": …}} on one line')
        self._data = answer.get("data", "")
        response = answer["response"]
        return from_point(state, field(response, "x"), field(response, "y"))

    def stays(self, rest: bytes) -> bool:
        """Whether what follows the answer asks for the bot to keep running."""
        said, asked, more = rest.strip().partition(KEEP_RUNNING)
        if said or more:
            raise Fault("illegal", f"it answered twice: {shown(said or more)}")
        self.running = self.running or bool(asked)
        return self.running


class BotzoneSimple(Botzone):
    """The form without JSON."""

    name = "botzone_simple"

    def turn(self, moves: list[int], state: State, limit: Limit) -> Talk[int]:
        if self.game.name == "connect4":
            raise ValueError("botzone_simple: only Othello and Go are played in this form")
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
            raise Fault("protocol", f"an answer is two numbers, not {quote(answer)}")
        return from_point(state, whole(answer[0]), whole(answer[1]))


def line(message: object) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def nothing(game: Any) -> dict[str, int]:
    """What the first mover gets for the opponent's last move."""
    return {"x": -2, "y": -2} if game.name == "go" else {"x": -1, "y": -1}


def to_point(state: Any, move: int) -> dict[str, int]:
    """A move in a position, in Botzone's coordinates."""
    game = state.game
    if game.name == "connect4":
        return {"x": state.landing_row(move), "y": move}
    if game.format(move) == "pass":
        return {"x": -1, "y": -1}
    if game.name == "othello":
        return {"x": move % 8, "y": move // 8}
    row, col = divmod(move, game.size)
    return {"x": col + 1, "y": game.size - row}


def from_point(state: Any, x: int, y: int) -> int:
    """The move that a bot means."""
    game = state.game
    if game.name == "connect4":
        if 0 <= y < game.cols and state.landing_row(y) == x:
            return y
    elif (x, y) == (-1, -1):
        return int(game.parse("pass"))
    elif game.name == "othello":
        if 0 <= x < game.size and 0 <= y < game.size:
            return 8 * y + x
    elif 1 <= x <= game.size and 1 <= y <= game.size:
        return int((game.size - y) * game.size + x - 1)
    raise illegal(f"({x}, {y})", state)
