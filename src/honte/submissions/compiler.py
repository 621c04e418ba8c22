"""Compile a course bot inside the sandbox, and explain what the compiler says.

The compiler runs like a bot: at the level `untrusted` it sees the sources and the system's
headers, writes into a small folder of its own and hands the library over through a pipe. Its
memory and its time are limited, so that a program made to hang the compiler costs a minute.
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
from honte.submissions.sources import SUFFIXES

COMPILERS = ("g++", "clang++", "c++")
FLAGS = ("-O2", "-std=c++17", "-fsigned-char", "-shared", "-fPIC")
"""As in docs/course.md."""
SECONDS = 60.0
MEMORY_MB = 1024
LIBRARY_BYTES = 12 << 20
LOG_BYTES = 64 << 10
MOST_SHOWN = 20

# Compiles in a folder of its own, then sends the exit code, the log and the library.
SCRIPT = r"""
umask 077
folder=$(mktemp -d) || exit 9
"$@" -o "$folder/bot.so" >"$folder/log" 2>&1
code=$?
head -c %d "$folder/log" >"$folder/start"
size=0
[ $code = 0 ] && size=$(wc -c <"$folder/bot.so")
echo "$code $(wc -c <"$folder/start") $size"
cat "$folder/start"
[ $code = 0 ] && cat "$folder/bot.so"
rm -rf "$folder"
"""


class Diagnostic(NamedTuple):
    """One thing that the compiler said."""

    file: str
    line: int
    column: int
    kind: str
    """``error`` or ``warning``."""
    text: str
    advice: str = ""
    """What to do about it, where that is known."""


@dataclass(frozen=True)
class Build:
    """What came of compiling."""

    library: bytes = b""
    """Empty if it failed."""
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
        r"no return statement in function returning non-void|does not return a value",
        Message("return a value on every path: without one the program may do anything here"),
    ),
)
"""What the usual errors mean, first match first."""

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


def compile_bot(folder: Path, *, level: str | None = None, seconds: float = SECONDS) -> Build:
    """Compile every C++ file of a folder into one library."""
    sources = sorted(
        str(path.relative_to(folder)) for path in folder.rglob("*") if path.suffix in SUFFIXES
    )
    if not sources:
        raise ValueError(
            Message("{folder} has no .cpp file to compile", folder=folder.name or str(folder))
        )
    level = level or ("untrusted" if active_level() == "untrusted" else "trusted")
    words = (compiler(), *FLAGS, "-Wall", "-Wl,--no-undefined", "-I.", *sources, "-pthread")
    command = Command(
        ("/bin/sh", "-c", SCRIPT % LOG_BYTES, "compile", *words),
        str(folder.resolve()),
        level,
        MEMORY_MB,
        readable=(str(folder.resolve()),),
        named=(),
    )
    check_users(command)
    process = Process(command, output_bytes=LIBRARY_BYTES + LOG_BYTES + 100)
    began = time.monotonic()
    deadline = began + seconds
    try:
        process.start(deadline)
        code, said, size = (int(word) for word in process.line(deadline).split())
        log = process.take(said, deadline).decode("utf-8", "replace")
        if size > LIBRARY_BYTES:
            return _failed(
                Message("the compiled library has {size:,} bytes; {most:,} is the most",
                        size=size, most=LIBRARY_BYTES),
                time.monotonic() - began, level,
            )  # fmt: skip
        library = process.take(size, deadline)
    except Fault as fault:
        return _failed(_why(fault, seconds), time.monotonic() - began, level)
    except ValueError:
        return _failed(Message("the compiler could not be run"), time.monotonic() - began, level)
    finally:
        process.stop(grace=0)
    found = diagnostics(log)
    if code and not any(one.kind == "error" for one in found):
        first = next((line for line in log.splitlines() if line.strip()), "")
        found.append(Diagnostic("", 0, 0, "error", first[:300], advice_for(log)))
    return Build(library, found[:MOST_SHOWN], log, time.monotonic() - began, level)


def _failed(text: str, seconds: float, level: str) -> Build:
    return Build(b"", [Diagnostic("", 0, 0, "error", text)], seconds=seconds, level=level)


def _why(fault: Fault, seconds: float) -> str:
    if fault.reason in ("time", "stall"):
        return Message(
            "the compiler was not done after {seconds:g} seconds; look for a template or a "
            "constexpr function that never ends",
            seconds=seconds,
        )
    if fault.reason == "memory":
        return Message(
            "the compiler needed more than {memory:,} MB; look for huge arrays with initial "
            "values, and templates that never end",
            memory=MEMORY_MB,
        )
    return Message("the compiler failed: {detail}", detail=fault.detail)


def diagnostics(log: str) -> list[Diagnostic]:
    """What a compiler's output says, errors first.

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
    """What to do about an error, where that is known."""
    plain = text.replace("‘", "'").replace("’", "'")
    return next((advice for pattern, advice in ADVICE if re.search(pattern, plain)), "")
