"""A bot under observation: what it says is kept, and a late answer is waited for.

`honte check` must tell a slow bot from one whose answer lies in a buffer and from one that
said something else than an answer. So when the time is up the bot is not killed at once: it
gets some more, and then the end of its input, upon which programs flush what they hold.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Generic, TypeVar

from honte.bots import warden
from honte.bots.faults import Fault
from honte.bots.player import BotPlayer
from honte.bots.process import Process
from honte.bots.protocol import LINE, Talk, illegal
from honte.games.contract import Game, State
from honte.players.contract import Player
from honte.search.limit import Limit
from honte.search.report import Report

T = TypeVar("T")
LAST_WORDS = 1.5
"""Seconds that a bot has, once its input has ended, to say what it holds back."""


class Observed(BotPlayer):
    """A bot whose failures leave evidence."""

    patience = 3.0
    """Seconds that a late answer is waited for."""

    heard = b""
    """What the bot said in the conversation that failed."""
    late: float | None = None
    """After how many seconds the answer came, if it came late."""
    afterwards = b""
    """What it said only when its input had ended."""
    answered: int | None = None
    """The last move that it gave, legal or not."""

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
        """Begin another game, on another board maybe; in a new process, or in the same."""
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
        return self.protocol.life == "match"

    @property
    def keeps_process(self) -> bool:
        """Whether one process can play on boards of different sizes: those in our host can."""
        return self.protocol.name in ("getpoint", "py", "kaggle")

    def resident(self) -> int:
        """The bytes of memory that it holds now; 0 where that cannot be seen."""
        process = self._process
        if process is None or not warden.LINUX:
            return 0
        return warden.resident([process.pid, *warden.descendants(process.pid)])

    def _converse(self, talk: Talk[T], process: Process, deadline: float) -> T:
        self.heard, self.afterwards, self.late, self.answered = b"", b"", None, None
        started = time.monotonic()
        tape = Tape(talk)
        try:
            found = super()._converse(tape.run(), process, deadline)
        except Fault as fault:
            self.heard = bytes(tape.heard + process._buffer)
            if fault.reason == "time" and not tape.over:
                try:
                    until = time.monotonic() + self.patience
                    super()._converse(tape.run(), process, until)
                    self.late = time.monotonic() - started
                except Fault as still:
                    if still.reason == "time":
                        self.heard = bytes(tape.heard + process._buffer)
                        self.afterwards = last_words(process)
            raise
        self.answered = found if isinstance(found, int) else None
        return found


class Tape(Generic[T]):
    """A talk that is written down, and can be taken up again where it was left."""

    def __init__(self, talk: Talk[T]) -> None:
        self._talk = talk
        self._want: bytes | int | None = LINE
        self._begun = False
        self.over = False
        """The talk itself has ended, by a fault that it found in an answer."""
        self.heard = bytearray()

    def run(self) -> Talk[T]:
        try:
            if not self._begun:
                self._want = next(self._talk)
                self._begun = True
            while True:
                reply = yield self._want
                self.heard += reply
                if self._want is LINE:
                    self.heard += b"\n"
                self._want = self._talk.send(reply)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]
        except Fault:
            self.over = True
            raise


def last_words(process: Process) -> bytes:
    """End a bot's input, and hear what it says then."""
    process._buffer.clear()
    process._in = process._closed(process._in)
    said = b""
    until = time.monotonic() + LAST_WORDS
    try:
        while len(said) < 4096:
            said += process.take(1, until)
    except Fault:
        pass  # that is all
    return said


class Inside(Player):
    """A player of ours in the place of a bot, so that the same trials serve."""

    heard = afterwards = b""
    late: float | None = None
    answered: int | None = None
    keeps_process = lasts = False

    def __init__(self, make: Callable[[Game], Player], game: Game) -> None:
        self._make = make
        self._game = game
        self._player = make(game)
        self.spec = self._player.spec

    def take_game(self, game: Game, fresh: bool) -> None:
        if game != self._game or fresh:
            self._player.close()
            self._player, self._game = self._make(game), game
        self._player.new_game()

    def tell(self, moves: Sequence[int]) -> None:
        """Nothing: a player of ours takes positions as they are."""

    def resident(self) -> int:
        return 0

    def choose(self, state: State, limit: Limit | None = None) -> Report:
        started = time.monotonic()
        try:
            report = self._player.choose(state, limit)
        except Exception as error:
            raise Fault("crash", f"it raised {type(error).__name__}: {error}"[:500]) from error
        seconds = time.monotonic() - started
        self.answered = report.move
        if report.move not in state.legal_moves():
            raise illegal(report.move, state)
        return replace(report, seconds=seconds)

    def close(self) -> None:
        self._player.close()
