"""A folder with the files that the documents mention, so that their commands run as they stand."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[1]
SGF = "(;GM[1]FF[4]SZ[9]KM[7.5];B[ee];W[ec]C[closer than it looks](;B[cc];W[cd])(;B[gc]))\n"
GGF = (
    "(;GM[Othello]PC[example]PB[first]PW[second]RE[?]TI[5:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[F5]W[D6]B[C3];)\n"
)
CONNECT4 = "5566\n4455\n5647565\n"
EVALUATOR = "def evaluate(batch):\n    return batch.legal, [0.0] * len(batch)\n"
STUDY = """\
game = "connect4"
engine = "uct:iterations=20"
[parameters.c]
low = 0.2
high = 1.4
[objective]
against = ["start"]
games = 2
[optimiser]
name = "spsa"
games = 8
[verify]
games = 2
"""


def lay(folder: Path) -> Path:
    """Create the files that are quick to make."""
    for shared in ("examples", "studies"):
        (folder / shared).symlink_to(ROOT / shared)
    shutil.copy(ROOT / "examples" / "bot.py", folder / "bot.py")
    (folder / "mine.py").write_text(EVALUATOR)
    (folder / "game.sgf").write_text(SGF)
    (folder / "commented.sgf").write_text(SGF)
    (folder / "games.ggf").write_text(GGF)
    (folder / "games.txt").write_text(CONNECT4)
    (folder / "positions.txt").write_text("4444443322\n")
    (folder / "problems.obf").write_text(f"{'O' * 27}{'X' * 27}{'-' * 10} X\n")
    (folder / "study.toml").write_text(STUDY)
    (folder / "bots.toml").write_text('[bots.mybot]\nspec = "py:bot.py:choose"\n')
    return folder


def compile_bots(folder: Path) -> None:
    """The bot of the course's skeleton under the names that the documents give it."""
    source = ROOT / "examples" / "course_bot" / "Strategy.cpp"
    command = ["g++", "-O2", "-std=c++17", "-fsigned-char", "-shared", "-fPIC"]
    subprocess.run([*command, "-o", str(folder / "mybot.so"), str(source)], check=True)
    for name in ("bot.so", "old.so"):
        shutil.copy(folder / "mybot.so", folder / name)
