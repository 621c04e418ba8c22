"""The store: what is stored is read back, complete or not at all."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from honte.arena import store as module
from honte.arena.game import Played, play_task
from honte.arena.schedule import Clock, Plan, match
from honte.arena.store import Store, StoreError
from honte.core.request import Limit
from tests.needs import needs_bubblewrap

PLAN = Plan("othello", Limit(iterations=20), clock=Clock(margin=3), versions={"uct": "7"})


@pytest.fixture
def games() -> list[Played]:
    return [play_task(task) for task in match(PLAN, "uct", "random", 4)]


def test_a_game_comes_out_as_it_went_in(tmp_path: Path, games: list[Played]) -> None:
    with Store(tmp_path / "games.db") as store:
        for played in games:
            store.add(played)
    with Store(tmp_path / "games.db", write=False) as store:
        assert len(store) == 4
        for played, found in zip(games, store.games(), strict=True):
            rounded = tuple(None if v is None else round(v, 5) for v in played.values)
            assert found == replace(played, values=rounded)
            assert found.task.id == played.task.id
            assert store.get(played.task.id[:10]) == found
            assert store.find(played.task) == found
        assert [head.id for head in store.heads(2)] == [game.task.id for game in games[2:]]


def test_each_side_keeps_its_sandbox_and_its_idle_time(tmp_path: Path, games: list[Played]) -> None:
    played = replace(games[0], sandbox=("careful", "untrusted"), idle=(0.25, 1.5))
    with Store(tmp_path / "games.db") as store:
        store.add(played)
        (found,) = store.games()
    assert (found.sandbox, found.idle) == (played.sandbox, played.idle)


@needs_bubblewrap
def test_a_store_on_a_read_only_disk_is_shown(tmp_path: Path, games: list[Played]) -> None:
    with Store(tmp_path / "games.db") as store:
        for played in games:
            store.add(played)
    disk = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", str(tmp_path), str(tmp_path)]
    show = [sys.executable, "-m", "honte", "show", "--store", str(tmp_path / "games.db")]
    run = subprocess.run([*disk, *show], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "4 games" in run.stdout


def test_the_same_game_is_never_kept_twice(tmp_path: Path, games: list[Played]) -> None:
    with Store(tmp_path / "games.db") as store:
        store.add(games[0])
        store.add(replace(games[0], detail="anew"), games[1])
        assert len(store) == 2
        assert store.get(games[0].task.id).detail == games[0].detail


def test_strange_text_from_a_bot_is_kept_as_text(tmp_path: Path, games: list[Played]) -> None:
    odd = replace(games[0], detail="\ud800 '; DROP TABLE games; --", stderr="\x00\x1b[31m")
    with Store(tmp_path / "games.db") as store:
        store.add(odd)
        assert store.get(odd.task.id).stderr == "\x00\x1b[31m"


@pytest.mark.parametrize("id", ["", "%", "zz", "_", "ffff ffff", "x" * 1000])
def test_an_invalid_id_is_one_sentence(tmp_path: Path, games: list[Played], id: str) -> None:
    with Store(tmp_path / "games.db") as store:
        store.add(games[0])
        with pytest.raises(ValueError, match="honte show"):
            store.get(id)


def test_a_file_of_something_else_is_left_alone(tmp_path: Path) -> None:
    other = tmp_path / "other.db"
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE photos (id)")
    db.close()
    before = other.read_bytes()
    with pytest.raises(StoreError, match="something else"):
        Store(other)
    assert other.read_bytes() == before
    text = tmp_path / "text.db"
    text.write_text("these are not games\n" * 100)
    with pytest.raises(StoreError, match="not a store"):
        Store(text)
    with pytest.raises(StoreError, match="no store"):
        Store(tmp_path / "none.db", write=False)
    with pytest.raises(StoreError, match="cannot be written here"):
        Store(tmp_path / "no" / "folder.db")


HOLDER = """
import sys, time
from honte.arena.store import Store
store = Store(sys.argv[1])
print("held", flush=True)
time.sleep(60)
"""


def test_a_store_that_is_held_is_waited_for_and_then_named(
    tmp_path: Path, games: list[Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "games.db"
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    monkeypatch.setattr(module, "PATIENCE", 0.5)
    began = time.monotonic()
    with pytest.raises(StoreError, match="another run holds the store"):
        Store(path)
    assert 0.4 < time.monotonic() - began < 20
    with Store(path, write=False) as reader:
        assert len(reader) == 0, "reading goes on meanwhile"
    holder.kill()
    holder.communicate()
    with Store(path) as store:
        store.add(games[0])


TAKER = """
import sys
from honte.arena import store
store.PATIENCE = 0
store.Store(sys.argv[1])
"""


def test_a_store_is_held_within_a_process_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0)
    path, link = tmp_path / "games.db", tmp_path / "link"
    link.symlink_to(tmp_path)

    def taken_elsewhere() -> bool:
        words = [sys.executable, "-c", TAKER, str(path)]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return "another run holds the store" in done.stderr

    with Store(path):
        for other in (path, link / "games.db"):
            with pytest.raises(StoreError, match="another run holds the store"):
                Store(other)
        with Store(path, write=False):
            pass
        assert taken_elsewhere(), "the attempts left the lock as it was"
    assert not taken_elsewhere()
    Store(path).close()
    with pytest.raises(StoreError, match="cannot be written here"):
        Store(tmp_path / "no" / "games.db")
    (tmp_path / "no").mkdir()
    Store(tmp_path / "no" / "games.db").close()


def test_a_lock_of_another_program_is_waited_for_and_then_named(
    tmp_path: Path, games: list[Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "PATIENCE", 0.3)
    with Store(tmp_path / "games.db") as store:
        other = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="another program holds"):
            store.add(games[0])
        other.execute("ROLLBACK")
        other.close()
        store.add(games[0])
        assert len(store) == 1


def test_a_full_disk_keeps_what_was_finished(tmp_path: Path, games: list[Played]) -> None:
    with Store(tmp_path / "games.db") as store:
        pages = store.db.execute("PRAGMA page_count").fetchone()[0]
        store.db.execute(f"PRAGMA max_page_count = {pages + 1}")
        kept = 0

        def fill() -> None:
            nonlocal kept
            for number in range(100):
                store.add(replace(games[0], task=replace(games[0].task, seed=number)))
                kept += 1

        with pytest.raises(StoreError, match="full"):
            fill()
    with Store(tmp_path / "games.db") as store:
        assert len(store) == kept
        assert store.db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
        store.add(games[1])


def test_a_store_of_the_first_format_is_read_and_written_on(tmp_path: Path) -> None:
    path = Path(shutil.copy(Path(__file__).parent / "stores" / "format1.sqlite", tmp_path))
    with Store(path, write=False) as store:
        assert [game.idle for game in store.games()] == [(None, None)] * 4
        task = next(iter(store.games())).task
    with Store(path) as store:
        assert store.find(task) is not None
        other = replace(task, number=1, seed=5)
        store.add(replace(play_task(other), idle=(None, 0.25)))
        assert store.get(other.id).idle == (None, 0.25)
        assert len(store) == 5
