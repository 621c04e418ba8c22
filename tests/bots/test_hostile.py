"""Nothing that a bot does can hurt the arena: rows 1 to 16 of its promises.

Run with ``-s`` to see the table: fault, verdict, time to it, our memory's growth, orphans.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

import honte
from honte.bots import cgroups, sandbox
from honte.bots.faults import REASONS, Fault
from honte.bots.sandbox import LEVELS
from tests.bots.arena import GAME, available, bot, memory, play, strays

GROWTH_MIB = 16

FAULTS = {
    # the bot: the reason that is right. Most speak Saiblo, those after gtp: nothing at all.
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


@pytest.fixture(scope="module", autouse=True)
def table() -> Iterator[list[str]]:
    lines: list[str] = []
    yield lines
    print("\n" + "\n".join(lines))


# What a bot says is read in the same way at every level; what it does is not stopped so.
SAYS = [name for name, reason in FAULTS.items() if reason in ("protocol", "illegal")]
CASES = [(name, level) for name in FAULTS for level in (LEVELS if name not in SAYS else LEVELS[:1])]


@pytest.mark.parametrize(("name", "level"), CASES)
def test_a_fault_loses_the_game_and_nothing_else(name: str, level: str, table: list[str]) -> None:
    available(level)
    play(honest := bot("honest"), 2, seconds=5)  # whatever is loaded once is loaded now
    honest.close()
    memory_mb = 4000 if name == "fork_bomb" else 200  # each process counts what all share
    player = bot(name, level=level, memory_mb=memory_mb)
    before, started = memory(peak=False), time.monotonic()
    with pytest.raises(Fault) as caught:
        play(player, 6)
    seconds = time.monotonic() - started
    growth = memory(peak=True) - before
    left = strays()
    fault = caught.value
    table.append(
        f"{name:<16} {level:<10} {fault.reason:<9} {seconds:6.2f} s  "
        f"+{growth:4.1f} MiB  {len(left)} orphans  {fault.detail[:60]}"
    )
    expected = IN_A_NAMESPACE.get(name) if level == "untrusted" else None
    assert fault.reason == (expected or FAULTS[name]), f"{fault} {fault.stderr.decode()}"
    assert growth < GROWTH_MIB
    assert left == []
    # Its clock is 0.3 s and 0.1 s of margin, after 1 s for the start; it is gone within 1 s.
    assert seconds < 4
    if level == "trusted":
        with pytest.raises(Fault):  # a new game gets a new process, which does it again
            play(player, 6, seconds=5)
    player.close()
    assert strays() == []


def test_a_crash_tells_the_signal_and_the_last_of_standard_error() -> None:
    with pytest.raises(Fault, match="it died by SIGSEGV"):
        play(bot("die"))
    with pytest.raises(Fault, match="exit status 3") as caught:
        play(bot("crash"))
    assert caught.value.stderr == b"something went wrong\n"
    with pytest.raises(Fault) as caught:
        play(bot("flood_stderr"))
    assert len(caught.value.stderr) == 4096


def test_a_memory_limit_is_told_from_a_crash() -> None:
    with pytest.raises(Fault, match=r"^memory: it took \d+ MiB of memory; it may have 200 MiB"):
        play(bot("eat_memory"))


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


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ["burn", "burn_elsewhere"])
def test_a_bot_that_thinks_on_the_opponents_time_is_measured_and_can_be_paused(
    name: str, level: str
) -> None:
    available(level)
    used = {}
    for pause in (False, True):
        player = bot(name, pause=pause, level=level)
        play(player, 4, pause=0.3, seconds=5)
        used[pause] = player.idle_cpu
        player.close()
    assert used[False] >= 0.03
    assert used[True] <= used[False] / 2


@pytest.mark.parametrize("level", LEVELS)
def test_the_level_says_what_a_control_group_limited(level: str) -> None:
    available(level)
    player = bot("honest", level=level)
    assert player.kept == level, "nothing is claimed before it runs"
    play(player, 1, seconds=5)
    held = [] if level == "trusted" else list(cgroups.places())
    assert player.kept == (f"{level}, cgroup {' and '.join(held)}" if held else level)
    player.close()


def test_without_control_groups_memory_and_processes_are_watched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(cgroups, "places", dict)
    sandbox.order.cache_clear()
    for name, reason in (("eat_memory", "memory"), ("fork_bomb", "flood")):
        player = bot(name, level="careful", memory_mb=201 if name == "eat_memory" else 4001)
        with pytest.raises(Fault, match=f"^{reason}"):
            play(player, 6)
        assert player.kept == "careful"
        assert strays() == []
    sandbox.order.cache_clear()


def test_a_fault_is_one_of_the_known_reasons() -> None:
    assert set(FAULTS.values()) <= set(REASONS)
    assert str(Fault("time", "no answer in time")) == "time: no answer in time"


def test_a_slow_bot_has_its_own_time_to_start() -> None:
    player = bot("honest", start_seconds=5)
    report = player.choose(GAME.start(), honte.Limit(seconds=0.001))
    assert report.seconds > 0.002  # an interpreter does not start so fast
    player.close()
