"""A board in plain ASCII for ``showboard``, as GTP engines draw theirs."""

from __future__ import annotations

from honte.core.contract import State
from honte.drawing.text import read

PIECES = (".", "X", "O")


def diagram(state: State) -> str:
    """The board with its coordinates, without an empty line."""
    board = read(state)
    assert board is not None, "games that are played over GTP have a board"
    names = " ".join(board.style.columns[: board.cols])
    stars = set(board.stars)
    lines = [f"   {names}"]
    for row in range(board.rows):
        points = []
        for col in range(board.cols):
            piece = PIECES[board.at(row, col)]
            points.append("+" if piece == "." and (row, col) in stars else piece)
        label = board.row_name(row)
        lines.append(f"{label:>2} {' '.join(points)} {label}")
    black, white = state.game.descriptor.sides
    side = white if state.to_move else black
    return "\n".join([*lines, f"   {names}", f"{side.name} ({side.symbol}) to move"])
