"""Masked residual networks: 3×3 convolutions, global pooling, policy and win/draw/loss.

Every layer is a convolution or a matrix, a batch norm that folds into it, and a ReLU, so that a
trained network can be quantised: `fold` gives weights and biases, and the running maxima `.top` the
range of each layer's activations. Cells off the board are zero after every layer: a smaller board
on the canvas gives the same outputs as on a canvas of its own size.

    planes ─ 3×3 ─┬─ block × N ── 1×1 ─┬─ pooled ─┬─ 64 ─┬─ win, draw, loss
                                       │          │      └─ (moves left)
                                       └───────── + ─────── policy of each cell, (the reply's)

    Games with these heads add a pass logit and the final score after the 64, and the final
    ownership of each cell beside the policy.

    block: x + (3×3 ─ ReLU ─ 3×3), every second one with a bias from the mean and the maximum of
    its inner features over the board. Outputs in brackets only help training.
"""

from __future__ import annotations

from typing import NamedTuple

import jax
import jax.numpy as jnp
from jax import Array, lax

from honte.nets.games import ArrayGame
from honte.nets.sizes import Size

HALF = jnp.bfloat16
HEAD = 32
HIDDEN = 64
EPSILON = 1e-5
MOMENTUM = 0.98
MOVES_LEFT = 32.0
"""Plies per unit of the moves-left output."""
SCORE = 16.0
"""Points per unit of the score output."""

Arrays = dict[str, Array]


class Outputs(NamedTuple):
    """The outputs of a network for a batch of positions."""

    policy: Array
    outcome: Array
    """Logits of win, draw and loss for the side to move."""
    reply: Array
    moves_left: Array
    score: Array | None = None
    """Final lead of the side to move, in units of `SCORE`."""
    ownership: Array | None = None
    """Ownership of each cell, [batch, cells]; its tanh is +1 where the side to move owns it."""

    @property
    def value(self) -> Array:
        chances = jax.nn.softmax(self.outcome)
        return chances[..., 0] - chances[..., 2]

    @property
    def draw(self) -> Array:
        return jax.nn.softmax(self.outcome)[..., 1]


def pools(block: int) -> bool:
    return block % 2 == 1


def initial(
    key: Array, size: Size, planes: int, heads: tuple[str, ...] = ()
) -> tuple[Arrays, Arrays]:
    """Random weights, and the running statistics of batch norms and activations."""
    weights: Arrays = {}
    statistics: Arrays = {}
    keys = iter(jax.random.split(key, 4 * size.blocks + 16))

    def normal(shape: tuple[int, ...], fan: int, gain: float = 1.0) -> Array:
        return gain * jax.random.normal(next(keys), shape) * (2.0 / fan) ** 0.5

    def convolution(name: str, kernel: int, ins: int, outs: int, gain: float = 1.0) -> None:
        weights[f"{name}.w"] = normal((kernel, kernel, ins, outs), kernel * kernel * ins)
        weights[f"{name}.gain"] = jnp.full(outs, gain)
        weights[f"{name}.b"] = jnp.zeros(outs)
        statistics[f"{name}.mean"] = jnp.zeros(outs)
        statistics[f"{name}.var"] = jnp.ones(outs)
        statistics[f"{name}.top"] = jnp.zeros(())

    def matrix(name: str, ins: int, outs: int, gain: float = 1.0) -> None:
        weights[f"{name}.w"] = normal((ins, outs), ins, gain)
        weights[f"{name}.b"] = jnp.zeros(outs)

    channels = size.channels
    convolution("stem", 3, planes, channels)
    for i in range(size.blocks):
        convolution(f"block{i}.first", 3, channels, channels)
        convolution(f"block{i}.second", 3, channels, channels, gain=0.3)
        if pools(i):
            matrix(f"block{i}.pool", 2 * channels, channels, gain=0.1)
    convolution("head", 1, channels, HEAD)
    matrix("value.hidden", 2 * HEAD, HIDDEN)
    matrix("value.outcome", HIDDEN, 3, gain=0.1)
    matrix("value.moves_left", HIDDEN, 1, gain=0.1)
    for name in ("policy", "reply"):
        matrix(f"{name}.pool", 2 * HEAD, HEAD, gain=0.3)
        matrix(f"{name}.cell", HEAD, 1, gain=0.3)
    if "pass" in heads:
        matrix("policy.pass", HIDDEN, 1, gain=0.1)
        matrix("reply.pass", HIDDEN, 1, gain=0.1)
    if "score" in heads:
        matrix("value.score", HIDDEN, 1, gain=0.1)
    if "ownership" in heads:
        matrix("ownership.pool", 2 * HEAD, HEAD, gain=0.3)
        matrix("ownership.cell", HEAD, 1, gain=0.3)
    return weights, statistics


def blocks_of(weights: Arrays) -> int:
    return sum(name.endswith(".first.w") for name in weights)


def convolve(x: Array, kernel: Array) -> Array:
    return lax.conv_general_dilated(
        x, kernel.astype(HALF), (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")
    )


def pooled(x: Array, area: Array) -> Array:
    """Mean and maximum over the board of non-negative features that are zero off the board."""
    wide = x.astype(jnp.float32)
    return jnp.concatenate([wide.sum((1, 2)) / area[:, None], wide.max((1, 2))], -1)


class Layers:
    """How a layer is computed: with folded weights for play, with batch statistics to train."""

    def __init__(self, weights: Arrays, board: Array) -> None:
        self.weights = weights
        self.board = board.astype(HALF)
        self.area = board.astype(jnp.float32).sum((1, 2, 3))

    def convolution(self, name: str, x: Array) -> Array:
        return convolve(x, self.weights[f"{name}.w"]) + self.weights[f"{name}.b"].astype(HALF)

    def activation(self, name: str, x: Array) -> Array:
        return jax.nn.relu(x) * self.board

    def matrix(self, name: str, x: Array) -> Array:
        return x @ self.weights[f"{name}.w"] + self.weights[f"{name}.b"]


class LearningLayers(Layers):
    """Batch norm over the cells on the board; collects the new running statistics."""

    def __init__(self, weights: Arrays, statistics: Arrays, board: Array) -> None:
        super().__init__(weights, board)
        self.old = statistics
        self.statistics: Arrays = {}

    def convolution(self, name: str, x: Array) -> Array:
        y = convolve(x, self.weights[f"{name}.w"]).astype(jnp.float32)
        board, cells = self.board.astype(jnp.float32), self.area.sum()
        mean = (y * board).sum((0, 1, 2)) / cells
        var = jnp.maximum((y * y * board).sum((0, 1, 2)) / cells - mean * mean, 0)
        self._note(f"{name}.mean", mean)
        self._note(f"{name}.var", var)
        scale = lax.rsqrt(var + EPSILON) * self.weights[f"{name}.gain"]
        return (y * scale + (self.weights[f"{name}.b"] - mean * scale)).astype(HALF)

    def activation(self, name: str, x: Array) -> Array:
        y = super().activation(name, x)
        self._note(f"{name}.top", y.max().astype(jnp.float32))
        return y

    def _note(self, name: str, value: Array) -> None:
        value = lax.stop_gradient(value)
        self.statistics[name] = MOMENTUM * self.old[name] + (1 - MOMENTUM) * value


def forward(layers: Layers, game: ArrayGame, planes: Array) -> Outputs:
    x = layers.activation("stem", layers.convolution("stem", planes.astype(HALF)))
    for i in range(blocks_of(layers.weights)):
        first, second = f"block{i}.first", f"block{i}.second"
        inner = layers.activation(first, layers.convolution(first, x))
        y = layers.convolution(second, inner)
        if pools(i):
            bias = layers.matrix(f"block{i}.pool", pooled(inner, layers.area))
            y = y + bias[:, None, None, :].astype(HALF)
        x = layers.activation(second, x + y)
    head = layers.activation("head", layers.convolution("head", x))
    summary = pooled(head, layers.area)
    hidden = jax.nn.relu(layers.matrix("value.hidden", summary))

    def cells(name: str) -> Array:
        bias = layers.matrix(f"{name}.pool", summary)[:, None, None, :]
        features = jax.nn.relu(head.astype(jnp.float32) + bias)
        return layers.matrix(f"{name}.cell", features)[..., 0]

    def moves(name: str) -> Array:
        logits = game.policy(cells(name), planes)
        if "pass" not in game.heads:
            return logits
        return jnp.concatenate([logits, layers.matrix(f"{name}.pass", hidden)], -1)

    score = layers.matrix("value.score", hidden)[..., 0] if "score" in game.heads else None
    owned = cells("ownership") if "ownership" in game.heads else None
    return Outputs(
        moves("policy"),
        layers.matrix("value.outcome", hidden),
        moves("reply"),
        layers.matrix("value.moves_left", hidden)[..., 0],
        score,
        None if owned is None else owned.reshape(len(owned), -1),
    )


def apply(folded: Arrays, game: ArrayGame, planes: Array) -> Outputs:
    """Evaluate positions with a folded network; unused outputs cost nothing."""
    return forward(Layers(folded, planes[..., :1]), game, planes)


def learn(
    weights: Arrays, statistics: Arrays, game: ArrayGame, planes: Array
) -> tuple[Outputs, Arrays]:
    """Evaluate with batch statistics; also returns the new running ones."""
    layers = LearningLayers(weights, statistics, planes[..., :1])
    return forward(layers, game, planes), layers.statistics


def fold(weights: Arrays, statistics: Arrays) -> Arrays:
    """The network for play: batch norms folded into weights and biases."""
    folded = {name: array for name, array in weights.items() if not name.endswith(".gain")}
    for name, gain in weights.items():
        if name.endswith(".gain"):
            layer = name.removesuffix(".gain")
            scale = gain * lax.rsqrt(statistics[f"{layer}.var"] + EPSILON)
            folded[f"{layer}.w"] = weights[f"{layer}.w"] * scale
            folded[f"{layer}.b"] = weights[f"{layer}.b"] - statistics[f"{layer}.mean"] * scale
    return folded
