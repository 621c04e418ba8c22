"""Bots with one defect each: `honte check` names the defect and how to fix it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import honte
from honte.check import Check, Finding
from honte.check.measures import MIB, leak, speed
from honte.core.check_support import support_of
from honte.games.connect4.check import COURSE_BOARDS

BOTS = Path(__file__).parents[1] / "bots" / "check_bots"
EXAMPLE = Path(__file__).parents[2] / "examples" / "course_bot"
COMPILER, CXX = shutil.which("cc"), shutil.which("c++")
needs_cc = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler, cc")
LATER = ("SIZE", "NO_RESET", "LEAK", "forgets", "leaks")
"""Defects that take some games to break out."""
BOARD = "connect4:rows=12,cols=11,blocked=5/6"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("check")


@pytest.fixture(autouse=True)
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HONTE_SANDBOX", "trusted")  # bots that import honte from its sources


def examine(spec: str, game: str, **settings: Any) -> list[Finding]:
    return list(Check(spec, honte.game(game), **settings).run())


def faults(found: list[Finding]) -> dict[str, Finding]:
    return {finding.name: finding for finding in found if finding.kind == "fault"}


def library(folder: Path, defect: str) -> str:
    path = folder / f"{defect.lower()}.so"
    if not path.exists():
        assert COMPILER is not None
        words = [COMPILER, "-shared", "-fPIC", "-w", f"-D{defect}", "-o", str(path)]
        subprocess.run([*words, str(BOTS / "library.c")], check=True)
    return f"getpoint:{path}"


# -- the healthy -----------------------------------------------------------------------


@pytest.mark.skipif(CXX is None, reason="there is no C++ compiler, c++")
def test_nothing_is_wrong_with_the_course_bot_of_the_examples(folder: Path) -> None:
    assert CXX is not None
    path = folder / "example.so"
    words = [CXX, "-O2", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-fsigned-char"]
    subprocess.run([*words, "-o", str(path), str(EXAMPLE / "Strategy.cpp")], check=True)
    found = examine(f"getpoint:{path}", "connect4:course,seed=4")
    assert faults(found) == {}
    names = {finding.name for finding in found if finding.kind == "ok"}
    assert {"start", "blocked cell", "full board", "games"} <= names
    games = next(finding for finding in found if finding.name == "games")
    assert "lost 0 games" in games.seen


@pytest.mark.parametrize(
    ("spec", "game"),
    [
        (f"py:{BOTS}/functions.py:healthy", "othello"),
        (f"gtp:{BOTS}/programs.py gtp healthy", "go:size=5"),
        ("random:seed=1", "go:size=5"),
        ("uct:iterations=20", "connect4:course"),
    ],
)
def test_nothing_is_wrong_with_healthy_players(spec: str, game: str) -> None:
    found = examine(spec, game, games=4)
    assert faults(found) == {}
    assert any(finding.name == "games" or finding.name == "weak" for finding in found)


# -- libraries -------------------------------------------------------------------------


@needs_cc
@pytest.mark.parametrize(
    ("defect", "name", "seen", "fix"),
    [
        ("NO_GETPOINT", "does not start", "no getPoint", 'extern "C"'),
        ("SWAPPED", "rows and columns", "(11, 0), it would be legal", "top[y] - 1, y"),
        ("UPSIDE_DOWN", "upside down", "counted from the other end", "Row 0 is the top"),
        ("TOO_LOW", "one row too low", "one row higher, on 11", "top[y] - 1"),
        ("COUNTS_PIECES", "blocked cell", "(5, 6), which is the blocked cell", "top[y] - 1"),
        pytest.param(
            "ON_BLOCKED",
            "blocked cell",
            "(5, 6), which is the blocked cell",
            "top[y] - 1",
            marks=pytest.mark.long,
        ),
        ("FIRST_MOVE", "first move", "At the first move of the game: it died", "are -1"),
        ("SECOND_MOVE", "first move", "Answering the first move: it died", "set up the board"),
        ("NULL_AT_THE_END", "full board", "returned NULL", "last one too"),
        ("LAST_COLUMN", "full board", "only the last column is open", "last one too"),
        ("FULL_COLUMN", "full column", "column 0 is full", "top[y] equal to 0"),
        ("SIZE", "board size", "in a fresh process the same game goes well", "M and N"),
        ("NO_RESET", "forgets to reset", "in a fresh process the same game goes well", "afresh"),
        ("LEAK", "leaks memory", "MiB a game", "Free"),
    ],
)
def test_a_library_with_one_defect_gets_its_name(
    folder: Path, defect: str, name: str, seen: str, fix: str
) -> None:
    games = 10 if defect in LATER else 2
    found = faults(examine(library(folder, defect), BOARD, games=games))
    assert set(found) == {name}
    assert seen in found[name].seen
    assert fix in found[name].fix


@needs_cc
def test_a_slow_library_is_told_how_long_it_took(folder: Path) -> None:
    for _ in range(3):  # on a busy machine it may take longer than it is waited for
        found = faults(examine(library(folder, "SLOW"), BOARD, seconds=0.2))
        assert set(found) == {"too slow"}
        assert "0.16 s" in found["too slow"].fix
        if "where 0.2 s are allowed" in found["too slow"].seen:
            return
    pytest.fail(found["too slow"].seen)


@needs_cc
def test_a_finding_carries_the_position(folder: Path) -> None:
    found = faults(examine(library(folder, "ON_BLOCKED"), BOARD, games=1))["blocked cell"]
    state = honte.game(BOARD).from_text(found.position)
    assert state.legal_moves() == [6]
    assert found.picture == str(found.picture).strip("\n")


# -- programs --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "game", "name", "seen", "fix"),
    [
        ("saiblo text", BOARD, "framing", "'11 0\\n' without the length", "4 bytes"),
        ("saiblo bare", BOARD, "framing", "'11 0' without the length", "4 bytes"),
        ("saiblo little", BOARD, "framing", "lowest byte first", "big-endian"),
        ("saiblo buffered", BOARD, "buffering", "after its input was closed", "fflush"),
        ("saiblo once", BOARD, "crash", "exit status 0", "in a loop"),
        ("saiblo slow", BOARD, "does not read", "standard input", "Read standard input"),
        ("gtp blank", "go:size=5", "framing", "without the empty line", "EMPTY line"),
        ("gtp number", "go:size=5", "framing", "without the id 1", "number"),
        pytest.param(
            "gtp buffered",
            "go:size=5",
            "buffering",
            "after its input was closed",
            "flush",
            marks=pytest.mark.long,
        ),
        ("gtp pass", "go:size=5", "pass", "after the opponent's pass", "like any other move"),
        ("botzone text", "othello", "framing", "'3 2\\n', which is a malformed reply", "JSON"),
        ("botzone swapped", "othello", "rows and columns", "the other way round", "y the row"),
        ("botzone pass", "othello", "pass", "it must pass", "(-1, -1)"),
    ],
)
def test_a_program_with_one_defect_gets_its_name(
    words: str, game: str, name: str, seen: str, fix: str
) -> None:
    # Python is slow to start on a busy machine; a bot that never answers uses up all of this time.
    waits = any(word in words for word in ("buffered", "blank", "slow"))
    settings: dict[str, Any] = {"seconds": 1, "start_seconds": 4} if waits else {}
    spec = f"{words.partition(' ')[0]}:{BOTS}/programs.py {words}"
    games = 0 if "botzone" in words else 2  # a fresh Python for every move
    found = faults(examine(spec, game, games=games, **settings))
    assert set(found) == {name}
    assert seen in found[name].seen
    assert fix in found[name].fix


# -- functions -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("function", "game", "name", "seen"),
    [
        ("missing", "connect4", "does not start", "no function missing"),
        ("raises", "connect4", "crash", "KeyError: 'no such opening'"),
        ("words", "connect4", "framing", "it returned a str"),
        ("counts_from_one", "connect4", "off the board", "columns 0 to 6"),
        pytest.param(
            "forgets", "connect4", "forgets to reset", "IndexError: move 31", marks=pytest.mark.long
        ),
        ("swapped", "othello", "rows and columns", "the other way round"),
        pytest.param("never_passes", "othello", "pass", "it must pass", marks=pytest.mark.long),
        pytest.param("leaks", "connect4", "leaks memory", "MiB a game", marks=pytest.mark.long),
    ],
)
def test_a_function_with_one_defect_gets_its_name(
    function: str, game: str, name: str, seen: str
) -> None:
    games = 10 if function in LATER else 2
    found = faults(examine(f"py:{BOTS}/functions.py:{function}", game, games=games))
    assert set(found) == {name}
    assert seen in found[name].seen
    assert found[name].fix


def test_an_import_that_fails_is_quoted(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import no_such_module\n")
    found = faults(examine(f"py:{bot}:choose", "connect4"))
    assert "No module named 'no_such_module'" in found["does not start"].seen
    assert "install the module" in found["does not start"].fix.lower()


@pytest.mark.parametrize(
    ("spec", "seen", "fix"),
    [
        ("getpoint:{}/nothing.so", "There is no file", "g++ -O2 -shared"),
        ("py:{}/nothing.py:choose", "There is no file", "path"),
        ("saiblo:{}/plain", "may not be executed", "chmod +x"),
        ("saiblo:{}", "is a folder", "name the file"),
        ("gtp:no-such-program", "no program 'no-such-program'", "Install it"),
        ("getpoint:{}/plain", "does not start", "-shared -fPIC"),
        ("saiblo:{}/script", "Exec format error", "#!/usr/bin/env"),
    ],
)
def test_a_file_that_cannot_be_run_is_named(tmp_path: Path, spec: str, seen: str, fix: str) -> None:
    (tmp_path / "plain").write_text("nothing\n")
    (tmp_path / "script").write_text("print(1)\n")
    (tmp_path / "script").chmod(0o755)
    game = "go:size=5" if spec.startswith("gtp") else BOARD
    found = faults(examine(spec.format(tmp_path), game))
    finding = found["does not start"]
    assert seen in f"{finding.name} {finding.seen}"
    assert fix.lower() in finding.fix.lower()


def test_a_spec_that_makes_no_sense_is_not_the_bots_fault() -> None:
    with pytest.raises(ValueError, match="there is no player"):
        examine("nobody", "connect4")
    with pytest.raises(ValueError, match="not othello"):
        examine(f"saiblo:{BOTS}/programs.py saiblo healthy", "othello")


# -- what the whole shows --------------------------------------------------------------


def test_few_slow_moves_are_a_warning_and_many_a_fault() -> None:
    assert speed([0.1] * 50, [0.2], 1).kind == "ok"
    assert speed([0.1] * 50 + [0.95], [], 1).kind == "warning"
    assert speed([0.1] * 50 + [1.05], [], 1).kind == "warning"
    finding = speed([0.1] * 50 + [1.05] * 5, [0.3], 1)
    assert finding.kind == "fault"
    assert "5 moves were over the limit" in finding.seen
    assert "100 ms (half of them less)" in finding.seen
    assert "the first of a process 300 ms" in finding.seen
    assert speed([0.1] * 50 + [1.05] * 5, [], 1, busy=True).kind == "warning"
    assert speed([1.2] * 50, [], 1, busy=True).kind == "fault"


def test_memory_that_levels_off_is_no_leak() -> None:
    rising = [20 * MIB + game * 8 * MIB for game in range(12)]
    level = [min(size, 60 * MIB) for size in rising]
    finding = leak(rising)
    assert finding is not None
    assert (finding.kind, finding.name) == ("fault", "leaks memory")
    finding = leak(level)
    assert finding is not None
    assert finding.kind == "ok"
    assert leak([MIB] * 3) is None


@pytest.mark.parametrize("board", [*COURSE_BOARDS, "connect4", BOARD])
def test_one_column_is_left_on_the_boards_made_for_trouble(board: str) -> None:
    game = honte.game(board)
    found = support_of(game).situations(game)
    assert found
    for situation in found:
        state = situation.state()
        assert not state.is_over
        assert len(state.legal_moves()) == 1


def test_othello_and_go_are_asked_about_passes() -> None:
    othello, go = honte.game("othello"), honte.game("go:size=5")
    must, after = support_of(othello).situations(othello)
    assert must.state().legal_moves() == [64]
    assert after.state().last_move == 64
    for situation in support_of(go).situations(go):
        assert situation.state().last_move == 25
