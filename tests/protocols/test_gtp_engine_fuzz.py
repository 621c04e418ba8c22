"""Our GTP engine under fire: broken records, noise between the moves, and clocks."""

from __future__ import annotations

import os
import random
import time
from pathlib import Path

import pytest

from honte.core.player import Player
from honte.core.players import register_player
from honte.core.report import Report
from honte.core.request import Request
from tests.protocols.scripted import Gtp

LONG = os.environ.get("HONTE_LONG", "") not in ("", "0")
RECORD = (
    b"(;GM[1]FF[4]SZ[9]KM[6.5]HA[2]AB[cc][gg]C[a \\] comment]"
    b";W[ee];B[ec];W[](;B[gc];W[cg])(;B[cg]))"
)
NOISE: list[bytes] = [
    b"fly me to the moon",
    b"play b Z25",
    b"play w I5",
    b"play green D4",
    b"play b",
    b"boardsize 25",
    b"boardsize nine",
    b"boardsize -9",
    b"komi much",
    b"fixed_handicap 99",
    b"set_free_handicap D4 D4",
    b"loadsgf /nowhere.sgf 7",
    b"time_settings now or never",
    b"time_left b soon",
    b"final_status_list asleep",
    b"genmove purple",
    b"undo" + b" " * (1 << 20),
    b"x" * (1 << 20),
    bytes(range(128, 256)),
    b"\xff\xfe play b D4",
    b"=1 ok",
    b"? what",
    b"99999999999999999999999999 name",
]


def test_noise_between_the_moves_changes_nothing() -> None:
    """A game of random moves with nonsense before each; a plain one goes the same way."""
    for seed in range(40 if LONG else 4):
        draw = random.Random(seed)
        disturbed, plain = Gtp("go:size=7"), Gtp("go:size=7")
        for ply in range(60):
            for _ in range(2):
                before = disturbed.position()
                assert disturbed.ask(draw.choice(NOISE)).startswith("?")
                assert disturbed.position() == before
            point = disturbed.engine.board.game.format(draw.randrange(50))
            line = f"play {'bw'[ply % 2]} {point}"
            assert disturbed.ask(line) == plain.ask(line)
            assert disturbed.position() == plain.position()


def broken(draw: random.Random) -> bytes:
    """The record with a few bytes lost, changed or doubled."""
    text = bytearray(RECORD)
    for _ in range(draw.randrange(1, 4)):
        at = draw.randrange(len(text))
        match draw.randrange(4):
            case 0:
                del text[at : at + draw.randrange(1, 30)]
            case 1:
                text[at] = draw.randrange(256)
            case 2:
                text[at:at] = text[: draw.randrange(len(text))]
            case _:
                text[at:at] = bytes(draw.randrange(256) for _ in range(5))
        text = text or bytearray(b"(")
    return bytes(text)


def test_a_broken_record_is_refused_or_read(tmp_path: Path) -> None:
    draw, file, refused = random.Random(1), tmp_path / "game.sgf", 0
    gtp = Gtp()
    for _ in range(5000 if LONG else 300):
        file.write_bytes(broken(draw))
        before = gtp.position()
        number = draw.choice(["", " 1", " 3", " 999"])
        answer = gtp.ask(f"loadsgf {file}{number}")
        if answer != "=":
            assert answer == "? cannot load file"
            assert gtp.position() == before
            refused += 1
    assert refused > 30
    file.write_bytes(RECORD)
    gtp.tell(f"loadsgf {file} 2")
    assert len(gtp.engine.board.moves) == 1


def test_a_record_of_two_megabytes_is_read_or_refused_in_time(tmp_path: Path) -> None:
    file = tmp_path / "long.sgf"
    started = time.process_time()
    for text in (
        b"(;SZ[9]" + b";B[aa]" * 350_000 + b")",
        b"(" * (1 << 21),
        b"(;C[" + b"x" * (2 << 20),
    ):
        file.write_bytes(text)
        assert Gtp().ask(f"loadsgf {file}") == "? cannot load file"
    assert time.process_time() - started < 20


class Spender(Player):
    """A player that claims to take 2 ms too long, but takes no time."""

    def __init__(self, game: object, **settings: object) -> None:
        self.draw, self.spent = random.Random(1), 0.0

    def think(self, request: Request) -> Report:
        assert request.limit is not None
        assert request.limit.seconds is not None
        self.spent = request.limit.seconds + 0.002
        legal = request.state.legal_moves()
        return Report(move=self.draw.choice(legal), pv=[], seconds=self.spent)


register_player("spender", Spender)


@pytest.mark.parametrize(
    ("player", "settings"),
    [
        ("spender", "time_settings 300 0 0"),
        ("spender", "time_settings 3 0 0"),
        ("spender", "time_settings 60 15 10"),
        ("spender", "time_settings 0 10 4"),
        pytest.param("best:seed=1", "time_settings 2 0 0", marks=pytest.mark.timing),
    ],
    ids=["absolute", "blitz", "Canadian", "only periods", "a real search"],
)
def test_a_whole_game_is_played_within_its_time(player: str, settings: str) -> None:
    """We play both sides without time_left; time is measured from outside."""
    main, period, stones = map(float, settings.split()[1:])
    gtp = Gtp("go:size=5,komi=0.5", player)
    gtp.tell(settings)
    left = [[main, period, stones], [main, period, stones]]
    passes = 0
    for ply in range(400):
        side = left[ply % 2]
        started = time.process_time()  # CPU time: a busy machine is not the engine's fault
        passes = passes + 1 if gtp.ask(f"genmove {'bw'[ply % 2]}") == "= pass" else 0
        real = gtp.engine.session.player(gtp.engine.board.game)
        spent = real.spent if isinstance(real, Spender) else time.process_time() - started
        over = max(0.0, spent - side[0])
        side[0] = max(0.0, side[0] - spent)
        if side[0] == 0.0:
            side[1] -= over
            side[2] -= 1
            assert side[1] > 0, f"{settings}: out of time on move {ply + 1}"
            if side[2] <= 0:
                side[1], side[2] = period, stones
        if passes == 2:
            return
    pytest.fail("the game did not end")


@pytest.mark.long
def test_no_game_of_two_hundred_is_lost_on_time() -> None:
    """Ten seconds a side on 9×9, by wall clock; takes an hour on a dedicated machine."""
    for seed in range(200):
        gtp = Gtp("go:size=9", f"best:seed={seed}")
        gtp.tell("time_settings 10 0 0")
        spent, passes, ply = [0.0, 0.0], 0, 0
        while passes < 2 and ply < 250:
            started = time.perf_counter()
            passes = passes + 1 if gtp.ask(f"genmove {'bw'[ply % 2]}") == "= pass" else 0
            spent[ply % 2] += time.perf_counter() - started
            ply += 1
        assert max(spent) < 10, f"seed {seed}: {max(spent):.1f} s in {ply} moves"
