"""Bots that run in a host process of ours: ``py:``, ``kaggle:``, ``getpoint:``.

The requests to `host.py` and its replies. A library that crashes or a function that loops takes
its host down, never the arena.
"""

from __future__ import annotations

import json
from typing import Any, ClassVar

from honte.core.contract import State
from honte.core.fault import Fault
from honte.core.language import Message
from honte.core.request import Limit
from honte.protocols.protocol import LINE, Exchange, Protocol, plain, shown, whole

PRINTS = Message(
    "it does no harm here: what a bot prints is kept apart from its moves; but it takes time, and "
    "a program on Saiblo or Botzone, whose answers go over standard output, would lose by it: take "
    "it out before you hand it in"
)


class Hosted(Protocol):
    """The common base of the three."""

    handshake = True
    board_in_request = True
    function_in_spec = True
    """Whether the spec may name a function in the file."""
    advice: ClassVar = {
        "does not start": Message("run the file by itself (python file.py) and fix the error"),
        "prints": PRINTS,
    }

    def hello(self) -> Exchange[None]:
        word, rest = parted((yield LINE))
        if word == "failed":
            raise Fault("start", rest)
        if word == "missing":
            what, _, name = rest.partition(" ")
            raise Fault("start", missing(what, name))
        if word != "ready":
            raise Fault(
                "protocol",
                Message("the host says {said}, not that it is ready", said=shown(word.encode())),
            )

    def turn(self, moves: list[int], state: State, limit: Limit) -> Exchange[int]:
        yield json.dumps(self.request(state, limit), separators=(",", ":")).encode() + b"\n"
        word, rest = parted((yield LINE))
        if word == "move":
            return whole(rest)
        if word == "raised":
            reason = "memory" if rest.startswith("MemoryError") else "crash"
            raise Fault(reason, Message("it raised {rest}", rest=rest))
        if word == "other":
            raise Fault(
                "illegal", Message("a move is a whole number, and it returned a {rest}", rest=rest)
            )
        return self.other_reply(word, rest, state)

    def other_reply(self, word: str, rest: str, state: State) -> int:
        """A reply that only bots of this kind give."""
        raise Fault("protocol", Message("the host says {said}", said=shown(word.encode())))

    def request(self, state: Any, limit: Limit) -> dict[str, Any]:
        raise NotImplementedError


def missing(what: str, name: str) -> Message:
    """What the host did not find in the file."""
    if what == "function":
        return Message("there is no function {name} in the file", name=name)
    if what == "agent":
        return Message("there is no agent in the file")
    return Message('the library has no {name}; is it declared extern "C"?', name=name)


def parted(line: bytes) -> tuple[str, str]:
    word, _, rest = plain(line).partition(" ")
    return word, rest
