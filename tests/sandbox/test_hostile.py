"""No bot can hurt the arena, whatever it does: rows 1 to 16 of its promises.

Run with ``-s`` to see the table: fault, verdict, time to it, our memory's growth, orphans.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import honte
from honte.core.fault import REASONS, Fault
from honte.sandbox import cgroups
from honte.sandbox import levels as sandbox
from honte.sandbox.levels import LEVELS, Command
from honte.sandbox.player import BotPlayer
from honte.sandbox.process import Process
from honte.sandbox.usage import parent_of
from tests.bots.hosting import GAME, available, bot, memory, play, strays
from tests.conftest import LONG
from tests.slowness import slowness

GROWTH_MIB = 16

FAULTS = {
    # bot: the expected reason. Most speak Saiblo; those after `gtp:` speak nothing at all.
    "crash": "crash",
    "crash_at_once": "crash",
    "die": "crash",
    "hang": "time",
    "stop_itself": "time",
    "ignore_sigterm": "stall",
    "drip": "time",
    "gtp:drip_line": "start",
    "gtp:flood_lines": "flood",
    "gtp:endless_line": "flood",
    "flood_stderr": "flood",
    "never_read": "stall",
    "close_stdout": "crash",
    "gtp:slow_start": "start",
    "daemon": "crash",
    "fork_bomb": "flood",
    "eat_memory": "memory",
    "late_move": "time",
    "double_move": "illegal",
    "crash_library": "crash",
    "invalid_utf8": "protocol",
    "nul": "protocol",
    "bom": "protocol",
    "colour": "protocol",
    "words": "protocol",
    "huge_number": "protocol",
    "huge_length": "protocol",
    "negative": "illegal",
    "no_frame": "protocol",
    "deep_json": "protocol",
    "json_huge": "protocol",
    "full_cell": "illegal",
    "empty": "protocol",
}
# bubblewrap holds the bot's output open too, so that its end is not seen.
IN_A_NAMESPACE = {"close_stdout": "time"}
ON_TIME = ("time", "stall", "start")


@pytest.fixture(scope="module", autouse=True)
def table() -> Iterator[list[str]]:
    play(honest := bot("honest"), 2, seconds=10)  # what is loaded once
    honest.close()
    lines: list[str] = []
    yield lines
    print("\n" + "\n".join(lines))


# Output is parsed the same way at every level, while actions are stopped in different ways.
SAYS = [name for name, reason in FAULTS.items() if reason in ("protocol", "illegal")]
LIMITED = ("fork_bomb", "eat_memory", *IN_A_NAMESPACE)
"""What is limited, or seen, in another way at each level."""
WAITS = ("ignore_sigterm", "never_read", "gtp:slow_start", "gtp:drip_line")
"""What takes all of its time to start, and at `trusted`, where there is a second game, twice."""


def cases() -> Iterator[Any]:
    """Every fault at every level; `make test` has most faults at one level, by turns."""
    turn = 0
    for name in FAULTS:
        turn += name not in SAYS
        choice = LEVELS[1:] if name in WAITS else LEVELS
        for level in LEVELS if name not in SAYS else LEVELS[:1]:
            often = name in (*SAYS, *LIMITED) or level == choice[turn // 2 % len(choice)]
            yield pytest.param(name, level, marks=() if often else pytest.mark.long)


def hostile(name: str, level: str = "trusted") -> BotPlayer:
    """A bot with so much time to start that only one that never starts fails on it."""
    memory_mb = 4000 if name == "fork_bomb" else 200  # each process counts what all share
    start_seconds = {"start": 1, "stall": 3}.get(FAULTS[name], 20)
    return bot(name, level=level, memory_mb=memory_mb, start_seconds=start_seconds)


def verdict(player: BotPlayer, expected: str) -> Fault:
    """How it loses; only a bot meant to lose on time gets a short limit."""
    with pytest.raises(Fault) as caught:
        play(player, 6, seconds=0.3 if expected in ON_TIME else 20)
    return caught.value


@pytest.mark.parametrize(("name", "level"), list(cases()))
def test_a_fault_loses_the_game_and_nothing_else(name: str, level: str, table: list[str]) -> None:
    available(level)
    player = hostile(name, level)
    expected = IN_A_NAMESPACE.get(name, FAULTS[name]) if level == "untrusted" else FAULTS[name]
    before, began = memory(peak=False), time.monotonic()
    fault = verdict(player, expected)
    seconds = time.monotonic() - began
    growth = memory(peak=True) - before
    left = strays()
    table.append(
        f"{name:<16} {level:<10} {fault.reason:<9} {seconds:6.2f} s  "
        f"+{growth:4.1f} MiB  {len(left)} orphans  {fault.detail[:60]}"
    )
    assert fault.reason == expected, f"{fault} {fault.stderr.decode()}"
    assert growth < GROWTH_MIB
    assert left == []
    if level == "trusted":  # a new game gets a new process, which does it again
        assert verdict(player, expected).reason == expected
    player.close()
    assert strays() == []


@pytest.mark.timing
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["drip", "ignore_sigterm"])
def test_a_bot_is_gone_one_second_after_its_deadline(name: str, level: str) -> None:
    available(level)
    late = []
    for _ in range(3):  # a busy machine may stall
        player = bot(name, level=level, start_seconds=1)
        began = time.monotonic()
        with pytest.raises(Fault):
            play(player, 6, seconds=0.3)
        # 1 s for the start, 0.3 s for the move and 0.1 s of margin.
        late.append(time.monotonic() - began - 1.4)
        assert strays() == []
        if late[-1] < slowness():
            return
    pytest.fail(f"seconds after the deadline: {late}")


def test_a_crash_tells_the_signal_and_the_last_of_standard_error() -> None:
    with pytest.raises(Fault, match="it died by SIGSEGV"):
        play(bot("die"), seconds=20)
    with pytest.raises(Fault, match="exit status 3") as caught:
        play(bot("crash"), seconds=20)
    assert caught.value.stderr == b"something went wrong\n"
    with pytest.raises(Fault) as caught:
        play(bot("flood_stderr"), seconds=20)
    assert len(caught.value.stderr) == 4096


@pytest.mark.skipif(sys.platform != "linux", reason="/proc tells that it has ended")
def test_a_warden_that_wakes_late_still_says_how_a_bot_ended() -> None:
    process = Process(Command(("/bin/sh", "-c", "read line; exit 3"), "/"))
    process.start(deadline=time.monotonic() + 20)
    warden = parent_of(process.pid)
    os.kill(warden, signal.SIGSTOP)
    threading.Timer(1.0, os.kill, (warden, signal.SIGCONT)).start()
    process.send(b"go\n", deadline=time.monotonic() + 20)
    with pytest.raises(Fault, match="exit status 3"):
        process.line(deadline=time.monotonic() + 20)
    process.stop()


def test_a_memory_limit_is_told_from_a_crash() -> None:
    with pytest.raises(Fault, match=r"^memory: it used \d+ MiB of memory; 200 MiB are allowed"):
        play(bot("eat_memory"), seconds=20)


@pytest.mark.parametrize("level", LEVELS)
def test_an_honest_bot_plays_a_game(level: str) -> None:
    available(level)
    player = bot("honest", level=level)
    state = play(player, 12, seconds=5)
    assert state.to_move == 0
    player.close()


@pytest.mark.parametrize("name", ["crlf"])
def test_small_oddities_are_forgiven(name: str) -> None:
    player = bot(name)
    play(player, 6, seconds=5)
    player.close()


@pytest.mark.parametrize("level", LEVELS if LONG else LEVELS[-1:])
@pytest.mark.parametrize("name", ["burn", "burn_elsewhere"])
def test_a_bot_that_thinks_on_the_opponents_time_is_measured_and_can_be_paused(
    name: str, level: str
) -> None:
    available(level)
    used = {}
    for pause in (False, True):
        player = bot(name, pause=pause, level=level)
        for _ in range(10):  # a busy machine may leave it little in a pause
            play(player, 3, pause=0.2, seconds=10)
            used[pause] = player.idle_cpu
            if pause or used[False] >= 0.03:
                break
        player.close()
    assert used[False] >= 0.03
    assert used[True] <= used[False] / 2


@pytest.mark.parametrize("level", LEVELS)
def test_the_level_says_what_a_control_group_limited(level: str) -> None:
    available(level)
    player = bot("honest", level=level)
    assert player.sandbox == level, "nothing is claimed before it runs"
    play(player, 1, seconds=5)
    held = [name for name in cgroups.LIMITS if name in cgroups.places() and level != "trusted"]
    assert player.sandbox == (f"{level}, cgroup {' and '.join(held)}" if held else level)
    player.close()


def test_without_control_groups_memory_and_processes_are_watched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cgroups, "places", dict)
    sandbox.launch_config.cache_clear()
    for name, reason in (("eat_memory", "memory"), ("fork_bomb", "flood")):
        player = bot(name, level="careful", memory_mb=201 if name == "eat_memory" else 4001)
        with pytest.raises(Fault, match=f"^{reason}"):
            play(player, 6, seconds=20)
        assert player.sandbox == "careful"
        assert strays() == []
    sandbox.launch_config.cache_clear()


def test_a_fault_is_one_of_the_known_reasons() -> None:
    assert set(FAULTS.values()) <= set(REASONS)
    assert str(Fault("time", "no answer in time")) == "time: no answer in time"


def test_a_slow_bot_has_its_own_time_to_start() -> None:
    """Its clock starts when it reads: an interpreter takes longer to start than to answer."""
    shares = []
    for _ in range(3):  # a busy machine may stall
        player = bot("honest", start_seconds=20, margin=5)
        began = time.monotonic()
        report = player.choose(GAME.start(), honte.Limit(seconds=0.001))
        shares.append(report.seconds / (time.monotonic() - began))
        assert not report.starting
        player.close()
        if shares[-1] < 1 / 2:
            return
    pytest.fail(f"shares of the time: {shares}")
