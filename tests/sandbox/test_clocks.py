"""A bot's time is its own: no trick lengthens it, and a busy machine does not shorten it."""

from __future__ import annotations

import time

import pytest

import honte
from honte.core.fault import Fault
from honte.sandbox import cgroups, readiness, run_delay
from honte.sandbox import levels as sandbox
from honte.sandbox.levels import LEVELS
from honte.sandbox.player import RESTART_SECONDS, BotPlayer
from honte.sandbox.process import Process
from honte.sandbox.run_delay import QUOTA, REFILL, Quota, Scheduled, caused_by_others
from honte.sandbox.usage import Usage
from tests.bots.hosting import HOSTILE, available, bot, play
from tests.conftest import LONG

BOARD = honte.game("connect4:rows=8,cols=8,inarow=7,blocked=7/7")


def botzone(name: str, **settings: object) -> BotPlayer:
    player = honte.player(f"botzone:{HOSTILE} {name}", BOARD, sandbox="trusted", **settings)
    assert isinstance(player, BotPlayer)
    return player


# -- waiting for a core ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("processes", "cpu", "forgiven"),
    [
        ([(0.25, 0.75)], 0.25, 0.75),  # alone on a core that a stranger keeps busy
        ([(0.2, 0.8)] * 5, 1.0, 0.0),  # five of its own share a core
        ([(0.1, 0.9)] * 5, 0.5, 0.5),  # and five strangers with them
        ([(0.2, 0.8)], 1.0, 0.0),  # its own, but not seen: short-lived children
        ([(0.9, 0.0), (0.0, 1.0)], 0.9, 0.1),  # a niced process that only waits earns nothing
        ([(1.0, 0.0), (1.0, 0.0)], 2.0, 0.0),  # two cores, and no wait
        ([(0.2, 0.8), (0.2, 0.8)], 0.0, 0.6),  # counted by its processes where nothing else is
    ],
)
def test_only_waiting_for_strangers_counts(
    processes: list[tuple[float, float]], cpu: float, forgiven: float
) -> None:
    before = {pid: Scheduled(7.0, 3.0) for pid in range(len(processes))}
    now = {pid: Scheduled(7.0 + c, 3.0 + d) for pid, (c, d) in enumerate(processes)}
    assert caused_by_others(before, now, cpu) == pytest.approx(forgiven)


def test_a_process_that_is_gone_counts_nothing() -> None:
    assert caused_by_others({1: Scheduled(1.0, 5.0)}, {}, 0.0) == 0.0
    assert caused_by_others({1: Scheduled(1.0, 5.0)}, {1: Scheduled()}, 0.0) == 0.0
    assert run_delay.scheduled(0) == Scheduled()


def test_the_quota_is_for_a_game_and_comes_back_slowly() -> None:
    quota = Quota()
    assert quota.covers(0.0, 0.0)
    assert quota.left == QUOTA, "never more"
    assert quota.covers(QUOTA, 9.0)
    assert quota.left == pytest.approx(REFILL)
    assert not quota.covers(3 * REFILL, 9.0), "more than is left"
    assert quota.covers(REFILL / 2, REFILL)
    assert not quota.covers(REFILL, REFILL / 2), "it has not waited so long"


class Readings:
    """The kernel's figures for a bot: its time waiting for a core and running."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, waits: float, works: float) -> None:
        self.waits, self.works, self.number = waits, works, 0
        monkeypatch.setattr("honte.sandbox.run_delay.scheduled", self.scheduled)
        monkeypatch.setattr(Usage, "cpu_seconds", lambda _: self.number * self.works)

    def scheduled(self, process: int | str = run_delay.OURS) -> Scheduled:
        if process == run_delay.OURS:
            return Scheduled()
        self.number += 1  # a later reading tells more
        return Scheduled(0.0, self.number * self.waits)


def test_a_bot_without_a_core_is_waited_for_until_its_quota_is_used(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It takes 0.5 s for a move of 0.2 s, and the kernel reports that it had no core."""
    player = bot("think", 500, margin=0.0)
    Readings(monkeypatch, waits=10.0, works=0.0)
    with pytest.raises(Fault, match=r"^time"):
        play(player, 30, seconds=0.2)
    assert 1 <= len(player._moves) // 2 <= 9, "about two seconds, three tenths a move"


def test_a_bot_that_keeps_itself_busy_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    player = bot("think", 500, margin=0.0)
    Readings(monkeypatch, waits=10.0, works=10.0)
    with pytest.raises(Fault, match=r"^time"):
        play(player, 1, seconds=0.2)


@pytest.mark.parametrize("level", LEVELS if LONG else LEVELS[-1:])
def test_helpers_on_its_own_core_earn_a_bot_nothing(level: str) -> None:
    """It takes 1 s for a move of 0.2 s. Waiting for others is forgiven for three moves at most."""
    available(level)
    player = bot("crowd_core", level=level)
    with pytest.raises(Fault, match=r"^time"):
        play(player, 8, seconds=0.2)
    assert len(player._moves) // 2 <= 3


def test_a_bot_that_sleeps_waits_for_no_core() -> None:
    with pytest.raises(Fault, match=r"^time"):
        play(bot("late_move"), 3, seconds=0.3)


# -- processor time ----------------------------------------------------------------------


def idle_after(player: BotPlayer, seconds: float) -> float:
    """Its CPU time on the opponent's time, once it has used this much, or after a long while."""
    state = player.protocol.game.start()
    player.new_game()
    state = state.play(player.choose(state, honte.Limit(seconds=10)).move)
    process, until = player._process, time.monotonic() + 30
    assert process is not None
    before = process.cpu_seconds()
    while process.cpu_seconds() < before + seconds and time.monotonic() < until:
        time.sleep(0.02)
    state = state.play(state.legal_moves()[0])
    player.choose(state, honte.Limit(seconds=10))
    player.close()
    return player.idle_cpu


@pytest.mark.skipif("cpu" not in cgroups.places(), reason="no control group counts CPU time")
@pytest.mark.parametrize("level", LEVELS if LONG else LEVELS[-1:])
def test_children_that_nobody_waits_for_are_counted(level: str) -> None:
    available(level)
    assert 0.4 < idle_after(bot("hide_children", level=level), 0.45) < 1.0


@pytest.mark.parametrize("level", LEVELS[:2] if LONG else LEVELS[:1])
def test_children_and_orphans_are_counted_without_a_control_group(
    level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    available(level)
    monkeypatch.setattr(cgroups, "places", dict)
    sandbox.launch_config.cache_clear()
    try:
        assert 0.4 < idle_after(bot("wait_for_children", level=level, memory_mb=202), 0.45) < 1.0
    finally:
        sandbox.launch_config.cache_clear()


# -- starting ----------------------------------------------------------------------------


def test_a_bot_started_for_every_move_cannot_think_as_if_it_were_starting() -> None:
    player = botzone("think_as_if_starting", margin=0.1)
    with pytest.raises(Fault, match=r"^time"):
        play(player, 2, seconds=0.2)
    assert player._moves == []


def test_what_a_bot_does_before_it_reads_is_not_its_thinking() -> None:
    times = []
    for _ in range(3):  # a busy machine may stall
        player = botzone("start_late", margin=10, start_seconds=60)
        report = player.choose(BOARD.start(), honte.Limit(seconds=10))
        times.append((player._starts[0], report.seconds))
        assert player._starts[0] >= 0.3
        assert not report.starting
        player.close()
        if report.seconds < player._starts[0]:
            return
    pytest.fail(f"seconds to start and to move: {times}")


class Started:
    """A scripted answer to how the start of a process ended, and the time for it that was given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, state: str) -> None:
        self.given: list[float] = []

        def wait(process: Process, deadline: float) -> str:
            self.given.append(deadline - time.monotonic())
            return state

        monkeypatch.setattr(Process, "wait_until_it_reads", wait)


@pytest.mark.parametrize(
    ("state", "starting"),
    [
        ("reads", [False, False, False]),
        ("busy", [False, False, False]),  # it has had the time already
        ("idle", [True, False, False]),  # it may still be starting, once
        ("unknown", [True, True, True]),  # no /proc: the time that it usually takes
    ],
)
def test_a_whole_start_is_paid_once(
    state: str, starting: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Started(monkeypatch, state)
    player = botzone("botzone_answer", margin=20, start_seconds=30)
    position, reports = BOARD.start(), []
    for _ in starting:
        reports.append(player.choose(position, honte.Limit(seconds=10)))
        position = position.play(reports[-1].move)
        position = position.play(position.legal_moves()[0])
    assert [report.starting for report in reports] == starting
    assert found.given[0] > RESTART_SECONDS
    assert max(found.given[1:]) <= RESTART_SECONDS
    player.close()


@pytest.mark.skipif(not readiness.READ, reason="no numbers of system calls for this processor")
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_that_reads_is_seen_to(level: str) -> None:
    available(level)
    player = bot("honest", level=level)
    player.choose(player.protocol.game.start(), honte.Limit(seconds=10))
    assert player._process is not None
    assert player._process.wait_until_it_reads(time.monotonic() + 20) == "reads"
    player.close()


def test_how_a_start_ends() -> None:
    for name, state in (("never_read", "idle"), ("crash_at_once", "busy")):
        process = Process(bot(name).command)
        process.start(time.monotonic() + 20)
        assert process.wait_until_it_reads(time.monotonic() + 20) == state
        process.stop(grace=0)
    spinning = Process(bot("start_late").command)
    spinning.start(time.monotonic() + 20)
    assert spinning.wait_until_it_reads(time.monotonic() + 0.05) == "busy"
    spinning.stop(grace=0)
