"""Whole games between two alpha-beta weight vectors, played natively."""

from __future__ import annotations

from functools import lru_cache

from honte import _native
from honte.core.contract import State
from honte.core.spec import split
from honte.games.othello import weights
from honte.games.othello.alphabeta import AT_ONCE, OPTIONS


def play(state: State, first: str, second: str) -> list[int] | None:
    """The moves to the end; None unless both are alpha-beta of the same small depth."""
    one, two = _weights(first), _weights(second)
    if one is None or two is None or one[0] != two[0]:
        return None
    return list(_native.play_weights_game(state, one[1], two[1], one[0])[1])  # type: ignore[arg-type]


@lru_cache(4096)
def _weights(spec: str) -> tuple[int, list[int]] | None:
    """Depth and weights of a shallow alpha-beta spec; None for any other."""
    name, settings = split(spec)
    if name != "alphabeta" or not set(settings) <= {"depth", "weights"}:
        return None
    values = OPTIONS.read(name, settings)
    if values["depth"] > AT_ONCE:
        return None
    return values["depth"], weights.named(values["weights"]).in_hundredths()
