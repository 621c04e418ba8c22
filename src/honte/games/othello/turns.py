"""Change the side to move, for controllers that let either colour play at any time."""

from __future__ import annotations

from typing import Any

from honte.games.othello.descriptor import PASS

SIDES = "XO"


def with_turn(state: Any, side: int) -> Any:
    """The position with this side to move; unchanged if the game is over."""
    if state.is_over or state.to_move == side:
        return state
    if state.legal_moves() == [PASS]:  # some controllers leave forced passes out
        return state.play(PASS)
    turned = state.game.from_text(state.to_text()[:-1] + SIDES[side])
    return turned.with_last_move(state.last_move)
