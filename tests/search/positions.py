"""Positions for the tests of searches."""

from __future__ import annotations

import random

import honte
from honte.core.contract import State


def random_state(game: honte.Game, rng: random.Random, stones: int) -> State:
    """An unfinished position from a random game, this many moves from the start."""
    while True:
        state: State = game.start()
        for _ in range(stones):
            if state.is_over:
                break
            state = state.play(rng.choice(state.legal_moves()))
        if not state.is_over:
            return state
