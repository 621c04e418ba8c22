"""``honte analyse``: every position gets one final answer, every mistake one sentence."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

import honte
from honte.core.request import Request
from honte.protocols import json_engine
from honte.protocols.json_engine import JsonEngine
from tests.slowness import slowness

WAIT = 60.0


class Client:
    """An engine and what it has answered."""

    def __init__(self, **settings: Any) -> None:
        self.answers: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        self.engine = JsonEngine(self._take, **{"workers": 2, "game": "connect4", **settings})

    def _take(self, data: bytes) -> None:
        assert data.endswith(b"\n")
        assert data.count(b"\n") == 1
        with self._changed:
            self.answers.append(json.loads(data))
            self._changed.notify_all()

    def ask(self, *queries: Any) -> None:
        for query in queries:
            text = query if isinstance(query, bytes) else json.dumps(query).encode()
            self.engine.handle(text)

    def wait_for(self, count: int, **fields: Any) -> list[dict[str, Any]]:
        """The answers with these fields, once there are this many."""

        def found() -> list[dict[str, Any]]:
            return [a for a in self.answers if fields.items() <= a.items()]

        with self._changed:
            assert self._changed.wait_for(lambda: len(found()) >= count, WAIT), self.answers
            return found()


@pytest.fixture
def client() -> Iterator[Client]:
    client = Client()
    yield client
    client.engine.close()


LONG = {"player": "uct:memory_mb=16", "seconds": 600, "game": "othello"}


def test_an_answer_is_the_report_of_the_player(client: Client) -> None:
    game = honte.game("othello")
    moves = game.read_moves("f5d6c3")
    state = game.start()
    for move in moves:
        state = state.play(move)
    asked = {"player": "uct:seed=3", "iterations": 400, "lines": 2, "all_moves": True}
    client.ask({"id": 7, "game": "othello", "moves": "f5d6c3", **asked})
    [answer] = client.wait_for(1)
    limit = honte.Limit(iterations=400)
    request = Request(state, tuple(moves), limit, lines=2, all_moves=True)
    expected = honte.player("uct:seed=3", game).choose(request).to_dict()
    head = {name: answer.pop(name) for name in ("id", "turn", "partial", "over", "to_move")}
    assert head == {"id": 7, "turn": 3, "partial": False, "over": False, "to_move": 1}
    assert answer.pop("seconds") > 0
    del expected["seconds"]
    assert answer == expected


def test_what_was_asked_before_changes_nothing() -> None:
    client = Client(workers=1)
    query = {"game": "othello", "player": "uct:seed=3", "iterations": 300}
    for id, moves in enumerate(["", "f5", "", "f5d6", ""]):
        client.ask({"id": id, "moves": moves, **query})
    client.engine.finish()
    first, *rest = [a for a in client.answers if a["turn"] == 0]
    for other in rest:
        assert [other[key] for key in ("move", "value", "pv")] == [
            first[key] for key in ("move", "value", "pv")
        ]
    client.engine.close()


@pytest.mark.parametrize("game", ["connect4:rows=9,cols=9,blocked=3/3", "othello", "go:size=7"])
def test_several_positions_of_a_game_are_asked_for_at_once(client: Client, game: str) -> None:
    rules = honte.game(game)
    state, words = rules.start(), []
    for _ in range(4):
        words.append(rules.format(state.legal_moves()[0]))
        state = state.play(state.legal_moves()[0])
    client.ask({"id": "a", "game": game, "moves": words, "turns": [0, 2, 4], "iterations": 30})
    answers = client.wait_for(3, id="a", partial=False)
    assert sorted(answer["turn"] for answer in answers) == [0, 2, 4]
    client.ask({"id": "b", "game": game, "position": state.to_text(), "iterations": 30})
    [answer] = client.wait_for(1, id="b")
    assert answer["move"] in [rules.format(move) for move in state.legal_moves()]


def test_sixty_four_queries_are_in_flight(client: Client) -> None:
    client.ask(*({"id": id, "moves": "4" * (id % 6), "seconds": 5} for id in range(64)))
    client.engine.finish()
    assert sorted(answer["id"] for answer in client.answers) == [*range(64)]


def test_partial_answers_come_before_the_final_one(client: Client) -> None:
    client.ask({"id": "a", **LONG, "every": 0.05})
    client.wait_for(3, id="a", partial=True)
    client.ask({"id": "c", "action": "cancel", "query": "a"})
    [last] = client.wait_for(1, id="a", partial=False)
    assert last["stopped"] == "cancelled"
    assert last["iterations"] > 0
    assert [a for a in client.answers if a["id"] == "a"][-1] is last


def test_a_query_is_cancelled_before_it_begins_and_while_it_is_searched() -> None:
    client = Client(workers=1)
    client.ask({"id": "a", **LONG, "every": 0.01})
    client.wait_for(1, id="a")
    client.ask({"id": "b", **LONG, "moves": "f5d6", "turns": [0, 1, 2]})
    client.ask({"id": 1, "action": "cancel", "query": "b", "turns": [1]})
    assert client.wait_for(1, id=1) == [{"id": 1, "action": "cancel", "cancelled": 1}]
    assert client.wait_for(1, id="b") == [
        {"id": "b", "turn": 1, "partial": False, "cancelled": True}
    ]
    client.ask({"id": 2, "action": "cancel_all"})
    assert client.wait_for(1, id=2)[0]["cancelled"] == 3
    client.wait_for(1, id="a", stopped="cancelled")
    client.wait_for(3, id="b", cancelled=True)
    client.engine.close()


def test_a_higher_priority_comes_first() -> None:
    client = Client(workers=1)
    client.ask({"id": "long", **LONG, "every": 0.01})
    client.wait_for(1, id="long")
    for id, priority in enumerate([0, 5, 0, -3, 5]):
        client.ask({"id": id, "priority": priority, "player": "random"})
    client.ask({"id": "c", "action": "cancel", "query": "long"})
    client.engine.finish()
    assert [a["id"] for a in client.answers if isinstance(a["id"], int)] == [1, 4, 0, 2, 3]
    client.engine.close()


def test_the_input_waits_while_too_many_positions_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_engine, "MAX_PENDING", 3)
    client = Client(workers=1)
    client.ask(*({"id": id, "player": "random"} for id in range(20)))
    client.engine.finish()
    assert [answer["id"] for answer in client.answers] == [*range(20)]
    client.engine.close()


def test_a_finished_game_has_a_result(client: Client) -> None:
    client.ask({"id": "a", "moves": "1212121"})
    assert client.wait_for(1) == [
        {"id": "a", "turn": 7, "partial": False, "over": True, "winner": 0, "score": 1.0}
    ]


def test_ownership_is_told_where_it_is_asked_for(client: Client) -> None:
    client.ask({"id": "a", "game": "go:size=7", "ownership": True, "iterations": 20})
    [answer] = client.wait_for(1)
    assert len(answer["ownership"]) == 49


WRONG = [
    (b"hello", "the request is not JSON"),
    (b"\xff\xfe", "the request is not JSON"),
    (b"[" * 5000, "nested too deep"),
    (b'{"id": 1', "truncated"),
    (b"[1]", "a query is one JSON object"),
    ({}, "the field 'id' is missing"),
    ({"id": True}, "id is wrong"),
    ({"id": 1, "secs": 1}, "there is no field 'secs'; the fields are id, game"),
    ({"id": 1, "game": "chess"}, "there is no game 'chess'"),
    ({"id": 1, "player": "stockfish"}, "stockfish"),
    ({"id": 1, "player": "uct:cc=1"}, "cc"),
    ({"id": 1, "position": "??"}, "the position has"),
    ({"id": 1, "moves": "4444444"}, "column 4 is full on move 7"),
    ({"id": 1, "moves": ["4", 4]}, "moves is wrong"),
    ({"id": 1, "moves": "4", "turns": [2]}, "turns: 2 is past the last of 1 moves"),
    ({"id": 1, "turns": []}, "turns is wrong"),
    ({"id": 1, "turns": [-1]}, "turns is wrong"),
    ({"id": 1, "seconds": 0}, "seconds is wrong"),
    ({"id": 1, "seconds": "x"}, "seconds is wrong"),
    ({"id": 1, "iterations": 2**70}, "iterations is wrong"),
    ({"id": 1, "every": 0}, "every is wrong"),
    ({"id": 1, "action": "explode"}, "action is wrong"),
    ({"id": 1, "action": "cancel"}, "name the id of a query"),
    ({"id": 1, "moves": "4" * 2**20}, "a line of more than"),
]


@pytest.mark.parametrize(("query", "sentence"), WRONG, ids=[repr(w[0])[:40] for w in WRONG])
def test_a_mistake_is_answered_in_one_sentence(client: Client, query: Any, sentence: str) -> None:
    client.ask(query, {"id": "next", "player": "random"})
    error, answer = client.wait_for(2)
    assert sentence in error["error"]
    assert "\n" not in error["error"]
    readable = isinstance(query, dict) and query.get("id") is not True and "a line" not in sentence
    assert error["id"] == (query.get("id") if readable else None)
    assert answer["id"] == "next"


def test_a_player_that_raises_loses_only_its_query(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def think(*_: object) -> None:
        raise KeyError("a defect")

    monkeypatch.setattr("honte.players.random.RandomPlayer.think", think)
    client.ask({"id": 1, "player": "random"}, {"id": 2, "player": "uct", "iterations": 5})
    assert client.wait_for(1, id=1)[0]["error"] == "KeyError: 'a defect'"
    client.wait_for(1, id=2, stopped="iterations")


# -- the program ----------------------------------------------------------------------


def start(*words: str) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "honte", "analyse", *words]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)


def test_the_end_of_the_input_waits_for_the_answers() -> None:
    with start("--game", "connect4", "--workers", "1") as program:
        lines = [json.dumps({"id": id, "moves": "4" * id, "iterations": 50}) for id in range(5)]
        out, _ = program.communicate(
            "\n".join([*lines, '{"id": "v", "action": "version"}']).encode()
        )
    answers = [json.loads(line) for line in out.splitlines()]
    assert {answer["id"] for answer in answers} == {0, 1, 2, 3, 4, "v"}
    assert program.returncode == 0
    assert {"id": "v", "action": "version", "version": 1, "honte": honte.__version__} in answers


def test_no_wait_ends_with_the_input() -> None:
    with start("--no-wait") as program:
        assert program.stdin is not None
        assert program.stdout is not None
        program.stdin.write(json.dumps({"id": "a", **LONG, "every": 0.05}).encode() + b"\n")
        program.stdin.flush()
        assert json.loads(program.stdout.readline())["partial"]
        program.stdin.close()
        *_, last = program.stdout.read().splitlines()
        assert json.loads(last)["stopped"] == "cancelled"
        assert program.wait(WAIT) == 0


@pytest.mark.timing
def test_a_closed_pipe_ends_it_within_a_tenth_of_a_second() -> None:
    took = []
    for _ in range(3):  # a busy machine may stall
        with start() as program:
            assert program.stdin is not None
            assert program.stdout is not None
            for id in range(8):
                program.stdin.write(json.dumps({"id": id, **LONG, "every": 0.05}).encode() + b"\n")
            program.stdin.flush()
            assert json.loads(program.stdout.readline())["partial"]
            began = time.monotonic()
            program.stdout.close()
            program.wait()  # with a limit it would look at ever longer intervals
            took.append(time.monotonic() - began)
    assert min(took) < 0.1 * slowness()
