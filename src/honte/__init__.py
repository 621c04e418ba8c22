"""Honte: strong, fast, understandable AI for Connect Four, Othello and Go.

A *game* is rules, a *state* is a position, a *player* answers with reports:

>>> import honte
>>> game = honte.game("connect4:rows=12,cols=12,blocked=5/6")
>>> state = game.start().play("6")
>>> report = honte.player("uct:seed=1", game).choose(state, iterations=200)
>>> state.play(report.move).to_move, report.iterations
(0, 200)

Two players make a game, and `honte.arena` many of them:

>>> honte.play("level:1", "random", "othello", seed=7).reason
'played out'

What there is:

- `games()` and `players()` list what the specs of `game` and `player` may name.
- `play` plays one game; `honte.arena` has matches, ratings and the store of games.
- `batch` steps many games at once, for programs that learn.
- `honte.search` has UCT for a network of your own: `Uct` and, for many games, `SearchBatch`.
- `honte.records` reads and writes games as SGF, GGF, WTHOR and text.
- `register_game` and `register_player` add your own.

On the command line the same is ``honte best``, ``honte match``, ``honte play``, …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from honte.core.contract import Game, IllegalMove, State
from honte.core.descriptor import GameDescriptor
from honte.core.descriptor_parts import BoardStyle, Side
from honte.core.games import game, register
from honte.core.games import register as register_game
from honte.core.lazy import lazy
from honte.core.player import Player
from honte.core.players import player, register_engine, register_names, register_player
from honte.core.report import Candidate, Report
from honte.core.request import CancelToken, GameClock, Interrupted, Limit, Request
from honte.games import BUILTIN

if TYPE_CHECKING:
    from honte import search
    from honte.arena.single import play
    from honte.core import record as records
    from honte.drawing.replay import replay
    from honte.games.batch import batch

    def games() -> list[str]:
        """The names of all games."""

    def players() -> list[str]:
        """The names of all players."""


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
    "arena",
    "batch",
    "game",
    "games",
    "play",
    "player",
    "players",
    "records",
    "register",
    "register_game",
    "register_player",
    "replay",
    "search",
]

# What takes time to import, when it is first asked for.
__getattr__ = lazy(
    __name__,
    {
        "arena": "honte.arena",
        "batch": "honte.games.batch:batch",
        "play": "honte.arena.single:play",
        "players": "honte.players",
        "records": "honte.core.record",
        "replay": "honte.drawing.replay:replay",
        "search": "honte.search",
    },
)
