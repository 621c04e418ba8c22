"""`honte learn net`: a run from the command line, its errors, and Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from honte._native import Network
from honte.cli.learn_net import learn_net, on_accelerator
from honte.nets import accelerated, cpu_learner
from honte.nets.log import read_log
from honte.nets.sizes import Size
from tests.cli.command import COMMAND, ENVIRONMENT, ROOT, honte

BOARD = "connect4:rows=4,cols=4"
TINY = ("--size", "b1c8", "--games", "4", "--simulations", "4", "--workers", "1", "--device", "cpu",
        "--exam", "8")  # fmt: skip


def test_help_says_what_it_does() -> None:
    done = honte("learn", "net", "--help")
    assert done.code == 0
    assert "self-play" in done.output
    assert "--resume" in done.output
    assert "honte learn net GAME" in " ".join(honte("learn", "--help").output.split())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((), "name the game to learn"),
        (("othello",), "no network learns othello on CPU cores"),
        (("connect4:inarow=5",), "networks know four in a row alone"),
        (("connect4", "--size", "big"), "is not a network size; write it like b4c32"),
        (("connect4", "--resume"), "holds no training run to go on with"),
        (("--show", "nowhere"), "holds no training run"),
        (("connect4", "--on", "mars"), "is unknown; use local, ray or ray://HOST:PORT"),
    ],
)
def test_what_cannot_be_is_answered_in_one_sentence(
    words: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    out = () if "--show" in words else ("--out", str(tmp_path / "run"), "--device", "cpu")
    done = honte("learn", "net", *words, *out)
    assert done.code == 2
    assert sentence in done.errors
    assert done.errors.count("\n") == 1


def test_a_device_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="use auto, cpu or accelerator"):
        accelerated.choose("gpu9")
    monkeypatch.setattr(accelerated, "has_jax", lambda: False)
    assert not accelerated.choose("auto")
    with pytest.raises(ValueError, match=r"needs JAX; install it with `pip install 'honte\[train"):
        accelerated.choose("accelerator")
    monkeypatch.setattr(accelerated, "has_jax", lambda: True)
    monkeypatch.setattr(accelerated, "backend", lambda: "cpu")
    with pytest.raises(ValueError, match="JAX sees no accelerator here"):
        accelerated.choose("accelerator")
    monkeypatch.setattr(accelerated, "backend", lambda: "gpu")
    assert accelerated.choose("auto")


def test_the_folder_of_a_run_on_cores_is_not_trained_in_on_an_accelerator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "run.json").write_text("{}")
    monkeypatch.setattr(accelerated, "choose", lambda device: True)
    with pytest.raises(ValueError, match="holds a run; go on with it by --resume"):
        learn_net("connect4", out=tmp_path)


@pytest.mark.parametrize("option", ["generations", "games", "exam", "workers"])
def test_an_option_of_cores_is_refused_on_an_accelerator(
    option: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(accelerated, "choose", lambda device: True)
    given: dict[str, Any] = {option: 4}
    with pytest.raises(ValueError, match=f"--{option} is for training on CPU cores"):
        learn_net("connect4", out=tmp_path / "run", **given)


@pytest.mark.parametrize("early", [False, True], ids=["while it trains", "while JAX is imported"])
def test_a_signal_ends_training_on_an_accelerator_after_its_segment(
    early: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = types.SimpleNamespace(seconds=100.0)
    left: list[float] = []

    class Training:
        def __init__(self, given: object) -> None:
            assert given is options

        def run(self) -> None:
            if not early:
                signal.raise_signal(signal.SIGTERM)
            left.append(options.seconds)

    def arguments(words: list[str]) -> object:
        if early:
            signal.raise_signal(signal.SIGTERM)
        return options

    train = types.ModuleType("honte.nets.train")
    train.arguments = arguments  # type: ignore[attr-defined]
    train.Training = Training  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "honte.nets.train", train)
    monkeypatch.setattr("honte.nets.train", train, raising=False)
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        assert accelerated.main([]) == 0
    finally:
        signal.signal(signal.SIGTERM, before)
    assert left == [0.0]


TRAINING = """
import json, sys
from pathlib import Path
from honte.nets import cpu_learner
from honte.nets.sizes import Size
folder = Path(sys.argv[1])
folder.mkdir()
learner = cpu_learner.fresh(Size(1, 8), 10, 1)
cpu_learner.save(folder / "network-b1c8.npz", learner, {"game": "connect4", "done": {}})
figures = {"policy_loss": 0.5, "value_loss": 0.9, "policy_agreement": 0.4}
for seconds in (10.0, 20.0):
    counts = {"seconds": seconds, "games": 7, "positions": 70}
    line = json.dumps({"event": "train", **counts, "networks": {"b1c8": figures}})
    with (folder / "log.jsonl").open("a") as file:
        file.write(line + chr(10))
    print(line, flush=True)
"""


def test_training_on_an_accelerator_is_followed_by_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    asked: list[str] = []

    @contextmanager
    def training(words: list[str]) -> Iterator[subprocess.Popen[str]]:
        asked.extend(words)
        command = [sys.executable, "-c", TRAINING, str(folder)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            yield process

    monkeypatch.setattr(accelerated, "training", training)
    on_accelerator("connect4", folder, 60, False, {"size": "b1c8"})
    assert asked[:5] == ["connect4:rows=6,cols=7", "--out", str(folder), "--seconds", "60"]
    said = capsys.readouterr().out.splitlines()
    assert said[0].split()[:3] == ["generation", "elapsed", "games"]
    assert said[2].split()[:4] == ["2", "20", "s", "7"]
    assert said[-1] == f"wrote {folder / 'network.net'}"
    Network(folder / "network.net")


def test_seconds_count_those_that_a_run_on_an_accelerator_has_trained(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    @contextmanager
    def training(words: list[str]) -> Iterator[subprocess.Popen[str]]:
        asked.extend(words)
        with subprocess.Popen(
            [sys.executable, "-c", ""], stdout=subprocess.PIPE, text=True
        ) as process:
            yield process

    monkeypatch.setattr(accelerated, "training", training)
    with pytest.raises(ValueError, match=r"no .*network-b1c8\.npz to go on with"):
        on_accelerator("connect4", tmp_path, 60, True, {"size": "b1c8"})
    learner = cpu_learner.fresh(Size(1, 8), 10, 1)
    about = {"game": "connect4", "done": {"seconds": 45.0}}
    cpu_learner.save(tmp_path / "network-b1c8.npz", learner, about)
    (tmp_path / "log.jsonl").touch()
    on_accelerator("connect4", tmp_path, 60, True, {"size": "b1c8"})
    assert asked[3:7] == ["--seconds", "15.0", "--total", "60"]


def test_ctrl_c_keeps_what_is_done_and_resume_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    words = [*COMMAND, "learn", "net", BOARD, *TINY, "--generations", "1000", "--out", str(folder)]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT, env=ENVIRONMENT)
    assert process.stdout is not None
    for line in process.stdout:  # the heading, then a line for each generation
        if line.split()[0] == "1":
            break
    process.send_signal(signal.SIGINT)
    said = process.stdout.read()
    assert process.wait() == 130
    assert said.count("stopped at generation") == 1
    assert "--resume goes on" in said
    reached = read_log(folder)[-1]["generation"]

    again = honte("learn", "net", BOARD, "--out", str(folder))
    assert again.code == 2
    assert "holds a run; go on with it by --resume" in again.errors
    other = honte("learn", "net", "--resume", "--size", "b2c8", "--out", str(folder))
    assert "has size b1c8, not b2c8" in other.errors
    more = str(reached + 1)
    done = honte(
        "learn", "net", "--resume", "--generations", more, "--workers", "1", "--out", str(folder)
    )
    assert done.code == 0, done.errors
    assert f"{more} generations" in done.output
    assert [row["generation"] for row in read_log(folder)] == list(range(reached + 2))
    shown = honte("learn", "net", "--show", str(folder))
    assert "generation" in shown.output
    assert "right moves" in shown.output
