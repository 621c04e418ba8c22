"""All twenty-four promises of the arena in one table, each with a bot or a world that breaks.

Run with ``-s`` to see it; it is also written to ``build/faults.txt`` if there is a build/.
The variants of each promise, level by level, are in the test modules beside this one.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import honte
from honte.arena.game import Played, play_task
from honte.arena.run import Run
from honte.arena.schedule import Clock, Plan, Task, match
from honte.arena.store import Store, StoreError
from honte.arena.tournament import Tournament
from honte.arena.tournament import play as play_tournament
from honte.core.fault import Fault
from honte.sandbox import levels as sandbox
from honte.sandbox.player import BotPlayer
from tests.bots.hosting import HOSTILE, SECONDS, TOKEN, bot, memory, play, strays
from tests.cli.command import COMMAND, ENVIRONMENT, ROOT, start
from tests.cli.test_match_tournament import children, count, gone
from tests.sandbox.test_library import COMPILER, library

GROWTH_MIB = 16
LEVEL = sandbox.active_level()
pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="the table is Linux's"),
    pytest.mark.skipif(COMPILER is None, reason="there is no C compiler, cc"),
]


@dataclass
class Line:
    """One line of the table."""

    row: int
    bot: str
    verdict: str
    seconds: float = 0.0
    growth: float = 0.0
    orphans: int = 0
    kept: bool = False

    def __str__(self) -> str:
        return (
            f"{self.row:>2}  {self.bot:<24} {self.verdict[:54]:<54} {self.seconds:>6.2f} s "
            f"{self.growth:>+6.1f} MiB {self.orphans:>7}  {'kept' if self.kept else 'BROKEN'}"
        )


class Table:
    """The lines so far, and the worlds that they need."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.lines: list[Line] = []
        self.arenas: list[float] = []
        """By how much arenas have grown that are processes of their own."""
        # Load shared code here, once. The time that takes shows how slow the machine is.
        for _ in range(2):
            began = time.monotonic()
            play(honest := bot("honest", level=LEVEL, start_seconds=60), 2, seconds=5)
            honest.close()
        self.start_seconds = round(max(2.0, min(20.0, 10 * (time.monotonic() - began))), 2)

    def measured(self, row: int, name: str, deed: Callable[[], tuple[bool, str]]) -> Line:
        """Run a check: whether the promise was kept, and the verdict in words."""
        before, began = memory(peak=False), time.monotonic()
        kept, verdict = deed()
        line = Line(row, name, verdict, time.monotonic() - began)
        line.growth = memory(peak=True) - before
        if self.arenas:  # the arena was a process of its own
            line.growth = max(line.growth, *self.arenas)
            self.arenas.clear()
        line.orphans = len(strays())
        line.kept = kept and line.growth < GROWTH_MIB and line.orphans == 0
        self.lines.append(line)
        return line

    def faults(self, row: int, expected: dict[str, str]) -> None:
        """Bots that lose by a fault, at their deadline at the latest, and are gone a second on."""
        for name, reason in expected.items():
            player = bot(
                name,
                level=LEVEL,
                memory_mb=2000 if name == "fork_bomb" else 200,
                start_seconds=self.start_seconds,
            )
            line = self.measured(row, name, lambda: lost(player, reason))  # noqa: B023
            line.kept &= line.seconds < self.start_seconds + SECONDS + player.margin + 1
            player.close()

    def denied(self, row: int, *attempts: tuple[str, object]) -> None:
        """Bots whose attempt fails, and which play on."""
        for name, argument in attempts:
            player = bot(name, argument, level=LEVEL, start_seconds=20)
            self.measured(row, name, lambda: plays_on(player))  # noqa: B023


def lost(player: BotPlayer, reason: str) -> tuple[bool, str]:
    try:
        play(player, 6)
    except Fault as fault:
        return fault.reason in reason.split("|"), str(fault)
    return False, "nothing happened"


def plays_on(player: BotPlayer) -> tuple[bool, str]:
    try:
        play(player, 3, seconds=5)
    except Fault as fault:
        return False, str(fault)
    finally:
        player.close()
    return True, "denied; it plays on"


def burns(table: Table) -> tuple[bool, str]:
    """Row 10: through the arena, as --pause goes."""
    used = []
    for pause in (False, True):
        words = (f"saiblo:{HOSTILE} burn {TOKEN}", f"saiblo:{HOSTILE} think 250 {TOKEN}")
        clock = Clock(max_plies=6, pause=pause)
        played = play_task(Task(0, "connect4", words, True, 1, (), honte.Limit(seconds=5), clock))
        assert played.reason == "move limit", played.detail
        used.append(played.idle[0] or 0.0)
    fine = used[0] >= 0.03 and used[1] <= used[0] / 2
    return fine, f"{used[0]:.2f} s measured; {used[1]:.2f} s with --pause"


def library_lost(folder: Path, mode: str, reason: str) -> tuple[bool, str]:
    player = honte.player(
        f"getpoint:{library(folder, mode)}",
        honte.game("connect4:rows=9,cols=9,blocked=2/3"),
        sandbox=LEVEL,
        margin=0.1,
        memory_mb=200,
    )
    assert isinstance(player, BotPlayer)
    try:
        player.choose(
            player.protocol.game.start(), honte.Limit(seconds=0.5 if reason == "time" else 20)
        )
    except Fault as fault:
        return fault.reason == reason, str(fault)
    finally:
        player.close()
    return False, "nothing happened"


def latency() -> tuple[bool, str]:
    """Row 17: a bot's times contain its own sleep and no other significant delay."""
    run = Run(1)
    spec = f"saiblo:{HOSTILE} think {TOKEN}"
    plan = Plan("connect4", honte.Limit(seconds=5), clock=Clock(max_plies=20))
    list(run.play(match(plan, spec, "random", 2)))
    run.close()
    times = run.latencies.summary()[spec]
    p50 = times["p50"] or 0.0
    verdict = f"it thinks 20 ms: p50 {1000 * p50:.1f} ms, p99 {1000 * (times['p99'] or 0):.1f} ms"
    return 0.0195 <= p50 < 0.06, verdict


WORDS = ("match", f"saiblo:{HOSTILE} honest {TOKEN}", "random", "--seed", "3", "--seconds", "5")


def killed_and_resumed(table: Table) -> tuple[bool, str]:
    """Row 18, once; tests/cli kills many more times."""
    path = table.folder / "killed.db"
    words = (*WORDS, "--games", "14", "--store", str(path), "--json")
    process = start(*words)
    wait_for(lambda: count(path) >= 1)
    first = largest(process)
    wait_for(lambda: count(path) >= 3)
    table.arenas.append(largest(process) - first)
    process.kill()
    process.communicate()
    assert gone(process.pid)
    wait_for(lambda: not strays())
    kept = count(path)
    done = subprocess.run([*COMMAND, *words], capture_output=True, cwd=ROOT, env=ENVIRONMENT)
    found = json.loads(done.stdout)
    db = sqlite3.connect(path)
    total, different = db.execute("SELECT count(*), count(DISTINCT seed) FROM games").fetchone()
    db.close()
    fine = (found["from_store"], total, different) == (kept, 14, 14)
    return fine and 3 <= kept < 14, f"{kept} games kept, {14 - kept} played on, 0 lost, 0 twice"


def full_disk(table: Table) -> tuple[bool, str]:
    """Row 19: a file that may not grow; tests/cli has a real small disk."""
    path = table.folder / "full.db"
    words = ["match", "random", "random", "--games", "300", "--store", str(path)]
    done = subprocess.run(
        ["bash", "-c", 'ulimit -f 160; exec "$@"', "bash", *COMMAND, *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=ENVIRONMENT,
    )
    kept = count(path)
    db = sqlite3.connect(path)
    whole = db.execute("PRAGMA integrity_check").fetchone()[0]
    db.close()
    fine = done.returncode == 1 and "disk is full" in done.stderr and whole == "ok"
    return fine and 0 < kept < 300, f"stopped, says so; {kept} games kept, store {whole}"


def held(table: Table) -> tuple[bool, str]:
    """Row 20."""
    path = table.folder / "held.db"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(path)], cwd=ROOT, stdout=subprocess.PIPE
    )
    assert holder.stdout is not None
    holder.stdout.readline()
    began = time.monotonic()
    try:
        Store(path)
        return False, "two runs hold one store"
    except StoreError as error:
        waited = time.monotonic() - began
        return waited > 4.9, str(error).replace(str(path), "games.db")
    finally:
        holder.kill()
        holder.communicate()


HOLD = """
import sys, time
from honte.arena.store import Store
store = Store(sys.argv[1])
print("held", flush=True)
time.sleep(60)
"""


def interrupted(table: Table, number: signal.Signals, times: int) -> tuple[bool, str]:
    """Row 21."""
    path = table.folder / f"{number.name}.db"
    words = [*WORDS, "--games", "5000", "--workers", "2", "--store", str(path)]
    process = start(*words)
    wait_for(lambda: count(path) >= 1)
    first = largest(process)
    wait_for(lambda: count(path) >= 3)
    table.arenas.append(largest(process) - first)
    began = time.monotonic()
    for _ in range(times):
        process.send_signal(number)
        time.sleep(0.02)
    process.communicate(timeout=20)
    seconds = time.monotonic() - began
    wait_for(lambda: not strays() and not children(process.pid))
    kept = count(path)
    verdict = f"exit {process.returncode} after {seconds:.1f} s; {kept} games kept"
    return process.returncode == 130 and kept >= 3, verdict


def stood_still(table: Table) -> tuple[bool, str]:
    """Row 22: a worker and its bot are stopped in mid-move, as by a suspend."""
    mark = table.folder / "worker"

    def marked(task: Task) -> Played:
        with mark.open("a", encoding="ascii") as file:
            file.write(f"{os.getpid()}\n")
        return play_task(task)

    def suspend() -> None:
        wait_for(lambda: mark.exists() and mark.read_text().endswith("\n"))
        time.sleep(0.4)
        pid = int(mark.read_text().split()[0])
        os.kill(pid, signal.SIGSTOP)
        time.sleep(2.5)
        os.kill(pid, signal.SIGCONT)

    limit, clock = honte.Limit(seconds=1), Clock(margin=0.2, max_plies=5)
    plan = Plan("connect4", limit, clock=clock)
    run = Run(1, play=marked)
    stopper = threading.Thread(target=suspend)
    stopper.start()
    (played,) = run.play(match(plan, "uct:seconds=0.9", "random", 1))
    stopper.join()
    run.close()
    tries = len(mark.read_text().split())
    return played.fault is None and tries == 2, f"played {tries} times; {played.reason}"


def too_few_files(table: Table) -> tuple[bool, str]:
    """Row 23."""
    real = resource.getrlimit
    resource.getrlimit = lambda _: (256, 256)
    try:
        Run(100)
        return False, "100 workers with 256 files"
    except ValueError as error:
        return "2464" in str(error), str(error)
    finally:
        resource.getrlimit = real


def always_crashes(table: Table) -> tuple[bool, str]:
    """Row 24."""
    broken = f"saiblo:{HOSTILE} crash {TOKEN}"
    found = Tournament([broken, "random", "uct:iterations=5"])
    run = Run(1, max_faults=3)
    plan = Plan("connect4", honte.Limit(seconds=5))
    list(play_tournament(found, plan, "round robin", 4, run))
    run.close()
    fine = list(found.retired) == [broken] and found.total == 24
    return fine, f"24 games; retired: {found.retired.get(broken)}"


def largest(process: subprocess.Popen[str]) -> float:
    """The largest resident memory of a process so far, in MiB."""
    text = Path(f"/proc/{process.pid}/status").read_text()
    return int(text.partition("VmHWM:")[2].split()[0]) / 1024


def wait_for(event: Callable[[], bool], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not event():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.01)


@pytest.fixture
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.timing
def test_the_time_of_a_move_is_the_bots_and_little_else() -> None:
    kept, verdict = latency()
    assert kept, verdict


@pytest.mark.long
@pytest.mark.timing
def test_all_twenty_four_promises_are_kept(tmp_path: Path, port: int) -> None:
    if LEVEL == "trusted":
        pytest.skip("rows 11 to 13 need a sandbox")
    (tmp_path / "store.db").write_bytes(b"results")
    secret = str(tmp_path).lstrip("/")
    table = Table(tmp_path)
    table.faults(1, {"die": "crash", "crash": "crash"})
    table.faults(2, {"hang": "time", "stop_itself": "time", "ignore_sigterm": "stall"})
    table.faults(3, {"drip": "time"})
    flood = {"gtp:flood_lines": "flood", "gtp:endless_line": "flood", "flood_stderr": "flood"}
    table.faults(4, flood)
    table.faults(5, {"never_read": "stall"})
    # bubblewrap holds the bot's output open too, so that its end is not seen.
    table.faults(6, {"close_stdout": "crash|time"})
    table.faults(7, {"gtp:slow_start": "start"})
    table.faults(8, {"daemon": "crash", "fork_bomb": "flood"})
    table.faults(9, {"eat_memory": "memory"})
    table.measured(10, "burn", lambda: burns(table))
    table.denied(11, ("write_files", secret), ("fill_disk", 0))
    denied = (("read_files", secret), ("trace_arena", os.getpid()), ("read_descriptors", 0))
    table.denied(12, *denied)
    table.denied(13, ("open_network", port))
    odd = ("invalid_utf8", "nul", "bom", "colour", "huge_number", "huge_length")
    table.faults(14, dict.fromkeys(odd, "protocol"))
    table.faults(15, {"full_cell": "illegal", "late_move": "time", "double_move": "illegal"})
    libraries = {"SEGFAULT": "crash", "ABORT": "crash", "EXIT": "crash", "SPIN": "time"}
    for mode, reason in {**libraries, "LEAK": "memory"}.items():
        name = f"library {mode.lower()}"
        table.measured(16, name, lambda: library_lost(tmp_path, mode, reason))  # noqa: B023
    table.measured(17, "think", latency)
    table.measured(18, "kill -9 of the arena", lambda: killed_and_resumed(table))
    table.measured(19, "full disk", lambda: full_disk(table))
    table.measured(20, "store held", lambda: held(table))
    for number, times in ((signal.SIGINT, 2), (signal.SIGTERM, 1), (signal.SIGHUP, 1)):
        name = f"{number.name} x {times}"
        table.measured(21, name, lambda: interrupted(table, number, times))  # noqa: B023
    table.measured(22, "standstill of 2.5 s", lambda: stood_still(table))
    table.measured(23, "256 files, 100 workers", lambda: too_few_files(table))
    table.measured(24, "crash, every game", lambda: always_crashes(table))
    report(table, tmp_path)


def report(table: Table, folder: Path) -> None:
    """Print and write the table, then judge it."""
    broken = {line.row for line in table.lines if not line.kept}
    rows = {line.row for line in table.lines}
    head = f"{'':>2}  {'bot or world':<24} {'verdict':<54} {'time':>8} {'growth':>10} orphans"
    last = (
        f"{len(rows - broken)}/24 rows kept at the level {LEVEL}; "
        f"largest growth {max(line.growth for line in table.lines):.1f} MiB, "
        f"{sum(line.orphans for line in table.lines)} orphans"
    )
    text = "\n".join([head, *map(str, table.lines), last])
    print("\n" + text)
    build = ROOT / "build"
    target = build if build.is_dir() else folder
    (target / "faults.txt").write_text(text + "\n", encoding="utf-8")
    assert rows == set(range(1, 25))
    assert not broken, text
