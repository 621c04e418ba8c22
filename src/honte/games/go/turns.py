"""Change the side to move, for controllers that let either colour play at any time."""

from __future__ import annotations

from typing import Any

SIDES = "XO"


def with_turn(state: Any, side: int) -> Any:
    """The position with this side to move and no passes pending; superko keeps its history.

    A pending ko is dropped: the side that may not retake is not to move, or both have passed.
    """
    if state.to_move == side and not state.is_over:
        return state
    rows, _, *fields = state.to_text(history=True).split()
    history = [field for field in fields if field.startswith("history=")]
    turned = state.game.from_text(" ".join([rows, SIDES[side], *history]))
    return turned.with_last_move(state.last_move)
