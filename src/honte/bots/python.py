"""A Python function: ``py:file.py:function``."""

from __future__ import annotations

import dataclasses
from typing import Any

from honte.bots.hosted import Hosted
from honte.games.contract import Game
from honte.search.limit import Limit


class PythonFunction(Hosted):
    """``def choose(state, limit) -> move``; the state travels as its text."""

    name = "py"

    def __init__(self, game: Game) -> None:
        self.games = (game.name,)  # any game, ours or not
        super().__init__(game)

    def request(self, state: Any, limit: Limit) -> dict[str, Any]:
        game = state.game
        parts = game.pickled(state) if hasattr(game, "pickled") else (state.to_text(), None)
        return {"game": game.spec, "state": parts, "limit": dataclasses.asdict(limit)}
