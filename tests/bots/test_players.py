"""Bots as players: whole games over every protocol, names, and real engines where there are any."""

from __future__ import annotations

import random
import re
import shutil
import time
from pathlib import Path

import pytest

import honte
from honte.bots import history, queueing
from honte.bots.faults import Fault
from honte.bots.names import bots
from honte.bots.player import BotPlayer
from honte.bots.programs import find_program
from tests.bots.arena import HOSTILE, available, bot, play

HERE = Path(__file__).parent
FUNCTIONS, FRIENDLY = HERE / "functions.py", HERE / "friendly.py"
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
    with pytest.raises(Fault) as caught:
        player.choose(game.start(), honte.Limit(seconds=0.3))
    assert caught.value.reason == reason
    assert words in caught.value.detail


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
    player = make(f"botzone:{FRIENDLY} {form}", game, read=str(HERE.parents[1] / "src"))
    for side in (0, 1):
        play_out(player, side=side, opening="11")
        assert (player._process is None) == (form == "cold")
    player.close()


def test_an_nboard_engine_plays() -> None:
    player = make(f"nboard:{FRIENDLY} nboard", honte.game("othello"), read=str(HERE.parents[1]))
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


def test_asking_a_bot_takes_less_than_a_millisecond() -> None:
    """The figure is 0.3 ms on an idle machine; a busy one gets some more."""
    player = bot("honest")
    play(player, 20, seconds=5)
    state = player.protocol.game.start()
    player.new_game()
    seconds = []
    while not state.is_over:
        started = time.perf_counter()
        state = state.play(player.choose(state, LIMIT).move)
        seconds.append(time.perf_counter() - started)
    player.close()
    assert sorted(seconds)[len(seconds) // 2] < 0.003


# -- specs and names -------------------------------------------------------------------


def test_the_rest_of_a_spec_is_a_command_line() -> None:
    game = honte.game("connect4")
    spec = f"saiblo:{HOSTILE} honest a=1,a=2 'two words'"
    player = make(spec, game)
    assert player.spec == spec
    assert player.command.argv[-2:] == ("a=1,a=2", "two words")


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("gtp:", "gtp: name a program, like gtp:./bot"),
        ("gtp:no-such-program", "gtp: there is no program 'no-such-program'"),
        ("gtp:./nothing", "there is no program './nothing'"),
        ("gtp:sh -c 'open", "a quotation mark is open"),
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
    with pytest.raises(ValueError, match="'circle' stands for 'circle', which is no player"):
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
    player = make(f"nboard:{FRIENDLY} nboard", game, read=str(HERE.parents[1]))
    with pytest.raises(ValueError, match=r"give them with player\.tell\(moves\)$"):
        player.choose(state, LIMIT)
    player.tell(moves)
    assert player.choose(state, LIMIT).move in state.legal_moves()
    player.close()


def test_time_without_a_core_is_forgiven_up_to_a_limit_and_sleep_is_not() -> None:
    assert queueing.forgiven((1.0, 2.0), (1.25, 2.5)) == pytest.approx(0.75)
    assert queueing.forgiven((0.0, 0.0), (9.0, 9.0)) == queueing.MOST
    assert queueing.forgiven((1.0, 5.0), (1.0, 0.0)) == 0.0, "a process that is gone counts nothing"
    assert queueing.run_delay(0) == 0.0
    game = honte.game("othello")
    player = make(f"py:{FUNCTIONS}:sleeps", game, margin=0.1)
    began = time.monotonic()
    with pytest.raises(Fault, match=r"^time"):
        player.choose(game.start(), honte.Limit(seconds=0.3))
    assert time.monotonic() - began < 10
