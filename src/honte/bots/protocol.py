"""The contract of a protocol: what is said to a bot and what its answers mean.

A protocol knows no clock and no process. Each conversation is a generator (a *talk*): it
yields bytes to send, ``LINE`` to get a line or a number to get that many bytes, and returns
what it learned. `BotPlayer` runs talks over a process; tests run them over strings.

>>> def talk():
...     yield b"name\\n"
...     answer = yield LINE
...     return answer.decode()
>>> rehearse(talk(), b"Rhino\\n")
('Rhino', b'name\\n')
"""

from __future__ import annotations

import json
from collections.abc import Generator
from typing import Any, TypeVar

from honte.bots.faults import Fault
from honte.games.contract import Game, State, quote
from honte.search.limit import Limit

T = TypeVar("T")
LINE = None
Talk = Generator[bytes | int | None, bytes, T]


class Protocol:
    """One language that bots speak, for one game."""

    name: str
    games: tuple[str, ...]
    """The games that it can be spoken about."""
    greets = False
    """Whether `hello` waits for an answer: only then is it known when the bot has started."""
    life = "match"
    """How long a process of it lives: a ``match``, a ``game`` or a ``move``."""
    needs_moves = False
    """Whether it must know how the position came about."""
    strict = True
    """Whether anything said between the turns is a move out of turn."""
    goodbye = b""
    version = ""
    """What the bot says that it is."""

    def __init__(self, game: Game) -> None:
        if game.name not in self.games:
            known = " and ".join(self.games)
            raise ValueError(f"{self.name}: bots play {known} with us, not {game.name}")
        self.game: Any = game

    def hello(self) -> Talk[None]:
        """What is said to a new process."""
        return
        yield LINE

    def new_game(self) -> Talk[None]:
        """What is said before the first move of a game."""
        return
        yield LINE

    def turn(self, moves: list[int], state: State, limit: Limit) -> Talk[int]:
        """Ask for a move in a position, with the moves that led to it."""
        raise NotImplementedError
        yield LINE

    def stays(self, rest: bytes) -> bool:
        """For a life of one move: whether what follows the answer keeps the bot running."""
        return False


def rehearse(talk: Talk[T], answers: bytes) -> tuple[T, bytes]:
    """Run a talk with the bot's answers given; what it returns, and what it sent."""
    sent = b""
    reply = b""
    try:
        want = next(talk)
        while True:
            if isinstance(want, bytes):
                sent, reply = sent + want, b""
            elif want is LINE:
                reply, end, answers = answers.partition(b"\n")
                if not end:
                    raise EOFError("the talk wants another line")
                reply = reply.removesuffix(b"\r")
            elif len(answers) < want:
                raise EOFError(f"the talk wants {want} bytes")
            else:
                reply, answers = answers[:want], answers[want:]
            want = talk.send(reply)
    except StopIteration as done:
        return done.value, sent


def plain(line: bytes) -> str:
    """An answer as text: printable ASCII, or it is none."""
    if not line.isascii() or any((byte < 32 and byte != 9) or byte == 127 for byte in line):
        raise Fault("protocol", f"an answer that is not plain text: {shown(line)}")
    return line.decode("ascii")


def shown(data: bytes) -> str:
    """What a bot said, for a message."""
    return quote(data[:60].decode("utf-8", "backslashreplace"))


def whole(text: str) -> int:
    """A whole number as a bot writes it."""
    digits = text.removeprefix("-")
    if not (0 < len(digits) <= 9 and digits.isascii() and digits.isdigit()):
        raise Fault("protocol", f"{quote(text)} is not a whole number")
    return int(text)


def read_json(data: bytes) -> Any:
    """JSON from a bot."""
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Fault("protocol", f"an answer that is not JSON: {shown(data)}") from None


def field(given: Any, name: str) -> int:
    """A whole number in an object from a bot."""
    value = given.get(name) if isinstance(given, dict) else None
    if type(value) is int and abs(value) < 10**9:
        return value
    raise Fault("protocol", f"an answer without a whole number {name!r}: {quote(given)}")


def illegal(text: object, state: State) -> Fault:
    """A move that cannot be played, with the position it was given in."""
    position = state.to_text()
    return Fault("illegal", f"{quote(text)} is no legal move in {quote(position, 400)}")
