"""Tables and pictures: readable, whatever the players are called."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import pytest

from honte.arena import plot
from honte.arena.game import Played
from honte.arena.report import duration, match_table, short, tournament_table
from honte.arena.schedule import Plan, round_robin
from honte.arena.statistics import summary
from honte.arena.tournament import Tournament
from tests.arena.test_statistics import standing_of


def table_of(players: list[str]) -> Tournament:
    table = Tournament(players)
    for task in round_robin(Plan("connect4"), players, 1):
        table.add(Played(task, (task.seed,), 1, 1.0, "played out"))
    table.stopped = "all games played"
    return table


def test_the_columns_of_a_table_line_up() -> None:
    players = ["a", "b" * 60, "c:x=1"]
    lines = tournament_table(table_of(players).summary()).splitlines()
    assert len({line.index("W-D-L") for line in lines if "W-D-L" in line}) == 1
    assert all(len(line) < 120 for line in lines)
    cross = lines[5:9]
    assert len({len(line) for line in cross}) == 1


def test_control_characters_of_a_name_do_not_reach_the_terminal() -> None:
    assert short("a\x1b[31mb\n") == "a?[31mb?"
    assert "\x1b" not in tournament_table(table_of(["a\x1b[2J", "b"]).summary())


def test_a_match_in_words() -> None:
    standing = standing_of([1, 1, 0, -1])
    standing.stopped = "all games played"
    text = match_table("a", "b", summary(standing))
    assert "a  against  b: 4 games, 4 different" in text
    assert "+2 =1 -1" in text
    assert "stopped: all games played" in text


@pytest.mark.parametrize(
    ("seconds", "words"), [(0.2, "0 s"), (99, "99 s"), (150, "2 min 30 s"), (3000, "50 min")]
)
def test_time_left_in_words(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_a_picture_without_matplotlib_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(name: str) -> object:
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return import_module(name)

    monkeypatch.setattr(plot, "import_module", missing)
    with pytest.raises(ValueError, match=r"pip install honte\[plots\]"):
        plot.check(tmp_path / "out.png")


def test_a_cell_of_nobody_is_no_number() -> None:
    assert plot.share({"wins": 1, "draws": 1, "losses": 0}) == 0.75
    assert str(plot.share({"wins": 0, "draws": 0, "losses": 0})) == str(plot.share(None)) == "nan"
    assert plot.plain("a$b") == r"a\$b"
