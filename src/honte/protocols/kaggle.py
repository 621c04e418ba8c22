"""Kaggle's ConnectX: ``kaggle:agent.py``.

The board is a flat list, row by row from the top; 1 and 2 are the players, in the order in
which they move.
"""

from __future__ import annotations

from typing import Any

from honte.core.contract import Game
from honte.core.language import Message
from honte.core.request import Limit
from honte.protocols.hosted import Hosted
from honte.protocols.protocol import LINE, Exchange


class Kaggle(Hosted):
    """``def agent(observation, configuration) -> column``."""

    name = "kaggle"
    games = ("connect4",)

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._new = True
        if self.game.blocked:
            raise ValueError(Message("kaggle: agents know no blocked cells; leave them out"))

    def new_game(self) -> Exchange[None]:
        self._new = True
        return
        yield LINE

    def request(self, state: Any, limit: Limit) -> dict[str, Any]:
        cells = list(state.cells())
        new, self._new = self._new, False
        game = state.game
        return {
            "new": new,
            "observation": {
                "board": cells,
                "mark": state.to_move + 1,
                "step": sum(map(bool, cells)),
                "remainingOverageTime": 60,
            },
            "configuration": {
                "rows": game.rows,
                "columns": game.cols,
                "inarow": game.inarow,
                "actTimeout": limit.seconds or 2,
                "timeout": limit.seconds or 2,
                "episodeSteps": 1000,
            },
        }
