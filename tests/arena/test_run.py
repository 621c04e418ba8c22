"""Runs: counted in order, retired players, workers that die."""

from __future__ import annotations

import os
import random
import re
import resource
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from honte.arena.game import Played, play_task
from honte.arena.match import Standing, play_match, schedule
from honte.arena.run import Run
from honte.arena.schedule import Plan, Task, match, round_robin
from honte.arena.store import Store, StoreError
from honte.arena.tournament import Tournament, play
from honte.arena.workers import Pulse, Team, WorkerError, Workers, play_fairly
from honte.cli.match import handling_signals
from honte.core import signals

PLAN = Plan("connect4", seed=1)


def result_of(task: Task) -> Played:
    """A game that is over at once, drawn from its seed; "bad" always crashes."""
    if "bad" in task.players:
        bad = task.players.index("bad")
        lost = (bad == 0) == task.a_first
        return Played(task, (), -1 if lost else 1, None, "crash", "signal 11", fault=bad)
    time.sleep(random.Random(task.id).random() * 0.004)
    return Played(task, (task.seed,), random.Random(task.id).choice((1, 0, -1)), 0.0, "played out")


@pytest.mark.parametrize("workers", [1, 3])
def test_games_are_counted_in_the_order_of_the_schedule(workers: int) -> None:
    run = Run(workers, play=result_of)
    assert [game.task.number for game in run.play(match(PLAN, "a", "b", 60))] == list(range(60))
    run.close()


def test_a_player_that_always_faults_is_retired_and_the_table_is_the_same_for_any_workers() -> None:
    tables = []
    for workers in (1, 3):
        run = Run(workers, max_faults=4, play=result_of)
        table = Tournament(["a", "b", "bad", "c"])
        list(play(table, PLAN, "round robin", 4, run))
        run.close()
        tables.append(table.summary())
    assert tables[0] == tables[1]
    rows = {row["player"]: row for row in tables[0]["players"]}  # type: ignore[attr-defined]
    assert rows["bad"]["retired"] == "crash: signal 11"
    assert rows["bad"]["losses"] == 24
    assert rows["bad"]["faults"] == {"crash": 4}
    assert tables[0]["reasons"]["retired"] == 20  # type: ignore[index]
    assert rows["a"]["retired"] is None


def test_one_game_without_a_fault_begins_the_count_anew() -> None:
    def sometimes(task: Task) -> Played:
        played = result_of(task)
        return replace(played, fault=0, reason="time") if task.number % 4 else played

    run = Run(1, max_faults=4, play=sometimes)
    assert len(list(run.play(match(PLAN, "a", "b", 40)))) == 40
    assert not run.retired
    run.close()


def test_what_is_in_the_store_is_not_played_again(tmp_path: Path) -> None:
    with Store(tmp_path / "games.db") as store:
        run = Run(1, store)
        first = [game.task.id for game in run.play(match(PLAN, "random", "random", 6))]
        run.close()
        run = Run(1, store)
        again = [game.task.id for game in run.play(match(PLAN, "random", "random", 10))]
        run.close()
        assert run.found == 6
        assert again[:6] == first
        assert len(store) == 10


def die_once(task: Task) -> Played:
    mark = Path(os.environ["HONTE_TEST_MARK"])
    if task.number == 3 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return play_task(task)


def test_a_game_whose_worker_dies_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HONTE_TEST_MARK", str(tmp_path / "died"))
    run = Run(2, play=die_once)
    assert len(list(run.play(match(PLAN, "random", "random", 10)))) == 10
    run.close()


def die(task: Task) -> Played:
    os.kill(os.getpid(), signal.SIGKILL)
    return play_task(task)


def test_a_game_whose_worker_dies_twice_is_named() -> None:
    run = Run(1, play=die)
    with pytest.raises(WorkerError, match=r"game 1 .* died twice \(signal 9\)"):
        list(run.play(match(PLAN, "random", "random", 2)))


class Ready(Team):
    """A team that has played every game when it is asked."""

    def __init__(self, closing: Callable[[], None]) -> None:
        super().__init__()
        self.tasks: list[Task] = []
        self._closing = closing

    def _idle(self) -> int:
        return 3 - len(self.tasks)

    def _begin(self, batch: list[Task]) -> None:
        self.tasks += batch

    def _collect(self, seconds: float | None) -> list[Played]:
        played, self.tasks = [Played(task, (3,), 1, 1.0, "draw") for task in self.tasks], []
        return played

    def close(self) -> None:
        self._closing()

    def kill(self) -> None: ...


def test_games_are_stored_before_the_workers_are_closed(tmp_path: Path) -> None:
    """Closing them takes a while, in which a second Ctrl-C ends everything."""
    with Store(tmp_path / "games.db") as store:
        stored: list[int] = []
        run = Run(Ready(lambda: stored.append(len(store))), store, commit_every=1e9)
        playing = run.play(match(PLAN, "a", "b", 10))
        next(playing)
        assert len(store) == 0
        playing.close()
        assert stored == [3]


@pytest.mark.parametrize("after", [0, 1, 3])
def test_ctrl_c_while_games_are_stored_loses_none_and_doubles_none(
    after: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After so many of three; after all of them the transaction is complete."""
    with Store(tmp_path / "games.db") as store:
        add, insert = store.add, store._insert
        inserted = 0

        def interrupted(played: Played) -> None:
            nonlocal inserted
            if inserted == after:
                inserted += 1
                raise KeyboardInterrupt
            inserted += 1
            insert(played)

        def added(*played: Played) -> None:
            add(*played)
            if inserted == after:
                interrupted(played[0])

        monkeypatch.setattr(store, "_insert", interrupted)
        monkeypatch.setattr(store, "add", added)
        run = Run(Ready(lambda: None), store)
        with pytest.raises(KeyboardInterrupt):
            list(run.play(match(PLAN, "a", "b", 3)))
        assert len(store) == 3
        assert [played.task.number for played in run.leftover] == [0, 1, 2]


def test_games_that_a_full_disk_has_no_room_for_are_not_left_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Played) -> None:
        raise StoreError("the disk is full")

    with Store(tmp_path / "games.db") as store:
        monkeypatch.setattr(store, "add", full)
        run = Run(Ready(lambda: None), store)
        with pytest.raises(StoreError):
            list(run.play(match(PLAN, "a", "b", 3)))
        assert run.leftover == []


def fail_first(task: Task) -> Played:
    if task.number == 0:
        raise ValueError("no such book")
    return result_of(task)


def test_a_game_that_finished_beside_one_that_failed_is_returned_before_the_error() -> None:
    team = Workers(2, fail_first)
    for task in match(PLAN, "a", "b", 2):
        team.send(task)
    assert all(worker.pipe.poll(30) for worker in team._all), "both have ended"
    assert [played.task.number for played in team.finished()] == [1]
    assert team.busy == 1
    with pytest.raises(WorkerError, match=r"game 1 \(\w+\): no such book"):
        team.finished()
    assert team.busy == 0
    team.close()


@pytest.fixture
def nohup() -> Iterator[None]:
    """SIGHUP ignored, as in a program that nohup starts."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGHUP, before)


@pytest.mark.usefixtures("nohup")
def test_under_nohup_a_closed_terminal_ends_neither_a_run_nor_its_workers() -> None:
    run, standing = Run(2, play=hang_up), Standing()
    with handling_signals(run, standing):
        os.kill(os.getpid(), signal.SIGHUP)
        games = len(list(run.play(match(PLAN, "a", "b", 4))))
    assert (games, standing.stopped) == (4, "")
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    with signals.heard(lambda: None, lambda: None) as heard:
        os.kill(os.getpid(), signal.SIGHUP)
    assert not heard


def hang_up(task: Task) -> Played:
    os.kill(os.getpid(), signal.SIGHUP)
    return result_of(task)


def late_if_stopped(task: Task) -> Played:
    """A game that is lost on time if it takes long; its process is stopped meanwhile."""
    mark = Path(os.environ["HONTE_TEST_MARK"])
    late = False
    if not mark.exists():
        mark.write_text(str(os.getpid()))
        began = time.monotonic()
        while not late and (before := time.monotonic()) < began + 30:
            time.sleep(0.05)
            late = time.monotonic() - before > 2
    if late:
        return Played(task, (), -1, None, "time", "late", fault=0)
    return Played(task, (3,), 1, 1.0, "played out")


def test_a_game_lost_on_time_while_the_arena_stood_still_is_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mark = tmp_path / "worker"
    monkeypatch.setenv("HONTE_TEST_MARK", str(mark))

    def stop_and_go_on() -> None:
        while not mark.exists() or not mark.read_text():
            time.sleep(0.01)
        worker = int(mark.read_text())
        os.kill(worker, signal.SIGSTOP)
        time.sleep(2.4)
        os.kill(worker, signal.SIGCONT)

    run = Run(1, play=late_if_stopped)
    stopper = threading.Thread(target=stop_and_go_on)
    stopper.start()
    (played,) = run.play(match(PLAN, "a", "b", 1))
    stopper.join()
    run.close()
    assert played.reason == "played out"
    assert re.fullmatch(r"played again: the arena was suspended for \d+\.\d s", played.detail)


class Gaps(Pulse):
    """A pulse with these gaps, one after the other."""

    def __init__(self, *gaps: float) -> None:
        super().__init__()
        self.gaps = iter(gaps)

    def gap(self) -> float:
        return next(self.gaps)


@pytest.mark.parametrize("reason", ["time", "start", "stall"])
def test_every_deadline_that_passes_while_the_arena_stands_still_is_forgiven(reason: str) -> None:
    task = next(match(PLAN, "a", "b", 1))
    lost = Played(task, (), -1, None, reason, "too late", fault=0)
    won = Played(task, (3,), 1, 1.0, "played out")
    turns = iter([lost, lost, won])
    played = play_fairly(lambda task: next(turns), task, Gaps(3.04, 2.5, 0.1))
    assert played == replace(won, detail="played again: the arena was suspended for 2.5 s")
    # A game that is lost in the same way every time is lost.
    played = play_fairly(lambda task: lost, task, Gaps(3, 3, 4))
    assert played == replace(lost, detail="too late (the arena was suspended for 4.0 s)")
    assert play_fairly(lambda task: lost, task, Gaps(1.9)) == lost


def test_a_crash_is_one_however_long_the_arena_stood_still() -> None:
    task = next(match(PLAN, "a", "b", 1))
    crashed = Played(task, (), -1, None, "crash", "signal 11", fault=0)
    assert play_fairly(lambda task: crashed, task, Gaps(9)) == crashed


def test_too_few_file_descriptors_for_the_workers_are_refused_at_the_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (256, 256))
    with pytest.raises(
        ValueError, match=r"100 workers need 2464 open files .* 256; use --workers 8"
    ):
        Run(100)


def test_a_swiss_tournament_of_a_class_names_the_broken_ones(tmp_path: Path) -> None:
    def class_game(task: Task) -> Played:
        for side, spec in enumerate(task.players):
            if spec.startswith("broken"):
                lost = (side == 0) == task.a_first
                return Played(task, (), -1 if lost else 1, None, "start", "no", fault=side)
        better = 0 if task.players[0] < task.players[1] else 1
        return Played(task, (3,), 1 if (better == 0) == task.a_first else -1, 1.0, "played out")

    names = [f"{'broken' if n % 4 == 0 else 'good'}{n:02}" for n in range(40)]
    tables = []
    for _ in range(2):  # the second time all of it comes from the store
        with Store(tmp_path / "games.db") as store:
            run = Run(2, store, max_faults=5, play=class_game)
            table = Tournament(names)
            list(play(table, Plan("connect4:course"), "swiss", 9, run))
            run.close()
            tables.append(table.summary())
            assert len(store) <= 360
    assert tables[0] == tables[1]
    rows = {row["player"]: row for row in tables[0]["players"]}  # type: ignore[attr-defined]
    retired = {name for name, row in rows.items() if row["retired"]}
    assert retired == {name for name in names if name.startswith("broken")}


def test_a_round_robin_of_real_players_ends_with_the_stronger_ahead() -> None:
    run = Run(2)
    table = Tournament(["random", "uct:iterations=100"])
    list(play(table, PLAN, "round robin", 5, run))
    run.close()
    found = table.summary()
    assert found["games"] == 10
    assert found["players"][0]["player"] == "uct:iterations=100"  # type: ignore[index]
    assert len(list(round_robin(PLAN, table.players, 5))) == 10


@pytest.mark.parametrize("players", [["a"], [], ["a", "b", "a"]])
def test_a_tournament_needs_two_players_and_each_of_them_once(players: list[str]) -> None:
    with pytest.raises(ValueError, match="name"):
        Tournament(players)


def test_random_players_play_200_games_a_second_and_more() -> None:
    began = time.process_time()
    assert sum(1 for _ in play_match(schedule("random", "random", "connect4", 300))) == 300
    assert 300 / (time.process_time() - began) > 200


@pytest.mark.long
def test_ten_thousand_games_leave_memory_as_it_was(tmp_path: Path) -> None:
    def memory() -> int:
        text = Path("/proc/self/status").read_text()
        return int(text.partition("VmRSS:")[2].split()[0])

    with Store(tmp_path / "games.db") as store:
        run = Run(1, store)
        standing = Standing()
        sizes = []
        for played in run.play(match(PLAN, "random", "random", 11_000)):
            standing.add(played)
            if played.task.number in (1000, 10_999):
                sizes.append(memory())
        run.close()
        assert len(store) == 11_000
    print(f"after 1,000 games {sizes[0]} KiB, 10,000 later {sizes[1]} KiB")
    assert sizes[1] - sizes[0] < 4096
