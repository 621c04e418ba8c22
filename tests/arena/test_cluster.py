"""Games on a Ray cluster: the same games as locally, and a dying node loses none.

Ray is 240 MB and takes seconds to start, so it is not a development dependency: these tests run
where it is installed (`pip install honte[cluster]`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from honte.arena import cluster
from honte.arena.cluster import RayTeam, team
from honte.arena.game import play_task
from honte.arena.run import Run
from honte.arena.schedule import Plan, match
from honte.arena.store import Store
from honte.arena.workers import WorkerError, Workers
from honte.tune import games
from honte.tune.study import parse
from honte.tune.tuning import Tuning
from tests.tune.studies import genetic

WITHOUT = find_spec("ray") is None
needs_ray = pytest.mark.skipif(
    WITHOUT, reason="Ray is not installed; `pip install honte[cluster]` brings it"
)


def test_without_ray_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> Any:
        raise ImportError(name)

    monkeypatch.setattr(cluster, "import_module", missing)
    with pytest.raises(ValueError, match=r"--on ray needs Ray; .*honte\[cluster\]"):
        team("ray", 1, play_task)


def test_a_place_that_there_is_not_is_named() -> None:
    with pytest.raises(ValueError, match="--on 'mars' is unknown"):
        team("mars", 1, play_task)


class SlowRay:
    """A Ray whose processes take too long to start."""

    def __init__(self) -> None:
        self.given: dict[str, Any] = {}

    def is_initialized(self) -> bool:
        return False

    def init(self, **given: Any) -> None:
        self.given = given
        raise Exception("The current node timed out during startup.\nMore words.")

    def shutdown(self) -> None:
        pass


@pytest.mark.parametrize(
    ("on", "words"),
    [
        ("ray", "Ray does not start here: The current node timed out during startup.$"),
        ("ray://there:1", r"cannot connect to Ray at ray://there:1: The .*; .*RAY_AUTH_MODE=token"),
    ],
)
def test_a_cluster_that_cannot_be_reached_is_said_in_one_sentence(
    on: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ray = SlowRay()
    monkeypatch.setattr(cluster, "import_module", lambda name: ray)
    monkeypatch.setenv("HONTE_SANDBOX", "untrusted")
    with pytest.raises(ValueError, match=words):
        team(on, 1, play_task)
    # Bots are confined there as here.
    assert ray.given["runtime_env"]["env_vars"]["HONTE_SANDBOX"] == "untrusted"


class TinyRay:
    """A Ray that has run every batch when it is asked: games 0 and 1 fail, each in its way."""

    class exceptions:
        class RayError(Exception): ...

    def is_initialized(self) -> bool:
        return True

    def put(self, thing: Any) -> Any:
        return thing

    def cluster_resources(self) -> dict[str, int]:
        return {"CPU": 2}

    def remote(self, **given: Any) -> Any:
        return lambda play: SimpleNamespace(remote=lambda play, batch, folder: batch[0])

    def wait(self, waiting: list[Any], num_returns: int, timeout: float | None) -> Any:
        return waiting, []

    def get(self, task: Any) -> Any:
        if task.number == 0:
            raise self.exceptions.RayError("a node died\nmore words")
        return WorkerError("no such book") if task.number == 1 else [task.number]


@pytest.mark.parametrize(("first", "why"), [(0, "could not be played: a node died$"), (1, "book")])
def test_games_that_finished_beside_one_that_failed_are_returned_before_the_error(
    first: int, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "import_module", lambda name: TinyRay())
    ray: Any = RayTeam(None, 2, play_task)
    for task in list(match(Plan("connect4"), "random", "random", 4))[first:]:
        ray.send(task)
    assert ray.finished() == [2, 3]
    with pytest.raises(WorkerError, match=why):
        ray.finished()
    assert ray.busy == 0


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A cluster of two nodes with a processor each, beside a head without any."""
    ray, utils = import_module("ray"), import_module("ray.cluster_utils")
    small = {"object_store_memory": 80_000_000, "include_dashboard": False}
    there = utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **small})
    there.add_node(num_cpus=1, object_store_memory=80_000_000)
    ray.init(address=there.address, log_to_driver=False, logging_level="error")
    yield there
    ray.shutdown()
    there.shutdown()


def played_ids(path: Path) -> list[str]:
    with Store(path, write=False) as store:
        return sorted(played.task.id for played in store.games())


def study_on(workers: Any, path: Path, generations: int, after: Any = None) -> dict[str, object]:
    with Store(path) as store:
        run = Run(workers, store, commit_every=0.1)
        tuning = Tuning(parse(genetic(generations, 20)))
        for count, _ in enumerate(tuning.search(run)):
            if after is not None and count == 100:
                after()
        list(tuning.verify(run))
        run.close()
        return tuning.summary()


@needs_ray
@pytest.mark.long
def test_a_node_that_dies_costs_no_game_and_the_games_are_those_of_the_local_pool(
    nodes: Any, tmp_path: Path
) -> None:
    dying = nodes.add_node(num_cpus=1, object_store_memory=80_000_000)
    nodes.wait_for_nodes()
    there = RayTeam(None, 0, games.play, 8)
    deaths = []

    def die() -> None:
        deaths.append(time.monotonic())
        threading.Thread(target=nodes.remove_node, args=(dying,), daemon=True).start()

    far = study_on(there, tmp_path / "far.db", 40, die)
    home = study_on(Workers(1, games.play, 8), tmp_path / "home.db", 40)
    assert len(deaths) == 1
    assert far == home
    ids = played_ids(tmp_path / "far.db")
    assert len(ids) == len(set(ids))
    assert ids == played_ids(tmp_path / "home.db")


@needs_ray
@pytest.mark.long
def test_the_arena_plays_there_too_and_what_cannot_be_played_is_said(nodes: Any) -> None:
    run = Run(RayTeam(None, 0, play_task))
    plan = Plan("connect4", seed=4)
    far = [game.moves for game in run.play(match(plan, "random", "random", 6))]
    run.close()
    run = Run(1)
    assert far == [game.moves for game in run.play(match(plan, "random", "random", 6))]
    run.close()

    def unplayable(task: Any) -> Any:  # nested: pickled by value, as tests are not there
        raise ZeroDivisionError

    run = Run(RayTeam(None, 0, unplayable))
    with pytest.raises(WorkerError, match=r"game 1 .*ZeroDivisionError"):
        list(run.play(match(plan, "random", "random", 2)))
