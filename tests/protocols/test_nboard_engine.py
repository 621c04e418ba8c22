"""Our NBoard engine: games as GGF in, squares out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import honte
from honte.protocols.nboard import NBoard
from honte.protocols.nboard_engine import NBoardEngine
from tests.protocols.scripted import Tape

OTHELLO = honte.game("othello")


class Told:
    """An engine and its output lines."""

    def __init__(self, player: str = "uct:iterations=100,seed=1") -> None:
        self.tape = Tape()
        self.engine = NBoardEngine(OTHELLO, player, self.tape)

    def tell(self, line: str | bytes) -> list[str]:
        self.engine.handle((line if isinstance(line, bytes) else line.encode()) + b"\n")
        return self.tape.taken().splitlines()

    def position(self) -> str:
        return str(self.engine.board.state.to_text())


def ggf(moves: str) -> str:
    return NBoard(OTHELLO).ggf(OTHELLO.read_moves(moves))


def test_it_says_who_it_is_and_answers_pings_in_order() -> None:
    told = Told()
    assert told.tell("nboard 2")[0].startswith("set myname Honte")
    assert told.tell("ping 7") == ["pong 7"]
    assert told.tell("set depth 12") == []
    assert told.tell("ping x") == []
    assert not told.engine.handle(b"quit\n")


def test_go_answers_with_a_move_and_does_not_make_it() -> None:
    told = Told()
    told.tell(f"set game {ggf('f5d6c3')}")
    before = told.position()
    for _ in range(2):
        (answer,) = [line for line in told.tell("go") if line.startswith("===")]
        move, value, seconds = answer[4:].split("/")
        assert OTHELLO.parse(move) in told.engine.board.state.legal_moves()
        assert -64 <= float(value) <= 64
        assert float(seconds) >= 0
        assert told.position() == before
    told.tell(f"move {move}/{value}/{seconds}")
    assert len(told.engine.board.moves) == 4


def test_hints_come_with_their_lines() -> None:
    told = Told()
    said = told.tell("hint 3")
    found = [line for line in said if line.startswith("search ")]
    assert len(found) == 3
    for line in found:
        assert re.fullmatch(r"search (([A-H][1-8]|PA)+) -?\d+\.\d\d 0 \d+", line)
        OTHELLO.read_moves(line.split()[1].replace("PA", "--"))


def test_hints_say_what_each_move_is_worth() -> None:
    told = Told("best:iterations=2000")
    told.tell(f"set game {ggf('f5d6c3d3c4f4')}")
    found = [line.split() for line in told.tell("hint 60") if line.startswith("search ")]
    assert len(found) == len(told.engine.board.state.legal_moves())
    request = honte.Request(
        told.engine.board.state, limit=honte.Limit(iterations=2000), all_moves=True
    )
    report = honte.player("best", OTHELLO).choose(request)
    scores = [one.score for one in report.candidates if one.score is not None]
    assert [float(words[2]) for words in found] == [round(score, 2) for score in scores]


def test_an_exact_player_says_the_score_in_discs() -> None:
    told = Told("solver")
    told.tell(
        "set game (;GM[Othello]PB[a]PW[b]TY[8]BO[8 "
        "XXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXXO- *];)".replace("X", "*")
    )
    (answer,) = [line for line in told.tell("go") if line.startswith("===")]
    assert answer.startswith("=== H8/64.00/")


def test_a_game_is_analysed_from_its_end() -> None:
    told = Told()
    told.tape.patience = 2  # then somebody wants something else, and the rest is hurried
    told.tell(f"set game {ggf('f5d6c3')}")
    found = [line.split() for line in told.tell("analyze") if line.startswith("analysis")]
    assert [int(words[1]) for words in found] == [3, 2, 1, 0]
    assert told.tell("learn") == ["learned"]


@pytest.mark.parametrize(
    "line",
    [
        b"sing a song",
        b"set game (;GM[Othello]B[A1];)",
        b"set game nothing",
        b"set game " + b"x" * (1 << 20),
        b"set depth deep",
        b"set",
        b"move a1",
        b"move z9/1/2",
        b"move",
        b"move PA",
        b"hint many",
        b"\xff\xfe\x00",
        b"",
    ],
    ids=lambda line: repr(line[:24]),
)
def test_what_makes_no_sense_changes_nothing(line: bytes) -> None:
    told = Told()
    told.tell("move f5")
    before = told.position()
    for said in told.tell(line):
        assert re.match("status|search|nodestats", said)
    assert told.position() == before
    assert told.tell("ping 1") == ["pong 1"]


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=30),
            st.sampled_from([b"move f5", b"move PA", b"go", b"hint 2", b"set game (;;)", b"learn"]),
        ),
        max_size=8,
    )
)
def test_no_lines_break_it(lines: list[bytes]) -> None:
    told = Told("random:seed=1")
    for line in lines:
        told.tell(line)
    assert told.tell("ping 3")[-1] == "pong 3"


def test_the_end_of_a_game_is_a_pass() -> None:
    told = Told("random:seed=2")
    for _ in range(70):
        (answer,) = [line for line in told.tell("go") if line.startswith("===")]
        if told.engine.board.state.is_over:
            break
        assert not any("status c" in line for line in told.tell(f"move {answer[4:]}"))
    assert told.tell("go") == ["=== PA"]
