"""The built-in games, one folder each.

A folder holds everything game-specific: notation, drawing, records, engines, books, levels and
learned data. The rest of the program reaches it through the game's descriptor.
"""

import sys
from types import ModuleType

from honte.core.games import names
from honte.core.language import Message

BUILTIN = {
    "connect4": "honte.games.connect4.game:ConnectFour",
    "othello": "honte.games.othello.game:Othello",
    "go": "honte.games.go.game:Go",
}
"""Game classes by name, imported on first use."""

DEFAULT = "connect4"
"""The default game of commands."""
MEASURED = "connect4:course"
"""The default game of the ladder."""
TITLES = Message("Connect Four, Othello and Go")
SPECS = "connect4:rows=12,cols=12,blocked=5/6  othello:size=6  go:size=9,komi=7.5"
"""Examples, for the overview of the command line."""
EXAMPLE = "othello --moves f5d6"
"""A position, as commands take it."""


class _Games(ModuleType):
    """The module itself; calling it lists the names of all games."""

    def __call__(self) -> list[str]:
        return names()


sys.modules[__name__].__class__ = _Games
