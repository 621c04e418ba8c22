"""Othello games in GGF."""

from __future__ import annotations

import dataclasses
import random

import pytest

from honte.core.contract import IllegalMove
from honte.core.record import Record
from honte.games.othello import ggf
from tests.oracle import othello

ROWS = "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------"
GAME = (
    "(;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[ann]PW[bob]RB[1837.5]RW[2203.5]"
    f"TI[05:00//02:00]TY[8]RE[-12.00:r]BO[8 {ROWS} *]"
    "B[f5/1.50/0.25]W[D6//3]B[C3/-0.5]W[D3];)"
)
MOVES = [37, 43, 18, 19]  # f5 d6 c3 d3


def random_game(seed: int, size: int = 8) -> tuple[list[int], int]:
    """The moves and the score of a game played at random by the naive rules."""
    choose, position, moves = random.Random(seed), othello.Position(size), []
    while not position.is_over:
        moves.append(choose.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return moves, position.score


def test_a_game_gives_its_players_moves_and_result() -> None:
    (record,) = ggf.loads(GAME)
    assert record.game_spec == "othello"
    assert record.players == ("ann", "bob")
    assert record.start is None
    assert record.moves == MOVES
    assert (record.result, record.score) == ("-12.00:r", -12)
    assert record.meta["evals"] == {1: 1.5, 3: -0.5}
    assert record.meta["times"] == {1: 0.25, 2: 3}
    assert record.meta["TI"] == "05:00//02:00"
    assert [state.to_move for state in record.states()] == [0, 1, 0, 1, 0]


def test_a_match_of_several_games_is_read_with_its_count_in_front() -> None:
    assert len(ggf.loads(f"2 {GAME}{GAME}\n1 {GAME}\n")) == 3
    assert ggf.loads("") == []


def test_a_random_start_is_kept_as_text() -> None:
    start = "--**O--- --**---- --*OO--- ****OO-- ---O*--- --O-*--- -------- -------- O"
    (record,) = ggf.loads(f"(;GM[Othello]TY[s8r18]BO[8 {start}]W[B2];)")
    assert record.start is not None
    assert record.start.startswith("--XXO-----XX---")
    assert record.start.endswith(" O")
    assert next(record.states()).to_move == 1


@pytest.mark.parametrize("size", [4, 6, 8])
@pytest.mark.parametrize("seed", range(4))
def test_a_whole_game_survives_writing_and_replays(seed: int, size: int) -> None:
    moves, score = random_game(seed, size)
    spec = "othello" if size == 8 else f"othello:size={size}"
    record = Record(spec, ("a]b", "c\\d\n"), moves=moves, result=f"{score:+d}", score=score)
    (again,) = ggf.loads(ggf.dumps(record))
    assert again == record
    *_, last = again.states()
    assert last.is_over
    assert last.score == score


def test_notes_survive_writing() -> None:
    records = ggf.loads(GAME)
    assert ggf.loads(ggf.dumps(records)) == records


def test_passes_are_written_and_read() -> None:
    moves = next(moves for moves, _ in map(random_game, range(99)) if 64 in moves)
    text = ggf.dumps(Record("othello", moves=moves))
    assert "[PA]" in text
    assert ggf.loads(text)[0].moves == moves


def test_a_pass_left_out_is_told_by_the_colours() -> None:
    moves = next(moves for moves, _ in map(random_game, range(99)) if 64 in moves)
    text = ggf.dumps(Record("othello", moves=moves))
    assert ggf.loads(text.replace("B[PA]", "").replace("W[PA]", ""))[0].moves == moves


def test_an_illegal_move_is_named_when_the_game_is_replayed() -> None:
    (record,) = ggf.loads(GAME.replace("C3/", "A1/"))
    with pytest.raises(IllegalMove, match=r"move 3 of the record: .*a1"):
        list(record.states())


def test_a_result_in_other_words_is_written_as_a_score() -> None:
    record = Record("othello", moves=MOVES, result="26-38", score=-12)
    assert "RE[-12]" in ggf.dumps(record)
    assert "RE[?]" in ggf.dumps(dataclasses.replace(record, score=None))


def test_a_game_of_go_cannot_be_written() -> None:
    with pytest.raises(ValueError, match="a game of go cannot be written as GGF"):
        ggf.dumps(Record("go:size=9"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hello", "game 1 begins with 'hello'; a game begins with '\\(;'"),
        (GAME + "oops", "game 2 begins with 'oops'"),
        (GAME + GAME[:-2], "game 2: the text ends within the game"),
        (GAME[:-5], "game 1: 'W\\[' at character [0-9]+ is not a property"),
        (GAME.replace("W[D3]", "W D3"), "game 1: 'W D3;\\)' at character [0-9]+ is not a property"),
        (GAME.replace("D6", "J6"), "game 1: move 2: 'J6' is not a square; write a1 to h8"),
        (GAME.replace("D6", "D6/1/2/3/4"), "game 1: move 2: 'D6/1/2/3/4//3' has too many parts"),
        (GAME.replace("1.50", "1e5"), "game 1: move 1: '1e5' is not an evaluation or a time"),
        (GAME.replace("TY[8]", "TY[10]"), "game 1: the board is 10x10; only 4x4, 6x6 and 8x8"),
        (GAME.replace("TY[8]", "TY[8a]"), "game 1: TY\\[8a\\] is an anti game"),
        (GAME.replace("TY[8]", "TY[8kr]"), "game 1: TY\\[8kr\\] is a komi game"),
        (GAME.replace("TY[8]", "TY[6]"), "game 1: BO\\[8 ...\\] contradicts the size 6"),
        (GAME.replace("TY[8]", "TY[]"), None),
        (GAME.replace("TY[8]", "TY[what]"), "game 1: TY\\[what\\] is not a type of game"),
        (GAME.replace("TY[8]", "TY[8]TY[8]"), "game 1: TY is given twice"),
        (GAME.replace("-------- *]", "------- *]"), "game 1: the position has 64 characters"),
        (GAME.replace("-------- *]", "-------- -]"), "game 1: the side to move is '-'"),
        (GAME.replace(f"BO[8 {ROWS} *]", "BO[8]"), "game 1: BO lacks its size, board or side"),
        (GAME.replace("Othello", "Amazons"), "game 1: GM\\[Amazons\\] is another game"),
    ],
)
def test_an_error_names_the_game_and_the_place(text: str, message: str | None) -> None:
    if message is None:
        assert ggf.loads(text)[0].moves == MOVES
        return
    with pytest.raises(ValueError, match=f"^{message}"):
        ggf.loads(text)
