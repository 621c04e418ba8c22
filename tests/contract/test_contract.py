"""The contract that everything else relies on, tried on random games of every registered game.

Every game in the registry is tested here automatically; a row in SPECS adds boards that deserve a
test of their own.
"""

from __future__ import annotations

import copy
import math
import pickle
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import honte
from honte.core import games as registry
from honte.drawing import svg
from tests.contract.nim import Nim

ROOT = Path(__file__).parents[2]
SPECS = {
    "connect4": [
        "connect4",
        "connect4:rows=12,cols=12,blocked=5/6",
        "connect4:rows=4,cols=16,inarow=3,blocked=0/0+3/0+1/5+2/5",
        "connect4:rows=16,cols=4,inarow=2",
        "connect4:rows=4,cols=4,inarow=4,blocked=0/0+1/0+2/0+3/0",
        "connect4:course,seed=3",
    ],
    "othello": ["othello", "othello:size=6", "othello:size=4"],
    "go": [
        "go",
        "go:size=2",
        "go:size=2,ko=simple,suicide=yes,komi=0",
        "go:size=3,ko=situational,suicide=yes,komi=-2.25",
        "go:size=5,ko=simple,komi=1",
        "go:size=13,handicap=5",
    ],
    "nim": ["nim", "nim:heaps=7", "nim:heaps=00000", "nim:heaps=12321"],
}
LONGEST = 120  # plies: random Go can go on for much longer
NOT_MOVES = (-1, -(2**63), 2**16, 2**31 - 1, 2**31, 2**32, 2**32 + 1, 2**63, 2**64, 10**40)
NOT_INTS = (None, 3.0, 1.5, b"4", [4], (0, 1), math.nan, object())


def all_specs() -> list[str]:
    return [spec for name in [*registry.names(), "nim"] for spec in SPECS.get(name, [name])]


@pytest.fixture(params=all_specs())
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> honte.Game:
    monkeypatch.setattr(registry, "_factories", dict(registry._factories))
    honte.register("nim", Nim)
    return honte.game(request.param)


def random_game(game: honte.Game, seed: int, longest: int = LONGEST) -> Iterator[Any]:
    """The positions of a random game, from the start to its end."""
    rng = random.Random(f"{game.spec} {seed}")
    state: Any = game.start()
    yield state
    while not state.is_over and longest > 0:
        longest -= 1
        state = state.play(rng.choice(state.legal_moves()))
        yield state


def facts(state: Any) -> tuple[object, ...]:
    """Everything the contract says of a position, to see that it does not change."""
    return (
        state.to_move,
        state.legal_moves(),
        state.is_over,
        state.winner,
        state.score,
        state.last_move,
        state.to_text(),
        str(state),
        hash(state),
    )


def test_a_spec_names_its_game(game: honte.Game) -> None:
    same = honte.game(game.spec)
    assert same == game
    assert hash(same) == hash(game)
    assert same.spec == game.spec
    assert game.spec.partition(":")[0] == game.name
    assert repr(game) == f"honte.game({game.spec!r})"
    assert eval(repr(game), {"honte": honte}) == game
    assert game != honte.game("connect4:rows=5,cols=5")
    assert game != game.spec


def test_settings_may_come_as_keywords(game: honte.Game) -> None:
    name, _, settings = game.spec.partition(":")
    keywords = dict(item.split("=") for item in settings.split(",") if item)
    assert honte.game(name, **keywords) == game


@pytest.mark.parametrize("key", ["no_such_key", "self", "spec", "name", ""])
def test_an_unknown_setting_is_refused(game: honte.Game, key: str) -> None:
    with pytest.raises(ValueError, match=f"^{game.name} has no option '{key}'; it has: "):
        honte.game(f"{game.name}:{key}=1")


def test_a_game_is_a_value(game: honte.Game) -> None:
    for twin in (pickle.loads(pickle.dumps(game)), copy.copy(game), copy.deepcopy(game)):
        assert twin == game
        assert twin.start() == game.start()
        assert twin.start().to_text() == game.start().to_text()


def test_start_is_always_the_same_position(game: honte.Game) -> None:
    first, second = game.start(), game.start()
    assert facts(first) == facts(second)
    assert first == second
    assert first.last_move is None
    assert first.game == game


def test_every_position_keeps_the_contract(game: honte.Game) -> None:
    for seed in range(3):
        for state in random_game(game, seed):
            assert isinstance(state, honte.State)
            assert state.game == game
            assert type(state.to_move) is int
            assert state.to_move in (0, 1)
            assert type(state.is_over) is bool
            assert state.winner in (None, 0, 1)
            assert isinstance(state.score, int | float)
            assert math.isfinite(state.score)


def test_legal_moves_are_a_fresh_list_in_a_fixed_order(game: honte.Game) -> None:
    for state in random_game(game, 3):
        moves = state.legal_moves()
        assert type(moves) is list
        assert all(type(move) is int for move in moves)
        assert moves == sorted(set(moves))
        again = state.legal_moves()
        assert again == moves
        assert again is not moves
        again.clear()
        assert state.legal_moves() == moves


def test_a_game_is_over_exactly_when_nothing_can_be_played(game: honte.Game) -> None:
    for seed in range(3):
        for state in random_game(game, seed):
            assert state.is_over == (not state.legal_moves())


def test_the_winner_is_who_the_score_says(game: honte.Game) -> None:
    for seed in range(8):
        *running, last = random_game(game, seed, longest=1000)
        assert all(state.winner is None for state in running)
        if last.is_over:
            assert last.winner == (None if last.score == 0 else int(last.score < 0))


def test_playing_leaves_the_old_position_as_it_was(game: honte.Game) -> None:
    for state in random_game(game, 4, longest=25):
        before = facts(state)
        text = state.to_text()
        for move in state.legal_moves()[:6]:
            later = state.play(move)
            assert later is not state
            assert later.last_move == move
            assert later != state
            later.play(later.legal_moves()[0]) if not later.is_over else None
        assert facts(state) == before
        assert state.to_text() == text


def test_the_same_moves_lead_to_the_same_position(game: honte.Game) -> None:
    for state, twin in zip(random_game(game, 5), random_game(game, 5), strict=True):
        assert state == twin
        assert hash(state) == hash(twin)
        assert facts(state) == facts(twin)
        assert len({state, twin}) == 1


def test_a_position_is_no_position_of_another_game(game: honte.Game) -> None:
    other = honte.game("connect4:rows=5,cols=5").start()
    for state in random_game(game, 5, longest=5):
        assert state != other
        assert state != state.to_text()
        assert state is not None


def test_text_brings_the_position_back(game: honte.Game) -> None:
    for seed in range(3):
        for state in random_game(game, seed):
            text = state.to_text()
            assert "\n" not in text
            twin: Any = game.from_text(text)
            assert twin == state
            assert hash(twin) == hash(state)
            assert twin.to_text() == text
            assert twin.legal_moves() == state.legal_moves()
            assert (twin.to_move, twin.is_over) == (state.to_move, state.is_over)
            assert (twin.winner, twin.score) == (state.winner, state.score)


def test_notation_brings_every_move_back(game: honte.Game) -> None:
    for state in random_game(game, 6):
        for move in state.legal_moves():
            text = game.format(move)
            assert text == text.strip()
            assert game.parse(text) == move
            assert game.parse(f" {text}\n") == move


@pytest.mark.parametrize("separator", [",", " ", ", "])
def test_a_list_of_moves_reads_back(game: honte.Game, separator: str) -> None:
    for seed in range(3):
        states = list(random_game(game, seed))
        moves = [state.last_move for state in states[1:]]
        text = separator.join(map(game.format, moves))
        assert game.read_moves(text) == moves
        middle = len(moves) // 2
        rest = separator.join(map(game.format, moves[middle:]))
        assert game.read_moves(rest, states[middle]) == moves[middle:]


def test_a_move_that_is_not_legal_is_refused_in_one_sentence(game: honte.Game) -> None:
    rng = random.Random(7)
    for state in random_game(game, 7, longest=30):
        before = facts(state)
        legal = state.legal_moves()
        for move in (*NOT_MOVES, *(rng.randrange(-5, 400) for _ in range(12)), *range(20)):
            if move in legal:
                continue
            with pytest.raises(honte.IllegalMove) as refusal:
                state.play(move)
            sentence = str(refusal.value)
            assert 10 < len(sentence) < 200
            assert "\n" not in sentence
        assert facts(state) == before


def test_what_is_no_int_is_no_move(game: honte.Game) -> None:
    state: Any = game.start()
    for given in NOT_INTS:
        with pytest.raises(TypeError, match="a move is an int"):
            state.play(given)


def test_a_finished_game_takes_no_move(game: honte.Game) -> None:
    *_, last = random_game(game, 8, longest=5000)
    if last.is_over:
        for move in range(-1, 100):
            with pytest.raises(honte.IllegalMove, match="the game is over"):
                last.play(move)


def test_copies_are_equal(game: honte.Game) -> None:
    for state in random_game(game, 9, longest=40):
        for twin in (copy.copy(state), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
            assert twin == state
            assert twin.game == state.game
            assert facts(twin) == facts(state)
        assert state != None  # noqa: E711  (it is the operator that is tried)
        assert state != "a position"


def test_a_pickled_position_plays_on_as_the_original(game: honte.Game) -> None:
    """Including the history where it matters, as under superko."""
    states = list(random_game(game, 10))
    middle = len(states) // 2
    twin = pickle.loads(pickle.dumps(states[middle]))
    for state in states[middle + 1 :]:
        twin = twin.play(state.last_move)
        assert facts(twin) == facts(state)


PLAY_ON = """
import pickle, sys
if "nim" in sys.argv:
    import honte, tests.contract.nim
    honte.register("nim", tests.contract.nim.Nim)
states = pickle.load(sys.stdin.buffer)
later = [state if state.is_over else state.play(state.legal_moves()[0]) for state in states]
pickle.dump((later, [state.to_text() for state in later]), sys.stdout.buffer)
"""


@pytest.mark.parametrize("name", [*registry.names(), "nim"])
def test_positions_travel_to_another_process_and_back(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "_factories", dict(registry._factories))
    honte.register("nim", Nim)
    states = [
        state
        for spec in SPECS.get(name, [name])
        for state in random_game(honte.game(spec), 11, longest=20)
    ]
    there = subprocess.run(
        [sys.executable, "-c", PLAY_ON, name],
        input=pickle.dumps(states),
        capture_output=True,
        cwd=ROOT,
        timeout=60,
        check=True,
    )
    later, texts = pickle.loads(there.stdout)
    here = [state if state.is_over else state.play(state.legal_moves()[0]) for state in states]
    assert later == here
    assert texts == [state.to_text() for state in here]


def test_a_position_is_drawn_for_a_terminal(game: honte.Game) -> None:
    for state in list(random_game(game, 12))[::5]:
        lines = str(state).splitlines()
        assert lines
        assert all(line == line.rstrip() and line.isprintable() for line in lines)


def test_a_position_is_drawn_for_a_page(game: honte.Game) -> None:
    for state in list(random_game(game, 13))[::15]:
        light, dark = svg.draw(state), svg.draw(state, dark=True)
        assert light.startswith("<svg")
        assert light.rstrip().endswith("</svg>")
        assert light != dark
        if hasattr(state, "svg"):  # a game in plain Python need not draw itself
            assert state.svg() == state._repr_svg_() == light
            assert state.svg(dark=True) == dark


def test_a_repr_brings_a_native_position_back(game: honte.Game) -> None:
    for state in random_game(game, 14, longest=10):
        if repr(state).startswith("honte.game("):
            assert eval(repr(state), {"honte": honte}) == state
