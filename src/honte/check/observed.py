"""A bot under observation: its output is recorded, and a late reply is waited for.

`honte check` must tell a slow bot from one whose reply is stuck in a buffer and from one whose
reply is malformed. So when its time is up, the bot is not killed at once: it gets some extra time,
and then the end of its input, on which programs flush their buffers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Generic, TypeVar

from honte.core.contract import Game
from honte.core.fault import Fault
from honte.core.language import Message
from honte.core.player import Player
from honte.core.report import Report
from honte.core.request import Request
from honte.protocols.protocol import LINE, Exchange, Protocol, illegal
from honte.sandbox import warden
from honte.sandbox.confinement import LINUX
from honte.sandbox.player import BotPlayer
from honte.sandbox.process import Process

T = TypeVar("T")
EOF_SECONDS = 1.5
"""Seconds that a bot may write after the end of its input."""


class Observed(BotPlayer):
    """A bot whose failures leave evidence."""

    patience = 3.0
    """Extra seconds to wait for a late reply."""

    output = b""
    """What the bot wrote in the exchange that failed."""
    late: float | None = None
    """Seconds after which a late reply came; None if none did."""
    output_after_eof = b""
    """What it wrote only after the end of its input."""
    answered: int | None = None
    """The last move that it gave, legal or not."""
    printed = b""
    """The last line that it printed, without an error, elsewhere than in its replies."""

    @classmethod
    def of(cls, player: BotPlayer) -> Observed:
        """The same bot, under observation."""
        return cls(
            player.spec,
            player.protocol,
            player.command,
            start_seconds=player.start_seconds,
            margin=player.margin,
            pause=player.pause,
        )

    def take_game(self, game: Game, fresh: bool) -> None:
        """Begin another game, maybe on another board, in a new process or the same one."""
        if game != self.protocol.game:
            if not self.keeps_process:
                fresh = True
            self.protocol = type(self.protocol)(game)
        if fresh:
            self.close()
        self.new_game()

    @property
    def lasts(self) -> bool:
        """Whether one process plays game after game."""
        return self.protocol.lifetime == "match"

    @property
    def keeps_process(self) -> bool:
        """Whether one process can play on boards of different sizes."""
        return self.protocol.board_in_request

    @property
    def memory_mb(self) -> int:
        """Its memory limit."""
        return self.command.memory_mb

    def _end(self, grace: float = 0.2) -> None:
        process = self._process
        super()._end(grace)
        if process is not None and grace > 0 and process.stderr.strip():
            self.printed = process.stderr.strip().splitlines()[-1]

    def resident(self) -> int:
        """Its resident memory in bytes; 0 if that is unknown."""
        process = self._process
        if process is None or not LINUX:
            return 0
        return warden.resident([process.pid, *warden.descendants(process.pid)])

    def _run(self, exchange: Exchange[T], process: Process, deadline: float) -> T:
        self.output, self.output_after_eof, self.late, self.answered = b"", b"", None, None
        started = time.monotonic()
        recorded = Recorded(exchange)
        try:
            found = super()._run(recorded.run(), process, deadline)
        except Fault as fault:
            self.output = bytes(recorded.output + process._buffer)
            if fault.reason == "time" and not recorded.over:
                try:
                    until = time.monotonic() + self.patience
                    super()._run(recorded.run(), process, until)
                    self.late = time.monotonic() - started
                except Fault as still:
                    if still.reason == "time":
                        self.output = bytes(recorded.output + process._buffer)
                        self.output_after_eof = read_after_eof(process)
            raise
        self.answered = found if isinstance(found, int) else None
        return found


class Recorded(Generic[T]):
    """An exchange whose replies are recorded, and which can be resumed where it stopped."""

    def __init__(self, exchange: Exchange[T]) -> None:
        self._exchange = exchange
        self._want: bytes | int | None = LINE
        self._begun = False
        self.over = False
        """The exchange itself has ended, with a fault that it found in a reply."""
        self.output = bytearray()

    def run(self) -> Exchange[T]:
        try:
            if not self._begun:
                self._want = next(self._exchange)
                self._begun = True
            while True:
                reply = yield self._want
                self.output += reply
                if self._want is LINE:
                    self.output += b"\n"
                self._want = self._exchange.send(reply)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        except Fault:
            self.over = True
            raise


def read_after_eof(process: Process) -> bytes:
    """Close a bot's input, and read what it writes then."""
    process._buffer.clear()
    process._in = process._closed(process._in)
    said = b""
    until = time.monotonic() + EOF_SECONDS
    try:
        while len(said) < 4096:
            said += process.take(1, until)
    except Fault:
        pass  # that is all
    return said


class NoProtocol(Protocol):
    """Placeholder for our own players, which are called and need no protocol."""

    name = "player"

    def __init__(self, game: Game) -> None:
        self.game = game


class InProcess(Player):
    """One of our players in place of a bot, for the same tests."""

    output = output_after_eof = b""
    late: float | None = None
    answered: int | None = None
    keeps_process = lasts = False
    printed = b""
    memory_mb = 0

    def __init__(self, make: Callable[[Game], Player], game: Game) -> None:
        self._make = make
        self._game = game
        self._player = make(game)
        self.spec = self._player.spec
        self.protocol: Protocol = NoProtocol(game)

    def take_game(self, game: Game, fresh: bool) -> None:
        if game != self._game or fresh:
            self._player.close()
            self._player, self._game = self._make(game), game
            self.protocol = NoProtocol(game)
        self._player.new_game()

    def resident(self) -> int:
        return 0

    def think(self, request: Request) -> Report:
        state, started = request.state, time.monotonic()
        try:
            report = self._player.choose(request)
        except Exception as error:
            what = f"{type(error).__name__}: {error}"[:500]
            raise Fault("crash", Message("it raised {rest}", rest=what)) from error
        seconds = time.monotonic() - started
        self.answered = report.move
        if report.move not in state.legal_moves():
            raise illegal(report.move, state)
        return replace(report, seconds=seconds)

    def close(self) -> None:
        self._player.close()
