"""The full-screen terminal: the board at every size, colours, help, the command."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from honte.terminal.session import PERSON

pytest.importorskip("textual")

from textual.pilot import Pilot
from textual.widgets import Button, Input, Select

from honte.terminal.dialogs import NewGameDialog, TextDialog
from honte.terminal.tui import BoardApp
from tests.terminal.piloted import app_of, run, settled, until


def in_sight(app: BoardApp, cell: tuple[int, int]) -> bool:
    x, y = app.view.place_of(cell)
    return app.board_pane.region.contains(app.view.region.x + x, app.view.region.y + y)


@pytest.mark.parametrize(
    ("spec", "corners"),
    [
        ("go:size=19", [(0, 0), (18, 18)]),
        pytest.param("connect4:rows=16,cols=16", [(0, 0), (15, 15)], marks=pytest.mark.long),
        ("othello", [(0, 0), (7, 7)]),
    ],
)
def test_every_board_fits_on_80_by_24(spec: str, corners: list[tuple[int, int]]) -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        await pilot.resize_terminal(80, 24)
        for cell in corners:
            await until(pilot, lambda cell=cell: in_sight(app, cell))  # type: ignore[misc]
        await until(pilot, lambda: app.board_pane.max_scroll_x == app.board_pane.max_scroll_y == 0)

    run(app_of(spec), play, size=(120, 40))


def test_the_board_grows_with_the_terminal_and_scrolls_on_a_tiny_one() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        small = app.view.size.height
        await pilot.resize_terminal(160, 50)
        await until(pilot, lambda: app.view.size.height > small)
        await pilot.resize_terminal(20, 8)
        await until(pilot, lambda: app.board_pane.max_scroll_x > 0 < app.board_pane.max_scroll_y)
        await pilot.press(*["down"] * 8, *["right"] * 8)
        await until(pilot, lambda: in_sight(app, (8, 8)))

    run(app_of("go:size=9"), play)


def test_the_last_move_is_marked_and_players_differ_without_colours() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        drawn = app.view.drawn()
        assert "O(O)" in drawn
        assert "X X" in drawn

    run(app_of("connect4:rows=16,cols=16", "8899"), play)


def test_no_color_means_no_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def play(pilot: Any, app: BoardApp) -> None:
        assert not app.view.color
        assert "▗▀▀▖" in app.view.drawn(), "the second player's discs are rings"
        assert "▗██▖" in app.view.drawn()

    run(app_of("othello"), play)


def test_help_is_a_page_that_any_key_closes() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        await pilot.press("question_mark")
        assert isinstance(app.screen, TextDialog)
        await pilot.press("x")
        assert not isinstance(app.screen, TextDialog)

    run(app_of("connect4"), play)


def test_a_new_game_is_asked_for() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        await pilot.press("n")
        await pilot.pause()
        dialog = app.screen
        assert isinstance(dialog, NewGameDialog)

        def complaint() -> str:
            return str(dialog.query_one("#wrong").render())

        dialog.query_one("#spec", Input).value = "othello:size=5"
        await pilot.click("#play")
        await until(pilot, lambda: "size" in complaint())
        dialog.query_one("#spec", Input).value = "othello:size=6"
        dialog.query_one("#level", Input).value = "101"
        dialog.query_one("#play", Button).press()  # the sentence may have moved it meanwhile
        await until(pilot, lambda: "1 to 100" in complaint())
        dialog.query_one("#level", Input).value = "3"
        dialog.query_one("#seconds", Input).value = "0.05"
        dialog.query_one("#side", Select).value = "second"
        dialog.query_one("#play", Button).press()
        await until(pilot, lambda: app.session.length == 1)
        assert app.session.game.spec == "othello:size=6"
        assert app.session.players[1] == PERSON

    run(app_of("connect4"), play)


def test_the_command_opens_a_file_and_words_its_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from honte.cli import main

    opened: list[BoardApp] = []
    monkeypatch.setattr(BoardApp, "run", lambda self: opened.append(self))

    def command(*words: str) -> int:
        monkeypatch.setattr("sys.argv", ["honte", "tui", *words])
        with pytest.raises(SystemExit) as leaving:
            main.run()
        return int(str(leaving.value.code or 0))

    game = tmp_path / "game.txt"
    game.write_text("f5d6c3\n")
    assert command("othello", "--review", str(game)) == 0
    assert opened[-1].session.length == 3
    assert command("connect4", "--second", "--player", "random") == 0
    assert opened[-1].session.players == ("random", PERSON)
    assert command("connect4", "--player", "random", "--against", "uct") == 0
    assert opened[-1].session.players == ("uct", "random")
    for app in opened:
        app.engine_thread.close()
    for words in (("chess",), ("othello", "--player", "nobody"), ("--store", "x.db")):
        assert command(*words) == 2
        assert capsys.readouterr().err.startswith("honte: ")


def test_a_game_of_a_file_is_played() -> None:
    async def play(pilot: Pilot[None], app: BoardApp) -> None:
        await pilot.press("enter")
        await settled(pilot, app)

    app = run(app_of("examples/gomoku.py:Gomoku:size=5", players=(PERSON, "random:seed=1")), play)
    assert app.session.length == 2
