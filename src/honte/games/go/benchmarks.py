"""The rows of ``honte bench`` for Go."""

from honte.search.benchmarks import heavy_playouts, playouts, uct

UNIT = "random games, no eye filled"

BENCHMARKS = (
    *(playouts(f"go.playouts_{size}x{size}", f"go:size={size}", UNIT) for size in (9, 13, 19)),
    *(heavy_playouts(f"go.heavy_{size}x{size}", f"go:size={size}") for size in (9, 19)),
    uct("uct.go_9x9", "go:size=9", 40_000),
)
