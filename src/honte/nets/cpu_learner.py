"""The learner without an accelerator: `model` in numpy, with hand-written backpropagation.

It takes the same steps as `learner` (tests compare them) and writes the same checkpoints. A core
learns from a few thousand positions of a small board a second, without delay: on a CPU, XLA must
compile first and then takes seven times as long.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from honte.core.whole_file import written_whole
from honte.nets.quantise import Trained, fold, patches
from honte.nets.sizes import Size

Array = np.ndarray[Any, np.dtype[Any]]
Arrays = dict[str, Array]

HEAD = 32
HIDDEN = 64
EPSILON = np.float32(1e-5)
MOMENTUM = np.float32(0.98)
MOVES_LEFT = 32.0
NEVER = np.float32(-1e9)
BETA1, BETA2 = np.float32(0.9), np.float32(0.99)
WEIGHT_DECAY = np.float32(0.02)
AVERAGING = 0.998
REPLY_WEIGHT = 0.15
MOVES_LEFT_WEIGHT = 0.1
UNKNOWN = 255
METRICS = ("policy_loss", "value_loss", "value_error", "policy_agreement")
"""`policy_loss` is the KL divergence from the search's policy, `value_error` a mean square."""


class Batch(NamedTuple):
    """Training positions with their targets."""

    planes: Array
    """[batch, columns, rows, planes], 0 and 1; plane 0 marks the board."""
    cells: Array
    """The cell of each move, [batch, moves], as an index into the planes; −1 is padding."""
    policy: Array
    """The search's policy, [batch, moves]."""
    reply: Array
    """The policy of the next position, or zeros."""
    outcome: Array
    """Win, draw and loss for the side to move, [batch, 3]."""
    moves_left: Array

    def mirrored(self, which: Array) -> Batch:
        """The batch with the boards selected by `which` mirrored left to right."""
        columns, rows = self.planes.shape[1:3]
        column, row = np.divmod(self.cells, rows)
        other = np.where(self.cells < 0, -1, (columns - 1 - column) * rows + row)
        return self._replace(
            planes=np.where(which[:, None, None, None], self.planes[:, ::-1], self.planes),
            cells=np.where(which[:, None], other, self.cells),
        )


@dataclass
class Learner:
    """The training state of a network: weights, optimiser and averages."""

    weights: Arrays
    statistics: Arrays
    momentum: Arrays
    squares: Arrays
    average: tuple[Arrays, Arrays]
    """Averaged weights and statistics, used for play."""
    steps: int = 0

    def trained(self, about: dict[str, Any]) -> Trained:
        """The averaged network, folded for play."""
        return fold(*self.average, about)


def fresh(size: Size, planes: int, seed: int) -> Learner:
    """Random weights, small in the last layers, so that the first games are even."""
    rng = np.random.default_rng(seed)
    weights: Arrays = {}
    statistics: Arrays = {}

    def normal(shape: tuple[int, ...], fan: int, gain: float = 1.0) -> Array:
        return np.asarray(gain * rng.standard_normal(shape) * (2.0 / fan) ** 0.5, np.float32)

    def convolution(name: str, kernel: int, ins: int, outs: int, gain: float = 1.0) -> None:
        weights[f"{name}.w"] = normal((kernel, kernel, ins, outs), kernel * kernel * ins)
        weights[f"{name}.gain"] = np.full(outs, gain, np.float32)
        weights[f"{name}.b"] = np.zeros(outs, np.float32)
        statistics[f"{name}.mean"] = np.zeros(outs, np.float32)
        statistics[f"{name}.var"] = np.ones(outs, np.float32)
        statistics[f"{name}.top"] = np.zeros((), np.float32)

    def matrix(name: str, ins: int, outs: int, gain: float = 1.0) -> None:
        weights[f"{name}.w"] = normal((ins, outs), ins, gain)
        weights[f"{name}.b"] = np.zeros(outs, np.float32)

    channels = size.channels
    convolution("stem", 3, planes, channels)
    for i in range(size.blocks):
        convolution(f"block{i}.first", 3, channels, channels)
        convolution(f"block{i}.second", 3, channels, channels, gain=0.3)
        if i % 2 == 1:
            matrix(f"block{i}.pool", 2 * channels, channels, gain=0.1)
    convolution("head", 1, channels, HEAD)
    matrix("value.hidden", 2 * HEAD, HIDDEN)
    matrix("value.outcome", HIDDEN, 3, gain=0.1)
    matrix("value.moves_left", HIDDEN, 1, gain=0.1)
    for name in ("policy", "reply"):
        matrix(f"{name}.pool", 2 * HEAD, HEAD, gain=0.3)
        matrix(f"{name}.cell", HEAD, 1, gain=0.3)

    def zeros() -> Arrays:
        return {name: np.zeros_like(array) for name, array in weights.items()}

    average = tuple({k: v.copy() for k, v in part.items()} for part in (weights, statistics))
    return Learner(weights, statistics, zeros(), zeros(), (average[0], average[1]))


# -- files -------------------------------------------------------------------------------


def save(path: Path, learner: Learner, about: dict[str, Any]) -> None:
    """Write a checkpoint in the format of `checkpoint`, atomically."""
    parts = {
        "weights": learner.weights, "statistics": learner.statistics,
        "momentum": learner.momentum, "squares": learner.squares,
        "average/0": learner.average[0], "average/1": learner.average[1],
    }  # fmt: skip
    arrays = {f"{part}/{name}": a for part, held in parts.items() for name, a in held.items()}
    arrays["steps"] = np.array(learner.steps, np.float32)
    with written_whole(path) as whole, zipfile.ZipFile(whole, "w", zipfile.ZIP_STORED) as file:
        file.writestr("about.json", json.dumps(about))
        for name, array in arrays.items():
            with file.open(f"{name}.npy", "w") as member:
                np.lib.format.write_array(member, np.asarray(array), allow_pickle=False)


def load(path: Path) -> tuple[Learner, dict[str, Any]]:
    """The learner of a checkpoint, and its metadata."""
    with zipfile.ZipFile(path) as file:
        about: dict[str, Any] = json.loads(file.read("about.json"))
    with np.load(path, allow_pickle=False) as file:
        held = {name: file[name] for name in file.files if name != "about.json"}

    def part(prefix: str) -> Arrays:
        return {k.removeprefix(prefix): v for k, v in held.items() if k.startswith(prefix)}

    return Learner(
        part("weights/"), part("statistics/"), part("momentum/"), part("squares/"),
        (part("average/0/"), part("average/1/")), int(held["steps"]),
    ), about  # fmt: skip


# -- one step ----------------------------------------------------------------------------


def step(learner: Learner, batch: Batch, rate: float) -> Array:
    """One step of Adam with decoupled weight decay (Loshchilov & Hutter 2019); returns metrics."""
    passed = Pass(learner.weights, batch)
    metrics = passed.forward()
    gradient = passed.backward()
    for name, value in passed.statistics.items():
        held = learner.statistics[name]
        learner.statistics[name] = np.asarray(MOMENTUM * held + (1 - MOMENTUM) * value, np.float32)
    learner.steps += 1
    unbias1, unbias2 = 1 - BETA1**learner.steps, 1 - BETA2**learner.steps
    by = np.float32(rate)
    for name, weights in learner.weights.items():
        slope = gradient[name]
        momentum, squares = learner.momentum[name], learner.squares[name]
        momentum += (1 - BETA1) * (slope - momentum)
        squares += (1 - BETA2) * (slope * slope - squares)
        move = momentum / unbias1 / (np.sqrt(squares / unbias2) + np.float32(1e-8))
        if name.endswith(".w"):
            move += WEIGHT_DECAY * weights
        weights -= by * move
    keep = np.float32(min(AVERAGING, (1 + learner.steps) / (10 + learner.steps)))
    for held_part, now in zip(learner.average, (learner.weights, learner.statistics), strict=True):
        for name, array in now.items():
            held_part[name] = np.asarray(keep * held_part[name] + (1 - keep) * array, np.float32)
    return metrics


@dataclass
class Normed:
    """What the backward pass needs of a convolution with batch norm."""

    seen: Array
    hat: Array
    scale: Array
    shape: tuple[int, ...]


@dataclass
class Pass:
    """Forward and backward pass of one batch. Activations are [batch, columns, rows, channels]."""

    weights: Arrays
    batch: Batch
    statistics: Arrays = field(default_factory=dict)
    slopes: Arrays = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.planes = self.batch.planes.astype(np.float32)
        self.board = self.planes[..., :1]
        self.area = self.board.sum((1, 2))
        self.cells = np.float32(self.area.sum())
        self.normed: dict[str, Normed] = {}
        self.blocks = sum(name.endswith(".first.w") for name in self.weights)

    # Layers. Each `_back` takes the gradient of its layer's output, and returns the input's.

    def convolve(self, name: str, x: Array) -> Array:
        kernel = self.weights[f"{name}.w"]
        seen = patches(x, len(kernel)).reshape(-1, kernel[..., 0].size)
        y = (seen @ kernel.reshape(-1, kernel.shape[-1])).reshape(*x.shape[:3], -1)
        on_board = y * self.board
        mean = on_board.sum((0, 1, 2)) / self.cells
        var = np.maximum(
            np.einsum("nxyc,nxyc->c", on_board, on_board) / self.cells - mean * mean, 0
        )
        self.statistics[f"{name}.mean"], self.statistics[f"{name}.var"] = mean, var
        inverse = 1 / np.sqrt(var + EPSILON)
        hat = (y - mean) * inverse
        self.normed[name] = Normed(seen, hat, inverse, x.shape)
        return np.asarray(hat * self.weights[f"{name}.gain"] + self.weights[f"{name}.b"])

    def convolve_back(self, name: str, slope: Array, wanted: bool = True) -> Array:
        kept, kernel = self.normed.pop(name), self.weights[f"{name}.w"]
        side, _, ins, outs = kernel.shape
        gain = np.einsum("nxyc,nxyc->c", slope, kept.hat)
        bias = slope.sum((0, 1, 2))
        self.slopes[f"{name}.gain"], self.slopes[f"{name}.b"] = gain, bias
        inner = slope - self.board * ((bias + kept.hat * gain) / self.cells)
        inner *= kept.scale * self.weights[f"{name}.gain"]
        flat = inner.reshape(-1, outs)
        self.slopes[f"{name}.w"] = (kept.seen.T @ flat).reshape(kernel.shape)
        if not wanted:
            return slope
        # The input's gradient is a convolution with the kernel rotated by 180°.
        turned = kernel[::-1, ::-1].transpose(0, 1, 3, 2).reshape(-1, ins)
        return np.asarray(
            (patches(inner, side).reshape(-1, side * side * outs) @ turned).reshape(kept.shape)
        )

    def activate(self, name: str, x: Array) -> Array:
        y = np.maximum(x, 0) * self.board
        self.statistics[f"{name}.top"] = y.max()
        return np.asarray(y)

    def matrix(self, name: str, x: Array) -> Array:
        return np.asarray(x @ self.weights[f"{name}.w"] + self.weights[f"{name}.b"])

    def matrix_back(self, name: str, x: Array, slope: Array) -> Array:
        self.slopes[f"{name}.w"] = x.T @ slope
        self.slopes[f"{name}.b"] = slope.sum(0)
        return np.asarray(slope @ self.weights[f"{name}.w"].T)

    def pool(self, x: Array) -> Array:
        return np.concatenate([x.sum((1, 2)) / self.area, x.max((1, 2))], -1)

    def pool_back(self, x: Array, slope: Array) -> Array:
        channels = x.shape[-1]
        mean, most = slope[:, :channels] / self.area, slope[:, channels:]
        top = x == x.max((1, 2), keepdims=True)
        shared = most / top.sum((1, 2))
        return np.asarray(mean[:, None, None] + top * shared[:, None, None])

    # The network.

    def forward(self) -> Array:
        stream = self.activate("stem", self.convolve("stem", self.planes))
        self.streams, self.inners = [stream], []
        for i in range(self.blocks):
            first, second, pool = (f"block{i}.{part}" for part in ("first", "second", "pool"))
            inner = self.activate(first, self.convolve(first, stream))
            y = self.convolve(second, inner)
            if f"{pool}.w" in self.weights:
                y = y + self.matrix(pool, self.pool(inner))[:, None, None]
            stream = self.activate(second, stream + y)
            self.inners.append(inner)
            self.streams.append(stream)
        self.head = self.activate("head", self.convolve("head", stream))
        self.summary = self.pool(self.head)
        self.hidden = np.maximum(self.matrix("value.hidden", self.summary), 0)
        self.features: dict[str, Array] = {}
        policy, reply = self.moves("policy"), self.moves("reply")
        outcome = self.matrix("value.outcome", self.hidden)
        left = self.matrix("value.moves_left", self.hidden)[:, 0]
        return self.loss(policy, reply, outcome, left)

    def moves(self, name: str) -> Array:
        bias = self.matrix(f"{name}.pool", self.summary)[:, None, None]
        features = self.features[name] = np.maximum(self.head + bias, 0)
        cells = self.matrix(f"{name}.cell", features)[..., 0].reshape(len(features), -1)
        taken = np.take_along_axis(cells, np.maximum(self.batch.cells, 0), 1)
        return np.where(self.batch.cells >= 0, taken, NEVER)

    def loss(self, policy: Array, reply: Array, outcome: Array, left: Array) -> Array:
        batch, count = self.batch, len(self.planes)
        log_policy, log_reply, log_outcome = map(log_softmax, (policy, reply, outcome))
        is_move = batch.cells >= 0
        policy_loss = -np.where(is_move, batch.policy * log_policy, 0).sum() / count
        entropy = -(batch.policy * np.log(np.maximum(batch.policy, 1e-6))).sum() / count
        value_loss = -(batch.outcome * log_outcome).sum() / count
        chances = np.exp(log_outcome)
        wanted = batch.outcome[:, 0] - batch.outcome[:, 2]
        error = np.square(chances[:, 0] - chances[:, 2] - wanted).mean()
        agreement = (policy.argmax(-1) == batch.policy.argmax(-1)).mean()
        # Gradient of softmax cross-entropy: probabilities times the target's sum, minus target.
        target = np.where(is_move, batch.policy, 0)
        replied = np.where(is_move, batch.reply, 0)
        self.d_policy = (np.exp(log_policy) * target.sum(-1, keepdims=True) - target) / count
        self.d_reply = REPLY_WEIGHT / count * (
            np.exp(log_reply) * replied.sum(-1, keepdims=True) - replied
        )  # fmt: skip
        self.d_outcome = (chances * batch.outcome.sum(-1, keepdims=True) - batch.outcome) / count
        off = left - batch.moves_left / np.float32(MOVES_LEFT)
        huber = np.where(np.abs(off) < 0.25, 4 * off, np.sign(off))
        known = batch.moves_left != UNKNOWN
        left_loss = np.where(np.abs(off) < 0.25, 2 * off * off, np.abs(off) - 0.125)
        self.total = (
            policy_loss
            + value_loss
            - REPLY_WEIGHT * np.where(is_move, batch.reply * log_reply, 0).sum() / count
            + MOVES_LEFT_WEIGHT * np.where(known, left_loss, 0).mean()
        )
        self.d_left = MOVES_LEFT_WEIGHT / count * np.where(known, huber, 0)
        return np.array([policy_loss - entropy, value_loss, error, agreement])

    def backward(self) -> Arrays:
        summary, hidden = np.zeros_like(self.summary), np.zeros_like(self.hidden)
        head = np.zeros_like(self.head)
        for name, slope in (("policy", self.d_policy), ("reply", self.d_reply)):
            from_head, from_summary = self.moves_back(name, slope.astype(np.float32))
            head += from_head
            summary += from_summary
        for name, slope in (
            ("value.outcome", self.d_outcome), ("value.moves_left", self.d_left[:, None]),
        ):  # fmt: skip
            hidden += self.matrix_back(name, self.hidden, slope.astype(np.float32))
        summary += self.matrix_back("value.hidden", self.summary, hidden * (self.hidden > 0))
        head += self.pool_back(self.head, summary)
        stream = self.convolve_back("head", head * (self.head > 0))
        for i in reversed(range(self.blocks)):
            first, second, pool = (f"block{i}.{part}" for part in ("first", "second", "pool"))
            inner_now = self.inners.pop()
            stream = stream * (self.streams.pop() > 0)
            inner = self.convolve_back(second, stream)
            if f"{pool}.w" in self.weights:
                pooled = self.matrix_back(pool, self.pool(inner_now), stream.sum((1, 2)))
                inner += self.pool_back(inner_now, pooled)
            stream = stream + self.convolve_back(first, inner * (inner_now > 0))
        self.convolve_back("stem", stream * (self.streams.pop() > 0), wanted=False)
        return self.slopes

    def moves_back(self, name: str, slope: Array) -> tuple[Array, Array]:
        """Gradients of the head and of its pooled summary."""
        features, cells = self.features.pop(name), np.maximum(self.batch.cells, 0)
        by_cell = np.zeros((len(cells), features[0, ..., 0].size), np.float32)
        np.add.at(by_cell, (np.arange(len(cells))[:, None], cells), slope)
        flat = features.reshape(-1, features.shape[-1])
        back = self.matrix_back(f"{name}.cell", flat, by_cell.reshape(-1, 1))
        back = back.reshape(features.shape) * (features > 0)
        return back, self.matrix_back(f"{name}.pool", self.summary, back.sum((1, 2)))


def log_softmax(x: Array) -> Array:
    x = x - x.max(-1, keepdims=True)
    return np.asarray(x - np.log(np.exp(x).sum(-1, keepdims=True)))
