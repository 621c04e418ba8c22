"""A Python function: ``py:file.py:function``."""

from __future__ import annotations

import dataclasses
from typing import Any

from honte.core.contract import Game
from honte.core.request import Limit
from honte.protocols.hosted import Hosted


class PythonFunction(Hosted):
    """``def choose(state, limit) -> move``; the state travels as its text."""

    name = "py"
    games: tuple[str, ...] = ()

    def __init__(self, game: Game) -> None:
        self.games = (game.name,)  # any game, ours or not
        super().__init__(game)

    def request(self, state: Any, limit: Limit) -> dict[str, Any]:
        game = state.game
        return {"game": game.spec, "state": game.pickled(state), "limit": dataclasses.asdict(limit)}
