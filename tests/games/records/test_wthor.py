"""Othello games in WTHOR's .wtb files."""

from __future__ import annotations

import random
import struct
from pathlib import Path

import pytest

from honte.core.language import Message
from honte.games.othello import wthor
from tests.oracle import othello


def played(seed: int) -> tuple[list[int], int]:
    """The moves of a random game, passes and all, and black's discs at its end."""
    choose, position, moves = random.Random(seed), othello.Position(), []
    while not position.is_over:
        moves.append(choose.choice(position.legal_moves()))
        position = position.play(moves[-1])
    return moves, (position.score + 64) // 2


def as_game(moves: list[int], real: int, theoretical: int = 32) -> bytes:
    codes = bytes((move // 8 + 1) * 10 + move % 8 + 1 for move in moves if move != 64)
    return struct.pack("<HHHBB60s", 7, 311, 503, real, theoretical, codes)


def as_file(games: list[bytes], board: int = 8, count: int | None = None) -> bytes:
    said = len(games) if count is None else count
    return struct.pack("<4BIHHBBBB", 19, 99, 1, 2, said, 0, 1987, board, 0, 24, 0) + b"".join(games)


GAMES = [played(seed) for seed in range(40, 80)]
FILE = as_file([as_game(moves, real) for moves, real in GAMES])


def test_the_file_holds_games_with_passes() -> None:
    assert any(64 in moves for moves, _ in GAMES)
    assert any(len(moves) - moves.count(64) < 60 for moves, _ in GAMES)


def test_every_game_is_read_with_its_passes_put_back() -> None:
    assert [record.moves for record in wthor.read(FILE)] == [moves for moves, _ in GAMES]


def test_the_score_is_the_disc_difference_at_the_end() -> None:
    for record in wthor.read(FILE):
        *_, last = record.states()
        assert last.is_over
        assert last.score == record.score


def test_a_record_says_where_the_game_comes_from() -> None:
    record = next(wthor.read(FILE))
    assert record.players == ("#311", "#503")
    assert record.meta == {"tournament": 7, "year": 1987, "theoretical": 0, "depth": 24}
    real = GAMES[0][1]
    assert record.result == f"{real}-{64 - real}"


def test_a_game_that_was_broken_off_is_read_as_far_as_it_goes() -> None:
    (record,) = wthor.read(as_file([as_game([37, 43, 18], 33)]))
    assert record.moves == [37, 43, 18]
    assert record.score == 2


@pytest.mark.parametrize("discs", [0, 64])
def test_a_wipe_out_is_a_score_too(discs: int) -> None:
    data = as_file([as_game([37, 43, 18], discs, discs)])
    (record,) = wthor.read(data)
    assert (record.score, record.meta["theoretical"]) == (2 * discs - 64, 2 * discs - 64)
    assert list(wthor.read_arrays(data).real) == [discs]


def test_a_file_is_read_game_by_game(tmp_path: Path) -> None:
    path = tmp_path / "WTH_1987.wtb"
    path.write_bytes(as_file([as_game(*GAMES[0]), as_game([0], 32)]))
    records = wthor.read(path)
    assert next(records).moves == GAMES[0][0]
    with pytest.raises(ValueError, match=r"^game 2, move 1: a1 turns no disc for Black"):
        next(records)


def test_more_games_than_one_read_takes_are_all_read(tmp_path: Path) -> None:
    path = tmp_path / "many.wtb"
    path.write_bytes(as_file([as_game([37, 43], 32)] * 2500))
    assert sum(1 for _ in wthor.read(path)) == 2500


def test_arrays_hold_scores_and_moves_without_passes(tmp_path: Path) -> None:
    path = tmp_path / "WTH_1987.wtb"
    path.write_bytes(FILE)
    arrays = wthor.read_arrays(path)
    assert arrays == wthor.read_arrays(FILE)
    assert arrays.header == (len(GAMES), 1987, 24)
    assert list(arrays.real) == [real for _, real in GAMES]
    assert set(arrays.theoretical) == {32}
    for number, (moves, _) in enumerate(GAMES):
        row = arrays.moves[number * 60 : number * 60 + 60]
        squares = [move for move in moves if move != 64]
        assert list(row) == squares + [wthor.NO_MOVE] * (60 - len(squares))


def test_a_file_without_games_is_no_error() -> None:
    assert list(wthor.read(as_file([]))) == []
    assert wthor.read_arrays(as_file([])).moves == b""


BAD_HEADERS = [
    (b"", "the file has 0 bytes; a WTHOR file begins with a header of 16"),
    (FILE[:15], "the file has 15 bytes"),
    (FILE[:-1], "the header promises 40 games, which take 2736 bytes, but the file has 2735"),
    (FILE + b"\0", "the header promises 40 games, which take 2736 bytes, but the file has 2737"),
    (as_file([], count=2**32 - 1), "the header promises 4294967295 games, .* the file has 16"),
    (as_file([], board=10), "the board is 10x10; only 8x8 games are read"),
]


@pytest.mark.parametrize(("data", "message"), BAD_HEADERS)
def test_a_file_that_lies_about_its_size_is_refused_at_once(data: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        wthor.read(data)
    with pytest.raises(ValueError, match=f"^{message}"):
        wthor.read_arrays(data)


GOOD = as_game(*GAMES[0])


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (GOOD[:8] + b"\x63" + GOOD[9:], "game 2, move 1: 99 is not a square; squares are 11 to 88"),
        (GOOD[:10] + b"\x14" + GOOD[11:], "game 2, move 3: 20 is not a square"),
        (GOOD[:6] + b"\x41" + GOOD[7:], "game 2 has a score of 65 discs; a board has 64"),
        (GOOD[:7] + b"\xff" + GOOD[8:], "game 2 has a score of 255 discs"),
    ],
)
def test_nonsense_names_its_game(game: bytes, message: str) -> None:
    data = as_file([GOOD, game])
    for read in (wthor.read, wthor.read_arrays):
        with pytest.raises(ValueError, match=f"^{message}") as error:
            list(read(data))
        assert isinstance(error.value.args[0], Message), "it can be translated"


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (as_game([37, 37], 32), "game 1, move 2: f5 turns no disc for White"),
        (GOOD[:9] + b"\0" + GOOD[10:], "game 1 continues after its end at move 1"),
    ],
)
def test_a_game_against_the_rules_names_the_move(game: bytes, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        list(wthor.read(as_file([game])))
