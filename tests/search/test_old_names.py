"""Settings that got a better name: the old ones still work, and say so once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

import honte
from honte.core import notice
from honte.core.spec import Options, experimental, removed, renamed, whole
from honte.players.level import is_measured_with, levels_of, measured
from honte.search.uct_settings import OPTIONS, support_of

COURSE = "connect4:rows=9,cols=9,blocked=4/4"


@pytest.fixture(autouse=True)
def told_anew() -> Iterator[None]:
    notice.forget()
    yield
    notice.forget()


def think(game: str, spec: str) -> honte.Report:
    rules = honte.game(game)
    state = rules.start()
    for _ in range(3):
        state = state.play(state.legal_moves()[-2])
    return replace(honte.player(f"{spec},iterations=800,seed=7", rules).choose(state), seconds=0)


@pytest.mark.parametrize(
    ("game", "old", "new"),
    [
        ("go:size=7", "uct:foreseen=30", "uct:rave_prior=30"),
        (COURSE, "uct:policy=learned,caution=0.2", "uct:policy=learned,fpu_reduction=0.2"),
        ("go:size=7", "uct:widen=3", "uct:progressive_widening=3"),
        (COURSE, "uct:attack=2", "uct:threat_depth=2"),
        (COURSE, "best:attack=3", "best:threat_depth=3"),
        (COURSE, "uct:playout=win+keep", "uct:playout=win+keep_threats"),
        (COURSE, "uct:playout=near+block", "uct:playout=local+block"),
    ],
)
def test_an_old_name_means_the_new_one(
    game: str, old: str, new: str, capsys: pytest.CaptureFixture[str]
) -> None:
    expected = think(game, new)
    assert capsys.readouterr().err == ""
    assert think(game, old) == expected, "to the last visit"
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("honte: ")
    assert "is now called" in line
    think(game, old)
    assert capsys.readouterr().err == "", "once per process is enough"


def test_the_notice_names_both(capsys: pytest.CaptureFixture[str]) -> None:
    honte.player("uct:attack=4", honte.game("connect4"))
    assert capsys.readouterr().err == "honte: uct: `attack` is now called `threat_depth`\n"


def test_a_removed_setting_is_ignored(capsys: pytest.CaptureFixture[str]) -> None:
    assert think("othello", "uct:length=0.2") == think("othello", "uct:c=0.8")
    assert capsys.readouterr().err == "honte: uct: `length` does nothing any more; leave it out\n"


def test_both_names_at_once_are_refused() -> None:
    with pytest.raises(ValueError, match="uct: attack and threat_depth are one option"):
        honte.player("uct:attack=4,threat_depth=2", honte.game("connect4"))


def test_an_old_name_is_checked_like_the_new_one() -> None:
    with pytest.raises(ValueError, match="uct: threat_depth='41' is not a whole number"):
        honte.player("uct:attack=41", honte.game("connect4"))


@pytest.mark.parametrize("name", ["connect4", "othello", "go"])
def test_the_tables_of_levels_were_measured_with_todays_engines(name: str) -> None:
    game = honte.game(name)
    words = measured(game)["engine"]
    assert is_measured_with(words, levels_of(game))
    known = {option.name for option in OPTIONS.shown(experimental=True)} | {"opinion"}
    assert {word.partition("=")[0] for word in words.split()} <= known


def test_help_shows_what_has_earned_its_place() -> None:
    options = Options(
        whole("depth", 1, 1, 9), experimental(whole("prune", 0, 0, 9)), removed("length")
    )
    assert [option.name for option in options.shown()] == ["depth"]
    assert [option.name for option in options.shown(experimental=True)] == ["depth", "prune"]
    hidden = {o.name for o in OPTIONS if o.experimental}
    assert hidden == {"prune", "prune_value", "progressive_widening"}
    assert support_of(honte.game("go")).experimental_playouts == ("fill",)


def test_every_option_says_what_it_does_in_a_line() -> None:
    for option in OPTIONS.shown(experimental=True):
        assert 10 < len(option.help) < 90, option.name


def test_options_can_be_composed(capsys: pytest.CaptureFixture[str]) -> None:
    inner = Options(renamed(whole("deep", 1, 1, 9), "depth"), removed("length"))
    outer = Options(*inner, whole("more", 2, 1, 9))
    assert outer.read("me", {"depth": 3, "length": "x"}) == {"deep": 3, "more": 2}
    assert len(capsys.readouterr().err.splitlines()) == 2
