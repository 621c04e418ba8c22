"""The learner: Adam on samples from the replay ring, and averaged weights for play."""

from __future__ import annotations

from typing import Any, NamedTuple

import jax
import jax.numpy as jnp
from jax import Array, lax

from honte.nets import model, replay
from honte.nets.games import ArrayGame
from honte.nets.selfplay import NEVER
from honte.nets.sizes import Size

BETA1, BETA2 = 0.9, 0.99
WEIGHT_DECAY = 0.02
AVERAGING = 0.998
VALUE_WEIGHT = 1.0
REPLY_WEIGHT = 0.15
MOVES_LEFT_WEIGHT = 0.1
SCORE_WEIGHT = 0.3
OWNERSHIP_WEIGHT = 1.5
"""Weight of the ownership loss, a mean over the board's cells, as in KataGo (Wu 2019)."""
METRICS = ("policy_loss", "value_loss", "value_error", "policy_agreement", "entropy",
           "reply_loss", "moves_left_error")  # fmt: skip
"""`policy_loss` is the KL divergence from the search's policy, `value_error` a mean square."""


def metric_names(game: ArrayGame) -> tuple[str, ...]:
    """The metrics of a step; `score_error` is in points, `ownership_error` at most 2."""
    further = [f"{head}_error" for head in ("score", "ownership") if head in game.heads]
    return (*METRICS, *further, *(["end_known"] if further else []))


class Learner(NamedTuple):
    """The training state of one network: weights, optimiser and averages."""

    weights: model.Arrays
    statistics: model.Arrays
    momentum: model.Arrays
    squares: model.Arrays
    average: tuple[model.Arrays, model.Arrays]
    """Averaged weights and statistics, used for play."""
    steps: Array


def fresh(key: Array, size: Size, planes: int, heads: tuple[str, ...] = ()) -> Learner:
    weights, statistics = model.initial(key, size, planes, heads)
    zeros = jax.tree.map(jnp.zeros_like, weights)
    average = jax.tree.map(jnp.copy, (weights, statistics))
    squares = jax.tree.map(jnp.copy, zeros)
    return Learner(weights, statistics, zeros, squares, average, jnp.zeros((), jnp.float32))


def network(learner: Learner) -> model.Arrays:
    """The averaged network, folded for play."""
    return model.fold(*learner.average)


def loss(
    weights: model.Arrays, statistics: model.Arrays, game: ArrayGame, batch: replay.Samples
) -> tuple[Array, tuple[model.Arrays, Array]]:
    read = game.read(batch.position)
    planes = game.observe(batch.position, read)
    outputs, statistics = model.learn(weights, statistics, game, planes)
    target = batch.policy.astype(jnp.float32)
    logits = jnp.where(read.candidates, outputs.policy, NEVER)
    policy = -(jnp.where(read.candidates, target * jax.nn.log_softmax(logits), 0)).sum(-1).mean()
    entropy = -(target * jnp.log(jnp.maximum(target, 1e-6))).sum(-1).mean()
    agreement = (jnp.argmax(logits, -1) == jnp.argmax(target, -1)).mean()

    outcome = batch.outcome.astype(jnp.float32)
    value = -(outcome * jax.nn.log_softmax(outputs.outcome)).sum(-1).mean()
    error = ((outputs.value - (outcome[:, 0] - outcome[:, 2])) ** 2).mean()

    reply_target = batch.reply.astype(jnp.float32)
    reply = -(reply_target * jax.nn.log_softmax(outputs.reply)).sum(-1).mean()

    known = batch.moves_left != replay.UNKNOWN
    left = batch.moves_left.astype(jnp.float32) / model.MOVES_LEFT
    off = jnp.abs(outputs.moves_left - left)
    huber = jnp.where(off < 0.25, 2 * off * off, off - 0.125)
    left_loss = jnp.where(known, huber, 0).mean()
    left_error = jnp.where(known, off, 0).sum() / jnp.maximum(known.sum(), 1)

    total = policy + VALUE_WEIGHT * value + REPLY_WEIGHT * reply + MOVES_LEFT_WEIGHT * left_loss
    figures = [policy - entropy, value, error, agreement, entropy, reply, left_error]
    if outputs.score is not None and batch.lead is not None:
        off = jnp.abs(outputs.score - batch.lead.astype(jnp.float32) / model.SCORE)
        huber = jnp.where(off < 1, off * off / 2, off - 0.5)
        total += SCORE_WEIGHT * jnp.where(known, huber, 0).mean()
        figures.append(model.SCORE * jnp.where(known, off, 0).sum() / jnp.maximum(known.sum(), 1))
    if outputs.ownership is not None and batch.ownership is not None:
        board = planes[..., 0].reshape(outputs.ownership.shape).astype(jnp.float32)
        owner = batch.ownership.astype(jnp.float32)
        # Cross-entropy of owning the cell, since tanh x = 2 sigmoid 2x − 1.
        entropies = jax.nn.softplus(2 * outputs.ownership) - (1 + owner) * outputs.ownership
        seen = board * known[:, None] / jnp.maximum(board.sum(-1, keepdims=True), 1)
        total += OWNERSHIP_WEIGHT * (seen * entropies).sum(-1).mean()
        off = jnp.abs(jnp.tanh(outputs.ownership) - owner)
        figures.append((seen * off).sum() / jnp.maximum(known.sum(), 1))
    if len(figures) > len(METRICS):
        figures.append(known.mean())
    return total, (statistics, jnp.stack(figures))


def step(
    learner: Learner, game: ArrayGame, batch: replay.Samples, rate: Array
) -> tuple[Learner, Array]:
    """Take a step of Adam with decoupled weight decay (Loshchilov & Hutter 2019)."""
    weights, statistics, momentum, squares, average, steps = learner
    slope = jax.value_and_grad(loss, has_aux=True)
    (_, (statistics, metrics)), gradient = slope(weights, statistics, game, batch)
    steps = steps + 1
    momentum = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, momentum, gradient)
    squares = jax.tree.map(lambda s, g: BETA2 * s + (1 - BETA2) * g * g, squares, gradient)
    unbias1, unbias2 = 1 - BETA1**steps, 1 - BETA2**steps

    def moved(name: str) -> Array:
        decay = WEIGHT_DECAY * weights[name] if name.endswith(".w") else 0.0
        root = jnp.sqrt(squares[name] / unbias2) + 1e-8
        return weights[name] - rate * (momentum[name] / unbias1 / root + decay)

    weights = {name: moved(name) for name in weights}
    keep = jnp.minimum(AVERAGING, (1 + steps) / (10 + steps))
    average = jax.tree.map(lambda a, b: keep * a + (1 - keep) * b, average, (weights, statistics))
    return Learner(weights, statistics, momentum, squares, average, steps), metrics


def learn(
    learners: tuple[Learner, ...],
    game: ArrayGame,
    ring: replay.Ring,
    rate: Array,
    key: Array,
    steps: int,
    batch_size: int,
) -> tuple[tuple[Learner, ...], Array]:
    """Take `steps` steps of every learner on the same samples; return each one's mean metrics."""

    def one(carry: Any, key: Array) -> tuple[Any, Array]:
        drawing, turning = jax.random.split(key)
        batch = replay.draw(ring, drawing, batch_size)
        symmetry = jax.random.randint(turning, (batch_size,), 0, game.symmetries)
        batch = replay.transformed(game, batch, symmetry)
        done = [step(learner, game, batch, rate) for learner in carry]
        return tuple(learner for learner, _ in done), jnp.stack([row for _, row in done])

    learners, metrics = lax.scan(one, learners, jax.random.split(key, steps))
    return learners, metrics.mean(0)
