"""The random player: uniform over the legal moves, reproducible with a seed."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

import honte
from honte.core import players as registry
from tests.pictures import after, refusal

GAME = honte.game("connect4")


def moves_of(player: honte.Player, count: int = 40) -> list[int]:
    return [player.choose(GAME.start()).move for _ in range(count)]


@pytest.mark.parametrize("spec", ["connect4", "othello", "othello:size=4", "go:size=5"])
def test_it_plays_any_game_to_its_end(spec: str) -> None:
    game = honte.game(spec)
    player = honte.player("random:seed=1", game)
    state: Any = game.start()
    for _ in range(1000):
        if state.is_over:
            break
        report = player.choose(state, honte.Limit(seconds=1))
        assert report.move in state.legal_moves()
        state = state.play(report.move)
    assert state.is_over


def test_every_legal_move_is_as_likely() -> None:
    state = after("connect4", "444444")  # column 4 is full: six moves are left
    player = honte.player("random:seed=1", GAME)
    counts = Counter(player.choose(state).move for _ in range(6000))
    assert sorted(counts) == [0, 1, 2, 4, 5, 6]
    assert all(850 < count < 1150 for count in counts.values())


def test_a_seed_makes_it_repeatable() -> None:
    first, second = (honte.player("random:seed=7", GAME) for _ in range(2))
    assert moves_of(first) == moves_of(second)
    assert moves_of(honte.player("random:seed=8", GAME)) != moves_of(
        honte.player("random", GAME, seed=7)
    )


def test_without_a_seed_every_game_is_another() -> None:
    assert moves_of(honte.player("random", GAME)) != moves_of(honte.player("random", GAME))


def test_its_report_says_what_there_was_to_choose_from() -> None:
    report = honte.player("random", GAME).choose(GAME.start())
    moves = [candidate.move for candidate in report.candidates]
    assert moves[0] == report.move
    assert sorted(moves) == list(range(7))
    assert report.pv == [report.move]
    assert (report.value, report.proven, report.iterations, report.nodes) == (0, None, 0, 0)
    assert 0 <= report.seconds < 1


def test_a_finished_game_leaves_nothing_to_choose() -> None:
    player = honte.player("random", GAME)
    sentence = "the game is over in this position; there is no move to choose"
    assert refusal(lambda: player.choose(after("connect4", "1122334"))) == sentence


def test_its_spec_names_it() -> None:
    player = honte.player("random:seed=7", GAME)
    assert player.spec == "random:seed=7"
    assert repr(player) == "honte.player('random:seed=7')"
    assert honte.player("random", GAME).spec == "random"
    player.new_game()
    player.close()


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("random:seed=-1", f"random: seed='-1' is not a whole number from 0 to {2**63 - 1}"),
        ("random:seed=x", f"random: seed='x' is not a whole number from 0 to {2**63 - 1}"),
        ("random:c=1", "random has no option 'c'; it has: seed"),
        ("random:game=1", "random has no option 'game'; it has: seed"),
        ("random:self=1", "random has no option 'self'; it has: seed"),
        ("random:seed=1,seed=2", "'seed' is set twice in 'random:seed=1,seed=2'; leave one out"),
    ],
)
def test_a_spec_it_does_not_know_is_refused(spec: str, sentence: str) -> None:
    assert refusal(lambda: honte.player(spec, GAME)) == sentence


@pytest.mark.parametrize("spec", ["nobody", "", "Random", "random seed=1"])
def test_a_player_that_does_not_exist_is_refused(spec: str) -> None:
    found = refusal(lambda: honte.player(spec, GAME))
    assert found.startswith(f"there is no player {spec!r}; there are random")


def test_a_custom_player_is_registered_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_factories", dict(registry._factories))

    class First(honte.Player):
        def __init__(self, game: honte.Game, **settings: object) -> None:
            self.spec = "first"

        def think(self, request: honte.Request) -> honte.Report:
            return honte.Report(request.state.legal_moves()[0])

    honte.register_player("first", First)
    assert honte.player("first", GAME).choose(GAME.start()).move == 0
    assert "first" in registry.names()
    sentence = "'not a name' cannot name a player; use letters, digits and _"
    assert refusal(lambda: honte.register_player("not a name", First)) == sentence
