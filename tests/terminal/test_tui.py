"""The full-screen terminal board, played by Textual's pilot: keys, clicks, analysis."""

from __future__ import annotations

import time
from typing import Any

import pytest

import honte
from honte.core.report import Candidate, Report
from honte.terminal.engine_thread import Answer, EngineThread, Job
from honte.terminal.session import PERSON, Session
from tests import loops
from tests.pictures import after

pytest.importorskip("textual")


from honte.terminal.tui import BoardApp
from tests.terminal.piloted import app_of, play_there, run, settled, until


@pytest.mark.parametrize(
    ("spec", "mouse"),
    [
        ("connect4:rows=4,cols=4,blocked=1/1", True),
        pytest.param("othello:size=4", False, marks=pytest.mark.long),
        ("go:size=2", True),
    ],
)
def test_a_game_is_played_to_its_end(spec: str, mouse: bool) -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        while not app.session.is_over:
            moves = app.session.state.legal_moves()
            before = app.session.length
            await play_there(pilot, app, moves[-1] if before > 6 else moves[0], mouse)
            assert app.session.length > before
            await settled(pilot, app)

    app = run(app_of(spec), play)
    assert app.session.state.is_over
    assert app.session.states[-1] == after(
        spec, " ".join(map(app.session.game.format, app.session.moves))
    )


def test_digits_play_in_columns_and_the_machine_answers() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        await pilot.press("4")
        await settled(pilot, app)

    app = run(app_of("connect4"), play)
    assert app.session.moves[0] == 3
    assert app.session.length == 2


def test_the_machine_begins_when_the_person_is_second() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        assert app.session.length == 1

    run(app_of("othello", players=("uct:seed=1", PERSON)), play)


def test_a_machine_plays_a_machine_and_space_stops_it() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        await until(pilot, lambda: app.session.is_over)

    players = ("uct:seed=1", "random:seed=1")
    app = run(app_of("connect4:rows=4,cols=4", players=players), play)
    assert app.session.state.is_over

    async def stop(pilot: Any, app: BoardApp) -> None:
        await pilot.press("space")
        await pilot.pause(0.1)
        length = app.session.length
        await pilot.pause(0.2)
        assert app.paused
        assert app.session.length == length
        await pilot.press("space")
        await until(pilot, lambda: app.session.is_over)

    slow = app_of("connect4:rows=4,cols=4", players=players, limit=honte.Limit(seconds=0.05))

    async def main() -> None:
        async with slow.run_test(size=(80, 24)) as pilot:
            await pilot.pause(0.1)
            await stop(pilot, slow)

    loops.run(main())


def test_undo_takes_back_the_answer_too_and_redo_brings_both_again() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        await pilot.press("4")
        await settled(pilot, app)
        played = list(app.session.moves)
        await pilot.press("u")
        assert app.session.place == 0
        await pilot.press("u")
        assert "no move of yours" in app.message
        await pilot.press("r")
        assert app.session.place == 2
        assert app.session.moves == played
        await pilot.press("u", "5")
        await settled(pilot, app)
        assert app.session.moves[0] == 4

    run(app_of("connect4"), play)


def test_an_illegal_move_gets_a_sentence() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        await pilot.press("1")
        assert app.message == "Column 1 is full on move 7; choose one of 2 3 4 5 6 7"
        assert app.session.length == 6
        await pilot.press("p")
        assert app.message == "Passing is not a move here"

    run(app_of("connect4", "111111"), play)


def test_resigning_ends_the_game_and_can_be_taken_back() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        await pilot.press("R")
        assert app.session.winner == 1
        assert "Red resigned; Yellow wins" in str(app.status_bar.content)
        await pilot.press("4")
        assert app.session.length == 0
        await pilot.press("u")
        assert not app.session.is_over

    run(app_of("connect4"), play)


def test_a_side_without_a_move_passes_by_itself() -> None:
    """The earliest pass of Othello: after c2 and a3 Black has no move."""
    moves = "c4c3f5b4a4a5c2"
    app = app_of("othello", moves, players=(PERSON, PERSON))

    async def play(pilot: Any, app: BoardApp) -> None:
        await play_there(pilot, app, app.session.game.parse("a3"), mouse=False)
        await until(pilot, lambda: app.session.length == 9)
        assert "a pass" in app.message

    run(app, play)


# -- thinking --------------------------------------------------------------------------


def test_analysis_shows_candidates_and_hides_them_without_losing_them() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        assert "%" not in app.view.drawn()
        await pilot.press("a")
        await settled(pilot, app)
        assert "%" in app.view.drawn()
        assert "visits" in str(app.side_panel.content)
        await pilot.press("a")
        assert "%" not in app.view.drawn()
        assert app.session.state in app.reports

    run(app_of("othello:size=6"), play)


def test_a_bound_is_not_drawn_as_a_chance() -> None:
    bound = Candidate(3, value=0.5, kind="bound", bounds=(-21, 0))

    async def play(pilot: Any, app: BoardApp) -> None:
        app.analysis = True
        app.reports[app.session.state] = Report(3, value=0.5, candidates=[bound], nodes=100)
        app.show()
        assert "≤0" in str(app.side_panel.content)
        assert "%" not in str(app.side_panel.content)

    run(app_of("connect4"), play)


def test_a_move_from_the_book_has_its_value_on_the_graph() -> None:
    limit = honte.Limit(seconds=60)

    async def play(pilot: Any, app: BoardApp) -> None:
        assert app.reports[app.session.states[0]].source == "book"
        assert 0 in app.values

    run(app_of("othello", players=("best", PERSON), limit=limit), play)


@pytest.mark.long
def test_the_screen_is_alive_while_the_machine_thinks_and_leaving_ends_its_search() -> None:
    app = app_of("go:size=9", limit=honte.Limit(seconds=1000))

    async def main() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("enter")
            await until(pilot, lambda: app.session.state in app.reports)
            assert app.engine_thread.job is not None
            assert "%" in app.view.drawn(), "the candidates of the machine are shown live"
            before = app.cursor
            await pilot.press("up")
            assert app.cursor != before

    loops.run(main())  # the limit of every test is shorter than the machine's 1000 s


def test_the_machine_can_be_told_to_move_now() -> None:
    app = app_of("connect4", limit=honte.Limit(seconds=1000))

    async def main() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press("4")
            await until(pilot, lambda: app.session.state in app.reports)
            await pilot.press("m")
            await until(pilot, lambda: app.session.length == 2)

    loops.run(main())


class Broken(honte.Player):
    spec = "broken"

    def think(self, request: honte.Request) -> honte.Report:
        raise RuntimeError("no ideas")


class Listening(honte.Player):
    """Plays in the first column, and notes the moves that it is told."""

    spec = "listening"

    def __init__(self) -> None:
        self.histories: list[tuple[int, ...] | None] = []

    def think(self, request: honte.Request) -> honte.Report:
        self.histories.append(request.history)
        return honte.Report(0)


def test_a_bot_is_told_the_moves_after_an_undo_too() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        player = app.engines["listening"] = Listening()
        for key in ("4", "u", "5"):
            await pilot.press(key)
            await settled(pilot, app)
        assert player.histories == [(3,), (4,)]
        state = app.session.game.start().play(6)
        assert Session(app.session.game, states=[state]).history is None

    run(app_of("connect4", players=(PERSON, "listening")), play)


def test_a_player_that_fails_is_told_and_does_not_take_the_screen_down() -> None:
    async def play(pilot: Any, app: BoardApp) -> None:
        app.engines["broken"] = Broken()
        await pilot.press("4")
        await until(pilot, lambda: "no ideas" in app.message)
        assert app.paused

    run(app_of("connect4", players=(PERSON, "broken")), play)


def test_a_new_question_takes_the_place_of_the_one_before() -> None:
    told: list[Answer] = []
    game = honte.game("connect4")
    engine_thread = EngineThread(told.append)
    player = honte.player("uct:seed=1", game)
    for _ in range(20):
        engine_thread.think(Job(player, game.start(), honte.Limit(seconds=100), "analysis"))
    last = Job(player, game.start().play(3), honte.Limit(iterations=10), "move")
    engine_thread.think(last)
    deadline = time.monotonic() + 30
    while not any(thought.final for thought in told):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    engine_thread.close()
    assert [thought.job for thought in told if thought.final] == [last]
