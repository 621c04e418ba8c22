"""`honte learn` and `honte book`: options by game, and files that never land in the package."""

from __future__ import annotations

from pathlib import Path

import pytest

import honte
from honte.cli.builder import build
from tests.cli.command import honte as command


@pytest.mark.parametrize(
    ("words", "flag"),
    [
        (("learn", "othello"), "--regularization"),
        (("learn", "go"), "--players"),
        (("book", "go"), "--corners"),
        (("book",), "--lines"),
    ],
)
def test_help_lists_the_options_of_the_game(words: tuple[str, ...], flag: str) -> None:
    assert flag in command(*words, "--help").output


def test_an_option_may_stand_before_the_game() -> None:
    done = command("learn", "--data", "nowhere", "othello")
    assert "there is no folder nowhere" in done.errors


def test_an_option_of_another_game_is_refused() -> None:
    assert "--corners" in command("book", "othello", "--corners", "3").errors


def test_a_value_is_checked_by_the_option() -> None:
    done = command("book", "othello", "--depth", "31")
    assert done.code == 2
    assert "depth='31' is not a whole number from 1 to 30" in done.errors


@pytest.mark.parametrize(
    ("action", "spec"), [("learn", "go:size=13"), ("book", "connect4:rows=5,cols=5")]
)
def test_a_board_that_would_not_be_built_is_refused(action: str, spec: str) -> None:
    with pytest.raises(ValueError, match=f"builds the one file .* not {spec}"):
        build(action, spec, None, {})
    name = spec.partition(":")[0]
    with pytest.raises(ValueError, match=r"no games to learn from|there is no folder nowhere"):
        build(action, f"{name}:", Path("nowhere", "file"), {})


def test_a_game_without_a_builder_says_who_has_one() -> None:
    done = command("book", "examples/gomoku.py:Gomoku")
    assert done.code == 2
    assert "no `honte book`; those that have are connect4, othello, go" in done.errors


def test_a_book_goes_to_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = honte.game("othello").descriptor.data
    assert data is not None
    installed = (data / "openings.book").read_bytes()
    monkeypatch.chdir(tmp_path)
    build("book", "othello", None, {"positions": "3", "depth": "1"})
    assert (tmp_path / "openings.book").is_file()
    assert "install it:  cp openings.book" in capsys.readouterr().out
    assert (data / "openings.book").read_bytes() == installed


@pytest.mark.parametrize("game", ["othello", "go"])
def test_caution_is_now_regularization(game: str) -> None:
    assert "--caution" not in command("learn", game, "--help").output
    done = command("learn", game, "--caution", "3", "--data", "nowhere")
    assert f"honte: learn {game}: `caution` is now called `regularization`\n" in done.errors
    assert "there is no" in done.errors
    done = command("learn", game, "--caution", "3", "--regularization", "3", "--data", "nowhere")
    assert "caution and regularization are one option" in done.errors
