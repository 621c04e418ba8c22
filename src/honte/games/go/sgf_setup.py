"""Stones set up in mid-game: the board at a node, and a position's text."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

from honte.core.variations import Node


def text_of(cells: Sequence[int], size: int, side: int) -> str:
    """A position as `State.to_text` writes it, without a ko or a pass."""
    rows = (
        "".join(".XO"[cell] for cell in cells[at : at + size]) for at in range(0, len(cells), size)
    )
    return f"{'/'.join(rows)} {'XO'[side]}"


def cells_at(nodes: Sequence[Node], place: int, rules: Any, start: str | None) -> list[int]:
    """The contents of each point at a node.

    A file may hold illegal moves: from the first one on, stones are placed without captures.
    """
    path: list[Node] = []
    while place > 0 and nodes[place].setup is None:
        path.append(nodes[place])
        place = nodes[place].parent
    begin = nodes[place].setup or start
    state: Any = None
    if begin is None:
        state = rules.start()
    else:
        with contextlib.suppress(ValueError):
            state = rules.from_text(begin)
    if state is None:
        words = str(begin).split()
        cells, side = (
            [".XO".index(sign) for sign in words[0].replace("/", "")],
            "XO".index(words[1]),
        )
    else:
        cells, side = list(state.cells()), state.to_move
    for node in reversed(path):
        assert node.move is not None
        if state is not None:
            try:
                state = state.play(node.move)
                cells = list(state.cells())
            except ValueError:
                state = None
        if state is None and node.move < len(cells):
            cells[node.move] = 1 + side
        side = 1 - side
    return cells
