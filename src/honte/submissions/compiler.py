"""Compile a course bot inside the sandbox, and explain what the compiler says.

The compiler runs like a bot: at the level `untrusted` it sees the sources and the system's
headers, writes into a small folder of its own and hands the library over through a pipe. Its
memory and its time are limited, so a program made to hang the compiler costs a minute.
"""

from __future__ import annotations

import re
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from honte.core.fault import Fault
from honte.core.language import Message
from honte.sandbox.levels import Command, active_level, check_users
from honte.sandbox.process import Process
from honte.submissions.sources import HEADERS, SUFFIXES

COMPILERS = ("g++", "clang++", "c++")
FLAGS = ("-O2", "-fsigned-char")
LIBRARY_FLAGS = ("-std=c++17", "-shared", "-fPIC")
"""As in docs/course.md."""
PROGRAM_FLAGS = ("-std=c++20",)
SECONDS = 60.0
MEMORY_MB = 1024
LIBRARY_BYTES = 12 << 20
LOG_BYTES = 64 << 10
MOST_SHOWN = 20

UNSIGNED = ("-fsyntax-only", "-funsigned-char", "-Wtype-limits")
WATCHED = (
    "-O1",
    "-fsanitize=bounds,object-size,null,integer-divide-by-zero,return,unreachable",
    "-fno-sanitize-recover=all",
    "-D_GLIBCXX_ASSERTIONS",
)
"""Sanitizers that stop a bot at the faulty line; they cost speed, so no game is played so."""

# Compiles in a folder of its own, then sends the exit code, the log, what a compiler with unsigned
# chars says, the names that the library takes from elsewhere, and the library.
SCRIPT = r"""
umask 077
folder=$(mktemp -d) || exit 9
unsigned=$1
shift
"$@" -o "$folder/bot.so" >"$folder/log" 2>&1
code=$?
size=0
if [ $code = 0 ]; then
    size=$(wc -c <"$folder/bot.so")
    [ -n "$unsigned" ] && "$@" $unsigned >"$folder/unsigned" 2>&1
    nm -D -u "$folder/bot.so" >"$folder/names" 2>/dev/null
fi
echo "$code $size"
for part in log unsigned names; do
    head -c %d "$folder/$part" >"$folder/start" 2>/dev/null
    wc -c <"$folder/start"
    cat "$folder/start"
done
[ $code = 0 ] && cat "$folder/bot.so"
rm -rf "$folder"
"""


class Diagnostic(NamedTuple):
    """One message of the compiler."""

    file: str
    line: int
    column: int
    kind: str
    """``error`` or ``warning``."""
    text: str
    advice: str = ""
    """What to do about it, if that is known."""


@dataclass(frozen=True)
class Build:
    """The result of compiling."""

    library: bytes = b""
    """The compiled library; empty if compiling failed."""
    diagnostics: list[Diagnostic] = field(default_factory=list)
    log: str = ""
    seconds: float = 0.0
    level: str = "trusted"
    """The sandbox level of the compiler."""

    @property
    def ok(self) -> bool:
        return bool(self.library)

    @property
    def errors(self) -> list[Diagnostic]:
        return [found for found in self.diagnostics if found.kind == "error"]


WINDOWS = Message(
    "this header is Windows' own; use std::chrono::steady_clock for GetTickCount and clock, "
    "std::this_thread::sleep_for for Sleep, and drop the console functions"
)
MISSING_HEADER = Message(
    "hand in this file too: put it beside your Strategy.cpp, and write its name as it is, capital "
    "letters included"
)
ADVICE: tuple[tuple[str, str], ...] = (
    (
        r"(windows|conio|atlstr|tchar|direct|process|io)\.h: No such file"
        r"|'(windows|conio|atlstr|tchar|direct|process|io)\.h' file not found",
        WINDOWS,
    ),
    (r"fatal error: .*: No such file|file not found", MISSING_HEADER),
    (
        r"__declspec|dllexport",
        Message('__declspec is for Windows; write extern "C" alone before the function'),
    ),
    (
        r"undefined reference to|undefined symbol",
        Message(
            "this function is declared and nowhere defined: hand in the .cpp file that has it "
            "(Judge.cpp?), or remove the call"
        ),
    ),
    (
        r"(strcpy_s|scanf_s|fopen_s|sprintf_s|strcat_s|_itoa|itoa)\b.*not declared"
        r"|undeclared identifier '(strcpy_s|scanf_s|fopen_s|sprintf_s|strcat_s|_itoa|itoa)'",
        Message("only Microsoft's compiler has this function; use the one without _s, or std::"),
    ),
    (
        r"'?(Sleep|GetTickCount|GetTickCount64|AllocConsole|_cprintf|_getch|freopen_s)'?\b.*"
        r"not declared|undeclared identifier '(Sleep|GetTickCount|AllocConsole|_cprintf|_getch)'",
        WINDOWS,
    ),
    (
        r"(INT_MAX|INT_MIN|DBL_MAX|FLT_MAX|memset|memcpy|strlen|printf|sqrt|log|clock|rand|srand)"
        r"'? was not declared|undeclared identifier '(INT_MAX|memset|memcpy|clock|rand)'",
        Message(
            "include the header that declares it: <climits> for INT_MAX, <cstring> for memset, "
            "<cstdio> for printf, <cmath> for sqrt and log, <ctime> for clock, <cstdlib> for rand"
        ),
    ),
    (
        r"multiple definition of|redefinition of",
        Message(
            "it is defined twice: put #pragma once at the top of every header, and include .h "
            "files, never .cpp files"
        ),
    ),
    (
        r"template instantiation depth|recursive template instantiation",
        Message("a template uses itself without an end; give it one that stops"),
    ),
    (
        r"always (true|false) due to limited range|constant -?\d+ with expression of type",
        Message(
            "an unsigned char has the values 0 to 255, and a char -128 to 127: write int, or "
            "signed char where it may be negative"
        ),
    ),
    (
        r"array subscript has type 'char'|array subscript is of type 'char'",
        Message(
            "a char ends at 127 and goes on with -128, and a board may have 144 cells: count with "
            "int"
        ),
    ),
    (
        r"No space left on device|File too large|File size limit|SIGXFSZ|relocation truncated",
        Message(
            "an array with initial values is written into the library, which is too large then: "
            "leave the initial values out, and fill it at the first move"
        ),
    ),
    (
        r"array subscript .* (is outside|above|below) array bounds|iteration \d+ invokes undefined"
        r"|past the end of the array|writing \d+ bytes? into a region of size",
        Message(
            "the index goes past the end of the array: an array of n has the indices 0 to n - 1"
        ),
    ),
    (
        r"no return statement in function returning non-void|does not return a value",
        Message("return a value on every path: without one the program may do anything here"),
    ),
)
"""Advice on the usual errors; the first match counts."""
SIGN = Message("a plain char is compared with a number that it does not have on every machine")
SIGN_ADVICE = Message(
    "this works here, where it is compiled with -fsigned-char; on ARM (Apple silicon, Raspberry "
    "Pi) a plain char is never negative, so write signed char or int"
)
USES: tuple[tuple[str, str, str, str], ...] = (
    (
        r"f(re)?open(64)?|open(at)?(64)?|opendir|_ZN?K?St\d+basic_(if|of|f)(stream|ilebuf).*"
        r"|_ZNK?St10filesystem.*",
        r"\b(f(re)?open(at)?|open(at|dir)?|[io]?fstream|filesystem)\b",
        Message("it opens files, and a bot has none"),
        Message(
            "take it out, and put tables into the source: in the sandbox the files of others do "
            "not exist, so that opening one fails (fopen returns NULL), and a judge gives you none"
        ),
    ),
    (
        r"system|popen|v?fork|execv?p?e?|execl[ep]?|posix_spawnp?|socket|connect",
        r"\b(system|popen|v?fork|exec[lv][pe]*|posix_spawnp?|socket|connect)\b",
        Message("it starts other programs or uses the network, and a bot may do neither"),
        Message("take it out: the sandbox forbids it, and so does a judge"),
    ),
)
"""Pattern of names in the library, pattern in a source, what it is, and what to do."""

_SAID = re.compile(
    r"^(?P<file>[^:\n]+):(?P<line>\d+):(?:(?P<column>\d+):)? "
    r"(?P<kind>fatal error|error|warning): (?P<text>.*)$"
)
_LINKER = re.compile(r"^(?:.*?:)?(?P<file>[\w.-]+\.\w+):.*?(?P<text>undefined reference to .*)$")
_LINKED = re.compile(r"^.*: (?P<text>(?:undefined symbol|multiple definition of).*)$")


def compiler() -> str:
    """The C++ compiler of this machine; ValueError if there is none."""
    for name in COMPILERS:
        if found := shutil.which(name):
            return found
    raise ValueError(Message("there is no C++ compiler here; install g++ (or clang++)"))


def compile_bot(
    folder: Path,
    *,
    level: str | None = None,
    seconds: float = SECONDS,
    program: bool = False,
    watched: bool = False,
) -> Build:
    """Compile every C++ file of a folder into one library, or into a `program`.

    A `watched` build stops at the faulty line and reports it on its standard error.
    """
    sources = sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix in SUFFIXES
    )
    if not sources:
        raise ValueError(
            Message("{folder} has no .cpp file to compile", folder=folder.name or str(folder))
        )
    level = level or ("untrusted" if active_level() == "untrusted" else "trusted")
    words = [compiler(), *FLAGS, "-Wall", "-Wtype-limits", "-Wl,--no-undefined", "-I.", *sources]
    words += [
        "-pthread",
        *(PROGRAM_FLAGS if program else LIBRARY_FLAGS),
        *(WATCHED if watched else ()),
    ]
    unsigned = " ".join(UNSIGNED) if not (watched or program) and has_plain_char(folder) else ""
    command = Command(
        ("/bin/sh", "-c", SCRIPT % LOG_BYTES, "compile", unsigned, *words),
        str(folder.resolve()),
        level,
        MEMORY_MB,
        readable=(str(folder.resolve()),),
        named=(),
    )
    check_users(command)
    process = Process(command, output_bytes=LIBRARY_BYTES + 3 * LOG_BYTES + 100)
    began = time.monotonic()
    deadline = began + seconds

    def part() -> str:
        return process.take(int(process.line(deadline)), deadline).decode("utf-8", "replace")

    try:
        process.start(deadline)
        code, size = (int(word) for word in process.line(deadline).split())
        log, signs, names = part(), part(), part()
        if size > LIBRARY_BYTES:
            return _failed(
                Message("the compiled library has {size:,} bytes; {most:,} is the most",
                        size=size, most=LIBRARY_BYTES),
                time.monotonic() - began, level, advice_for("No space left on device"),
            )  # fmt: skip
        library = process.take(size, deadline)
    except Fault as fault:
        text, advice = _why(fault, seconds)
        return _failed(text, time.monotonic() - began, level, advice)
    except ValueError:
        return _failed(Message("the compiler could not be run"), time.monotonic() - began, level)
    finally:
        process.stop(grace=0)
    found = diagnostics(log)
    if code and not any(one.kind == "error" for one in found):
        first = next((line for line in log.splitlines() if line.strip()), "")
        found.append(Diagnostic("", 0, 0, "error", first[:300], advice_for(log)))
    found += sign_warnings(signs, found)
    found += used(names, folder)
    return Build(library, found[:MOST_SHOWN], log, time.monotonic() - began, level)


def has_plain_char(folder: Path) -> bool:
    """Whether a source declares a char that is neither signed nor unsigned."""
    plain = re.compile(rb"(?<!signed )\bchar\b(?!\s*\*)")
    return any(plain.search(path.read_bytes()) for path in code_in(folder))


def code_in(folder: Path) -> list[Path]:
    """The sources and headers of a folder."""
    return [path for path in sorted(folder.rglob("*")) if path.suffix in (*SUFFIXES, *HEADERS)]


def sign_warnings(log: str, known: list[Diagnostic]) -> list[Diagnostic]:
    """Warnings where a char that is never negative would make a difference."""
    places = {(one.file, one.line) for one in known}
    return [
        one._replace(text=SIGN, advice=SIGN_ADVICE)
        for one in diagnostics(log)
        if "always" in one.text and (one.file, one.line) not in places
    ]


def used(names: str, folder: Path) -> list[Diagnostic]:
    """Warnings about names that a bot should not use, each with the first line that does."""
    found = []
    called = [line.split()[-1].partition("@")[0] for line in names.splitlines() if line.split()]
    for symbol, word, text, advice in USES:
        if not any(re.fullmatch(symbol, name) for name in called):
            continue
        file, line = "", 0
        for path in code_in(folder):
            lines = path.read_text("utf-8", "replace").splitlines()
            uses = [n for n, said in enumerate(lines, 1)
                    if re.search(word, said) and not said.lstrip().startswith("#")]  # fmt: skip
            if uses:
                file, line = path.relative_to(folder).as_posix(), uses[0]
                break
        found.append(Diagnostic(file, line, 0, "warning", text, advice))
    return found


def _failed(text: str, seconds: float, level: str, advice: str = "") -> Build:
    return Build(b"", [Diagnostic("", 0, 0, "error", text, advice)], seconds=seconds, level=level)


def _why(fault: Fault, seconds: float) -> tuple[str, str]:
    """Why the compiler was stopped, and what to do."""
    if fault.reason in ("time", "stall"):
        return (
            Message("the compiler was not done after {seconds:g} seconds", seconds=seconds),
            Message(
                "look for a template or a constexpr function that uses itself without an end, or "
                "too often: the compiler works it out while it compiles"
            ),
        )
    if fault.reason == "memory":
        return (
            Message("the compiler needed more than {memory:,} MB", memory=MEMORY_MB),
            Message("look for huge arrays with initial values, and templates that never end"),
        )
    return Message("the compiler failed: {detail}", detail=fault.detail), ""


def diagnostics(log: str) -> list[Diagnostic]:
    """Parse a compiler's output, errors first.

    >>> diagnostics("Strategy.cpp:3:10: fatal error: windows.h: No such file or directory")[0].line
    3
    """
    found = []
    for line in log.splitlines():
        if told := _SAID.match(line):
            kind = "warning" if told["kind"] == "warning" else "error"
            whole = f"{told['kind']}: {told['text']}"
            where = (told["file"], int(told["line"]), int(told["column"] or 0))
            found.append(Diagnostic(*where, kind, told["text"], advice_for(whole)))
        elif told := _LINKER.match(line) or _LINKED.match(line):
            file = told.groupdict().get("file") or ""
            found.append(Diagnostic(file, 0, 0, "error", told["text"], advice_for(told["text"])))
    unique = list(dict.fromkeys(found))
    return sorted(unique, key=lambda one: one.kind != "error")


def advice_for(text: str) -> str:
    """What to do about an error, if that is known."""
    plain = text.replace("‘", "'").replace("’", "'")
    return next((advice for pattern, advice in ADVICE if re.search(pattern, plain)), "")
