"""Course libraries: played through getPoint, and harmless when they break."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import honte
from honte.core.fault import Fault
from honte.sandbox.player import BotPlayer
from tests.bots.hosting import available

SOURCE = Path(__file__).parents[1] / "bots" / "library.c"
COMPILER = shutil.which("cc")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler, cc")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("libraries")


def library(folder: Path, mode: str) -> Path:
    path = folder / f"{mode.lower()}.so"
    if not path.exists():
        assert COMPILER is not None
        words = [COMPILER, "-shared", "-fPIC", "-w", f"-D{mode}", "-o", str(path), str(SOURCE)]
        subprocess.run(words, check=True)
    return path


def player(path: Path, game: str = "connect4:course,seed=5", **settings: object) -> BotPlayer:
    settings = {"margin": 0.1, "memory_mb": 200, **settings}
    found = honte.player(f"getpoint:{path}", honte.game(game), **settings)
    assert isinstance(found, BotPlayer)
    return found


@pytest.mark.parametrize("level", ["trusted", "careful", "untrusted"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_library_plays_whole_games(folder: Path, level: str, seed: int) -> None:
    available(level)
    game = honte.game(f"connect4:course,seed={seed}")
    bot = player(library(folder, "HONEST"), game.spec, sandbox=level)
    other = honte.player("random:seed=1", game)
    for sides in ((bot, other), (other, bot)):
        state = game.start()
        bot.new_game()
        while not state.is_over:
            state = state.play(sides[state.to_move].choose(state, honte.Limit(seconds=2)).move)
    bot.close()


@pytest.mark.parametrize(
    ("mode", "reason", "words"),
    [
        ("SEGFAULT", "crash", "SIGSEGV"),
        ("ABORT", "crash", "SIGABRT"),
        ("EXIT", "crash", "exit status 7"),
        ("SPIN", "time", "no answer in time"),
        ("LEAK", "memory", "MiB of memory"),
        ("NULL_POINT", "time", "getPoint returned NULL"),
        ("BLOCKED", "illegal", "is the blocked cell"),
        ("SWAPPED", "illegal", "does it swap rows and columns?"),
        ("NO_CLEAR", "start", "the library has no clearPoint"),
    ],
)
def test_a_broken_library_loses_with_the_reason(
    folder: Path, mode: str, reason: str, words: str
) -> None:
    bot = player(library(folder, mode), "connect4:rows=12,cols=12,blocked=2/3")
    with pytest.raises(Fault) as caught:
        bot.choose(bot.protocol.game.start(), honte.Limit(seconds=0.5 if mode == "SPIN" else 20))
    assert caught.value.reason == reason
    assert words in caught.value.detail


def test_a_file_that_is_no_library_does_not_start(tmp_path: Path) -> None:
    path = tmp_path / "bot.so"
    path.write_text("not a library")
    bot = player(path)
    with pytest.raises(Fault, match=r"^start: .*bot\.so"):
        bot.choose(bot.protocol.game.start())


def test_a_board_that_the_course_does_not_know_is_refused(folder: Path) -> None:
    path = library(folder, "HONEST")
    with pytest.raises(ValueError, match="know one blocked cell, and this board has 2"):
        player(path, "connect4:blocked=1/1+2/2")
    with pytest.raises(ValueError, match="play for four in a line, not 5"):
        player(path, "connect4:inarow=5")
    with pytest.raises(ValueError, match="bots play connect4 with us, not othello"):
        player(path, "othello")
    with pytest.raises(ValueError, match="there is no file"):
        player(folder / "nothing.so")
