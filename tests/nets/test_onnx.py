"""The network as ONNX says what the trained one says."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from honte.games.connect4.planes import random_positions
from honte.nets import onnx_model
from honte.nets.quantise import load_checkpoint
from tests.oracle.network import evaluate_float

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
