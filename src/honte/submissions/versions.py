"""The stored versions of a bot: the sources, library and results of each.

.honte/v001/source/Strategy.cpp
           bot.so
           about.json
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.players import player as make_player
from honte.core.whole_file import write_whole
from honte.games import MEASURED
from honte.sandbox.names import FILE, toml_string
from honte.sandbox.programs import PROTOCOLS
from honte.submissions import asked, compiler
from honte.submissions.compiler import Build
from honte.submissions.sources import Source, take_in

ABOUT = "about.json"
SOURCE = "source"
LIBRARY = "bot.so"
PROGRAM = "bot"
_NAME = re.compile(r"v(\d{3,})")


@dataclass(frozen=True)
class Version:
    """One version of a bot."""

    folder: Path
    number: int
    digest: str
    """Hash of its sources."""
    source: Source
    time: float
    """Seconds since 1970."""
    elo: float | None = None
    error: float | None = None
    """Rating on the ladder, with half its 95 % interval; None if it was not laddered."""
    games: int = 0
    faults: tuple[str, ...] = ()
    """The faults that the check found."""
    checked: bool = False
    """Whether the check ran to its end."""

    @property
    def name(self) -> str:
        return f"v{self.number}"

    @property
    def spec(self) -> str:
        """The player spec."""
        source = self.source
        if source.kind == "command":
            return f"{source.protocol}:{source.main}"
        if source.kind in ("cpp", "library"):
            return f"getpoint:{self.folder / own_file(source)}"
        if source.kind == "py":
            return f"py:{self.folder / own_file(source)}:{source.function}"
        return f"{source.protocol}:{shlex.quote(str(self.folder / own_file(source)))}"


class Versions:
    """The versions in a folder, oldest first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def all(self) -> list[Version]:
        """Every complete version; leftovers of a crash are skipped."""
        found = []
        for path in self.folder.glob("v*") if self.folder.is_dir() else ():
            if _NAME.fullmatch(path.name) and (version := read(path)) is not None:
                found.append(version)
        return sorted(found, key=lambda version: version.number)

    def pick(self, *numbers: int) -> list[Version]:
        """The versions with these numbers; ValueError if one is missing."""
        known = {version.number: version for version in self.all()}
        for number in numbers:
            if number not in known:
                raise ValueError(
                    Message(
                        "there is no version {n}; there are: {known}",
                        n=number,
                        known=", ".join(map(str, known)) or "-",
                    )
                )
        return [known[number] for number in numbers]

    def add(
        self, files: Iterable[tuple[str, bytes]], game: str | None = None, **settings: Any
    ) -> tuple[Version, Build]:
        """Take in and compile a version; returns the previous one if the files are unchanged.

        A version that does not compile is not kept; `Build` says why. The protocol of a program is
        detected.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix=".new-", dir=self.folder))
        place.chmod(0o755)
        try:
            source = take_in(iter(files), place / SOURCE)
            digest = digest_of(place / SOURCE)
            known = self.all()
            if known and known[-1].digest == digest:
                return known[-1], Build(b"-")
            build = Build(b"-")
            if source.kind == "cpp":
                build = compiler.compile_bot(place / SOURCE, **settings)
            elif source.kind == "cpp_program":
                build = compiler.compile_bot(place / SOURCE, program=True, **settings)
            version = self._next(source, digest)
            if not build.ok:
                return version, build
            if source.kind in ("cpp", "cpp_program"):
                (place / own_file(source)).write_bytes(build.library)
                (place / own_file(source)).chmod(0o755)
            if source.kind in ("cpp_program", "program"):
                command = shlex.quote(str(place / own_file(source)))
                told = asked.spoken(source.main, command, text_of(place / SOURCE), game)
                version = replace(version, source=source._replace(**told._asdict()))
            write(version, place)
            os.rename(place, version.folder)
            return version, build
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def add_command(self, given: str, game: str | None = None) -> tuple[Version, Build]:
        """Take in a command line, ``saiblo:./bot --x``; a missing protocol is detected.

        Only for users who may run any program here.
        """
        name, _, command = given.strip().partition(":")
        if name in PROTOCOLS:
            told = asked.usual(name, game)
            make_player(f"{name}:{command}", make_game(told.game or game or MEASURED))
        else:
            command = given.strip()
            told = asked.spoken(command, command, b"", game)
        source = Source("command", command, "", *told, folder=os.getcwd())
        digest = hashlib.sha256(repr(source).encode()).hexdigest()[:16]
        version = self._next(source, digest)
        if (known := self.all()) and known[-1].digest == digest:
            return known[-1], Build(b"-")
        self.folder.mkdir(parents=True, exist_ok=True)
        place = Path(tempfile.mkdtemp(prefix=".new-", dir=self.folder))
        place.chmod(0o755)
        write(version, place)
        os.rename(place, version.folder)
        return version, Build(b"-")

    def _next(self, source: Source, digest: str) -> Version:
        known = self.all()
        number = known[-1].number + 1 if known else 1
        return Version(self.folder / f"v{number:03}", number, digest, source, time.time())

    def save(self, version: Version) -> None:
        """Save the results of a version."""
        write(version, version.folder)

    def names(self) -> dict[str, Version]:
        """The versions by the names that they play under: ``Strategy-v3``."""
        found = {}
        for version in self.all():
            stem = re.sub(r"\W+", "-", Path(version.source.main).stem).strip("-") or "bot"
            found[f"{stem}-{version.name}"] = version
        return found

    def write_names(self) -> None:
        """Write the names into a ``bots.toml``, for the processes that play them."""
        lines = [
            f"[bots.{toml_string(name)}]\nspec = {toml_string(version.spec)}\n"
            + (f"folder = {toml_string(folder)}\n" if (folder := version.source.folder) else "")
            for name, version in self.names().items()
        ]
        write_whole(self.folder / FILE, "\n".join(lines).encode())


def own_file(source: Source) -> str:
    """The file that is run, in the folder of a version."""
    made = {"cpp": LIBRARY, "cpp_program": PROGRAM}
    return made.get(source.kind) or f"{SOURCE}/{source.main}"


def text_of(folder: Path) -> bytes:
    """The contents of all submitted files."""
    return b"\n".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def digest_of(folder: Path) -> str:
    """A hash of the names and contents of all files below a folder."""
    found = hashlib.sha256()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        found.update(f"{path.relative_to(folder).as_posix()}\0{len(data)}\0".encode())
        found.update(data)
    return found.hexdigest()[:16]


def write(version: Version, folder: Path) -> None:
    about = asdict(version)
    del about["folder"]
    about["source"] = version.source._asdict()
    write_whole(folder / ABOUT, json.dumps(about, indent=1).encode())


def read(folder: Path) -> Version | None:
    """The version of a folder; None if it is incomplete."""
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        about["source"] = Source(**about["source"])
        about["faults"] = tuple(about["faults"])
        return Version(folder=folder, **about)
    except FileNotFoundError:
        return None
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(
            Message(
                "{file} is damaged ({error}); remove the folder, or restore the file",
                file=folder / ABOUT,
                error=str(error)[:80],
            )
        ) from None
