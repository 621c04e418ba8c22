"""A store watched while it is written."""

from __future__ import annotations

import json
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.command import COMMAND, ENVIRONMENT, ROOT, honte
from tests.web.live import Client, LiveServer, until


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("watched") / "games.db"
    command = "tournament uct random minimax --rounds 2 --iterations 30 --store"
    code, _, errors = honte(*command.split(), str(path))
    assert code == 0, errors
    return path


@pytest.fixture(scope="module")
def watched(store: Path) -> Iterator[LiveServer]:
    server = LiveServer(store=store)
    yield server
    server.close()


@pytest.fixture
def watcher(watched: LiveServer) -> Iterator[Client]:
    with watched.connect() as visitor:
        yield visitor


def test_the_page_knows_that_there_is_something_to_watch(watcher: Client) -> None:
    assert watcher.ask("hello")["watching"] is True


def test_the_tournament_is_shown_with_its_table(watcher: Client) -> None:
    view = watcher.ask("store")
    assert {row["player"] for row in view["players"]} == {"uct", "random", "minimax"}
    assert all(row["elo_error"] > 0 for row in view["players"])
    assert view["players"][-1]["player"] == "random"
    assert len(view["crosstable"]) == 3
    assert view["crosstable"][0][0] is None
    assert (view["done"], view["total"], view["played"]) == (12, 12, 12)
    assert view["runs"][-1]["stopped"] == "all games played"
    assert view["sprt"] is None
    game = view["games"][0]
    assert set(game) == {"id", "players", "result", "reason", "plies", "game"}
    assert game["plies"] > 6


def test_a_stored_game_is_replayed(watcher: Client) -> None:
    head = watcher.ask("store")["games"][0]
    game = watcher.ask("stored", game_id=head["id"])
    assert len(game["moves"]) == head["plies"] == len(game["times"]) == len(game["values"])
    assert game["players"] == head["players"]
    shown = watcher.ask("position", game=game["game"], start=game["start"], moves=game["moves"])
    assert shown["state"]["over"]


@pytest.mark.parametrize("id", ["abc", "0" * 16, "%", "' OR 1=1 --", "../games.db"])
def test_a_game_that_is_not_there_gets_one_sentence(watcher: Client, store: Path, id: str) -> None:
    error = watcher.ask("stored", game_id=id)["error"]
    assert str(store) not in error
    assert "choose one from the list" in error


def test_the_view_is_shared_and_made_once_a_second(watched: LiveServer) -> None:
    made = []
    watch = watched.app.app.router.routes[0].endpoint.__self__.state.watch
    read = watch._in_thread

    def counted(work: Any) -> Any:
        made.append(1)
        return read(work)

    watch._in_thread = counted
    try:
        with watched.connect() as one, watched.connect() as two:
            for _ in range(10):
                assert one.ask("store")["played"] == two.ask("store")["played"]
    finally:
        watch._in_thread = read
    assert len(made) <= 4


def test_games_appear_while_they_are_played(tmp_path: Path) -> None:
    store = tmp_path / "live.db"
    command = "match random textbook --games 400 --iterations 20 --store"
    with subprocess.Popen(
        [*COMMAND, *command.split(), str(store)],
        cwd=ROOT,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as match:
        try:
            until(lambda: store.is_file() and store.stat().st_size > 0)
            server = LiveServer(store=store)
            try:
                with server.connect() as client:
                    seen = [0]
                    until(lambda: (client.ask("store").get("played") or 0) > 0)
                    seen.append(client.ask("store")["played"])
                    until(lambda: client.ask("store")["played"] > seen[-1])
                    view = client.ask("store")
                    assert view["total"] == 400
                    assert view["runs"][-1]["stopped"] is None or view["done"] == 400
                    assert view["writing"] or view["done"] == 400
                    match.kill()  # it has no time to report its end
                    match.wait(30)
                    until(lambda: client.ask("store")["writing"] is False)
            finally:
                server.close()
        finally:
            match.kill()
            match.wait(30)


def test_the_curve_of_a_sequential_test_is_drawn(store: Path, tmp_path: Path) -> None:
    copy = tmp_path / "sprt.db"
    with sqlite3.connect(store) as one, sqlite3.connect(copy) as two:
        one.backup(two)
    with sqlite3.connect(copy) as db:
        command = {"command": "match", "players": ["uct", "random"], "games": 4, "sprt": [0, 30]}
        db.execute("UPDATE runs SET command = ?", (json.dumps(command),))
    db.close()
    server = LiveServer(store=copy)
    try:
        with server.connect() as client:
            view = client.ask("store")
    finally:
        server.close()
    assert (view["done"], view["total"]) == (4, 4)
    assert len(view["sprt"]["curve"]) == 2
    assert view["sprt"]["players"] == ["uct", "random"]


def test_without_a_store_the_page_says_what_to_do(served: LiveServer, client: Client) -> None:
    assert client.ask("hello")["watching"] is False
    assert "honte serve --store" in client.ask("store")["error"]
    assert served.fetch("/watch")[0] == 200


def test_a_store_that_goes_away_is_said_without_its_name(tmp_path: Path, store: Path) -> None:
    copy = tmp_path / "gone.db"
    with sqlite3.connect(store) as one, sqlite3.connect(copy) as two:
        one.backup(two)
    server = LiveServer(store=copy)
    try:
        with server.connect() as client:
            copy.write_bytes(b"not a store" * 1000)
            error = client.ask("store")["error"]
            assert "cannot be read" in error
            assert str(copy) not in error
            assert "error" in client.ask("stored", game_id="abc")
    finally:
        server.close()


def test_another_store_under_the_same_name_is_noticed(tmp_path: Path, store: Path) -> None:
    copy, other = tmp_path / "games.db", tmp_path / "other.db"
    for path in (copy, other):
        with sqlite3.connect(store) as one, sqlite3.connect(path) as two:
            one.backup(two)
    with sqlite3.connect(other) as db:
        db.execute("DELETE FROM games WHERE rowid > 5")
    db.close()
    server = LiveServer(store=copy)
    try:
        with server.connect() as client:
            assert client.ask("store")["played"] == 12
            copy.unlink()
            until(lambda: "cannot be read" in client.ask("store").get("error", ""))
            other.rename(copy)
            until(lambda: client.ask("store").get("played") == 5)
    finally:
        server.close()


STUDY = """
game = "othello"
engine = "alphabeta:depth=1"
[parameters.weights]
free = ["squares", "mobility"]
low = -300
high = 300
[objective]
against = ["start", "alphabeta:depth=1,weights=table"]
games = 4
opening_plies = 6
[optimiser]
name = "annealing"
games = 120
[verify]
games = 12
"""


def studied(tmp_path: Path, text: str = STUDY) -> Path:
    (tmp_path / "study.toml").write_text(text)
    path = tmp_path / "study.db"
    code, _, errors = honte("tune", str(tmp_path / "study.toml"), "--store", str(path))
    assert code == 0, errors
    return path


def looked(path: Path) -> dict[str, Any]:
    server = LiveServer(store=path)
    try:
        with server.connect() as client:
            view: dict[str, Any] = client.ask("store")
            return view
    finally:
        server.close()


def test_a_study_is_shown_with_its_rounds_and_its_answer(tmp_path: Path) -> None:
    path = studied(tmp_path)
    said = json.loads(
        honte("tune", str(tmp_path / "study.toml"), "--store", str(path), "--json")[1]
    )
    view = looked(path)
    study = view["study"]
    assert view["done"] == view["total"] == study["games"] == said["games"] + 12
    assert view["players"] == [], "a study's points are no field of players"
    assert {one["name"]: one["value"] for one in study["answer"]} == said["settings"]
    assert len(study["rounds"]) == len(study["way"]) == said["steps"]
    assert all(0 <= one["worst"] <= one["mean"] <= one["best"] <= 1 for one in study["rounds"])
    assert study["rounds"][-1]["games"] == said["games"]
    assert [len(line) for line in study["board"]["cells"]] == [8] * 8
    assert [name for name, _ in study["board"]["terms"]] == ["discs", "mobility", "stable"]
    assert len(study["acceptance"]) <= 30
    (match,) = study["verification"]
    assert match["score"] == pytest.approx(said["verification"][0]["score"], abs=1e-3)
    assert match["games"] == match["of"] == 12
    assert view["runs"][-1]["command"] == {
        "command": "tune",
        "game": "othello",
        "system": "annealing",
    }


def test_a_sweep_has_an_interval_for_every_value(tmp_path: Path) -> None:
    text = STUDY.replace('"annealing"', '"sweep"\npoints = 3').replace('"squares", ', "")
    study = looked(studied(tmp_path, text))["study"]
    assert [one["at"] for one in study["sweep"]] == ["-300", "0", "300"]
    assert all(one["games"] == 40 and one["error"] > 0 for one in study["sweep"])
    assert study["top"]["score"] == max(one["score"] for one in study["sweep"])


def test_a_study_that_cannot_be_followed_says_why_and_starts_nobody(tmp_path: Path) -> None:
    path = studied(tmp_path)
    bot = tmp_path / "bot.py"
    bot.write_text(f"open({str(tmp_path / 'started')!r}, 'w')\n")
    evil = STUDY.replace("alphabeta:depth=1,weights=table", f"py:{bot}:choose")
    for text, trouble in ((evil, None), ("game = 7", "game is wrong"), ("\0", "")):
        with sqlite3.connect(path) as db:
            command = {"command": "tune", "study": text, "seed": 0}
            db.execute("UPDATE runs SET command = ?", (json.dumps(command),))
        db.close()
        view = looked(path)
        assert (trouble or "") in view["study"].get("trouble", "")
        assert ("trouble" in view["study"]) == (trouble is not None)
        assert len(view["games"]) == 100
        assert trouble is None or view["done"] == view["played"]
    assert not (tmp_path / "started").exists()
