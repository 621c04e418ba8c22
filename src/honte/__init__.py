"""Honte: strong, fast, understandable AI for Connect Four, Othello and Go.

>>> import honte
>>> game = honte.game("connect4:rows=12,cols=12,blocked=5/6")
>>> state = game.start()
>>> player = honte.player("random", game)
>>> state = state.play(player.choose(state, honte.Limit(seconds=2)).move)
>>> state.to_move
1
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from honte.games.contract import Game, IllegalMove, State
from honte.games.registry import game, register
from honte.players.contract import Player
from honte.players.registry import player, register_names, register_player
from honte.search.limit import Limit
from honte.search.report import Candidate, Report

if TYPE_CHECKING:
    from honte.games.replay import replay

__version__ = "0.1.0"

# Other people's programs: the protocols they speak, imported when one is first asked for.
register_player("gtp", "honte.bots.programs:gtp", command=True)
register_player("py", "honte.bots.programs:py", command=True)
register_player("getpoint", "honte.bots.programs:getpoint", command=True)
register_player("saiblo", "honte.bots.programs:saiblo", command=True)
register_player("saiblo_json", "honte.bots.programs:saiblo_json", command=True)
register_player("botzone", "honte.bots.programs:botzone", command=True)
register_player("botzone_simple", "honte.bots.programs:botzone_simple", command=True)
register_player("kaggle", "honte.bots.programs:kaggle", command=True)
register_player("nboard", "honte.bots.programs:nboard", command=True)
register_names("honte.bots.names:find")

__all__ = [
    "Candidate",
    "Game",
    "IllegalMove",
    "Limit",
    "Player",
    "Report",
    "State",
    "game",
    "player",
    "register",
    "register_player",
    "replay",
]


def __getattr__(name: str) -> object:
    """`replay` is for notebooks; it is imported when it is first asked for."""
    if name == "replay":
        from honte.games.replay import replay

        globals()["replay"] = replay
        return replay
    raise AttributeError(f"module 'honte' has no attribute {name!r}")
