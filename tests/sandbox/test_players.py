"""Bots as players: whole games over every protocol, names, and real engines where there are any."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import honte
from honte.core.fault import Fault
from honte.core.language import Message
from honte.protocols import history
from honte.sandbox.names import bots
from honte.sandbox.player import BotPlayer
from honte.sandbox.programs import PROTOCOLS, find_program
from tests.bots.hosting import HOSTILE, available, bot, play
from tests.slowness import slowness

ROOT = Path(__file__).parents[2]
BOTS = ROOT / "tests" / "bots"
FUNCTIONS, FRIENDLY = BOTS / "functions.py", BOTS / "friendly.py"
LIMIT = honte.Limit(seconds=5)


def make(spec: str, game: honte.Game, **settings: object) -> BotPlayer:
    player = honte.player(spec, game, **settings)
    assert isinstance(player, BotPlayer)
    return player


def play_out(player: BotPlayer, opening: str = "", seed: int = 1, side: int = 0) -> honte.State:
    """A whole game against random moves."""
    game: honte.Game = player.protocol.game
    state, draw = game.start(), random.Random(seed)
    player.new_game()
    for move in game.read_moves(opening):
        state = state.play(move)
    plies = 0
    while not state.is_over and plies < 200:
        ours = state.to_move == side
        move = player.choose(state, LIMIT).move if ours else draw.choice(state.legal_moves())
        state = state.play(move)
        plies += 1
    return state


def test_an_interpreter_by_a_relative_path_is_found_by_a_confined_bot(tmp_path: Path) -> None:
    available("untrusted")
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    (there / "bots.toml").write_text(f'[bots.mine]\nspec = "py:{FUNCTIONS}:first"\n')
    python = os.path.relpath(sys.executable, here)
    done = subprocess.run(
        [python, "-m", "honte", "best", "othello", "--player", "mine"],
        cwd=here,
        env=os.environ | {"HONTE_SANDBOX": "untrusted", "HONTE_BOTS": str(there / "bots.toml")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("level", ["trusted", "careful", "untrusted"])
@pytest.mark.parametrize("game", ["connect4:course,seed=2", "othello", "go:size=4"])
def test_a_python_function_plays_any_game(game: str, level: str) -> None:
    available(level)
    player = make(f"py:{FUNCTIONS}:first", honte.game(game), sandbox=level)
    for side in (0, 1):
        play_out(player, side=side)
    player.close()


@pytest.mark.parametrize(
    ("function", "reason", "words"),
    [
        ("raises", "crash", "it raised KeyError: 'no such opening'"),
        ("illegal", "illegal", "12345"),
        ("words", "illegal", "it returned a str"),
        ("ends", "crash", "exit status 5"),
        ("sleeps", "time", "no answer in time"),
        ("missing", "start", "there is no function missing"),
    ],
)
def test_a_function_that_fails_loses_with_the_reason(
    function: str, reason: str, words: str
) -> None:
    game = honte.game("othello")
    player = make(f"py:{FUNCTIONS}:{function}", game, margin=0.1)
    seconds = 0.3 if reason == "time" else 20
    with pytest.raises(Fault) as caught:
        player.choose(game.start(), honte.Limit(seconds=seconds))
    assert caught.value.reason == reason
    assert words in caught.value.detail
    assert isinstance(caught.value.detail, Message), "or it would be English in every language"


def test_a_function_gets_the_limit() -> None:
    game = honte.game("go")
    player = make(f"py:{FUNCTIONS}:limited", game)
    assert player.choose(game.start(), honte.Limit(seconds=0.5)).move == 81
    player.close()


@pytest.mark.parametrize("spec", [f"kaggle:{FUNCTIONS}", f"kaggle:{FUNCTIONS}:agent"])
def test_a_kaggle_agent_plays(spec: str) -> None:
    player = make(spec, honte.game("connect4"))
    for side in (0, 1):
        play_out(player, side=side)
    player.close()


@pytest.mark.parametrize("form", ["cold", "keep"])
def test_a_botzone_bot_plays_with_a_process_a_move_or_one_that_stays(form: str) -> None:
    game = honte.game("connect4:rows=5,cols=5,blocked=2/2")
    player = make(f"botzone:{FRIENDLY} {form}", game, read=str(ROOT / "src"))
    for side in (0, 1):
        play_out(player, side=side, opening="11")
        assert (player._process is None) == (form == "cold")
    player.close()


WITH_DATA = """
turn = int(input())
for _ in range(2 * turn - 1): input()
assert input() == (f"turn {turn - 1}" if turn > 1 else "")
print(turn, 1)
print(f"turn {turn}")
"""


KEEPS_RUNNING = """
import sys, time
for turn in range(1, 4):
    for _ in range(2 if turn == 1 else 1):
        input()
    if turn == 1:
        input()
    sys.stdout.write(f"{turn} 1\\n>>>BOTZONE_REQUEST_KEEP_RUNNING<<<")
    sys.stdout.flush()
    time.sleep(0.05)
    sys.stdout.write("\\n")
    sys.stdout.flush()
"""


def test_a_botzone_bot_may_write_the_end_of_its_last_line_later(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(KEEPS_RUNNING)
    game = honte.game("go:size=5")
    player = make(f"botzone_simple:{bot}", game)
    state = game.start()
    for turn in range(1, 4):
        move = player.choose(state, LIMIT).move
        assert game.format(move) == f"{'ABC'[turn - 1]}1"
        state = state.play(move).play(game.parse(f"{'ABC'[turn - 1]}5"))
    player.close()


def test_a_botzone_bot_without_json_gets_its_data_back(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(WITH_DATA)
    game = honte.game("go:size=5")
    player = make(f"botzone_simple:{bot}", game)
    state = game.start()
    for turn in range(1, 4):
        move = player.choose(state, LIMIT).move
        assert game.format(move) == f"{'ABC'[turn - 1]}1"
        state = state.play(move)
        state = state.play(game.parse(f"{'ABC'[turn - 1]}5"))
    player.close()


def test_an_nboard_engine_plays() -> None:
    player = make(f"nboard:{FRIENDLY} nboard", honte.game("othello"), read=str(ROOT))
    play_out(player, opening="f5d6c3")
    player.close()


@pytest.mark.skipif(find_program("gnugo", ".") is None, reason="gnugo is not installed")
@pytest.mark.parametrize("level", ["trusted", "untrusted"])
@pytest.mark.parametrize("game", ["go:size=5", "go:size=9,handicap=2"])
def test_gnu_go_plays(game: str, level: str) -> None:
    available(level)
    player = make("gtp:gnugo --mode gtp --level 0", honte.game(game), sandbox=level)
    state = honte.game(game).start()
    for move in state.legal_moves()[7:8]:
        state = state.play(move)
    for _ in range(4):
        state = state.play(player.choose(state, LIMIT).move)
        state = state.play(state.legal_moves()[0])
    assert player.version.startswith("GNU Go")
    player.close()


@pytest.mark.skipif(find_program("gtp-rhino", ".") is None, reason="grhino is not installed")
def test_grhino_plays_whole_games_with_openings_and_passes() -> None:
    player = make("gtp:gtp-rhino", honte.game("othello"))
    for seed in range(2):
        play_out(player, opening="f5d6c3d3c4", seed=seed, side=seed)
    player.close()


def test_a_fault_ends_the_process_and_the_next_game_has_a_new_one() -> None:
    game = honte.game("othello")
    player = make(f"py:{FUNCTIONS}:raises", game)
    for _ in range(2):
        player.new_game()
        with pytest.raises(Fault, match=r"^crash: it raised KeyError") as caught:
            player.choose(game.start())
        assert b"Traceback" in caught.value.stderr
        assert player._process is None


@pytest.mark.timing
def test_asking_a_bot_costs_less_than_a_millisecond() -> None:
    """In our CPU time, which is most of the 0.3 ms it takes on an idle machine."""
    player = bot("honest")
    play(player, 20, seconds=5)
    state = player.protocol.game.start()
    player.new_game()
    seconds = []
    while not state.is_over:
        started = time.process_time()
        state = state.play(player.choose(state, LIMIT).move)
        seconds.append(time.process_time() - started)
    player.close()
    assert sorted(seconds)[len(seconds) // 2] < 0.001


STARTS = """
import json, os, resource, socket, statistics, sys
from honte.sandbox import levels, warden

command = levels.Command(("/bin/true",), "/", sys.argv[1])
config = json.loads(levels.launch_config(command))
seconds = []
for _ in range(21):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    control, theirs = socket.socketpair()
    if (pid := os.fork()) == 0:
        try:
            warden.watch(config, [os.open(os.devnull, os.O_RDWR) for _ in range(3)], theirs)
        finally:
            os._exit(0)
    theirs.close()
    os.waitpid(pid, 0)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds.append(sum(after[:2]) - sum(before[:2]))
    with control, control.makefile() as said:
        assert [line.split()[:2] for line in said][-1] == ["ended", "exit"]
print(statistics.median(seconds))
"""


@pytest.mark.timing
@pytest.mark.parametrize("level", ["trusted", "careful", "untrusted"])
def test_a_bot_starts_and_ends_within_25_milliseconds(level: str) -> None:
    """In CPU time of its warden, its sandbox and itself; the median of 21.

    Measured in a process as small as the fork server, as the size of the forked process counts.
    """
    available(level)
    run = subprocess.run(
        [sys.executable, "-c", STARTS, level], capture_output=True, text=True, check=True
    )
    assert float(run.stdout) < 0.025 * slowness()


# -- specs and names -------------------------------------------------------------------


def test_the_rest_of_a_spec_is_a_command_line() -> None:
    game = honte.game("connect4")
    spec = f"saiblo:{HOSTILE} honest a=1,a=2 'two words'"
    player = make(spec, game)
    assert player.spec == spec
    assert player.command.argv[-2:] == ("a=1,a=2", "two words")


def test_a_program_is_found_in_its_folder_or_on_the_path(tmp_path: Path) -> None:
    for name, mode in (("bot", 0o755), ("notes", 0o644)):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(mode)
    assert find_program("./bot", str(tmp_path)) == str(tmp_path / "bot")
    assert find_program(str(tmp_path / "bot"), "/") == str(tmp_path / "bot")
    assert find_program("./notes", str(tmp_path)) is None, "it cannot be run"
    assert find_program("bot", str(tmp_path)) is None, "a bare name is looked up on the PATH"
    assert Path(find_program("sh", str(tmp_path)) or "").name == "sh"


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_protocol_makes_a_player_of_a_command(name: str) -> None:
    protocol = PROTOCOLS[name]
    command = f"{FUNCTIONS}:first" if name == "py" else str(FUNCTIONS)
    game = honte.game(protocol.default_game or "connect4")
    player = make(f"{name}: {command} ", game, memory_mb=64)
    assert isinstance(player.protocol, protocol)
    assert player.spec == f"{name}:{command}"
    assert str(FUNCTIONS) in player.command.argv
    assert player.command.memory_mb == 64


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("gtp:", "gtp: name a program, like gtp:./bot"),
        ("gtp:no-such-program", "gtp: there is no program 'no-such-program'"),
        ("gtp:./nothing", "there is no program './nothing'"),
        ("gtp:sh -c 'open", "a quotation mark is open"),
        ("gtp:nothing.py", "gtp: there is no file 'nothing.py'"),
        ("py:nothing.py", "is not file.py:function"),
        ("py:nothing.py:f", "there is no file 'nothing.py'"),
        ("py:\0:f", "there is no file"),
        ("gtp:a\0b", "there is no program"),
        ("nboard:sh", "nboard: bots play othello with us, not go"),
        ("gtp:" + "x" * 5000, "characters; 4,096 is the most"),
    ],
)
def test_a_wrong_spec_is_said_in_words(spec: str, words: str) -> None:
    with pytest.raises(ValueError, match=re.escape(words)):
        honte.player(spec, honte.game("go"))


def test_bots_have_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(FUNCTIONS, tmp_path / "bot.py")
    (tmp_path / "bots.toml").write_text(
        '[bots.mine]\nspec = "py:bot.py:first"\nmargin = 0.5\n'
        '[bots."our-engine"]\nspec = "uct:iterations=10"\n'
        '[bots.circle]\nspec = "circle"\n'
    )
    game = honte.game("othello")
    with pytest.raises(ValueError, match=r"^there is no player 'mine'; there are random, "):
        honte.player("mine", game)
    monkeypatch.setenv("HONTE_BOTS", str(tmp_path / "bots.toml"))
    player = make("mine", game)
    assert (player.spec, player.margin) == ("py:bot.py:first", 0.5)
    assert player.choose(game.start(), LIMIT).move == 19
    player.close()
    assert honte.player("our-engine", game).spec == "uct:iterations=10"
    with pytest.raises(ValueError, match="'circle' stands for 'circle', which is not a player"):
        honte.player("circle", game)
    monkeypatch.delenv("HONTE_BOTS")
    monkeypatch.chdir(tmp_path)
    assert list(bots()) == ["mine", "our-engine", "circle"]
    assert make("mine", game).spec == "py:bot.py:first"


@pytest.mark.parametrize("text", ["bots = 3", "[bots]\nmine = 3", "[bots.mine]", "[", "\udcff"])
def test_a_broken_list_of_bots_is_said_in_words(tmp_path: Path, text: str) -> None:
    file = tmp_path / "bots.toml"
    file.write_text(text, errors="surrogateescape")
    with pytest.raises(ValueError, match=r"bots\.toml"):
        bots(file)
    with pytest.raises(ValueError, match="cannot be read"):
        bots(tmp_path / "nothing.toml")


# -- histories -------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["connect4:rows=9,cols=10,blocked=4/4", "go:size=7", "othello"])
@pytest.mark.parametrize("seed", range(5))
def test_some_moves_lead_to_a_position(game: str, seed: int) -> None:
    state, draw = honte.game(game).start(), random.Random(seed)
    for _ in range(6 if game == "othello" else 20):
        after = state.play(draw.choice(state.legal_moves()))
        state = state if after.is_over else after
    found = history.find(state)
    assert found is not None
    position = state.game.start()
    for move in found:
        position = position.play(move)
    assert position.to_text().split()[:2] == state.to_text().split()[:2]


def test_a_bot_can_be_told_the_moves() -> None:
    game = honte.game("othello")
    moves = game.read_moves("f5d6c3d3c4f4f6f3e6e7f7")
    state = game.start()
    for move in moves:
        state = state.play(move)
    player = make(f"nboard:{FRIENDLY} nboard", game, read=str(ROOT))
    with pytest.raises(ValueError, match=r"give them as the request's history$"):
        player.choose(state, LIMIT)
    told = honte.Request(state, history=tuple(moves), limit=LIMIT)
    assert player.choose(told).move in state.legal_moves()
    player.close()


def test_a_cancelled_bot_is_killed_and_the_next_request_has_a_new_one() -> None:
    game = honte.game("othello")
    player = make(f"py:{FUNCTIONS}:sleeps", game)
    token = honte.CancelToken()
    timer = threading.Timer(0.5, token.cancel)
    timer.start()
    with pytest.raises(Fault, match=r"^time: cancelled before it answered$"):
        player.choose(honte.Request(game.start(), limit=honte.Limit(seconds=600), cancel=token))
    timer.join()
    assert player._process is None
    with pytest.raises(Fault, match="cancelled"):  # a cancellation is never lost
        player.choose(honte.Request(game.start(), limit=LIMIT, cancel=token))
