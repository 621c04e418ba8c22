"""Our Botzone and Saiblo engines, against the judges in honte.protocols."""

from __future__ import annotations

import contextlib
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import honte
from honte.core.report import Report
from honte.protocols import course
from honte.protocols.botzone import KEEP_RUNNING, Botzone, BotzoneSimple, to_point
from honte.protocols.botzone_engine import BotzoneEngine, seconds_of
from honte.protocols.protocol import Exchange, run_scripted
from honte.protocols.saiblo import Saiblo, SaibloJson
from honte.protocols.saiblo_engine import SaibloEngine, position
from tests.protocols.scripted import Tape

LIMIT = honte.Limit(seconds=5)


def asked(exchange: Exchange[int]) -> bytes:
    """What a judge says before it waits for an answer."""
    sent = b""
    for step in exchange:
        if not isinstance(step, bytes):
            break
        sent += step
    return sent


def judge_game(
    judge: Any, engine: Any, seed: int, side: int, lines: bool, opening: bytes = b""
) -> honte.State:
    """A whole game of an engine against random moves, every word through the judge."""
    game, draw, moves = judge.game, random.Random(seed), list[int]()
    state = game.start()
    tape: Tape = engine.transport
    if opening:
        engine.handle(opening)
    while not state.is_over:
        if state.to_move != side:
            move = draw.choice(state.legal_moves())
        else:
            given = asked(judge.turn(moves, state, LIMIT))
            for piece in given.splitlines(keepends=True) if lines else pieces(given, draw):
                assert engine.handle(piece)
            said = tape.said
            tape.taken() if lines else setattr(tape, "said", b"")
            move, _ = run_scripted(judge.turn(moves, state, LIMIT), said)
            if lines:
                assert judge.keeps_running(said.split(b"\n", 1)[1])
        moves.append(move)
        state = state.play(move)
    return state  # type: ignore[no-any-return]


def pieces(data: bytes, draw: random.Random) -> list[bytes]:
    """The same bytes as a pipe may hand them over."""
    cut = draw.randrange(len(data))
    return [data[:cut], data[cut:]] if cut else [data]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("form", [Botzone, BotzoneSimple])
@pytest.mark.parametrize("spec", ["othello", "go:size=4", "connect4:course,seed=3"])
def test_bot_and_judge_of_botzone_understand_each_other(
    spec: str, form: type[Botzone], side: int
) -> None:
    if form is BotzoneSimple and spec.startswith("connect4"):
        return
    game = honte.game(spec)
    for seed in range(5):
        plain = honte.game(game.name, **({"size": 4} if game.name == "go" else {}))
        engine = BotzoneEngine(plain, f"random:seed={seed}", Tape())
        judge_game(form(game), engine, seed, side, lines=True)


def test_a_whole_game_of_json_is_answered_at_any_point() -> None:
    game = honte.game("othello")
    state, moves = game.start(), list[int]()
    draw = random.Random(1)
    while not state.is_over:
        tape = Tape()
        engine = BotzoneEngine(honte.game("othello"), "random:seed=1", tape, keep_running=False)
        judge = Botzone(game)
        assert not engine.handle(asked(judge.turn(moves, state, LIMIT)))
        assert KEEP_RUNNING not in tape.said
        move, _ = run_scripted(judge.turn(moves, state, LIMIT), tape.said)
        assert move in state.legal_moves()
        moves.append(draw.choice(state.legal_moves()))
        state = state.play(moves[-1])


@pytest.mark.parametrize("data", [b"", b"\n", b"my data\n", b"my data\nfor all games\n2\n"])
def test_data_after_the_lines_of_a_game_is_ignored(data: bytes) -> None:
    engine = BotzoneEngine(honte.game("othello"), "random:seed=1", Tape())
    for line in (b"1\n-1 -1\n" + data).splitlines(keepends=True):
        assert engine.handle(line)
    reply = to_point(engine._state, engine._state.legal_moves()[0])
    assert engine.handle(f"{reply['x']} {reply['y']}\n".encode())
    said = engine.transport.said.splitlines()  # type: ignore[attr-defined]
    assert said[1::2] == [KEEP_RUNNING] * 2
    with pytest.raises(ValueError, match="not a point"):
        engine.handle(b"my data\n")


@pytest.mark.parametrize(
    "line",
    [
        b"hello",
        b"[]",
        b"{}",
        b'{"requests":[]}',
        b'{"requests":[{"x":9,"y":9}]}',
        b'{"requests":[{"x":2,"y":2}]}',
        b'{"requests":[{"x":-1,"y":-1},{"x":2,"y":3}],"responses":[]}',
        b'{"requests":[{"x":1.5,"y":true}]}',
        b"[" * 100_000,
        b'{"requests":' + b"[" * 100_000,
        b"0",
        b"\xff\xfe",
        b"x" * (2 << 20),
    ],
    ids=lambda line: repr(line[:24]),
)
def test_a_turn_that_makes_no_sense_is_a_valueerror(line: bytes) -> None:
    engine = BotzoneEngine(honte.game("othello"), "random", Tape())
    with pytest.raises(ValueError, match=r"\w"):
        engine.handle(line)


@pytest.mark.parametrize(
    ("given_", "seconds"),
    [("2", 2.0), (1.5, 1.5), ("", None), (None, None), ("nan", None), (-1, None), ([], None)],
)
def test_the_limit_may_be_a_number_or_a_text(given_: object, seconds: float | None) -> None:
    assert seconds_of(given_) == seconds


def test_the_time_of_starting_is_counted_in(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = BotzoneEngine(honte.game("othello"), "uct:seconds=100", Tape())
    given_limits = list[float]()

    def choose(
        state: honte.State, limit: honte.Limit, strict: bool, history: tuple[int, ...]
    ) -> Report:
        given_limits.append(limit.seconds or 0)
        assert strict
        return Report(state.legal_moves()[0])

    monkeypatch.setattr(engine.session, "choose", choose)
    line = b'{"requests":[{"x":-1,"y":-1}],"responses":[],"time_limit":"1"}\n'
    engine.handle(line, late=0.7)
    assert 0 < given_limits[0] < 0.3
    engine.handle(b'{"x":2,"y":2}\n')
    assert 0.8 < given_limits[1] < 1


# -- Saiblo ----------------------------------------------------------------------------------


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("form", [Saiblo, SaibloJson])
def test_bot_and_judge_of_saiblo_understand_each_other(form: type[Saiblo], side: int) -> None:
    for seed in range(6):
        spec = f"connect4:course,seed={seed}" if seed else "connect4:rows=9,cols=10"
        judge = form(honte.game(spec))
        engine = SaibloEngine(honte.game("connect4"), f"random:seed={seed}", Tape())
        opening = asked(judge.new_game())  # type: ignore[arg-type]
        judge_game(judge, engine, seed, side, lines=False, opening=opening)


def test_saiblo_s_older_form_ends_with_type_two() -> None:
    engine = SaibloEngine(honte.game("connect4"), "random", Tape())
    assert not engine.handle(SaibloJson.goodbye)


def test_the_judge_s_view_becomes_the_position_again() -> None:
    for seed in range(20):
        game: Any = honte.game(f"connect4:course,seed={seed}")
        draw, state = random.Random(seed), game.start()
        for _ in range(20):
            seen = course.position(state)
            assert position(game, seen.blocked, seen.last, seen.top, seen.board) == state
            state = state.play(draw.choice(state.legal_moves()))
            if state.is_over:
                break


GOOD = {"type": 0, "row": 9, "col": 9, "nox": 4, "noy": 4}
BAD_MESSAGES = [
    b"nonsense",
    b"9 9 4 4 hello ",
    b"99 9 4 4 ",
    b"9 9 9 9 ",
    b"9 9 4 4 -1 -1 " + b"9 " * 9 + b"1 " * 81,
    b"9 9 4 4 -1 -1 " + b"8 " * 9 + b"0 " * 81,
    b"1234567 ",
    b" " * (1 << 17),
    b"0002{}",
    b"0005{a:b}",
    b'0012{"type": 1} ',
    b"0012" + b"{" * 12,
    b'0019{"type": 0,"row":9}',
]


@pytest.mark.parametrize("given_", BAD_MESSAGES, ids=lambda given: repr(given[:24]))
def test_a_message_that_makes_no_sense_is_a_valueerror(given_: bytes) -> None:
    engine = SaibloEngine(honte.game("connect4"), "random", Tape())
    with pytest.raises(ValueError, match=r"\w"):
        engine.handle(given_ + b" x x x x x")


@given(st.lists(st.one_of(st.binary(max_size=20), st.sampled_from(BAD_MESSAGES)), max_size=4))
def test_no_bytes_break_the_bots(chunks: list[bytes]) -> None:
    for engine in (
        SaibloEngine(honte.game("connect4"), "random", Tape()),
        BotzoneEngine(honte.game("connect4"), "random", Tape()),
        BotzoneEngine(honte.game("othello"), "random", Tape()),
    ):
        with contextlib.suppress(ValueError):
            for chunk in chunks:
                engine.handle(chunk)
                engine.handle(json.dumps(GOOD).encode())
