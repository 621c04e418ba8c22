"""The arithmetic of networks in numpy: the trained one in float32, the quantised one to the bit.

Positions are planes [batch, columns, rows, planes]; plane 0 marks the board.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Tensors = dict[str, Array]
F = np.float32


def convolve(x: Array, kernel: Array) -> Array:
    """A convolution over zeros around the canvas."""
    side = len(kernel)
    edge = side // 2
    padded = np.pad(x, ((0, 0), (edge, edge), (edge, edge), (0, 0)))
    _, columns, rows, _ = x.shape
    total: Array = 0 * x[..., :1]
    for i in range(side):
        for k in range(side):
            total = total + padded[:, i : i + columns, k : k + rows] @ kernel[i, k]
    return total


def softmax(x: Array) -> Array:
    powers = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(powers / powers.sum(-1, keepdims=True))


def pooled(x: Array, area: Array) -> Array:
    return np.concatenate([x.sum((1, 2), dtype=F) / area[:, None], x.max((1, 2))], -1)


def evaluate_float(weights: Tensors, planes: Array) -> tuple[Array, Array]:
    """Policy logits of the cells and chances of win, draw and loss, by folded float weights."""
    heads = heads_float(weights, planes)
    return heads["policy"], heads["outcome"]


def heads_float(weights: Tensors, planes: Array) -> Tensors:
    """The outputs of folded float weights, by the name of the head."""
    x = planes.astype(F)
    board, area = x[..., :1], x[..., 0].sum((1, 2))

    def relu(y: Array) -> Array:
        return np.maximum(y, 0) * board

    def layer(name: str, x: Array) -> Array:
        return convolve(x, weights[f"{name}.w"]) + weights[f"{name}.b"]

    def matrix(name: str, x: Array) -> Array:
        return x @ weights[f"{name}.w"] + weights[f"{name}.b"]

    x = relu(layer("stem", x))
    for i in range(sum(name.endswith(".first.w") for name in weights)):
        inner = relu(layer(f"block{i}.first", x))
        y = layer(f"block{i}.second", inner)
        if f"block{i}.pool.w" in weights:
            y = y + matrix(f"block{i}.pool", pooled(inner, area))[:, None, None, :]
        x = relu(x + y)
    head = relu(layer("head", x))
    summary = pooled(head, area)
    hidden = np.maximum(matrix("value.hidden", summary), 0)

    def cells(name: str) -> Array:
        bias = matrix(f"{name}.pool", summary)[:, None, None, :]
        return matrix(f"{name}.cell", np.maximum(head + bias, 0))[..., 0] * board[..., 0]

    heads = {"policy": cells("policy"), "outcome": softmax(matrix("value.outcome", hidden))}
    if "policy.pass.w" in weights:
        heads["pass"] = matrix("policy.pass", hidden)[:, 0]
    if "value.score.w" in weights:
        heads["score"] = 16 * matrix("value.score", hidden)[:, 0]
    if "ownership.cell.w" in weights:
        heads["ownership"] = np.tanh(cells("ownership"))
    return heads


# -- quantised -------------------------------------------------------------------------


def exponential(x: Array) -> Array:
    """exp(x) for x ≤ 0, in float32 operations, none of them fused."""
    x = np.maximum(x, F(-87))
    k = np.rint(x * F(1.44269504))
    r = (x - k * F(0.693359375)) - k * F(-2.12194440e-4)
    power = np.full_like(r, F(1 / 720))
    for factor in (1 / 120, 1 / 24, 1 / 6, 1 / 2, 1, 1):
        power = power * r + F(factor)
    bits: Array = (k.astype(np.int32) + 127) << 23
    return power * bits.view(F)


def in_order(x: Array, weights: Array, bias: Array) -> Array:
    """A matrix that adds its products one by one."""
    total = np.broadcast_to(bias, (x.shape[0], len(bias))).astype(F)
    for i in range(weights.shape[0]):
        total = total + x[:, i : i + 1] * weights[i]
    return total


def tanh(x: Array) -> Array:
    power = exponential(F(-2) * np.abs(x))
    return np.copysign((F(1) - power) / (F(1) + power), x)


def evaluate(header: dict[str, Any], tensors: Tensors, planes: Array) -> tuple[Array, Array]:
    """Policy logits and chances as every kernel computes them, to the bit."""
    heads = evaluate_heads(header, tensors, planes)
    return heads["policy"], heads["outcome"]


def evaluate_heads(header: dict[str, Any], tensors: Tensors, planes: Array) -> Tensors:
    """What every kernel computes, to the bit, by the name of the head."""
    board = planes[..., :1].astype(np.int32)
    planes = planes * board
    cells = board.sum((1, 2, 3)).astype(F)

    def sums(name: str, x: Array) -> Array:
        y = convolve(x.astype(np.float64), tensors[f"{name}.weights"].astype(np.float64))
        return y.astype(np.int32) + tensors[f"{name}.bias"]

    def scaled(name: str, y: Array) -> Array:
        whole = np.rint(y.astype(F) * tensors[f"{name}.scale"]).astype(np.int64)
        return np.clip(whole, -32768, 32767)

    def onto_board(y: Array, top: int) -> Array:
        return np.clip(y, 0, top) * board

    def pool(x: Array) -> Array:
        mean = x.sum((1, 2)).astype(F) / cells[:, None]
        return np.concatenate([mean, x.max((1, 2)).astype(F)], -1)

    def matrix(name: str, x: Array) -> Array:
        return in_order(x, tensors[f"{name}.weights"], tensors[f"{name}.bias"])

    def copied(name: str, x: Array) -> Array:
        moved = x * tensors[f"{name}.copy"].astype(np.int64) + 16384 >> 15
        return np.asarray(np.minimum(moved, 127))

    stream = onto_board(scaled("stem", sums("stem", planes)), 32767)
    for i in range(header["architecture"]["blocks"]):
        y = sums(f"block{i}.first", copied(f"block{i}", stream))
        inner = onto_board(scaled(f"block{i}.first", y), 127)
        y = sums(f"block{i}.second", inner)
        if f"block{i}.pool.weights" in tensors:
            bias = np.rint(np.clip(matrix(f"block{i}.pool", pool(inner)), F(-(2**24)), F(2**24)))
            y = y + bias.astype(np.int32)[:, None, None, :]
        stream = onto_board(stream + scaled(f"block{i}.second", y), 32767)
    head = onto_board(scaled("head", sums("head", copied("head", stream))), 32767)
    summary = pool(head)
    hidden = np.maximum(matrix("value.hidden", summary), F(0))
    logits = matrix("value.outcome", hidden)
    powers = exponential(logits - logits.max(-1, keepdims=True))
    outcome = powers / ((powers[:, :1] + powers[:, 1:2]) + powers[:, 2:])

    def on_cells(name: str) -> Array:
        wide = np.rint(np.clip(matrix(f"{name}.pool", summary), F(-32767), F(32767)))
        features = np.clip(head + wide.astype(np.int64)[:, None, None, :], 0, 32767)
        cell = (features * tensors[f"{name}.cell.weights"].astype(np.int64)).sum(-1).astype(F)
        logits = cell * tensors[f"{name}.cell.scale"][0] + tensors[f"{name}.cell.bias"][0]
        return np.asarray(logits * board[..., 0].astype(F))

    heads = {"policy": on_cells("policy"), "outcome": outcome}
    if "pass" in header["heads"]:
        heads["pass"] = matrix("policy.pass", hidden)[:, 0]
    if "score" in header["heads"]:
        heads["score"] = matrix("value.score", hidden)[:, 0]
    if "ownership" in header["heads"]:
        heads["ownership"] = tanh(on_cells("ownership"))
    return heads
