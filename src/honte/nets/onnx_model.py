"""A trained network as ONNX, for other programs and to compare with. Needs the package `onnx`.

planes   float [batch, planes, columns, rows]; plane 0 marks the board
policy   float [batch, columns, rows]: logits of the cells
outcome  float [batch, 3]: chances of win, draw and loss for the side to move

Where the network has these heads:

pass       float [batch]: logit of a pass
score      float [batch]: final lead of the side to move, in points
ownership  float [batch, columns, rows]: 1 for the side to move to -1
"""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper

from honte.nets.netfile import Tensors
from honte.nets.quantise import SCORE_SCALE


class Graph:
    """A graph under construction: nodes and weights."""

    def __init__(self) -> None:
        self.nodes: list[Any] = []
        self.weights: list[Any] = []

    def constant(self, array: Any) -> str:
        name = f"weights{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def add(self, kind: str, *inputs: str, name: str = "", **options: Any) -> str:
        name = name or f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **options))
        return name


def build(weights: Tensors, masked: bool = True) -> bytes:
    """The model's bytes; an unmasked model is faster, but only for boards that fill the planes."""
    graph = Graph()
    add, constant = graph.add, graph.constant
    one = constant(np.array([1], np.int64))
    mask = add("Slice", "planes", constant(np.array([0], np.int64)), one, one)
    both = constant(np.array([2, 3], np.int64))
    area = add("ReduceSum", mask, both, keepdims=0)

    def convolution(name: str, x: str) -> str:
        kernel = weights[f"{name}.w"].transpose(3, 2, 0, 1)
        side = kernel.shape[-1]
        return add(
            "Conv", x, constant(kernel), constant(weights[f"{name}.b"]),
            kernel_shape=[side, side], pads=[side // 2] * 4,
        )  # fmt: skip

    def matrix(name: str, x: str) -> str:
        return add("Gemm", x, constant(weights[f"{name}.w"]), constant(weights[f"{name}.b"]))

    def relu(x: str) -> str:
        positive = add("Relu", x)
        return add("Mul", positive, mask) if masked else positive

    def pooled(x: str) -> str:
        if masked:
            mean = add("Div", add("ReduceSum", x, both, keepdims=0), area)
        else:
            mean = add("ReduceMean", x, axes=[2, 3], keepdims=0)
        return add("Concat", mean, add("ReduceMax", x, axes=[2, 3], keepdims=0), axis=1)

    def on_cells(vector: str) -> str:
        return add("Unsqueeze", vector, both)

    x = relu(convolution("stem", "planes"))
    for i in range(sum(name.endswith(".first.w") for name in weights)):
        inner = relu(convolution(f"block{i}.first", x))
        y = convolution(f"block{i}.second", inner)
        if f"block{i}.pool.w" in weights:
            y = add("Add", y, on_cells(matrix(f"block{i}.pool", pooled(inner))))
        x = relu(add("Add", x, y))
    head = relu(convolution("head", x))
    summary = pooled(head)
    hidden = add("Relu", matrix("value.hidden", summary))
    add("Softmax", matrix("value.outcome", hidden), name="outcome", axis=1)

    def cells(name: str) -> str:
        features = add("Relu", add("Add", head, on_cells(matrix(f"{name}.pool", summary))))
        kernel = weights[f"{name}.cell.w"].reshape(1, -1, 1, 1)
        logits = add("Conv", features, constant(kernel), constant(weights[f"{name}.cell.b"]))
        return add("Mul", logits, mask)

    add("Squeeze", cells("policy"), one, name="policy")
    outputs: dict[str, list[str | int]] = {
        "policy": ["batch", "columns", "rows"], "outcome": ["batch", 3],
    }  # fmt: skip
    if "policy.pass.w" in weights:
        add("Squeeze", matrix("policy.pass", hidden), one, name="pass")
        outputs["pass"] = ["batch"]
    if "value.score.w" in weights:
        scale = constant(np.array([SCORE_SCALE], np.float32))
        points = add("Mul", matrix("value.score", hidden), scale)
        add("Squeeze", points, one, name="score")
        outputs["score"] = ["batch"]
    if "ownership.cell.w" in weights:
        add("Squeeze", add("Tanh", cells("ownership")), one, name="ownership")
        outputs["ownership"] = ["batch", "columns", "rows"]

    planes = weights["stem.w"].shape[2]

    def tensor(name: str, shape: list[str | int]) -> Any:
        return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)

    made = helper.make_graph(
        graph.nodes,
        "honte",
        [tensor("planes", ["batch", planes, "columns", "rows"])],
        [tensor(name, shape) for name, shape in outputs.items()],
        graph.weights,
    )
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model)
    data: bytes = model.SerializeToString()
    return data
