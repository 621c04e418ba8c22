"""The replay buffer: training samples from self-play, in a ring on the device."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array, lax

from honte.nets.games import ArrayGame, Position
from honte.nets.selfplay import Steps

UNKNOWN = 255
"""`moves_left` of a game whose end was not seen."""


class Samples(NamedTuple):
    """Training positions with their targets; the first axes are the batch."""

    position: Position
    policy: Array
    reply: Array
    """The policy of the next position where the other side moves there, else zeros."""
    outcome: Array
    """Win, draw and loss for the side to move."""
    moves_left: Array
    lead: Array | None = None
    """Final lead of the side to move, in points; 0 where the end was not seen."""
    ownership: Array | None = None
    """Final owner of each cell, for the side to move; 0 where the end was not seen."""


def samples(earlier: Steps, later: Steps, mixing: float) -> Samples:
    """Samples of the earlier steps; the later ones are their continuation.

    The outcome is the game's, mixed at each step with the search's value at weight `1 − mixing`.
    """
    both: Steps = jax.tree.map(lambda a, b: jnp.concatenate([a, b]), earlier, later)

    def back(after: Any, row: tuple[Steps, Array, Array]) -> tuple[Any, Any]:
        value, draw, end, seen, final = after
        now, next_value, next_draw = row
        value = now.reward + now.sign * ((1 - mixing) * next_value + mixing * value)
        ended_drawn = (now.reward == 0).astype(jnp.float32)
        draw = jnp.where(now.over, ended_drawn, (1 - mixing) * next_draw + mixing * draw)
        end = jnp.where(now.over, now.plies_after, end)
        seen = now.over | seen
        final = jax.tree.map(lambda a, b: a + turned(b, now.sign), now.final, final)
        return (value, draw, end, seen, final), (value, draw, end, seen, final)

    # The last step has no successor: the value of its own root stands in.
    known = jax.tree.map(lambda a: a[:-1], both)
    unseen = jax.tree.map(lambda a: jnp.zeros_like(a[-1]), (both.over, both.final))
    last = (both.value[-1], both.draw[-1], both.plies[-1], *unseen)
    _, found = lax.scan(back, last, (known, both.value[1:], both.draw[1:]), reverse=True)
    steps = earlier.over.shape[0]
    value, draw, end, seen, final = jax.tree.map(lambda a: a[:steps], found)
    win = jnp.clip((1 - draw + value) / 2, 0, 1)
    loss = jnp.clip((1 - draw - value) / 2, 0, 1)
    outcome = jnp.stack([win, draw, loss], -1)
    outcome = outcome / outcome.sum(-1, keepdims=True)
    left = jnp.where(seen, jnp.clip(end - earlier.plies, 0, UNKNOWN - 1), UNKNOWN)
    replied = (earlier.sign < 0)[..., None]
    return Samples(
        earlier.position,
        earlier.policy,
        jnp.where(replied, both.policy[1 : steps + 1], 0),
        outcome.astype(jnp.float16),
        left.astype(jnp.uint8),
        *((None, None) if final is None else final),
    )


def turned(final: Array, sign: Array) -> Array:
    """The end of a game from the point of view of the side that moves one step earlier."""
    return final * sign.reshape(sign.shape + (1,) * (final.ndim - sign.ndim)).astype(final.dtype)


class Ring(NamedTuple):
    """The latest chunks of samples, [chunks, samples a chunk, ...]."""

    chunks: Samples
    written: Array
    """Chunks written so far."""


def empty(like: Samples, chunks: int) -> Ring:
    """A ring for chunks of this shape: [steps, games, ...] become one axis."""
    size = like.moves_left.shape[0] * like.moves_left.shape[1]
    return Ring(
        jax.tree.map(lambda a: jnp.zeros((chunks, size, *a.shape[2:]), a.dtype), like),
        jnp.zeros((), jnp.int32),
    )


def store(ring: Ring, chunk: Samples) -> Ring:
    slot = ring.written % ring.chunks.moves_left.shape[0]

    def write(held: Array, new: Array) -> Array:
        flat = new.reshape((1, *held.shape[1:]))
        return lax.dynamic_update_slice(held, flat, (slot,) + (0,) * (held.ndim - 1))

    return Ring(jax.tree.map(write, ring.chunks, chunk), ring.written + 1)


def draw(ring: Ring, key: Array, count: int) -> Samples:
    """Draw random samples, with replacement."""
    chunks, size = ring.chunks.moves_left.shape
    first, second = jax.random.split(key)
    chunk = jax.random.randint(first, (count,), 0, jnp.minimum(ring.written, chunks))
    row = jax.random.randint(second, (count,), 0, size)
    drawn: Samples = jax.tree.map(lambda a: a[chunk, row], ring.chunks)
    return drawn


def transformed(game: ArrayGame, batch: Samples, symmetry: Array) -> Samples:
    """Transform each sample by its symmetry."""
    owned = batch.ownership
    return batch._replace(
        position=game.transform(batch.position, symmetry),
        policy=game.transform_moves(batch.policy, symmetry),
        reply=game.transform_moves(batch.reply, symmetry),
        ownership=None if owned is None else game.transform_cells(owned, symmetry),
    )
