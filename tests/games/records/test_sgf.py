"""Go games in SGF."""

from __future__ import annotations

import random
from typing import Any

import pytest

import honte
from honte.core.contract import IllegalMove
from honte.core.record import Record
from honte.games.go import sgf
from tests.oracle import go

GAME = (
    "(;FF[4]GM[1]SZ[9]KM[6.5]PB[Ann]PW[Bob]RE[W+3.5]RU[Japanese]EV[Spring\\] cup]C[Hello];"
    "B[ee];W[cc]C[solid]V[-0.25];B[];W[tt])"
)


def one(text: str | bytes) -> Record:
    (record,) = sgf.loads(text)
    return record


def states(record: Record) -> list[Any]:
    return list(record.states())


def go_moves(*points: str, size: int = 9) -> list[int]:
    """Moves from points as Go players write them."""
    letters = "ABCDEFGHJKLMNOPQRST"
    return [(size - int(point[1:])) * size + letters.index(point[0]) for point in points]


def test_a_game_gives_its_players_moves_and_result() -> None:
    record = one(GAME)
    assert record.game_spec == "go:komi=6.5,ko=simple"
    assert record.players == ("Ann", "Bob")
    assert record.start is None
    assert record.moves == [*go_moves("E5", "C7"), 81, 81]
    assert (record.result, record.score) == ("W+3.5", -3.5)
    assert record.meta["EV"] == "Spring] cup"
    assert record.meta["comments"] == {0: "Hello", 2: "solid"}
    assert record.meta["evals"] == {2: 0.25}
    *_, last = record.states()
    assert last.is_over


def test_what_was_written_reads_the_same() -> None:
    record = one(GAME)
    assert one(sgf.dumps(record)) == record


def test_the_words_on_a_game_keep_their_paragraphs() -> None:
    record = one("(;SZ[9]EV[Spring\ncup]GC[A long fight.\n\nWhite\\] won.\n];B[ee])")
    assert record.meta["EV"] == "Spring cup"
    assert record.meta["GC"] == "A long fight.\n\nWhite] won."
    assert one(sgf.dumps(record)) == record


def test_points_are_counted_from_the_top_left() -> None:
    assert one("(;SZ[19];B[aa];W[sa];B[as];W[ss])").moves == [0, 18, 342, 360]


def test_without_a_size_or_a_komi_the_board_is_19_and_the_komi_none() -> None:
    assert one("(;B[dd])").game_spec == "go:size=19,komi=0,ko=simple"


def test_the_main_line_takes_the_first_child_each_time() -> None:
    tree = "(;SZ[9];B[ee](;W[cc];B[dd](;W[aa])(;W[bb]))(;W[gg]))"
    assert one(tree).moves == go_moves("E5", "C7", "D6", "A9")


def test_a_collection_gives_all_its_games() -> None:
    text = f"From the archive:\n{GAME}\n and \n{GAME.replace('SZ[9]', 'SZ[13]')}\n"
    records = sgf.loads(text)
    specs = [record.game_spec for record in records]
    assert specs == ["go:komi=6.5,ko=simple", "go:size=13,komi=6.5,ko=simple"]
    assert sgf.loads(sgf.dumps(records)) == records


def test_stones_set_up_become_the_start() -> None:
    record = one("(;SZ[3]PL[W];AB[aa][bb:cb]AW[ac];W[ba])")
    assert record.start == "X../.XX/O.. O"
    assert record.moves == [1]
    assert one(sgf.dumps(record)) == record


def test_a_handicap_lets_white_begin() -> None:
    record = one("(;SZ[9]HA[2]KM[0.5]AB[cg][gc];W[ee])")
    assert record.start is not None
    assert record.start.endswith(" O")
    assert record.start.count("X") == 2
    assert record.meta["HA"] == "2"
    assert one("(;SZ[9]HA[2]AB[cg][gc])").start == record.start


def test_a_handicap_without_stones_stands_on_the_fixed_points() -> None:
    record = one("(;SZ[9]HA[2];W[ee])")
    assert record.game_spec.endswith(",handicap=2")
    assert record.start is None
    first = states(record)[0]
    assert (first.to_move, first.cells().count(1)) == (1, 2)
    assert states(one(sgf.dumps(record)))[0].cells() == first.cells()


def test_a_handicap_played_as_moves_is_a_handicap() -> None:
    record = one("(;SZ[9]HA[3];B[cg];B[gc]C[free];B[gg];W[ee];B[dd])")
    assert record.start is not None
    assert record.start.count("X") == 3
    assert record.moves == go_moves("E5", "D6")
    assert record.meta["comments"] == {0: "free"}


def test_notes_on_moves_after_a_handicap_keep_their_moves() -> None:
    record = one("(;SZ[9];B[cg]V[9];B[gc]C[free];W[ee]C[tengen]V[-2];B[dd];B[cc]C[twice]V[3])")
    assert record.moves == [*go_moves("E5", "D6"), 81, *go_moves("C7")]
    assert record.meta["comments"] == {0: "free", 1: "tengen", 4: "twice"}
    assert record.meta["evals"] == {1: 2, 4: 3}, "for the side that made the move"


def test_a_side_that_moves_twice_is_answered_by_a_pass() -> None:
    record = one("(;SZ[9];B[ee];W[cc];W[dd]C[again])")
    assert record.moves == [*go_moves("E5", "C7"), 81, *go_moves("D6")]
    assert record.meta["comments"] == {4: "again"}


def test_white_may_begin() -> None:
    assert one("(;SZ[2];W[aa])").start == "../.. O"


@pytest.mark.parametrize(
    ("rules", "ko", "suicide"),
    [
        ("Japanese", "simple", "no"),
        ("Chinese", "simple", "no"),
        ("AGA", "situational", "no"),
        ("NZ", "situational", "yes"),
        ("Tromp-Taylor", "positional", "yes"),
        ("koPOSITIONALscoreAREAtaxNONEsui0", "positional", "no"),
    ],
)
def test_named_rules_choose_the_ko_rule(rules: str, ko: str, suicide: str) -> None:
    record = one(f"(;SZ[9]RU[{rules}])")
    assert record.game_spec == honte.game("go", komi=0, ko=ko, suicide=suicide).spec


@pytest.mark.parametrize("ko", ["simple", "positional", "situational"])
@pytest.mark.parametrize("suicide", ["no", "yes"])
@pytest.mark.parametrize("size", [2, 5, 19])
def test_a_random_game_survives_writing_and_replays(size: int, ko: str, suicide: str) -> None:
    choose = random.Random(size)
    position = go.Position(size, 6.5, ko, suicide == "yes")
    moves: list[int] = []
    while not position.is_over and len(moves) < 60:
        moves.append(choose.choice(position.legal_moves()))
        position = position.play(moves[-1])
    spec = honte.game("go", size=size, komi=6.5, ko=ko, suicide=suicide).spec
    again = one(sgf.dumps(Record(spec, ("本手", "ß]"), moves=moves)))
    assert (again.game_spec, again.players, again.moves) == (spec, ("本手", "ß]"), moves)
    last = states(again)[-1]
    assert last.cells() == position.cells()


def test_a_score_without_words_is_written_as_a_result() -> None:
    assert "RE[B+2.5]" in sgf.dumps(Record("go:size=9", score=2.5))
    assert "RE[W+0.5]" in sgf.dumps(Record("go:size=9", score=-0.5))
    assert one(sgf.dumps(Record("go:size=9,komi=0", score=0))).score == 0


@pytest.mark.parametrize(
    "codec", ["utf-8", "latin-1", "gbk", "big5", "shift_jis", "euc-jp", "euc-kr"]
)
def test_names_are_read_in_the_encoding_that_the_file_names(codec: str) -> None:
    # The second byte of 表 in Shift_JIS is a backslash; of 礭 in GBK it is a closing bracket.
    names = {"latin-1": "Müller", "shift_jis": "表ソ", "gbk": "礭", "euc-kr": "본수"}
    name = names.get(codec, "本手")
    assert one(f"(;CA[{codec}]SZ[9]PB[{name}];B[ee])".encode(codec)).players[0] == name


def test_a_file_without_encoding_is_read_all_the_same() -> None:
    assert one("(;SZ[9]PB[本手])".encode()).players[0] == "本手"
    assert one("(;SZ[9]PB[Müller])".encode("latin-1")).players[0] == "Müller"
    assert one(b"(;CA[rot13]SZ[9]PB[M\xfcller])").players[0] == "Müller"


def test_an_illegal_move_is_named_when_the_game_is_replayed() -> None:
    with pytest.raises(IllegalMove, match="move 2 of the record: "):
        list(one("(;SZ[9];B[ee];W[ee])").states())


def test_a_tree_as_deep_as_it_is_long_is_read() -> None:
    assert len(one("(;SZ[9]" + "(;B[ee](;W[dd]" * 20_000 + ")" * 40_001).moves) == 40_000


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "the text holds no SGF game"),
        ("hello", "the text holds no SGF game"),
        (GAME[:-1], "game 1: the text ends within the game; close it with '\\)'"),
        (GAME[:-3], "game 1: the text ends within a property; close it with '\\]'"),
        (GAME + GAME[:40], "game 2: the text ends within"),
        (GAME.replace("B[ee]", "B"), "game 1: property with no values"),
        (GAME.replace("SZ[9]", "SZ[1]"), "game 1: SZ\\[1\\] is out of range"),
        (GAME.replace("SZ[9]", "SZ[20]"), "game 1: SZ\\[20\\] is out of range"),
        (GAME.replace("SZ[9]", "SZ[9:13]"), "game 1: SZ\\[9:13\\] is not square"),
        (GAME.replace("SZ[9]", "SZ[-9]"), "game 1: SZ\\[-9\\] is not a size"),
        (GAME.replace("SZ[9]", f"SZ[{'9' * 100000}]"), "game 1: SZ\\[9{12}\\] is not a size"),
        (GAME.replace("6.5", "nan"), "game 1: KM\\[nan\\] is not a komi"),
        (GAME.replace("6.5", "1e999"), "game 1: KM\\[1e999\\] is not a komi"),
        (GAME.replace("GM[1]", "GM[2]"), "game 1: GM\\[2\\] is another game"),
        (GAME.replace("KM", "HA[x]KM"), "game 1: HA\\[x\\] is not a handicap"),
        (GAME.replace("KM", "PL[x]KM"), "game 1: PL\\[x\\] is not a side"),
        (GAME.replace("KM", "AB[zz]KM"), "game 1: AB names a point off the 9x9 board"),
        (GAME.replace("KM", "AB" + "[aa:ii]" * 2000 + "KM"), "game 1: more than 1444 points"),
        (GAME.replace("cc", "zz"), "game 1: move 2, W\\[zz\\], is off the 9x9 board"),
        (GAME.replace("cc", "c"), "game 1: move 2, W\\[c\\], is off the 9x9 board"),
        (GAME.replace("W[cc]", "W[cc]B[dd]"), "game 1: move 2 is of both colours"),
        (GAME.replace(";W[cc]", ";AW[zz]"), "game 1: AW names a point off the 9x9 board"),
        (GAME.replace("-0.25", "good"), "game 1: V\\['good'\\] after move 2 is not a value"),
        ("(;SZ[9];B[ee];B[ee])", "game 1: move 2 is on a stone"),
        ("(" + ";" * 300_000 + ")", "game 1: it has over 4194304 bytes or 200000 nodes"),
    ],
)
def test_an_error_names_the_game_and_the_place(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        sgf.loads(text)


def test_what_cannot_be_written_is_refused() -> None:
    with pytest.raises(ValueError, match="move 1 is 999; a 9x9 board has no such point"):
        sgf.dumps(Record("go:size=9", moves=[999]))
    with pytest.raises(ValueError, match="a game of othello cannot be written as SGF"):
        sgf.dumps(Record("othello"))
