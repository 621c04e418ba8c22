"""A board in plain ASCII for ``showboard``, as GNU Go and GRhino draw theirs."""

from __future__ import annotations

from typing import Any

from honte.bots.serve.handicap import most_fixed
from honte.games.go import COLUMNS, handicap_points


def diagram(state: Any) -> str:
    """The board with its coordinates, without an empty line."""
    game = state.game
    size = game.size
    go = game.name == "go"
    names = " ".join(COLUMNS[:size] if go else "abcdefgh"[:size])
    cells = state.cells()
    stars = set(handicap_points(size, most_fixed(size))) if go else set()
    lines = [f"   {names}"]
    for row in range(size):
        points = []
        for point in range(row * size, (row + 1) * size):
            empty = "+" if point in stars else "."
            points.append((empty, "X", "O")[cells[point]])
        label = size - row if go else row + 1
        lines.append(f"{label:2} {' '.join(points)} {label}")
    side = "White (O)" if state.to_move else "Black (X)"
    return "\n".join([*lines, f"   {names}", f"{side} to move"])
