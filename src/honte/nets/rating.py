"""Elo during training: the network against an earlier one, replaced once it is far behind."""

from __future__ import annotations

import math
from typing import Any

import jax
import jax.numpy as jnp
from jax import Array, lax

from honte.nets import model
from honte.nets.games import ArrayGame
from honte.nets.selfplay import pick, search

ENOUGH = 0.98
"""Share of finished games at which a match stops; the rest count as draws."""


def match(
    networks: model.Arrays, game: ArrayGame, key: Array, games: int, simulations: int
) -> Array:
    """Score of the first of two stacked networks against the second; openings are played twice."""
    opening_key, key = jax.random.split(key)
    half = game.openings(opening_key, games // 2)
    position = jax.tree.map(lambda a: jnp.concatenate([a, a]), half)
    mover = jnp.repeat(jnp.arange(2), games // 2)
    none = jnp.zeros(games, jnp.float32)

    def going(carry: Any) -> Array:
        step, _, _, over, _ = carry
        return (step < game.most_plies) & (over.mean() < ENOUGH)

    def play(carry: Any) -> Any:
        step, position, mover, over, score = carry

        def choose(_: None, network: model.Arrays) -> tuple[None, Array]:
            where = jax.random.fold_in(key, step)
            return None, search(network, game, where, position, simulations, 0.0)[0].action

        _, actions = lax.scan(choose, None, networks)
        action = jnp.where(mover == 0, actions[0], actions[1])
        onward, sign = game.advance(position, action)
        onward = pick(over, position, onward)
        read = game.read(onward)
        next_mover = jnp.where(over | (sign > 0), mover, 1 - mover)
        first = jnp.where(next_mover == 0, read.value, -read.value)
        score = jnp.where(read.over & ~over, first, score)
        return step + 1, onward, next_mover, over | read.over, score

    carry = (jnp.zeros((), jnp.int32), position, mover, jnp.zeros(games, bool), none)
    *_, score = lax.while_loop(going, play, carry)
    return (score.mean() + 1) / 2


def elo(score: float, games: int) -> float:
    """The Elo difference of a score; a clean score counts as half a point less.

    >>> round(elo(0.75, 100)), round(elo(1.0, 100))
    (191, 920)
    """
    score = min(max(score, 0.5 / games), 1 - 0.5 / games)
    return 400 * math.log10(score / (1 - score))
