"""The ONNX export computes the same as the trained network."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from honte.games.connect4.planes import random_positions
from honte.nets import onnx_model
from honte.nets.quantise import load_checkpoint
from tests.nets.networks import random_network, random_planes
from tests.oracle.network import evaluate_float, heads_float

CHECKPOINT = Path(__file__).parents[2] / "studies" / "nets" / "connect4" / "network-b4c32.npz"


@pytest.mark.parametrize("masked", [True, False])
def test_onnx_runtime_agrees_with_the_trained_network(masked: bool) -> None:
    weights = load_checkpoint(CHECKPOINT).weights
    positions = random_positions(np.random.default_rng(8), 20, least=9 if masked else 12)
    session = onnxruntime.InferenceSession(onnx_model.build(weights, masked))
    planes = positions.transpose(0, 3, 1, 2).astype(np.float32)
    policy, outcome = session.run(None, {"planes": planes})
    expected = evaluate_float(weights, positions)
    np.testing.assert_allclose(policy, expected[0], atol=2e-3)
    np.testing.assert_allclose(outcome, expected[1], atol=1e-4)


def test_onnx_runtime_agrees_in_all_heads() -> None:
    rng = np.random.default_rng(4)
    weights = random_network(rng, 2, 16, 7, scores=True).weights
    positions = random_planes(rng, 5, 9, 9, 7)
    positions *= positions[..., :1]
    session = onnxruntime.InferenceSession(onnx_model.build(weights))
    planes = positions.transpose(0, 3, 1, 2).astype(np.float32)
    said = dict(zip([o.name for o in session.get_outputs()],
                    session.run(None, {"planes": planes}), strict=True))  # fmt: skip
    expected = heads_float(weights, positions)
    assert said.keys() == expected.keys() == {"policy", "outcome", "pass", "score", "ownership"}
    for name, array in expected.items():
        np.testing.assert_allclose(said[name], array, atol=5e-3, err_msg=name)
