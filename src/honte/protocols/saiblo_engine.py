"""Saiblo's Connect Four as a bot: ``honte saiblo``.

The judge's text is not framed, so it is read number by number: once the board (four numbers),
then for each turn the last move, the tops and the cells. The older form with JSON is recognised
by its first bytes. A reply is a length of four bytes, big-endian, and that many bytes of text.
"""

from __future__ import annotations

import json
import re
from typing import Any

import honte
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.request import Limit
from honte.protocols.engine_clock import thinking_time
from honte.protocols.engine_session import EngineSession
from honte.protocols.transport import Transport

MAX_BYTES = 1 << 16
MIN_SHARE = 0.05
"""Minimum share of a turn for thinking, however late the turn begins."""
_FRAME = re.compile(rb"\s*([0-9]{4})(?=\{)")
_NUMBER = re.compile(rb"[\s,]*(-?[0-9]{1,6})")


class SaibloEngine:
    """One of our players as a Saiblo bot."""

    max_bytes = MAX_BYTES

    def __init__(
        self, game: Any, player: str, transport: Transport, seconds: float | None = None
    ) -> None:
        if game.name != "connect4":
            raise ValueError(
                Message(
                    "{name} is spoken for {games}, not for {game}",
                    name="saiblo",
                    games="connect4",
                    game=game.name,
                )
            )
        self.session = EngineSession(player, game)
        self.transport = transport
        self._seconds = seconds
        self._game: Any = None
        self._blocked = (-1, -1)
        self._rest = b""
        self._numbers: list[int] = []
        self._json: bool | None = None
        self._late = 0.0

    def handle(self, data: bytes, late: float = 0.0) -> bool:
        """Answer the input so far; raises ValueError if it is malformed. False at the end."""
        self._rest += data
        self._late = max(self._late, late)
        if len(self._rest) > self.max_bytes:
            raise ValueError(f"over {self.max_bytes:,} bytes without a whole turn")
        if self._json is None:
            if len(self._rest.lstrip()) < 5:  # too short to tell the two forms apart
                return True
            self._json = _FRAME.match(self._rest) is not None
        return self._take_frames() if self._json else self._take_numbers()

    def close(self) -> None:
        self.session.close()

    # -- plain text --------------------------------------------------------------------

    def _take_numbers(self) -> bool:
        while True:
            wanted = 4 if self._game is None else 2 + self._game.cols * (self._game.rows + 1)
            while len(self._numbers) < wanted:
                found = _NUMBER.match(self._rest)
                if found is None:
                    if self._rest.strip():
                        raise ValueError(f"{shown(self._rest)} is not a number")
                    return True
                # More digits may follow; only the last cell of a board is known to be complete.
                last = self._game is not None and len(self._numbers) == wanted - 1
                if found.end() == len(self._rest) and not last:
                    return True
                self._numbers.append(int(found[1]))
                self._rest = self._rest[found.end() :]
            numbers, self._numbers = self._numbers, []
            if self._game is None:
                self._begin(*numbers)
            else:
                cols = self._game.cols
                self._turn((numbers[0], numbers[1]), numbers[2 : 2 + cols], numbers[2 + cols :])

    # -- frames of JSON ----------------------------------------------------------------

    def _take_frames(self) -> bool:
        while True:
            self._rest = self._rest.lstrip()
            if len(self._rest) < 4:
                return True
            head = self._rest[:4]
            if not head.isdigit():
                raise ValueError(f"{shown(head)} is not a length of four digits")
            end = 4 + int(head)
            if len(self._rest) < end:
                return True
            body, self._rest = self._rest[4:end], self._rest[end:]
            if not self._take_message(body):
                return False

    def _take_message(self, body: bytes) -> bool:
        try:
            message = json.loads(body.decode("utf-8"))
            kind = message["type"]
            if kind == 0:
                self._begin(*(int(message[key]) for key in ("row", "col", "nox", "noy")))
            elif kind == 1:
                if self._game is None:
                    raise KeyError
                last = (int(message["lastx"]), int(message["lasty"]))
                top, board = ([int(one) for one in message[key]] for key in ("top", "board"))
                self._turn(last, top, board)
        except (KeyError, TypeError, RecursionError, OverflowError, json.JSONDecodeError) as error:
            raise ValueError(f"{shown(body)} is not a message of the judge") from error
        return bool(kind != 2)

    # -- the game ----------------------------------------------------------------------

    def _begin(self, rows: int, cols: int, x: int, y: int) -> None:
        blocked = [] if x < 0 or y < 0 else [(x, y)]
        self._game = honte.game("connect4", rows=rows, cols=cols, blocked=blocked)
        self._blocked = (x, y)
        self.session.player(self._game)
        self.session.new_game()

    def _turn(self, last: tuple[int, int], top: list[int], board: list[int]) -> None:
        state = position(self._game, self._blocked, last, top, board)
        allowed = self._seconds or 1.0
        strict = self._seconds is not None
        seconds = (
            thinking_time(max(allowed - self._late, MIN_SHARE * allowed)) if strict else allowed
        )
        self._late = 0.0
        report = self.session.choose(state, Limit(seconds=seconds), strict=strict)
        move = report.move if state.is_legal(report.move) else state.legal_moves()[0]
        row = state.landing_row(move)
        answer = json.dumps({"X": row, "Y": move}) if self._json else f"{row} {move}"
        data = answer.encode()
        self.transport.send(len(data).to_bytes(4, "big") + data)


def position(
    game: Any, blocked: tuple[int, int], last: tuple[int, int], top: list[int], board: list[int]
) -> Any:
    """The position that the judge describes for the side to move, whose pieces are 2."""
    if len(board) != game.rows * game.cols or not set(board) <= {0, 1, 2}:
        raise ValueError(f"a board of {game.rows}×{game.cols} has that many cells, each 0, 1 or 2")
    side = 0 if board.count(2) == board.count(1) else 1
    symbols = (".", "OX"[side == 1], "XO"[side])
    cells = [symbols[cell] for cell in board]
    if min(blocked) >= 0:
        cells[blocked[0] * game.cols + blocked[1]] = "#"
    rows = ("".join(cells[at : at + game.cols]) for at in range(0, len(cells), game.cols))
    state = game.from_text("/".join(rows) + " " + "XO"[side])
    landing = [state.landing_row(col) for col in range(game.cols)]
    if top != [0 if row is None else row + 1 for row in landing]:
        raise ValueError(f"top {quote(top)} contradicts the board")
    if state.is_over:
        raise ValueError("the game is over in this position; there is no move to choose")
    in_place = 0 <= last[0] < game.rows and 0 <= last[1] < game.cols
    return state.with_last_move(last[1]) if in_place else state


def shown(data: bytes) -> str:
    return quote(data[:40].decode("ascii", "backslashreplace"))
