"""PettingZoo's and Gymnasium's own conformance tests pass, and the environments play our games."""

from __future__ import annotations

import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import honte
from honte.adapters import gymnasium, pettingzoo

SPECS = ("connect4", "connect4:rows=5,cols=8,blocked=2/1", "othello:size=6", "go:size=5")


@pytest.mark.parametrize("spec", SPECS)
def test_pettingzoo_finds_nothing_wrong(spec: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # As in PettingZoo's own board games, an observation is a dictionary with the mask in it.
        warnings.filterwarnings("ignore", "Observation (is not a NumPy array|space for each agent)")
        api_test(pettingzoo.env(spec), num_cycles=60)
    seed_test(lambda: pettingzoo.env(spec), num_cycles=20)


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("opponent", ["random", "level:20"])
def test_gymnasium_finds_nothing_wrong(spec: str, opponent: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.env(spec, opponent=opponent), skip_render_check=True)


def test_a_game_of_pettingzoo_is_a_game_of_ours() -> None:
    env = pettingzoo.env("connect4", render_mode="ansi")
    env.reset(seed=1)
    for move in (3, 4, 3, 4, 3, 4):
        seen, reward, over, _, _ = env.last()
        assert (reward, over) == (0, False)
        np.testing.assert_array_equal(seen["observation"], env.unwrapped.position.planes())
        assert seen["action_mask"].tolist() == [1] * 7
        assert not env.observe("player_0" if env.agent_selection == "player_1" else "player_1")[
            "action_mask"
        ].any()
        env.step(move)
    env.step(3)
    assert "X wins" in env.render()
    assert env.rewards == {"player_0": 1, "player_1": -1}
    assert env.terminations == {"player_0": True, "player_1": True}


def test_an_illegal_action_loses() -> None:
    env = pettingzoo.env("othello")
    env.reset()
    env.step(0)
    assert env.rewards == {"player_0": -1, "player_1": 0}
    assert all(env.terminations.values())

    single = gymnasium.env("othello", side=0)
    single.reset(seed=1)
    seen, reward, terminated, truncated, info = single.step(0)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal"].startswith("a1 turns no disc for Black; choose one of d3")
    assert not seen["action_mask"].any()


def play(env: Any, seed: int) -> tuple[list[int], float]:
    """A game of the first legal actions: the position's cells in the end, and the reward."""
    seen, _ = env.reset(seed=seed)
    over, reward = False, 0.0
    while not over:
        seen, reward, over, _, _ = env.step(int(np.argmax(seen["action_mask"])))
    return list(env.unwrapped.position.cells()), reward


def test_a_seed_decides_the_side_and_the_opponent() -> None:
    env = gymnasium.env("connect4")
    games = [play(env, seed) for seed in range(8)]
    assert [play(env, seed) for seed in range(8)] == games
    assert len({tuple(cells) for cells, _ in games}) == 8
    assert {env.reset(seed=seed) and env.side for seed in range(8)} == {0, 1}
    env.close()


def test_the_reward_is_the_agents() -> None:
    for side in (0, 1):
        env = gymnasium.env("connect4:rows=4,cols=4", opponent="solver", side=side)
        for _ in range(2):
            _, reward = play(env, 1)
            winner = env.position.winner
            assert reward == (0 if winner is None else 1 if winner == side else -1)
        env.close()


def test_a_player_that_was_made_before() -> None:
    game = honte.game("connect4")
    env = gymnasium.env(game, opponent=honte.player("random:seed=1", game), side=1)
    env.reset()
    assert env.position.to_move == 1
    assert env.render() is None


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: gymnasium.env("connect4", side=2), "side is 0, 1, or None"),
        (lambda: gymnasium.env("connect4", opponent="nobody"), "there is no player 'nobody'"),
        (lambda: gymnasium.env("connect4:course"), "connect4:course draws a board"),
        (lambda: pettingzoo.env("chess"), "there is no game 'chess'"),
    ],
)
def test_bad_input_is_one_sentence(call: Any, words: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        call()
    assert str(raised.value).startswith(words)


@pytest.mark.parametrize(
    ("adapter", "module", "words"),
    [
        ("pettingzoo", "pettingzoo", "PettingZoo; install it with `pip install 'honte[rl]'`"),
        ("gymnasium", "gymnasium", "Gymnasium; install it with `pip install 'honte[rl]'`"),
        ("openspiel", "pyspiel", "OpenSpiel; install it with `pip install 'honte[openspiel]'`"),
    ],
)
def test_a_missing_library_is_named(adapter: str, module: str, words: str) -> None:
    program = f"import sys; sys.modules['{module}'] = None; from honte.adapters import {adapter}"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert run.stderr.strip().endswith(f"ModuleNotFoundError: this adapter needs {words}")
    assert run.stderr.count("Traceback") == 1
