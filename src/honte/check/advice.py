"""Explain a bot's behaviour: what was seen, and how to fix it."""

from __future__ import annotations

import re
from typing import NamedTuple, Protocol, Self

from honte.check.dying import DEBUG, last_words, meaning
from honte.core.check_support import support_of
from honte.core.contract import State
from honte.core.fault import Fault
from honte.core.language import Message, language, plain, tr_value
from honte.core.messages import quote
from honte.drawing.text import words as drawn
from honte.protocols.protocol import Protocol as BotProtocol
from honte.protocols.protocol import shown

FLUSH = Message(
    "flush after every reply, and do not wait for the end of the input: "
    "fflush(stdout) in C, std::cout << std::flush or std::endl in C++, print(..., "
    "flush=True) in Python, System.out.flush() in Java"
)
FIXES = {
    "first move": Message(
        "nothing has been played before the first move of a game, and the answer to it "
        "is the first request of a game too: set up the board in both cases"
    ),
    "forgets to reset": Message(
        "start every game afresh: when the board is empty or has one piece, clear all "
        "static and global variables, the tree first of all"
    ),
    "board size": Message(
        "take the size of the board from every request, and allocate arrays for each "
        "game or for the largest board"
    ),
    "framing": Message("return one move, and print nothing to standard output"),
    "not ready": Message(
        "read commands from standard input from the start, and load large files faster"
    ),
    "does not start": Message("start it by hand in a terminal and look at what it says"),
    "exit": Message("read and answer in a loop until the input ends; do not leave after one reply"),
    "piece codes": Message(
        "look which pieces are yours, and for a win of your own before you stop one of the "
        "opponent's"
    ),
    "weak": Message("check whether it takes its own pieces for the opponent's"),
}
"""Fixes by the name of the fault; a protocol's or a game's own advice comes first."""
START_FIXES = (
    (
        ("Exec format error",),
        Message(
            "give a script a first line like #!/usr/bin/env python3, and compile programs "
            "for this machine"
        ),
    ),
    (("Permission denied",), Message("make it executable with `chmod +x`")),
    (
        ("library has no",),
        Message(
            'put extern "C" before getPoint and clearPoint with the types of the course\'s '
            "Strategy.h, and compile without -fvisibility=hidden; `nm -D bot.so` lists "
            "what the library offers"
        ),
    ),
    (
        ("ModuleNotFoundError", "ImportError"),
        Message(
            "install the module for the Python that runs honte; a file of your own must be "
            'listed under read in bots.toml (read = "." for the whole folder), since a bot '
            "in a sandbox reads only what its spec names"
        ),
    ),
    (
        ("undefined symbol",),
        Message("add the source file or library that defines it to the compiler's line"),
    ),
    (
        ("cannot open shared object",),
        Message("install the library that it names, or link it statically (-static-libstdc++)"),
    ),
    (
        ("invalid ELF", "file too short", "wrong architecture"),
        Message("compile it as a library for this machine: g++ -O2 -shared -fPIC -o bot.so *.cpp"),
    ),
    (
        ("no function",),
        Message("write the name of a function that the file defines: py:file.py:function"),
    ),
)
"""Fragments of the loader's messages, with advice."""


class Finding(NamedTuple):
    """The outcome of one test."""

    kind: str
    """``ok``, ``warning`` or ``fault``."""
    name: str
    """The topic, in a word or two."""
    seen: str
    fix: str = ""
    position: str = ""
    """The position it was seen in, as text that `honte best GAME --position` takes."""
    picture: str = ""


class Subject(Protocol):
    """The evidence needed about a bot that failed."""

    @property
    def protocol(self) -> BotProtocol: ...
    @property
    def output(self) -> bytes: ...
    @property
    def output_after_eof(self) -> bytes: ...
    @property
    def late(self) -> float | None: ...
    @property
    def answered(self) -> int | None: ...


def fix_for(name: str, bot: Subject) -> str:
    """How to fix a fault: the protocol's advice, else the game's, else the general one."""
    protocol = bot.protocol
    for known in (protocol.advice, support_of(protocol.game).fixes, FIXES):
        if name in known:
            return known[name]
    return ""


class Sentence(Message):
    """A message with a capital and a full stop, in any language."""

    words: str

    def __new__(cls, words: str, /) -> Self:
        text = words.strip()
        text = text[:1].upper() + text[1:]
        self = super().__new__(cls, text if text[-1:] in ".?!" else text + ".")
        self.words = words
        return self

    def translated(self) -> str:
        if language() == "en":
            return plain(self)
        told = str(tr_value(self.words)).strip()
        return told if told[-1:] in ".?!。？！" else told + "。"


sentence = Sentence


def inside(text: str) -> str:
    """A sentence without capital and full stop, to embed in another.

    >>> inside(sentence("it ended"))
    'it ended'
    """
    return text.words if isinstance(text, Sentence) else text[:1].lower() + text[1:].rstrip(".")


def fault(name: str, seen: str, fix: str, state: State | None = None) -> Finding:
    """A fault, with the position it was seen in."""
    where = ("", "")
    if state is not None:
        where = (state.to_text(), "" if state.last_move is None else drawn(state))
    return Finding("fault", name, sentence(seen), sentence(fix), *where)


def explain(error: Fault, bot: Subject, state: State, seconds: float) -> Finding:
    """What a fault means, and how to fix it."""
    if error.reason == "start":
        return start(error, bot)
    if error.reason in ("time", "stall"):
        return no_answer(error, bot, state, seconds)
    if error.reason == "protocol":
        return framing(error, bot)
    if error.reason == "illegal":
        return illegal(error, bot, state)
    if error.reason == "memory":
        fix = Message("free what it allocates, and keep its tree or tables to a fixed size")
        return fault("memory", error.detail, fix, state)
    if error.reason == "flood":
        fix = Message("print replies only, and notes sparingly to standard error")
        return fault("too much output", error.detail, fix, state)
    return crash(error, bot, state)


# -- it does not start -----------------------------------------------------------------


def start(error: Fault, bot: Subject) -> Finding:
    """Why it did not start."""
    said = error.detail
    if "not ready within" in said:
        if bot.output_after_eof.strip():
            return buffering(bot.output_after_eof)
        if bot.output.strip():
            return framing(Fault("time", said), bot)
        return fault("does not start", said, fix_for("not ready", bot))
    fix = next(
        (fix for words, fix in START_FIXES if any(word in said for word in words)),
        fix_for("does not start", bot),
    )
    return fault("does not start", with_stderr(error), fix)


def with_stderr(error: Fault) -> str:
    """What happened, with the last line on its standard error."""
    lines = error.stderr.decode("utf-8", "replace").strip().splitlines()
    detail = meaning(error.detail)
    if not lines:
        return detail
    return Message(
        "{detail}; the last line on its standard error is {line}",
        detail=detail,
        line=quote(lines[-1].strip(), 160),
    )


# -- it does not answer ----------------------------------------------------------------


def no_answer(error: Fault, bot: Subject, state: State, seconds: float) -> Finding:
    """Why no answer came in time."""
    if "NULL" in error.detail:
        return fault("NULL", error.detail, fix_for("NULL", bot), state)
    if error.reason == "stall":
        fix = Message("read standard input before thinking, all of each request")
        return fault("does not read", error.detail, fix, state)
    if bot.late is not None:
        seen = Message(
            "it took {late:.2f} s for a move, where {seconds:g} s are allowed",
            late=bot.late,
            seconds=seconds,
        )
        return fault("too slow", seen, slow_fix(seconds), state)
    whole = bot.protocol.is_complete(bot.output)
    if bot.output_after_eof.strip(b"\0 \r\n\t") and not whole:
        return framing(error, bot)
    if bot.output_after_eof.strip():
        return buffering(bot.output_after_eof)
    if bot.output and not whole:
        return framing(error, bot)
    seen = Message("no answer came within {seconds:g} s, nor after waiting longer", seconds=seconds)
    fix = Message("look for an endless loop, and {advice}", advice=slow_fix(seconds))
    return fault("too slow", seen, fix, state)


def slow_fix(seconds: float) -> str:
    return Message(
        "look at a clock while thinking (std::chrono::steady_clock), every few hundred "
        "simulations, and stop at {seconds:.3g} s: other machines are slower and busier",
        seconds=0.8 * seconds,
    )


def buffering(said: bytes) -> Finding:
    seen = Message(
        "its reply {said} came only after its input was closed: it was buffered", said=shown(said)
    )
    return fault("buffering", seen, FLUSH)


def framing(error: Fault, bot: Subject) -> Finding:
    """A malformed reply."""
    if "refuses" in error.detail:
        fix = Message("make it accept the command; see its own documentation for sizes and rules")
        return fault("refuses a command", error.detail, fix)
    seen = Message(
        "it said {output}, which is a malformed reply ({detail})",
        output=shown(bot.output),
        detail=error.detail,
    )
    if error.reason == "time":
        seen = Message(
            "it said {output} and no more, which is an incomplete reply", output=shown(bot.output)
        )
    return fault("framing", bot.protocol.diagnose(bot.output) or seen, fix_for("framing", bot))


# -- it answers with an illegal move ---------------------------------------------------


def illegal(error: Fault, bot: Subject, state: State) -> Finding:
    """An illegal move: the usual mistakes by name."""
    seen = answer_in(error)
    if "out of turn" in error.detail or "answered twice" in error.detail:
        fix = Message("answer each request once, and print nothing else to standard output")
        return fault("out of turn", error.detail, fix, state)
    if "a move is a whole number" in error.detail:
        fix = Message("return the move as an int: one of state.legal_moves(), not its name")
        return fault("framing", error.detail, fix, state)
    point = re.search(r"\((-?\d+), (-?\d+)\)", error.detail)
    cell = None if point is None else bot.protocol.cell((int(point[1]), int(point[2])))
    found = support_of(state.game).mistake(state, cell, bot.answered)
    if found.detail:
        seen = Message("{seen}; {detail}", seen=seen, detail=found.detail)
    return fault(found.name, seen, found.fix, state)


def answer_in(error: Fault) -> str:
    """The bot's answer, without the position."""
    given = error.detail.values if isinstance(error.detail, Message) else {}
    if "why" in given:
        return Message("it answered ({x}, {y}), which {why}", **given)
    answer = re.sub(r" is not legal in .*", "", error.detail, flags=re.S).strip("'")
    return Message("it answered {answer}", answer=answer)


# -- it dies ---------------------------------------------------------------------------


def crash(error: Fault, bot: Subject, state: State) -> Finding:
    """It ended, or its function raised."""
    said = last_words(error.stderr)
    if said is not None and "raised" not in error.detail:
        return fault(
            said.name,
            Message("{detail}; {said}", detail=error.detail, said=said.seen),
            said.fix,
            state,
        )
    seen = with_stderr(error)
    fix: str
    if "raised" in error.detail:
        fix = Message("fix the error that it raised")
        seen = error.detail
    elif "exit status 0" in error.detail:
        fix = fix_for("exit", bot)
    elif "SIG" in error.detail:
        fix = DEBUG
    else:
        fix = Message(
            "start it by hand in a terminal, give it this position, and look at what it says"
        )
    return fault("crash", seen, fix, state)
