"""Games as rows of the store's tables."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import asdict
from functools import lru_cache

from honte.arena.game import Played
from honte.arena.schedule import Clock, Task
from honte.core.games import game as make_game
from honte.core.request import Limit

SELECT = """
SELECT games.*, one.spec AS one, one.version AS one_version,
       two.spec AS two, two.version AS two_version
FROM games JOIN players AS one ON one.id = first JOIN players AS two ON two.id = second
"""


@lru_cache(256)
def limits_text(limit: Limit | None, clock: Clock) -> str:
    return json.dumps({"move": asdict(limit) if limit else None, "clock": asdict(clock)})


@lru_cache(10_000)
def move_text(game: str, move: int) -> str:
    """A move in the notation of the game."""
    return make_game(game).format(move)


def plain_text(text: str) -> str:
    """Text that SQLite accepts: without lone surrogates."""
    return text.encode("utf-8", "replace").decode("utf-8")


def task_of(row: sqlite3.Row) -> Task:
    limits = json.loads(row["limits"])
    game = make_game(row["game"])
    words = row["moves"].split()[: row["opening"]]
    return Task(
        number=row["number"],
        game=row["game"],
        players=(row["one"], row["two"]),
        a_first=bool(row["a_first"]),
        seed=row["seed"],
        opening=tuple(map(game.parse, words)),
        limit=Limit(**limits["move"]) if limits["move"] else None,
        clock=Clock(**limits["clock"]),
        versions=(row["one_version"], row["two_version"]),
    )


def played_of(row: sqlite3.Row, task: Task | None = None) -> Played:
    task = task or task_of(row)
    game = make_game(task.game)
    sign = 1 if task.a_first else -1
    sandbox = json.loads(row["sandbox"])
    # A read-only store of format 1 has no such column.
    idle = json.loads(row["idle"]) if "idle" in row.keys() else [None, None]  # noqa: SIM118
    return Played(
        task=task,
        moves=tuple(map(game.parse, row["moves"].split())),
        result=sign * row["result"],
        margin=None if row["score"] is None else sign * row["score"],
        reason=row["reason"],
        detail=row["detail"],
        fault=row["fault"],
        times=tuple(json.loads(row["times"])),
        values=tuple(json.loads(row["evals"])),
        sandbox=(sandbox[0], sandbox[1]),
        idle=(idle[0], idle[1]),
        stderr=row["stderr"],
        started=row["started"],
        seconds=row["seconds"],
    )
