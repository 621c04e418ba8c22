"""A training run as the page gets it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from honte.web import training
from honte.web.training import look
from tests.cli.command import honte
from tests.web.live import LiveServer, until


def generation(number: int, **more: Any) -> str:
    row = {
        "event": "generation", "generation": number, "seconds": 30.0 * number,
        "games": 400 * number, "positions": 6000 * number, **more,
    }  # fmt: skip
    return json.dumps(row) + "\n"


LEARNED = {"policy_loss": 1.2, "value_loss": 0.8, "policy_agreement": 0.25, "elo": 10.0}


def write_run(folder: Path, generations: int) -> Path:
    folder.mkdir()
    (folder / "run.json").write_text('{"game": "connect4", "size": "b2c16", "simulations": 100}')
    log = generation(0, right=0.37) + "".join(
        generation(number, right=0.4 + number / 1000, **LEARNED) for number in range(1, generations)
    )
    (folder / "log.jsonl").write_text(log + '{"event": "gener')  # a line being written
    return folder


def test_a_curve_has_the_points_that_are_known(tmp_path: Path) -> None:
    seen = look(write_run(tmp_path / "net", 3))
    assert seen["name"] == "net"
    assert seen["options"] == {"game": "connect4", "size": "b2c16", "simulations": 100}
    assert seen["curves"]["right"] == [[0.0, 0.37], [30.0, 0.401], [60.0, 0.402]]
    assert seen["curves"]["elo"] == [[30.0, 10.0], [60.0, 10.0]]
    assert seen["curves"]["right_searched"] == []
    assert [row["generation"] for row in seen["rows"]] == [0, 1, 2]
    assert seen["rows"][0]["policy_loss"] is None


def test_a_long_run_is_thinned_and_keeps_its_ends(tmp_path: Path) -> None:
    seen = look(write_run(tmp_path / "net", 2000))
    points = seen["curves"]["right"]
    assert len(points) == training.MOST_POINTS
    assert (points[0][0], points[-1][0]) == (0.0, 30.0 * 1999)
    assert len(seen["rows"]) == training.MOST_ROWS
    assert seen["generations"] == 2000


def test_a_run_is_followed_from_its_first_second(tmp_path: Path) -> None:
    folder = tmp_path / "net"
    folder.mkdir()
    (folder / "run.json").write_text("{}")
    assert look(folder)["rows"] == []
    (folder / "log.jsonl").write_text(generation(0))
    assert len(look(folder)["rows"]) == 1


def test_the_server_tells_of_the_run_it_was_given(tmp_path: Path) -> None:
    server = LiveServer(training=write_run(tmp_path / "net", 2))
    try:
        with server.connect() as client:
            assert client.ask("hello")["training"] is True
            assert client.ask("training")["generations"] == 2
            for wrong in (b"no JSON\n", b"\xff\xff\n", b"[1]\n", b'{"seconds": 1}\n'):
                (tmp_path / "net" / "log.jsonl").write_bytes(wrong)
                until(lambda: client.ask("training").get("error") == training.UNREADABLE)
                (tmp_path / "net" / "log.jsonl").write_text(generation(0))
                until(lambda: "rows" in client.ask("training"))
        assert server.fetch("/training")[0] == 200
    finally:
        server.close()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--training", "tests"], "tests holds no training run"),
        (["--training", "a", "--store", "b"], "give one of --store, --training and --class"),
    ],
)
def test_what_makes_no_sense_is_one_sentence(words: list[str], error: str) -> None:
    done = honte("serve", *words, "--no-browser")
    assert (done.code, done.errors) == (2, f"honte: {error}\n")
