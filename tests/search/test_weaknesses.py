"""The positions of docs/connect4-weaknesses.md: one good move each, and `best` finds it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import honte
from honte.search.solver import solver_of

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "connect4-weaknesses.md").read_text()
POSITIONS = re.findall(
    r"## (.+)\n\n!\[.*\]\((.+)\)\n\n`(connect4:.+)`\s`(.+)`\n\n"
    r"[XO] to move; the good move is \*\*(\w)",
    PAGE,
)


def test_the_page_has_its_positions() -> None:
    assert len(POSITIONS) == PAGE.count("\n## ") == 9


@pytest.mark.parametrize(
    ("picture", "spec", "text"), [found[1:4] for found in POSITIONS], ids=lambda word: word[:20]
)
def test_the_picture_is_of_the_position(picture: str, spec: str, text: str) -> None:
    state = honte.game(spec).from_text(text)
    assert (DOCS / picture).read_text() == state.svg()  # type: ignore[attr-defined]


@pytest.mark.parametrize(("spec", "text", "good"), [found[2:] for found in POSITIONS])
def test_every_other_move_is_worse(spec: str, text: str, good: str) -> None:
    game = honte.game(spec)
    state = game.from_text(text)
    best, *others = solver_of(game, memory_mb=64).solve(state, all_moves=True).moves
    assert game.format(best.move) == good
    assert all(other.high < best.low for other in others)


@pytest.mark.parametrize(("title", "_", "spec", "text", "good"), POSITIONS)
def test_best_finds_the_good_move(title: str, _: str, spec: str, text: str, good: str) -> None:
    game = honte.game(spec)
    state = game.from_text(text)
    # Half a second, and more only where a busy machine took it away.
    chosen = []
    for seconds in (0.5, 2, 8):
        report = honte.player("best", game).choose(state, honte.Limit(seconds=seconds))
        chosen.append(game.format(report.move))
        if chosen[-1] == good:
            return
    pytest.fail(f"{title}: {chosen} instead of {good}\n{state}")
