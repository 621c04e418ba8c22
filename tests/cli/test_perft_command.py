"""`honte perft`: the published counts of the three games."""

from __future__ import annotations

import json

import pytest

from tests.cli.command import honte

CONNECT4 = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572, 268031646]
OTHELLO = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284, 212258800, 1939886636]
PASS_FREE = [*OTHELLO[:9], 3005320, 24571420, 212260880, 1939899208]
GO_3 = [1, 10, 91, 738, 5281, 33384]
GO_4 = [1, 17, 273, 4112]
GO_5 = [1, 26, 651, 15650]
GO_2 = [1, 5, 21, 68, 156, 316, 604]


def counts(*arguments: str) -> list[int]:
    code, output, errors = honte("perft", *arguments)
    assert (code, errors) == (0, "")
    lines = [line.split() for line in output.splitlines()]
    assert [int(depth) for depth, _ in lines] == list(range(len(lines)))
    return [int(count) for _, count in lines]


@pytest.mark.parametrize(
    ("arguments", "published"),
    [
        ("connect4 8", CONNECT4[:9]),
        ("othello 10", OTHELLO[:11]),
        ("othello 10 --pass-free", PASS_FREE[:11]),
        ("go:size=3 5", GO_3),
        ("go:size=3,ko=simple 5", GO_3),
        ("go:size=4 3", GO_4),
        ("go:size=4,ko=simple 3", GO_4),
        ("go:size=5 3", GO_5),
        ("go:size=5,ko=simple 3", GO_5),
        ("go:size=2,ko=simple 7", [*GO_2, 1168]),
        ("go:size=2,ko=situational 7", [*GO_2, 1112]),
        ("go:size=2,ko=positional 7", [*GO_2, 1088]),
    ],
)
def test_the_counts_are_the_published_ones(arguments: str, published: list[int]) -> None:
    assert counts(*arguments.split()) == published


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "published"),
    [
        ("connect4 10", CONNECT4),
        ("othello 12", OTHELLO),
        ("othello 12 --pass-free", PASS_FREE),
    ],
)
def test_the_deep_counts_are_the_published_ones(arguments: str, published: list[int]) -> None:
    assert counts(*arguments.split()) == published


def test_a_depth_of_nothing_is_one() -> None:
    assert counts("go", "0") == [1]


@pytest.mark.parametrize(
    ("arguments", "below"),
    [
        (("connect4", "2", "--moves", "4455"), [1, 7, 49]),
        (("connect4", "3", "--moves", "1122334"), [1, 0, 0, 0]),  # a finished game: no successors
        (("connect4", "1", "--position", "......./" * 5 + "....... X"), [1, 7]),
        (("othello", "1", "--moves", "f5d6c3"), [1, 4]),
        (("othello:size=4", "2", "--moves", "b1c1d1a1a3d4"), [1, 1, 1]),  # finished: one leaf
        (("othello", "2", "--moves", "c4c3f5b4a4a5c2a3"), [1, 1, 2]),  # a pass is a ply
        (("othello", "1", "--moves", "c4c3f5b4a4a5c2a3", "--pass-free"), [1, 2]),
        (("go:size=3", "1", "--moves", "B2 pass"), [1, 9]),
        (("go:size=3", "1", "--moves", "pass,pass"), [1, 0]),
    ],
)
def test_the_count_starts_from_a_position(arguments: tuple[str, ...], below: list[int]) -> None:
    assert counts(*arguments) == below


def test_json_is_one_flat_object() -> None:
    code, output, _ = honte("perft", "connect4:course,seed=7", "3", "--json")
    assert code == 0
    found = json.loads(output)
    assert found.pop("seconds") >= 0
    assert found["game"].startswith("connect4:rows=")
    assert found["depth"] == 3
    assert type(found["count"]) is int
    assert set(found) == {"game", "depth", "count"}
