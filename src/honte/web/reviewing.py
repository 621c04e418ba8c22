"""The review of a game as the page gets it: one remark for every move."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from honte.arena.review import Remark, Reviewer, remark
from honte.search.limit import Limit
from honte.web.position import Json


class Review:
    """A review that can be called off at any moment."""

    def __init__(self, states: list[Any], seconds: float, memory: int) -> None:
        self.states = states
        self.game = states[0].game
        settings: dict[str, object] = {"memory_mb": max(1, memory // 2)}
        self.reviewer = Reviewer(self.game, "best", Limit(seconds=seconds), settings)

    def halt(self) -> None:
        for player in (self.reviewer.walker, self.reviewer.aside):
            search = getattr(player, "uct", None) or getattr(player, "search", None)
            if callable(stop := getattr(search, "stop", None)):
                stop()

    def remarks(self) -> Iterator[Json]:
        """What each move was worth, as soon as it is known."""
        if len(self.states) < 2:
            return
        walker = self.reviewer.walker
        here = self.reviewer.worth(self.states[0], walker)
        for number, (state, after) in enumerate(pairwise(self.states), 1):
            there = self.reviewer.worth(after, walker)
            found = remark(self.reviewer, number, state, after.last_move, here, there.turned())
            yield remark_json(self.game, found)
            here = there

    def close(self) -> None:
        self.reviewer.close()


def remark_json(game: Any, remark: Remark) -> Json:
    """A remark with the value before the move, had the best been played, for player 0."""
    sign = 1 if remark.mover == 0 else -1
    return {
        "ply": remark.number,
        "move": game.format(remark.move),
        "best": game.format(remark.best),
        "value": round(sign * remark.best_value, 4),
        "after": round(sign * remark.value, 4),
        "cost": round(remark.cost, 4),
        "mark": remark.mark or None,
        "pv": [game.format(move) for move in remark.line],
        "proven": remark.best_proven,
        "forced": remark.forced,
    }
