"""Games with hostile bots, and a search for the processes they leave behind."""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path

import pytest

import honte
from honte.core.contract import State
from honte.sandbox import levels as sandbox
from honte.sandbox.player import BotPlayer

HOSTILE = Path(__file__).with_name("hostile.py")
GAME = honte.game("connect4:rows=9,cols=9,blocked=4/4")
GO = honte.game("go:size=5")
TOKEN = f"bot-of-test-{os.getpid()}"
SECONDS = 0.3


def bot(name: str, *arguments: object, level: str = "trusted", **settings: object) -> BotPlayer:
    """A hostile bot; its processes carry our token in their command lines."""
    protocol, _, name = ("saiblo:" + name).rpartition(":")
    protocol = protocol.rpartition(":")[2]
    words = " ".join(str(word) for word in (name, *arguments, TOKEN))
    settings = {"start_seconds": 20, "margin": 0.1, "memory_mb": 200, **settings}
    game = GO if protocol == "gtp" else GAME
    player = honte.player(f"{protocol}:{HOSTILE} {words}", game, sandbox=level, **settings)
    assert isinstance(player, BotPlayer)
    return player


def available(level: str) -> None:
    if lacking := sandbox.missing_for(level):
        pytest.skip(lacking)


def play(player: BotPlayer, turns: int = 6, pause: float = 0, seconds: float = SECONDS) -> State:
    """A game in which the other side plays the first move on its list."""
    state = player.protocol.game.start()
    player.new_game()
    for _ in range(turns):
        state = state.play(player.choose(state, honte.Limit(seconds=seconds)).move)
        time.sleep(pause)
        if not state.is_over:
            state = state.play(state.legal_moves()[0])
        if state.is_over:
            break
    return state  # type: ignore[no-any-return]


def strays() -> list[str]:
    """Processes of hostile bots on the whole machine, wherever they hide."""
    if sys.platform != "linux":
        return []
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
            state = (folder / "stat").read_bytes().rpartition(b")")[2].split()[0]
        except OSError:
            continue
        if TOKEN.encode() in words and state != b"Z":
            found.append(f"{folder.name}: {b' '.join(words).decode()}")
    return found


def memory(peak: bool) -> float:
    """Our own resident memory in MiB: now (which resets the peak), or the peak since then."""
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20)
    if not peak:
        Path("/proc/self/clear_refs").write_text("5")  # or an older peak would hide a new one
    name = "VmHWM:" if peak else "VmRSS:"
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line.split()[1] for line in lines if line.startswith(name))) / 1024
