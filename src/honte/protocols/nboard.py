"""NBoard version 2, Othello: ``nboard:./engine``.

The whole game is set before every move, so nothing depends on what the engine remembers.
Between ``go`` and ``===`` nothing is sent, since some engines stop at any input.
"""

from __future__ import annotations

from typing import ClassVar

from honte.core.contract import Game, State
from honte.core.fault import Fault
from honte.core.language import Message
from honte.core.request import Limit
from honte.protocols.protocol import LINE, Exchange, Protocol, illegal, plain, shown

MAX_LINES = 20_000
START = "8 ---------------------------O*------*O--------------------------- *"


class NBoard(Protocol):
    """One engine."""

    name = "nboard"
    games = ("othello",)
    default_game = "othello"
    handshake = True
    needs_history = True
    goodbye = b"quit\n"
    silent_between_turns = False  # other lines may come at any time
    advice: ClassVar = {
        "framing": Message(
            "answer `ping 1` with `pong 1`, and `go` with `=== f5` on a line of its own"
        )
    }

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        if self.game.size != 8:
            raise ValueError(
                Message("nboard: engines play on 8×8, not on {size}×{size}", size=self.game.size)
            )
        self._pings = 0
        self._depth: int | None = None

    def hello(self) -> Exchange[None]:
        self._depth = None
        yield b"nboard 2\n"
        yield from self._ping()

    def _ping(self) -> Exchange[None]:
        self._pings += 1
        yield f"ping {self._pings}\n".encode()
        wanted = f"pong {self._pings}".encode()
        for _ in range(MAX_LINES):
            said = yield LINE
            if said.startswith(b"set myname "):
                self.version = said[11:111].decode("ascii", "replace")
            if said.strip() == wanted:
                return
        raise Fault("protocol", Message("{count} lines without a pong", count=MAX_LINES))

    def turn(self, moves: list[int], state: State, limit: Limit) -> Exchange[int]:
        if limit.depth and limit.depth != self._depth:
            yield f"set depth {limit.depth}\n".encode()
            self._depth = limit.depth
        yield f"set game {self.ggf(moves)}\n".encode()
        yield from self._ping()
        yield b"go\n"
        for _ in range(MAX_LINES):
            said = yield LINE
            if said.startswith(b"==="):
                break
        else:
            raise Fault("protocol", Message("{count} lines without a move", count=MAX_LINES))
        words = plain(said[3:]).replace("/", " ").split()
        if not words:
            raise Fault("protocol", Message("malformed reply, no move: {said}", said=shown(said)))
        try:
            return int(self.game.parse(words[0]))
        except ValueError:
            raise illegal(words[0], state) from None

    def is_complete(self, output: bytes) -> bool:
        return True  # any line may come; only the move is missing

    def ggf(self, moves: list[int]) -> str:
        """The game so far as GGF."""
        sides = "BW"
        played = "".join(
            f"{sides[ply % 2]}[{'PA' if move == 64 else self.game.format(move).upper()}]"
            for ply, move in enumerate(moves)
        )
        return f"(;GM[Othello]PC[Honte]PB[black]PW[white]RE[?]TI[5:00]TY[8]BO[{START}]{played};)"
