"""Our engines as processes: `honte gtp`, `nboard`, `botzone`, `saiblo`, in both directions."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from tests.cli.command import COMMAND, ENVIRONMENT, ROOT, honte, in_chinese

OURS = f"{sys.executable} -m honte"
GNU_GO = shutil.which("gnugo", path="/usr/games:/usr/bin:/usr/local/bin")
RHINO = shutil.which("gtp-rhino", path="/usr/games:/usr/bin:/usr/local/bin")


class Process:
    """An engine with its pipes."""

    def __init__(self, *words: str) -> None:
        self.process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=ROOT,
            env=ENVIRONMENT,
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.given, self.said = self.process.stdin, self.process.stdout

    def send(self, text: bytes) -> None:
        self.given.write(text)
        self.given.flush()

    def ask(self, command: str) -> str:
        self.send(command.encode() + b"\n")
        return self.answer()

    def answer(self) -> str:
        lines = []
        while line := self.said.readline().decode().rstrip("\r\n"):
            lines.append(line)
        return "\n".join(lines).rstrip()

    def end(self) -> int:
        self.given.close()
        code = self.process.wait(timeout=60)
        self.said.close()
        assert self.process.stderr is not None
        self.process.stderr.close()
        return code


@pytest.fixture
def gtp() -> Iterator[Process]:
    process = Process(*COMMAND, "gtp", "--game", "go:size=9", "--player", "uct:iterations=200")
    yield process
    assert process.end() == 0


def match(bot: str, game: str, *more: str, against: str = "random:seed=1") -> dict[str, object]:
    done = honte("match", bot, against, "--game", game, "--games", "2", "--json", *more)
    assert done.code == 0, done.errors
    found: dict[str, object] = json.loads(done.output)
    return found


@pytest.mark.parametrize(
    ("bot", "game"),
    [
        (f"gtp:{OURS} gtp --game othello", "othello"),
        pytest.param(f"gtp:{OURS} gtp --game go", "go:size=5", marks=pytest.mark.long),
        (f"nboard:{OURS} nboard", "othello"),
        (f"botzone:{OURS} botzone", "othello"),
        pytest.param(
            f"botzone:{OURS} botzone --game connect4", "connect4:course", marks=pytest.mark.long
        ),
        (f"botzone_simple:{OURS} botzone --game go:size=4", "go:size=4"),
        (f"saiblo:{OURS} saiblo", "connect4:course"),
        (f"saiblo_json:{OURS} saiblo", "connect4:course"),
    ],
    ids=lambda text: re.sub(r"\S+ -m honte", "honte", text),
)
def test_a_match_against_our_own_engine_has_no_faults(bot: str, game: str) -> None:
    found = match(f"{bot} --player uct:iterations=100", game, "--seconds", "20")
    assert found["games"] == 2
    reasons = found["reasons"]
    assert isinstance(reasons, dict)
    assert set(reasons) <= {"played out"}, reasons
    assert found["wins"] == 2


def test_a_bot_may_be_started_for_every_move() -> None:
    bot = f"botzone:{OURS} botzone --game connect4:inarow=3 --once --player random"
    found = match(bot, "connect4:rows=4,cols=4,inarow=3", "--seconds", "20")
    assert set(found["reasons"]) <= {"played out", "draw"}  # type: ignore[call-overload]


@pytest.mark.skipif(GNU_GO is None, reason="gnugo is not installed")
def test_our_engine_plays_gnugo() -> None:
    theirs = f"gtp:{GNU_GO} --mode gtp --level 0 --chinese-rules --positional-superko"
    ours = f"gtp:{OURS} gtp --game go --player uct:iterations=100"
    found = match(ours, "go:size=5", "--seconds", "30", against=theirs)
    assert set(found["reasons"]) <= {"played out", "resign"}  # type: ignore[call-overload]


@pytest.mark.skipif(RHINO is None, reason="grhino is not installed")
def test_our_engine_plays_rhino() -> None:
    ours = f"gtp:{OURS} gtp --game othello --player uct:iterations=100"
    found = match(ours, "othello", "--seconds", "30", against=f"gtp:{RHINO} --level=1")
    assert set(found["reasons"]) == {"played out"}  # type: ignore[call-overload]


@pytest.mark.skipif(GNU_GO is None, reason="gnugo is not installed")
def test_gnugo_as_referee_accepts_every_move_of_ours() -> None:
    assert GNU_GO is not None
    referee = Process(GNU_GO, "--mode", "gtp", "--positional-superko", "--boardsize", "5")
    words = ("gtp", "--game", "go:size=5", "--player", "uct:iterations=30")
    sides = [Process(*COMMAND, *words), Process(*COMMAND, *words)]
    passes = 0
    for ply in range(120):
        colour = "bw"[ply % 2]
        answer = sides[ply % 2].ask(f"genmove {colour}")
        move = answer[2:]
        assert referee.ask(f"play {colour} {move}") == "=", move
        assert sides[1 - ply % 2].ask(f"play {colour} {move}") == "="
        passes = passes + 1 if move == "pass" else 0
        if passes == 2:
            break
    scores = {side.ask("final_score") for side in sides}
    assert len(scores) == 1
    for process in (*sides, referee):
        process.ask("quit")
        process.end()


def test_an_analysis_streams_until_the_next_command(gtp: Process) -> None:
    gtp.send(b"1 lz-analyze b 5\n")
    assert gtp.said.readline() == b"=1\n"
    for _ in range(3):
        assert gtp.said.readline().startswith(b"info move ")
    began = time.perf_counter()
    gtp.send(b"2 name\n")
    assert all(line.startswith("info move ") for line in gtp.answer().splitlines())
    assert gtp.answer() == "=2 Honte"
    assert time.perf_counter() - began < 10


def test_long_lines_and_bytes_do_not_end_it(gtp: Process) -> None:
    assert gtp.ask("play b " + "x" * (1 << 20)) == "? line too long"
    gtp.send(b"\xff\x00\x80\x1b[31m\n")
    assert gtp.answer() == "? unknown command"
    assert gtp.ask("7 name") == "=7 Honte"


def test_the_end_of_the_input_ends_an_analysis(gtp: Process) -> None:
    gtp.send(b"kata-analyze 5\n")
    assert gtp.said.readline() == b"=\n"


@pytest.mark.parametrize(
    ("words", "given"),
    [
        (("gtp", "--game", "go:size=9", "--seconds", "300"), b"genmove b\n"),
        (("nboard",), b"set depth 60\nmove F5\ngo\n"),
    ],
)
def test_the_end_of_the_input_ends_a_search(words: tuple[str, ...], given: bytes) -> None:
    """The best move so far is still printed."""
    run = subprocess.run([*COMMAND, *words], input=given, capture_output=True, timeout=100)
    assert run.returncode == 0
    assert re.search(rb"^=.* [A-Ha-h][1-8]", run.stdout, re.M), run.stdout


def test_an_interrupt_ends_it_with_130() -> None:
    process = Process(*COMMAND, "gtp")
    assert process.ask("name") == "= Honte"
    process.process.send_signal(signal.SIGINT)
    assert process.process.wait(timeout=60) == 130
    process.end()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("gtp", "--game", "connect4"), "go, othello"),
        (("nboard", "--game", "go"), "othello"),
        (("saiblo", "--game", "othello"), "connect4"),
        (("gtp", "--player", "nobody"), "no player"),
        (("gtp", "--game", "chess"), "no game"),
        (("botzone", "--game", "go:handicap=2"), "handicap"),
    ],
)
def test_a_wrong_spec_is_one_sentence(words: tuple[str, ...], complaint: str) -> None:
    done = honte(*words)
    assert done.code == 2
    assert complaint in done.errors
    assert done.errors.count("\n") == 1


@pytest.mark.parametrize("words", [("gtp", "connect4"), ("nboard", "go"), ("saiblo", "go")])
def test_a_game_that_an_engine_does_not_speak_is_refused_in_chinese_too(
    words: tuple[str, str],
) -> None:
    done = in_chinese(words[0], "--game", words[1])
    assert (done.code, f"不能用于 {words[1]}" in done.errors) == (2, True)


@pytest.mark.parametrize("command", ["botzone", "saiblo"])
def test_nonsense_from_a_judge_is_one_sentence(command: str) -> None:
    done = honte(command, given="this is no turn\n")
    assert done.code == 2
    assert done.output == ""
    assert done.errors.count("\n") == 1
