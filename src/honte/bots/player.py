"""A bot as a player: one protocol spoken over one process, under the clock."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import TypeVar

from honte.bots import history, sandbox
from honte.bots.faults import Fault
from honte.bots.process import START_SECONDS, Process
from honte.bots.protocol import Protocol, Talk, illegal
from honte.bots.sandbox import Command
from honte.games.contract import State
from honte.players.contract import Player, check_choice
from honte.search.limit import Limit
from honte.search.report import Report

T = TypeVar("T")
MARGIN = 0.25
"""Seconds over the limit before a bot has lost on time: pipes and busy cores are not its fault."""
PATIENCE = 60.0
"""Seconds for a move where the limit names none."""
AFTERWORD = 0.1
"""Seconds in which a bot may say, after its answer, that it wants to stay."""


class BotPlayer(Player):
    """Somebody else's program. `choose` raises `Fault` when it fails.

    The process starts with the first move. After a fault there is a new one; so it is for
    every game, or every move, where the protocol wants that.
    """

    def __init__(
        self,
        spec: str,
        protocol: Protocol,
        command: Command,
        *,
        start_seconds: float = START_SECONDS,
        margin: float = MARGIN,
        pause: bool = False,
    ) -> None:
        self.spec = spec
        self.protocol = protocol
        self.command = command
        self.start_seconds = start_seconds
        self.margin = margin
        self.pause = pause
        self.allowed: float | None = None
        """Seconds after which it has lost, where that is not its limit: what a clock has left."""
        self.idle_cpu = 0.0
        """Processor seconds that it took while it was not its turn."""
        self.starting = False
        """Whether its last answer's time has that of its start in it: see `Protocol.greets`."""
        self._controllers: tuple[str, ...] = ()
        self._process: Process | None = None
        self._cpu: float | None = None
        self._answered = False
        self._new = True
        self._told: list[int] | None = None
        self._moves: list[int] = []
        self._state: State | None = None

    @property
    def level(self) -> str:
        """The sandbox level that it runs in."""
        return self.command.level

    @property
    def kept(self) -> str:
        """The level, and what of a control group its last process was given."""
        return sandbox.applied(self.command.level, self._controllers)

    @property
    def version(self) -> str:
        """What the bot says that it is, once it has started."""
        return self.protocol.version

    # -- the game --------------------------------------------------------------------

    def new_game(self) -> None:
        self._new = True
        self._told, self._moves, self._state = None, [], None
        if self.protocol.life != "match":
            self.close()

    def tell(self, moves: Sequence[int]) -> None:
        """Say which moves led to the next position: an opening that nobody here chose."""
        self._told = list(moves)

    def _moves_to(self, state: State) -> list[int]:
        """The moves that led to a position, as far as they are known."""
        if self._state is not None:
            if state == self._state:
                return self._moves
            last = state.last_move
            if last in self._state.legal_moves() and self._state.play(last) == state:
                return [*self._moves, last]
        if self._told is not None and leads_to(self._told, state):
            return self._told
        if not self.protocol.needs_moves:
            return []
        found = history.find(state)
        if found is None:
            raise ValueError(
                f"{self.protocol.name}: the bot must know the moves that led to this position; "
                "give them with player.tell(moves)"
            )
        return found

    def choose(self, state: State, limit: Limit | None = None) -> Report:
        check_choice(state)
        limit = limit or Limit()
        moves = self._moves_to(state)
        try:
            move, seconds = self._ask(moves, state, limit)
        except Fault as fault:
            if self._process is not None:
                fault.stderr = fault.stderr or self._process.stderr
            self._end(grace=0)
            raise
        except BaseException:  # Ctrl-C, or a mistake of ours: nothing may go on running
            self._end(grace=0)
            raise
        self._told, self._moves, self._state = None, [*moves, move], state.play(move)
        return Report(move=move, pv=[move], seconds=seconds)

    def _ask(self, moves: list[int], state: State, limit: Limit) -> tuple[int, float]:
        process = self._ready()
        allowed = self.allowed if self.allowed is not None else limit.seconds or PATIENCE
        allowed += self.margin
        self.starting = not self._answered and not self.protocol.greets
        if self.starting:
            allowed += self.start_seconds  # nothing else tells a slow start from a slow move
        if not self.starting:  # its processes are all there, and it has no other grace
            process.be_fair()
        started = time.monotonic()
        talk = self.protocol.turn(moves, state, limit)
        try:
            move = self._converse(talk, process, started + allowed)
        except Fault as fault:
            if fault.reason != "stall" or allowed > MARGIN:
                raise
            # The end of a clock: too short a moment to say that it does not read.
            raise Fault("time", "no answer in time", fault.stderr) from None
        seconds = time.monotonic() - started
        self._answered = True
        if seconds > allowed and seconds > allowed + process.forgiven():
            raise Fault("time", f"{seconds:.3f} s for a move; {allowed:.3f} s are allowed")
        if move not in state.legal_moves():
            raise illegal(self._written(move), state)
        self._after(process)
        return move, seconds

    def _written(self, move: int) -> str:
        try:
            return self.protocol.game.format(move)  # type: ignore[no-any-return]
        except ValueError:
            return str(move)

    # -- the process -----------------------------------------------------------------

    def _ready(self) -> Process:
        """A process that waits for a move."""
        process = self._process
        if process is None:
            process = Process(self.command)
            process.prepare()
        deadline = time.monotonic() + self.start_seconds
        try:
            if self._process is None:
                self._process = process
                process.start(deadline)
                self._controllers = process.controllers
                self._cpu, self._answered = None, False
                self._converse(self.protocol.hello(), process, deadline)
            else:
                self._count_idle(process)
                if self.pause:
                    process.resume()
                self._check_silence(process.begin())
            if self._new:
                self._converse(self.protocol.new_game(), process, deadline)
                self._new = False
        except Fault as fault:
            if fault.reason in ("time", "stall"):
                late = f"it was not ready within {self.start_seconds:g} s"
                raise Fault("start", late, fault.stderr) from None
            raise
        return process

    def _count_idle(self, process: Process) -> None:
        """Add up what it has burnt since its last answer."""
        if self._cpu is not None:
            self.idle_cpu += max(0.0, process.cpu_seconds() - self._cpu)
        self._cpu = None

    def _check_silence(self, said: bytes) -> None:
        if said.strip() and self.protocol.strict:
            raise Fault("illegal", f"it answered out of turn: {said[:60]!r}")

    def _after(self, process: Process) -> None:
        """What happens between a bot's moves."""
        if self.protocol.life == "move":
            rest = process.rest(time.monotonic() + AFTERWORD)
            if not self.protocol.stays(rest):
                self._end()
                return
        if self.pause:
            process.pause()
        self._cpu = process.cpu_seconds()

    def _converse(self, talk: Talk[T], process: Process, deadline: float) -> T:
        """Run a talk over the process."""
        reply = b""
        try:
            want = next(talk)
            while True:
                if isinstance(want, bytes):
                    process.send(want, deadline)
                    reply = b""
                elif want is None:
                    reply = process.line(deadline)
                else:
                    reply = process.take(want, deadline)
                want = talk.send(reply)
        except StopIteration as done:
            return done.value  # type: ignore[no-any-return]

    def _end(self, grace: float = 0.2) -> None:
        process, self._process = self._process, None
        if process is not None:
            self._count_idle(process)
            if self.pause:
                process.resume()
            process.stop(self.protocol.goodbye, grace)

    def close(self) -> None:
        self._end()

    def __del__(self) -> None:
        if getattr(self, "_process", None) is not None:
            self._end(grace=0)


def leads_to(moves: Sequence[int], state: State) -> bool:
    """Whether moves from the start of the game lead to a position."""
    position = state.game.start()
    for move in moves:
        if move not in position.legal_moves():
            return False
        position = position.play(move)
    return position == state
