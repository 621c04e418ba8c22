"""The host process of bots that are not programs: Python functions, Kaggle agents, libraries.

Run as a script: ``host.py KIND FILE FUNCTION``. Requests come on standard input as JSON, one per
line; replies are ``ready``, ``move N``, ``point X Y``, ``null``, ``raised WORDS``, ``missing
WHAT NAME`` or ``failed WORDS``. Output of the bot itself goes to standard error, so it cannot
corrupt a reply.

A check starts dozens of hosts: only what every bot needs is imported here.
"""

from __future__ import annotations

import ctypes
import json
import operator
import os
import sys
from types import SimpleNamespace

TYPE_CHECKING = False  # without importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any

    Answer = Callable[[dict[str, Any]], str]


class Point(ctypes.Structure):
    """The course's point: x is the row, y the column."""

    _fields_ = (("x", ctypes.c_int), ("y", ctypes.c_int))


class LoadError(Exception):
    """The bot cannot be loaded; the message is the reply that says why."""


def load(file: str) -> dict[str, Any]:
    """Run a Python file; returns its globals."""
    file = os.path.abspath(file)
    folder = os.path.dirname(file)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    with open(file, "rb") as source:
        code = compile(source.read(), file, "exec")
    names: dict[str, Any] = {"__name__": "bot", "__file__": file}
    exec(code, names)
    return names


def host_py(file: str, function: str, package: str) -> Answer:
    """A function of a state and a limit."""
    sys.path.append(package)
    import honte

    found = load(file).get(function)
    if not callable(found):
        raise LoadError(f"missing function {function}")
    games: dict[str, Any] = {}

    def answer(request: dict[str, Any]) -> str:
        spec = request["game"]
        if spec not in games:
            games[spec] = honte.game(spec)
        game = games[spec]
        state = game.unpickled(*request["state"])
        return as_move(found(state, honte.Limit(**request["limit"])))

    return answer


class Struct(dict):  # type: ignore[type-arg]
    """A dictionary whose keys are attributes too, as Kaggle's observations are."""

    __getattr__ = dict.__getitem__


def host_kaggle(file: str, function: str, _: str) -> Answer:
    """An agent of an observation and a configuration; the file runs anew for every game."""

    def fresh() -> Any:
        names = load(file)
        if function:
            found = names.get(function)
        else:  # Kaggle's rule: the last callable that the file defines
            own = [value for value in names.values() if callable(value)]
            found = own[-1] if own else None
        if not callable(found):
            raise LoadError(f"missing agent {function}")
        return found

    here = SimpleNamespace(agent=fresh(), used=False)

    def answer(request: dict[str, Any]) -> str:
        if request["new"] and here.used:
            here.agent = fresh()
        here.used = True
        observation, configuration = (
            Struct(request["observation"]),
            Struct(request["configuration"]),
        )
        code = getattr(here.agent, "__code__", None)
        if code is not None and code.co_argcount < 2:
            return as_move(here.agent(observation))
        return as_move(here.agent(observation, configuration))

    return answer


def as_move(chosen: object) -> str:
    """A function's return value as a move: integer types of any library are fine."""
    try:
        move = operator.index(chosen)  # type: ignore[arg-type]
    except TypeError:
        return f"other {type(chosen).__name__}"
    return f"move {move}" if abs(move) < 10**9 else "other huge number"


def host_getpoint(file: str, _: str, __: str) -> Answer:
    """A shared library with the course's interface."""
    try:
        library = ctypes.CDLL(os.path.abspath(file))
    except OSError as error:
        raise LoadError(f"failed {error}") from None
    get = symbol(library, "getPoint", "_Z8getPointiiPKiS0_iiii")
    clear = symbol(library, "clearPoint", "_Z10clearPointP5Point")
    ints = ctypes.POINTER(ctypes.c_int)
    number = ctypes.c_int
    get.argtypes = [number, number, ints, ints, number, number, number, number]
    get.restype = ctypes.POINTER(Point)
    clear.argtypes = [ctypes.POINTER(Point)]
    clear.restype = None

    def answer(request: dict[str, Any]) -> str:
        top, board = request["top"], request["board"]
        point = get(
            request["rows"],
            request["cols"],
            (number * len(top))(*top),
            (number * len(board))(*board),
            *request["last"],
            *request["blocked"],
        )
        if not point:
            return "null"
        said = f"point {point.contents.x} {point.contents.y}"
        clear(point)
        return said

    return answer


def symbol(library: ctypes.CDLL, *names: str) -> Any:
    """Look up a function by its C name or its mangled C++ name."""
    for name in names:
        try:
            return getattr(library, name)
        except AttributeError:
            continue
    raise LoadError(f"missing symbol {names[0]}")


def words(error: BaseException) -> str:
    """An error on one line."""
    text = f"{type(error).__name__}: {error}".encode("ascii", "backslashreplace").decode()
    return " ".join(text.split())[:500]


def requests() -> Iterator[dict[str, Any]]:
    for line in sys.stdin.buffer:
        yield json.loads(line)


def main(kind: str, file: str, what: str, package: str) -> None:
    answers = os.dup(1)
    os.dup2(2, 1)  # from here on, print and printf go to stderr

    def say(text: str) -> None:
        os.write(answers, text.encode() + b"\n")

    hosts = {"py": host_py, "kaggle": host_kaggle, "getpoint": host_getpoint}
    try:
        answer = hosts[kind](file, what, package)
    except LoadError as error:
        return say(str(error).replace("\n", " "))
    except BaseException as error:
        sys.excepthook(*sys.exc_info())
        return say(f"failed {words(error)}")
    say("ready")
    for request in requests():
        try:
            said = answer(request)
        except SystemExit:
            raise
        except BaseException as error:
            sys.excepthook(*sys.exc_info())
            said = f"raised {words(error)}"
        say(said)
    return None


if __name__ == "__main__":
    main(*sys.argv[1:5])
