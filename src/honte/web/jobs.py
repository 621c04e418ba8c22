"""A child process that reports its work as events, one JSON object per line."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from honte.web.position import Json

LONGEST_LINE = 1 << 20
MOST_EVENTS = 500
GRACE = 3.0
"""Seconds to exit after the signal to do so."""


class Job:
    """One run of ``python -m MODULE ARGUMENTS…``, and its events so far."""

    def __init__(self, module: str, *arguments: str, env: Mapping[str, str] | None = None) -> None:
        self._words = [sys.executable, "-m", module, *arguments]
        self._env = {**os.environ, **(env or {})}
        self._process: asyncio.subprocess.Process | None = None
        self.events: list[Json] = []
        self.last: Json = {}

    async def run(self, hear: Callable[[Json], Awaitable[None]] | None = None) -> bool:
        """Run it to its end; returns whether it succeeded. Cancelling stops the process."""
        # Its standard input is a pipe from us: when we die, it ends too.
        process = self._process = await asyncio.create_subprocess_exec(
            *self._words,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            limit=LONGEST_LINE,
            process_group=0,
            env=self._env,
        )
        assert process.stdout is not None
        try:
            async for line in process.stdout:
                event: Any = json.loads(line)
                self.last = event
                if event.get("event") == "standing":  # it supersedes the events before it
                    self.events.clear()
                if len(self.events) < MOST_EVENTS:
                    self.events.append(event)
                if hear is not None:
                    await hear(event)
            return await process.wait() == 0
        finally:
            await self.stop()

    async def run_to_end(
        self, broken: str, hear: Callable[[Json], Awaitable[None]] | None = None
    ) -> bool:
        """Run it; returns whether its last event was ``end``. If not, adds one with these words."""
        if await self.run(hear) and self.last.get("event") == "end":
            return True
        self.events.append({"event": "refused", "words": broken})
        return False

    async def stop(self) -> None:
        """Stop the process and all its children."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        if sys.platform == "win32":
            process.kill()
            return
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await process.wait()
                    return
