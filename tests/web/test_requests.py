"""Whatever a frame holds, the answer is one sentence or what was asked for."""

from __future__ import annotations

import json
import typing
from typing import Any

import pytest

from honte.web import requests
from tests.web.house import Served, Visit
from tests.web.test_security import is_one_sentence

PLACE = {"game": "connect4", "moves": ["4"]}
GOOD: dict[str, dict[str, Any]] = {
    "hello": {},
    "position": PLACE,
    "course": {"seed": 3},
    "choose": PLACE | {"player": "best", "seconds": 0.05},
    "analyse": PLACE | {"seconds": 0.05},
    "review": PLACE | {"seconds": 0.05},
    "stop": {"which": 1},
    "tree": {"path": []},
    "load": {"text": "4455", "game": "connect4"},
    "export": PLACE | {"as": "text"},
    "store": {},
    "stored": {"game_id": "abc"},
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
    "seed": ["1", 1.5, -1, 2**63, HUGE, True, []],
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
    "seconds": ["1", -1, 0, 1e9, HUGE, True, [], {}],
    "which": [None, "1", 1.5, -1, HUGE, True, []],
    "path": [None, 1, "4", [1], [None], {}, ["4"] * 3000],
    "text": [None, 1, [], "", "\0", "(;", "(;GM[1", "4" * 3000],
    "as": [None, 1, [], "pdf", "../x"],
    "game_id": [None, 1, [], "", "x" * 100, "../x", "' OR 1=1 --", "%"],
}
# Nothing that could start a program or name a file is a player here.
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
def test_a_wrong_value_in_any_field_gets_one_sentence(do: str, visit: Visit) -> None:
    fields = {{"form": "as"}.get(name, name) for name in typing.get_type_hints(requests.KINDS[do])}
    for name in sorted(fields):
        for value in BAD[name]:
            given = {key: item for key, item in GOOD[do].items() if key != name} | {name: value}
            if value is None and do in ("position", "course", "load") and name in ("seed", "game"):
                continue  # null is how "not given" is written
            visit.line.send(json.dumps({"id": 7, "do": do, **given}))
            answer = visit.receive()
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
def test_a_frame_that_is_no_request_gets_one_sentence(frame: str, visit: Visit) -> None:
    visit.line.send(frame)
    assert is_one_sentence(visit.receive()["error"])
    assert visit.ask("hello")["version"]


@pytest.mark.parametrize("player", PLAYERS)
def test_the_browser_names_no_program(player: str, visit: Visit) -> None:
    answer = visit.ask("choose", game="connect4", player=player, seconds=0.05)
    assert answer["error"].startswith("there is no player")


def test_every_good_request_is_answered(served: Served, visit: Visit) -> None:
    for do in sorted(set(GOOD) - {"store", "stored", "tree"}):
        assert "error" not in visit.ask(do, **GOOD[do]), do
    assert "error" not in visit.ask("tree", **GOOD["tree"])
