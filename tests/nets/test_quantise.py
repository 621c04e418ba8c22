"""The cost of quantisation: the integer networks against the trained ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from honte._native import Network
from honte.games.connect4.planes import PLANES, random_positions
from honte.nets import export, netfile
from honte.nets.quantise import Trained, load_checkpoint, quantise, round_together
from tests.nets.networks import random_network, random_planes
from tests.oracle.network import evaluate_float, heads_float

Array = np.ndarray[Any, np.dtype[Any]]
STUDIES = Path(__file__).parents[2] / "studies" / "nets"


def log_policy(cells: Array, positions: Array) -> Array:
    """The log-probability of each move, −100 where a column is full."""
    landing = positions[..., PLANES.index("landing")]
    logits = np.where(landing.any(-1), (cells * landing).sum(-1), -100.0)
    logits -= logits.max(-1, keepdims=True)
    return np.asarray(logits - np.log(np.exp(logits).sum(-1, keepdims=True)))


@pytest.mark.parametrize(("size", "count"), [("b4c32", 400), ("b8c64", 100)])
def test_the_quantised_network_is_close_to_the_trained_one(size: str, count: int) -> None:
    trained = load_checkpoint(STUDIES / "connect4" / f"network-{size}.npz")
    positions = random_positions(np.random.default_rng(1234), count)
    cells, outcome = evaluate_float(trained.weights, positions)
    said, chances = Network(STUDIES / "connect4" / f"network-{size}.net").evaluate(positions)
    off = np.abs((chances - outcome) @ np.array([1, 0, -1]))
    assert off.mean() < 0.02
    assert np.quantile(off, 0.99) < 0.15
    policy, rounded = log_policy(cells, positions), log_policy(said, positions)
    divergence = (np.exp(policy) * (policy - rounded)).sum(-1)
    assert divergence.mean() < 0.005
    assert (policy.argmax(-1) == rounded.argmax(-1)).mean() > 0.95


def test_all_heads_of_a_quantised_network_are_close_to_the_trained_one() -> None:
    rng = np.random.default_rng(12)
    trained = random_network(rng, 2, 32, 9, scores=True)
    names = tuple(f"plane{i}" for i in range(9))
    header, tensors = quantise(trained, names, random_planes(rng, 60, 9, 9, 9))
    positions = random_planes(rng, 60, 9, 9, 9)
    exact = heads_float(trained.weights, positions)
    said = Network(netfile.encode(header, tensors)).evaluate_heads(positions)
    assert said.keys() == exact.keys()
    for name in ("pass", "score", "ownership"):
        assert np.abs(said[name] - exact[name]).mean() < 0.2 * np.abs(exact[name]).mean(), name


def test_constants_in_a_network_cost_nothing() -> None:
    """As training leaves them: in the last stream, and between a block's pooling and its bias."""
    rng = np.random.default_rng(12)
    plain = random_network(rng, 2, 32, 9)
    weights = dict(plain.weights)
    shift = np.zeros(32, np.float32)
    shift[:4] = 300
    weights["block1.second.b"] = weights["block1.second.b"] + shift
    weights["head.b"] = weights["head.b"] - shift @ weights["head.w"][0, 0]
    for sign, name in ((1, "block1.pool.b"), (-1, "block1.second.b")):
        weights[name] = weights[name] + np.float32(sign * 3e4) * (np.arange(32) % 8 == 5)
    names = tuple(f"plane{i}" for i in range(9))
    sample, positions = (random_planes(rng, 60, 9, 9, 9) for _ in range(2))
    off = []
    for trained in (plain, Trained(weights, plain.about)):
        said = Network(netfile.encode(*quantise(trained, names, sample))).evaluate(positions)
        exact = evaluate_float(trained.weights, positions)
        off.append([np.abs(a - b).mean() for a, b in zip(said, exact, strict=True)])
    assert off[1] == pytest.approx(off[0], rel=0.3)


def test_export_makes_a_file_like_the_one_that_is_kept(tmp_path: Path) -> None:
    folder = STUDIES / "connect4"
    made, kept = tmp_path / "made.net", folder / "network-b4c32.net"
    export.export(folder / "network-b4c32.npz", made, count=12)
    network, header = Network(made), Network(kept).header
    header["quantisation"]["positions"] = 12
    assert network.header == header
    assert header["planes"] == list(PLANES)
    assert header["training"]["games"] == 1242808
    assert made.stat().st_size < 150_000
    positions = random_positions(np.random.default_rng(5), 50)
    off = network.evaluate(positions)[1] - Network(kept).evaluate(positions)[1]
    assert np.abs(off).mean() < 0.05


def test_export_says_what_it_lacks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere, out = str(tmp_path / "nowhere.npz"), str(tmp_path / "out.net")
    with pytest.raises(SystemExit):
        export.main([nowhere, out])
    assert f"there is no checkpoint {nowhere}" in capsys.readouterr().err
    monkeypatch.setattr(export, "find_spec", lambda _: None)
    with pytest.raises(SystemExit):
        export.main([nowhere, out, "--onnx", "out.onnx"])
    assert "pip install onnx" in capsys.readouterr().err


def test_rounding_weights_together_errs_less_than_each_alone() -> None:
    rng = np.random.default_rng(3)
    inputs = rng.random((500, 4)) @ rng.random((4, 24)) + 0.05 * rng.random((500, 24))
    weights = 5 * rng.standard_normal((24, 8))
    together = round_together(weights, inputs.T @ inputs)
    assert (together == np.rint(together)).all()

    def error(rounded: Array) -> float:
        return float(np.square(inputs @ (rounded - weights)).mean())

    assert error(together) < error(np.rint(weights)) / 4
