"""The games of a class's rounds, read as they come: whose they are, and which are worth a look."""

from __future__ import annotations

import math
import sqlite3
import threading
from collections import defaultdict
from pathlib import Path
from typing import Any

from honte.arena.statistics import expected
from honte.web.position import Json

LATEST = 60
"""Games that a student's page lists."""
RECENT = 40
"""Games among which the most interesting is looked for."""
SHOWN = 8
ROWS = """
SELECT games.rowid AS row, games.id, game, one.spec AS one, two.spec AS two, result, reason,
       detail, fault, moves
FROM games JOIN players AS one ON one.id = first JOIN players AS two ON two.id = second
WHERE games.rowid > ? ORDER BY games.rowid
"""


def author_of(bot: str) -> str:
    """The student in the name of a bot.

    >>> author_of("Anna-v12")
    'Anna'
    """
    return bot.rpartition("-v")[0]


def seen_by(slug: str, game: Json) -> Json:
    """A game from one side; the details of a fault are shown only to the bot's author."""
    side = [author_of(name) for name in game["players"]].index(slug)
    return {
        "id": game["id"],
        "bot": game["players"][side],
        "opponent": game["players"][1 - side],
        "first": side == 0,
        "result": game["result"] if side == 0 else -game["result"],
        "reason": game["reason"],
        "detail": game["detail"] if game["fault"] == side else "",
        "plies": game["plies"],
        "game": game["game"],
    }


class ClassGames:
    """Heads of all games, by student."""

    def __init__(self, store: Path) -> None:
        self._path = store
        self._lock = threading.Lock()
        self._last = 0
        self._by_slug: dict[str, list[Json]] = defaultdict(list)
        self._recent: list[Json] = []
        self._players: dict[str, frozenset[str]] = {}

    def read(self) -> None:
        """Read the games played since the last call; any thread may call."""
        with self._lock:
            self._read()

    def _read(self) -> None:
        if not self._path.is_file():
            return
        db = sqlite3.connect(f"{self._path.absolute().as_uri()}?mode=ro", uri=True, timeout=5.0)
        try:
            db.row_factory = sqlite3.Row
            for row in db.execute(ROWS, (self._last,)):
                self._add(row)
                self._last = row["row"]
        finally:
            db.close()

    def _add(self, row: Any) -> None:
        game = {
            "id": row["id"],
            "players": [row["one"], row["two"]],
            "result": row["result"],
            "reason": row["reason"],
            "fault": row["fault"],
            "detail": row["detail"],
            "plies": row["moves"].count(" ") + bool(row["moves"]),
            "game": row["game"],
        }
        slugs = [author_of(name) for name in game["players"]]
        self._players[row["id"]] = frozenset(slugs)
        for slug in slugs:
            self._by_slug[slug] = [*self._by_slug[slug][1 - LATEST :], game]
        self._recent = [*self._recent[1 - RECENT :], game]

    def is_of(self, game: str, slug: str) -> bool:
        """Whether a student's bot played a game."""
        return slug in self._players.get(game, ())

    def of(self, slug: str) -> list[Json]:
        """The latest games of a student's bots as that student sees them, newest first."""
        return [seen_by(slug, game) for game in reversed(self._by_slug.get(slug, []))]

    def fault_of(self, game: str, slug: str) -> bool:
        """Whether a student's own bot broke in a game."""
        return any(
            one["id"] == game and bool(seen_by(slug, one)["detail"])
            for one in self._by_slug.get(slug, ())
        )

    def highlights(self, rows: list[Json]) -> list[Json]:
        """The most interesting of the latest games: upsets, and long games between equals."""
        elo = {row["player"]: row["elo"] for row in rows if not row["retired"]}
        found = []
        for age, game in enumerate(reversed(self._recent)):
            if game["fault"] is not None or not all(name in elo for name in game["players"]):
                continue
            one, two = (elo[name] for name in game["players"])
            share = expected(one - two)
            got = (1 + game["result"]) / 2
            surprise = -math.log2(max(1e-3, 1 - abs(got - share)))
            close = math.exp(-((one - two) ** 2) / (2 * 100**2)) * game["plies"] / 60
            kind = "upset" if surprise > 1.5 else "close" if close > 0.5 else "latest"
            found.append(
                (surprise + close - age / RECENT, game | {"kind": kind, "elo": [one, two]})
            )
        found.sort(key=lambda pair: -pair[0])
        return [game for _, game in found[:SHOWN]]
