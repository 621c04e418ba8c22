"""The store: every game of a run in one SQLite file, one transaction a game.

A game that is in the store is finished and stays; one that is not has not been played, whatever
moment the arena was killed at. `honte show` and any SQLite program can read along meanwhile.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Self

from honte.arena.game import Played
from honte.arena.schedule import Clock, Task
from honte.games.registry import game as make_game
from honte.search.limit import Limit

FORMAT = 2
PATIENCE = 5.0
"""Seconds to wait for somebody else who holds the store."""
MARK = 0x686F6E74
"""application_id: "hont"."""

SCHEMA = """
CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    spec TEXT NOT NULL,
    version TEXT NOT NULL,
    UNIQUE (spec, version)
);
CREATE TABLE games (
    id TEXT PRIMARY KEY,        -- from the schedule and its seed
    number INTEGER NOT NULL,    -- its place in the schedule that played it
    game TEXT NOT NULL,         -- full spec
    first INTEGER NOT NULL REFERENCES players (id),
    second INTEGER NOT NULL REFERENCES players (id),
    a_first INTEGER NOT NULL,   -- whether the schedule's A moved first
    seed INTEGER NOT NULL,
    opening INTEGER NOT NULL,   -- how many of the moves the arena made
    limits TEXT NOT NULL,       -- JSON
    moves TEXT NOT NULL,        -- as people write them, with blanks between
    times TEXT NOT NULL,        -- JSON: seconds a move
    evals TEXT NOT NULL,        -- JSON: the mover's own value of it, −1 to 1
    result INTEGER NOT NULL,    -- 1, 0, −1 for the first mover
    score REAL,                 -- the game's own measure for the first mover
    reason TEXT NOT NULL,
    fault INTEGER,              -- the side (0, 1) that ended it by a fault
    detail TEXT NOT NULL,
    stderr TEXT NOT NULL,
    sandbox TEXT NOT NULL,      -- JSON: what each side was kept by
    started REAL NOT NULL,      -- seconds since 1970
    seconds REAL NOT NULL,
    idle TEXT NOT NULL DEFAULT '[null, null]'  -- JSON: each bot's processor time on the other's
);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    command TEXT NOT NULL,      -- JSON
    version TEXT NOT NULL,      -- of honte
    started REAL NOT NULL,
    ended REAL,
    stopped TEXT                -- why; NULL while it runs, or if it was killed
);
CREATE INDEX games_players ON games (first, second);
"""
SELECT = """
SELECT games.*, one.spec AS one, one.version AS one_version,
       two.spec AS two, two.version AS two_version
FROM games JOIN players AS one ON one.id = first JOIN players AS two ON two.id = second
"""


class StoreError(OSError):
    """The store cannot be used; one sentence says why."""


@dataclass(frozen=True)
class Head:
    """A game in a list: all but its moves."""

    id: str
    game: str
    players: tuple[str, str]
    result: int
    reason: str
    plies: int


class Store:
    """A store that games are added to. One process at a time may; others can read."""

    def __init__(self, path: str | os.PathLike[str], write: bool = True) -> None:
        self.path = Path(path)
        self._lock: int | None = None
        self._players: dict[tuple[str, str], int] = {}
        """Numbers of players that are in the file."""
        if not write and not self.path.is_file():
            raise StoreError(f"there is no store {self.path}; name one that a run has written")
        try:
            if write:
                self._take_lock()
            self._open(write)
        except sqlite3.DatabaseError as error:
            self.close()
            raise self._worded(error) from error
        except BaseException:
            self.close()
            raise

    _db: sqlite3.Connection | None = None

    @property
    def db(self) -> sqlite3.Connection:
        if self._db is None:
            raise StoreError(f"the store {self.path} is closed")
        return self._db

    def _take_lock(self) -> None:
        """Hold the file beside the store, so that two runs never play the same game."""
        if self.path.is_dir():
            raise StoreError(f"{self.path} is a folder; name a file in it for the store")
        lock = Path(f"{self.path}-lock")
        try:
            self._lock = os.open(lock, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        except OSError as error:
            raise StoreError(
                f"the store {self.path} cannot be written here ({error.strerror}); "
                "name a file in a folder of yours"
            ) from error
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                fcntl.lockf(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise StoreError(
                        f"another run holds the store {self.path}; "
                        "wait for it to end, or name another store"
                    ) from None
                time.sleep(0.05)

    def _open(self, write: bool) -> None:
        # check_same_thread stays on: one supervisor, one thread, one writer.
        name = self.path.absolute().as_uri() + ("" if write else "?mode=ro")
        self._db = sqlite3.connect(name, uri=True, timeout=PATIENCE, isolation_level=None)
        self._db.row_factory = sqlite3.Row
        mark = self._db.execute("PRAGMA application_id").fetchone()[0]
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if mark != MARK and tables:
            raise StoreError(f"{self.path} is a database of something else; name another file")
        if version > FORMAT:
            raise StoreError(f"{self.path} was written by a newer honte; update this one")
        if write:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")  # a power cut loses no finished game
            self._db.execute("PRAGMA wal_autocheckpoint = 256")
        if write and tables and version == 1:
            self._db.executescript(
                "BEGIN IMMEDIATE; ALTER TABLE games ADD COLUMN idle TEXT NOT NULL "
                f"DEFAULT '[null, null]'; PRAGMA user_version = {FORMAT}; COMMIT;"
            )
        if not tables:
            if not write:
                raise StoreError(f"{self.path} holds no games yet")
            self._db.executescript(
                f"BEGIN IMMEDIATE; PRAGMA application_id = {MARK}; "
                f"PRAGMA user_version = {FORMAT}; {SCHEMA} COMMIT;"
            )

    def _worded(self, error: sqlite3.Error) -> StoreError:
        """What an error of SQLite means to the person at the keyboard."""
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == sqlite3.SQLITE_FULL or code == sqlite3.SQLITE_IOERR:
            return StoreError(
                f"the store {self.path} could not be written ({error}): the disk is full or "
                "failing; finished games are kept, and the same command goes on from them"
            )
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StoreError(
                f"another program holds the store {self.path}; close it and start again"
            )
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return StoreError(f"{self.path} is not a store of games; name another file")
        return StoreError(f"the store {self.path} cannot be used: {error}")

    def close(self) -> None:
        if self._db is not None:
            # What was committed is on the disk; the log is read at the next start.
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    # -- writing -----------------------------------------------------------------------

    def add(self, *played: Played) -> None:
        """Keep finished games: all of them or, if anything happens meanwhile, none."""
        try:
            self.db.execute("BEGIN IMMEDIATE")
            try:
                for one in played:
                    self._insert(one)
                self.db.execute("COMMIT")
            except BaseException:
                self._players.clear()
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise self._worded(error) from error

    def _insert(self, played: Played) -> None:
        task = played.task
        sign = 1 if task.a_first else -1
        values = {
            "id": task.id,
            "number": task.number,
            "game": task.game,
            "first": self._player(task.players[0], task.versions[0]),
            "second": self._player(task.players[1], task.versions[1]),
            "a_first": int(task.a_first),
            "seed": task.seed,
            "opening": len(task.opening),
            "limits": _limits(task.limit, task.clock),
            "moves": " ".join(_written(task.game, move) for move in played.moves),
            "times": json.dumps(played.times),
            "evals": json.dumps([None if v is None else round(v, 5) for v in played.values]),
            "result": played.for_first,
            "score": None if played.margin is None else sign * played.margin,
            "reason": played.reason,
            "fault": played.fault,
            "detail": _text(played.detail),
            "stderr": _text(played.stderr),
            "sandbox": json.dumps(played.sandbox),
            "started": played.started,
            "seconds": played.seconds,
            "idle": json.dumps(played.idle),
        }
        names = ", ".join(values)
        marks = ", ".join(f":{name}" for name in values)
        self.db.execute(f"INSERT INTO games ({names}) VALUES ({marks})", values)

    def _player(self, spec: str, version: str) -> int:
        known = self._players.get((spec, version))
        if known is not None:
            return known
        self.db.execute(
            "INSERT OR IGNORE INTO players (spec, version) VALUES (?, ?)", (spec, version)
        )
        found = self.db.execute(
            "SELECT id FROM players WHERE spec = ? AND version = ?", (spec, version)
        )
        if len(self._players) > 1000:
            self._players.clear()
        number = self._players[spec, version] = int(found.fetchone()[0])
        return number

    def begin_run(self, command: dict[str, object], version: str) -> int:
        """Write down that a run begins; its number."""
        try:
            cursor = self.db.execute(
                "INSERT INTO runs (command, version, started) VALUES (?, ?, ?)",
                (json.dumps(command), version, time.time()),
            )
        except sqlite3.Error as error:
            raise self._worded(error) from error
        return int(cursor.lastrowid or 0)

    def end_run(self, run: int, stopped: str) -> None:
        """Write down why a run ended; a full disk has been reported already."""
        try:
            self.db.execute(
                "UPDATE runs SET ended = ?, stopped = ? WHERE id = ?", (time.time(), stopped, run)
            )
        except sqlite3.Error:
            return

    # -- reading -----------------------------------------------------------------------

    def _query(self, text: str, *values: object) -> list[sqlite3.Row]:
        try:
            return self.db.execute(text, values).fetchall()
        except sqlite3.Error as error:
            raise self._worded(error) from error

    def find(self, task: Task) -> Played | None:
        """The game of a task, if it has been played."""
        rows = self._query(SELECT + "WHERE games.id = ?", task.id)
        return _played(rows[0], task) if rows else None

    def get(self, id: str) -> Played:
        """A game by its id, or by the beginning of it."""
        prefix = id.strip().lower()
        if not prefix or any(letter not in "0123456789abcdef" for letter in prefix):
            raise ValueError(f"{id[:40]!r} is no id of a game; `honte show --store DB` lists them")
        rows = self._query(SELECT + "WHERE games.id LIKE ? LIMIT 2", prefix + "%")
        if not rows:
            raise ValueError(
                f"there is no game {id[:40]} in {self.path}; `honte show --store DB` lists them"
            )
        if len(rows) > 1:
            raise ValueError(f"more than one game's id begins with {prefix}; write more of it")
        return _played(rows[0])

    def games(self) -> Iterator[Played]:
        """Every game, in the order of its playing."""
        try:
            for row in self.db.execute(SELECT + "ORDER BY games.rowid"):
                yield _played(row)
        except sqlite3.Error as error:
            raise self._worded(error) from error

    def heads(self, last: int) -> list[Head]:
        """The games played last, the newest at the end."""
        rows = self._query(SELECT + "ORDER BY games.rowid DESC LIMIT ?", last)
        return [
            Head(
                id=row["id"],
                game=row["game"],
                players=(row["one"], row["two"]),
                result=row["result"],
                reason=row["reason"],
                plies=len(row["moves"].split()),
            )
            for row in reversed(rows)
        ]

    def __len__(self) -> int:
        return int(self._query("SELECT count(*) FROM games")[0][0])


@lru_cache(256)
def _limits(limit: Limit | None, clock: Clock) -> str:
    return json.dumps({"move": asdict(limit) if limit else None, "clock": asdict(clock)})


@lru_cache(10_000)
def _written(game: str, move: int) -> str:
    """A move as people write it."""
    return make_game(game).format(move)


def _text(text: str) -> str:
    """Text that SQLite takes: no half of a surrogate pair."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _played(row: sqlite3.Row, task: Task | None = None) -> Played:
    if task is None:
        limits = json.loads(row["limits"])
        game = make_game(row["game"])
        words = row["moves"].split()[: row["opening"]]
        task = Task(
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
    game = make_game(task.game)
    sign = 1 if task.a_first else -1
    sandbox = json.loads(row["sandbox"])
    # A store of the first format that is only read has no such column.
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
