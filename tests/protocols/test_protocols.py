"""Each protocol on strings: the messages sent, and the parsing of answers."""

from __future__ import annotations

import json
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

import honte
from honte.core.fault import Fault
from honte.protocols.botzone import KEEP_RUNNING, Botzone, BotzoneSimple
from honte.protocols.getpoint import GetPoint
from honte.protocols.gtp import Gtp
from honte.protocols.kaggle import Kaggle
from honte.protocols.nboard import NBoard
from honte.protocols.protocol import Protocol, run_scripted
from honte.protocols.python import PythonFunction
from honte.protocols.saiblo import Saiblo, SaibloJson
from tests.protocols.exchanges import position, turn

GO = honte.game("go:size=9,komi=6.5")
OTHELLO = honte.game("othello")
CONNECT4 = honte.game("connect4:rows=9,cols=9,blocked=8/3")


def frame(text: bytes) -> bytes:
    return struct.pack(">I", len(text)) + text


# -- GTP -------------------------------------------------------------------------------


def ready(game: honte.Game) -> Gtp:
    """An engine that knows time_settings and has an empty board."""
    gtp = Gtp(game)
    run_scripted(gtp.hello(), b"=1 genmove\ntime_settings\n\n")
    answers = b"=2\n\n=3\n\n" + (b"=4\n\n" if game.name == "go" else b"")
    _, sent = run_scripted(gtp.new_game(), answers)
    assert sent.startswith(b"2 boardsize ")
    return gtp


def test_gtp_sends_the_new_moves_and_the_request_together() -> None:
    gtp = ready(GO)
    assert turn(gtp, "", b"=5\n\n=6 E5\n\n") == ("E5", "5 time_settings 0 2 1\n6 genmove black\n")
    assert turn(gtp, "E5 D4", b"=7\n\n=8 PASS\n\n") == (
        "pass",
        "7 play white D4\n8 genmove black\n",
    )


def test_gtp_starts_over_where_the_moves_are_not_what_the_engine_knows() -> None:
    gtp = ready(GO)
    turn(gtp, "", b"=5\n\n=6 E5\n\n")
    answers = b"=7\n\n=8\n\n=9\n\n=10\n\n=11\n\n=12 C3\n\n"
    move, sent = turn(gtp, "A1 B1", answers)
    assert move == "C3"
    assert sent.splitlines() == [
        "7 boardsize 9",
        "8 clear_board",
        "9 komi 6.5",
        "10 play black A1",
        "11 play white B1",
        "12 genmove black",
    ]


def test_gtp_tells_a_handicap_as_stones_and_white_moves_first() -> None:
    gtp = Gtp(honte.game("go:size=9,handicap=2"))
    run_scripted(gtp.hello(), b"=1 genmove\n\n")
    _, sent = run_scripted(gtp.new_game(), b"=2\n\n=3\n\n=4\n\n=5\n\n=6\n\n")
    assert sent.splitlines()[-2:] == [b"5 play black G7", b"6 play black C3"]
    assert turn(gtp, "", b"=7 E5\n\n") == ("E5", "7 genmove white\n")


def test_gtp_othello_has_row_one_at_the_top() -> None:
    gtp = ready(OTHELLO)
    move, sent = turn(gtp, "f5", b"=4\n\n=5\n\n=6 D6\n\n")
    assert (move, sent.splitlines()[-2:]) == ("d6", ["5 play black f5", "6 genmove white"])


def test_gtp_passes_over_lines_that_are_no_answer() -> None:
    answers = b"\xff\xfe noise\r\n\r\n=5\r\n\r\ninfo: thinking\n=6 e5\r\n\r\n"
    assert turn(ready(GO), "", answers)[0] == "E5"
    assert turn(ready(GO), "", b"=5\n\n" + b"noise\n" * 1999 + b"=6 E5\n\n")[0] == "E5"


def test_gtp_tells_the_time_again_only_where_it_changes() -> None:
    gtp = ready(GO)
    assert "time_settings 0 2 1" in turn(gtp, "", b"=5\n\n=6 E5\n\n")[1]
    assert "time_settings" not in turn(gtp, "E5 D4", b"=7\n\n=8 C3\n\n")[1]
    longer = honte.Limit(seconds=7.9)
    assert "time_settings 0 7 1" in turn(gtp, "E5 D4 C3 D3", b"=9\n\n=10\n\n=11 B2\n\n", longer)[1]


def test_gtp_engines_may_refuse_to_be_told_a_forced_pass_of_othello_and_no_move() -> None:
    record = "d3c3e6d2d1e1b2c1pass"
    agreed = b"".join(b"=%d\n\n" % number for number in range(4, 13))  # time_settings, 8 moves
    assert turn(ready(OTHELLO), record, agreed + b"?13 no\n\n=14 A3\n\n")[0] == "a3"
    with pytest.raises(Fault, match="it refuses 'play white c1' with 'no'"):
        turn(ready(OTHELLO), record, agreed[:-5] + b"?12 no\n\n=13\n\n=14 A3\n\n")


def test_a_gtp_reply_is_complete_with_its_empty_line() -> None:
    gtp = Gtp(GO)
    assert [gtp.is_complete(said) for said in (b"", b"=1 E5\n\n", b"=1 E5\n")] == [
        True,
        True,
        False,
    ]
    assert "without the empty line" in gtp.diagnose(b"\n=1 E5\n")
    assert [gtp.diagnose(said) for said in (b"=1 E5\n\n", b"E5\n", b"")] == ["", "", ""]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"=6 Z9\n\n", "illegal"),
        (b"=6 I5\n\n", "illegal"),
        (b"=6 " + b"9" * 60000 + b"\n\n", "illegal"),
        (b"=6\n\n", "illegal"),
        (b"=6 resign\n\n", "resign"),
        (b"=7 E5\n\n", "illegal"),
        (b"= E5\n\n", "protocol"),
        (b"?6 cannot\n\n", "protocol"),
        (b"=6 E5\x00\n\n", "protocol"),
        (b"=6 \x1b[31mE5\n\n", "protocol"),
        (b"=6 \xff\n\n", "protocol"),
        (b"noise\n" * 2001, "protocol"),
    ],
)
def test_gtp_answers_that_lose(answer: bytes, reason: str) -> None:
    with pytest.raises(Fault) as caught:
        turn(ready(GO), "", b"=5\n\n" + answer)
    assert caught.value.reason == reason


# -- Saiblo and the course -------------------------------------------------------------


def test_saiblo_gets_the_judges_view() -> None:
    saiblo = Saiblo(CONNECT4)
    assert run_scripted(saiblo.new_game(), b"") == (None, b"9 9 8 3\n")
    move, sent = turn(saiblo, "44", frame(b"5 3"))
    lines = sent.splitlines()
    assert move == "4"
    assert lines[0] == "6 3"  # the second piece rests on the first, that one on the blocked cell
    assert lines[1] == "9 9 9 6 9 9 9 9 9"
    assert lines[2 + 7] == "0 0 0 2 0 0 0 0 0"  # mine
    assert lines[2 + 6] == "0 0 0 1 0 0 0 0 0"  # theirs
    assert lines[2 + 8] == "0 0 0 0 0 0 0 0 0"  # the blocked cell is a 0


def test_the_tops_skip_the_blocked_cell() -> None:
    for blocked, moves, top in [
        ("8/3", "", 8),  # at the bottom: one less to start with
        ("6/3", "4", 8),
        ("6/3", "44", 6),  # a piece right below it: two less
        ("0/3", "44444444", 0),  # at the top: full once row 1 is taken
    ]:
        protocol = Saiblo(honte.game(f"connect4:rows=9,cols=9,blocked={blocked}"))
        _, state = position(protocol, moves)
        exchange = protocol.turn([], state, honte.Limit())
        sent = next(exchange)
        assert isinstance(sent, bytes)
        assert sent.splitlines()[1].split()[3] == b"%d" % top


def test_saiblo_understands_both_forms_of_answer() -> None:
    for protocol in (Saiblo(CONNECT4), SaibloJson(CONNECT4)):
        for answer in (frame(b"8 0"), frame(b'{"X": 8, "Y": 0}'), b'0015{"X": 8,"Y": 0}'):
            assert turn(protocol, "", answer)[0] == "1"


def test_saiblo_in_the_older_form_sends_json_behind_its_length() -> None:
    protocol = SaibloJson(CONNECT4)
    _, sent = run_scripted(protocol.new_game(), b"")
    assert sent == b'0051{"type": 0, "row": 9, "col": 9, "nox": 8, "noy": 3}'
    _, text = turn(protocol, "1", frame(b"8 1"))
    assert int(text[:4]) == len(text) - 4
    message = json.loads(text[4:])
    assert (message["type"], message["lastx"], message["lasty"]) == (1, 8, 0)


@pytest.mark.parametrize("answer", [b"8 3", b"-1 0", b"7 0", b"9 0", b"0 9"])
def test_a_point_where_no_piece_lands_is_illegal(answer: bytes) -> None:
    with pytest.raises(Fault) as caught:
        turn(Saiblo(CONNECT4), "", frame(answer))
    assert caught.value.reason == "illegal"


# -- Botzone ---------------------------------------------------------------------------


def test_botzone_gets_the_whole_game_and_then_bare_requests() -> None:
    botzone = Botzone(OTHELLO)
    answer = b'{"response":{"x":5,"y":4},"debug":"hm","data":"d"}\n'
    move, sent = turn(botzone, "", answer)
    assert move == "f5"
    assert json.loads(sent)["requests"] == [{"x": -1, "y": -1}]
    assert not botzone.keeps_running(b"")
    move, sent = turn(botzone, "f5d6", b'{"response":{"x":2,"y":2}}\n')
    given = json.loads(sent)
    assert move == "c3"
    assert given["requests"] == [{"x": -1, "y": -1}, {"x": 3, "y": 5}]
    assert given["responses"] == [{"x": 5, "y": 4}]
    assert given["data"] == "d"
    assert botzone.keeps_running(KEEP_RUNNING + b"\n")
    _, sent = turn(botzone, "f5d6c3d3", b'{"response":{"x":2,"y":3}}\n')
    assert json.loads(sent) == {"x": 3, "y": 2}


def test_botzone_connect_four_tells_the_board_in_the_first_request() -> None:
    _, sent = turn(Botzone(CONNECT4), "1", b'{"response":{"x":8,"y":1}}\n')
    (request,) = json.loads(sent)["requests"]
    assert request == {"rows": 9, "cols": 9, "blocked": [[8, 3]], "x": 8, "y": 0}


def test_botzone_go_counts_from_one() -> None:
    move, sent = turn(Botzone(GO), "A1 J9", b'{"response":{"x":-1,"y":-1}}\n')
    assert move == "pass"
    given = json.loads(sent)
    assert given["requests"] == [{"x": -2, "y": -2}, {"x": 9, "y": 9}]
    assert given["responses"] == [{"x": 1, "y": 1}]


def test_botzone_without_json_counts_its_lines() -> None:
    simple = BotzoneSimple(OTHELLO)
    move, sent = turn(simple, "f5d6", b"2 2\n")
    assert (move, sent.split("\n")) == ("c3", ["2", "-1 -1", "5 4", "3 5", "", ""])


@pytest.mark.parametrize(
    ("said", "data"),
    [
        (b"", ""),
        (b"my data\n", "my data"),
        (b"hm\r\nmy data\r\n", "my data"),
        (b"\nmy data\nfor all games\nto come\n", "my data"),
        (b"5 4\n", "5 4"),
        (b"\xff \xe6\x95\xb0\n", "\ufffd 数"),
    ],
)
@pytest.mark.parametrize("asked", [b"", KEEP_RUNNING + b"\n"])
def test_botzone_without_json_gets_the_data_of_its_last_turn(
    said: bytes, data: str, asked: bytes
) -> None:
    simple = BotzoneSimple(OTHELLO)
    assert simple.keeps_running(said + asked) == bool(asked)
    simple.running = False
    assert turn(simple, "f5d6", b"2 2\n")[1].split("\n") == ["2", "-1 -1", "5 4", "3 5", data, ""]
    run_scripted(simple.new_game(), b"")
    assert turn(simple, "f5d6", b"2 2\n")[1].endswith("3 5\n\n")


def test_botzone_that_answers_twice_loses() -> None:
    with pytest.raises(Fault, match=r"^illegal: it answered twice"):
        Botzone(OTHELLO).keeps_running(b'{"response":{"x":2,"y":3}}\n')
    with pytest.raises(Fault, match=r"^illegal: it answered twice: '2 3'"):
        BotzoneSimple(OTHELLO).keeps_running(b"data\n" + KEEP_RUNNING + b"\n2 3")


# -- NBoard ----------------------------------------------------------------------------


def test_nboard_gets_the_game_as_ggf_and_may_use_blanks() -> None:
    for answer in (b"=== D6/1.0/0.5\n", b"===D6 1.0 0.5\n", b"=== d6\n"):
        nboard = NBoard(OTHELLO)
        run_scripted(nboard.hello(), b"set myname Ntest\npong 1\n")
        assert nboard.version == "Ntest"
        move, sent = turn(nboard, "f5", b"pong 2\nstatus thinking\nsearch d6 1 0 5\n" + answer)
        assert move == "d6"
        assert "B[F5];)" in sent
        assert sent.endswith("ping 2\ngo\n")


def test_nboard_is_told_a_depth_once_and_passes_as_pa() -> None:
    nboard, limit = NBoard(OTHELLO), honte.Limit(depth=6)
    run_scripted(nboard.hello(), b"pong 1\n")
    _, sent = turn(nboard, "f5", b"pong 2\n=== d6\n", limit)
    assert sent.startswith("set depth 6\nset game (;GM[Othello]")
    _, sent = turn(nboard, "f5d6", b"pong 3\n=== c3\n", limit)
    assert sent.startswith("set game ")
    _, sent = turn(nboard, "f5d6", b"pong 4\n=== c3\n", honte.Limit(depth=8))
    assert sent.startswith("set depth 8\n")
    assert nboard.ggf([37, 64, 43]).endswith("B[F5]W[PA]B[D6];)")


@pytest.mark.parametrize(
    ("answers", "reason"),
    [
        (b"pong 2\n=== z9\n", "illegal"),
        (b"pong 2\n===\n", "protocol"),
        (b"pong 2\n" + b"status\n" * 20_000, "protocol"),
        (b"pong 1\n" * 20_000, "protocol"),
    ],
)
def test_nboard_answers_that_lose(answers: bytes, reason: str) -> None:
    nboard = NBoard(OTHELLO)
    run_scripted(nboard.hello(), b"pong 1\n")
    with pytest.raises(Fault) as caught:
        turn(nboard, "f5", answers)
    assert caught.value.reason == reason


# -- hosts -----------------------------------------------------------------------------


def test_kaggle_sees_the_board_from_the_top_and_its_mark() -> None:
    move, sent = turn(Kaggle(honte.game("connect4")), "4", b"move 3\n")
    request = json.loads(sent)
    assert move == "4"
    assert request["observation"]["board"][38] == 1
    assert request["observation"]["mark"] == 2
    assert request["configuration"]["columns"] == 7


def test_a_hosts_answers_that_lose() -> None:
    for answer, reason in [
        (b"null\n", "time"),
        (b"raised ZeroDivisionError: division by zero\n", "crash"),
        (b"raised MemoryError: \n", "memory"),
        (b"other str\n", "illegal"),
        (b"point 0 0\n", "illegal"),
        (b"hello\n", "protocol"),
        (b"\xff\n", "protocol"),
    ]:
        with pytest.raises(Fault) as caught:
            turn(GetPoint(CONNECT4), "", answer)
        assert caught.value.reason == reason


PROTOCOLS: list[Protocol] = [
    Saiblo(CONNECT4),
    SaibloJson(CONNECT4),
    Botzone(CONNECT4),
    BotzoneSimple(OTHELLO),
    NBoard(OTHELLO),
    Kaggle(honte.game("connect4")),
    GetPoint(CONNECT4),
    PythonFunction(GO),
    Gtp(GO),
]


@pytest.mark.parametrize("protocol", PROTOCOLS, ids=lambda protocol: protocol.name)
@given(answers=st.binary(max_size=300))
def test_whatever_a_bot_says_is_a_move_or_a_fault(protocol: Protocol, answers: bytes) -> None:
    state = protocol.game.start()
    try:
        move, _ = run_scripted(protocol.turn([], state, honte.Limit(seconds=1)), answers)
    except (Fault, EOFError):
        return
    assert type(move) is int
