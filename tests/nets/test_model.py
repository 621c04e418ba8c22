"""Networks and samples: what the mask, the folding and the targets promise."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from honte.games.connect4.jax_rules import ConnectFourArrays
from honte.nets import checkpoint, learner, model, replay
from honte.nets.selfplay import Steps

SIZE = model.Size(2, 8)


def random_network(planes: int) -> model.Arrays:
    weights, statistics = model.initial(jax.random.key(1), SIZE, planes)
    biased = {k: v + 0.1 if k.endswith(".b") else v for k, v in weights.items()}
    return model.fold(biased, statistics)


def test_a_board_says_the_same_on_a_larger_canvas() -> None:
    said = []
    for canvas in ("7", "12"):
        game = ConnectFourArrays({"rows": "6", "cols": "7", "canvas": canvas})
        position = game.openings(jax.random.key(3), 8, most_plies=0)
        planes = game.observe(position, game.read(position))
        said.append(model.apply(random_network(game.planes), game, planes))
    for small, large in zip(*map(jax.tree.leaves, said), strict=True):
        np.testing.assert_allclose(small, large[..., : small.shape[-1]], atol=0.02)


def test_folding_keeps_what_the_network_says() -> None:
    game = ConnectFourArrays({"rows": "6", "cols": "7"})
    position = game.openings(jax.random.key(3), 16)
    planes = game.observe(position, game.read(position))
    weights, statistics = model.initial(jax.random.key(1), SIZE, game.planes)
    outputs, moved = model.learn(weights, statistics, game, planes)
    keep = model.MOMENTUM
    batch = {k: (moved[k] - keep * statistics[k]) / (1 - keep) for k in statistics}
    played = model.apply(model.fold(weights, batch), game, planes)
    np.testing.assert_allclose(played.policy, outputs.policy, atol=0.05)
    np.testing.assert_allclose(played.outcome, outputs.outcome, atol=0.05)


def steps(values: list[float], rewards: list[float], signs: list[int], overs: list[int]) -> Steps:
    """One game's searches; the position is only its number."""

    def column(row: list[float] | list[int]) -> jax.Array:
        return jnp.asarray(row, jnp.float32)[:, None]

    plies = jnp.arange(len(values))[:, None]
    policy = jnp.ones((len(values), 1, 2), jnp.float16) / 2
    return Steps(
        plies, policy, column(values), column([0.0] * len(values)), column(rewards),
        column(signs), column(overs).astype(bool), plies, plies + 1,
    )  # fmt: skip


def test_the_outcome_comes_back_with_the_sides_in_turn() -> None:
    # The second step wins for its mover; the third starts a game that is not over.
    earlier = steps([0, 0, 0.5], [0, 1, 0], [-1, 0, -1], [0, 1, 0])
    later = steps([0.25, 0, 0], [0, 0, 0], [-1, -1, -1], [0, 0, 0])
    made = replay.samples(earlier, later, mixing=1.0)
    assert made.outcome[:2, 0].tolist() == [[0, 0, 1], [1, 0, 0]]
    assert made.moves_left[:, 0].tolist() == [2, 1, replay.UNKNOWN]
    assert made.reply[:, 0].sum(-1).tolist() == [1, 0, 1]
    near = replay.samples(earlier, later, mixing=0.0)
    win, _, loss = near.outcome[2, 0].tolist()
    assert win - loss == -0.25, "with no mixing, the next search's value counts"


def test_a_draw_is_neither_won_nor_lost() -> None:
    drawn = steps([0, 0], [0, 0], [-1, 0], [0, 1])
    made = replay.samples(drawn, drawn, mixing=1.0)
    assert made.outcome[:, 0].tolist() == [[0, 1, 0], [0, 1, 0]]


def test_a_checkpoint_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("run") / "network.npz"
    fresh = learner.fresh(jax.random.key(5), SIZE, 10)
    checkpoint.save(path, fresh, {"size": str(SIZE)})
    again = checkpoint.load(path, learner.fresh(jax.random.key(6), SIZE, 10))
    assert checkpoint.about(path) == {"size": "b2c8"}
    assert jax.tree.all(jax.tree.map(lambda a, b: bool((a == b).all()), fresh, again))
    with pytest.raises(ValueError, match="was the size changed"):
        checkpoint.load(path, learner.fresh(jax.random.key(6), model.Size(2, 16), 10))
