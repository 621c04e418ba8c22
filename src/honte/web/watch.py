"""The view of a store of games, refreshed while a tournament writes it."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from honte.web.position import Json

if TYPE_CHECKING:
    from honte.web.reader import Reader

EVERY = 1.0
"""Seconds that a view is cached."""
NO_STORE = "no store was given; start the server with `honte serve --store results.db`"
UNREADABLE = "the store cannot be read just now; try again in a moment"


class Watch:
    """The view of a store, computed at most once a second for all clients."""

    def __init__(self, path: str | Path | None) -> None:
        self._path = Path(path) if path is not None else None
        self._view: Json | None = None
        self._made = 0.0
        self._lock = asyncio.Lock()
        self._thread = ThreadPoolExecutor(1)  # SQLite's objects stay in one thread
        self._reader: Reader | None = None
        self._file: tuple[int, int] | None = None
        """Identity of the file that the reader has open: its path may come to name another."""

    @property
    def watching(self) -> bool:
        return self._path is not None

    async def view(self) -> Json:
        """The answer to `store`."""
        async with self._lock:
            if self._view is None or time.monotonic() - self._made > EVERY:
                self._view = await self._read(lambda reader: reader.view())
                self._made = time.monotonic()
            return self._view

    async def stored(self, id: str) -> Json:
        """The answer to `stored`: one game with what is known of its moves."""
        return await self._read(lambda reader: reader.stored(id))

    async def close(self) -> None:
        self._thread.submit(self._close_reader)
        self._thread.shutdown(wait=False)

    async def _read(self, work: Callable[[Reader], Json]) -> Json:
        if self._path is None:
            raise ValueError(NO_STORE)
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._thread, self._in_thread, work)
        except (OSError, sqlite3.Error):  # its message may name files
            raise ValueError(UNREADABLE) from None

    def _in_thread(self, work: Callable[[Reader], Json]) -> Json:
        from honte.web.reader import Reader  # the arena comes with it, which most do not need

        assert self._path is not None
        try:
            found = self._path.stat()
            file = (found.st_dev, found.st_ino)
            if file != self._file:
                self._close_reader()
            if self._reader is None:
                self._reader, self._file = Reader(self._path), file
            return work(self._reader)
        except (OSError, sqlite3.Error):
            self._close_reader()
            raise

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
            self._reader = self._file = None
