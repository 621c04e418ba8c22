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

from honte.core.contract import Game, IllegalMove, State
from honte.core.descriptor import GameDescriptor
from honte.core.descriptor_parts import BoardStyle, Side
from honte.core.games import game, register
from honte.core.player import Player
from honte.core.players import player, register_engine, register_names, register_player
from honte.core.report import Candidate, Report
from honte.core.request import CancelToken, GameClock, Interrupted, Limit, Request
from honte.games import BUILTIN

if TYPE_CHECKING:
    from honte.drawing.replay import replay

__version__ = "0.1.0"

for _name, _factory in BUILTIN.items():
    register(_name, _factory)

register_player("random", "honte.players.random:RandomPlayer")
register_player("uct", "honte.search.engine:UctPlayer")
register_engine("best", "honte.search.engine:best")
register_player("textbook", "honte.search.engine:TextbookPlayer")
register_player("minimax", "honte.search.engine:MinimaxPlayer")
register_engine("alphabeta")
register_engine("solver")
register_player("level", "honte.players.level:LevelPlayer")
# Other people's programs: the protocols they speak, imported when one is first asked for.
for _name in ("gtp", "py", "getpoint", "saiblo", "saiblo_json", "botzone", "botzone_simple"):
    register_player(_name, f"honte.sandbox.programs:{_name}", command=True)
register_player("kaggle", "honte.sandbox.programs:kaggle", command=True)
register_player("nboard", "honte.sandbox.programs:nboard", command=True)
register_names("honte.sandbox.names:find")

__all__ = [
    "BoardStyle",
    "CancelToken",
    "Candidate",
    "Game",
    "GameClock",
    "GameDescriptor",
    "IllegalMove",
    "Interrupted",
    "Limit",
    "Player",
    "Report",
    "Request",
    "Side",
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
        from honte.drawing.replay import replay

        globals()["replay"] = replay
        return replay
    raise AttributeError(f"module 'honte' has no attribute {name!r}")
