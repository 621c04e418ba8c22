"""Botzone as a bot: ``honte botzone --game othello``.

A turn comes as one line of JSON with the whole game, in the simplified form (a count n, 2n−1 lines,
and lines of data), or, once we have asked to keep running, as a bare request in either form. We
save no data and ignore what comes. Coordinates are those of `honte.protocols.botzone`, in the other
direction.
"""

from __future__ import annotations

import json
import re
from typing import Any

import honte
from honte.core.fault import Fault
from honte.core.messages import quote
from honte.core.request import Limit
from honte.protocols.botzone import (
    COORDINATES,
    KEEP_RUNNING,
    PASS,
    check_game,
    from_point,
    nothing,
    to_point,
)
from honte.protocols.engine_clock import thinking_time
from honte.protocols.engine_session import EngineSession
from honte.protocols.transport import Transport

MAX_BYTES = 1 << 20
MAX_TURNS = 2000
MIN_SHARE = 0.05
"""Minimum share of a turn for thinking, however late the turn begins."""
_POINT = re.compile(r"(-?[0-9]{1,4})\s+(-?[0-9]{1,4})")


class BotzoneEngine:
    """One of our players as a Botzone bot."""

    max_bytes = MAX_BYTES

    def __init__(
        self,
        game: Any,
        player: str,
        transport: Transport,
        seconds: float | None = None,
        keep_running: bool = True,
    ) -> None:
        check_game("botzone", game)
        self.game = game
        self.session = EngineSession(player, game)
        self.transport = transport
        self._seconds = seconds
        self._limit: float | None = None
        self._keep_running = keep_running
        self._state: Any = None
        """The position after our last answer; None before the first."""
        self._moves: list[int] = []
        self._simple: bool | None = None
        self._lines: list[str] = []
        self._wanted = 0
        self._data_may_follow = False

    def handle(self, data: bytes, late: float = 0.0) -> bool:
        """Answer one line; raises ValueError if it is malformed. False at the end."""
        if len(data) > self.max_bytes:
            raise ValueError(f"a line of over {self.max_bytes:,} bytes; a turn is shorter")
        text = data.decode("utf-8", "replace").strip().removeprefix("\ufeff")
        if not text:
            return True
        if self._wanted:
            self._lines.append(text)
            if len(self._lines) < self._wanted:
                return True
            points, self._lines, self._wanted = [*map(point, self._lines)], [], 0
            self._begin(points[::2], points[1::2])
            self._data_may_follow = True
        elif self._data_may_follow and not _POINT.fullmatch(text):
            return True
        elif self._state is not None and (self._simple or not is_whole_game(text)):
            self._opponent(point(text) if self._simple else read(text))
            self._data_may_follow = False
        elif self._state is None and re.fullmatch(r"[0-9]{1,4}", text):
            turns = int(text)
            if not 1 <= turns <= MAX_TURNS:
                raise ValueError(f"{turns} turns; a game has 1 to {MAX_TURNS:,}")
            self._simple, self._wanted = True, 2 * turns - 1
            return True
        else:
            self._simple = False
            self._take_json(read(text))
        self._answer(late)
        return self._keep_running

    def close(self) -> None:
        self.session.close()

    # -- the game so far -------------------------------------------------------------

    def _take_json(self, given: Any) -> None:
        requests, responses = given.get("requests"), given.get("responses", [])
        if not (isinstance(requests, list) and isinstance(responses, list) and requests):
            raise ValueError('the first line is {"requests": […], "responses": […]}')
        if not len(responses) == len(requests) - 1 < MAX_TURNS:
            raise ValueError("a turn has one request more than responses")
        self._limit = seconds_of(given.get("time_limit")) or self._limit
        self._begin(requests, responses)

    def _begin(self, requests: list[Any], responses: list[Any]) -> None:
        """Replay the whole game."""
        self._set_board(requests[0])
        self._state, self._moves = self.game.start(), []
        for number, request in enumerate(requests):
            self._opponent(request, first=number == 0)
            if number < len(responses):
                self._play_point(responses[number])

    def _set_board(self, request: Any) -> None:
        told = isinstance(request, dict) and "rows" in request
        if not told or not COORDINATES[self.game.name].board:
            return
        try:
            cells = [(int(row), int(col)) for row, col in request.get("blocked") or []]
            settings = {"rows": int(request["rows"]), "cols": int(request["cols"])}
        except (TypeError, ValueError, KeyError, OverflowError):
            raise ValueError('the board is {"rows": M, "cols": N, "blocked": [[r, c]]}') from None
        self.game = honte.game(self.game.name, **settings, blocked=cells, inarow=self.game.inarow)
        self.session.player(self.game)

    def _opponent(self, request: Any, first: bool = False) -> None:
        x, y = coordinates(request)
        if first and {"x": x, "y": y} == nothing(self.game):
            return
        self._play_point({"x": x, "y": y})

    def _play_point(self, given: Any) -> None:
        x, y = coordinates(given)
        try:
            self._play(from_point(self._state, x, y))
        except Fault as fault:
            raise ValueError(fault.detail) from None

    def _play(self, move: int) -> None:
        self._state = self._state.play(move)
        self._moves.append(move)

    # -- our move ----------------------------------------------------------------------

    def _answer(self, late: float) -> None:
        state = self._state
        if state.is_over:
            if self.game.descriptor.pass_move is None:
                raise ValueError("the game is over in this position; there is no move to choose")
            where = {"x": PASS[0], "y": PASS[1]}
        else:
            move = self._move(late)
            where = to_point(state, move)
            self._play(move)
        if self._simple:
            text = f"{where['x']} {where['y']}"
        else:
            text = json.dumps({"response": where}, separators=(",", ":"))
        self.transport.send(text.encode() + b"\n")
        if self._keep_running:
            self.transport.send(KEEP_RUNNING + b"\n")

    def _move(self, late: float) -> int:
        allowed = self._limit or self._seconds
        seconds = (
            1.0 if allowed is None else thinking_time(max(allowed - late, MIN_SHARE * allowed))
        )
        state = self._state
        report = self.session.choose(
            state,
            Limit(seconds=seconds),
            strict=allowed is not None,
            history=tuple(self._moves),
        )
        return report.move if state.is_legal(report.move) else int(state.legal_moves()[0])


def is_whole_game(text: str) -> bool:
    return text.startswith("{") and '"requests"' in text


def read(text: str) -> Any:
    """A JSON object."""
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        given = None
    if not isinstance(given, dict):
        raise ValueError(f"{quote(text)} is not a JSON object; a turn is one, on one line")
    return given


def point(text: str) -> dict[str, int]:
    """Two numbers on a line."""
    words = _POINT.fullmatch(text)
    if words is None:
        raise ValueError(f"{quote(text)} is not a point; write two numbers")
    return {"x": int(words[1]), "y": int(words[2])}


def coordinates(given: Any) -> tuple[int, int]:
    x, y = (given.get("x"), given.get("y")) if isinstance(given, dict) else (None, None)
    if type(x) is not int or type(y) is not int or max(abs(x), abs(y)) > 10_000:
        raise ValueError(f'{quote(given)} is not a move; write {{"x": …, "y": …}}')
    return x, y


def seconds_of(given: object) -> float | None:
    """The time limit of a turn if the judge states one, as a number or as text."""
    try:
        seconds = float(given)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return None
    return seconds if 0 < seconds < 1e6 else None
