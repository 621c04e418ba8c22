"""From what a bot did to words: what was seen, and how to mend it."""

from __future__ import annotations

import re
from typing import Any, NamedTuple, Protocol

from honte.bots.faults import Fault
from honte.bots.protocol import shown
from honte.games.contract import State, quote

FRAMES = {
    "saiblo": "write the length of the answer as 4 bytes, big-endian (htonl), then the answer "
    "itself, like `5 3` for row 5 and column 3, with nothing before or after, and flush",
    "saiblo_json": "write the length of the answer as 4 digits or as 4 bytes, big-endian, then "
    'the answer itself, like {"X": 5, "Y": 3}, and flush',
    "botzone": 'print the answer as JSON on one line, like {"response": {"x": 5, "y": 3}}, with a '
    "line end; use `botzone_simple:` for a bot without JSON",
    "botzone_simple": "print two numbers on one line, like `5 3`; use `botzone:` for a bot that "
    "writes JSON",
    "gtp": "answer every command with `=`, the number that came before the command, a blank and "
    "the result, and end each answer with an EMPTY line (two line ends), also where there is no "
    "result",
    "nboard": "answer `ping 1` with `pong 1`, and `go` with `=== f5` on a line of its own",
}
FLUSH = (
    "flush after every answer, and do not wait for the end of the input: fflush(stdout) in C, "
    "std::cout << std::flush or std::endl in C++, print(..., flush=True) in Python, "
    "System.out.flush() in Java"
)
DEBUG = (
    "compile with `-g -fsanitize=address,undefined` and ask the bot about this position; look for "
    "an index past the board, a board kept at a fixed size, a pointer used after delete"
)


class Finding(NamedTuple):
    """One thing that was tried."""

    kind: str
    """``ok``, ``warning`` or ``fault``."""
    name: str
    """What it is about, in a word or two."""
    seen: str
    mend: str = ""
    position: str = ""
    """Where it was seen, as text that `honte best GAME --position` takes."""
    picture: str = ""


class Subject(Protocol):
    """What must be known about a bot that failed."""

    @property
    def spec(self) -> str: ...
    @property
    def heard(self) -> bytes: ...
    @property
    def afterwards(self) -> bytes: ...
    @property
    def late(self) -> float | None: ...
    @property
    def answered(self) -> int | None: ...


def sentence(text: str) -> str:
    """Words as a sentence."""
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return text if text[-1:] in ".?!" else text + "."


def fault(name: str, seen: str, mend: str, state: State | None = None) -> Finding:
    """A fault, with the position it was seen in."""
    where = ("", "")
    if state is not None:
        where = (state.to_text(), "" if state.last_move is None else str(state))
    return Finding("fault", name, sentence(seen), sentence(mend), *where)


def explain(error: Fault, bot: Subject, state: State, seconds: float) -> Finding:
    """What a fault means, and how to mend it."""
    protocol = bot.spec.partition(":")[0]
    if error.reason == "start":
        return start(error, bot, protocol)
    if error.reason in ("time", "stall"):
        return no_answer(error, bot, protocol, state, seconds)
    if error.reason == "protocol":
        return framing(error, bot, protocol)
    if error.reason == "illegal":
        return illegal(error, bot, state)
    if error.reason == "memory":
        mend = "free what it allocates, and keep its tree or tables to a fixed size"
        return fault("memory", error.detail, mend, state)
    if error.reason == "flood":
        mend = "print answers only, and notes sparingly to standard error"
        return fault("too much output", error.detail, mend, state)
    return crash(error, protocol, state)


# -- it does not start -----------------------------------------------------------------


def start(error: Fault, bot: Subject, protocol: str) -> Finding:
    """Why it did not start."""
    said = error.detail
    if "not ready within" in said:
        if bot.afterwards.strip():
            return buffering(bot.afterwards)
        if bot.heard.strip():
            return framing(Fault("time", said), bot, protocol)
        mend = "read commands from standard input from the start, and load large files faster"
        if protocol == "gtp":
            mend += "; is it started in GTP mode (gnugo --mode gtp)?"
        return fault("does not start", said, mend)
    return fault("does not start", f"{said}{stderr_line(error)}", start_mend(said, protocol))


def start_mend(said: str, protocol: str) -> str:
    """How to make it start."""
    if "Exec format error" in said:
        return (
            "give a script a first line like #!/usr/bin/env python3, and compile programs for "
            "this machine"
        )
    if "Permission denied" in said:
        return "make it executable with `chmod +x`"
    if "library has no" in said:
        return (
            'put extern "C" before getPoint and clearPoint with the types of the course\'s '
            "Strategy.h, and compile without -fvisibility=hidden; `nm -D bot.so` lists what the "
            "library offers"
        )
    if "ModuleNotFoundError" in said or "ImportError" in said:
        return (
            "install the module for the Python that runs honte, or put the file beside the bot in "
            "a folder of its own; HONTE_SANDBOX=trusted shows whether the sandbox hides it"
        )
    if "undefined symbol" in said:
        return "add the source file or library that defines it to the compiler's line"
    if "cannot open shared object" in said:
        return "install the library that it names, or link it statically (-static-libstdc++)"
    if "invalid ELF" in said or "file too short" in said or "wrong architecture" in said:
        return "compile it as a library for this machine: g++ -O2 -shared -fPIC -o bot.so *.cpp"
    if "no function" in said:
        return "write the name of a function that the file defines: py:file.py:function"
    if protocol in ("py", "kaggle"):
        return "run the file by itself (python file.py) and mend the error"
    return "start it by hand in a terminal and look at what it says"


def stderr_line(error: Fault) -> str:
    """The last line on its standard error."""
    lines = error.stderr.decode("utf-8", "replace").strip().splitlines()
    return (
        f"; the last line on its standard error is {quote(lines[-1].strip(), 160)}" if lines else ""
    )


# -- it does not answer ----------------------------------------------------------------


def no_answer(error: Fault, bot: Subject, protocol: str, state: State, seconds: float) -> Finding:
    """Why no answer came in time."""
    if "NULL" in error.detail:
        mend = (
            "return a Point that was made with new on every path; column y is full when top[y] "
            "is 0, and some column is always open"
        )
        return fault("NULL", error.detail, mend, state)
    if error.reason == "stall":
        mend = "read standard input before thinking, all of each request"
        return fault("does not read", error.detail, mend, state)
    if bot.late is not None:
        seen = f"it took {bot.late:.2f} s for a move, where {seconds:g} s are allowed"
        return fault("too slow", seen, slow_mend(seconds), state)
    if bot.afterwards.strip(b"\0 \r\n\t") and not complete(bot.heard, protocol):
        return framing(error, bot, protocol)
    if bot.afterwards.strip():
        return buffering(bot.afterwards)
    if bot.heard and not complete(bot.heard, protocol):
        return framing(error, bot, protocol)
    seen = f"no answer came within {seconds:g} s, nor after waiting longer"
    mend = f"look for a loop without end, and {slow_mend(seconds)}"
    return fault("too slow", seen, mend, state)


def complete(heard: bytes, protocol: str) -> bool:
    """Whether what was heard ends between two answers, so that only the next one is missing."""
    if protocol == "gtp":
        return not heard or heard.endswith(b"\n\n")
    return not heard or protocol == "nboard"


def slow_mend(seconds: float) -> str:
    return (
        f"look at a clock while thinking (std::chrono::steady_clock), every few hundred "
        f"simulations, and stop at {0.8 * seconds:.3g} s: other machines are slower and busier"
    )


def buffering(said: bytes) -> Finding:
    seen = f"its answer {shown(said)} came only after its input was closed: it lay in a buffer"
    return fault("buffering", seen, FLUSH)


def framing(error: Fault, bot: Subject, protocol: str) -> Finding:
    """An answer that is none."""
    heard = bot.heard
    mend = FRAMES.get(protocol, "answer as docs/bots.md says")
    seen = f"it said {shown(heard)}, which is no answer ({error.detail})"
    if "refuses" in error.detail:
        mend = "make it accept the command; see its own documentation for sizes and rules"
        return fault("refuses a command", error.detail, mend)
    if error.reason == "time":
        seen = f"it said {shown(heard)} and no more, which is no whole answer"
    if protocol == "gtp" and heard.lstrip()[:1] == b"=" and not heard.endswith(b"\n\n"):
        seen = f"it said {shown(heard)} without the empty line that ends an answer"
    if protocol.startswith("saiblo"):
        length = int.from_bytes(heard[:4], "little")
        if len(heard) >= 4 and 0 < length < 4096:
            seen = f"it wrote the length {length} with its lowest byte first: {shown(heard)}"
        elif re.match(rb"\s*\d", heard):
            seen = f"it wrote {shown(heard)} without the length of four bytes before it"
    return fault("framing", seen, mend)


# -- it answers with an illegal move ---------------------------------------------------


def illegal(error: Fault, bot: Subject, state: Any) -> Finding:
    """A move that cannot be played: the usual mistakes by name."""
    detail = re.sub(r"(, in | is no legal move in ).*", "", error.detail, flags=re.S).strip("'")
    seen = "it answered " + re.sub(r"^(\(\S+ \S+\)) is", r"\1, which is", detail)
    if "out of turn" in error.detail or "answered twice" in error.detail:
        mend = "answer each request once, and print nothing else to standard output"
        return fault("out of turn", error.detail, mend, state)
    if "a move is a whole number" in error.detail:
        mend = "return the move as an int: one of state.legal_moves(), not its name"
        return fault("framing", error.detail, mend, state)
    name, more, mend = "illegal move", "", "play only where the rules allow it"
    point = re.search(r"\((-?\d+), (-?\d+)\)", error.detail)
    if state.game.name == "connect4":
        if point:
            name, more, mend = point_mistake(state, int(point[1]), int(point[2]))
        elif bot.answered is not None:
            name, more, mend = column_mistake(state, bot.answered)
    elif bot.answered is not None or point:
        name, more, mend = square_mistake(state, bot.answered, point)
    return fault(name, f"{seen}; {more}" if more else seen, mend, state)


def point_mistake(state: Any, x: int, y: int) -> tuple[str, str, str]:
    """What a wrong (row, column) looks like."""
    game = state.game
    rows, cols = game.rows, game.cols

    def lands(row: int, col: int) -> bool:
        return bool(0 <= col < cols and state.landing_row(col) == row)

    in_blocked_column = any(y == col for _, col in game.blocked)
    if (x, y) in game.blocked:
        return (
            "blocked cell",
            "",
            "never play on (noX, noY): take the row from top[y] - 1, where the judge has already "
            "skipped the blocked cell, and skip it yourself when you look ahead",
        )
    if lands(y, x):
        return (
            "rows and columns",
            f"the other way round, ({y}, {x}), it would be legal: rows and columns are swapped",
            "give the row first, counted from the top, then the column: new Point(top[y] - 1, y); "
            "a cell is board[x * N + y], where N is the number of columns",
        )
    if 0 <= y < cols and x >= 0 and in_blocked_column:
        if state.landing_row(y) is None:
            more = f"column {y} is full: its last free cell is the blocked one"
        else:
            more = f"the piece lands on row {state.landing_row(y)}"
        row = state.landing_row(y)
        if row is None or abs(x - row) == 1:
            return (
                "blocked cell",
                f"{more}, and the blocked cell of that column was counted wrongly",
                "do not count pieces to find the row: take top[y] - 1, where the blocked cell is "
                "already skipped; a column is full when top[y] is 0",
            )
    if lands(rows - 1 - x, y):
        return (
            "upside down",
            f"counted from the other end, ({rows - 1 - x}, {y}), it would be legal",
            "row 0 is the top row and the last row is at the bottom",
        )
    if lands(x - 1, y):
        return (
            "one row too low",
            f"the piece lands one row higher, on {x - 1}",
            "the next piece of column y lands on row top[y] - 1, not top[y]",
        )
    if lands(x - 1, y - 1):
        return "counts from 1", "rows and columns are counted from 0 here", "take 1 off both"
    if 0 <= y < cols and state.landing_row(y) is None:
        return (
            "full column",
            f"column {y} is full",
            "leave out every column with top[y] equal to 0, in the search as well as at the end",
        )
    if not (0 <= x < rows and 0 <= y < cols):
        more = f"the board has {rows} rows and {cols} columns"
        mend = "use M and N of this call, not a size kept from before, and count from 0"
        return "off the board", more, mend
    more = f"a piece in column {y} lands on row {state.landing_row(y)}"
    return "illegal move", more, "take the row from top[y] - 1 of this call"


def column_mistake(state: Any, move: int) -> tuple[str, str, str]:
    """What a wrong column looks like."""
    game = state.game
    if not 0 <= move < game.cols:
        more = f"the board has the columns 0 to {game.cols - 1}"
        mend = "count columns from 0, and take their number from state.game.cols of this call"
        return "off the board", more, mend
    if (0, move) in game.blocked:
        return (
            "blocked cell",
            f"column {move} is full: its last free cell is the blocked one",
            "a column whose top cell is blocked is full one piece earlier; choose from "
            "state.legal_moves()",
        )
    return "full column", f"column {move} is full", "choose from state.legal_moves()"


def square_mistake(
    state: Any, answered: int | None, point: re.Match[str] | None
) -> tuple[str, str, str]:
    """What a wrong point of Othello or Go looks like."""
    game = state.game
    legal = state.legal_moves()
    mend = "choose a move that the rules allow"
    if [game.format(move) for move in legal] == ["pass"]:
        return "pass", "there is no move here, so it must pass", pass_mend(game.name)
    width = 8 if game.name == "othello" else game.size
    if point is not None:  # Botzone's coordinates
        x, y = int(point[1]), int(point[2])
        if game.name == "go":
            x, y = x - 1, game.size - y
        answered = width * y + x if 0 <= x < game.size and 0 <= y < game.size else None
        if (x, y) == (-1, -1):
            return "pass", "it passed, and there are moves", pass_mend(game.name)
    if answered is None:
        return "off the board", f"the board is {game.size}×{game.size}", mend
    if answered < width * game.size:
        row, col = divmod(answered, width)
        if col < game.size and width * col + row in legal and game.name == "othello":
            return (
                "rows and columns",
                f"the other way round, {game.format(width * col + row)}, it would be legal: rows "
                "and columns may be swapped",
                "on Botzone x is the column and y the row; for a Python function a move is "
                "8 * row + column",
            )
    elif answered == game.parse("pass"):
        return "pass", "it passed, and there are moves", pass_mend(game.name)
    some = " ".join(game.format(move) for move in legal[:8])
    return "illegal move", f"legal are {some}{' …' if len(legal) > 8 else ''}", mend


def pass_mend(name: str) -> str:
    if name == "othello":
        return (
            "pass when there is no move, and only then: `pass` in GTP, (-1, -1) on Botzone, 64 for "
            "a Python function; after the opponent's pass it is simply your turn again"
        )
    return (
        "answer a pass like any other move: the board stays as it is, a ko is over, and two "
        "passes in a row end the game"
    )


# -- it dies ---------------------------------------------------------------------------


def crash(error: Fault, protocol: str, state: State) -> Finding:
    """It ended, or its function raised."""
    seen = f"{error.detail}{stderr_line(error)}"
    if "raised" in error.detail:
        mend = "mend the error that it raised"
        seen = error.detail
    elif "exit status 0" in error.detail:
        mend = "read and answer in a loop until the input ends; do not leave after one answer"
        if protocol.startswith("botzone"):
            mend = "print the answer before ending"
    elif "SIG" in error.detail:
        mend = DEBUG
    else:
        mend = "start it by hand in a terminal, give it this position, and look at what it says"
    return fault("crash", seen, mend, state)
