"""Saiblo's Connect Four: ``saiblo:./bot``, and ``saiblo_json:./bot`` for the older form.

The bot is sent plain text: once ``M N noX noY``, each turn ``lastX lastY``, the tops and the
board. It replies with a length of four bytes, big-endian, and that many bytes: ``x y``. In the
older form each message is four digits of length and JSON, in both directions. Both forms of
reply are accepted for either.
"""

from __future__ import annotations

import json
import re
from typing import ClassVar

from honte.core.contract import Game, State
from honte.core.fault import Fault
from honte.core.language import Message
from honte.core.request import Limit
from honte.protocols import course
from honte.protocols.protocol import Exchange, Protocol, field, plain, read_json, shown, whole

MAX_BYTES = 4096


class Saiblo(Protocol):
    """The form with plain text."""

    name = "saiblo"
    games = ("connect4",)
    default_game = "connect4:course"
    varies_boards = True
    advice: ClassVar = {
        **course.ADVICE,
        "framing": Message(
            "write the length of the reply as 4 bytes, big-endian (htonl), then the reply "
            "itself, like `5 3` for row 5 and column 3, with nothing before or after, and "
            "flush"
        ),
    }
    lifetime = "game"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        course.check_board(self.name, game)

    def new_game(self) -> Exchange[None]:
        x, y = next(iter(self.game.blocked), (-1, -1))
        yield self.start_message(self.game.rows, self.game.cols, x, y)

    def turn(self, moves: list[int], state: State, limit: Limit) -> Exchange[int]:
        yield self.turn_message(course.position(state))
        head = yield 4
        length = int(head) if head.isdigit() else int.from_bytes(head, "big")
        if not 0 < length <= MAX_BYTES:
            raise Fault(
                "protocol",
                Message(
                    "malformed reply: its length is four bytes, big-endian, not {head}",
                    head=shown(head),
                ),
            )
        answer = (yield length).strip()
        if answer.startswith(b"{"):
            point = read_json(answer)
            return course.column(state, field(point, "X"), field(point, "Y"))
        words = plain(answer.replace(b"\n", b" ").replace(b"\r", b" ")).split()
        if len(words) != 2:
            raise Fault(
                "protocol",
                Message(
                    "malformed reply: a row and a column are expected, not {answer}",
                    answer=shown(answer),
                ),
            )
        return course.column(state, whole(words[0]), whole(words[1]))

    def diagnose(self, output: bytes) -> str:
        length = int.from_bytes(output[:4], "little")
        if len(output) >= 4 and 0 < length <= MAX_BYTES:
            return Message(
                "it wrote the length {length} with its lowest byte first: {output}",
                length=length,
                output=shown(output),
            )
        if re.match(rb"\s*\d", output):
            return Message(
                "it wrote {output} without the length of four bytes before it", output=shown(output)
            )
        return ""

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
    advice: ClassVar = {
        **course.ADVICE,
        "framing": Message(
            "write the length of the reply as 4 digits or as 4 bytes, big-endian, then the "
            'reply itself, like {"X": 5, "Y": 3}, and flush'
        ),
    }
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
