"""The store: the games of runs in one SQLite file, one transaction per game.

A game is either stored whole or not at all, whenever the arena is killed. `honte show` and any
SQLite program can read the store during a run.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from honte.arena.game import Played
from honte.arena.identity import Identity
from honte.arena.rows import SELECT, limits_text, move_text, plain_text, played_of, task_of
from honte.arena.schedule import Task
from honte.core import file_lock
from honte.core.language import Message

FORMAT = 3
"""1 had no `idle`; 2 no `builds`, its players have a version string in place of a build."""
PATIENCE = 5.0
"""Seconds to wait for another process that holds the store."""
MARK = 0x686F6E74
"""application_id: "hont"."""

SCHEMA = """
CREATE TABLE players (
    id INTEGER PRIMARY KEY,
    spec TEXT NOT NULL,
    version TEXT NOT NULL,      -- the hash of the build that played
    UNIQUE (spec, version)
);
CREATE TABLE games (
    id TEXT PRIMARY KEY,        -- a hash of what determines the game
    number INTEGER NOT NULL,    -- in the schedule that played it
    game TEXT NOT NULL,         -- full spec
    first INTEGER NOT NULL REFERENCES players (id),
    second INTEGER NOT NULL REFERENCES players (id),
    a_first INTEGER NOT NULL,   -- whether the schedule's A moved first
    seed INTEGER NOT NULL,
    opening INTEGER NOT NULL,   -- how many of the moves are the opening
    limits TEXT NOT NULL,       -- JSON
    moves TEXT NOT NULL,        -- in the notation of the game, separated by spaces
    times TEXT NOT NULL,        -- JSON: seconds per move
    evals TEXT NOT NULL,        -- JSON: the mover's own evaluation, −1 to 1
    result INTEGER NOT NULL,    -- 1, 0, −1 for the first mover
    score REAL,                 -- for the first mover, in the game's unit
    reason TEXT NOT NULL,
    fault INTEGER,              -- the side (0, 1) whose fault ended it
    detail TEXT NOT NULL,
    stderr TEXT NOT NULL,
    sandbox TEXT NOT NULL,      -- JSON: the sandbox of each side
    started REAL NOT NULL,      -- seconds since 1970
    seconds REAL NOT NULL,
    idle TEXT NOT NULL DEFAULT '[null, null]'  -- JSON: CPU seconds on the opponent's time
);
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    command TEXT NOT NULL,      -- JSON
    version TEXT NOT NULL,      -- of honte
    started REAL NOT NULL,
    ended REAL,
    stopped TEXT                -- why; NULL while it runs or if it was killed
);
"""
BUILDS = """
CREATE TABLE builds (
    hash TEXT PRIMARY KEY,
    words TEXT NOT NULL         -- what it consists of
);
CREATE INDEX games_pairing ON games (first, second, seed);
"""


class StoreError(OSError):
    """The store cannot be used; the message says why."""


@dataclass(frozen=True)
class Head:
    """A game in a list, without its moves."""

    id: str
    game: str
    players: tuple[str, str]
    result: int
    reason: str
    plies: int


@dataclass(frozen=True)
class Engine:
    """A player spec and the build that played under it."""

    spec: str
    build: str
    words: str
    """What the build consists of; "" for games from before builds were recorded."""
    games: int
    since: float
    """When its first game began, in seconds since 1970."""


class Store:
    """A store of games. One at a time may write; others can read meanwhile."""

    def __init__(self, path: str | os.PathLike[str], write: bool = True) -> None:
        self.path = Path(path)
        self._claim: file_lock.Claim | None = None
        self._lock: int | None = None
        self._players: dict[tuple[str, str], int] = {}
        """Row ids of players that are in the file."""
        self._words: dict[str, str] = {}
        """Descriptions of builds that were looked up."""
        if not write and not self.path.is_file():
            raise StoreError(
                Message("there is no store {path}; name one that a run has written", path=self.path)
            )
        try:
            if write:
                self._take_lock()
            self._open(write)
        except sqlite3.DatabaseError as error:
            self.close()
            raise self._explained(error) from error
        except BaseException:
            self.close()
            raise

    _db: sqlite3.Connection | None = None

    @property
    def db(self) -> sqlite3.Connection:
        if self._db is None:
            raise StoreError(Message("the store {path} is closed", path=self.path))
        return self._db

    def _take_lock(self) -> None:
        """Lock a file beside the store, so that two runs never play the same game."""
        if self.path.is_dir():
            raise StoreError(
                Message("{path} is a folder; name a file in it for the store", path=self.path)
            )
        deadline = time.monotonic() + PATIENCE
        while (claim := file_lock.claim(self.path)) is None:
            self._wait_for_other(deadline)
        self._claim = claim
        lock = Path(f"{self.path}-lock")
        try:
            self._lock = os.open(lock, os.O_RDWR | os.O_CREAT | file_lock.CLOSED_ON_EXEC, 0o666)
        except OSError as error:
            raise StoreError(
                Message(
                    "the store {path} cannot be written here ({strerror}); name a file in a folder "
                    "of yours",
                    path=self.path,
                    strerror=error.strerror,
                )
            ) from error
        while True:
            try:
                file_lock.lock(self._lock)
                return
            except OSError:
                self._wait_for_other(deadline)

    def _wait_for_other(self, deadline: float) -> None:
        if time.monotonic() > deadline:
            raise StoreError(
                Message(
                    "another run holds the store {path}; wait for it to end, or name another store",
                    path=self.path,
                )
            ) from None
        time.sleep(0.05)

    def _open(self, write: bool) -> None:
        # check_same_thread stays on: one thread of the supervisor writes.
        address = self.path.absolute().as_uri()
        self._db = _connect(address if write else f"{address}?mode=ro")
        try:
            mark = self._db.execute("PRAGMA application_id").fetchone()[0]
        except sqlite3.OperationalError:
            # Reading a WAL database writes files beside it, unless it is opened as immutable.
            if write or self._has_log() or os.access(self.path.parent, os.W_OK):
                raise
            self._db.close()
            self._db = _connect(f"{address}?mode=ro&immutable=1")
            mark = self._db.execute("PRAGMA application_id").fetchone()[0]
        version = self._db.execute("PRAGMA user_version").fetchone()[0]
        tables = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if mark != MARK and tables:
            raise StoreError(
                Message("{path} is a database of something else; name another file", path=self.path)
            )
        if version > FORMAT:
            raise StoreError(
                Message("{path} was written by a newer honte; update this one", path=self.path)
            )
        if write:
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = FULL")  # a power cut loses no stored game
            self._db.execute("PRAGMA wal_autocheckpoint = 256")
        self._has_builds = version >= 3 or write
        if write and tables and version < FORMAT:
            idle = "ALTER TABLE games ADD COLUMN idle TEXT NOT NULL DEFAULT '[null, null]';"
            self._db.executescript(
                f"BEGIN IMMEDIATE; {idle if version == 1 else ''} "
                f"DROP INDEX IF EXISTS games_players; {BUILDS} "
                f"PRAGMA user_version = {FORMAT}; COMMIT;"
            )
        if not tables:
            if not write:
                raise StoreError(Message("{path} holds no games yet", path=self.path))
            self._db.executescript(
                f"BEGIN IMMEDIATE; PRAGMA application_id = {MARK}; "
                f"PRAGMA user_version = {FORMAT}; {SCHEMA} {BUILDS} COMMIT;"
            )

    def _has_log(self) -> bool:
        """Whether some games are only in the write-ahead log beside the store."""
        log = Path(f"{self.path}-wal")
        return log.exists() and log.stat().st_size > 0

    def _explained(self, error: sqlite3.Error) -> StoreError:
        """An SQLite error as a message for the user."""
        code = vars(error).get("sqlite_errorcode", 0) & 0xFF  # the sqlite3 module's own have none
        if code == sqlite3.SQLITE_FULL or code == sqlite3.SQLITE_IOERR:
            return StoreError(
                Message(
                    "the store {path} could not be written ({error}): the disk is full or failing; "
                    "finished games are kept, and the same command resumes from them",
                    path=self.path,
                    error=error,
                )
            )
        if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StoreError(
                Message(
                    "another program holds the store {path}; close it and start again",
                    path=self.path,
                )
            )
        if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
            return StoreError(
                Message("{path} is not a store of games; name another file", path=self.path)
            )
        return StoreError(
            Message("the store {path} cannot be used: {error}", path=self.path, error=error)
        )

    def close(self) -> None:
        if self._db is not None:
            # Committed games are on disk; SQLite reads its log at the next start.
            with contextlib.suppress(sqlite3.Error):
                self._db.close()
            self._db = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None
        if self._claim is not None:
            file_lock.release(self._claim)
            self._claim = None

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
        """Store finished games in one transaction: all of them or none.

        A game that is stored already stays as it is: the caller may have been interrupted before
        it knew.
        """
        try:
            try:
                self.db.execute("BEGIN IMMEDIATE")
                for one in played:
                    self._insert(one)
                self.db.execute("COMMIT")
            except BaseException:
                self._players.clear()
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise self._explained(error) from error

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
            "limits": limits_text(task.limit, task.clock),
            "moves": " ".join(move_text(task.game, move) for move in played.moves),
            "times": json.dumps(played.times),
            "evals": json.dumps([None if v is None else round(v, 5) for v in played.values]),
            "result": played.for_first,
            "score": None if played.margin is None else sign * played.margin,
            "reason": played.reason,
            "fault": played.fault,
            "detail": plain_text(played.detail),
            "stderr": plain_text(played.stderr),
            "sandbox": json.dumps(played.sandbox),
            "started": played.started,
            "seconds": played.seconds,
            "idle": json.dumps(played.idle),
        }
        names = ", ".join(values)
        marks = ", ".join(f":{name}" for name in values)
        self.db.execute(
            f"INSERT INTO games ({names}) VALUES ({marks}) ON CONFLICT (id) DO NOTHING", values
        )

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

    def add_builds(self, identities: Iterable[Identity]) -> None:
        """Record what builds consist of."""
        rows = [(identity.hash, plain_text(identity.words)) for identity in identities]
        self._words.clear()
        try:
            self.db.executemany("INSERT OR IGNORE INTO builds (hash, words) VALUES (?, ?)", rows)
        except sqlite3.Error as error:
            raise self._explained(error) from error

    def begin_run(self, command: dict[str, object], version: str) -> int:
        """Record the start of a run; returns its id."""
        try:
            cursor = self.db.execute(
                "INSERT INTO runs (command, version, started) VALUES (?, ?, ?)",
                (json.dumps(command), version, time.time()),
            )
        except sqlite3.Error as error:
            raise self._explained(error) from error
        return int(cursor.lastrowid or 0)

    def end_run(self, run: int, stopped: str) -> None:
        """Record why a run ended; a full disk has been reported already."""
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
            raise self._explained(error) from error

    def find(self, task: Task) -> Played | None:
        """The game of a task, if it is stored."""
        rows = self._query(SELECT + "WHERE games.id = ?", task.id)
        return played_of(rows[0], task) if rows else None

    def other_builds(self, task: Task) -> list[tuple[str, str]]:
        """The builds that have played a task's game, other than the task's own.

        Each is the pair of hashes of the two players.
        """
        rows = self._query(
            # IN makes SQLite use the index on both players and the seed.
            SELECT + "WHERE first IN (SELECT id FROM players WHERE spec = ?) "
            "AND second IN (SELECT id FROM players WHERE spec = ?) "
            "AND games.seed = ? AND games.id != ?",
            *task.players,
            task.seed,
            task.id,
        )
        return [(row["one_version"], row["two_version"]) for row in rows if task_of(row).like(task)]

    def build_words(self, build: str) -> str:
        """What a build consists of; "" if that was not recorded."""
        if not self._has_builds:
            return ""
        if build not in self._words:
            rows = self._query("SELECT words FROM builds WHERE hash = ?", build)
            self._words[build] = str(rows[0]["words"]) if rows else ""
        return self._words[build]

    def engines(self) -> list[Engine]:
        """Every engine that has played, the newest build last."""
        rows = self._query(
            "SELECT spec, version, count(*) AS games, min(started) AS since FROM ("
            "SELECT first AS player, started FROM games UNION ALL "
            "SELECT second, started FROM games WHERE second != first"
            ") JOIN players ON players.id = player GROUP BY player ORDER BY since, player"
        )
        return [
            Engine(
                spec=row["spec"],
                build=row["version"],
                words=self.build_words(row["version"]),
                games=row["games"],
                since=row["since"],
            )
            for row in rows
        ]

    def get(self, id: str) -> Played:
        """A game by its id or a prefix of it."""
        prefix = id.strip().lower()
        if not prefix or any(letter not in "0123456789abcdef" for letter in prefix):
            raise ValueError(
                Message("{id!r} is not a game id; `honte show --store DB` lists them", id=id[:40])
            )
        rows = self._query(SELECT + "WHERE games.id LIKE ? LIMIT 2", prefix + "%")
        if not rows:
            raise ValueError(
                Message(
                    "there is no game {id} in {path}; `honte show --store DB` lists them",
                    id=id[:40],
                    path=self.path,
                )
            )
        if len(rows) > 1:
            raise ValueError(
                Message(
                    "more than one game's id begins with {prefix}; write more of it", prefix=prefix
                )
            )
        return played_of(rows[0])

    def games(self) -> Iterator[Played]:
        """All games, in the order in which they were stored."""
        try:
            for row in self.db.execute(SELECT + "ORDER BY games.rowid"):
                yield played_of(row)
        except sqlite3.Error as error:
            raise self._explained(error) from error

    def heads(self, last: int) -> list[Head]:
        """The last games, the newest at the end."""
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


def _connect(address: str) -> sqlite3.Connection:
    db = sqlite3.connect(address, uri=True, timeout=PATIENCE, isolation_level=None)
    db.row_factory = sqlite3.Row
    return db
