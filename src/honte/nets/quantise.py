"""Quantisation of trained networks: int8 weights, 7-bit activations, 32-bit sums.

    planes (0, 1) ── stem ──► stream (int16) ──► + second ──► stream ─ … ─► head (int16)
                                │                  ▲
                                └ 7 bits ─ first ─ 7 bits

A convolution sums products of unsigned 7-bit activations and int8 weights exactly in 32 bits (two
products of AVX2's `maddubs` fit 16: 2·127·127 < 2¹⁵), multiplies the sum by a float for each
channel, and rounds to the nearest even integer: one IEEE multiplication, equal on every machine.
The residual stream keeps 16 bits; convolutions read a 7-bit copy of it. Pooling and the value head
are float32 in a fixed order. `native/nets/forward.hpp` computes it for play, and
`tests/oracle/network.py` independently for comparison.

Calibration positions go through layer by layer, each layer reading the output of the quantised
layers before it. They determine the range of each channel, the rounding of the weights
(`round_together`), and the errors that the biases compensate for.
"""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from honte.nets.netfile import Tensors

Array = np.ndarray[Any, np.dtype[Any]]

EPSILON = 1e-5
"""Added to the variance by batch norms; as in `model`."""
ACTIVATIONS = 127
WEIGHTS = 127
HEADROOM = 1.25
"""Range of 7-bit activations, as a multiple of the largest one in calibration."""
WIDE_HEADROOM = 5.0
"""Range of 16-bit activations, as a multiple of the largest one in calibration."""
POOLED = 2**23
"""Range of the sums that pooling adds, half of what play allows."""
LARGEST_SCALE = 64.0
"""Maximum number of steps of the stream for a step of a sum; 90 might leave 32 bits."""
SCORE_SCALE = 16.0
"""Points per unit of a checkpoint's score output. Network files use points."""
FURTHER_HEADS = {"pass": "policy.pass", "score": "value.score", "ownership": "ownership.cell"}
"""Optional heads, each with a layer that shows whether a network has it."""


@dataclass(frozen=True, slots=True)
class Trained:
    """The network that plays: weights with the batch norms folded into them."""

    weights: Tensors
    about: dict[str, Any]

    @property
    def blocks(self) -> int:
        return sum(name.endswith(".first.w") for name in self.weights)

    @property
    def heads(self) -> list[str]:
        further = (head for head, layer in FURTHER_HEADS.items() if f"{layer}.w" in self.weights)
        return ["policy", "outcome", *further]


def load_checkpoint(path: Path) -> Trained:
    """The averaged weights of a training run's checkpoint, batch norms folded into them."""
    with zipfile.ZipFile(path) as file:
        about = json.loads(file.read("about.json"))
    return fold(*averaged(path), about)


def averaged(path: Path) -> tuple[Tensors, Tensors]:
    """A checkpoint's averaged weights, and the statistics of their batch norms."""
    with np.load(path, allow_pickle=False) as file:
        weights, statistics = (
            {name[len(part) :]: file[name] for name in file.files if name.startswith(part)}
            for part in ("average/0/", "average/1/")
        )
    return weights, statistics


def fold(weights: Tensors, statistics: Tensors, about: dict[str, Any]) -> Trained:
    """Fold batch norms into weights and biases."""
    folded = {name: array for name, array in weights.items() if not name.endswith(".gain")}
    for name, gain in weights.items():
        if name.endswith(".gain"):
            layer = name.removesuffix(".gain")
            scale = gain / np.sqrt(statistics[f"{layer}.var"] + np.float32(EPSILON))
            folded[f"{layer}.w"] = weights[f"{layer}.w"] * scale
            folded[f"{layer}.b"] = weights[f"{layer}.b"] - statistics[f"{layer}.mean"] * scale
    return Trained(folded, about)


def quantise(
    trained: Trained, planes: tuple[str, ...], positions: Array
) -> tuple[dict[str, Any], Tensors]:
    """Header and tensors of the network file; `positions` are planes for calibration."""
    made = Quantiser(trained, positions).run()
    channels, head = (trained.weights[f"{name}.b"].size for name in ("stem", "head"))
    done = trained.about.get("done", {})
    header = {
        "architecture": {
            "blocks": trained.blocks,
            "channels": channels,
            "head_channels": head,
            "hidden": trained.weights["value.hidden.b"].size,
            "pooling": [i for i in range(trained.blocks) if f"block{i}.pool.w" in trained.weights],
        },
        "planes": list(planes),
        "heads": trained.heads,
        "quantisation": {"weights": 8, "activations": 7, "positions": len(positions)},
        "training": {"game": trained.about.get("game"), **done},
    }
    return header, made


def patches(x: Array, side: int) -> Array:
    """Each cell's convolution inputs (im2col): [batch, columns, rows, side · side · channels]."""
    edge = side // 2
    padded = np.pad(x, ((0, 0), (edge, edge), (edge, edge), (0, 0)))
    _, columns, rows, _ = x.shape
    taps = [padded[:, i : i + columns, k : k + rows] for i in range(side) for k in range(side)]
    return np.concatenate(taps, -1)


def damped(squares: Array, part: float) -> Array:
    """Damp a covariance matrix: add `part` of its mean variance to the diagonal."""
    more: Array = squares + part * squares.diagonal().mean() * np.eye(len(squares))
    return more


def round_together(weights: Array, squares: Array) -> Array:
    """Round weights [inputs, outputs] so that errors cancel on inputs of this covariance.

    The weights of the inputs that follow compensate for each input's rounding error, as far as they
    correlate with it (Frantar et al. 2022, GPTQ).
    """
    upper = np.linalg.cholesky(np.linalg.inv(damped(squares, 0.01))).T
    rest, rounded = weights.astype(np.float64), np.zeros_like(weights)
    for i in range(len(weights)):
        rounded[i] = np.clip(np.rint(rest[i]), -WEIGHTS, WEIGHTS)
        rest[i + 1 :] -= np.outer(upper[i, i + 1 :], (rest[i] - rounded[i]) / upper[i, i])
    return rounded


class Quantiser:
    """Runs positions through the trained and the quantised network side by side."""

    def __init__(self, trained: Trained, positions: Array) -> None:
        self.trained = trained
        self.weights = dict(trained.weights)
        self.planes = positions.astype(np.float32)
        self.board = self.planes[..., :1]
        self.on_board = positions[..., 0] > 0
        self.tensors: Tensors = {}

    def run(self) -> Tensors:
        unit = self.stream_units()
        wanted = self.convolved("stem", self.planes)
        binary = np.ones(self.planes.shape[-1])
        stream = self.stream(self.convolution("stem", self.planes, binary, wanted, unit))
        exact = self.relu(wanted)
        for i in range(self.trained.blocks):
            first, second, pool = (f"block{i}.{part}" for part in ("first", "second", "pool"))
            copy, copied = self.copy(f"block{i}.copy", stream, unit)
            wanted = self.convolved(first, exact)
            inner_unit = self.reach(wanted) / ACTIVATIONS
            inner = self.convolution(first, copy, copied, wanted, inner_unit)
            inner = self.relu(np.minimum(inner, ACTIVATIONS))
            wanted = self.residual(i, self.relu(wanted))
            added: Array | float = 0.0
            least: Array | float = 0.0
            if pools := f"{pool}.w" in self.weights:
                # The mean goes to the convolution's bias: it may be more than play can add.
                added = self.matrix(pool, self.pooled(inner * inner_unit))
                mean = added.mean(0)
                added = (added - mean)[:, None, None]
                most = np.maximum(np.abs(added).max(0), np.abs(self.weights[f"{pool}.b"] - mean))
                least = most.ravel() / POOLED
            stream += self.convolution(second, inner, inner_unit, wanted, unit, added, least)
            stream = self.stream(stream)
            if pools:
                sums = self.tensors[f"{second}.scale"].astype(np.float64) * unit
                twice = np.concatenate([inner_unit, inner_unit])[:, None]
                self.store(pool, self.weights[f"{pool}.w"] * twice / sums,
                           (self.weights[f"{pool}.b"] - mean) / sums)  # fmt: skip
            exact = self.relu(exact + wanted)
        self.heads(exact, *self.copy("head.copy", stream, unit))
        return self.tensors

    def stream_units(self) -> Array:
        """The unit of each channel of the residual stream, which all blocks share.

        Channels that are far above zero after the last block are moved towards it first: training
        leaves constants there that would coarsen the unit, and the head's 7-bit copy even more.
        """
        tops, exact = [], self.relu(self.convolved("stem", self.planes))
        sums = [self.sums("stem", np.ones(self.planes.shape[-1]))]
        for i in range(self.trained.blocks):
            tops.append(exact[self.on_board].max(0))
            inner = self.relu(self.convolved(f"block{i}.first", exact))
            sums.append(self.sums(f"block{i}.second", self.reach(inner) / ACTIVATIONS))
            last = exact + self.residual(i, inner)
            exact = self.relu(last)
        cells = last[self.on_board]
        lowest = cells.min(0)
        spare = np.maximum(0, lowest - (cells.mean(0) - lowest))
        last_bias = f"block{self.trained.blocks - 1}.second.b"
        self.weights[last_bias] = self.weights[last_bias] - spare
        self.weights["head.b"] = self.weights["head.b"] + spare @ self.weights["head.w"][0, 0]
        most = np.max([*tops, cells.max(0) - spare], 0)
        unit = np.maximum(most, 0.01 * most.max()) * WIDE_HEADROOM / 32767
        return np.asarray(np.maximum(unit, np.max(sums, 0) / LARGEST_SCALE))

    def sums(self, name: str, units: Array) -> Array:
        """The unit of a layer's sums for each channel, if it reads its input in `units`."""
        kernel = np.abs(self.weights[f"{name}.w"]) * units[:, None]
        return np.asarray(kernel.max((0, 1, 2)) / WEIGHTS)

    def residual(self, block: int, inner: Array) -> Array:
        """The residual that a block of the trained network adds to the stream."""
        sums = self.convolved(f"block{block}.second", inner)
        if f"block{block}.pool.w" in self.weights:
            sums += self.matrix(f"block{block}.pool", self.pooled(inner))[:, None, None]
        return sums

    def stream(self, x: Array) -> Array:
        return self.relu(np.minimum(x, 32767))

    def heads(self, exact: Array, copy: Array, copied: Array) -> None:
        wanted = self.convolved("head", exact)
        exact = self.relu(wanted)
        summary = self.pooled(exact)
        on_cells = [name for name in ("policy", "ownership") if f"{name}.cell.w" in self.weights]
        biases = [np.abs(self.matrix(f"{name}.pool", summary)).max() for name in on_cells]
        unit = WIDE_HEADROOM * max(self.reach(wanted).max(), *biases) / 32767
        head = self.stream(self.convolution("head", copy, copied, wanted, unit))
        got = self.pooled(head * unit)
        pools = [(f"{name}.pool", unit) for name in on_cells]
        for name, into in (("value.hidden", 1.0), *pools):
            off = (self.matrix(name, summary) - self.matrix(name, got)).mean(0)
            self.store(name, self.weights[f"{name}.w"] * unit / into,
                       (self.weights[f"{name}.b"] + off) / into)  # fmt: skip
        for name, times in (("value.outcome", 1), ("policy.pass", 1), ("value.score", SCORE_SCALE)):
            if f"{name}.w" in self.weights:
                self.store(name, times * self.weights[f"{name}.w"],
                           times * self.weights[f"{name}.b"])  # fmt: skip
        for name in on_cells:
            cell = self.weights[f"{name}.cell.w"][:, 0].astype(np.float64)
            cell_unit = np.abs(cell).sum() / 65000  # keeps their sums within 32 bits
            self.tensors[f"{name}.cell.weights"] = np.rint(cell / cell_unit).astype(np.int16)
            self.tensors[f"{name}.cell.scale"] = np.array([cell_unit * unit], np.float32)
            self.tensors[f"{name}.cell.bias"] = self.weights[f"{name}.cell.b"].astype(np.float32)

    def store(self, name: str, weights: Array, bias: Array) -> None:
        self.tensors[f"{name}.weights"] = weights.astype(np.float32)
        self.tensors[f"{name}.bias"] = bias.astype(np.float32)

    # -- layers ----------------------------------------------------------------------

    def relu(self, x: Array) -> Array:
        return np.maximum(x, 0) * self.board

    def convolved(self, name: str, x: Array) -> Array:
        kernel = self.weights[f"{name}.w"]
        flat: Array = patches(x, len(kernel)) @ kernel.reshape(-1, kernel.shape[-1])
        return flat + self.weights[f"{name}.b"]

    def matrix(self, name: str, x: Array) -> Array:
        product: Array = x @ self.weights[f"{name}.w"] + self.weights[f"{name}.b"]
        return product

    def pooled(self, x: Array) -> Array:
        area = self.board.sum((1, 2))
        return np.concatenate([x.sum((1, 2)) / area, x.max((1, 2))], -1).astype(np.float32)

    def reach(self, x: Array) -> Array:
        """Range of each channel, at least a fiftieth of the largest one."""
        tops = HEADROOM * x[self.on_board].max(0)
        return np.asarray(np.maximum(tops, 0.02 * tops.max()))

    def copy(self, name: str, stream: Array, unit: Array) -> tuple[Array, Array]:
        """A 7-bit copy of the stream, and the unit of each of its channels."""
        wanted = 32768 * ACTIVATIONS * unit / self.reach(stream * unit)
        multiplier = np.clip(np.rint(wanted), 1, 32767)
        self.tensors[name] = multiplier.astype(np.int16)
        copy = np.minimum(np.floor((stream * multiplier + 16384) / 32768), ACTIVATIONS)
        return copy.astype(np.float32), 32768 * unit / multiplier

    def convolution(
        self, name: str, x: Array, units: Array, wanted: Array, into: Array | float,
        added: Array | float = 0.0, least: Array | float = 0.0,
    ) -> Array:  # fmt: skip
        """Quantise a layer that reads `x` in `units`; return its output in units of `into`.

        `wanted` is the trained network's sum at this point, `added` what is added afterwards,
        `least` a bound on the units of the sums.
        """
        kernel = self.weights[f"{name}.w"] * units[:, None]
        side, _, _, outs = kernel.shape
        flat = kernel.reshape(-1, outs)
        sums = np.maximum(self.sums(name, units), least)
        seen = patches(x, side)
        cases = seen[self.on_board]
        cases -= cases.mean(0)
        squares = (cases.T @ cases).astype(np.float64)
        # Fit weights that give the wanted sums from rounded inputs, then round them too.
        missing = (wanted - added)[self.on_board] / sums - cases @ (flat / sums)
        closer = np.linalg.solve(damped(squares, 0.1), cases.T @ (missing - missing.mean(0)))
        rounded = round_together(flat / sums + closer, squares)
        got = seen @ rounded.astype(np.float32) * sums.astype(np.float32)
        bias = np.rint((wanted - added - got)[self.on_board].mean(0) / sums)
        scale = (sums / into).astype(np.float32)
        self.tensors[f"{name}.weights"] = rounded.reshape(kernel.shape).astype(np.int8)
        self.tensors[f"{name}.bias"] = bias.astype(np.int32)
        self.tensors[f"{name}.scale"] = scale
        total = got + (bias * sums).astype(np.float32) + added
        return np.asarray(np.rint(total / np.asarray(into, np.float32)))
