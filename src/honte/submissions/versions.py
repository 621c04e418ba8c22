"""The versions of a bot, kept: sources, library and what was found out about each.

.honte/v001/source/Strategy.cpp
           bot.so
           about.json
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from honte.core.language import Message
from honte.core.whole_file import write_whole
from honte.sandbox.names import FILE
from honte.submissions import compiler
from honte.submissions.compiler import Build
from honte.submissions.sources import Source, take_in

ABOUT = "about.json"
SOURCE = "source"
LIBRARY = "bot.so"
_NAME = re.compile(r"v(\d{3,})")


@dataclass(frozen=True)
class Version:
    """One version of a bot."""

    folder: Path
    number: int
    digest: str
    """Of its sources."""
    source: Source
    time: float
    """Seconds since 1970."""
    elo: float | None = None
    error: float | None = None
    """Of the ladder, with half its 95 % interval; None if it was not laddered."""
    games: int = 0
    faults: tuple[str, ...] = ()
    """What the check found."""
    checked: bool = False
    """Whether it was checked to the end."""

    @property
    def name(self) -> str:
        return f"v{self.number}"

    @property
    def spec(self) -> str:
        """The player spec."""
        if self.source.kind == "cpp":
            return f"getpoint:{self.folder / LIBRARY}"
        return f"py:{self.folder / SOURCE / self.source.main}:{self.source.function}"


class Versions:
    """The versions in a folder, oldest first."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def all(self) -> list[Version]:
        """Every version that is whole; what a crash left behind is not."""
        found = []
        for path in self.folder.glob("v*") if self.folder.is_dir() else ():
            if _NAME.fullmatch(path.name) and (version := read(path)) is not None:
                found.append(version)
        return sorted(found, key=lambda version: version.number)

    def pick(self, *numbers: int) -> list[Version]:
        """The versions with these numbers; ValueError if one is not there."""
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

    def add(self, files: Iterable[tuple[str, bytes]], **settings: Any) -> tuple[Version, Build]:
        """Take in and compile a version; the one before, if the files are the same as its.

        A version that does not compile is not kept; `Build` says why.
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
            number = known[-1].number + 1 if known else 1
            version = Version(self.folder / f"v{number:03}", number, digest, source, time.time())
            if not build.ok:
                return version, build
            if source.kind == "cpp":
                (place / LIBRARY).write_bytes(build.library)
                (place / LIBRARY).chmod(0o755)
            write(version, place)
            os.rename(place, version.folder)
            return version, build
        finally:
            shutil.rmtree(place, ignore_errors=True)

    def save(self, version: Version) -> None:
        """Keep what was found out about a version."""
        write(version, version.folder)

    def names(self) -> dict[str, Version]:
        """The versions by the names that they are played under: ``Strategy-v3``."""
        found = {}
        for version in self.all():
            stem = re.sub(r"\W+", "-", Path(version.source.main).stem) or "bot"
            found[f"{stem}-{version.name}"] = version
        return found

    def write_names(self) -> None:
        """Write the names into a ``bots.toml``, for whoever plays them."""
        lines = [
            f"[bots.{json.dumps(name)}]\nspec = {json.dumps(version.spec)}\n"
            for name, version in self.names().items()
        ]
        write_whole(self.folder / FILE, "\n".join(lines).encode())


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
    """The version of a folder; None if it is not whole."""
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
