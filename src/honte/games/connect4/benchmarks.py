"""The rows of ``honte bench`` for Connect Four."""

from honte.search.benchmarks import playouts, uct

LARGE = "connect4:rows=12,cols=12,blocked=5/6"

BENCHMARKS = (
    playouts("connect4.playouts_7x6", "connect4"),
    playouts("connect4.playouts_12x12", LARGE, "random games, one cell blocked"),
    # The tree grows to more than a million nodes.
    uct("uct.connect4_7x6", "connect4", 1_000_000),
    uct("uct.connect4_12x12", LARGE, 1_000_000, "iterations, one cell blocked"),
)
