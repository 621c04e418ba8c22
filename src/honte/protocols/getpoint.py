"""The course's C interface: ``getpoint:./bot.so``.

The library is loaded by a host process, which calls ``getPoint`` and returns the point through
``clearPoint``.
"""

from __future__ import annotations

from typing import Any, ClassVar

from honte.core.contract import Game, State
from honte.core.fault import Fault
from honte.core.language import Message
from honte.core.request import Limit
from honte.protocols import course
from honte.protocols.hosted import PRINTS, Hosted
from honte.protocols.protocol import whole


class GetPoint(Hosted):
    """The course's C interface."""

    name = "getpoint"
    games = ("connect4",)
    default_game = "connect4:course"
    varies_boards = True
    function_in_spec = False
    advice: ClassVar = {
        **course.ADVICE,
        "prints": PRINTS,
        "NULL": Message(
            "return a Point that was made with new on every path; column y is full when "
            "top[y] is 0, and some column is always open"
        ),
        "missing file": Message(
            "compile it first, with `g++ -O2 -shared -fPIC -o {file} Strategy.cpp Judge.cpp`"
        ),
    }

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        course.check_board(self.name, game)

    def request(self, state: Any, limit: Limit) -> dict[str, Any]:
        return course.position(state)._asdict()

    def other_reply(self, word: str, rest: str, state: State) -> int:
        if word == "point" and len(words := rest.split()) == 2:
            return course.column(state, whole(words[0]), whole(words[1]))
        if word == "null":
            raise Fault(
                "time", Message("getPoint returned NULL, which the course counts as a time-out")
            )
        return super().other_reply(word, rest, state)
