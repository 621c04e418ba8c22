"""Real opponents: `best` against GNU Go and against Rhino, as people type it."""

from __future__ import annotations

import json

import pytest

from honte.sandbox.programs import find_program
from tests.cli.command import honte

GNU_GO = "gtp:gnugo --mode gtp --level 1 --chinese-rules --positional-superko --capture-all-dead"


def match(opponent: str, game: str, *more: str) -> dict[str, object]:
    words = ["match", "best", opponent, "--game", game, "--games", "2", "--iterations", "200"]
    run = honte(*words, "--margin", "30", "--json", *more, timeout=400)
    assert run.code == 0, run.errors
    found: dict[str, object] = json.loads(run.output)
    return found


@pytest.mark.long
@pytest.mark.skipif(find_program("gnugo", ".") is None, reason="gnugo is not installed")
def test_best_plays_gnu_go_at_nine() -> None:
    found = match(GNU_GO, "go:size=9", "--max-plies", "160")
    assert found["games"] == 2
    assert found["faults"] == {"a": {}, "b": {}}
    times = found["times"]
    assert isinstance(times, dict)
    assert times[GNU_GO]["moves"] > 20


@pytest.mark.skipif(find_program("gtp-rhino", ".") is None, reason="gtp-rhino is not installed")
def test_best_plays_rhino_at_othello() -> None:
    found = match("gtp:gtp-rhino", "othello")
    assert found["games"] == 2
    assert found["faults"] == {"a": {}, "b": {}}
    assert found["reasons"]
