"""Is one version better than another? The verdict claims no more than the games show."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from honte.arena.game import Played
from honte.arena.identity import identity
from honte.arena.schedule import Task, match
from honte.arena.store import Store
from honte.submissions import compare as comparing
from honte.submissions.compare import Comparison, compare
from honte.submissions.trial import STORE, quick_plan
from honte.submissions.versions import Versions
from tests.submissions.matches import GAME, LOST, SHARED, WON, fill_store, played, two_versions


def no_games(task: Task) -> Played:
    raise AssertionError("a game that the store has is played again")


def told(versions: Versions, **more: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The last standing and the end."""
    *_, standing, end = compare(versions, 2, 1, GAME, **more)
    return standing, end


@pytest.mark.parametrize(
    ("results", "verdict", "words"),
    [
        ([WON] * 26, "better", "v2 is better than v1: +48 −0 =0, sure to 95 %"),
        ([WON, SHARED] * 12, "better", "v2 is better than v1: +36 −12 =0, sure to 95 %"),
        ([LOST, SHARED] * 12, "worse", "v2 is worse than v1: +12 −36 =0, sure to 95 %"),
        ([SHARED, (0, 0)] * 11, "no better", "v2 is no better than v1: +11 −11 =20; a gain of 50"),
    ],
)
def test_games_of_the_store_are_counted_and_end_when_they_are_sure(
    results: list[tuple[int, int]],
    verdict: str,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    versions = two_versions(tmp_path)
    fill_store(versions, results)
    monkeypatch.setattr("honte.submissions.trial.play_task", no_games)
    standing, end = told(versions)
    assert (end["verdict"], end["ok"]) == (verdict, True)
    assert end["words"].startswith(words)
    assert standing["games"] >= 40  # the fewest that decide
    assert [standing["a"], standing["b"]] == standing["sprt"]["players"] == ["v2", "v1"]
    assert len(standing["sprt"]["curve"]) == standing["games"] // 2
    assert abs(standing["sprt"]["curve"][-1][1]) >= standing["sprt"]["bound"]


def test_new_games_are_counted_apart_from_those_of_the_store(tmp_path: Path) -> None:
    one, other = two_versions(tmp_path).all()
    found = Comparison(other, one, games=4)
    run: Any = SimpleNamespace(found=0)  # whose store has the first six games
    numbers = []
    plan = quick_plan(GAME, 3.0, {})
    for task in found.tasks(plan, run):
        numbers.append(task.number)
        run.found += task.number < 6
    assert numbers == list(range(10))
    assert found.most == 10


def test_the_games_of_two_versions_are_played_and_kept(tmp_path: Path) -> None:
    versions = two_versions(tmp_path)
    standing, end = told(versions, games=2)
    assert end["verdict"] == "unsure"
    assert end["words"].startswith("not sure after 2 games between v2 and v1: ")
    assert standing["wins"] + standing["draws"] + standing["losses"] == standing["games"] == 2
    with Store(versions.folder / STORE, write=False) as store:
        assert {version.spec for version in versions.all()} == set(store.heads(1)[0].players)
        assert len(store) == 2


def test_a_version_that_fails_every_game_ends_it(tmp_path: Path) -> None:
    versions = two_versions(tmp_path)
    b, a = versions.all()
    engines = {spec: identity(spec, GAME) for spec in (a.spec, b.spec)}
    with Store(versions.folder / STORE) as store:
        for task in match(quick_plan(GAME, 3.0, engines), a.spec, b.spec, 6):
            fault = task.players.index(a.spec)
            store.add(replace(played(task, -1), reason="crash", detail="no book", fault=fault))
    standing, end = told(versions)
    assert (end["ok"], end["verdict"], standing["losses"]) == (False, "broken", 5)
    assert "v2 failed 5 games in a row (crash: no book)" in end["words"]


def test_what_cannot_be_compared_is_one_sentence(tmp_path: Path) -> None:
    versions = two_versions(tmp_path)
    refused, end = compare(versions, 3, 1)
    assert refused == {"event": "refused", "words": "there is no version 3; there are: 1, 2"}
    assert end == {"event": "end", "ok": False}
    assert "itself" in next(compare(versions, 2, 2))["words"]
    (versions.folder / STORE).write_text("x" * 5000)
    _, refused, end = compare(versions, 2, 1, GAME)
    assert refused["event"] == "refused"
    assert "games.db" in refused["words"]


def test_many_points_of_the_curve_are_thinned(tmp_path: Path) -> None:
    one, other = two_versions(tmp_path).all()
    found = Comparison(one, other)
    found.curve = [(n, 0.0) for n in range(1, 1001)]
    curve = found.standing_event()["sprt"]["curve"]
    assert len(curve) <= 2 * comparing.POINTS
    assert curve[-1] == (1000, 0.0)


@pytest.mark.parametrize(
    ("tongue", "verdict"),
    [
        ("en", "v2 is better than v1: +48 −0 =0, sure to 95 %"),
        ("zh", "v2 比 v1 强：+48 −0 =0，把握 95 %"),
    ],
)
def test_the_process_says_one_event_a_line(tongue: str, verdict: str, tmp_path: Path) -> None:
    versions = two_versions(tmp_path)
    fill_store(versions, [WON] * 24)
    command = [sys.executable, "-m", "honte.submissions.compare", str(versions.folder)]
    with subprocess.Popen(
        [*command, "2", "1", GAME],
        stdin=subprocess.PIPE,  # open: it ends with whoever started it
        stdout=subprocess.PIPE,
        env=os.environ | {"HONTE_LANG": tongue},
    ) as process:
        assert process.stdout is not None
        events = [json.loads(line) for line in process.stdout]
    assert process.returncode == 0
    assert [event["event"] for event in events if event["event"] != "standing"] == ["end"]
    assert events[-1]["words"] == verdict
