"""The curves of a training run, read again from its folder while it goes on."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

from honte.web.position import Json

EVERY = 1.0
"""Seconds that a view is cached."""
MOST_POINTS = 300
"""Maximum points of a curve."""
MOST_ROWS = 50
"""Latest generations in the table."""
NO_RUN = "no training run was given; start the server with `honte serve --training FOLDER`"
UNREADABLE = "the run's log cannot be read just now; try again in a moment"
FIGURES = (
    "generation", "seconds", "games", "positions", "policy_loss", "value_loss",
    "policy_agreement", "right", "right_searched", "score", "elo",
)  # fmt: skip


class Training:
    """The view of a run, computed at most once a second for all clients."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._view: Json | None = None
        self._made = 0.0
        self._lock = asyncio.Lock()

    @property
    def watching(self) -> bool:
        return self._folder is not None

    async def view(self) -> Json:
        """The answer to `training`."""
        if self._folder is None:
            raise ValueError(NO_RUN)
        async with self._lock:
            if self._view is None or time.monotonic() - self._made > EVERY:
                try:
                    self._view = await asyncio.to_thread(look, self._folder)
                except (OSError, LookupError, TypeError, ValueError, AttributeError):
                    raise ValueError(UNREADABLE) from None
                self._made = time.monotonic()
            return self._view


def look(folder: Path) -> Json:
    """Everything that the page draws."""
    from honte.nets import curves

    log = folder / "log.jsonl"
    logged = curves.rows_of(folder) if log.exists() else []  # a run begins without one
    rows = [{key: row.get(key) for key in FIGURES} for row in logged]
    written = (log if log.exists() else folder).stat().st_mtime
    return {
        "name": folder.absolute().name,
        "options": options(folder),
        "quiet": round(max(0.0, time.time() - written)),
        "generations": len(rows),
        "curves": {
            key: curves.thinned(
                [[row["seconds"], row[key]] for row in rows if row[key] is not None], MOST_POINTS
            )
            for key, _, _ in curves.CURVES
        },
        "rows": rows[-MOST_ROWS:],
    }


def options(folder: Path) -> Json:
    """Game, size and the like of a run on CPU cores; an accelerator's keeps them elsewhere."""
    path = folder / "run.json"
    found: Any = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {key: found[key] for key in ("game", "size", "simulations") if key in found}
