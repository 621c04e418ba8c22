"""The log of a training run: `log.jsonl`, a line of JSON for each event."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from honte.core.language import Message


def read_log(folder: Path) -> list[dict[str, Any]]:
    """The lines of a run's log, without one truncated by a kill."""
    path = folder / "log.jsonl"
    if not path.is_file():
        raise ValueError(
            Message("{folder} holds no training run; there is no log.jsonl in it", folder=folder)
        )
    return [json.loads(line) for line in path.read_bytes().split(b"\n")[:-1]]
