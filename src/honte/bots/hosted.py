"""What bots in a host process of ours have in common: ``py:``, ``kaggle:``, ``getpoint:``.

What is said to `host.py` and what it answers. A library that crashes or a function that
spins takes its host with it, never the arena.
"""

from __future__ import annotations

import json
from typing import Any

from honte.bots import course
from honte.bots.faults import Fault
from honte.bots.protocol import LINE, Protocol, Talk, plain, shown, whole
from honte.games.contract import State
from honte.search.limit import Limit


class Hosted(Protocol):
    """What the three have in common."""

    games: tuple[str, ...] = ("connect4",)
    greets = True

    def hello(self) -> Talk[None]:
        word, rest = parted((yield LINE))
        if word == "failed":
            raise Fault("start", rest)
        if word != "ready":
            raise Fault("protocol", f"the host says {shown(word.encode())}, not that it is ready")

    def turn(self, moves: list[int], state: State, limit: Limit) -> Talk[int]:
        yield json.dumps(self.request(state, limit), separators=(",", ":")).encode() + b"\n"
        word, rest = parted((yield LINE))
        if word == "move":
            return whole(rest)
        if word == "point" and len(words := rest.split()) == 2:
            return course.column(state, whole(words[0]), whole(words[1]))
        if word == "null":
            raise Fault("time", "getPoint returned NULL, which the course counts as a time-out")
        if word == "raised":
            reason = "memory" if rest.startswith("MemoryError") else "crash"
            raise Fault(reason, f"it raised {rest}")
        if word == "other":
            raise Fault("illegal", f"a move is a whole number, and it returned a {rest}")
        raise Fault("protocol", f"the host says {shown(word.encode())}")

    def request(self, state: Any, limit: Limit) -> dict[str, Any]:
        raise NotImplementedError


def parted(line: bytes) -> tuple[str, str]:
    word, _, rest = plain(line).partition(" ")
    return word, rest
