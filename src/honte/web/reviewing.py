"""The review of a game as the page gets it: one remark for every move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from honte.analysis.review import DEFAULT_LIMIT, Remark, Reviewer, remarks
from honte.core.contract import State
from honte.core.reason import Reason
from honte.core.request import CancelToken, Limit
from honte.web.position import Json, line_json


class Review:
    """A review that ends as soon as its token is cancelled."""

    def __init__(
        self,
        states: list[State],
        seconds: float | None,
        memory: int,
        cancel: CancelToken,
        first: int = 1,
    ) -> None:
        self.states = states
        self.first = first
        self.game = states[0].game
        settings: dict[str, object] = {"memory_mb": max(2, memory // 2)}
        limit = DEFAULT_LIMIT if seconds is None else Limit(seconds=seconds)
        self.reviewer = Reviewer(self.game, "best", limit, settings)
        self.reviewer.cancel = cancel

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.reviewer.close()

    def remarks(self) -> Iterator[Json]:
        """A remark on each move from the first wanted, as soon as it has been searched."""
        states = self.states[self.first - 1 :]
        for state, remark in zip(states, remarks(self.reviewer, states, self.first), strict=False):
            yield remark_json(state, remark)


def remark_json(state: State, remark: Remark) -> Json:
    """A remark on a move from `state`; values are player 0's, `value` had the best been played."""
    game = state.game
    sign = 1 if remark.mover == 0 else -1
    return {
        "ply": remark.number,
        "move": game.format(remark.move),
        "best": game.format(remark.best),
        "value": round(sign * remark.best_value, 4),
        "after": round(sign * remark.value, 4),
        "cost": round(remark.cost, 4),
        "mark": remark.mark or None,
        **line_json(state, remark.line),
        "reply": line_json(state, remark.reply),
        "proven": remark.best_proven,
        "forced": remark.forced,
        "exact": remark.exact,
        "played_proven": remark.proven,
        "score": remark.score,
        "best_score": remark.best_score,
        "lead": remark.lead,
        "lost": remark.lost,
        "distance": remark.distance,
        "best_distance": remark.best_distance,
        "why": [reason_json(reason) for reason in remark.why],
    }


def reason_json(reason: Reason) -> Json:
    """A sentence with gaps, for the page to translate and fill."""
    return {"text": reason.text, "gaps": dict(reason.gaps), "cells": list(reason.cells)}
