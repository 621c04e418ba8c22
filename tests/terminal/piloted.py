"""Run the terminal app headless, and play on it with Textual's pilot."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

import honte
from honte.terminal.session import PERSON, Session, must_pass
from tests import loops

pytest.importorskip("textual")

from textual.pilot import Pilot

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
    """Wait until something is true; on a slow machine too, but not forever."""
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
