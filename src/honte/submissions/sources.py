"""Submissions: a Strategy.cpp with its headers, a folder, a zip, a Python file, or a program that
speaks a protocol, as source or executable.

`take_in` copies the relevant files into a folder of their own and classifies them. Nothing that is
submitted is run here, and no name in a zip leads out of the folder.
"""

from __future__ import annotations

import ast
import errno
import io
import lzma
import re
import shutil
import stat
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from honte.core.language import Message
from honte.core.messages import quote

SUFFIXES = (".cpp", ".cc", ".cxx", ".c")
LIBRARIES = (".so", ".dylib")
HEADERS = (".h", ".hpp", ".hh", ".hxx", ".inc", ".inl")
MOST_FILES = 300
MOST_BYTES = 20 << 20
"""Maximum bytes of all files together, unpacked."""
FUNCTIONS = ("choose", "agent", "my_agent", "act", "move", "get_move", "play")
"""The usual names of a Python bot's function."""


PLAIN_FUNCTIONS = ("choose", "agent", "my_agent")
"""Names that mark a function bot even if the file reads its input as well."""
MAGIC = (b"\x7fELF", b"#!", b"\xcf\xfa\xed\xfe", b"\xca\xfe\xba\xbe")
"""First bytes of programs: ELF, scripts, macOS."""
BROKEN_ZIP = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, NotImplementedError, RuntimeError, OSError,
    EOFError,
)  # fmt: skip
"""What `zipfile` raises for a damaged archive."""
_COMMENT = re.compile(rb"//[^\n]*|/\*.*?\*/", re.S)
_MAIN = re.compile(rb"\bint\s+main\s*\(|\bauto\s+main\s*\(")
_READS = re.compile(rb"\binput\s*\(|\bsys\.stdin\b|\bfrom sys import[^\n]*\bstdin\b|\bopen\(0\b")


class Source(NamedTuple):
    """A classified submission."""

    kind: str
    """``cpp``, to be compiled into a library; ``cpp_program``, into a program; ``py``, a function;
    ``library`` and ``program``, to be used as they are; ``command``, a command line."""
    main: str
    """The file that gives it its name: ``Strategy.cpp``, ``bot.py``; or the command line."""
    function: str = ""
    """The function of a Python bot."""
    protocol: str = ""
    """The protocol of a program or a command line."""
    game: str = ""
    """The game it plays, if not the one that bots are measured on."""
    folder: str = ""
    """The working directory of a command line."""


def files_of(path: Path) -> Iterator[tuple[str, bytes]]:
    """The names and contents of a file with its neighbours, of a folder or a zip."""
    if path.suffix == ".zip" and path.is_file():
        yield from files_in_zip(path.read_bytes(), path.name)
        return
    if not path.exists():
        raise ValueError(Message("there is no file {file}", file=quote(str(path), 200)))
    if path.is_dir():
        every = [one for one in sorted(path.rglob("*")) if one.is_file()]
        shown = [one for one in every if not is_hidden(one.relative_to(path).as_posix())]
        found = [one for one in shown if counts(one.name)] or list(filter(runs, shown))
        folder = path
    elif path.suffix in SUFFIXES:
        folder = path.parent
        found = [
            one for one in sorted(folder.iterdir()) if counts(one.name) and one.suffix != ".py"
        ]
    else:
        folder, found = path.parent, [path]
    for one in found:
        if one.is_file() and one.resolve().is_relative_to(folder.resolve()):
            yield one.relative_to(folder).as_posix(), one.read_bytes()


def files_in_zip(data: bytes, name: str) -> Iterator[tuple[str, bytes]]:
    """The relevant files of a zip."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
            if len(entries) > MOST_FILES or sum(e.file_size for e in entries) > MOST_BYTES:
                raise ValueError(_too_much())
            sources = any(counts(entry.filename) for entry in entries)
            for entry in entries:
                inner = PurePosixPath(entry.filename.replace("\\", "/"))
                if inner.is_absolute() or ".." in inner.parts:
                    raise ValueError(
                        Message(
                            "{zip} has a file {file} that leads out of it",
                            zip=quote(name),
                            file=quote(entry.filename),
                        )
                    )
                if stat.S_ISLNK(entry.external_attr >> 16) or is_hidden(str(inner)):
                    continue
                if counts(str(inner)) or (not sources and begins(archive, entry)):
                    yield str(inner), archive.read(entry)
    except BROKEN_ZIP as error:
        raise ValueError(
            Message("{zip} cannot be unpacked: {error}", zip=quote(name), error=str(error)[:100])
        ) from None


def begins(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bool:
    """Whether an entry of a zip is a program."""
    with archive.open(entry) as file:
        return begins_a_program(file.read(4))


def counts(name: str) -> bool:
    """Whether a file belongs to a bot, not to an editor or an archiver.

    >>> counts("src/Strategy.cpp"), counts("__MACOSX/Strategy.cpp"), counts(".git/x.h")
    (True, False, False)
    """
    return not is_hidden(name) and PurePosixPath(name).suffix in (*SUFFIXES, *HEADERS, ".py")


def is_hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any(part.startswith(".") or part == "__MACOSX" for part in parts)


def begins_a_program(head: bytes) -> bool:
    return head.startswith(MAGIC)


def runs(path: Path) -> bool:
    """Whether a file is a program or a library, by how it begins."""
    with path.open("rb") as file:
        return begins_a_program(file.read(4))


def _too_much() -> Message:
    return Message(
        "more than {files} files or {size} MiB; hand in the sources alone",
        files=MOST_FILES,
        size=MOST_BYTES >> 20,
    )


def write_upload(files: Sequence[tuple[str, bytes]], folder: Path) -> Path:
    """Write an upload as it came; returns the path for `files_of`."""
    if len(files) == 1 and files[0][0].lower().endswith(".zip"):
        (folder / "bot.zip").write_bytes(files[0][1])
        return folder / "bot.zip"
    for name, data in files:
        inner = PurePosixPath(name)
        if inner.is_absolute() or ".." in inner.parts or "\0" in name:
            raise ValueError(Message("the name of a file leads out of its folder"))
        place(folder / "bot" / inner, data)
    return folder / "bot"


def place(target: Path, data: bytes) -> None:
    """Write a submitted file; ValueError if a file or folder of that name is in its way."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    except OSError as error:
        if error.errno not in (errno.EEXIST, errno.ENOTDIR, errno.EISDIR, errno.ENAMETOOLONG):
            raise
        raise ValueError(
            Message(
                "{file} cannot be kept: its name is too long, or is another file's folder",
                file=quote(target.name),
            )
        ) from None


def take_in(files: Iterator[tuple[str, bytes]], folder: Path) -> Source:
    """Write the files into a folder and classify them; ValueError if they are not a bot."""
    names: list[str] = []
    total = 0
    try:
        for name, data in files:
            total += len(data)
            if len(names) >= MOST_FILES or total > MOST_BYTES:
                raise ValueError(_too_much())
            place(folder / name, data)
            names.append(name)
        return what_is(names, folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def what_is(names: list[str], folder: Path) -> Source:
    """Classify a set of files."""
    sources = [name for name in names if PurePosixPath(name).suffix in SUFFIXES]
    scripts = [name for name in names if name.endswith(".py")]
    if sources:
        named = [name for name in sources if PurePosixPath(name).stem.lower() == "strategy"]
        texts = {name: _COMMENT.sub(b"", (folder / name).read_bytes()) for name in sources}
        mains = [name for name, text in texts.items() if _MAIN.search(text)]
        if mains and not any(b"getPoint" in text for text in texts.values()):
            return Source("cpp_program", mains[0])
        return Source("cpp", (named or sources)[0])
    if not scripts:
        return program_in(names, folder)
    main = scripts[0]
    if len(scripts) > 1:
        usual = [name for name in scripts if PurePosixPath(name).stem in ("bot", "main", "agent")]
        main = (usual or scripts)[0]
    text = (folder / main).read_bytes()
    function = function_of(text, main)
    if _READS.search(text) and function not in PLAIN_FUNCTIONS:
        return Source("program", main)
    if not function:
        raise ValueError(
            Message("{file} has no function; write def choose(state, limit)", file=quote(main))
        )
    return Source("py", main, function)


def program_in(names: list[str], folder: Path) -> Source:
    """The program or library among some files; ValueError if there is none."""
    programs = [name for name in names if runs(folder / name)]
    if not programs:
        if any((folder / name).read_bytes()[:2] == b"MZ" for name in names):
            raise ValueError(
                Message("this is a program for Windows; hand in its source, or compile it here")
            )
        raise ValueError(
            Message("there is no .cpp and no .py file in what was handed in, and no program")
        )
    main = programs[0]
    (folder / main).chmod(0o755)
    return Source("library" if PurePosixPath(main).suffix in LIBRARIES else "program", main)


def function_of(text: bytes, name: str) -> str:
    """The function of a Python bot: one of the usual names, or the last in the file; or ""."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = error.lineno if isinstance(error, SyntaxError) else None
        raise ValueError(
            Message(
                "{file}, line {line}: this is not Python ({error})",
                file=quote(name),
                line=where or "?",
                error=str(error)[:80],
            )
        ) from None
    found = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    usual = [function for function in FUNCTIONS if function in found]
    return usual[0] if usual else found[-1] if found else ""
