"""Engines at work for visitors: streams, stops, trees, leaving, dying."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from honte.web.engines import DIED
from tests.cli.command import COMMAND, ENVIRONMENT, ROOT
from tests.web.house import Served, Visit, until

POSITION: dict[str, Any] = {"game": "connect4:rows=9,cols=9", "moves": ["4", "5"]}
GAMES = ["connect4", "othello", "go:size=9"]


@pytest.mark.parametrize("game", GAMES)
def test_an_engine_chooses_a_legal_move(visit: Visit, game: str) -> None:
    legal = [word for _, word in visit.ask("position", game=game)["state"]["legal"]]
    *before, last = visit.parts(visit.send("choose", game=game, player="best", seconds=0.3))
    assert last["move"] in legal
    assert last["report"]["move"] == last["move"]
    assert all("move" not in part for part in before)


def test_a_level_plays_and_can_be_stopped(served: Served, visit: Visit) -> None:
    assert len(visit.ask("hello")["levels"]["connect4"]) == 100
    for level in (1, 50):
        assert visit.ask("choose", game="connect4", player=f"level:{level}")["move"] in "1234567"
    id = visit.send("choose", game="connect4:rows=16,cols=16", player="level:100")
    parts = visit.parts(id)
    first = next(parts)
    assert sum(one["visits"] for one in first["report"]["candidates"]) > 0
    if not first["done"]:
        visit.send("stop", which=id)
        *_, first = parts
    assert first["report"]["move"]
    until(lambda: sum(worker["running"] for worker in served.status()) == 0, 5)


@pytest.mark.parametrize("game", GAMES)
def test_there_is_a_tree_to_look_into_in_every_game(visit: Visit, game: str) -> None:
    list(visit.parts(visit.send("analyse", game=game, seconds=0.1)))
    for _ in range(2):  # one that had to be searched for is kept
        top = visit.ask("tree", path=[])
        assert top["children"][0]["visits"] > 0
    below = visit.ask("tree", path=[top["children"][0]["move"]])
    assert below["node"]["visits"] <= top["node"]["visits"]


def test_a_whole_game_is_played_against_oneself(visit: Visit) -> None:
    moves: list[str] = []
    while True:
        place = {"game": "othello:size=4", "moves": moves}
        if visit.ask("position", **place)["state"]["over"]:
            break
        moves.append(visit.ask("choose", **place, player="best", seconds=0.05)["move"])
    assert len(moves) > 5


@pytest.mark.parametrize("game", ["connect4:rows=9,cols=9", "othello", "go:size=9"])
def test_an_analysis_is_told_as_it_goes(visit: Visit, game: str) -> None:
    parts = list(visit.parts(visit.send("analyse", game=game, seconds=0.8)))
    reports = [part["report"] for part in parts if "report" in part]
    assert len(reports) >= 2
    assert reports[-1]["candidates"]
    visits = [sum(one["visits"] for one in report["candidates"]) for report in reports]
    assert visits == sorted(visits)
    assert parts[-1]["done"]
    assert not parts[0]["done"]
    owned = [part["ownership"] for part in parts if "ownership" in part]
    assert [len(points) for points in owned] == ([81] if game.startswith("go") else [])


def test_there_is_nothing_to_choose_after_the_end(visit: Visit) -> None:
    over = {"game": "connect4", "moves": list("1212121")}
    for do in ("choose", "analyse"):
        assert "the game is over" in visit.ask(do, **over)["error"]


def test_a_stop_ends_a_stream_at_once_with_what_was_found(visit: Visit) -> None:
    id = visit.send("analyse", **POSITION, seconds=60)
    assert visit.receive()["report"]
    asked = time.monotonic()
    stop = visit.send("stop", which=id)
    found: list[dict[str, Any]] = []
    while len(found) < 2:
        part = visit.receive()
        if part.get("done"):
            found.append(part)
    assert {part["id"] for part in found} == {id, stop}
    (last,) = (part for part in found if part["id"] == id)
    assert last["stopped"]
    assert last["report"]["candidates"]
    assert time.monotonic() - asked < 5


def test_a_new_search_calls_off_the_old(served: Served, visit: Visit) -> None:
    old = visit.send("analyse", **POSITION, seconds=60)
    assert visit.receive()["id"] == old
    new = visit.send("choose", game="othello", player="best", seconds=0.2)
    ended: list[int] = []
    while len(ended) < 2:
        part = visit.receive()
        if part["done"]:
            ended.append(part["id"])
    assert set(ended) == {old, new}
    assert sum(worker["running"] for worker in served.status()) == 0


def test_the_tree_is_kept_from_move_to_move(visit: Visit) -> None:
    first = visit.ask("analyse", **POSITION, seconds=0.6)["report"]
    best = first["candidates"][0]
    after = POSITION | {"moves": [*POSITION["moves"], best["move"]]}
    part = next(visit.parts(visit.send("analyse", **after, seconds=0.3)))
    visits = sum(one["visits"] for one in part["report"]["candidates"])
    assert visits > part["report"]["iterations"]


def test_the_tree_is_opened_node_by_node(visit: Visit) -> None:
    visit.ask("analyse", **POSITION, seconds=0.5)
    root = visit.ask("tree", path=[])
    visits = [child["visits"] for child in root["children"]]
    assert visits == sorted(visits, reverse=True)
    assert root["node"]["visits"] == sum(visits)
    assert root["more"] == 0
    best = root["children"][0]
    below = visit.ask("tree", path=[best["move"]])
    assert 0 < below["node"]["visits"] <= best["visits"]
    assert {"exploration", "rave_share", "low", "high"} <= set(below["children"][0])
    assert "error" in visit.ask("tree", path=["nonsense"])


def test_the_tree_can_be_looked_at_while_it_grows(visit: Visit) -> None:
    running = visit.send("analyse", **POSITION, seconds=60)
    visit.receive()
    seen = []
    for _ in range(3):
        tree = visit.send("tree", path=[])
        while (part := visit.receive())["id"] != tree:
            assert part["id"] == running
        seen.append(part["node"]["visits"])
    assert seen == sorted(seen)
    assert seen[-1] > 0
    visit.send("stop", which=running)


def test_a_review_remarks_on_every_move(visit: Visit) -> None:
    game = {"game": "connect4", "moves": list("1212175")}  # 7 does not block, 5 does not win
    *parts, last = visit.parts(visit.send("review", **game, seconds=0.05))
    assert [part["ply"] for part in parts] == list(range(1, 8))
    assert [part["move"] for part in parts] == game["moves"]
    assert [part["mark"] for part in parts][5:] == ["blunder", "blunder"]
    assert parts[5]["best"] == parts[6]["best"] == "1"
    assert all(-1 <= part["value"] <= 1 and 0 <= part["cost"] <= 2 for part in parts)
    assert last["done"]


def test_a_review_ends_when_it_is_told_to(served: Served, visit: Visit) -> None:
    board = "connect4:rows=9,cols=9"
    review = visit.send("review", game=board, moves=["5", "5", "4"], seconds=10)
    until(lambda: sum(worker["running"] for worker in served.status()) == 1)
    asked = time.monotonic()
    visit.send("stop", which=review)
    *_, last = visit.parts(review)
    assert last["stopped"]
    assert time.monotonic() - asked < 5


def test_who_has_not_searched_has_no_tree(visit: Visit) -> None:
    assert "no search" in visit.ask("tree", path=[])["error"]


def test_a_large_board_shows_only_its_best_children(visit: Visit) -> None:
    # Of the empty board's moves only one of each kind is searched.
    visit.ask("analyse", game="go:size=19", moves=["R16"], seconds=0.3)
    root = visit.ask("tree", path=[])
    assert len(root["children"]) == 40
    assert root["more"] == 360 + 1 - 40


def test_a_visitor_who_leaves_frees_the_search(served: Served) -> None:
    with served.visit() as visit:
        visit.send("analyse", **POSITION, seconds=100)
        visit.receive()
        assert sum(worker["running"] for worker in served.status()) == 1
        held = sum(worker["seats"] for worker in served.status())
    took = until(lambda: sum(worker["running"] for worker in served.status()) == 0, 5)
    assert took < 3  # the promise is 1 s; this machine may be busy
    until(lambda: sum(worker["seats"] for worker in served.status()) < held, 5)


def test_a_line_that_drops_frees_the_search_too(served: Served) -> None:
    with served.visit() as visit:
        visit.send("analyse", **POSITION, seconds=100)
        visit.receive()
        visit.line.socket.shutdown(2)  # no word of goodbye
        until(lambda: sum(worker["running"] for worker in served.status()) == 0, 5)


def test_an_engine_that_dies_costs_one_answer(served: Served, visit: Visit) -> None:
    with served.visit() as other:
        pids = {worker["pid"] for worker in served.status()}
        id = visit.send("analyse", **POSITION, seconds=100)
        visit.receive()
        for worker in served.status():
            if worker["running"]:
                os.kill(worker["pid"], signal.SIGKILL)
        *_, last = visit.parts(id)
        assert last == {"id": id, "error": DIED, "done": True}
        assert visit.ask("position", **POSITION)["state"]["ply"] == 2
        assert visit.ask("choose", **POSITION, player="best", seconds=0.1)["move"]
        assert other.ask("choose", **POSITION, player="best", seconds=0.1)["move"]
        assert {worker["pid"] for worker in served.status()} != pids


def test_workers_end_with_the_server() -> None:
    house = Served()
    with house.visit() as visit:
        visit.send("analyse", **POSITION, seconds=100)
        visit.receive()
        pids = [worker["pid"] for worker in house.status()]
        house.close()
    assert pids
    until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids), 5)


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
    house = Served()
    try:
        with house.visit() as visit:
            assert visit.ask("hello")["players"] == ["best", "first", "slow", "gone", "odd"]
            assert visit.ask("choose", game="connect4", player="first")["move"] == "1"
            for name in ("gone", "odd"):
                error = visit.ask("choose", game="go:size=9", player=name)["error"]
                assert str(bots.parent) not in error
                assert "nosuch-program" not in error
                assert "bot" in error
            slow = visit.send("choose", game="connect4", player="slow", seconds=30)
            until(lambda: sum(worker["running"] for worker in house.status()) == 1)
            asked = time.monotonic()
            visit.send("stop", which=slow)
            *_, last = visit.parts(slow)
            assert last.get("stopped")
            assert time.monotonic() - asked < 10
            bots.write_text("broken [")
            assert "there is no player" in visit.ask("choose", game="go", player="first")["error"]
    finally:
        house.close()


# -- the server dies -------------------------------------------------------------------


def test_a_server_that_is_killed_leaves_nobody_behind_and_the_game_goes_on() -> None:
    """The page holds the game, so the next server answers the same request."""
    for port in ("0", "0"):
        with subprocess.Popen(
            [*COMMAND, "play", "--no-browser", "--port", port],
            stdout=subprocess.PIPE,
            text=True,
            cwd=ROOT,
            env=ENVIRONMENT,
        ) as process:
            assert process.stdout is not None
            found = re.search(r"http://([^/]+)/", process.stdout.readline())
            assert found is not None
            with connect(f"ws://{found[1]}/socket", origin=Origin(f"http://{found[1]}")) as line:
                visit = Visit(line)
                assert visit.ask("position", **POSITION)["state"]["ply"] == 2
                visit.send("analyse", **POSITION, seconds=100)
                visit.receive()
                children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
                workers = children.read_text().split()
                process.kill()
                process.wait(30)
        assert workers
        until(lambda pids=workers: not any(Path(f"/proc/{pid}").exists() for pid in pids), 10)
