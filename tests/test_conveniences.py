"""What people try first: ``honte.play``, ``state.play("d3")``, ``honte.games()``."""

from __future__ import annotations

import json
import pydoc

import pytest

import honte


@pytest.mark.parametrize(
    ("game", "moves"),
    [("connect4", ["4", "4", "5"]), ("othello", ["f5", "d6", "C3"]), ("go:size=9", ["E5", "pass"])],
)
def test_a_state_plays_moves_as_people_write_them(game: str, moves: list[str]) -> None:
    rules = honte.game(game)
    by_text, by_number = rules.start(), rules.start()
    for move in moves:
        by_text = by_text.play(move)  # type: ignore[arg-type]
        by_number = by_number.play(rules.parse(move))
    assert by_text == by_number
    assert by_text.last_move == by_number.last_move


def test_text_that_is_no_move_or_no_legal_one_is_one_sentence() -> None:
    state = honte.game("othello").start()
    with pytest.raises(ValueError, match="'z9' is not"):
        state.play("z9")  # type: ignore[arg-type]
    with pytest.raises(honte.IllegalMove, match="a1 turns no disc"):
        state.play("a1")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a move is an int"):
        state.play(1.5)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["connect4", "othello:size=6", "go:size=5"])
def test_two_players_play_a_game(game: str) -> None:
    played = honte.play("uct:iterations=30", "random", game, seed=5)
    assert played.players == ("uct:iterations=30", "random")
    state = honte.game(game).start()
    for move in played.moves:
        state = state.play(move)  # type: ignore[arg-type]
    assert state == played.state == played.states[-1]
    assert state.is_over
    assert (played.winner, played.score) == (state.winner, state.score)
    assert played.reason in ("played out", "draw")
    assert json.loads(json.dumps(played.to_dict()))["moves"] == played.moves
    again = honte.play("uct:iterations=30", "random", game, seed=5)
    assert again.moves == played.moves
    assert "moves" in str(played)
    assert played.record().moves == [*played.played.moves]
    assert "<svg" in played._repr_html_()


def test_a_game_may_begin_with_an_opening() -> None:
    assert honte.play("random", "random", "othello", opening="f5d6").moves[:2] == ["f5", "d6"]


def test_a_wrong_spec_raises_before_the_game() -> None:
    with pytest.raises(ValueError, match="stockfish"):
        honte.play("stockfish", "random", "othello")
    with pytest.raises(TypeError, match="by its spec"):
        honte.play(print, "random", "othello")  # type: ignore[arg-type]


def test_games_and_players_are_listed() -> None:
    assert honte.games()[:3] == ["connect4", "othello", "go"]
    assert {"best", "uct", "level", "random", "gtp"} <= {*honte.players()}
    from honte.games import DEFAULT  # the module is still one

    assert DEFAULT in honte.games()


def test_a_game_is_registered() -> None:
    assert honte.register_game is honte.register


def test_the_parts_are_importable_from_the_top() -> None:
    from honte import arena, records, search

    assert records.transcripts("f5d6", "othello")[0].moves
    assert arena.rate(2, [(0, 1, 1), (1, 0, -1)]).elo[0] > 0
    assert arena.play is honte.play
    for package in (honte, arena, search):
        for name in package.__all__:
            exec(f"from {package.__name__} import {name}")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = honte.nothing
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = arena.nothing


def test_help_tells_the_story() -> None:
    told = pydoc.plain(pydoc.render_doc(honte))
    for word in ("honte.game(", "honte.play(", "register_game", "honte.records", "honte.arena"):
        assert word in told


def test_a_report_becomes_json() -> None:
    report = honte.player("best", honte.game("connect4")).choose(honte.game("connect4").start())
    assert json.loads(report.to_json()) == report.to_dict()
