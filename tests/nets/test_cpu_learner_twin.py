"""The learner in numpy against the one in JAX: one step on the same samples."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from honte.games.connect4.jax_rules import ConnectFourArrays, Position
from honte.games.connect4.planes import PLANES
from honte.nets import checkpoint, cpu_learner, model, replay
from honte.nets import learner as in_jax
from honte.nets.sizes import Size
from tests.nets.test_cpu_learner import SIZE, random_batch


def test_a_step_is_that_of_the_learner_in_jax(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model, "HALF", jnp.float32)
    game = ConnectFourArrays({"rows": "5", "cols": "5"})
    batch = random_batch(5, 8)
    powers = 1 << np.arange(5)
    own, other, playable, inside = (
        (batch.planes[..., PLANES.index(name)] * powers).sum(-1).astype(np.uint16)
        for name in ("own", "other", "playable", "board")
    )
    position = Position(*map(jnp.asarray, (own, other, playable, inside)))
    candidates = np.asarray(game.read(position).candidates)
    batch = batch._replace(cells=np.where(candidates, batch.cells, -1))
    learner = cpu_learner.fresh(SIZE, len(PLANES), 3)
    path = tmp_path / "network.npz"
    cpu_learner.save(path, learner, {})
    twin = checkpoint.load(path, in_jax.fresh(jax.random.key(1), Size(*SIZE), game.planes))
    samples = replay.Samples(
        position=position,
        policy=jnp.asarray(batch.policy),
        reply=jnp.asarray(np.where(candidates, batch.reply, 0)),
        outcome=jnp.asarray(batch.outcome),
        moves_left=jnp.asarray(batch.moves_left),
    )
    after, metrics = in_jax.step(twin, game, samples, jnp.float32(1e-3))
    ours = cpu_learner.step(learner, batch, 1e-3)
    np.testing.assert_allclose(ours[1:3], np.asarray(metrics)[1:3], rtol=1e-3)
    for name, slope in after.momentum.items():  # a tenth of the slopes, after one step
        np.testing.assert_allclose(
            learner.momentum[name], slope, rtol=0.01, atol=1e-5, err_msg=name
        )
    for name, array in after.statistics.items():
        np.testing.assert_allclose(learner.statistics[name], array, rtol=0.01, err_msg=name)
