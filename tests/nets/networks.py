"""Networks with random weights, and boards for them."""

from __future__ import annotations

from typing import Any

import numpy as np

from honte.nets.quantise import Trained

Array = np.ndarray[Any, np.dtype[Any]]


def random_network(
    rng: np.random.Generator, blocks: int, channels: int, planes: int, head: int = 32,
    hidden: int = 64, scores: bool = False,
) -> Trained:  # fmt: skip
    """As wide as given; every second block pools. With `scores` it has every head there is."""
    weights: dict[str, Array] = {}

    def layer(name: str, *shape: int, gain: float = 1.0) -> None:
        spread = gain * (2 / np.prod(shape[:-1])) ** 0.5
        weights[f"{name}.w"] = (spread * rng.standard_normal(shape)).astype(np.float32)
        weights[f"{name}.b"] = (0.1 * rng.standard_normal(shape[-1])).astype(np.float32)

    layer("stem", 3, 3, planes, channels)
    for i in range(blocks):
        layer(f"block{i}.first", 3, 3, channels, channels)
        layer(f"block{i}.second", 3, 3, channels, channels, gain=0.5)
        if i % 2:
            layer(f"block{i}.pool", 2 * channels, channels, gain=0.3)
    layer("head", 1, 1, channels, head)
    layer("value.hidden", 2 * head, hidden)
    layer("value.outcome", hidden, 3)
    layer("policy.pool", 2 * head, head, gain=0.3)
    layer("policy.cell", head, 1)
    if scores:
        layer("policy.pass", hidden, 1)
        layer("value.score", hidden, 1)
        layer("ownership.pool", 2 * head, head, gain=0.3)
        layer("ownership.cell", head, 1)
    return Trained(weights, {"game": "none", "done": {"games": 7}})


def random_planes(
    rng: np.random.Generator, batch: int, columns: int, rows: int, planes: int
) -> Array:
    """Bits on boards that fill the canvas, or leave random cells or whole sides out."""
    bits = rng.integers(0, 2, (batch, columns, rows, planes), np.uint8)
    for board in bits[..., 0]:
        board[:] = rng.random(board.shape) < rng.choice([0.8, 1.0])
        board[int(rng.integers(columns // 2, columns)) + 1 :] = 0
        board[0, 0] = 1
    return bits
