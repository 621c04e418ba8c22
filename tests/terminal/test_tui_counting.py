"""The end of a game of Go by agreement, in the terminal."""

from __future__ import annotations

from typing import Any

import pytest

import honte
from honte.terminal.counting import Counting
from honte.terminal.session import PERSON, Session
from tests.pictures import SETTLED, rows
from tests.terminal.piloted import QUICK, run, until

pytest.importorskip("textual")

from honte.terminal.tui import BoardApp

TWO = (PERSON, PERSON)


def app_at_the_end(players: tuple[str, str] = TWO) -> BoardApp:
    game = honte.game("go:size=9")
    start = game.from_text("/".join(rows(SETTLED)) + " X")
    return BoardApp(Session(game, players, states=[start]), QUICK)


async def passed(pilot: Any, app: BoardApp, passes: int = 2) -> None:
    for _ in range(passes):
        await pilot.press("p")
    await until(pilot, lambda: app.counted is not None)
    await pilot.pause()


def status(app: BoardApp) -> str:
    return str(app.status_bar.content)


def test_dead_stones_are_marked_and_every_part_of_the_count_is_listed() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        await passed(pilot, app)
        assert app.counted is not None
        assert list(map(app.session.game.format, app.counted.dead)) == ["E7", "F7"]
        assert app.view.drawn().count("><") == 2
        panel = [line.split() for line in str(app.side_panel.content).splitlines()]
        assert ["Stones", "17", "14"] in panel
        assert ["Territory", "23", "27"] in panel
        assert ["Komi", "0", "7.5"] in panel
        assert ["Total", "40", "48.5"] in panel
        assert panel.index(["Prisoners", "2", "0"]) == panel.index(["Total", "40", "48.5"]) + 1
        assert status(app).startswith("White wins by 8.5 points, proposed")

    run(app_at_the_end(), play)


def test_a_group_is_corrected_and_the_result_agreed_on() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        await passed(pilot, app)
        app.cursor = (2, 4)  # E7
        await pilot.press("enter")
        assert status(app).startswith("White wins by 33.5 points")
        assert app.view.drawn().count("><") == 0
        app.cursor = (0, 0)
        await pilot.press("enter")
        assert "no stone on that point" in status(app)
        app.cursor = (5, 1)  # White's chain below
        await pilot.press("enter")
        assert status(app).startswith("Black wins by ")
        await pilot.press("y")
        assert status(app).endswith(" points, as agreed")
        assert app.session.winner == 0
        await pilot.press("enter")
        assert "is agreed" in status(app)
        assert app.session.winner == 0

    run(app_at_the_end(), play)


def test_who_disagrees_plays_on() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        await passed(pilot, app)
        await pilot.press("y", "u")
        assert app.counting is None
        assert app.session.agreed is None
        assert not app.session.is_over
        assert not any(mark in app.view.drawn() for mark in ("><", "▪"))
        await pilot.press("p")
        await until(pilot, lambda: app.counted is not None)

    run(app_at_the_end(), play)


def test_the_engine_answers_a_pass_when_nothing_is_left() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        await passed(pilot, app, 1)
        assert app.session.length == 2
        assert app.session.state.is_over
        await pilot.press("u")
        assert app.session.place == 0

    run(app_at_the_end((PERSON, "best")), play)


def test_territory_is_told_apart_without_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def play(pilot: Any, app: BoardApp) -> None:
        await passed(pilot, app)
        assert app.view.drawn().count("▪") == 21  # and the two dead stones
        assert app.view.drawn().count("▫") == 27

    run(app_at_the_end(), play)


def test_the_wait_for_a_count_is_told_in_the_chosen_language(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    app = app_at_the_end()
    counting = Counting(app.session.states, lambda counting: None)
    counting.close()
    counting.count = None
    monkeypatch.setattr("honte.terminal.game_app.tr", lambda text, **values: f"<{text}>")
    assert app._count_words(counting).startswith("<Both passed; ")


def test_a_game_without_dead_pieces_is_not_counted() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        assert app.session.is_over
        assert app.counting is None

    session = Session(honte.game("connect4"), TWO)
    for move in session.game.read_moves("4141414"):
        session.play(move)
    run(BoardApp(session, QUICK), play)
