"""`honte bench` and `honte doctor`: what programs read of them."""

from __future__ import annotations

import json

import pytest

from honte.cli.bench import benchmarks, choose
from tests.cli.command import honte
from tests.golden.test_signature import GOLDEN

# Programs outside the project ask for these.
PROMISED = (
    "connect4.playouts_7x6",
    "connect4.playouts_12x12",
    "othello.perft_nodes",
    "othello.perft_leaves",
    "othello.playouts",
    "go.playouts_9x9",
    "go.playouts_19x19",
    "python.random_games_connect4",
)


def test_bench_gives_the_rates_that_were_asked_for() -> None:
    names = ("python.random_games_connect4",)
    code, output, errors = honte("bench", *names, "--json")
    assert (code, errors) == (0, "")
    rates = json.loads(output)
    assert list(rates) == list(names)
    assert all(type(rate) is float and rate > 1000 for rate in rates.values())


def test_bench_prints_a_line_a_name() -> None:
    code, output, _ = honte("bench", "othello.playouts")
    assert code == 0
    (line,) = output.splitlines()
    assert line.startswith("othello.playouts ")
    assert "random games" in line


@pytest.mark.parametrize("name", PROMISED)
def test_the_promised_benchmarks_are_there(name: str) -> None:
    assert name in benchmarks()


def test_a_name_may_be_the_first_part_of_several() -> None:
    assert choose(["go"]) == [name for name in benchmarks() if name.startswith("go.")]
    assert choose([]) == list(benchmarks())
    assert choose(["go", "go.playouts_9x9"]) == choose(["go"])
    with pytest.raises(ValueError, match=r"^there is no benchmark 'g'; there are "):
        choose(["g"])


def test_the_signature_is_the_pinned_number() -> None:
    code, output, errors = honte("bench", "--signature")
    assert (code, errors) == (0, "")
    assert f"total {output.strip()}" == GOLDEN.read_text().splitlines()[-1]


def test_the_native_signature_is_the_pinned_number() -> None:
    code, output, errors = honte("bench", "--rules")
    assert (code, errors) == (0, "")
    assert f"native.uct {output.strip()}" in GOLDEN.read_text().splitlines()


def test_doctor_says_what_is_installed() -> None:
    code, output, errors = honte("doctor")
    assert (code, errors) == (0, "")
    topics = [line.split()[0] for line in output.splitlines()]
    assert topics[:4] == ["honte", "python", "machine", "native"]
    assert {"tui", "tune", "plots", "cluster", "sandbox"} <= set(topics)


def test_doctor_in_json_is_one_flat_object() -> None:
    code, output, _ = honte("doctor", "--json")
    findings = json.loads(output)
    assert code == 0
    assert all(isinstance(finding, str) for finding in findings.values())
    assert {"honte", "python", "machine", "native", "sandbox"} <= set(findings)
