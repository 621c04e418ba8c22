"""Training end to end, on tiny boards with tiny networks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from honte.nets import checkpoint, train
from honte.nets.sizes import Size

TINY = (
    "--size b2c8 --students b1c8 --games 16 --steps 8 --lookahead 2 --simulations 2 --batch 32"
    " --ring 4 --warm 1 --match-games 4 --match-simulations 1 --seconds 100000 --segments 4"
)


@pytest.mark.long
@pytest.mark.parametrize("game", ["connect4:rows=4,cols=5", "go:size=5"])
def test_training_goes_on_where_it_stopped(game: str, tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    assert train.main([game, *TINY.split(), "--out", str(first)]) == 0
    done = checkpoint.about(first / "network-b2c8.npz")["done"]
    assert done["segments"] == 4
    assert done["positions"] == 4 * 16 * 8
    assert train.main([game, *TINY.split(), "--resume", str(first), "--out", str(second)]) == 0
    about = checkpoint.about(second / "network-b1c8.npz")
    assert about["done"]["segments"] == 8
    assert about["game"] == game.partition(":")[0]
    with np.load(first / "network-b1c8.npz") as old, np.load(second / "network-b1c8.npz") as new:
        assert old["steps"] < new["steps"]
        assert not (old["weights/stem.w"] == new["weights/stem.w"]).all()
    lines = [json.loads(line) for line in (second / "log.jsonl").read_text().splitlines()]
    assert [line["event"] for line in lines][-2:] == ["match", "ended"]
    (first_report, *_) = (line for line in lines if line["event"] == "train")
    assert 0 < first_report["busy"] <= 1
    assert first_report["cores"] > 0


@pytest.mark.parametrize(
    ("game", "size"),
    [("connect4", "b8c64"), ("connect4", "b4c32"), ("go", "b6c64"), ("go", "b4c32")],
)
def test_the_checkpoints_of_the_studies_can_be_trained_on(game: str, size: str) -> None:
    import jax

    from honte.nets import games, learner

    arrays = games.find(game)
    like = jax.eval_shape(
        lambda key: learner.fresh(key, Size.parse(size), arrays.planes, arrays.heads),
        jax.random.key(0),
    )
    studies = Path(__file__).parents[2] / "studies" / "nets"
    loaded = checkpoint.load(studies / game / f"network-{size}.npz", like)
    assert float(loaded.steps) > 1000
