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
    """The games that the protocol covers."""
    default_game = ""
    """The game that bots of this protocol usually play; "" if there is none."""
    handshake = False
    """Whether `hello` waits for a reply: only then is it known when the bot is ready."""
    lifetime = "match"
    """Lifetime of a bot process: a ``match``, a ``game`` or a ``move``."""
    needs_history = False
    """Whether requests need the moves that led to the position."""
    board_in_request = False
    """Whether every request carries the board, so that one process can play on any."""
    varies_boards = False
    """Whether its judges vary the board from game to game."""
    silent_between_turns = True
    """Whether anything written between turns is a move out of turn."""
    afterword = b"\n"
    """What ends the output after a reply, for the lifetime ``move``."""
    goodbye = b""
    version = ""
    """Name and version that the bot reports."""
    advice: ClassVar[Mapping[str, str]] = {}
    """Advice on fixing a fault, by its name, for `honte check`."""

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
        """The exchange with a new process."""
        return
        yield LINE

    def new_game(self) -> Exchange[None]:
        """The exchange before the first move of a game."""
        return
        yield LINE

    def turn(self, moves: list[int], state: State, limit: Limit) -> Exchange[int]:
        """Ask for a move in a position, with the moves that led to it."""
        raise NotImplementedError
        yield LINE

    def keeps_running(self, rest: bytes) -> bool:
        """Whether the output after the reply asks to keep running, for the lifetime ``move``."""
        return False

    # -- for `honte check` -------------------------------------------------------------

    def is_complete(self, output: bytes) -> bool:
        """Whether a bot's output ends after a complete reply, so that only the next is missing."""
        return not output

    def diagnose(self, output: bytes) -> str:
        """The mistake behind a malformed reply, if it is a known one."""
        return ""

    def cell(self, point: tuple[int, int]) -> Cell:
        """The row and column that a bot means by a pair of numbers."""
        return point


def run_scripted(exchange: Exchange[T], replies: bytes) -> tuple[T, bytes]:
    """Run an exchange over scripted replies; returns its result and the bytes it sent."""
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
    """A bot's output, for an error message."""
    return quote(data[:60].decode("utf-8", "backslashreplace"))


def whole(text: str) -> int:
    """Parse a whole number from a bot."""
    digits = text.removeprefix("-")
    if not (0 < len(digits) <= 9 and digits.isascii() and digits.isdigit()):
        raise Fault("protocol", Message("{given} is not a whole number", given=quote(text)))
    return int(text)


def read_json(data: bytes) -> Any:
    """Parse JSON from a bot."""
    try:
        return json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise Fault(
            "protocol", Message("malformed reply, not JSON: {data}", data=shown(data))
        ) from None


def field(given: Any, name: str) -> int:
    """Parse a whole number in an object from a bot."""
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
    """The fault for an illegal move, with the position."""
    position = state.to_text()
    return Fault(
        "illegal",
        Message(
            "{given} is not legal in {position}", given=quote(text), position=quote(position, 400)
        ),
    )
