"""Any frame gets the requested answer or a one-sentence error."""

from __future__ import annotations

import json
import typing
from typing import Any

import pytest

from honte.web import requests
from tests.web.live import Client, LiveServer
from tests.web.test_security import is_one_sentence

PLACE = {"game": "connect4", "moves": ["4"]}
GOOD: dict[str, dict[str, Any]] = {
    "hello": {},
    "position": PLACE,
    "random_board": {"game": "connect4:course"},
    "rules": {"game": "connect4"},
    "levels": {"game": "connect4"},
    "choose": PLACE | {"player": "best", "seconds": 0.05},
    "analyse": PLACE | {"seconds": 0.05},
    "score": {"game": "go:size=5", "moves": ["C3", "pass", "pass"], "dead": [], "toggle": 12},
    "review": PLACE | {"seconds": 0.05},
    "stop": {"which": 1},
    "tree": {"path": []},
    "step": {"n": 1},
    "load": {"text": "4455", "game": "connect4", "near": "connect4"},
    "export": PLACE | {"as": "text"},
    "store": {},
    "training": {},
    "bots": {},
    "compare": {"a": 2, "b": 1},
    "compare_stop": {},
    "stored": {"game_id": "abc"},
    "class": {},
    "class_act": {"action": "freeze"},
}
HUGE = 10**400
BAD: dict[str, list[Any]] = {
    "game": [None, 1, 1.5, True, [], {}, ["connect4"], "", "x" * 5000, "chess", "connect4:rows=x"],
    "start": [1, True, [], {}, "nonsense", "X" * 900, "\0"],
    "moves": [
        None,
        1,
        "4",
        {},
        [1],
        [None],
        [[]],
        [""],
        ["x" * 40],
        ["9"],
        ["4"] * 3000,
        ["4"] * 9,
    ],
    "all": [None, 1, "yes", []],
    "player": [
        None,
        1,
        [],
        "",
        "x" * 100,
        "nosuch",
        "level:0",
        "level:101",
        "level:5,x=1",
        "level",
    ],
    "iterations": ["1", 1.5, -1, 0, 10**9, HUGE, True, [], {}],
    "seconds": ["1", -1, 0, 1e9, HUGE, True, [], {}],
    "dead": [1, "12", {}, [None], ["12"], [1.5], [-1], [3], [HUGE], [2000], [12] * 2000],
    "toggle": ["12", [], {}, 1.5, True, -1, 3, 2000, HUGE],
    "which": [None, "1", 1.5, -1, HUGE, True, []],
    "first": [None, "1", 1.5, 0, -1, 2001, HUGE, True, []],
    "n": [None, "1", 1.5, -1, 1001, HUGE, True, []],
    "path": [None, 1, "4", [1], [None], {}, ["4"] * 3000],
    "text": [None, 1, [], "", "\0", "(;", "(;GM[1", "4" * 3000],
    "as": [None, 1, [], "pdf", "../x"],
    "near": [1, True, [], {}, "", "x" * 5000],
    "nodes": [
        None,
        1,
        {},
        [1],
        [{"parent": 0}],
        [{"parent": -1}, {"parent": 0}],
        [{"parent": -1}, {"parent": 5, "move": "4"}],
        [{"parent": -1}, {"parent": 0, "move": "99"}],
        [{"parent": -1}, {"parent": 0, "setup": "nonsense"}],
        [{"parent": -1, "marks": {"0/x": "circle"}}],
        [{"parent": -1, "marks": {"0/0": "star"}}],
        [{"parent": -1, "other": {"x]": [""]}}],
    ],
    "players": [None, 1, [], ["a"], ["a", 1], ["a", "x" * 500]],
    "result": [None, 1, [], "x" * 500],
    "ended": [1, [], {}, {"winner": 2, "reason": "resign"}, {"winner": 0}],
    "score": ["1", [], {}, True, 1e9, -1e9, HUGE],
    "facts": [None, 1, [], {"key": "value"}, {"DT": 1}],
    "action": [None, 1, [], "", "dance"],
    "student": [None, "1", 1.5, -1, HUGE, True, []],
    "games": [None, "1", 1.5, 0, 1, 10**6, HUGE, True, []],
    "a": [None, "1", 1.5, 0, -1, 10**7, HUGE, True, []],
    "b": [None, "1", 1.5, 0, -1, 10**7, HUGE, True, []],
    "lang": [None, 1, "", "tlh", ["en"]],
    "game_id": [None, 1, [], "", "x" * 100, "../x", "' OR 1=1 --", "%"],
}
# None of these names, which could start a program or name a file, is accepted as a player.
PLAYERS = [
    "uct",
    "random",
    "textbook",
    "gtp:sh -c 'touch /tmp/x'",
    "py:x.py",
    "getpoint:./x.so",
    "best:memory_mb=32000",
    "best:threads=64",
    "../bots",
    "level:50:x",
    "level:1e1",
    "level:٣",
    "BEST",
    " best",
    "best\n",
]


def test_every_field_has_its_wrong_values_here() -> None:
    fields = {
        {"form": "as"}.get(name, name)
        for kind in requests.KINDS.values()
        for name in typing.get_type_hints(kind)
    }
    assert fields == set(BAD)
    assert set(GOOD) == set(requests.KINDS)


@pytest.mark.parametrize("do", requests.KINDS)
def test_a_wrong_value_in_any_field_gets_one_sentence(do: str, client: Client) -> None:
    fields = {{"form": "as"}.get(name, name) for name in typing.get_type_hints(requests.KINDS[do])}
    for name in sorted(fields):
        for value in BAD[name]:
            given = {key: item for key, item in GOOD[do].items() if key != name} | {name: value}
            if value is None and do in ("position", "load") and name == "game":
                continue  # null is how "not given" is written
            client.line.send(json.dumps({"id": 7, "do": do, **given}))
            answer = client.receive()
            assert answer["id"] == 7, (name, value)
            assert is_one_sentence(answer.get("error")), (name, value, answer)


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "x",
        "null",
        "7",
        "[]",
        '"hello"',
        "{}",
        "{" * 8000,
        "[" * 16000,
        '{"id":' * 2600,
        '{"do": "hello"}',
        '{"id": null, "do": "hello"}',
        '{"id": "1", "do": "hello"}',
        '{"id": 1.5, "do": "hello"}',
        '{"id": true, "do": "hello"}',
        '{"id": -1, "do": "hello"}',
        '{"id": 1e400, "do": "hello"}',
        f'{{"id": {10**400}, "do": "hello"}}',
        '{"id": 1}',
        '{"id": 1, "do": null}',
        '{"id": 1, "do": "__init__"}',
        '{"id": 1, "do": "_send"}',
        '{"id": 1, "do": ["hello"]}',
        '{"id": 1, "do": "' + "x" * 9000 + '"}',
        '{"id": 1, "do": "hello"} trailing',
        '{"id": 1, "do": "position", "game": "\\ud800"}',
        '{"id": NaN, "do": "hello"}',
        '\ufeff{"id": 1, "do": "hello"}',
    ],
    ids=lambda frame: frame[:30],
)
def test_a_frame_that_is_no_request_gets_one_sentence(frame: str, client: Client) -> None:
    client.line.send(frame)
    assert is_one_sentence(client.receive()["error"])
    assert client.ask("hello")["version"]


@pytest.mark.parametrize("player", PLAYERS)
def test_the_browser_names_no_program(player: str, client: Client) -> None:
    answer = client.ask("choose", game="connect4", player=player, seconds=0.05)
    assert answer["error"].startswith("there is no player")


def test_every_good_request_is_answered(served: LiveServer, client: Client) -> None:
    others = {"store", "stored", "training", "tree", "step", "class", "class_act", "compare"}
    for do in sorted(set(GOOD) - others):
        assert "error" not in client.ask(do, **GOOD[do]), do
    assert client.ask("compare", **GOOD["compare"])["error"].startswith("there is no version 2")
    assert "error" not in client.ask("tree", **GOOD["tree"])
    assert "simulations" in client.ask("step", **GOOD["step"])["error"]  # a solver answered


def test_a_step_is_one_simulation_more(client: Client) -> None:
    assert "no search" in client.ask("step")["error"]
    client.ask("analyse", game="connect4:course,seed=5", seconds=0.2)
    before = client.ask("step", n=0)["node"]["visits"]
    answer = client.ask("step", n=1)
    assert answer["node"]["visits"] == before + 1
    assert answer["report"]["iterations"] == 1
    assert client.ask("step", n=3)["node"]["visits"] == before + 4
