"""Browsing a game in the full-screen terminal: steps, variations, remarks."""

from __future__ import annotations

from typing import Any

import pytest

import honte
from honte.core.record import Record
from honte.terminal.session import PERSON, Session

pytest.importorskip("textual")

from honte.terminal.tui import BoardApp
from tests.terminal.piloted import QUICK, app_of, play_there, run, until


def reviewed(moves: str = "f5d6c3d3c4") -> BoardApp:
    game = honte.game("othello")
    record = Record("othello", ("[b]Ann", "Bob"), moves=game.read_moves(moves))
    return BoardApp(Session.of_record(record), QUICK, analysis_limit=honte.Limit(iterations=200))


def test_a_game_is_stepped_through() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        assert app.session.place == 0
        await pilot.press("right", "right", "left")
        assert app.session.place == 1
        await pilot.press("end")
        assert app.session.place == 5
        await pilot.press("right")
        assert app.session.place == 5
        await pilot.press("home")
        assert app.session.place == 0
        assert "[b]Ann" in str(app.side_panel.content), "names are text, never markup"

    run(reviewed(), play)


def test_a_variation_is_tried_and_the_game_comes_back() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        record = list(app.session.moves)
        await pilot.press("right", "enter")
        assert app.session.moves == record
        assert "under review" in app.message
        await pilot.press("w")
        await play_there(pilot, app, app.session.game.parse("f4"), mouse=False)
        assert app.session.off_record
        await pilot.press("b")
        assert app.session.moves == record
        assert app.session.place == 1
        assert app.reviewing

    run(reviewed(), play)


def test_the_engine_remarks_on_a_game_and_one_jumps_from_mistake_to_mistake() -> None:
    game = honte.game("connect4")
    record = Record(game.spec, moves=game.read_moves("1515177"))  # 7 does not block, 7 lets off
    app = BoardApp(Session.of_record(record), QUICK, review_limit=honte.Limit(iterations=2000))

    async def play(pilot: Any, app: BoardApp) -> None:
        await pilot.press("full_stop")
        assert "v looks for them" in app.message
        await pilot.press("v")
        await until(pilot, lambda: len(app.remarks) == 7 and app.annotator is None)
        marked = [number for number, remark in app.remarks.items() if remark.mark]
        await pilot.press("full_stop")
        assert app.session.place == marked[0]
        await pilot.press("end", "comma")
        assert app.session.place == marked[-2] == 6
        assert "A blunder (win → loss): 1 is better" in str(app.status_bar.content)
        assert "7??" in str(app.side_panel.content)

    run(app, play)


def test_the_user_s_game_is_reviewed_when_it_is_over() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        await pilot.press("v")
        assert app.session.record is None, "the game is still on"
        await pilot.press("4", "v")
        assert app.session.record is not None
        assert app.session.length == app.session.place == 7
        await pilot.press("v", "left")
        assert app.annotator is None
        assert app.session.place == 6

    two = (PERSON, PERSON)
    run(app_of("connect4", "414141", two, review_limit=honte.Limit(iterations=50)), play)


def test_v_stops_a_review_and_its_search() -> None:
    game = honte.game("connect4:rows=9,cols=9")
    record = Record(game.spec, moves=game.read_moves("5151599"))
    app = BoardApp(Session.of_record(record), QUICK, review_limit=honte.Limit(seconds=600))

    async def play(pilot: Any, app: BoardApp) -> None:
        await pilot.press("v")
        first = app.annotator
        assert first is not None
        await pilot.press("v")
        assert app.annotator is None
        await until(pilot, lambda: not first.is_running)
        await pilot.pause()
        assert not app.remarks, "a move searched for an instant gets no remark"
        assert app.message == "", "stopping is not an error"
        app.review_limit = honte.Limit(iterations=200)
        await pilot.press("v")
        await until(pilot, lambda: len(app.remarks) == 7 and app.annotator is None)
        assert app.last_annotator is not first, "a new review starts over"

    run(app, play)


@pytest.mark.long
def test_leaving_the_board_ends_a_review() -> None:
    game = honte.game("connect4:rows=9,cols=9")
    record = Record(game.spec, moves=game.read_moves("5151599"))
    app = BoardApp(Session.of_record(record), QUICK, review_limit=honte.Limit(seconds=600))

    async def play(pilot: Any, app: BoardApp) -> None:
        await pilot.press("v", "q")

    run(app, play)
    assert app.last_annotator is not None
    assert not app.last_annotator.is_running


@pytest.mark.long
def test_a_review_of_go_tells_the_lead_and_the_points_lost() -> None:
    game = honte.game("go:size=9")
    moves = [game.parse(word) for word in ["C7", "D7", "F2", "G2", "G3", "B9"]]
    session = Session.of_record(Record(game.spec, moves=moves))
    app = BoardApp(session, QUICK, review_limit=honte.Limit(iterations=300))

    async def play(pilot: Any, app: BoardApp) -> None:
        await pilot.press("v")
        await until(pilot, lambda: len(app.remarks) == 6 and app.annotator is None)
        await pilot.press("end")
        assert "A blunder (≈ −" in str(app.status_bar.content)
        assert " points, −" in str(app.status_bar.content)
        assert "Black leads by about " in str(app.side_panel.content)

    run(app, play)


def test_a_game_that_goes_on_from_a_position_set_up_says_so() -> None:
    from honte.games.go import sgf

    (record,) = sgf.loads("(;GM[1]SZ[5];B[cc];W[bb];AW[aa];B[dd])")

    async def play(pilot: Any, app: BoardApp) -> None:
        assert "Pieces are set up after move 2" in str(app.status_bar.content)
        assert app.session.length == 2

    run(BoardApp(Session.of_record(record), QUICK), play)
