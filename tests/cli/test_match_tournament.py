"""``honte match``, ``honte tournament`` and ``honte show`` with a store, killed and resumed."""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from honte.arena.store import Store
from honte.sandbox.levels import active_level
from tests.cli.command import COMMAND, ENVIRONMENT, ROOT, Done, honte, start
from tests.needs import needs_bubblewrap
from tests.slowness import slowness


def children(pid: int) -> list[int]:
    """The processes of a group."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                fields = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == pid and fields[0] != "Z":
                found.append(int(folder.name))
    return found


def gone(group: int, within: float = 20.0) -> bool:
    deadline = time.monotonic() + within
    while children(group):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def count(path: Path) -> int:
    if not path.exists():
        return 0
    db = sqlite3.connect(path)
    try:
        return int(db.execute("SELECT count(*) FROM games").fetchone()[0])
    except sqlite3.OperationalError:
        return 0
    finally:
        db.close()


def loaded(run: Done, times: bool = False) -> dict[str, Any]:
    """The object that a command printed; without the times, which differ from run to run."""
    assert run.code == 0, run.errors
    found: dict[str, Any] = json.loads(run.output)
    if not times:
        found.pop("times", None)
    return found


MATCH = ("match", "random", "uct:iterations=5", "--game", "othello:size=4", "--games", "10")
FIELD = ("random", "uct:iterations=3", "uct:iterations=30,c=1", "minimax:depth=1")
TOURNAMENT = ("tournament", *FIELD, "--game", "connect4", "--workers", "2", "--json")


def test_the_same_command_on_the_same_store_plays_nothing_again(tmp_path: Path) -> None:
    store = str(tmp_path / "games.db")
    first = loaded(honte(*MATCH, "--store", store, "--json"))
    again = loaded(honte(*MATCH, "--store", store, "--json"))
    assert (first.pop("from_store"), again.pop("from_store")) == (0, 10)
    assert first == again
    plain = loaded(honte(*MATCH, "--workers", "2", "--json"))
    plain.pop("from_store")
    assert plain == first, "neither the store nor the workers change a result"
    more = loaded(honte(*MATCH[:-1], "12", "--store", store, "--json"))
    assert (more["games"], more["from_store"]) == (12, 10)


def kill_and_resume(tmp_path: Path, rounds: int, kills: int) -> None:
    """Kill a tournament at random instants until it is done; compare with an undisturbed one."""
    draw = random.Random(3)
    words = (*TOURNAMENT, "--rounds", str(rounds))
    alone = loaded(honte(*words, "--store", str(tmp_path / "alone.db")))
    path = tmp_path / "killed.db"
    before, killed, midway = 0, 0, 0
    while killed < kills:
        process = start(*words, "--store", str(path))
        # At times before the first game, at times within a transaction.
        time.sleep(0.1 + draw.random())
        while midway < killed // 2 and process.poll() is None and count(path) == before:
            time.sleep(0.001 + draw.random() * 0.02)
        process.kill()
        process.communicate()
        killed += 1
        assert gone(process.pid), "workers outlive a killed arena by moments at most"
        now = count(path)
        assert now >= before, "a finished game was lost"
        midway += before < now < alone["games"]
        before = now
    print(f"{kills} kills, {midway} of them while games were played: {before} games kept")
    assert midway >= kills // 4
    whole = loaded(honte(*words, "--store", str(path)))
    assert whole.pop("from_store") == before
    alone.pop("from_store")
    assert whole == alone
    db = sqlite3.connect(path)
    total, different = db.execute("SELECT count(*), count(DISTINCT id) FROM games").fetchone()
    assert total == different == alone["games"] == 12 * rounds
    assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    db.close()


def test_a_killed_tournament_resumes_with_nothing_lost_and_nothing_twice(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, rounds=15, kills=3)


@pytest.mark.long
def test_a_tournament_killed_a_hundred_times_ends_with_the_same_table(tmp_path: Path) -> None:
    kill_and_resume(tmp_path, rounds=800, kills=100)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_keeps_finished_games_and_leaves_no_process(tmp_path: Path, number: int) -> None:
    path = tmp_path / "games.db"
    process = start(
        "match", "uct", "uct:c=1", "--games", "5000", "--seconds", "0.01", "--workers", "2",
        "--store", str(path), "--json",
    )  # fmt: skip
    while count(path) < 3:
        time.sleep(0.05)
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert gone(process.pid)
    assert "Traceback" not in err
    found = json.loads(out)
    assert found["games"] >= 3
    assert found["stopped"].startswith("interrupted")
    assert count(path) >= found["games"] - 2
    db = sqlite3.connect(path)
    assert db.execute("SELECT stopped FROM runs").fetchone()[0] == found["stopped"]
    db.close()


@pytest.mark.timing
def test_ctrl_c_twice_ends_within_a_second() -> None:
    took = []
    for _ in range(3):  # a busy machine may stall
        process = start("match", "textbook", "textbook", "--seconds", "30", "--workers", "2")
        while len(children(process.pid)) < 3:
            time.sleep(0.02)
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        began = time.monotonic()
        _, err = process.communicate(timeout=60)
        took.append(time.monotonic() - began)
        assert process.returncode == 130
        assert "Traceback" not in err
        assert gone(process.pid)
        if took[-1] < 1 * slowness():
            return
    pytest.fail(f"seconds after the second Ctrl-C: {took}")


@pytest.mark.long
def test_a_store_that_is_held_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store(path):
        run = honte(*MATCH, "--store", str(path))
    assert (run.code, run.output) == (2, "")
    assert run.errors.count("\n") == 1
    assert "another run holds the store" in run.errors


def test_a_full_disk_stops_the_run_and_the_store_goes_on_later(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    words = ["match", "random", "random", "--games", "150", "--store", str(path), "--json"]
    limited = subprocess.run(
        ["bash", "-c", 'ulimit -f 110; exec "$@"', "bash", *COMMAND, *words],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env=ENVIRONMENT,
    )
    assert limited.returncode == 1, limited.stderr
    assert limited.stderr.count("\n") == 1
    assert "disk is full" in limited.stderr
    found = json.loads(limited.stdout)
    assert found["stopped"] == "the store could not be written"
    assert 0 < found["games"] < 150
    kept = count(path)
    assert kept >= found["games"] - 2
    whole = loaded(honte(*words))
    assert (whole["games"], whole["from_store"]) == (150, kept)


SMALL_DISK = """
head -c 700000 /dev/zero > "$1/filler"
"${@:2}" > "$1/../first.json" 2> "$1/../first.txt"
echo $? > "$1/../first.code"
cp "$1"/games.db* "$1/.."
rm "$1/filler"
exec "${@:2}"
"""


@needs_bubblewrap
def test_a_real_disk_runs_full_and_the_run_goes_on_when_there_is_room(tmp_path: Path) -> None:
    """A disk of 1.2 MB with 0.7 MB taken, which are freed later."""
    disk = tmp_path / "disk"
    disk.mkdir()
    words = ["match", "random", "random", "--games", "80", "--store", f"{disk}/games.db", "--json"]
    mount = ["bwrap", "--dev-bind", "/", "/", "--size", "1200000", "--tmpfs", str(disk)]
    script = ["bash", "-c", SMALL_DISK, "bash", str(disk), *COMMAND, *words]
    done = subprocess.run(
        [*mount, *script], capture_output=True, text=True, cwd=ROOT, env=ENVIRONMENT
    )
    assert (tmp_path / "first.code").read_text() == "1\n"
    errors = (tmp_path / "first.txt").read_text()
    assert errors.count("\n") == 1
    assert "disk is full" in errors
    full = json.loads((tmp_path / "first.json").read_text())
    assert full["stopped"] == "the store could not be written"
    kept = count(tmp_path / "games.db")
    assert 0 < full["games"] <= kept < 80
    db = sqlite3.connect(tmp_path / "games.db")
    assert db.execute("PRAGMA integrity_check").fetchone()[0] == "ok"
    db.close()
    whole = loaded(Done(done.returncode, done.stdout, done.stderr))
    assert (whole["games"], whole["from_store"]) == (80, kept)


def test_a_sandbox_level_is_asked_for_and_recorded(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(state, limit):\n    return state.legal_moves()[0]\n")
    store = tmp_path / "games.db"
    words = ["match", f"py:{bot}:choose", "random", "--games", "2", "--store", str(store)]
    for seed, level in enumerate(("trusted", active_level())):
        run = honte(*words, "--seed", str(seed), "--sandbox", level)
        assert run.code == 0, run.errors
        assert "CPU time on the opponent's" in run.output
        db = sqlite3.connect(store)
        kept = json.loads(db.execute("SELECT sandbox FROM games ORDER BY rowid").fetchall()[-1][0])
        db.close()
        assert [word.partition(",")[0] for word in kept] == ["in-process", level]
    for words in (["match", "uct", "random"], ["tournament", "uct", "random"]):
        run = honte(*words, "--sandbox", "safe")
        assert (run.code, run.output, run.errors.count("\n")) == (2, "", 1)
        assert "there is no sandbox level 'safe'" in run.errors


def test_a_bots_own_level_stands_over_the_one_asked_for(tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text("def choose(state, limit):\n    return 0\n")
    names = tmp_path / "bots.toml"
    names.write_text('[bots.mine]\nspec = "py:bot.py:choose"\nsandbox = "trusted"\n')
    store = tmp_path / "games.db"
    words = ["match", "mine", "random", "--games", "1", "--store", str(store)]
    environment = {**ENVIRONMENT, "HONTE_BOTS": str(names)}
    command = [*COMMAND, *words, "--sandbox", active_level(), "--max-plies", "4"]
    subprocess.run(command, check=True, cwd=ROOT, env=environment, capture_output=True)
    db = sqlite3.connect(store)
    assert "trusted" in db.execute("SELECT sandbox FROM games").fetchone()[0]
    db.close()


def test_a_match_tells_what_bots_burn_on_the_others_time_and_can_pause_them() -> None:
    # Both fill the columns from the left, so that no four stand in a row within 8 plies.
    words = ["match", "saiblo:tests/bots/hostile.py burn", "saiblo:tests/bots/hostile.py think 120"]
    words += ["--games", "2", "--opening-plies", "0"]
    words += ["--seconds", "30", "--max-plies", "8", "--json"]
    burnt = []
    for more in ([], ["--pause"]):
        found = loaded(honte(*words, *more), times=True)
        assert found["reasons"].keys() == {"move limit"}
        times = found["times"]["saiblo:tests/bots/hostile.py burn"]
        assert times["moves"] == 8
        assert times["p50"] <= times["p99"] <= times["max"]
        burnt.append(times["idle_cpu"])
    assert burnt[0] >= 0.02
    assert burnt[1] <= burnt[0] / 2


def test_the_test_stops_a_match() -> None:
    words = ["match", "uct:iterations=100", "random", "--games", "1000", "--sprt", "0,50", "--json"]
    found = loaded(honte(*words, "--workers", "2"))
    assert 40 <= found["games"] < 120
    assert found["stopped"] == "the test accepts H1"
    assert found["sprt"]["verdict"] == "H1"
    assert found["sprt"]["llr"] >= found["sprt"]["bound"]


def test_deterministic_players_are_warned_of() -> None:
    words = ["match", "minimax:depth=1", "minimax:depth=2", "--games", "10", "--opening-plies", "0"]
    run = honte(*words)
    assert run.code == 0, run.errors
    assert "10 games, 2 different" in run.output
    assert "warning: only 2 of 10 games are distinct" in run.output


def test_a_tournament_has_a_table_a_crosstable_and_ratings() -> None:
    words = ["tournament", "random", "uct:iterations=60", "uct:iterations=5", "--rounds", "3"]
    run = honte(*words)
    assert run.code == 0, run.errors
    lines = run.output.splitlines()
    assert lines[1].startswith("  1 uct:iterations=60")
    assert "moving first is worth" in run.output
    assert lines[-1] == "stopped: all games played"
    found = loaded(honte(*words, "--gauntlet", "--json"))
    assert (found["system"], found["games"]) == ("gauntlet", 12)
    cells = found["crosstable"]
    assert cells[0][0] is None
    for row in range(3):
        for column in range(row):
            assert cells[row][column]["wins"] == cells[column][row]["losses"]
    found = loaded(honte(*words, "--swiss", "--json"))
    assert found["games"] == 6


def test_an_adaptive_tournament_keeps_to_its_budget_and_resumes(tmp_path: Path) -> None:
    words = ["tournament", "random", "uct:iterations=60", "uct:iterations=50"]
    words += ["--schedule", "adaptive", "--store", str(tmp_path / "games.db"), "--json"]
    found = loaded(honte(*words, "--games", "11"))
    assert (found["system"], found["games"], found["stopped"]) == (
        "adaptive",
        11,
        "all games played",
    )
    elo = [row["elo"] for row in found["players"]]
    assert elo == sorted(elo, reverse=True)
    found = loaded(honte(*words, "--games", "16"))
    assert (found["games"], found["from_store"]) == (16, 11)


@pytest.mark.parametrize(
    "words",
    [
        ["match", "uct", "random", "--sprt", "5"],
        ["match", "uct", "random", "--sprt", "5,1"],
        ["match", "uct", "random", "--sprt", "0,5", "--sprt-model", "quantum"],
        ["match", "uct", "random", "--clock", "fast"],
        ["match", "uct", "random", "--store", "/nowhere/at/all.db"],
        ["match", "uct", "random", "--store", "."],
        ["match", "uct", "random", "--openings", "README.md"],
        ["match", "uct", "random", "--openings", "no such file"],
        ["tournament", "uct"],
        ["tournament", "uct", "uct"],
        ["tournament", "uct", "nobody"],
        ["tournament", "uct", "random", "--gauntlet", "--swiss"],
        ["tournament", "uct", "random", "--schedule", "adaptive", "--swiss"],
        ["tournament", "uct", "random", "--schedule", "random"],
        ["tournament", "uct", "random", "--games", "10"],
        ["tournament", "uct", "--schedule", "adaptive"],
        ["show"],
        ["show", "--store", "no such store"],
        ["show", "no such file"],
        ["show", "pyproject.toml"],
    ],
)
def test_what_cannot_be_done_is_one_sentence(words: list[str]) -> None:
    run = honte(*words)
    assert run.code == 2, run.output
    assert run.output == ""
    assert len(run.errors.strip().splitlines()) == 1
    assert run.errors.startswith("honte: ")


def test_show_replays_and_exports(tmp_path: Path) -> None:
    for game, form in (("othello", "ggf"), ("go:size=5", "sgf"), ("connect4:course", "text")):
        store = str(tmp_path / f"{form}.db")
        words = ["match", "uct", "random", "--game", game, "--games", "2", "--iterations", "30"]
        assert honte(*words, "--store", store).code == 0
        listed = honte("show", "--store", store).output
        assert honte("show", store).output == listed
        id = listed.split()[0]
        replayed = honte("show", id, "--store", store)
        assert replayed.code == 0, replayed.errors
        assert "value " in replayed.output
        assert "player wins" in replayed.output
        last = honte("show", id, "--store", store, "--move", "0").output
        assert len(last) < len(replayed.output)
        written = honte("show", "--store", store, "--as", form)
        assert written.code == 0, written.errors
        file = tmp_path / f"games.{'txt' if form == 'text' else form}"
        file.write_text(written.output, encoding="utf-8")
        if form != "text":
            again = honte("show", str(file), "--number", "2")
            assert again.code == 0, again.errors
            other = honte("show", id, "--store", store, "--as", "ggf" if form == "sgf" else "sgf")
            assert other.code == (2 if form == "sgf" else 0), "there is no GGF of Go"
        rows = honte("show", "--store", store, "--as", "csv").output.splitlines()
        assert rows[0].startswith("id,game,first,second,result")
        assert len(rows) == 3


def test_a_record_that_was_exported_holds_the_same_game(tmp_path: Path) -> None:
    from honte.arena.store import Store
    from honte.core.record import load

    store = tmp_path / "games.db"
    words = ["match", "random", "uct:iterations=9", "--game", "othello", "--games", "6"]
    assert honte(*words, "--store", str(store)).code == 0
    file = tmp_path / "games.ggf"
    file.write_text(honte("show", "--store", str(store), "--as", "ggf").output)
    with Store(store, write=False) as kept:
        for played, record in zip(kept.games(), load(file), strict=True):
            assert tuple(record.moves) == played.moves
            assert record.players == played.task.players
            score = played.margin if played.task.a_first else -(played.margin or 0)
            assert record.score == score


def test_openings_can_be_listed(tmp_path: Path) -> None:
    file = tmp_path / "openings.txt"
    file.write_text("4455 % the middle\n12\n")
    store = str(tmp_path / "games.db")
    words = ["match", "random", "random", "--games", "4", "--openings", str(file)]
    assert honte(*words, "--store", store).code == 0
    lines = honte("show", "--store", store, "--as", "text").output.splitlines()
    assert [line[:7] for line in lines[:2]] == ["4,4,5,5"] * 2
    assert [line[:3] for line in lines[2:]] == ["1,2"] * 2


@pytest.mark.long
def test_a_bot_that_was_written_anew_plays_its_games_anew(tmp_path: Path) -> None:
    bot, store = tmp_path / "bot.py", str(tmp_path / "games.db")
    words = ["match", f"py:{bot}:choose", "random", "--games", "2", "--store", store, "--json"]
    bot.write_text("def choose(state, limit):\n    return state.legal_moves()[0]\n")
    assert loaded(honte(*words))["from_store"] == 0
    assert loaded(honte(*words))["from_store"] == 2
    bot.write_text("def choose(state, limit):\n    return state.legal_moves()[-1]\n")
    assert loaded(honte(*words))["from_store"] == 0
    bot.write_text("def choose(state, limit):\n    raise ValueError('tired')\n")
    words[words.index("2")] = "20"
    found = loaded(honte(*words))
    assert (found["games"], found["losses"], found["faults"]["a"]) == (5, 5, {"crash": 5})
    assert "faulted 5 times in a row" in found["stopped"]
    listed = honte("show", "--store", store, "--last", "1").output
    assert "tired" in honte("show", listed.split()[0], "--store", store).output


@pytest.mark.long
@pytest.mark.skipif(sys.platform != "linux", reason="pseudo-terminals as Linux has them")
def test_a_terminal_sees_the_match_go_on() -> None:
    import pty

    ours, theirs = pty.openpty()
    words = ["match", "uct", "uct:c=1", "--games", "40", "--iterations", "800"]
    process = subprocess.Popen(
        [*COMMAND, *words], stdout=subprocess.PIPE, stderr=theirs, cwd=ROOT, env=ENVIRONMENT
    )
    os.close(theirs)
    shown = b""
    while True:
        try:
            data = os.read(ours, 4096)
        except OSError:
            break
        if not data:
            break
        shown += data
    process.communicate(timeout=60)
    os.close(ours)
    text = shown.decode()
    for word in ("uct  against  uct:c=1", "W-D-L", "score", "Elo", "left", "games/s", "/40"):
        assert word in text
    assert text.rstrip().endswith("\x1b[2K") or "\x1b[?25h" in text, "the cursor is back"
