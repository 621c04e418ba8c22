"""Games in lockstep equal the same games played one by one."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import honte
from honte.games.batch import Batch
from tests.contract.nim import Nim

SPECS = (
    "connect4", "connect4:rows=5,cols=8,blocked=2/1+0/6", "connect4:rows=12,cols=12,blocked=5/6",
    "connect4:rows=4,cols=4,inarow=3", "connect4:course,seed=3", "othello", "othello:size=6",
    "othello:size=4", "go:size=2,ko=simple,suicide=yes,komi=0", "go:size=3,ko=situational",
    "go:size=5,komi=6", "go:size=7,handicap=2",
)  # fmt: skip


def check(games: Batch, states: list[Any]) -> None:
    """Everything that the batch says about its games is what single states say."""
    np.testing.assert_array_equal(games.to_move, [state.to_move for state in states])
    np.testing.assert_array_equal(games.legal_mask(), [state.legal_mask() for state in states])
    np.testing.assert_array_equal(games.planes(), [state.planes() for state in states])


@pytest.mark.parametrize("auto_reset", [True, False])
@pytest.mark.parametrize("spec", SPECS)
def test_a_batch_plays_as_single_states_do(spec: str, auto_reset: bool) -> None:
    game: Any = honte.game(spec)
    games = honte.batch(game, 5, auto_reset=auto_reset, seed=3)
    states = [game.start()] * 5
    ended = 0
    for ply in range(70):
        check(games, states)
        actions = games.random_actions()
        rewards, ends = games.step(actions)
        for i, action in enumerate(actions.tolist()):
            before = states[i]
            if before.is_over:
                assert (action, rewards[i], ends[i], games.scores[i]) == (-1, 0, True, 0), ply
                continue
            after = before.play(action)
            won = 0 if after.winner is None else 1 if after.winner == before.to_move else -1
            assert rewards[i] == won
            assert ends[i] == after.is_over
            assert games.scores[i] == (after.score if after.is_over else 0)
            ended += after.is_over
            states[i] = game.start() if after.is_over and auto_reset else after
        assert list(games) == states
    assert ended or game.name == "go"


def test_a_lost_game_rewards_the_side_that_moved_last_with_minus_one() -> None:
    games = honte.batch("othello:size=4", 200, seed=1)
    seen = set[float]()
    for _ in range(14):
        seen |= set(games.step(games.random_actions()).rewards.tolist())
    assert seen == {-1.0, 0.0, 1.0}


def test_random_actions_are_legal_and_equally_likely() -> None:
    games = honte.batch("othello", 4000, seed=5)
    actions = games.random_actions()
    names, counts = np.unique(actions, return_counts=True)
    assert names.tolist() == games[0].legal_moves()
    assert counts.min() > 900
    games.reset(seed=5)
    assert (games.random_actions() == actions).all()
    assert (games.random_actions() != actions).any()


def test_arrays_are_the_batch_itself() -> None:
    games = honte.batch("connect4", 3)
    mask, planes, to_move = games.legal_mask(), games.planes(), games.to_move
    for array in (mask, planes, to_move, games.scores):
        assert array.ctypes.data % 64 == 0
        assert not array.flags.owndata
    own = planes[:, games.game.planes.index("other")]
    assert not own.any()
    games.step([0, 1, 2])
    assert games.planes().ctypes.data == planes.ctypes.data
    assert own.sum() == 3
    assert to_move.tolist() == [1, 1, 1]
    for array in (mask, planes):
        other = np.from_dlpack(array)
        assert other.ctypes.data == array.ctypes.data
    del games
    assert mask.all()  # an array keeps its memory


def test_a_game_can_be_read_and_set() -> None:
    games = honte.batch("go:size=5", 3)
    state = honte.game("go:size=5").start().play(12).play(7)
    games[1] = state  # of an equal game, not of the same
    assert games[1] == state
    assert games[-2].last_move == 7
    assert games[0] == games[2] == games.game.start()
    check(games, list(games))
    games.step([0, 0, 1])
    check(games, list(games))
    games.reset()
    assert list(games) == [games.game.start()] * 3


def test_actions_of_many_kinds_of_arrays() -> None:
    games = honte.batch("connect4", 2)
    for actions in ([3, 4], (3, 4), np.array([3, 4], np.int8), np.array([3, 9, 4, 9])[::2]):
        games.step(actions)
    assert games[0].to_text().count("X") - 1 == 2
    big = np.array([2**64 - 1, 0], np.uint64)
    with pytest.raises(honte.IllegalMove, match="action 18446744073709551615 in game 0"):
        games.step(big)


@pytest.mark.parametrize(
    ("actions", "words"),
    [
        ([0], "a step takes 2 actions, one for each game, not an array of shape (1,)"),
        ([[0, 1]], "a step takes 2 actions, one for each game, not an array of shape (1, 2)"),
        (3, "a step takes 2 actions, one for each game, not an array of shape ()"),
        ([0.0, 1.0], "actions are whole numbers, not float64"),
        ([True, False], "actions are whole numbers, not bool"),
        (["0", "1"], "actions are whole numbers, not <U1"),
        ([None, 1], "actions are whole numbers, not object"),
        ([0, 7], "action 7 in game 1: 7 is not a legal move here; choose one of 1 2 3 5 6 7"),
        ([-1, 0], "action -1 in game 0: -1 is not a legal move here; choose one of "),
        ([0, 3], "action 3 in game 1: column 4 is full on move 7; choose one of 1 2 3 5 6 7"),
    ],
)  # fmt: skip
def test_a_bad_action_is_one_sentence_and_changes_nothing(actions: Any, words: str) -> None:
    games = honte.batch("connect4", 2)
    for column in (0, 1, 2, 4, 5, 6):
        games.step([column, 3])
    before, mask = list(games), games.legal_mask().copy()
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        games.step(actions)
    assert str(raised.value).startswith(words)
    assert list(games) == before
    assert (games.legal_mask() == mask).all()


def test_an_illegal_action_is_one_even_if_the_mask_was_overwritten() -> None:
    games = honte.batch("othello", 2)
    games.legal_mask()[:] = True
    with pytest.raises(honte.IllegalMove, match="a1 turns no disc for Black"):
        games.step([0, 0])
    games.legal_mask()[:] = False
    assert games.random_actions().tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: honte.batch("connect4", 0), "a batch has 1 to 1,000,000 games, not 0"),
        (lambda: honte.batch("connect4", 10**9), "a batch has 1 to 1,000,000 games, not 100"),
        (lambda: honte.batch("chess", 4), "there is no game 'chess'"),
        (lambda: honte.batch("connect4:course", 4),
         "connect4:course draws a board for each game, and a learner needs one board; choose one: "
         "connect4:course,seed=1"),
        (lambda: honte.batch(Nim(), 4), "nim has no native rules, which learners need"),
        (lambda: honte.batch("connect4", 4)[4], "the batch has 4 games; there is no 4"),
        (lambda: honte.batch("connect4", 4)[-5], "the batch has 4 games; there is no -5"),
        (lambda: honte.batch("connect4", 2).__setitem__(0, honte.game("othello").start()),
         "a batch of connect4 takes positions of this game only, not "),
        (lambda: honte.batch("go:size=5", 2).__setitem__(0, honte.game("go").start()),
         "a batch of go:size=5 takes positions of this game only, not "),
        (lambda: honte.batch("go:size=2", 2).__setitem__(
            0, honte.game("go:size=2").start().play(4).play(4)),
         "this position is over; a batch with auto_reset=False takes such positions"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(call: Any, words: str) -> None:
    with pytest.raises((ValueError, IndexError)) as raised:
        call()
    assert str(raised.value).startswith(words)


def test_threads_take_turns() -> None:
    games = honte.batch("connect4", 64)

    def play() -> None:
        for _ in range(200):
            try:
                games.step(games.random_actions())
            except honte.IllegalMove:
                continue  # another thread moved in between
            games.planes()

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    check(games, list(games))
