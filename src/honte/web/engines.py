"""The pool of engine processes, and which session each one serves.

A session stays with one worker, which keeps its tree from move to move. A worker that dies loses
the answers it was working on, and is restarted.
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
from pathlib import Path
from typing import Any

import msgspec

from honte.core.language import plain
from honte.web import games
from honte.web.position import Json

BUDGET = 1536
"""Megabytes for the trees of all sessions together."""
LEAST_TREE, MOST_TREE = 24, 256
LONGEST_LINE = 8 * 2**20
DIED = "the engine stopped unexpectedly and was started again; try again"
QUICK_DEATH = 2.0
"""Seconds: a worker that dies sooner is restarted with a delay."""
HEARTBEAT = 0.5
"""Seconds between two heartbeat requests to a worker."""
LOOK = 0.25
START_DELAY = 1.0
"""Seconds from the start of the server to that of the first worker: meanwhile a page may load."""
MISSED, STUCK = 6, 120
"""Looks without an answer after which a worker is killed: if it was idle at each of the last
ones, or if it was busy."""


class ReplyQueue:
    """The replies to one job; a slow reader gets only the latest report."""

    def __init__(self, skip: bool) -> None:
        self._skip = skip
        self._parts: deque[Json] = deque()
        self._there = asyncio.Event()

    def put(self, part: Json) -> None:
        if self._skip and self._parts and not self._parts[-1]["done"]:
            unread = self._parts.pop()
            part = part if "error" in part else unread | part  # a report replaces a report
        self._parts.append(part)
        self._there.set()

    async def get(self) -> Json:
        while not self._parts:
            self._there.clear()
            await self._there.wait()
        return self._parts.popleft()


class Worker:
    """One engine process, started on demand and restarted after a crash."""

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._process: asyncio.subprocess.Process | None = None
        self._reading: asyncio.Task[None] | None = None
        self._watching: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._jobs: dict[int, ReplyQueue] = {}
        self._started = 0.0
        self._ready = asyncio.Event()
        self._lines = 0
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
                *games.files(),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
                process_group=0,
            )
            self._started = time.monotonic()
            self._ready.clear()
            self._reading = asyncio.create_task(self._read(self._process))
            self._watching = asyncio.create_task(self._watch(self._process))

    async def ready(self) -> None:
        """Wait until the process has loaded everything and reads requests."""
        await self.start()
        await self._ready.wait()

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        try:
            while line := await process.stdout.readline():
                self._ready.set()
                self._lines += 1
                part = msgspec.json.decode(line)
                replies = self._jobs.get(part.pop("job"))
                if replies is not None:
                    replies.put(part)
        except (ValueError, msgspec.DecodeError):
            process.kill()
        await process.wait()
        quick = time.monotonic() - self._started < QUICK_DEATH
        self._deaths = self._deaths + 1 if quick else 0
        self._process = None
        self._ready.set()  # waiting callers get the next process, or its death
        for replies in self._jobs.values():
            replies.put({"error": DIED, "done": True})
        if not self.closed:
            await self.start()

    async def _watch(self, process: asyncio.subprocess.Process) -> None:
        """Kill a process that no longer answers; `_read` then starts another.

        Looks are counted, not seconds: a server that was itself delayed reads the answers first. A
        process that only waits for a core is not hung.
        """
        await self._ready.wait()
        while process.returncode is None:
            lines, looks, resting = self._lines, 0, 0
            self.send({"do": "status", "job": 0})
            while self._lines == lines and process.returncode is None:
                await asyncio.sleep(LOOK)
                looks += 1
                resting = 0 if is_running(process.pid) else resting + 1
                if looks >= STUCK or resting >= MISSED:
                    with contextlib.suppress(ProcessLookupError):
                        process.kill()
                    return
            await asyncio.sleep(HEARTBEAT)

    def send(self, message: Json) -> None:
        """Send a message; it is dropped if the process has just died."""
        if self._process is not None and self._process.stdin is not None:
            with contextlib.suppress(ConnectionError, RuntimeError):
                self._process.stdin.write(msgspec.json.encode(message, enc_hook=plain) + b"\n")

    async def stream(self, job: int, message: Json, skip: bool) -> AsyncIterator[Json]:
        """The parts of an answer, the last with ``done``. Leaving the loop early stops the job."""
        replies = self._jobs[job] = ReplyQueue(skip)
        done = False
        try:
            await self.start()
            self.send({"job": job, **message})
            while not done:
                part = await replies.get()
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
        if self._watching is not None:
            self._watching.cancel()
        if self._reading is not None:
            await asyncio.wait([self._reading], timeout=2)


def is_running(pid: int) -> bool:
    """Whether a thread of a process is running or wants to; False where that is not known."""
    for stat in Path(f"/proc/{pid}/task").glob("*/stat"):
        with contextlib.suppress(OSError):
            if stat.read_text().rpartition(")")[2].split()[0] in "RD":
                return True
    return False


class Engines:
    """The pool: at most one worker for each core."""

    def __init__(self, size: int | None = None, threads: int | None = None) -> None:
        cores = os.cpu_count()
        if sys.platform == "linux":
            cores = len(os.sched_getaffinity(0))
        self.size = max(1, size or cores or 1)
        self.threads = threads or max(1, min(4, self.size // 2))
        self._workers = [Worker(BUDGET // self.size) for _ in range(self.size)]
        self._assigned: dict[str, Worker] = {}
        self._numbers = itertools.count(1)
        self._soon: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start one worker soon, so that the first search need not wait for it."""
        self._soon = asyncio.create_task(self._start_first())

    async def _start_first(self) -> None:
        await asyncio.sleep(START_DELAY)
        await self._workers[0].start()

    def _worker_of(self, session: str) -> Worker:
        """The worker of a session: at first the one with the fewest sessions."""
        if session not in self._assigned:
            load = Counter(map(id, self._assigned.values()))
            self._assigned[session] = min(self._workers, key=lambda worker: load[id(worker)])
        return self._assigned[session]

    def _tree_size(self) -> int:
        """Megabytes for a tree, so that two for every session fit."""
        return max(LEAST_TREE, min(MOST_TREE, BUDGET // (2 * max(1, len(self._assigned)))))

    def new_job(self) -> int:
        return next(self._numbers)

    async def stream(self, session: str, job: int, message: Json) -> AsyncIterator[Json]:
        """Send a request to a session's worker; the parts of the answer."""
        worker = self._worker_of(session)
        memory = self._tree_size()
        threads = self.threads if len(self._assigned) <= 2 else 1
        message = {"session": session, "memory": memory, "threads": threads, **message}
        stream = worker.stream(job, message, skip=message["do"] in ("choose", "analyse"))
        async with contextlib.aclosing(stream) as parts:  # type: ignore[type-var]
            async for part in parts:
                yield part

    async def ask(self, session: str, message: Json) -> Json:
        """Send a request whose answer has one part."""
        last: Json = {}
        async for part in self.stream(session, self.new_job(), message):
            last = part
        return last

    async def ready(self, session: str) -> None:
        """Wait until a session's worker has started."""
        await self._worker_of(session).ready()

    def stop(self, session: str, job: int) -> None:
        """Stop a job; its last part is the result so far."""
        worker = self._assigned.get(session)
        if worker is not None:
            worker.send({"stop": job})

    def close_session(self, session: str) -> None:
        """Free everything that a session holds."""
        worker = self._assigned.pop(session, None)
        if worker is not None:
            worker.send({"close": session})

    async def status(self) -> list[Any]:
        """The status of every worker that is running."""
        found = []
        for worker in self._workers:
            if worker.pid is not None:
                async for part in worker.stream(self.new_job(), {"do": "status"}, skip=False):
                    found.append(part)
        return found

    async def close(self) -> None:
        if self._soon is not None:
            self._soon.cancel()
        await asyncio.gather(*(worker.close() for worker in self._workers))
