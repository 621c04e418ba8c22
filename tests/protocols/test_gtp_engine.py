"""Our GTP engine: its answers to a controller, and to a hostile one."""

from __future__ import annotations

import os
import random
import re
import time
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import honte
from honte.protocols.engine_board import Board
from tests.oracle.go import stones_without_liberty
from tests.pictures import set_up
from tests.protocols.scripted import Gtp, Tape

LONG = os.environ.get("HONTE_LONG", "") not in ("", "0")
LIST = """
    protocol_version name version known_command list_commands quit boardsize clear_board komi
    play genmove reg_genmove undo showboard final_score final_status_list time_settings time_left
    fixed_handicap place_free_handicap set_free_handicap loadsgf kgs-rules lz-analyze
    lz-genmove_analyze kata-analyze kgs-genmove_cleanup
"""


# -- the form ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        (b"protocol_version", "= 2"),
        (b"17 protocol_version", "=17 2"),
        (b"0 name", "=0 Honte"),
        (b"  name  # who are you?", "= Honte"),
        (b"\x01na\x02me\x7f\r", "= Honte"),
        (b"known_command\tplay", "= true"),
        (b"5\tknown_command fly", "=5 false"),
        (b"fly", "? unknown command"),
        (b"3 fly away", "?3 unknown command"),
        (b"12", "?12 unknown command"),
        (b"\xff\xfe\x80", "? unknown command"),
        (b"4 quit", "=4"),
    ],
)
def test_a_command_is_answered_with_its_number(line: bytes, answer: str) -> None:
    assert Gtp().ask(line) == answer


@pytest.mark.parametrize("line", [b"", b"   ", b"# only a comment", b"\x00\x01", b"\t\r"])
def test_an_empty_line_has_no_answer(line: bytes) -> None:
    gtp = Gtp()
    assert gtp.engine.handle(line + b"\n")
    assert gtp.tape.said == b""


def test_every_command_of_the_list_is_there() -> None:
    gtp = Gtp()
    assert set(LIST.split()) <= set(gtp.ask("list_commands")[2:].split())
    assert not gtp.engine.handle(b"quit\n")


REFUSED = [
    ("play b Z9", "invalid color or coordinate"),
    ("play b I5", "invalid color or coordinate"),
    ("play b E10", "invalid color or coordinate"),
    ("play green E5", "invalid color or coordinate"),
    ("play b", "invalid color or coordinate"),
    ("play w D4", "illegal move"),
    ("boardsize 25", "unacceptable size"),
    ("boardsize 1", "unacceptable size"),
    ("boardsize -3", "boardsize not an integer"),
    ("boardsize", "syntax error"),
    ("boardsize 99999999999999999999", "boardsize not an integer"),
    ("komi nan", "komi not a float"),
    ("komi 1e400", "komi not a float"),
    ("komi 5000", "not possible with this game"),
    ("genmove", "invalid color"),
    ("genmove x", "invalid color"),
    ("fixed_handicap 2", "board not empty"),
    ("fixed_handicap 10", "invalid number of stones"),
    ("fixed_handicap 1", "invalid number of stones"),
    ("place_free_handicap 1", "invalid number of stones"),
    ("set_free_handicap A1", "bad vertex list"),
    ("set_free_handicap A1 A1", "bad vertex list"),
    ("set_free_handicap A1 pass", "bad vertex list"),
    ("loadsgf /nowhere/at/all.sgf", "cannot load file"),
    ("loadsgf /dev/zero", "cannot load file"),
    ("loadsgf", "syntax error"),
    ("kgs-rules chess", "unknown rules"),
    ("final_status_list asleep", "invalid status"),
    ("time_settings 1 2", "not three integers"),
    ("time_settings -1 2 3", "not three integers"),
    ("time_left b soon 0", "syntax error"),
    ("lz-analyze b fast", "syntax error"),
    ("lz-analyze avoid b Z99 1", "syntax error"),
    ("set_game Othello", "unsupported game"),
    ("play b E5" + " " * (1 << 20), "line too long"),
]


@pytest.mark.parametrize(("line", "words"), REFUSED, ids=lambda text: str(text)[:30])
def test_a_refusal_changes_nothing(line: str, words: str) -> None:
    gtp = Gtp()
    gtp.tell("play b D4")
    before = gtp.position()
    assert gtp.ask(line) == f"? {words}"
    assert gtp.position() == before


WORDS = "b w D4 A1 pass resign 0 2 9 19 5.5 dead canadian printsgf japanese # maxmoves allow"
VOCABULARY = [*LIST.split(), *WORDS.split(), "kgs-time_settings"]


@given(st.lists(st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=5), max_size=12))
def test_no_sequence_of_words_breaks_it(lines: list[list[str]]) -> None:
    gtp = Gtp("go:size=5")
    for words in lines:
        if words[0] not in ("quit", "#", "0", "2", "9", "19"):
            gtp.ask(" ".join(words))
    gtp.tell("boardsize 3", "clear_board", "genmove b")


@given(st.lists(st.binary(max_size=40), max_size=10))
def test_no_bytes_break_it(lines: list[bytes]) -> None:
    gtp = Gtp("go:size=5")
    known = gtp.ask("list_commands").encode().split()
    assume(not any(word in known for line in lines for word in line.split()))
    before = gtp.position()
    for line in lines:
        gtp.engine.handle(line + b"\n")
        assert re.fullmatch(r"(\?[0-9]* unknown command\n\n)?", gtp.tape.taken())
    assert gtp.position() == before


# -- Go ------------------------------------------------------------------------------------


def test_one_colour_may_play_twice() -> None:
    gtp = Gtp()
    gtp.tell("play b C3", "play b G7", "play b C7")
    board = gtp.engine.board
    assert sorted(map(board.game.format, (i for i, c in enumerate(board.state.cells()) if c))) == [
        "C3",
        "C7",
        "G7",
    ]
    assert gtp.ask("genmove w") != "= pass"
    gtp.tell("undo", "undo", "undo", "undo")
    assert board.is_empty
    assert gtp.ask("undo") == "? cannot undo"


def test_a_game_goes_on_after_two_passes() -> None:
    gtp = Gtp()
    gtp.tell("play b E5", "play w pass", "play b pass", "play b pass")
    assert gtp.ask("final_score") == "= B+73.5"
    assert gtp.ask("genmove w") != "= pass"
    gtp.tell("play b pass", "play w pass", "play w A1", "undo", "undo", "genmove b")


def test_ko_is_remembered_through_passes_and_turns() -> None:
    # Black takes a stone at D5; White may not take back as long as the board would repeat.
    gtp = Gtp()
    gtp.tell("play b C5", "play b D6", "play b D4", "play w E6", "play w E4", "play w F5")
    gtp.tell("play w D5", "play b E5")
    assert gtp.ask("play w D5") == "? illegal move"
    gtp.tell("play w pass", "play b pass")
    assert gtp.ask("play w D5") == "? illegal move"
    gtp.tell("play b J1")
    gtp.tell("play w D5")
    gtp.tell("undo", "undo")
    assert gtp.ask("play w D5") == "? illegal move"
    gtp.tell("kgs-rules japanese", "play w D5")


def apply(board: bytes, size: int, side: int, point: int) -> bytes | None:
    """The board after a stone, by a referee independent of our code; None for suicide."""
    cells = bytearray(board)
    cells[point] = side + 1
    for other, cell in enumerate(cells):
        if cell == 2 - side and (dead := stones_without_liberty(cells, size, other)):
            for stone in dead:
                cells[stone] = 0
    return None if stones_without_liberty(cells, size, point) else bytes(cells)


def play_hostile_game(seed: int, commands: int = 80) -> int:
    """A controller who plays any point with any colour, takes back, and tries to repeat."""
    draw = random.Random(seed)
    size = draw.choice((2, 3, 3, 4))
    gtp = Gtp(f"go:size={size}", f"random:seed={seed}")
    parse = gtp.engine.board.game.parse
    boards = [bytes(size * size)]
    repeats = 0
    for _ in range(commands):
        side, what = draw.randrange(2), draw.random()
        if what < 0.05 and len(boards) > 1:
            gtp.tell("undo")
            boards.pop()
        elif what < 0.4:
            answer = gtp.ask(f"genmove {'bw'[side]}")[2:]
            after: bytes | None = boards[-1]
            if answer != "pass":
                assert boards[-1][parse(answer)] == 0
                after = apply(boards[-1], size, side, parse(answer))
                assert after is not None, f"seed {seed}: suicide at {answer}"
                assert after not in boards, f"seed {seed}: {answer} repeats a position"
            boards.append(after or b"")
        else:
            point = draw.randrange(size * size)
            name = gtp.engine.board.game.format(point)
            after = apply(boards[-1], size, side, point) if not boards[-1][point] else None
            legal = after is not None and after not in boards
            repeats += after is not None and after in boards
            answer = gtp.ask(f"play {'bw'[side]} {name}")
            assert answer == ("=" if legal else "? illegal move"), f"seed {seed}: {name}"
            if after is not None and legal:
                boards.append(after)
        assert gtp.engine.board.state.cells() == boards[-1]
    return repeats


def test_superko_is_never_violated_against_a_hostile_controller() -> None:
    games = 10_000 if LONG else 50
    repeats = sum(map(play_hostile_game, range(games)))
    assert repeats > games  # it was tried often enough


def test_handicaps_stand_where_gtp_says() -> None:
    gtp = Gtp("go:size=19")
    assert gtp.ask("fixed_handicap 2") == "= D4 Q16"
    assert gtp.engine.board.state.to_move == 1
    gtp.tell("clear_board")
    assert len(set(gtp.ask("place_free_handicap 13")[2:].split())) == 13
    gtp.tell("clear_board", "set_free_handicap D4 Q4 K10", "genmove w", "undo")
    assert gtp.ask("undo") == "? cannot undo"
    gtp.tell("boardsize 5", "clear_board", "place_free_handicap 3")
    assert gtp.ask("fixed_handicap 2") == "? invalid number of stones"


def test_a_record_is_loaded_to_the_position_before_a_move(tmp_path: Path) -> None:
    file = tmp_path / "a game.sgf"
    file.write_text("(;GM[1]SZ[13]KM[5.5]HA[2]AB[dd][jj];W[jd];B[dj];W[gg])")
    gtp = Gtp()
    gtp.tell(f"loadsgf {file} 3")
    board = gtp.engine.board
    assert (board.game.size, board.game.komi, len(board.moves)) == (13, 5.5, 2)
    assert board.state.to_move == 1
    gtp.tell(f"loadsgf {file}")
    assert len(gtp.engine.board.moves) == 3
    gtp.tell("undo", "genmove w")
    before = gtp.position()
    file.write_bytes(b"(;GM[1]SZ[13];B[zz" + bytes(range(256)))
    assert gtp.ask(f"loadsgf {file}") == "? cannot load file"
    assert gtp.position() == before


def test_what_is_printed_as_sgf_can_be_loaded(tmp_path: Path) -> None:
    gtp = Gtp()
    gtp.tell("komi 6.5", "play b D4", "play w E5", "play b pass", "play w C3")
    before = gtp.position()
    file = tmp_path / "game.sgf"
    file.write_text(gtp.ask("printsgf")[2:])
    gtp.tell("boardsize 19", f"loadsgf {file}")
    assert gtp.position() == before


def test_komi_may_change_during_the_game() -> None:
    gtp = Gtp()
    gtp.tell("play b E5", "komi 0.5")
    assert gtp.ask("final_score") == "= B+80.5"
    gtp.tell("undo", "clear_board", "play w E5")
    assert gtp.ask("final_score") == "= W+81.5"


def test_a_stone_in_the_enemy_s_territory_is_dead() -> None:
    gtp = Gtp()
    for row in range(1, 10):
        gtp.tell(f"play b D{row}", f"play w F{row}")
    gtp.tell("play w B5", "play b H5", "play b A2", "play b A4", "play w J6", "play w J8")
    assert set(gtp.ask("final_status_list dead")[2:].split()) == {"B5", "H5"}
    alive = gtp.ask("final_status_list alive")[2:].split()
    assert "D5" in alive
    assert "B5" not in alive
    assert gtp.ask("final_score") == "= W+7.5"
    assert "A1" in gtp.ask("final_status_list black_territory")
    assert gtp.ask("final_status_list seki") == "="


def test_cleaning_up_takes_dead_stones_off_before_it_passes() -> None:
    gtp = Gtp("go:size=7,komi=0.5", "uct:iterations=300,seed=1")
    for row in range(1, 8):
        gtp.tell(f"play b B{row}", f"play w D{row}")
    gtp.tell("play b A2", "play b A4", "play b F4", "play w G2", "play w G6")
    assert gtp.ask("final_status_list dead") == "= F4"
    for _ in range(12):
        if gtp.ask("kgs-genmove_cleanup w") == "= pass":
            break
        gtp.tell("play b pass")
    assert gtp.ask("final_status_list dead") == "="
    assert gtp.engine.board.state.cells()[3 * 7 + 5] != 1


def test_an_analysis_says_whose_the_points_are() -> None:
    gtp = Gtp("go:size=5", "uct:seed=1")
    gtp.tape.patience = 2
    gtp.tell("play b C3")
    gtp.engine.handle(b"kata-analyze w 5 ownership true\n")
    line = gtp.tape.taken().splitlines()[1]
    owned = [float(word) for word in line.partition(" ownership ")[2].split()]
    assert len(owned) == 25
    assert owned[12] < -0.5  # it is White's turn, and the stone is Black's


# -- Othello -------------------------------------------------------------------------------


def test_othello_has_row_one_at_the_top() -> None:
    gtp = Gtp("othello")
    gtp.tell("set_game Othello", "boardsize 8", "clear_board", "komi 0", "play b F5")
    assert gtp.ask("showboard").splitlines()[6] == " 5 . . . X X X . . 5"
    assert gtp.ask("play w a1") == "? illegal move"
    assert gtp.ask("play w pass") == "? illegal move"
    assert re.fullmatch(r"= [df][64]", gtp.ask("genmove w"))
    gtp.tell("boardsize 6", "genmove b")
    assert gtp.ask("boardsize 7") == "? unacceptable size"


def test_othello_is_played_to_the_end_and_beyond() -> None:
    gtp = Gtp("othello", "random:seed=4")
    for ply in range(70):
        gtp.tell(f"genmove {'bw'[ply % 2]}")
    state = gtp.engine.board.state
    assert state.is_over
    assert gtp.ask("genmove b") == "= pass"
    assert gtp.ask("play w pass") == "="
    assert gtp.ask("final_score") in (f"= B+{state.score:g}", f"= W+{-state.score:g}", "= 0")


def test_a_forced_pass_may_be_left_out() -> None:
    game = honte.game("othello")
    for seed in range(30):
        draw, state, told = random.Random(seed), game.start(), Gtp("othello")
        passes = 0
        while not state.is_over:
            move = draw.choice(state.legal_moves())
            if game.format(move) == "pass":
                passes += 1
            else:
                told.tell(f"play {'bw'[state.to_move]} {game.format(move)}")
            state = state.play(move)
        assert told.engine.board.state == state
        if passes > 1:
            return
    pytest.fail("no game with passes")


# -- thinking ------------------------------------------------------------------------------


def test_the_clock_stands_over_the_player_s_own_time() -> None:
    gtp = Gtp("go:size=9", "uct:seconds=100")
    gtp.tell("time_settings 0 1 1")
    started = time.perf_counter()
    gtp.tell("genmove b", "time_settings 60 0 0", "time_left w 1 0", "genmove w")
    assert time.perf_counter() - started < 20


@pytest.mark.parametrize(
    ("may", "values", "answers"),
    [
        (None, [-1.0] * 5, [False] * 5),
        (-0.95, [-1.0, -0.99, -0.96, -1.0], [False, False, True, True]),
        (-0.95, [-1.0, -1.0, -0.9, -1.0, -1.0], [False] * 5),
        (-0.8, [-0.9, -0.8, -0.85], [False, False, True]),
    ],
)
def test_it_resigns_only_where_it_may_and_for_long_has_no_hope(
    may: float | None, values: list[float], answers: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    gtp = Gtp("go:size=5,komi=30", resign=may)
    for value, answer in zip(values, answers, strict=True):
        monkeypatch.setattr(
            gtp.engine.session,
            "choose",
            lambda state, *_, value=value, **__: honte.Report(state.legal_moves()[0], value=value),
        )
        assert (gtp.ask("genmove b") == "= resign") == answer
        gtp.tell("genmove w")


def test_it_does_not_resign_where_the_board_is_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    gtp = Gtp("go:size=5,komi=0.5", resign=-0.95)
    gtp.tell(
        "play b C1", "play b C2", "play b C3", "play b C4", "play b C5", "play b B2", "play b B4"
    )
    monkeypatch.setattr(
        gtp.engine.session,
        "choose",
        lambda state, *_, **__: honte.Report(state.game.pass_move, value=-1.0),
    )
    for _ in range(5):
        assert gtp.ask("genmove b") == "= pass"


SEKI = """
    X X O O . X X O .
    X O O O . X X O O
    X O O O O X X O .
    X X X X X O O O O
    . X . X X O . O .
    X X X X X O O O O
    . X . X X O . O .
    X X X X X O O O O
    . X . X X O . O .
"""


def test_seki_is_told_apart_from_life() -> None:
    gtp = Gtp()
    gtp.engine.board = Board(gtp.engine.board.game, set_up("go:size=9", SEKI))
    assert gtp.ask("final_status_list dead") == "="
    seki = set(gtp.ask("final_status_list seki")[2:].split())
    black = {f"{column}{row}" for column in "FG" for row in (7, 8, 9)}
    white = {"C9", "D9", "B8", "C8", "D8", "B7", "C7", "D7", "E7"}
    assert seki == black | white  # as GNU Go has it
    assert not seki & set(gtp.ask("final_status_list alive")[2:].split())


LINE = re.compile(
    r"info move [A-J]\d visits \d+ winrate \d{1,5} prior \d{1,5} lcb \d{1,5} order \d+ "
    r"pv [A-J]\d( (pass|[A-J]\d))*( info move .*)?"
)


def test_an_analysis_reports_until_the_next_command() -> None:
    gtp = Gtp("go:size=9", "uct:iterations=10,seed=1")
    gtp.tape = gtp.engine.transport = Tape(patience=6)
    before = gtp.position()
    answer = gtp.ask("9 lz-analyze b 5 maxmoves 3").splitlines()
    assert answer[0] == "=9"
    assert len(answer) >= 3
    for line in answer[1:]:
        assert LINE.fullmatch(line), line
        assert line.count("info move") <= 3
    assert gtp.position() == before
    gtp.tell("name")


def test_a_kata_analysis_has_rates_below_one() -> None:
    gtp = Gtp("go:size=9", "uct:seed=1")
    answer = gtp.ask("kata-analyze w interval 5 ownership true avoid w E5,D4 1").splitlines()
    rates = [float(rate) for rate in re.findall(r"(?:winrate|lcb|prior) (\S+)", answer[-1])]
    assert rates
    assert all(0 <= rate <= 1 for rate in rates)
    assert "move E5" not in answer[-1]


def test_a_move_that_is_only_refuted_has_no_winning_rate() -> None:
    gtp = Gtp("othello", "best:iterations=3000")
    report = honte.player("best:iterations=3000", gtp.engine.board.game).choose(
        gtp.engine.board.state
    )
    kinds = [candidate.kind for candidate in report.candidates]
    assert "bound" in kinds
    answer = gtp.ask("kata-genmove_analyze b 100").splitlines()
    assert answer[1].count("info move") == kinds.count("estimate")
    assert report.score is not None
    assert f" scoreLead {report.score:.3f} " in answer[1]


@pytest.mark.parametrize("player", ["random:seed=1", "alphabeta:depth=2", "level:20", "best"])
def test_any_player_can_be_asked_for_an_analysis(player: str) -> None:
    gtp = Gtp("othello", player)
    gtp.tape = gtp.engine.transport = Tape(patience=2)
    assert gtp.ask("lz-analyze 1").count("info move") > 2
    shown = re.search(r"\ninfo move ([a-h]\d) [^\n]*\nplay \1$", gtp.ask("lz-genmove_analyze b 10"))
    assert shown is not None
    assert len(gtp.engine.board.moves) == 1
