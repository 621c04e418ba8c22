"""`honte bench` and `honte doctor`: their machine-readable output."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

import honte._native
import honte.search.signature
from honte.cli import bench as bench_command
from honte.cli.bench import bench, benchmarks, choose, measure
from honte.games import BUILTIN
from honte.search.signature import total
from tests.cli.command import honte as command
from tests.golden.test_signature import GOLDEN

# Programs outside the project rely on these.
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


@pytest.fixture
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make rates quick and rough: test_docs runs the README's command at full length."""
    monkeypatch.setattr(bench_command, "measure", partial(measure, seconds=0.01, repeats=1))


@pytest.mark.usefixtures("_hasty")
def test_bench_gives_the_rates_that_were_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    names = ["python.random_games_connect4", "othello.playouts"]
    bench(names, as_json=True)
    rates = json.loads(capsys.readouterr().out)
    assert set(rates) == set(names)
    assert all(type(rate) is float and rate > 1000 for rate in rates.values())


@pytest.mark.usefixtures("_hasty")
def test_bench_prints_a_line_a_name(capsys: pytest.CaptureFixture[str]) -> None:
    bench(["othello.playouts"])
    (line,) = capsys.readouterr().out.splitlines()
    assert line.startswith("othello.playouts ")
    assert "random games" in line


def test_a_rate_is_the_median_of_several_runs() -> None:
    asked: list[int] = []

    def work(count: int) -> int:
        asked.append(count)
        return sum(1 for _ in range(count))

    rate = measure(work, seconds=0.01, repeats=3)
    assert rate > 1000
    assert len(set(asked[-3:])) == 1, "every run has the same work"
    assert asked[:2] == [2, 4]


@pytest.mark.parametrize("name", PROMISED)
def test_the_promised_benchmarks_are_there(name: str) -> None:
    assert name in benchmarks()


def test_a_name_may_be_the_first_part_of_several() -> None:
    assert choose(["go"]) == [name for name in benchmarks() if name.startswith("go.")]
    assert choose([]) == list(benchmarks())
    assert choose(["go", "go.playouts_9x9"]) == choose(["go"])
    with pytest.raises(ValueError, match=r"^there is no benchmark 'g'; there are "):
        choose(["g"])


def test_the_signature_is_the_total_of_its_parts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """tests/golden/test_signature.py has the real parts."""
    found = {"one": "5", "two": "7"}
    monkeypatch.setattr(
        honte.search.signature, "parts", lambda games: found if games is BUILTIN else {}
    )
    bench(signature=True)
    assert capsys.readouterr().out == f"{total(found)}\n"


def test_the_signature_of_the_rules_is_the_native_one(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(honte._native, "signature", lambda: 12345)
    bench(rules=True)
    assert capsys.readouterr().out == "12345\n"


@pytest.mark.long
def test_the_signature_is_the_pinned_number() -> None:
    code, output, errors = command("bench", "--signature")
    assert (code, errors) == (0, "")
    assert f"total {output.strip()}" == GOLDEN.read_text().splitlines()[-1]


@pytest.mark.long
def test_the_native_signature_is_the_pinned_number() -> None:
    code, output, errors = command("bench", "--rules")
    assert (code, errors) == (0, "")
    assert f"native.uct {output.strip()}" in GOLDEN.read_text().splitlines()


def test_doctor_says_what_is_installed() -> None:
    code, output, errors = command("doctor")
    assert (code, errors) == (0, "")
    topics = [line.split()[0] for line in output.splitlines()]
    assert topics[:6] == ["honte", "python", "machine", "native", "processor", "networks"]
    assert {"tui", "tune", "plots", "cluster", "train", "sandbox", "data", "bots"} <= set(topics)


def test_doctor_in_json_is_one_flat_object() -> None:
    code, output, _ = command("doctor", "--json")
    findings = json.loads(output)
    assert code == 0
    assert all(isinstance(finding, str) for finding in findings.values())
    assert {"honte", "python", "machine", "native", "sandbox"} <= set(findings)
    assert findings["processor"].startswith(
        f"level {honte._native.build_info()['level']}; the processor runs"
    )
    assert findings["networks"].startswith(
        f"kernel {honte._native.network_kernels()[0]}; the processor runs"
    )


def test_doctor_says_what_is_wrong_with_a_list_of_bots(tmp_path: Path) -> None:
    (tmp_path / "bots.toml").write_text("[bots.mine")
    code, output, errors = command("doctor", cwd=tmp_path)
    assert (code, errors) == (0, "")
    assert "bots.toml" in output.splitlines()[-1]
