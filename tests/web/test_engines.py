"""Engines at work for visitors: streaming, stopping, trees, disconnects, crashes."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, cast

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from honte.web.engines import DIED, is_running
from honte.web.worker import Job, Worker
from tests.cli.command import COMMAND, ENVIRONMENT, ROOT
from tests.slowness import slowness
from tests.web.live import Client, LiveServer, until

POSITION: dict[str, Any] = {"game": "connect4:rows=9,cols=9", "moves": ["4", "5"]}
GAMES = ["connect4", "othello", "go:size=9"]


@pytest.mark.parametrize("game", GAMES)
def test_an_engine_chooses_a_legal_move(client: Client, game: str) -> None:
    legal = [word for _, word in client.ask("position", game=game)["state"]["legal"]]
    *before, last = client.parts(client.send("choose", game=game, player="best", seconds=0.3))
    assert last["move"] in legal
    assert last["report"]["move"] == last["move"]
    assert all("move" not in part for part in before)


def test_a_level_plays_and_can_be_stopped(served: LiveServer, client: Client) -> None:
    assert len(client.ask("hello")["games"][0]["levels"]) == 100
    for level in (1, 50):
        assert client.ask("choose", game="connect4", player=f"level:{level}")["move"] in "1234567"
    id = client.send("choose", game="connect4:rows=16,cols=16", player="level:100")
    parts = client.parts(id)
    first = next(parts)
    assert sum(one["visits"] for one in first["report"]["candidates"]) > 0
    if not first["done"]:
        client.send("stop", which=id)
        *_, first = parts
    assert first["report"]["move"]
    until(lambda: sum(worker["running"] for worker in served.status()) == 0)


@pytest.mark.parametrize("game", GAMES)
def test_there_is_a_tree_to_look_into_in_every_game(client: Client, game: str) -> None:
    def below() -> dict[str, Any]:
        first: str = client.ask("tree", path=[])["children"][0]["move"]
        return client.ask("tree", path=[first])

    def has_looked_further() -> bool:
        list(client.parts(client.send("analyse", game=game, seconds=0.5)))
        return "node" in below()

    until(has_looked_further)
    for _ in range(2):  # one that had to be searched for is kept
        top = client.ask("tree", path=[])
        assert top["node"]["source"]
        assert top["children"][0]["visits"] > 0 or top["node"]["source"] != "uct"
    assert below()["node"]["visits"] <= top["node"]["visits"]


def test_a_whole_game_is_played_against_oneself(client: Client) -> None:
    moves: list[str] = []
    while True:
        place = {"game": "othello:size=4", "moves": moves}
        if client.ask("position", **place)["state"]["over"]:
            break
        moves.append(client.ask("choose", **place, player="best", seconds=0.05)["move"])
    assert len(moves) > 5


@pytest.mark.parametrize("game", ["connect4:rows=9,cols=9", "othello", "go:size=9"])
def test_an_analysis_is_told_as_it_goes(client: Client, game: str) -> None:
    id = client.send("analyse", game=game, seconds=60)
    parts, reports = [], []
    for part in client.parts(id):
        parts.append(part)
        if "report" in part:
            reports.append(part["report"])
        if len(reports) == 3:
            client.send("stop", which=id)
    assert reports[-1]["candidates"]
    visits = [sum(one["visits"] for one in report["candidates"]) for report in reports]
    assert visits == sorted(visits)
    assert parts[-1]["done"]
    assert not parts[0]["done"]
    owned = [part["ownership"] for part in parts if "ownership" in part]
    assert [len(points) for points in owned] == ([81] if game.startswith("go") else [])


def test_there_is_nothing_to_choose_after_the_end(client: Client) -> None:
    over = {"game": "connect4", "moves": list("1212121")}
    for do in ("choose", "analyse"):
        assert "the game is over" in client.ask(do, **over)["error"]


def test_a_stop_ends_a_stream_with_what_was_found(client: Client) -> None:
    id = client.send("analyse", **POSITION, seconds=60)
    assert client.receive()["report"]
    stop = client.send("stop", which=id)
    found: list[dict[str, Any]] = []
    while len(found) < 2:
        part = client.receive()
        if part.get("done"):
            found.append(part)
    assert {part["id"] for part in found} == {id, stop}
    (last,) = (part for part in found if part["id"] == id)
    assert last["stopped"]
    assert last["report"]["candidates"]


def test_a_new_search_calls_off_the_old(served: LiveServer, client: Client) -> None:
    old = client.send("analyse", **POSITION, seconds=60)
    assert client.receive()["id"] == old
    new = client.send("choose", game="othello", player="best", seconds=0.2)
    ended: list[int] = []
    while len(ended) < 2:
        part = client.receive()
        if part["done"]:
            ended.append(part["id"])
    assert set(ended) == {old, new}
    assert sum(worker["running"] for worker in served.status()) == 0


def test_the_tree_is_kept_from_move_to_move(client: Client) -> None:
    first = client.ask("analyse", **POSITION, seconds=0.6)["report"]
    best = first["candidates"][0]
    after = POSITION | {"moves": [*POSITION["moves"], best["move"]]}
    part = next(client.parts(client.send("analyse", **after, seconds=0.3)))
    visits = sum(one["visits"] for one in part["report"]["candidates"])
    assert visits > part["report"]["iterations"]


def test_the_tree_is_opened_node_by_node(client: Client) -> None:
    client.ask("analyse", **POSITION, seconds=0.5)
    root = client.ask("tree", path=[])
    visits = [child["visits"] for child in root["children"]]
    assert visits == sorted(visits, reverse=True)
    assert root["node"]["visits"] == sum(visits)
    assert root["more"] == 0
    best = root["children"][0]
    below = client.ask("tree", path=[best["move"]])
    assert 0 < below["node"]["visits"] <= best["visits"]
    assert {"exploration", "rave_share", "low", "high"} <= set(below["children"][0])
    assert "error" in client.ask("tree", path=["nonsense"])


def test_the_tree_can_be_looked_at_while_it_grows(client: Client) -> None:
    running = client.send("analyse", **POSITION, seconds=60)
    client.receive()
    seen = []
    for _ in range(3):
        tree = client.send("tree", path=[])
        while (part := client.receive())["id"] != tree:
            assert part["id"] == running
        seen.append(part["node"]["visits"])
    assert seen == sorted(seen)
    assert seen[-1] > 0
    client.send("stop", which=running)


def test_a_review_remarks_on_every_move(client: Client) -> None:
    game = {"game": "connect4", "moves": list("1212175")}  # 7 does not block, 5 does not win
    *parts, last = client.parts(client.send("review", **game, seconds=0.05))
    assert [part["ply"] for part in parts] == list(range(1, 8))
    assert [part["move"] for part in parts] == game["moves"]
    assert [part["mark"] for part in parts][5:] == ["blunder", "blunder"]
    assert parts[5]["best"] == parts[6]["best"] == "1"
    assert all(-1 <= part["value"] <= 1 and 0 <= part["cost"] <= 2 for part in parts)
    assert last["done"]


def test_a_single_move_is_reviewed_with_what_refutes_it(client: Client) -> None:
    game = {"game": "connect4", "moves": list("121215"), "first": 6}
    part, last = client.parts(client.send("review", **game, seconds=0.05))
    assert (part["ply"], part["move"], part["best"]) == (6, "5", "1")
    assert part["reply"]["pv"][:2] == ["5", "1"]
    assert part["reply"]["pv_cells"][:2] == [39, 14]
    assert part["pv_cells"][0] == 14
    assert part["why"][0]["cells"] == [14]
    assert last["done"]


def test_an_analysis_ends_with_what_the_position_proves(client: Client) -> None:
    last = client.ask("analyse", game="connect4", moves=list("12121"), seconds=0.5)
    assert last["report"]["move"] == "1"
    assert last["why"][0]["cells"] == [14]


def test_a_review_ends_when_it_is_told_to(served: LiveServer, client: Client) -> None:
    board = "connect4:rows=9,cols=9"
    review = client.send("review", game=board, moves=["5", "5", "4"], seconds=10)
    until(lambda: sum(worker["running"] for worker in served.status()) == 1)
    client.send("stop", which=review)
    *_, last = client.parts(review)
    assert last["stopped"]


def test_who_has_not_searched_has_no_tree(client: Client) -> None:
    assert "no search" in client.ask("tree", path=[])["error"]


def test_a_large_board_shows_only_its_best_children(client: Client) -> None:
    # Of the empty board's moves only one of each kind is searched.
    client.ask("analyse", game="go:size=19", moves=["R16"], seconds=0.3)
    root = client.ask("tree", path=[])
    assert len(root["children"]) == 40
    assert root["more"] == 360 + 1 - 40


def test_a_session_that_closes_frees_the_search(served: LiveServer) -> None:
    with served.connect() as client:
        client.send("analyse", **POSITION, seconds=100)
        client.receive()
        assert sum(worker["running"] for worker in served.status()) == 1
        held = sum(worker["slots"] for worker in served.status())
    until(lambda: sum(worker["running"] for worker in served.status()) == 0)
    until(lambda: sum(worker["slots"] for worker in served.status()) < held)


def test_a_line_that_drops_frees_the_search_too(served: LiveServer) -> None:
    with served.connect() as client:
        client.send("analyse", **POSITION, seconds=100)
        client.receive()
        client.line.socket.shutdown(2)  # without a close frame
        until(lambda: sum(worker["running"] for worker in served.status()) == 0)


def test_an_engine_that_dies_costs_one_answer(served: LiveServer, client: Client) -> None:
    with served.connect() as other:
        pids = {worker["pid"] for worker in served.status()}
        id = client.send("analyse", **POSITION, seconds=100)
        client.receive()
        for worker in served.status():
            if worker["running"]:
                os.kill(worker["pid"], signal.SIGKILL)
        *_, last = client.parts(id)
        assert last == {"id": id, "error": DIED, "done": True}
        assert client.ask("position", **POSITION)["state"]["ply"] == 2
        assert client.ask("choose", **POSITION, player="best", seconds=0.1)["move"]
        assert other.ask("choose", **POSITION, player="best", seconds=0.1)["move"]
        assert {worker["pid"] for worker in served.status()} != pids


@pytest.mark.timing
def test_an_engine_that_hangs_is_replaced_within_five_seconds(
    served: LiveServer, client: Client
) -> None:
    id = client.send("analyse", **POSITION, seconds=100)
    client.receive()
    (hung,) = (worker["pid"] for worker in served.status() if worker["running"])
    began = time.monotonic()
    os.kill(hung, signal.SIGSTOP)
    *_, last = client.parts(id)
    assert last == {"id": id, "error": DIED, "done": True}
    assert client.ask("choose", **POSITION, player="best", seconds=0.1)["move"]
    assert time.monotonic() - began < 5 * slowness()
    assert hung not in {worker["pid"] for worker in served.status()}


def test_a_worker_counts_its_searches_while_they_end() -> None:
    sent: list[dict[str, Any]] = []
    worker = Worker(sent.append, budget=64)

    class Ending:
        """A job that ends in another thread the moment it is looked at."""

        @property
        def searching(self) -> bool:
            worker.jobs.clear()
            return True

    worker.jobs.update({number: cast(Job, Ending()) for number in range(3)})
    worker.handle({"do": "status", "job": 3})
    assert sent[0]["running"] == 3


def test_a_process_that_wants_a_core_is_told_from_one_that_rests() -> None:
    busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    idle = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(100)"])
    try:
        until(lambda: is_running(busy.pid) and not is_running(idle.pid))
    finally:
        for process in (busy, idle):
            process.kill()
            process.wait()


def test_workers_end_with_the_server() -> None:
    server = LiveServer()
    with server.connect() as client:
        client.send("analyse", **POSITION, seconds=100)
        client.receive()
        pids = [worker["pid"] for worker in server.status()]
        server.close()
    assert pids
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))


# -- bots by name ----------------------------------------------------------------------


@pytest.fixture
def bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Bots in a file: one plays the first legal move, one sleeps, and two do not work."""
    (tmp_path / "bot.py").write_text(
        "import time\n"
        "def first(state, limit):\n    return state.legal_moves()[0]\n"
        "def slow(state, limit):\n    time.sleep(30)\n"
    )
    names = tmp_path / "bots.toml"
    names.write_text(
        '[bots.first]\nspec = "py:bot.py:first"\nsandbox = "trusted"\n'
        '[bots.slow]\nspec = "py:bot.py:slow"\nsandbox = "trusted"\n'
        '[bots.gone]\nspec = "gtp:./nosuch-program"\n'
        '[bots.odd]\nspec = "no such player"\n'
    )
    monkeypatch.setenv("HONTE_BOTS", str(names))
    return names


def test_a_bot_is_asked_for_by_its_name_alone(bots: Path) -> None:
    server = LiveServer()
    try:
        with server.connect() as client:
            assert client.ask("hello")["players"] == ["best", "first", "slow", "gone", "odd"]
            assert client.ask("choose", game="connect4", player="first")["move"] == "1"
            for name in ("gone", "odd"):
                error = client.ask("choose", game="go:size=9", player=name)["error"]
                assert str(bots.parent) not in error
                assert "nosuch-program" not in error
                assert "bot" in error
            slow = client.send("choose", game="connect4", player="slow", seconds=30)
            until(lambda: sum(worker["running"] for worker in server.status()) == 1)
            client.send("stop", which=slow)
            *_, last = client.parts(slow)
            assert last.get("stopped")
            bots.write_text("broken [")
            assert "there is no player" in client.ask("choose", game="go", player="first")["error"]
    finally:
        server.close()


# -- the server dies -------------------------------------------------------------------


def test_a_server_that_is_killed_leaves_nobody_behind_and_the_game_goes_on() -> None:
    """The page holds the game, so the next server answers the same request."""
    for thinks in (True, False):
        with subprocess.Popen(
            [*COMMAND, "play", "--no-browser", "--port", "0"],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=ENVIRONMENT,
        ) as process:
            assert process.stdout is not None
            found = re.search(r"http://([^/]+)/", process.stdout.readline())
            assert found is not None
            with connect(f"ws://{found[1]}/socket", origin=Origin(f"http://{found[1]}")) as line:
                client = Client(line)
                assert client.ask("position", **POSITION)["state"]["ply"] == 2
                if not thinks:
                    process.terminate()
                    continue
                client.send("analyse", **POSITION, seconds=100)
                client.receive()
                children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
                workers = children.read_text().split()
                process.kill()
                process.wait(30)
        assert workers
        until(lambda pids=workers: not any(Path(f"/proc/{pid}").exists() for pid in pids), 10)


def test_a_count_that_cannot_be_made_is_refused_in_a_sentence(client: Client) -> None:
    over = {"game": "go:size=5", "moves": ["C3", "pass", "pass"]}
    assert client.ask("score", **over)["count"]["score"] == 17.5
    assert client.ask("score", **over, dead=[], toggle=12)["count"]["dead"] == [12]
    assert "no stone on that point" in client.ask("score", **over, dead=[3])["error"]
    assert "no stone on that point" in client.ask("score", **over, dead=[], toggle=900)["error"]
    assert "dead is wrong" in client.ask("score", **over, dead=[-1])["error"]
    for game in ("go:size=5", "othello"):
        assert "nothing to agree on" in client.ask("score", game=game, moves=[])["error"]
