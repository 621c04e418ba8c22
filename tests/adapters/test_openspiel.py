"""Our games match OpenSpiel's, and its bots and our players play each other's games."""

from __future__ import annotations

import os
import random
from typing import Any

import pyspiel
import pytest

import honte
from honte.adapters import openspiel

LONG = os.environ.get("HONTE_LONG", "") not in ("", "0")
GAMES = {
    "connect4": 60,
    "connect4:rows=5,cols=8,inarow=3": 30,
    "othello": 25,
    "go:size=3,komi=1,ko=simple": 40,
    "go:size=9,ko=simple": 5,
}
"""How many random games; with `make long` 10,000 each."""


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("spec", GAMES)
def test_legal_moves_ends_and_returns_are_the_same(spec: str) -> None:
    game: Any = honte.game(spec)
    theirs = openspiel.load_game(game)
    assert openspiel.game_of(theirs) == game
    assert theirs.num_distinct_actions() == game.actions
    draw = random.Random(spec)
    for _ in range(10_000 if LONG else GAMES[spec]):
        ours, state = game.start(), theirs.new_initial_state()
        boards = [ours.cells()]
        while not state.is_terminal():
            assert state.current_player() == ours.to_move
            legal = [openspiel.other_number(game, action) for action in state.legal_actions()]
            assert sorted(legal) == ours.legal_moves(), f"{ours}\n{state}"
            move = draw.choice(legal)
            state.apply_action(openspiel.other_number(game, move))
            ours = ours.play(move)
            boards.append(ours.cells())
        won = 0 if ours.winner is None else 1 - 2 * ours.winner
        assert state.returns() == [won, -won], f"{ours}\n{state}"
        if not ours.is_over:  # OpenSpiel ends a game of Go when a position repeats
            assert boards[-1] in boards[:-1]
        assert openspiel.position(state) == ours


def test_our_players_are_bots_and_their_bots_are_players() -> None:
    game = openspiel.load_game("connect4")
    ours = openspiel.bot("alphabeta:depth=3")
    theirs = pyspiel.make_uniform_random_bot(1, 3)
    returns = pyspiel.evaluate_bots(game.new_initial_state(), [ours, theirs], 1)
    assert returns == [1.0, -1.0]

    board = honte.game("connect4")
    search = pyspiel.MCTSBot(
        game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, 500, 0, True, 1, False
    )
    player = openspiel.player(search, "connect4")
    state = board.from_text("......./......./......./...XO../...XO../X..XO.. O")
    assert state.play(player.choose(state).move).winner == 1


def test_a_bot_in_go_counts_rows_from_below() -> None:
    game = honte.game("go:size=5,ko=simple")
    state = openspiel.state_after(game, (0, 24))
    assert str(state).splitlines()[2].split()[1] == "X++++"
    player = openspiel.player(pyspiel.make_uniform_random_bot(1, 1), game)
    after = game.start().play(0)
    assert player.choose(honte.Request(after, history=(0,))).move in after.legal_moves()


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: openspiel.load_game("connect4:blocked=5/3"), "OpenSpiel has no 'connect4:blocked"),
        (lambda: openspiel.load_game("othello:size=6"), "OpenSpiel has no 'othello:size=6'"),
        (lambda: openspiel.player(None, "go:size=9"), "OpenSpiel has no 'go'; it has connect4"),
        (lambda: openspiel.game_of(pyspiel.load_game("chess")), "Honte does not play 'chess()'"),
        (lambda: openspiel.bot("nobody").step(openspiel.state_after(honte.game("connect4"), ())),
         "there is no player 'nobody'"),
    ],
)  # fmt: skip
def test_bad_input_is_one_sentence(call: Any, words: str) -> None:
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        call()
    assert str(raised.value).startswith(words)
