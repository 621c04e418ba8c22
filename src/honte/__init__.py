"""Honte: strong, fast, understandable AI for Connect Four, Othello and Go.

>>> import honte
>>> game = honte.game("connect4:rows=12,cols=12,blocked=5/6")
>>> state = game.start()
>>> player = honte.player("random", game)
>>> state = state.play(player.choose(state, honte.Limit(seconds=2)).move)
>>> state.to_move
1
"""

from honte.games.contract import Game, IllegalMove, State
from honte.games.registry import game, register
from honte.players.contract import Player
from honte.players.registry import player, register_player
from honte.search.limit import Limit
from honte.search.report import Candidate, Report

__version__ = "0.1.0"

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
]
