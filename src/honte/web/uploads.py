"""Bots uploaded to the page: their trials and comparisons, one job at a time."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import sys
import tempfile
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from honte.games import MEASURED
from honte.sandbox.names import NO_BOTS, UPLOADS
from honte.submissions.sources import write_upload
from honte.web.games import random_board
from honte.web.jobs import Job
from honte.web.position import Json

if TYPE_CHECKING:
    from honte.submissions.versions import Version, Versions

NOTHING = "there is no file in the upload"
NOT_LOCAL = "a command line is only taken from the computer that the server runs on"
BROKEN = "the trial ended without a word; upload the bot again"
BROKEN_COMPARISON = "the comparison ended without a word; start it again"
BUSY = "a bot is being tried or compared; wait until that is done, or stop it"


def folder() -> Path:
    """Where uploads are kept: the folder that HONTE_UPLOADS names, or one in the user's data."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return Path(os.environ.setdefault(UPLOADS, str(Path(data, "honte", "bots"))))


class Uploads:
    """The versions of a bot, the trial of the newest one, and the comparison of two."""

    def __init__(self, *, local: bool) -> None:
        self._folder = folder()
        self._local = local
        self._board = random_board(MEASURED)
        self._events: list[Json] = []
        self._comparison: list[Json] = []
        self._job = ""
        """The kind of the last job: trial or compare."""
        self._task: asyncio.Task[bool] | None = None
        self._number = 0

    @cached_property
    def _versions(self) -> Versions:
        from honte.submissions.versions import Versions  # the sandbox comes with it

        return Versions(self._folder)

    def refusal(self) -> str:
        """Why nothing can be uploaded here; "" if it can."""
        if sys.platform == "win32":
            return NO_BOTS
        from honte.sandbox.levels import active_level, missing_for

        if not self._local and active_level() != "untrusted":
            return (
                f"others can reach this page, so bots need the sandbox: {missing_for('untrusted')}"
            )
        return ""

    async def view(self) -> Json:
        """The answer to `bots`."""
        refused, versions = await asyncio.to_thread(self._known)
        return {
            "refused": refused,
            "commands": self._local and not refused,
            "versions": versions,
            "running": self._running,
            "job": self._job,
            "number": self._number,
            "events": self._events,
            "comparison": self._comparison,
            "board": self._board,
        }

    def _known(self) -> tuple[str, list[Json]]:
        if words := self.refusal():
            return words, []
        return "", [version_json(name, version) for name, version in self._versions.names().items()]

    async def submit(self, files: list[tuple[str, bytes]], lang: str, command: str = "") -> Json:
        """Try a bot, or a command line; a trial in progress is cancelled."""
        if words := await asyncio.to_thread(self.refusal):
            raise ValueError(words)
        if command and not self._local:
            raise ValueError(NOT_LOCAL)
        await self.close()
        place = Path(tempfile.mkdtemp(prefix="honte-upload-"))
        try:
            given = ["--command", command]
            if not command:
                given = [str(await asyncio.to_thread(write_upload, files, place))]
        except (ValueError, OSError) as error:
            shutil.rmtree(place, ignore_errors=True)
            raise ValueError(str(error)) from None
        self._number += 1
        self._events, self._job = [], "trial"
        self._task = asyncio.create_task(self._try(place, given, lang))
        return {"number": self._number}

    async def compare(self, a: int, b: int, lang: str) -> Json:
        """Begin a match between two versions; their games so far count."""
        if words := await asyncio.to_thread(self.refusal):
            raise ValueError(words)
        await asyncio.to_thread(self._versions.pick, a, b)
        if self._running:
            raise ValueError(BUSY)
        job = comparison(self._versions.folder, a, b, lang)
        self._comparison, self._job = job.events, "compare"
        self._task = asyncio.create_task(job.run_to_end(BROKEN_COMPARISON))
        return {}

    async def stop_comparing(self) -> Json:
        """Stop a comparison; its games are kept."""
        if self._job == "compare":
            await self.close()
        return {}

    @property
    def _running(self) -> bool:
        return self._task is not None and not self._task.done()

    async def _try(self, place: Path, given: list[str], lang: str) -> bool:
        words = (str(self._versions.folder), *given)
        job = Job("honte.submissions.trial", *words, env={"HONTE_LANG": lang})
        self._events = job.events
        try:
            return await job.run_to_end(BROKEN, self._hear)
        finally:
            shutil.rmtree(place, ignore_errors=True)

    async def _hear(self, event: Json) -> None:
        if event["event"] in ("build", "checked"):
            await asyncio.to_thread(self._versions.write_names)

    async def close(self) -> None:
        """Cancel the job."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task


def comparison(folder: Path, a: int, b: int, lang: str, *settings: str) -> Job:
    """The comparison of two versions, not yet run; settings: see `honte.submissions.compare`."""
    words = (str(folder), str(a), str(b), *settings)
    return Job("honte.submissions.compare", *words, env={"HONTE_LANG": lang})


def version_json(name: str, version: Version) -> Json:
    return {
        "name": name,
        "number": version.number,
        "time": version.time,
        "elo": version.elo,
        "error": version.error,
        "games": version.games,
        "faults": list(version.faults),
    }
