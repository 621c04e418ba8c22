"""Games on a Ray cluster, through the same interface as the workers of this machine.

A task holds everything that determines its game, so it can be played on any node, and replayed.
Ray restarts a batch when its process or node dies; results are stored only here, once. All nodes
must run the same build: a game is stored under the build of this machine.
"""

from __future__ import annotations

import contextlib
import os
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from honte.arena.game import Played
from honte.arena.schedule import Task
from honte.arena.workers import Play, Pulse, Team, WorkerError, Workers, play_batch
from honte.core.language import Message

AHEAD = 2
"""Batches per CPU in flight, so that none waits for the supervisor."""
EVERY = 5.0
"""Seconds between queries for the number of CPUs."""


def team(on: str, workers: int, play: Play, batch: int = 1) -> Team:
    """The team for ``local``, ``ray`` or ``ray://host:port``; 0 workers means all CPUs."""
    if on == "local":
        return Workers(workers or os.cpu_count() or 1, play, batch)
    if on == "ray" or on.startswith("ray://"):
        return RayTeam(None if on == "ray" else on, workers, play, batch)
    raise ValueError(
        Message("--on {on!r} is unknown; use local, ray or ray://HOST:PORT", on=on[:60])
    )


class RayTeam(Team):
    """The CPUs of a Ray cluster."""

    def __init__(self, address: str | None, workers: int, play: Play, batch: int = 1) -> None:
        super().__init__(batch)
        try:
            ray: Any = import_module("ray")
        except ImportError:
            raise ValueError(
                Message("--on ray needs Ray; install it with `pip install honte[cluster]`")
            ) from None
        self._ray = ray
        self._own = not ray.is_initialized()
        if self._own:
            self._start(address, workers)
        self._limit = workers
        self._slots, self._asked = 0, 0.0
        self._play = ray.put(play)
        # -1: retry however often nodes die. A batch that fails by itself returns an error instead.
        self._remote = ray.remote(num_cpus=1, max_retries=-1)(play_remotely)
        self._folder = str(Path.cwd())
        self._out: dict[Any, None] = {}

    def _start(self, address: str | None, workers: int) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        own: dict[str, Any] = {"num_cpus": workers or None, "include_dashboard": False}
        # Bots and their sandbox settings must be the same on every node.
        settings = {name: word for name, word in os.environ.items() if name.startswith("HONTE_")}
        try:
            self._ray.init(
                address=address or "local",
                log_to_driver=False,
                logging_level="error",
                runtime_env={"env_vars": settings},
                **({} if address else own),
            )
        except Exception as error:  # Ray raises plain Exceptions when its processes start slowly
            words = str(error).strip().split("\n")[0]
            self._ray.shutdown()
            if address is None:
                raise ValueError(Message("Ray does not start here: {why}", why=words)) from None
            raise ValueError(
                Message(
                    "cannot connect to Ray at {address}: {why}; where the cluster asks for a "
                    "token, set RAY_AUTH_MODE=token here too",
                    address=address,
                    why=words,
                )
            ) from None

    def _processors(self) -> int:
        now = time.monotonic()
        if now - self._asked > EVERY:
            self._asked = now
            there = int(self._ray.cluster_resources().get("CPU", 1))
            self._slots = max(1, min(there, self._limit or there))
        return self._slots

    def _idle(self) -> int:
        return max(0, self._processors() * AHEAD - len(self._out))

    @property
    def busy(self) -> int:
        return len(self._out) + (self._error is not None)

    def _begin(self, batch: list[Task]) -> None:
        self._out[self._remote.remote(self._play, batch, self._folder)] = None

    def _collect(self, seconds: float | None) -> list[Played]:
        waiting = list(self._out)
        ready, _ = self._ray.wait(waiting, num_returns=1, timeout=seconds)
        if ready:  # and whatever else has finished by now
            ready, _ = self._ray.wait(waiting, num_returns=len(waiting), timeout=0)
        done: list[Played] = []
        for reference in ready:
            del self._out[reference]
            try:
                answer = self._ray.get(reference)
            except self._ray.exceptions.RayError as error:
                words = str(error).strip().split("\n")[0]
                answer = WorkerError(
                    Message("a batch of games could not be played: {words}", words=words)
                )
            if isinstance(answer, Exception):
                self._failed(answer)
            else:
                done += answer
        return done

    def close(self) -> None:
        for reference in self._out:
            with contextlib.suppress(Exception):
                self._ray.cancel(reference, force=True)
        self._out = {}
        self._error = None
        if self._own:
            self._own = False
            self._ray.shutdown()

    def kill(self) -> None:
        self.close()


_pulse: Pulse | None = None


def play_remotely(play: Play, batch: list[Task], folder: str) -> list[Played] | WorkerError:
    """Play a batch on a node of the cluster, in the same folder as here if it exists there."""
    global _pulse
    with contextlib.suppress(OSError):
        os.chdir(folder)
    if _pulse is None:
        _pulse = Pulse()
        _pulse.start()
    return play_batch(play, batch, _pulse)
