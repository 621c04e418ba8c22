"""Searches where games hardly ever lead them: set-up positions, threads with small stacks."""

from __future__ import annotations

import subprocess
import sys

import pytest

import honte
from honte.core.request import Request
from honte.games.othello.patterns import Patterns
from honte.search import Uct

WIDEST = "-----X---OO-OXO--OX-XXX--XO--OO--OXO--O--OX-XX---O-OXOO----X---- X"
"""35 moves; no position known from a game has more than 33."""
SMALL_STACKS = """
import ctypes
import honte
from honte.search.solver import solver_of

libc = ctypes.CDLL("libc.so.6")
attributes = ctypes.create_string_buffer(64)
libc.pthread_attr_init(attributes)
libc.pthread_attr_setstacksize(attributes, ctypes.c_size_t(512 << 10))  # as on macOS
assert libc.pthread_setattr_default_np(attributes) == 0
game = honte.game("connect4:rows=16,cols=16")
print(solver_of(game, memory_mb=16).solve(game.start(), seconds=0.2).low)
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_an_othello_position_with_more_moves_than_any_game_has(threads: int) -> None:
    game = honte.game("othello")
    state = game.from_text(WIDEST)
    assert len(state.legal_moves()) == 35
    report = Patterns(game, threads=threads, memory_mb=8).search(state, honte.Limit(depth=7))
    assert sorted(one.move for one in report.candidates) == list(state.legal_moves())


def test_a_finished_othello_game_is_refused() -> None:
    game = honte.game("othello")
    engine = Patterns(game, memory_mb=2, book="no")
    with pytest.raises(ValueError, match="no disc to place"):
        engine.run(Request(game.from_text("X" * 64 + " X"), limit=honte.Limit(depth=3)))


@pytest.mark.skipif(sys.platform != "linux", reason="sets the stack size by glibc")
def test_the_solver_needs_no_more_stack_than_threads_of_macos_have() -> None:
    run = subprocess.run(
        [sys.executable, "-c", SMALL_STACKS], capture_output=True, text=True, check=False
    )
    assert (run.returncode, run.stdout) == (0, "-128\n"), run.stderr


def test_positions_with_other_superko_points_are_no_transpositions() -> None:
    game = honte.game("go:size=5,komi=0.5")
    player = honte.player(
        "uct:transpositions=yes,seed=1,selection=ucb1,playout=uniform,solver=no,policy=no,"
        "rave=no,priors=0,c=0.8,iterations=20000",
        game,
    )
    state = game.from_text(".XO../XO.O./.XO../...../..... X")
    for moves in ((), (16, 13), (7,)):
        for move in moves:
            state = state.play(move)
        report = player.choose(state)
        assert report.move in state.legal_moves()
        assert report.pv[0] == report.move


def test_a_position_of_another_board_is_refused() -> None:
    search = Uct(honte.game("connect4"), net="learned")
    search.search(honte.game("connect4").start(), honte.Limit(iterations=10))
    with pytest.raises(ValueError, match="was made for connect4, and the position is of"):
        search.search(honte.game("connect4:rows=16,cols=16").start(), honte.Limit(iterations=10))
