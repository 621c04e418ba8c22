"""Golden playthroughs: recorded games replay identically."""

from __future__ import annotations

from pathlib import Path

import pytest

from honte.core import games as registry
from tests.golden.make import FOLDER, PLAYTHROUGHS, Playthrough, path_of, read_moves, write_down

GAMES = registry.names()
FILES = sorted(FOLDER.glob("*.txt"))
MEND = "wrong? mend it; meant? run `python -m tests.golden.make` and say why in the commit"


def spec_of(path: Path) -> str:
    return path.read_text(encoding="utf-8").splitlines()[0].split()[1]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_game_is_played_again_as_it_was_written_down(path: Path) -> None:
    golden = path.read_text(encoding="utf-8")
    again = write_down(spec_of(path), read_moves(golden))
    for now, then in zip(again.splitlines(), golden.splitlines(), strict=True):
        assert now == then, MEND


@pytest.mark.parametrize("name", GAMES)
def test_every_registered_game_has_a_playthrough(name: str) -> None:
    found = [path.name for path in FILES if spec_of(path).partition(":")[0] == name]
    assert found, f"no golden playthrough of {name}; add one to PLAYTHROUGHS in make.py"


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda playthrough: playthrough.spec)
def test_every_playthrough_that_is_listed_has_its_file(playthrough: Playthrough) -> None:
    assert path_of(playthrough.spec) in FILES, "run `python -m tests.golden.make`"


def test_no_file_is_left_over() -> None:
    assert sorted(path_of(playthrough.spec) for playthrough in PLAYTHROUGHS) == FILES
    assert all(path_of(spec_of(path)) == path for path in FILES)


def test_the_playthroughs_meet_what_is_rare() -> None:
    """A golden file proves more, the more rules its game exercises."""
    text = {path.stem: path.read_text(encoding="utf-8") for path in FILES}
    assert all("\nover, " in game for game in text.values())
    assert "won by nobody" in text["connect4"]
    assert " pass " in text["othello"]
    assert text["othello-size-4"].splitlines()[-3].count("-") > 1  # empty squares in the end
    for name in ("go", "go-size-5-ko-simple-suicide-yes", "go-size-4-ko-situational-komi-0"):
        assert " ko=" in text[name]
