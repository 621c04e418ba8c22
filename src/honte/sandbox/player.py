"""A bot as a player: one protocol over one process, under a clock."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import TypeVar

from honte.core.contract import State
from honte.core.fault import Fault
from honte.core.language import Message
from honte.core.player import Player
from honte.core.report import Report
from honte.core.request import Limit, Request
from honte.protocols import history
from honte.protocols.protocol import Exchange, Protocol, illegal
from honte.sandbox import levels
from honte.sandbox.fork_server import START_SECONDS
from honte.sandbox.levels import Command
from honte.sandbox.process import Process
from honte.sandbox.run_delay import Quota

T = TypeVar("T")
MARGIN = 0.25
"""Grace in seconds before a bot loses on time: pipes and busy cores are not its fault."""
DEFAULT_SECONDS = 60.0
"""Seconds for a move where the limit has none."""
RESTART_SECONDS = 1.0
"""Maximum seconds for each start after the first, of a bot that is started for every move."""
AFTERWORD = 0.1
"""Seconds after its reply in which a bot may ask to keep running."""
CANCELLED = "cancelled before it answered"


class BotPlayer(Player):
    """An external program as a player; `choose` raises `Fault` when it fails.

    The process starts with the first move. A new one is started after a fault, and for every game
    or every move if the protocol requires it.
    """

    keeps_time = True
    _process: Process | None = None

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
        self.idle_cpu: float = 0.0
        self._controllers: tuple[str, ...] = ()
        self._cpu: float | None = None
        self._quota = Quota()
        self._starts: deque[float] = deque(maxlen=32)
        self._extra = 0.0
        """Extra seconds for the next reply, which may include a start."""
        self._new = True
        self._moves: list[int] = []
        self._state: State | None = None

    @property
    def level(self) -> str:
        """The sandbox level that it runs in."""
        return self.command.level

    @property
    def sandbox(self) -> str:  # type: ignore[override]
        """The sandbox level, and the cgroup controllers that limited its last process."""
        return levels.applied(self.command.level, self._controllers)

    @property
    def version(self) -> str:  # type: ignore[override]
        """Name and version that the bot reports, once it has started."""
        return self.protocol.version

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that its command line names, and the files and folders that it may read."""
        folder, argv = Path(self.command.folder), self.command.argv
        modules = [folder / word.replace(".", "/") for flag, word in pairwise(argv) if flag == "-m"]
        named = [folder / word for word in argv] + [path.with_suffix(".py") for path in modules]
        readable = [path for path in [*modules, *map(Path, self.command.readable)] if path.exists()]
        return (*(path for path in named if path.is_file()), *readable)

    def prepare(self, margin: float, pause: bool = False) -> None:
        self.margin, self.pause = margin, pause or self.pause

    # -- the game --------------------------------------------------------------------

    def new_game(self) -> None:
        self._new = True
        self._moves, self._state = [], None
        self._quota = Quota()
        if self.protocol.lifetime != "match":
            self.close()

    def _moves_to(self, state: State, told: tuple[int, ...] | None) -> list[int]:
        """The moves that led to a position, as far as they are known."""
        if self._state is not None:
            if state == self._state:
                return self._moves
            last = state.last_move
            if last in self._state.legal_moves() and self._state.play(last) == state:
                return [*self._moves, last]
        if told is not None and leads_to(told, state):
            return list(told)
        if not self.protocol.needs_history:
            return []
        found = history.find(state)
        if found is None:
            raise ValueError(
                Message(
                    "{name}: the bot must know the moves that led to this position; give them as "
                    "the request's history",
                    name=self.protocol.name,
                )
            )
        return found

    def think(self, request: Request) -> Report:
        state = request.state
        moves = self._moves_to(state, request.history)
        if request.cancel.cancelled:
            raise Fault("time", CANCELLED)
        thinking = True

        def kill() -> None:  # there is no way to ask a program to move now
            if thinking and self._process is not None:
                self._process.kill()

        request.cancel.on_cancel(kill)
        try:
            move, seconds, starting = self._ask(moves, request)
        except Fault as fault:
            if self._process is not None:
                fault.stderr = fault.stderr or self._process.stderr
            self._end(grace=0)
            if request.cancel.cancelled:
                raise Fault("time", CANCELLED, fault.stderr) from None
            raise
        except BaseException:  # Ctrl-C, or a bug of ours: leave no process behind
            self._end(grace=0)
            raise
        finally:
            thinking = False
        self._moves, self._state = [*moves, move], state.play(move)
        return Report(move=move, pv=[move], seconds=seconds, starting=starting, source="bot")

    def _ask(self, moves: list[int], request: Request) -> tuple[int, float, bool]:
        state, limit = request.state, request.limit or Limit()
        process = self._ready()
        if request.cancel.cancelled:  # before there was a process to kill
            raise Fault("time", CANCELLED)
        allowed = (
            request.allowed if request.allowed is not None else limit.seconds or DEFAULT_SECONDS
        )
        extra, self._extra = self._extra, 0.0
        allowed += self.margin + extra
        if not extra:  # its processes have all started, and it gets no other grace
            process.start_wait_accounting(self._quota.left)
        started = time.monotonic()
        exchange = self.protocol.turn(moves, state, limit)
        try:
            move = self._run(exchange, process, started + allowed)
        except Fault as fault:
            if fault.reason != "stall" or allowed > MARGIN:
                raise
            # The last of a clock: too little time to conclude that it does not read.
            raise Fault("time", Message("no answer in time"), fault.stderr) from None
        seconds = time.monotonic() - started
        late = seconds - allowed
        if not self._quota.covers(late, process.core_wait() if late > 0 else 0.0):
            raise Fault(
                "time",
                Message(
                    "{seconds:.3f} s for a move; {allowed:.3f} s are allowed",
                    seconds=seconds,
                    allowed=allowed,
                ),
            )
        if move not in state.legal_moves():
            raise illegal(self._format(move), state)
        self._after(process)
        if extra and self.protocol.lifetime == "move":
            self._starts.append(seconds)
        return move, seconds, extra > 0

    def _format(self, move: int) -> str:
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
                self._cpu = None
                self._run(self.protocol.hello(), process, deadline)
                if not self.protocol.handshake:
                    self._wait_for_start(process, deadline - self.start_seconds)
            else:
                self._count_idle(process)
                if self.pause:
                    process.resume()
                self._check_silence(process.begin())
            if self._new:
                self._run(self.protocol.new_game(), process, deadline)
                self._new = False
        except Fault as fault:
            if fault.reason in ("time", "stall"):
                late = Message("it was not ready within {seconds:g} s", seconds=self.start_seconds)
                raise Fault("start", late, fault.stderr) from None
            raise
        return process

    def _wait_for_start(self, process: Process, began: float) -> None:
        """Wait until a bot without a handshake reads; a start that cannot be seen extends its time.

        It has no position yet, so none of this is thinking time. A bot that is started for every
        move gets the full start-up time once, and then what it has usually taken.
        """
        often = self.protocol.lifetime == "move" and bool(self._starts)
        budget = self.start_seconds
        if often:
            budget = min(budget, RESTART_SECONDS, 0.1 + 2 * median(self._starts))
        state = process.wait_until_it_reads(began + budget)
        if state == "unknown" or (state == "idle" and not often):
            self._extra = budget
        if state != "unknown":
            self._starts.append(time.monotonic() - began)

    def _count_idle(self, process: Process) -> None:
        """Add up the CPU time since its last reply."""
        if self._cpu is not None:
            self.idle_cpu += max(0.0, process.cpu_seconds() - self._cpu)
        self._cpu = None

    def _check_silence(self, said: bytes) -> None:
        if said.strip() and self.protocol.silent_between_turns:
            raise Fault("illegal", Message("it answered out of turn: {said!r}", said=said[:60]))

    def _after(self, process: Process) -> None:
        """End or pause the process between moves."""
        self._cpu = process.cpu_seconds()
        if self.protocol.lifetime == "move":
            rest = process.rest(time.monotonic() + AFTERWORD, self.protocol.afterword)
            if not self.protocol.keeps_running(rest):
                self._end()
                return
        if self.pause:
            process.pause()
            self._cpu = process.cpu_seconds()

    def _run(self, exchange: Exchange[T], process: Process, deadline: float) -> T:
        """Run an exchange over the process."""
        reply = b""
        try:
            want = next(exchange)
            while True:
                if isinstance(want, bytes):
                    process.send(want, deadline)
                    reply = b""
                elif want is None:
                    reply = process.line(deadline)
                else:
                    reply = process.take(want, deadline)
                want = exchange.send(reply)
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
        if self._process is not None:
            self._end(grace=0)


def leads_to(moves: Sequence[int], state: State) -> bool:
    """Whether moves from the start of the game lead to a position."""
    position = state.game.start()
    for move in moves:
        try:
            position = position.play(move)
        except ValueError:
            return False
    return position == state
