"""Othello problems in OBF."""

from __future__ import annotations

from pathlib import Path

import pytest

from honte.games.othello import obf

BOARD = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"
LINE = f"{BOARD} X; A2:+38; C7:+36; D8:+34;"
A2, C7, D8 = 8, 50, 59


def test_a_line_gives_the_position_and_the_score_of_its_moves() -> None:
    problem = obf.parse_line(LINE)
    assert problem.position == f"{BOARD} X"
    assert problem.to_move == 0
    assert problem.moves == {A2: 38, C7: 36, D8: 34}
    assert problem.best == 38
    assert problem.best_moves == [A2]


@pytest.mark.parametrize("black", "Xx*bB")
@pytest.mark.parametrize("white", "OowW")
@pytest.mark.parametrize("empty", "-.")
def test_every_alphabet_means_the_same_board(black: str, white: str, empty: str) -> None:
    letters = str.maketrans({"X": black, "O": white, "-": empty})
    board, rest = LINE[:64], LINE[66:]
    assert obf.parse_line(f"{board.translate(letters)} {black}{rest}") == obf.parse_line(LINE)
    assert obf.parse_line(f"{board.translate(letters)} {white}").position == f"{BOARD} O"


def test_a_line_may_name_no_move() -> None:
    problem = obf.parse_line(f"{BOARD} O")
    assert (problem.to_move, problem.best, problem.best_moves) == (1, None, [])


def test_moves_that_lose_alike_are_all_best() -> None:
    assert obf.parse_line(f"{BOARD} X; A2:-6; C7:-6; D8:-8").best_moves == [A2, C7]


def test_a_forced_pass_has_a_score_too() -> None:
    corner = "OX" + "-" * 62
    assert obf.parse_line(f"{corner} X; PA:-64;").moves == {64: -64}


def test_comments_and_blank_lines_are_skipped() -> None:
    text = f"% endgames\n\n{LINE} % the first\n   \n{BOARD} O;\n"
    assert [problem.to_move for problem in obf.loads(text)] == [0, 1]


def test_what_was_written_reads_the_same() -> None:
    problems = [obf.parse_line(LINE), obf.parse_line(f"{BOARD} O; pass:-64")]
    assert obf.loads(obf.dumps(problems)) == problems
    assert obf.format_line(problems[0]) == LINE


def test_a_file_is_read_whole(tmp_path: Path) -> None:
    file = tmp_path / "problems.obf"
    file.write_bytes(b"\xef\xbb\xbf" + f"{LINE}\r\n{LINE}\r\n".encode())
    assert len(obf.load(file)) == 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("XO X", "line 3: the position has 3 characters; it needs 64 squares"),
        (f"{BOARD[:63]}? X", "line 3: '[?]' on h8 is not a disc"),
        (f"{BOARD}", "line 3: the position has 64 characters"),
        (f"{BOARD} Z;", "line 3: the side to move is 'Z'"),
        (f"{BOARD} -;", "line 3: the side to move is '-'"),
        (f"{BOARD} X; A9:+2;", "line 3: 'A9' is not a square"),
        (f"{BOARD} X; A1:+2;", "line 3: A1 is not legal there"),
        (f"{BOARD} X; PA:+2;", "line 3: PA is not legal there"),
        (f"{BOARD} X; A2:+65;", r"line 3: '\+65' is not a score of A2"),
        (f"{BOARD} X; A2:" + "9" * 3000, "line 3: '9+…' is not a score of A2"),
        (f"{BOARD} X; A2;", "line 3: '' is not a score of A2"),
        (f"{BOARD} X; A2:1; a2:2;", "line 3: a2 has two scores"),
        (f"{BOARD} X; " + "A2:+2; " * 1000, "line 3: the line has 7068 characters"),
    ],
)
def test_an_error_names_its_line(line: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        obf.loads(f"{LINE}\n\n{line}\n")


def test_a_line_may_be_as_long_as_the_cap_and_no_longer() -> None:
    longest = LINE.ljust(obf.MAX_LINE - 1) + "%"
    assert obf.parse_line(longest) == obf.parse_line(LINE)
    with pytest.raises(
        ValueError, match=r"the line has 4097 characters; a problem takes up to 4096"
    ):
        obf.parse_line(longest + "%")


def test_a_text_may_hold_as_many_problems_as_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("honte.core.record.MAX_GAMES", 2)
    line = f"{'-' * 27}OX------XO{'-' * 27} X;\n".encode()
    assert len(obf.records(2 * line)) == 2
    with pytest.raises(ValueError, match="the text holds more than 2 games; split it"):
        obf.records(3 * line)
