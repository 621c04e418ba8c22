"""Reads a store of games in one thread: the standings, the latest games, one game."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
from pathlib import Path

from honte.arena.export import record_of
from honte.arena.game import Played
from honte.arena.schedule import Task
from honte.arena.sprt import Sprt
from honte.arena.store import Store
from honte.arena.tournament import Tournament, expected_games
from honte.core import file_lock
from honte.core.messages import quote
from honte.web.exchange import MOST_NAME, plain, record_json
from honte.web.position import Json
from honte.web.studies import Studied, study_of

LAST_GAMES = 100
MOST_PLAYERS = 100
MOST_POINTS = 2000
ROWS = """
SELECT games.rowid AS row, games.id, number, game, one.spec AS one, two.spec AS two, a_first,
       one.version AS one_version, two.version AS two_version,
       seed, result, score, reason, fault, moves
FROM games JOIN players AS one ON one.id = first JOIN players AS two ON two.id = second
WHERE games.rowid > ? ORDER BY games.rowid
"""


class Reader:
    """An open store, with the games that have been read from it so far."""

    def __init__(self, path: Path) -> None:
        self._store = Store(path, write=False)
        self._games: list[Played] = []
        self._ids: dict[int, str] = {}
        self._places: dict[str, int] = {}
        """Places of the games by their ids."""
        self._last_row = 0
        self._studied: Studied | None = None

    def close(self) -> None:
        self._store.close()

    def view(self) -> Json:
        db = self._store.db
        newest = db.execute("SELECT max(rowid) FROM games").fetchone()[0] or 0
        if newest < self._last_row:  # the store was replaced by another
            self._games, self._ids, self._places, self._last_row = [], {}, {}, 0
            self._studied = None
        for row in db.execute(ROWS, (self._last_row,)):
            self._ids[len(self._games)] = row["id"]
            self._places[row["id"]] = len(self._games)
            self._games.append(_played(row))
            self._last_row = row["row"]
        runs = [
            {
                "id": row["id"],
                "command": _command(row["command"]),
                "version": row["version"],
                "started": row["started"],
                "ended": row["ended"],
                "stopped": row["stopped"],
            }
            for row in db.execute("SELECT * FROM runs ORDER BY id DESC LIMIT 20")
        ][::-1]
        study = self._study(runs[-1]) if runs else None
        for run in runs:
            run["command"] = study_of(run["command"])
        view = _view(self._games, self._ids, runs, study is None)
        if study is not None:
            done = study.get("games", len(self._games))
            view |= {"study": study, "done": done, "total": study.get("expected")}
        return view | {"writing": is_written(self._store.path)}

    def _study(self, run: Json) -> Json | None:
        """Progress of the study that the last run plays; None if it plays none."""
        if run["command"].get("command") != "tune":
            return None
        if self._studied is None or not self._studied.is_of(run):
            self._studied = Studied(run)
        return self._studied.look(self._find)

    def _find(self, id: str) -> Played | None:
        place = self._places.get(id)
        return None if place is None else self._games[place]

    def stored(self, id: str) -> Json:
        if any(letter not in "0123456789abcdef" for letter in id):
            raise ValueError(f"{quote(id)} is not the id of a game; choose one from the list")
        if not self._store.db.execute("SELECT 1 FROM games WHERE id = ?", (id,)).fetchone():
            raise ValueError(f"there is no game {quote(id)} in the store; choose one from the list")
        played = self._store.get(id)
        return record_json(record_of(played)) | {
            "times": list(played.times),
            "values": list(played.values),
            "reason": played.reason,
            "detail": plain(played.detail, MOST_NAME),
        }


def is_written(path: Path) -> bool | None:
    """Whether a run holds the store just now; None if that cannot be determined.

    A killed run never says so in the store, but the kernel releases its lock.
    """
    try:
        lock = os.open(f"{path}-lock", os.O_RDONLY | file_lock.CLOSED_ON_EXEC)
    except FileNotFoundError:
        return False
    except OSError:
        return None
    try:
        file_lock.lock(lock, shared=True)  # released at once, by closing
        return False
    except OSError as error:
        return True if error.errno in (errno.EAGAIN, errno.EACCES) else None
    finally:
        os.close(lock)


def _command(text: str) -> Json:
    """The recorded command of a run, without unexpected values."""
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _played(row: sqlite3.Row) -> Played:
    """A game without its moves, which are replaced by a number that tells games apart."""
    sign = 1 if row["a_first"] else -1
    task = Task(
        number=row["number"],
        game=row["game"],
        players=(row["one"], row["two"]),
        a_first=bool(row["a_first"]),
        seed=row["seed"],
        opening=(),
        limit=None,
        versions=(row["one_version"], row["two_version"]),
    )
    return Played(
        task=task,
        moves=(hash(row["moves"]), row["moves"].count(" ") + bool(row["moves"])),
        result=sign * row["result"],
        margin=None if row["score"] is None else sign * row["score"],
        reason=row["reason"],
        fault=row["fault"],
    )


def _view(games: list[Played], ids: dict[int, str], runs: list[Json], rated: bool) -> Json:
    counted = _of_builds(games, runs[-1]) if runs else games
    names = list(dict.fromkeys(name for played in counted for name in played.task.players))
    shown: Json = {"players": [], "crosstable": [], "reasons": {}}
    if rated and 2 <= len(names) <= MOST_PLAYERS:
        adaptive = bool(runs) and runs[-1]["command"].get("system") == "adaptive"
        table = Tournament(names, by_rating=adaptive)
        for played in counted:
            table.add(played)
        shown = table.summary()
    done, total = _progress(games, runs)
    first = max(0, len(games) - LAST_GAMES)
    return shown | {
        "runs": runs,
        "games": [
            {
                "id": ids[index],
                "players": list(played.task.players),
                "result": played.for_first,
                "reason": played.reason,
                "plies": played.moves[1],
                "game": played.task.game,
            }
            for index, played in reversed(list(enumerate(games))[first:])
        ],
        "played": len(games),
        "done": done,
        "total": total,
        "sprt": _sprt(games, runs),
    }


def _of_run(games: list[Played], run: Json) -> list[Played]:
    """The games that a run plays or has found in the store."""
    command = run["command"]
    names = command.get("players")
    if not isinstance(names, list):
        return []
    return [
        played
        for played in _of_builds(games, run)
        if all(name in names for name in played.task.players)
    ]


def _of_builds(games: list[Played], run: Json) -> list[Played]:
    """The games without those of other builds of the run's engines."""
    builds = run["command"].get("engines")
    if not isinstance(builds, dict):
        return games
    return [
        played
        for played in games
        if all(
            builds.get(spec, build) == build
            for spec, build in zip(played.task.players, played.task.versions, strict=True)
        )
    ]


def _progress(games: list[Played], runs: list[Json]) -> tuple[int, int | None]:
    """The games of the last run that have been played, and their total."""
    if not runs:
        return len(games), None
    command = runs[-1]["command"]
    done = len(_of_run(games, runs[-1]))
    try:
        if "games" in command:
            total = int(command["games"])
        else:
            count = len(command["players"])
            total = expected_games(command["system"], count, int(command["rounds"]))
    except (KeyError, TypeError, ValueError):
        return done, None
    return min(done, total), total


def _sprt(games: list[Played], runs: list[Json]) -> Json | None:
    """The course of a match's sequential test, pair by pair in the order of the schedule."""
    command = runs[-1]["command"] if runs else {}
    bounds = command.get("sprt")
    if command.get("command") != "match" or not bounds:
        return None
    try:
        test = Sprt(float(bounds[0]), float(bounds[1]), str(command.get("sprt_model", "paired")))
    except (ValueError, TypeError, IndexError, KeyError):
        return None
    pairs: dict[int, list[int]] = {}
    for played in _of_run(games, runs[-1]):
        pairs.setdefault(played.task.number // 2, []).append(played.result)
    curve = []
    for number, results in sorted(pairs.items()):
        if len(results) == 2:
            test.add(*results)
            curve.append([number + 1, round(test.llr, 3)])
    step = max(1, len(curve) // MOST_POINTS)
    kept = curve[::step] + (curve[-1:] if (len(curve) - 1) % step else [])
    return test.summary() | {"players": command["players"], "curve": kept}
