"""The course's C interface: ``getpoint:./bot.so``.

The library is loaded by a host process, which calls ``getPoint`` and gives the point back
through ``clearPoint``.
"""

from __future__ import annotations

from typing import Any

from honte.bots import course
from honte.bots.hosted import Hosted
from honte.games.contract import Game
from honte.search.limit import Limit


class GetPoint(Hosted):
    """The course's C interface."""

    name = "getpoint"

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        course.check_board(self.name, game)

    def request(self, state: Any, limit: Limit) -> dict[str, Any]:
        return course.position(state)._asdict()
