"""Saiblo's Connect Four: ``saiblo:./bot``, and ``saiblo_json:./bot`` for the older form.

To the bot goes plain text: once ``M N noX noY``, each turn ``lastX lastY``, the tops and the
board. From it comes a length of four bytes, big-endian, and so many bytes: ``x y``. In the
older form each message to the bot is four digits of length and JSON, and so are the answers.
Both forms of answer are understood wherever they come.
"""

from __future__ import annotations

import json

from honte.bots import course
from honte.bots.faults import Fault
from honte.bots.protocol import Protocol, Talk, field, plain, read_json, shown, whole
from honte.games.contract import Game, State
from honte.search.limit import Limit

MOST_BYTES = 4096


class Saiblo(Protocol):
    """The form with plain text."""

    name = "saiblo"
    games = ("connect4",)
    life = "game"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        course.check_board(self.name, game)

    def new_game(self) -> Talk[None]:
        x, y = next(iter(self.game.blocked), (-1, -1))
        yield self.start_message(self.game.rows, self.game.cols, x, y)

    def turn(self, moves: list[int], state: State, limit: Limit) -> Talk[int]:
        yield self.turn_message(course.position(state))
        head = yield 4
        length = int(head) if head.isdigit() else int.from_bytes(head, "big")
        if not 0 < length <= MOST_BYTES:
            raise Fault(
                "protocol",
                f"an answer starts with a length of four bytes, big-endian, not {shown(head)}",
            )
        answer = (yield length).strip()
        if answer.startswith(b"{"):
            point = read_json(answer)
            return course.column(state, field(point, "X"), field(point, "Y"))
        words = plain(answer.replace(b"\n", b" ").replace(b"\r", b" ")).split()
        if len(words) != 2:
            raise Fault("protocol", f"an answer is a row and a column, not {shown(answer)}")
        return course.column(state, whole(words[0]), whole(words[1]))

    def start_message(self, rows: int, cols: int, x: int, y: int) -> bytes:
        return f"{rows} {cols} {x} {y}\n".encode()

    def turn_message(self, given: course.Position) -> bytes:
        lines = [given.last, given.top]
        lines += [
            given.board[start : start + given.cols]
            for start in range(0, len(given.board), given.cols)
        ]
        return "".join(" ".join(map(str, line)) + "\n" for line in lines).encode()


class SaibloJson(Saiblo):
    """The older form."""

    name = "saiblo_json"
    goodbye = b'0011{"type": 2}'

    def start_message(self, rows: int, cols: int, x: int, y: int) -> bytes:
        return framed({"type": 0, "row": rows, "col": cols, "nox": x, "noy": y})

    def turn_message(self, given: course.Position) -> bytes:
        lastx, lasty = given.last
        return framed(
            {"type": 1, "top": given.top, "board": given.board, "lastx": lastx, "lasty": lasty}
        )


def framed(message: object) -> bytes:
    """JSON behind four digits of length."""
    data = json.dumps(message).encode()
    return b"%04d" % len(data) + data
