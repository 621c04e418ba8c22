"""A class of forty bots, ten of them broken: the tournament completes and reports their faults."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.command import ENVIRONMENT, honte

GOOD = """
import random

draw = random.Random(__file__ + "{number}")

def choose(state, limit):
    return draw.choice(state.legal_moves())
"""
BROKEN = {
    # How each one breaks: the reason, and words that its fault contains.
    "raises": ("raise KeyError('corner')", "crash", "it raised KeyError: 'corner'"),
    "dies": ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "crash", "SIGSEGV"),
    "exits": ("import os; os._exit(7)", "crash", "exit status 7"),
    "sleeps": ("import time; time.sleep(60)", "time", "no answer in time"),
    "wanders": ("return 99", "illegal", "99"),
    "talks": ("return 'e4'", "illegal", "it returned a str"),
    "mumbles": ("import os; os.write(2, b'no ' * 2**20)", "flood", "standard error"),
    "swells": ("a = [bytearray(2**24) for _ in range(999)]", "memory", "memory"),
    "nameless": (None, "start", "there is no function choose"),
    "misspelt": ("return (", "start", "SyntaxError"),
}
TIMED_OUT = ("--seconds", "2", "--margin", "1")


def broken(folder: Path, name: str) -> str:
    deed = BROKEN[name][0]
    function = "other" if deed is None else "choose"
    path = folder / name / "bot.py"
    path.parent.mkdir()
    path.write_text(f"def {function}(state, limit):\n    {deed or 'pass'}\n")
    return name


def class_of(folder: Path, processes: int) -> list[str]:
    """Forty names in a bots.toml: ten broken, some honest processes, the rest players of ours."""
    names, lines = [], []
    for name in BROKEN:
        names.append(broken(folder, name))
        lines.append(f'[bots.{name}]\nspec = "py:{name}/bot.py:choose"\nmemory_mb = 200')
    for number in range(processes):
        name = f"honest{number}"
        (folder / name).mkdir()
        (folder / name / "bot.py").write_text(GOOD.format(number=number))
        lines.append(f'[bots.{name}]\nspec = "py:{name}/bot.py:choose"')
        names.append(name)
    (folder / "bots.toml").write_text("\n".join(lines))
    ours = [f"random:seed={number}" for number in range(30)]
    ours[::3] = [f"uct:iterations={number}" for number in range(2, 12)]
    rest = [*names[len(BROKEN) :], *ours[: 40 - len(names)]]
    for place, name in enumerate(BROKEN):  # spread out, so that they do not meet at first
        rest.insert(4 * place, name)
    return rest


def play(
    folder: Path, processes: int, rounds: int, monkeypatch: pytest.MonkeyPatch, workers: int = 2
) -> None:
    players = class_of(folder, processes)
    assert len(players) == 40
    monkeypatch.setitem(ENVIRONMENT, "HONTE_BOTS", str(folder / "bots.toml"))
    words = ["tournament", *players, "--game", "connect4:course", "--swiss"]
    words += ["--rounds", str(rounds), "--workers", str(workers), "--max-faults", "2"]
    words += [*TIMED_OUT, "--store", str(folder / "games.db")]
    printed = honte(*words, timeout=3600)
    assert printed.code == 0, printed.errors
    print(printed.output)
    again = honte(*words, "--json", timeout=3600)  # all from the store
    found = json.loads(again.output)
    assert found["stopped"] == "all games played"
    assert found["from_store"] + found["reasons"].get("retired", 0) == found["games"]
    rows = {row["player"]: row for row in found["players"]}
    for name, (_, reason, detail) in BROKEN.items():
        assert set(rows[name]["faults"]) == {reason}, rows[name]
        assert detail in rows[name]["last_fault"], rows[name]
        assert rows[name]["retired"].startswith(f"{reason}: ")
        (line,) = (line for line in printed.output.splitlines() if f"retired: {name} (" in line)
        assert f"({reason}: " in line
        assert detail in line
    for name, row in rows.items():
        if name not in BROKEN:
            assert not row["faults"], row
            assert row["retired"] is None


@pytest.mark.long
def test_forty_processes_ten_of_them_broken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(tmp_path, 30, 6, monkeypatch)


@pytest.mark.long
def test_a_class_of_forty_with_ten_broken_bots_gets_its_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(tmp_path, 5, 2, monkeypatch)
