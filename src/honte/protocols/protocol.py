"""The contract of a protocol: what is sent to a bot and what its replies mean.

A protocol knows no clock and no process. Each *exchange* is a generator: it yields bytes to
send, ``LINE`` to read a line or a number to read that many bytes, and returns what it learned.
`BotPlayer` runs exchanges over a process; tests run them over strings.

>>> def ask_name():
...     yield b"name\\n"
...     reply = yield LINE
...     return reply.decode()
>>> run_scripted(ask_name(), b"Rhino\\n")
('Rhino', b'name\\n')
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from typing import Any, ClassVar, TypeVar

from honte.core.contract import Game, State
from honte.core.descriptor_parts import Cell
from honte.core.fault import Fault
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.request import Limit

T = TypeVar("T")
LINE = None
Exchange = Generator[bytes | int | None, bytes, T]


class Protocol:
    """One protocol that bots speak, for one game."""

    name: str
    games: tuple[str, ...]
    """The games that it is spoken for."""
    default_game = ""
    """What bots of this protocol usually play; "" if nothing can be said."""
    handshake = False
    """Whether `hello` waits for a reply: only then is it known when the bot is ready."""
    lifetime = "match"
    """How long a process of it lives: a ``match``, a ``game`` or a ``move``."""
    needs_history = False
    """Whether the bot must be told the moves that led to the position."""
    board_in_request = False
    """Whether every request carries the board, so that one process can play on any."""
    varies_boards = False
    """Whether its judges vary the board from game to game."""
    silent_between_turns = True
    """Whether anything written between turns is a move out of turn."""
    goodbye = b""
    version = ""
    """Name and version that the bot reports."""
    advice: ClassVar[Mapping[str, str]] = {}
    """How to fix a fault, by its name, for `honte check`."""

    def __init__(self, game: Game) -> None:
        if game.name not in self.games:
            known = " and ".join(self.games)
            raise ValueError(
                Message(
                    "{name}: bots play {known} with us, not {game}",
                    name=self.name,
                    known=known,
                    game=game.name,
                )
            )
        self.game: Any = game

    def hello(self) -> Exchange[None]:
        """What is sent to a new process."""
        return
        yield LINE

    def new_game(self) -> Exchange[None]:
        """What is sent before the first move of a game."""
        return
        yield LINE

    def turn(self, moves: list[int], state: State, limit: Limit) -> Exchange[int]:
        """Ask for a move in a position, with the moves that led to it."""
        raise NotImplementedError
        yield LINE

    def keeps_running(self, rest: bytes) -> bool:
        """For a lifetime of one move: whether what follows the reply asks to keep running."""
        return False

    # -- for `honte check` -------------------------------------------------------------

    def is_complete(self, output: bytes) -> bool:
        """Whether a bot's output ends after a whole reply, so that only the next is missing."""
        return not output

    def diagnose(self, output: bytes) -> str:
        """What is wrong with a malformed reply, where it is a known mistake."""
        return ""

    def cell(self, point: tuple[int, int]) -> Cell:
        """The row and column that a bot means by a pair of numbers."""
        return point


def run_scripted(exchange: Exchange[T], replies: bytes) -> tuple[T, bytes]:
    """Run an exchange with the bot's replies given; what it returns, and what it sent."""
    sent = b""
    reply = b""
    try:
        want = next(exchange)
        while True:
            if isinstance(want, bytes):
                sent, reply = sent + want, b""
            elif want is LINE:
                reply, end, replies = replies.partition(b"\n")
                if not end:
                    raise EOFError("the exchange reads another line")
                reply = reply.removesuffix(b"\r")
            elif len(replies) < want:
                raise EOFError(f"the exchange reads {want} bytes")
            else:
                reply, replies = replies[:want], replies[want:]
            want = exchange.send(reply)
    except StopIteration as done:
        return done.value, sent


def plain(line: bytes) -> str:
    """A reply as text; anything but printable ASCII is malformed."""
    if not line.isascii() or any((byte < 32 and byte != 9) or byte == 127 for byte in line):
        raise Fault(
            "protocol", Message("malformed reply, not plain text: {line}", line=shown(line))
        )
    return line.decode("ascii")


def shown(data: bytes) -> str:
    """What a bot wrote, for a message."""
    return quote(data[:60].decode("utf-8", "backslashreplace"))


def whole(text: str) -> int:
    """A whole number as a bot writes it."""
    digits = text.removeprefix("-")
    if not (0 < len(digits) <= 9 and digits.isascii() and digits.isdigit()):
        raise Fault("protocol", Message("{given} is not a whole number", given=quote(text)))
    return int(text)


def read_json(data: bytes) -> Any:
    """JSON from a bot."""
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Fault(
            "protocol", Message("malformed reply, not JSON: {data}", data=shown(data))
        ) from None


def field(given: Any, name: str) -> int:
    """A whole number in an object from a bot."""
    value = given.get(name) if isinstance(given, dict) else None
    if type(value) is int and abs(value) < 10**9:
        return value
    raise Fault(
        "protocol",
        Message(
            "malformed reply, no whole number {name!r}: {given}", name=name, given=quote(given)
        ),
    )


def illegal(text: object, state: State) -> Fault:
    """A move that cannot be played, with the position it was given in."""
    position = state.to_text()
    return Fault(
        "illegal",
        Message(
            "{given} is not legal in {position}", given=quote(text), position=quote(position, 400)
        ),
    )
