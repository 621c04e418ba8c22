"""Networks and samples: what the mask, the folding and the targets promise."""

from __future__ import annotations

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from honte.games.connect4.jax_rules import ConnectFourArrays
from honte.games.go.jax_rules import GoArrays
from honte.nets import checkpoint, grow, learner, model, replay
from honte.nets.games import ArrayGame
from honte.nets.selfplay import Final, Steps
from honte.nets.sizes import Size

SIZE = Size(2, 8)


def random_network(planes: int, heads: tuple[str, ...] = ()) -> model.Arrays:
    weights, statistics = model.initial(jax.random.key(1), SIZE, planes, heads)
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


def test_pass_score_and_ownership_are_the_same_on_a_larger_canvas() -> None:
    said = []
    for canvas in (7, 9):
        game = GoArrays({"size": "7", "canvas": str(canvas)})
        position = game.start(jnp.full(3, 7), jnp.asarray([14, 15, -3]))
        for row, col in ((3, 3), (2, 4), (0, 0)):
            position = game.play_unchecked(position, jnp.full(3, row * canvas + col))
        outputs = model.apply(
            random_network(game.planes, game.heads), game, game.observe(position, None)
        )
        assert outputs.policy.shape == (3, canvas * canvas + 1)
        assert outputs.score is not None
        assert outputs.ownership is not None
        cells = jnp.stack([outputs.policy[:, :-1], outputs.ownership])
        board = cells.reshape(2, 3, canvas, canvas)[..., :7, :7]
        said.append((board, outputs.policy[:, -1], outputs.score, outputs.outcome))
    for small, large in zip(*said, strict=True):
        np.testing.assert_allclose(small, large, atol=0.02)


@pytest.mark.parametrize("game", [ConnectFourArrays({"canvas": "8"}), GoArrays({"size": "7"})])
def test_a_grown_network_computes_what_the_smaller_one_does(
    game: ArrayGame, tmp_path: Path
) -> None:
    small, large = (
        learner.fresh(jax.random.key(seed), size, game.planes, game.heads)
        for seed, size in ((1, Size(2, 8)), (2, Size(4, 12)))
    )
    weights = {k: v + 0.1 if k.endswith(".b") else v for k, v in small.average[0].items()}
    small = small._replace(average=(weights, small.average[1]))
    path = tmp_path / "network-b2c8.npz"
    checkpoint.save(path, small, {"size": "b2c8"})
    large = grow.from_checkpoint(large, path)
    position = game.openings(jax.random.key(3), 16)
    planes = game.observe(position, game.read(position))
    said = [model.apply(learner.network(network), game, planes) for network in (small, large)]
    for a, b in zip(*map(jax.tree.leaves, said), strict=True):
        np.testing.assert_allclose(a, b, atol=0.02)
    with pytest.raises(ValueError, match="larger"):
        grow.from_checkpoint(learner.fresh(jax.random.key(1), Size(4, 6), game.planes), path)


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


def test_the_end_of_a_game_comes_back_to_its_samples() -> None:
    # The third step ends the game: its mover is two points ahead and owns the first cell.
    earlier = steps([0, 0], [0, 0], [-1, -1], [0, 0])
    later = steps([0, 0, 0], [1, 0, 0], [0, -1, -1], [1, 0, 0])
    none = Final(jnp.zeros((2, 1)), jnp.zeros((2, 1, 2), jnp.int8))
    lead = jnp.asarray([[2.0], [0], [0]])
    final = Final(lead, jnp.asarray([[[1, -1]], [[0, 0]], [[0, 0]]], jnp.int8))
    made = replay.samples(earlier._replace(final=none), later._replace(final=final), mixing=1.0)
    assert made.lead is not None
    assert made.ownership is not None
    assert made.lead[:, 0].tolist() == [2, -2]
    assert made.ownership[:, 0].tolist() == [[1, -1], [-1, 1]]
    unfinished = replay.samples(later._replace(final=final), earlier._replace(final=none), 1.0)
    assert (unfinished.moves_left[1:] == replay.UNKNOWN).all()


def test_ownership_that_was_not_seen_is_not_learned() -> None:
    game = GoArrays({"size": "5"})
    position = game.sample(game.start(jnp.full(4, 5), jnp.arange(4)))
    moves = jnp.full((4, 26), 1 / 26)
    outcome = jnp.tile(jnp.asarray([1.0, 0, 0]), (4, 1))
    size = Size(1, 8)
    weights, statistics = model.initial(jax.random.key(2), size, game.planes, game.heads)

    def slope(left: jax.Array, owner: jax.Array) -> tuple[jax.Array, jax.Array]:
        """By the biases of ownership and score."""
        lefts, lead = jnp.full(4, left, jnp.uint8), jnp.full(4, 5.0 * owner)
        owned = jnp.full((4, 25), owner, jnp.int8)
        batch = replay.Samples(position, moves, moves, outcome, lefts, lead, owned)
        gradient = jax.grad(learner.loss, has_aux=True)
        found, _ = gradient(weights, statistics, game, batch)
        return found["ownership.cell.b"], found["value.score.b"]

    slopes = jax.jit(slope)
    for unknown in slopes(jnp.asarray(replay.UNKNOWN), jnp.asarray(1)):
        assert float(unknown[0]) == 0
    known = [slopes(jnp.asarray(9), jnp.asarray(owner)) for owner in (1, -1)]
    for ours, theirs in zip(*known, strict=True):
        assert float(ours[0]) < 0 < float(theirs[0]), "a step raises what they own"


def test_symmetries_mirror_half_of_the_samples() -> None:
    game = ConnectFourArrays({"rows": "6", "cols": "7"})
    position = game.openings(jax.random.key(3), 2)
    moves = jnp.tile(jnp.arange(7.0), (2, 1))
    batch = replay.Samples(position, moves, moves, jnp.zeros((2, 3)), jnp.zeros(2))
    turned = replay.transformed(game, batch, jnp.asarray([0, 1]))
    assert turned.policy.tolist() == [list(range(7)), list(range(6, -1, -1))]
    seen = np.asarray(game.observe(position, game.read(position)))
    again = np.asarray(game.observe(turned.position, game.read(turned.position)))
    np.testing.assert_array_equal(again, np.stack([seen[0], seen[1, ::-1]]))


def test_a_checkpoint_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("run") / "network.npz"
    fresh = learner.fresh(jax.random.key(5), SIZE, 10)
    checkpoint.save(path, fresh, {"size": str(SIZE)})
    again = checkpoint.load(path, learner.fresh(jax.random.key(6), SIZE, 10))
    assert checkpoint.about(path) == {"size": "b2c8"}
    assert jax.tree.all(jax.tree.map(lambda a, b: bool((a == b).all()), fresh, again))
    with pytest.raises(ValueError, match="was the size changed"):
        checkpoint.load(path, learner.fresh(jax.random.key(6), Size(2, 16), 10))
