"""UCT support of Othello."""

from honte import _native
from honte.search.uct_settings import UctSupport, flags

SUPPORT = UctSupport(
    search=_native.OthelloUct,
    searches=_native.OthelloSearches,
    playouts={"uniform": 0, "corner": 1},
    read_playout=flags,
    defaults={"playout": "corner"},
)
