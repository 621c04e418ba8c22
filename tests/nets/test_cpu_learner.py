"""The learner in numpy: gradients, checkpoints, and actual learning."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from honte.games.connect4.planes import PLANES, random_positions
from honte.nets import cpu_learner
from honte.nets.cpu_learner import Batch, Pass
from honte.nets.quantise import load_checkpoint
from honte.nets.sizes import Size

SIZE = Size(2, 8)


def random_batch(seed: int, count: int) -> Batch:
    rng = np.random.default_rng(seed)
    planes = random_positions(rng, count, 5, 5, 8)
    landing = planes[..., PLANES.index("landing")]
    cells = np.where(landing.any(-1), np.arange(5) * 5 + landing.argmax(-1), -1)

    def shares(where: cpu_learner.Array) -> cpu_learner.Array:
        drawn = np.where(where, rng.random(where.shape), 0)
        return np.asarray(drawn / drawn.sum(-1, keepdims=True), np.float32)

    left = rng.integers(1, 20, count).astype(np.uint8)
    left[0] = cpu_learner.UNKNOWN
    is_move, outcomes = cells >= 0, np.ones((count, 3), bool)
    return Batch(planes, cells, shares(is_move), shares(is_move), shares(outcomes), left)


@pytest.mark.parametrize(
    "name",
    ["stem.w", "stem.gain", "block0.first.w", "block1.second.b", "block1.pool.w", "head.w",
     "value.hidden.w", "value.outcome.b", "value.moves_left.w", "policy.pool.w", "policy.cell.w",
     "reply.cell.b"],
)  # fmt: skip
def test_a_slope_is_how_much_the_loss_changes(name: str) -> None:
    batch = random_batch(1, 6)
    weights = {
        key: array.astype(np.float64) + (0.1 if key.endswith(".b") else 0)
        for key, array in cpu_learner.fresh(SIZE, len(PLANES), 3).weights.items()
    }
    passed = Pass(weights, batch)
    passed.forward()
    slopes = passed.backward()[name].reshape(-1)
    by = 1e-5
    for at in np.random.default_rng(2).integers(slopes.size, size=4):
        totals = []
        for sign in (1, -1):
            moved = weights[name].copy()
            moved.reshape(-1)[at] += sign * by
            other = Pass({**weights, name: moved}, batch)
            other.forward()
            totals.append(other.total)
        assert slopes[at] == pytest.approx((totals[0] - totals[1]) / (2 * by), rel=2e-3, abs=1e-6)


def test_steps_lower_the_loss() -> None:
    learner = cpu_learner.fresh(SIZE, len(PLANES), 3)
    batch = random_batch(1, 32)
    first = cpu_learner.step(learner, batch, 1e-2)
    for _ in range(40):
        last = cpu_learner.step(learner, batch, 1e-2)
    assert last[0] < 0.7 * first[0], "the policy"
    assert last[2] < 0.5 * first[2], "the value"


def test_a_mirrored_board_has_its_moves_on_the_other_side() -> None:
    batch = random_batch(4, 8)
    mirrored = batch.mirrored(np.arange(8) % 2 == 0)
    landing = PLANES.index("landing")
    for both in (batch, mirrored):
        flat = both.planes[..., landing].reshape(8, -1)
        taken = np.take_along_axis(flat, np.maximum(both.cells, 0), 1)
        assert (taken == (both.cells >= 0)).all()
    assert (mirrored.planes[1::2] == batch.planes[1::2]).all()
    assert (mirrored.planes[::2] == batch.planes[::2, ::-1]).all()


def test_a_checkpoint_comes_back_and_is_read_by_the_export(tmp_path: Path) -> None:
    learner = cpu_learner.fresh(SIZE, len(PLANES), 3)
    cpu_learner.step(learner, random_batch(1, 8), 1e-2)
    path = tmp_path / "network.npz"
    cpu_learner.save(path, learner, {"game": "none"})
    again, about = cpu_learner.load(path)
    assert about == {"game": "none"}
    assert again.steps == 1
    for part in ("weights", "statistics", "momentum", "squares"):
        held, read = getattr(learner, part), getattr(again, part)
        assert held.keys() == read.keys()
        assert all((held[name] == read[name]).all() for name in held)
    trained = learner.trained({})
    exported = load_checkpoint(path)
    assert all((exported.weights[name] == array).all() for name, array in trained.weights.items())
