"""NBoard version 2, Othello: ``nboard:./engine``.

The whole game is set before every move, so nothing depends on what the engine remembers.
Between ``go`` and ``===`` nothing is sent, since some engines stop at any input.
"""

from __future__ import annotations

from honte.bots.faults import Fault
from honte.bots.protocol import LINE, Protocol, Talk, illegal, plain, shown
from honte.games.contract import Game, State
from honte.search.limit import Limit

MAX_LINES = 20_000
START = "8 ---------------------------O*------*O--------------------------- *"


class NBoard(Protocol):
    """One engine."""

    name = "nboard"
    games = ("othello",)
    greets = True
    needs_moves = True
    goodbye = b"quit\n"
    strict = False  # other lines may come at any time

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        if self.game.size != 8:
            raise ValueError(
                f"nboard: engines play on 8×8, not on {self.game.size}×{self.game.size}"
            )
        self._pings = 0
        self._depth: int | None = None

    def hello(self) -> Talk[None]:
        self._depth = None
        yield b"nboard 2\n"
        yield from self._ping()

    def _ping(self) -> Talk[None]:
        self._pings += 1
        yield f"ping {self._pings}\n".encode()
        wanted = f"pong {self._pings}".encode()
        for _ in range(MAX_LINES):
            said = yield LINE
            if said.startswith(b"set myname "):
                self.version = said[11:111].decode("ascii", "replace")
            if said.strip() == wanted:
                return
        raise Fault("protocol", f"{MAX_LINES} lines, and no pong")

    def turn(self, moves: list[int], state: State, limit: Limit) -> Talk[int]:
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
            raise Fault("protocol", f"{MAX_LINES} lines, and no move")
        words = plain(said[3:]).replace("/", " ").split()
        if not words:
            raise Fault("protocol", f"an answer without a move: {shown(said)}")
        try:
            return int(self.game.parse(words[0]))
        except ValueError:
            raise illegal(words[0], state) from None

    def ggf(self, moves: list[int]) -> str:
        """The game so far as GGF."""
        sides = "BW"
        played = "".join(
            f"{sides[ply % 2]}[{'PA' if move == 64 else self.game.format(move).upper()}]"
            for ply, move in enumerate(moves)
        )
        return f"(;GM[Othello]PC[Honte]PB[black]PW[white]RE[?]TI[5:00]TY[8]BO[{START}]{played};)"
