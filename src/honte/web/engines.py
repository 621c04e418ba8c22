"""The engines of the page: worker processes, each with the visitors that it thinks for.

A visitor stays with a worker, which keeps the tree from move to move. A worker that dies costs
the answers it was asked for, and is started again.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import sys
import time
from collections import Counter, deque
from collections.abc import AsyncIterator
from typing import Any

import msgspec

from honte.web.position import Json

BUDGET = 1536
"""Megabytes for the trees of all visitors together."""
LEAST_TREE, MOST_TREE = 24, 256
LONGEST_LINE = 8 * 2**20
DIED = "the engine stopped unexpectedly and was started again; try again"
QUICK_DEATH = 2.0
"""Seconds: a worker that dies sooner is not started again at once."""


class Mailbox:
    """The answers of one job, as they come; a reader who is slow sees only the latest report."""

    def __init__(self, skip: bool) -> None:
        self._skip = skip
        self._parts: deque[Json] = deque()
        self._there = asyncio.Event()

    def put(self, part: Json) -> None:
        if self._skip and self._parts and not self._parts[-1]["done"]:
            self._parts.pop()
        self._parts.append(part)
        self._there.set()

    async def get(self) -> Json:
        while not self._parts:
            self._there.clear()
            await self._there.wait()
        return self._parts.popleft()


class Worker:
    """One process, started when it is first needed, and again after it has died."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._jobs: dict[int, Mailbox] = {}
        self._started = 0.0
        self._deaths = 0
        self.closed = False

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    @property
    def busy(self) -> int:
        return len(self._jobs)

    async def start(self) -> None:
        async with self._starting:
            if self._process is not None or self.closed:
                return
            if self._deaths:
                await asyncio.sleep(min(0.25 * 2**self._deaths, 5.0))
            # A process group of its own keeps Ctrl-C from it; a session of its own would let
            # its low priority count for nothing where the kernel groups tasks by session.
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "honte.web.worker",
                str(self._budget),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
                process_group=0,
            )
            self._started = time.monotonic()
            self._reading = asyncio.create_task(self._read(self._process))

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            while line := await process.stdout.readline():
                part = msgspec.json.decode(line)
                mailbox = self._jobs.get(part.pop("job"))
                if mailbox is not None:
                    mailbox.put(part)
        except (ValueError, msgspec.DecodeError):
            process.kill()
        await process.wait()
        quick = time.monotonic() - self._started < QUICK_DEATH
        self._deaths = self._deaths + 1 if quick else 0
        self._process = None
        for mailbox in self._jobs.values():
            mailbox.put({"error": DIED, "done": True})
        if not self.closed:
            await self.start()

    def send(self, message: Json) -> None:
        """Tell the process something; one that has just died is told nothing."""
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(ConnectionError, RuntimeError):
                self._process.stdin.write(msgspec.json.encode(message) + b"\n")

    async def stream(self, job: int, message: Json, skip: bool) -> AsyncIterator[Json]:
        """The parts of an answer, the last with ``done``. Leaving early stops the job."""
        mailbox = self._jobs[job] = Mailbox(skip)
        done = False
        try:
            await self.start()
            self.send({"job": job, **message})
            while not done:
                part = await mailbox.get()
                done = part["done"]
                yield part
        finally:
            del self._jobs[job]
            if not done:
                self.send({"stop": job})

    async def close(self) -> None:
        self.closed = True
        process = self._process
        if process is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        if self._reading is not None:
            await asyncio.wait([self._reading], timeout=2)


class Engines:
    """All workers, at most one for each processor."""

    def __init__(self, size: int | None = None, threads: int | None = None) -> None:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
        self.size = max(1, size or cores or 1)
        self.threads = threads or max(1, min(4, self.size // 2))
        self._workers = [Worker(BUDGET // self.size) for _ in range(self.size)]
        self._homes: dict[str, Worker] = {}
        self._numbers = itertools.count(1)

    async def start(self) -> None:
        """Have one worker ready before it is asked for."""
        await self._workers[0].start()

    def _home(self, visitor: str) -> Worker:
        """The worker that a visitor stays with: at first the one with the fewest."""
        if visitor not in self._homes:
            crowd = Counter(map(id, self._homes.values()))
            self._homes[visitor] = min(self._workers, key=lambda worker: crowd[id(worker)])
        return self._homes[visitor]

    def _tree_size(self) -> int:
        """Megabytes for a tree, so that two for every visitor fit."""
        return max(LEAST_TREE, min(MOST_TREE, BUDGET // (2 * max(1, len(self._homes)))))

    def new_job(self) -> int:
        return next(self._numbers)

    async def stream(self, visitor: str, job: int, message: Json) -> AsyncIterator[Json]:
        """Ask a visitor's worker; the parts of the answer."""
        home = self._home(visitor)
        memory = self._tree_size()
        threads = self.threads if len(self._homes) <= 2 else 1
        message = {"visitor": visitor, "memory": memory, "threads": threads, **message}
        stream = home.stream(job, message, skip=message["do"] in ("choose", "analyse"))
        async with contextlib.aclosing(stream) as parts:  # type: ignore[type-var]
            async for part in parts:
                yield part

    async def ask(self, visitor: str, message: Json) -> Json:
        """Ask for an answer in one part."""
        last: Json = {}
        async for part in self.stream(visitor, self.new_job(), message):
            last = part
        return last

    def stop(self, visitor: str, job: int) -> None:
        """End a job; what it has found is its last part."""
        home = self._homes.get(visitor)
        if home is not None:
            home.send({"stop": job})

    def leave(self, visitor: str) -> None:
        """Free all that a visitor held."""
        home = self._homes.pop(visitor, None)
        if home is not None:
            home.send({"leave": visitor})

    async def status(self) -> list[Any]:
        """What each worker that has started is doing."""
        found = []
        for worker in self._workers:
            if worker.pid is not None:
                async for part in worker.stream(self.new_job(), {"do": "status"}, skip=False):
                    found.append(part)
        return found

    async def close(self) -> None:
        await asyncio.gather(*(worker.close() for worker in self._workers))
