"""A process that tells what it does in events, a JSON object a line."""

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
"""Seconds to end after a signal to do so."""


class Job:
    """One run of ``python -m MODULE ARGUMENTS…``, and the events that it has told."""

    def __init__(self, module: str, *arguments: str, env: Mapping[str, str] | None = None) -> None:
        self._words = [sys.executable, "-m", module, *arguments]
        self._env = {**os.environ, **(env or {})}
        self._process: asyncio.subprocess.Process | None = None
        self.events: list[Json] = []
        self.last: Json = {}

    async def run(self, hear: Callable[[Json], Awaitable[None]] | None = None) -> bool:
        """Run it to its end; whether it ended well. Cancelled, it stops the process."""
        # It holds the other end of its standard input: when we die, it ends too.
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
                if event.get("event") == "standing":  # it says all that those before it said
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
        """Run it; whether its last event was ``end``. If not, an event says so in these words."""
        if await self.run(hear) and self.last.get("event") == "end":
            return True
        self.events.append({"event": "refused", "words": broken})
        return False

    async def stop(self) -> None:
        """End the process with all that it started."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, number)
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(GRACE):
                    await process.wait()
                    return
