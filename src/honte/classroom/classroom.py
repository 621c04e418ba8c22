"""A class as a folder: its settings, its students, their submissions, its rounds.

    class.db                  settings, students, uploads that wait, rounds
    students/7/v003/…         the versions of student 7 (`honte.submissions.versions`)
    waiting/12/…              an upload that was accepted and is not tried yet
    games.db                  the games of all rounds
    standings.json            the table of the last round
    bots.toml                 every version by the name that it plays under

Several processes use it at once: the server, a round, the command line. Whatever one of them has
confirmed is on disk.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from honte.classroom import codes
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.whole_file import write_whole
from honte.sandbox.names import FILE, toml_string
from honte.submissions.sources import write_upload
from honte.submissions.versions import Version, Versions

FOLDER = "HONTE_CLASSES"
"""The environment variable with the folder in which classes are kept."""
DATABASE, GAMES, STANDINGS = "class.db", "games.db", "standings.json"
MOST_STUDENTS = 500
MOST_NAME = 40
HOUR = 3600.0
UPLOADS_PER_HOUR = 30
DISK = 256 << 20
"""Disk quota of a student: bytes of all versions."""
SCHEMA = """
CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE students (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, slug TEXT NOT NULL UNIQUE,
    code TEXT NOT NULL UNIQUE, joined REAL NOT NULL
);
CREATE TABLE uploads (
    id INTEGER PRIMARY KEY, student INTEGER NOT NULL REFERENCES students(id) ON DELETE CASCADE,
    time REAL NOT NULL, lang TEXT NOT NULL, done INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE rounds (
    id INTEGER PRIMARY KEY, games INTEGER NOT NULL, seconds REAL NOT NULL,
    started REAL NOT NULL, ended REAL, words TEXT NOT NULL DEFAULT ''
);
CREATE TABLE frozen (
    student INTEGER PRIMARY KEY REFERENCES students(id) ON DELETE CASCADE, version INTEGER NOT NULL
);
"""


class WrongCode(ValueError):
    """Nobody in the class has this code."""


@dataclass(frozen=True)
class Person:
    """A person who is signed in."""

    name: str
    id: int = 0
    """The id of a student; 0 for the teacher."""

    @property
    def teaches(self) -> bool:
        return self.id == 0


@dataclass(frozen=True)
class Student:
    """A student of the class."""

    id: int
    name: str
    slug: str
    """The name as it appears in bot names."""
    joined: float


@dataclass(frozen=True)
class Round:
    """A round of games between the bots of the class."""

    id: int
    games: int
    """New games per bot."""
    seconds: float
    """Seconds per move."""
    started: float
    ended: float | None
    words: str
    """Why it ended."""


@dataclass(frozen=True)
class Upload:
    """A student's upload that has not been tried yet."""

    id: int
    student: int
    time: float
    lang: str
    path: Path


def home() -> Path:
    """The folder of all classes of this user."""
    data = os.environ.get("XDG_DATA_HOME") or os.path.expanduser("~/.local/share")
    return Path(os.environ.get(FOLDER) or Path(data, "honte", "classes"))


def folder_of(name: str) -> Path:
    """The folder of a class, given its name or the path itself."""
    if os.sep in name:
        return Path(name).absolute()
    if not re.fullmatch(r"\w[\w .+-]{0,63}", name):
        raise ValueError(
            Message(
                "{name} cannot name a class; use letters, digits, spaces and - . +",
                name=quote(name),
            )
        )
    return home() / name


def create(name: str, game: str, seconds: float) -> Classroom:
    """Create a class; ValueError if the name is taken."""
    make_game(game)  # raises ValueError if there is none
    folder = folder_of(name)
    if folder.exists():
        raise ValueError(Message("there is a class {name} already", name=quote(name)))
    folder.parent.mkdir(parents=True, exist_ok=True)
    part = folder.with_name(f".{folder.name}.{os.getpid()}")
    part.mkdir(mode=0o711)  # bots run as other users, who must reach their own file in it
    with closing(sqlite3.connect(part / DATABASE)) as db, db:
        db.execute("PRAGMA journal_mode = WAL")
        db.executescript(SCHEMA)
        settings = {
            "name": folder.name,
            "game": game,
            "seconds": str(seconds),
            "join": codes.new(codes.JOIN),
            "teacher": codes.new(codes.OWN),
            "open": "yes",
            "frozen": "no",
            "created": str(time.time()),
        }
        db.executemany("INSERT INTO settings VALUES (?, ?)", settings.items())
    for secret in part.iterdir():
        secret.chmod(0o600)
    (part / "students").mkdir(mode=0o711)
    (part / "waiting").mkdir(mode=0o700)
    os.rename(part, folder)
    return Classroom(folder)


def find(name: str) -> Classroom:
    """An existing class."""
    folder = folder_of(name)
    if not (folder / DATABASE).is_file():
        known = sorted(path.parent.name for path in home().glob(f"*/{DATABASE}"))
        if known:
            raise ValueError(
                Message(
                    "there is no class {name}; there are {known}",
                    name=quote(name),
                    known=", ".join(known),
                )
            )
        raise ValueError(
            Message(
                "there is no class {name}; make it with `honte class create {name}`",
                name=quote(name),
            )
        )
    return Classroom(folder)


def slug_of(name: str) -> str:
    """A name as it appears in bot names.

    >>> slug_of("Anna  Müller")
    'Anna-Müller'
    """
    plain = unicodedata.normalize("NFC", name)
    return re.sub(r"[^\w]+", "-", plain).strip("-")


class Classroom:
    """A class."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        settings = self.settings()
        self.name = settings["name"]
        self.game = settings["game"]
        self.seconds = float(settings["seconds"])
        self.join_code = settings["join"]
        self.teacher_code = settings["teacher"]

    @contextmanager
    def _db(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        """A connection; one that writes is a transaction, and the only one from its first read."""
        db = sqlite3.connect(self.folder / DATABASE, timeout=20.0, isolation_level=None)
        try:
            db.row_factory = sqlite3.Row
            db.execute("PRAGMA foreign_keys = ON")
            if write:
                db.execute("BEGIN IMMEDIATE")
            with db:
                yield db
        except sqlite3.DatabaseError as error:
            raise ValueError(
                Message(
                    "{file} cannot be used: {error}", file=self.folder / DATABASE, error=str(error)
                )
            ) from None
        finally:
            db.close()

    # -- settings ------------------------------------------------------------------------

    def settings(self) -> dict[str, str]:
        with self._db() as db:
            return {row["key"]: row["value"] for row in db.execute("SELECT * FROM settings")}

    def _set(self, key: str, value: str) -> None:
        with self._db(write=True) as db:
            db.execute("UPDATE settings SET value = ? WHERE key = ?", (value, key))

    @property
    def is_open(self) -> bool:
        """Whether new students may join."""
        return self.settings()["open"] == "yes"

    @is_open.setter
    def is_open(self, value: bool) -> None:
        self._set("open", "yes" if value else "no")

    @property
    def is_frozen(self) -> bool:
        """Whether the list of bots is frozen: uploads are tried, but do not enter."""
        return self.settings()["frozen"] == "yes"

    def freeze(self) -> None:
        """Freeze the list of bots: later uploads do not change who plays."""
        entries = self.entries()
        with self._db(write=True) as db:
            db.execute("DELETE FROM frozen")
            rows = [(student.id, version.number) for student, version in entries]
            db.executemany("INSERT INTO frozen VALUES (?, ?)", rows)
            db.execute("UPDATE settings SET value = 'yes' WHERE key = 'frozen'")

    def unfreeze(self) -> None:
        self._set("frozen", "no")

    # -- people --------------------------------------------------------------------------

    def person_of(self, code: str) -> Person | None:
        """The person with this code; None for an unknown code."""
        typed = codes.plain(code)
        if not typed:
            return None
        if codes.hashed(typed) == codes.hashed(self.teacher_code):
            return Person("teacher")
        with self._db() as db:
            row = db.execute(
                "SELECT id, name FROM students WHERE code = ?", (codes.hashed(typed),)
            ).fetchone()
        return None if row is None else Person(row["name"], row["id"])

    def sign_in(self, code: str, name: str) -> tuple[Person, str]:
        """Sign in with a code; returns the person and the code for coming back.

        The code of the class with a new name creates a student.
        """
        person = self.person_of(code)
        if person is not None:
            return person, codes.plain(code)
        if codes.plain(code) != self.join_code:
            raise WrongCode(Message("the code is wrong; ask your teacher for it"))
        return self.join(name)

    def join(self, name: str) -> tuple[Person, str]:
        """Add a student, with a personal code."""
        name = " ".join("".join(sign for sign in name if sign.isprintable()).split())
        slug = slug_of(name)
        if not slug or len(name) > MOST_NAME:
            raise ValueError(Message("write your name, in at most {most} letters", most=MOST_NAME))
        if not self.is_open:
            raise ValueError(Message("nobody can join any more; ask your teacher"))
        code = codes.new(codes.OWN)
        with self._db(write=True) as db:
            if db.execute("SELECT count(*) FROM students").fetchone()[0] >= MOST_STUDENTS:
                raise ValueError(Message("the class is full"))
            taken = {row["slug"].casefold() for row in db.execute("SELECT slug FROM students")}
            if slug.casefold() in taken:
                raise ValueError(
                    Message(
                        "there is a {name} already; sign in with your own code, or with another "
                        "name",
                        name=quote(name),
                    )
                )
            id = 1 + _last_student(db)
            row = (id, name, slug, codes.hashed(code), time.time())
            db.execute(
                "INSERT INTO students (id, name, slug, code, joined) VALUES (?, ?, ?, ?, ?)", row
            )
        # Bots may run as other users, who must reach their own file below it.
        (self.folder / "students" / str(id)).mkdir(mode=0o711, exist_ok=True)
        return Person(name, id), code

    def new_code(self, student: int) -> str:
        """Another code for a student who lost theirs; the old one stops working."""
        code = codes.new(codes.OWN)
        with self._db(write=True) as db:
            row = (codes.hashed(code), student)
            if not db.execute("UPDATE students SET code = ? WHERE id = ?", row).rowcount:
                raise ValueError(Message("there is no such student"))
        return code

    def remove(self, student: int) -> None:
        """Remove a student with all bots; the games that were played stay."""
        with self._db(write=True) as db:
            db.execute("INSERT OR REPLACE INTO settings VALUES ('last', ?)", (_last_student(db),))
            if not db.execute("DELETE FROM students WHERE id = ?", (student,)).rowcount:
                raise ValueError(Message("there is no such student"))
        shutil.rmtree(self.folder / "students" / str(student), ignore_errors=True)

    def students(self) -> list[Student]:
        with self._db() as db:
            rows = db.execute("SELECT id, name, slug, joined FROM students ORDER BY id").fetchall()
        return [Student(**dict(row)) for row in rows]

    # -- bots ----------------------------------------------------------------------------

    def versions(self, student: int) -> Versions:
        """The versions that a student has submitted."""
        return Versions(self.folder / "students" / str(student))

    def entries(self) -> list[tuple[Student, Version]]:
        """The bots that play: each student's newest version without a fault, or else the newest."""
        found = []
        with self._db() as db:
            frozen = {row["student"]: row["version"] for row in db.execute("SELECT * FROM frozen")}
        stands = self.is_frozen
        for student in self.students():
            checked = [one for one in self.versions(student.id).all() if one.checked]
            if stands:
                checked = [one for one in checked if one.number == frozen.get(student.id)]
            if checked:
                good = [one for one in checked if not one.faults]
                found.append((student, (good or checked)[-1]))
        return found

    def write_names(self) -> None:
        """Name every version of every student, for the processes that play them."""
        lines = [
            f"[bots.{toml_string(bot_name(student, version))}]\n"
            f"spec = {toml_string(version.spec)}\n"
            for student in self.students()
            for version in self.versions(student.id).all()
        ]
        write_whole(self.folder / FILE, "\n".join(lines).encode())

    # -- uploads -------------------------------------------------------------------------

    def accept(self, student: int, files: Sequence[tuple[str, bytes]], lang: str) -> Upload:
        """Queue an upload for its trial; ValueError if it exceeds a quota."""
        now = time.time()
        used = size_of(self.folder / "students" / str(student))
        if used > DISK:
            raise ValueError(
                Message(
                    "your versions take {used} MB, and {most} MB is the most; ask your teacher",
                    used=used >> 20,
                    most=DISK >> 20,
                )
            )
        waiting = self.folder / "waiting"
        made = Path(tempfile.mkdtemp(dir=waiting))
        try:
            path = write_upload(files, made)
            with self._db(write=True) as db:
                recent = db.execute(
                    "SELECT count(*) FROM uploads WHERE student = ? AND time > ?",
                    (student, now - HOUR),
                ).fetchone()[0]
                if recent >= UPLOADS_PER_HOUR:
                    raise ValueError(
                        Message(
                            "{count} uploads in an hour is the most; wait a little",
                            count=UPLOADS_PER_HOUR,
                        )
                    )
                # Numbers are not reused, even if the last upload was cancelled.
                id = 1 + (db.execute("SELECT max(id) FROM uploads").fetchone()[0] or 0)
                folder = waiting / str(id)
                shutil.rmtree(folder, ignore_errors=True)
                made.rename(folder)
                row = (id, student, now, lang)
                db.execute("INSERT INTO uploads (id, student, time, lang) VALUES (?, ?, ?, ?)", row)
        finally:
            shutil.rmtree(made, ignore_errors=True)
        return Upload(id, student, now, lang, folder / path.name)

    def waiting(self) -> list[Upload]:
        """The uploads whose trial has not ended, oldest first."""
        with self._db() as db:
            rows = db.execute("SELECT * FROM uploads WHERE NOT done ORDER BY id").fetchall()
        found = []
        for row in rows:
            folder = self.folder / "waiting" / str(row["id"])
            path = next(
                (path for path in (folder / "bot.zip", folder / "bot") if path.exists()), None
            )
            if path is not None:
                found.append(Upload(row["id"], row["student"], row["time"], row["lang"], path))
        return found

    def tried(self, upload: int) -> None:
        """Mark an upload as done and delete its files."""
        with self._db(write=True) as db:
            db.execute("UPDATE uploads SET done = 1 WHERE id = ?", (upload,))
        shutil.rmtree(self.folder / "waiting" / str(upload), ignore_errors=True)

    # -- rounds --------------------------------------------------------------------------

    def begin_round(self, games: int, seconds: float | None = None) -> Round:
        """Begin a round; ValueError if one is in progress or fewer than two bots could play."""
        if (count := len(self.entries())) < 2:
            raise ValueError(
                Message("a round needs two bots that were checked; there are {n}", n=count)
            )
        with self._db(write=True) as db:
            if db.execute("SELECT 1 FROM rounds WHERE ended IS NULL").fetchone():
                raise ValueError(Message("a round is being played; stop it first"))
            row = (games, self.seconds if seconds is None else seconds, time.time())
            db.execute("INSERT INTO rounds (games, seconds, started) VALUES (?, ?, ?)", row)
        return self.rounds()[-1]

    def rounds(self) -> list[Round]:
        with self._db() as db:
            rows = db.execute("SELECT * FROM rounds ORDER BY id").fetchall()
        return [Round(**dict(row)) for row in rows]

    @property
    def current(self) -> Round | None:
        """The round in progress, or one that a stopped server left."""
        last = self.rounds()[-1:]
        return last[0] if last and last[0].ended is None else None

    def end_round(self, round: int, words: str) -> None:
        with self._db(write=True) as db:
            row = (time.time(), words, round)
            db.execute("UPDATE rounds SET ended = ?, words = ? WHERE id = ? AND ended IS NULL", row)


def _last_student(db: sqlite3.Connection) -> int:
    """The highest id that a student has had: the standings name removed ones too."""
    highest = db.execute("SELECT max(id) FROM students").fetchone()[0] or 0
    kept = db.execute("SELECT value FROM settings WHERE key = 'last'").fetchone()
    return max(highest, int(kept["value"]) if kept is not None else 0)


def bot_name(student: Student, version: Version) -> str:
    """The name that a version plays under: ``Anna-v3``."""
    return f"{student.slug}-{version.name}"


def size_of(folder: Path) -> int:
    """Bytes of all files below a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
