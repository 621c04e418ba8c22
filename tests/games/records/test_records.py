"""Records of any format: replaying them, and detecting a file's format."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from honte.core import record as records
from honte.core.contract import IllegalMove
from honte.core.record import Record

GGF = "(;GM[Othello]PB[a]PW[b]TY[8]B[F5]W[D6];)"
SGF = "(;GM[1]SZ[9];B[ee];W[cc])"


def test_a_record_replays_from_its_start_to_its_end() -> None:
    boards = [state.to_text() for state in Record("othello", moves=[37, 43]).states()]
    assert [board.count("-") for board in boards] == [60, 59, 58]


def test_a_record_is_a_value() -> None:
    record = Record("othello", moves=[37, 43])
    assert record == Record("othello", ("", ""), moves=[37, 43])
    with pytest.raises(FrozenInstanceError):
        record.result = "1-0"  # type: ignore[misc]


def test_a_record_may_start_from_a_position() -> None:
    start = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27 + " O"
    *_, last = Record("othello", start=start, moves=[34]).states()
    assert last.to_move == 0


def test_the_first_illegal_move_is_named_by_its_number() -> None:
    states = Record("connect4", moves=[3, 3, 7]).states()
    assert [next(states).to_move for _ in range(3)] == [0, 1, 0]
    with pytest.raises(IllegalMove, match=r"^move 3 of the record: "):
        next(states)


def test_a_record_of_an_unknown_game_cannot_be_replayed() -> None:
    with pytest.raises(ValueError, match="chess"):
        next(Record("chess").states())


@pytest.mark.parametrize(
    ("name", "text", "spec"),
    [
        ("game.ggf", GGF, "othello"),
        ("GAME.GGF", f"1 {GGF}", "othello"),
        ("game.txt", f"1 {GGF}", "othello"),
        ("game.sgf", SGF, "go:komi=0,ko=simple"),
        ("game", f"\n {SGF}", "go:komi=0,ko=simple"),
        ("game.sgf", f"Found in the archive:\n{SGF}", "go:komi=0,ko=simple"),
        ("game.sgf", SGF.replace("(;", "( ;"), "go:komi=0,ko=simple"),
        ("game.sgf", SGF.replace("(;", "(\r\n;"), "go:komi=0,ko=simple"),
    ],
)
def test_a_file_is_known_by_its_name_or_its_beginning(
    tmp_path: Path, name: str, text: str, spec: str
) -> None:
    (tmp_path / name).write_text(text)
    (record,) = records.load(tmp_path / name)
    assert record.game_spec == spec
    assert len(record.moves) == 2


def test_an_empty_wthor_file_holds_no_games(tmp_path: Path) -> None:
    (tmp_path / "none.wtb").write_bytes(bytes(16))
    assert records.load(tmp_path / "none.wtb") == []


def test_transcripts_are_read_one_a_line(tmp_path: Path) -> None:
    file = tmp_path / "games.txt"
    file.write_text("% two games\nf5d6c3\n\nF5F6\n")
    assert [record.moves for record in records.load(file, "othello")] == [[37, 43, 18], [37, 45]]
    file.write_text("4455\n")
    assert [record.moves for record in records.load(file, "connect4")] == [[3, 3, 4, 4]]


def test_lines_are_games_unless_they_start_from_a_position() -> None:
    start = "/".join(["......."] * 5 + ["X......"]) + " O"
    several = records.read_text("% game connect4\n44\n55\n")
    assert [len(one.moves) for one in several] == [2, 2]
    (one,) = records.read_text(f"% game connect4\n% start {start}\n44\n55\n")
    assert (one.start, len(one.moves)) == (start, 4)


def test_a_transcript_needs_the_name_of_its_game(tmp_path: Path) -> None:
    (tmp_path / "games.txt").write_text("f5d6c3")
    with pytest.raises(ValueError, match=r"games\.txt does not say which game it is of"):
        records.load(tmp_path / "games.txt")


def test_a_transcript_that_breaks_the_rules_names_its_line() -> None:
    with pytest.raises(ValueError, match=r"^line 2: "):
        records.transcripts("f5d6c3\nf5f5", "othello")


def test_problems_are_positions_with_their_scores_beside_them(tmp_path: Path) -> None:
    board = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------"
    (tmp_path / "ffo.obf").write_text(f"% the first\n{board} X; A2:+38; C7:+36;\n")
    (record,) = records.load(tmp_path / "ffo.obf")
    assert (record.start, record.moves) == (f"{board} X", [])
    assert record.meta["comments"] == {0: "A2:+38; C7:+36"}
    (tmp_path / "none.obf").write_text("")
    with pytest.raises(ValueError, match="no problem"):
        records.load(tmp_path / "none.obf")


@pytest.mark.parametrize("name", ["long.sgf", "long.ggf", "long.txt"])
def test_a_text_over_the_cap_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"(" * (records.MAX_TEXT + 1))
    with pytest.raises(ValueError, match=f"the file {name} is longer than 8388608 characters"):
        records.load(tmp_path / name, "othello")
