"""The board on a whole terminal, played by Textual's pilot: keys, clicks, thoughts, review."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

import honte
from honte.core.record import Record
from honte.core.report import Candidate, Report
from honte.terminal.engine_thread import Answer, EngineThread, Job
from honte.terminal.session import PERSON, Session, must_pass
from tests import loops
from tests.pictures import after

pytest.importorskip("textual")

from textual.pilot import Pilot
from textual.widgets import Button, Input, Select

from honte.terminal.dialogs import NewGameDialog, TextDialog
from honte.terminal.tui import BoardApp

QUICK = honte.Limit(iterations=30)
Play = Callable[[Any, BoardApp], Awaitable[None]]


def app_of(
    spec: str,
    moves: str = "",
    players: tuple[str, str] = (PERSON, "uct:seed=1"),
    limit: honte.Limit = QUICK,
    **options: Any,
) -> BoardApp:
    session = Session(honte.game(spec), players)
    for move in session.game.read_moves(moves):
        session.play(move)
    return BoardApp(session, limit, analysis_limit=honte.Limit(iterations=200), **options)


def run(app: BoardApp, play: Play, size: tuple[int, int] = (80, 24)) -> BoardApp:
    """Run the app without a terminal, and let somebody play."""

    async def main() -> None:
        async with app.run_test(size=size) as pilot:
            await settled(pilot, app)
            await play(pilot, app)

    loops.run(main())
    return app


async def until(pilot: Pilot[None], true: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something is true; however slow the machine, not for ever."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline, "waited too long"
        await pilot.pause(0.01)


async def settled(pilot: Pilot[None], app: BoardApp) -> None:
    """Wait until a person is to move, or the game is over, and nobody is thinking."""
    session = app.session

    def still() -> bool:
        mine = session.is_over or app.reviewing or session.mover == PERSON or app.paused
        return (
            mine
            and app.engine_thread.job is None
            and not (not session.is_over and not app.reviewing and must_pass(session.state))
        )

    await pilot.pause()
    await until(pilot, still)
    await pilot.pause()


async def play_there(pilot: Pilot[None], app: BoardApp, move: int, mouse: bool) -> None:
    """Make a move with the mouse, or with the arrows and Enter."""
    from honte.drawing.text import cell_of

    cell = cell_of(app.session.state, app.view.board.cols, move)
    if cell is None:
        await pilot.press("p")
        return
    if mouse:
        await pilot.click(app.view, offset=app.view.place_of(cell))
        return
    assert app.cursor is not None
    down, right = cell[0] - app.cursor[0], cell[1] - app.cursor[1]
    if app.view.board.shape == "columns":
        down = 0
    await pilot.press(*["down" if down > 0 else "up"] * abs(down))
    await pilot.press(*["right" if right > 0 else "left"] * abs(right))
    await pilot.press("enter")


@pytest.mark.parametrize("mouse", [True, False], ids=["mouse", "keys"])
@pytest.mark.parametrize(
    "spec", ["connect4:rows=4,cols=4,blocked=1/1", "othello:size=4", "go:size=2"]
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


# -- the screen ------------------------------------------------------------------------


def in_sight(app: BoardApp, cell: tuple[int, int]) -> bool:
    x, y = app.view.place_of(cell)
    return app.board_pane.region.contains(app.view.region.x + x, app.view.region.y + y)


@pytest.mark.parametrize(
    ("spec", "corners"),
    [
        ("go:size=19", [(0, 0), (18, 18)]),
        ("connect4:rows=16,cols=16", [(0, 0), (15, 15)]),
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


# -- review ----------------------------------------------------------------------------


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
        assert "A blunder: 1 is better" in str(app.status_bar.content)
        assert "7??" in str(app.side_panel.content)

    run(app, play)


def test_a_game_of_one_s_own_is_reviewed_when_it_is_over() -> None:
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


def test_leaving_the_board_ends_a_review() -> None:
    game = honte.game("connect4:rows=9,cols=9")
    record = Record(game.spec, moves=game.read_moves("5151599"))
    app = BoardApp(Session.of_record(record), QUICK, review_limit=honte.Limit(seconds=600))

    async def play(pilot: Any, app: BoardApp) -> None:
        await pilot.press("v", "q")

    run(app, play)
    assert app.last_annotator is not None
    assert not app.last_annotator.is_running


# -- the command -----------------------------------------------------------------------


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
