"""Searches when the interpreter ends or the process forks, and positions of other games."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

import honte

SEARCHES = [
    ("connect4", "uct"),
    ("connect4", "best"),
    ("connect4", "minimax"),
    ("connect4:rows=8,cols=8", "alphabeta"),
    ("othello", "best"),
    ("othello", "solver"),
    ("othello", "uct:threads=2"),
    ("go:size=9", "uct"),
]

THINKING = """
import os, signal, sys, threading, time
import honte
game = honte.game(sys.argv[1])
player = honte.player(sys.argv[2], game)
begun = threading.Event()
request = honte.Request(
    game.start(), limit=honte.Limit(seconds=30), every=0.01, on_progress=lambda _: begun.set()
)
threading.Thread(target=player.choose, args=(request,), daemon=True).start()
begun.wait(1)  # a search may report nothing, and then it has begun all the same
"""

FORKING = (
    THINKING
    + """
child = os.fork()
if child == 0:
    signal.alarm(60)  # a child that hangs is killed
    try:
        player.choose(game.start(), iterations=10)
    except RuntimeError as error:
        print(error, flush=True)
    new = honte.player("uct", game)
    print(game.format(new.choose(game.start(), iterations=100).move), flush=True)
    del player
    sys.exit(7)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
request.cancel.cancel()
"""
)


@pytest.mark.parametrize(("game", "player"), SEARCHES)
def test_the_interpreter_may_end_during_a_search(game: str, player: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", THINKING, game, player], capture_output=True, text=True, timeout=100
    )
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize(
    ("game", "player"),
    [("connect4", "uct"), ("go:size=9", "uct:threads=2"), ("connect4:rows=9,cols=9", "alphabeta")],
)
def test_a_fork_during_a_search_is_noticed(game: str, player: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", FORKING, game, player], capture_output=True, text=True, timeout=100
    )
    complaint, move, code = run.stdout.splitlines()
    assert "make a new player after the fork" in complaint
    assert move
    assert code == "7"
    assert run.returncode == 0


@pytest.mark.parametrize("name", ["uct", "best", "minimax", "random", "level:5", "solver"])
@pytest.mark.parametrize("other", ["go:size=9", "othello", "connect4:rows=5,cols=5"])
def test_a_position_of_another_game_is_refused(name: str, other: str) -> None:
    game = honte.game("connect4")
    player = honte.player(name, game)
    position = honte.game(other).start()
    complaint = f"made for connect4, and the position is of {position.game.spec}"
    with pytest.raises(ValueError, match=re.escape(complaint)):
        player.choose(position, seconds=0.01)
    with pytest.raises(ValueError, match="made for connect4"):
        list(player.analyse(honte.Request(position, limit=honte.Limit(seconds=0.01))))
