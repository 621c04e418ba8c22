"""A training run on CPU cores: its files, resuming after any kill, and actual learning."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import honte
from honte.arena.workers import Workers
from honte.core.contract import State
from honte.nets import cpu_learner, cpu_selfplay, curves, exam, netfile
from honte.nets.cpu_selfplay import Done, Player, SelfPlay, self_play
from honte.nets.log import read_log
from honte.nets.run import SAVE_SECONDS, Options, Run, Status, Watch, options_of
from honte.search.solver import solver_of
from tests.conftest import LONG

BOARD = "connect4:rows=4,cols=5"
TINY = Options(BOARD, size="b1c8", games=8, simulations=8, batch=16, reuse=1, match_games=4, exam=6)


def train(folder: Path, options: Options = TINY, generations: int = 2, **more: Any) -> Run:
    run = Run(folder, options, generations=generations, workers=1, **more)
    try:
        run.train()
    finally:
        run.close()
    return run


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "run"
    train(folder)
    return folder


def test_a_run_leaves_a_network_of_each_generation_and_a_line_about_it(finished: Path) -> None:
    rows = read_log(finished)
    assert [row["generation"] for row in rows] == [0, 1, 2]
    for row in rows:
        network = (finished / f"generation-{row['generation']}.net").read_bytes()
        header, _ = netfile.decode(network)
        assert header["training"]["game"] == "connect4"
        assert 0 <= row["right"] <= 1
    assert {"policy_loss", "value_loss", "policy_agreement", "score", "elo"} <= rows[-1].keys()
    assert 0 < rows[-1]["cores"] <= 2 * (os.cpu_count() or 1)
    assert rows[-1]["games"] >= 2 * TINY.games
    playing = finished / f"generation-{rows[-1]['playing']}.net"
    assert (finished / "network.net").read_bytes() == playing.read_bytes()


def test_the_network_plays(finished: Path) -> None:
    game = honte.game(BOARD)
    uct = honte.player(f"uct:net={finished / 'network.net'},iterations=20", game)
    assert uct.choose(game.start()).move in game.start().legal_moves()


def test_a_run_goes_on_to_more_generations(finished: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(finished, tmp_path / "run")
    run = train(folder, generations=3)
    assert [row["generation"] for row in run.status.rows] == [0, 1, 2, 3]
    assert read_log(folder)[:3] == read_log(finished)
    assert run.status.rows[3]["seconds"] > run.status.rows[2]["seconds"]


def test_two_processes_do_not_train_in_one_folder(tmp_path: Path) -> None:
    def second() -> None:
        with pytest.raises(ValueError, match="another process trains"):
            Run(tmp_path, TINY, workers=1)

    first = Run(tmp_path, TINY, workers=1)
    other = multiprocessing.get_context("fork").Process(target=second)
    other.start()
    other.join()
    first.close()
    assert other.exitcode == 0


def test_another_run_does_not_begin_in_the_folder_of_one(tmp_path: Path) -> None:
    """Nor before the first line of its log, when its options and its exam are there."""
    Run(tmp_path, TINY, workers=1).close()
    with pytest.raises(ValueError, match="holds a run; go on with it by --resume"):
        Run(tmp_path, replace(TINY, simulations=9), workers=1)
    assert options_of(tmp_path) == TINY
    Run(tmp_path, TINY, workers=1).close()


@pytest.mark.parametrize(
    "about", ['{"game": "connect4", "colour": 1}', "[1]", "{", '{"size": "x"}']
)
def test_options_that_are_not_of_a_run_are_one_sentence(tmp_path: Path, about: str) -> None:
    (tmp_path / "run.json").write_text(about)
    with pytest.raises(ValueError, match=r"run\.json does not describe a run of this version"):
        options_of(tmp_path)


def test_only_what_a_killed_run_left_half_written_is_removed(tmp_path: Path) -> None:
    (tmp_path / "samples" / "more").mkdir(parents=True)
    ours = ["log.jsonl.part", "network-b1c8.npz.part", "samples/000001-1.npz.part"]
    others = ["thesis.part", "samples/song.part", "samples/more/000001-1.npz.part"]
    for name in ours + others:
        (tmp_path / name).touch()
    Run(tmp_path, TINY, workers=1).close()
    left = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.part")}
    assert left == set(others)


def test_a_batch_depends_on_the_step_alone(finished: Path, tmp_path: Path) -> None:
    """So that a resumed run goes on to draw where it stopped."""
    folder = shutil.copytree(finished, tmp_path / "run")
    batches = []
    for _ in range(2):
        run = Run(folder, TINY, workers=1)
        rng = np.random.default_rng([TINY.seed, run.learner.steps])
        batches.append(run.batch(run.window(), rng))
        run.close()
    assert all((a == b).all() for a, b in zip(*batches, strict=True))


# -- kills -------------------------------------------------------------------------------


class KilledAt(Watch):
    """Kills its own process at the n-th poll, or when the n-th file is moved into place."""

    def __init__(self, look: int = 0, file: int = 0, after: bool = False) -> None:
        self.look, self.file, self.after = look, file, after

    def progress(self, status: Status) -> None:
        self.look -= 1
        if self.look == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    def replace(self, put: Callable[..., None]) -> Callable[..., None]:
        def replace(part: Path, path: Path) -> None:
            self.file -= 1
            if self.file == 0 and not self.after:
                os.kill(os.getpid(), signal.SIGKILL)
            put(part, path)
            if self.file == 0:
                os.kill(os.getpid(), signal.SIGKILL)

        return replace


def train_until_killed(folder: Path, killed: KilledAt) -> None:
    os.replace = killed.replace(os.replace)
    train(folder, watch=killed)


def games_in_files(folder: Path) -> int:
    games = 0
    for path in folder.glob("samples/*.npz"):
        with np.load(path) as file:
            games += int(file["games"])
    return games


LOOKS = range(2, 46, 4) if LONG else (31,)
FILES = range(1, 10) if LONG else (4,)
INSTANTS = [KilledAt(look=look) for look in LOOKS]
INSTANTS += [KilledAt(file=file, after=file % 2 == 0) for file in FILES]


@pytest.mark.parametrize("killed", INSTANTS, ids=lambda k: f"look {k.look} file {k.file}")
def test_a_killed_run_goes_on_from_whole_files(tmp_path: Path, killed: KilledAt) -> None:
    process = multiprocessing.get_context("fork").Process(
        target=train_until_killed, args=(tmp_path, killed)
    )
    process.start()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    for path in tmp_path.glob("*.net"):
        netfile.decode(path.read_bytes())
    games = games_in_files(tmp_path)
    learned = 0
    checkpoint = tmp_path / f"network-{TINY.size}.npz"
    if checkpoint.exists():
        learned = cpu_learner.load(checkpoint)[0].steps
    run = train(tmp_path)
    assert run.learner.steps >= learned
    counted = games_in_files(tmp_path)
    assert run.done["games"] == counted >= games
    rows = read_log(tmp_path)
    assert [row["generation"] for row in rows] == [0, 1, 2]
    assert [row["games"] for row in rows] == sorted(row["games"] for row in rows)
    assert not list(tmp_path.rglob("*.part"))


def test_a_checkpoint_counts_the_games_that_are_in_files(tmp_path: Path) -> None:
    """So that games that a kill loses after a checkpoint do not count."""
    run = Run(tmp_path, TINY, workers=1)
    samples = {"cells": np.zeros((3, 5), np.int16)}
    task = SelfPlay(1, BOARD, b"", 4, 8, 1)
    run.chunk.add(Done(task, samples, games=4))
    run.save()
    run.close()
    again = Run(tmp_path, TINY, workers=1)
    assert again.done["games"] == again.chunk.games == 0
    again.chunk.add(Done(task, samples, games=4))
    again.chunk.write()
    again.close()
    last = Run(tmp_path, TINY, workers=1)
    last.close()
    assert last.done["games"] == last.chunk.games == games_in_files(tmp_path) == 4
    assert last.done["positions"] == 3


def test_samples_of_the_current_generation_outlive_the_window(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A resumed run counts the games of its generation by them."""
    monkeypatch.setattr("honte.nets.run.LEAST_WINDOW", 1)
    monkeypatch.setattr("honte.nets.run.WINDOW_SHARE", 0.0)
    names = ("planes", "cells", "policy", "reply", "outcome", "moves_left")
    run = Run(tmp_path, TINY, workers=1)
    for generation in (1, 2, 2):
        run.chunk.number = generation
        samples = {name: np.zeros(3) for name in names}
        run.chunk.add(Done(SelfPlay(1, BOARD, b"", 4, 8, 1), samples, games=4))
        run.chunk.write()
    run.about["generation"] = 1
    assert len(run.window()["cells"]) == 3
    run.close()
    assert {path.stem[-2:] for path in tmp_path.glob("samples/*")} == {"-2"}
    assert games_in_files(tmp_path) == 8


def test_games_and_steps_are_kept_four_times_a_minute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a clock that jumps at every look, each look is kept."""
    assert SAVE_SECONDS <= 15
    monkeypatch.setattr("honte.nets.run.SAVE_SECONDS", 0.0)
    saved = []
    kept = Run.save

    def save(run: Run) -> None:
        saved.append(run.about["learned"])
        kept(run)

    monkeypatch.setattr(Run, "save", save)
    train(tmp_path, replace(TINY, reuse=4), generations=1)
    assert len(list(tmp_path.glob("samples/*.npz"))) >= 2
    assert {1, 2, 3} <= set(saved)


# -- the parts ---------------------------------------------------------------------------


def result(state: State) -> int:
    """The exact result by exhaustive search: 1, 0 or −1 for the side to move."""
    text = state.to_text()
    if text not in KNOWN:
        KNOWN[text] = (
            (0 if state.winner is None else -1)
            if state.is_over
            else max(-result(state.play(move)) for move in state.legal_moves())
        )
    return KNOWN[text]


KNOWN: dict[str, int] = {}


def write_network(task: Any) -> Any:
    """Write the network of a task into a folder, in a worker that has none yet."""
    cpu_selfplay._folder.cache_clear()
    cpu_selfplay.file_of.cache_clear()
    return Done(task, games=int(Path(cpu_selfplay.file_of(task.network)).is_file()))


def test_workers_leave_no_folder_of_networks_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr("honte.arena.workers.GRACE", 60.0)
    team: Any = Workers(2, write_network)
    for number in range(2):
        team.send(SelfPlay(number, BOARD, b"network", 1, 1, 1))
    written = 0
    while team.busy:
        written += sum(done.games for done in team.finished())
    assert written == len([*tmp_path.iterdir()]) == 2
    team.close()
    assert [*tmp_path.iterdir()] == []


def test_workers_that_share_a_folder_replace_its_files_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker writes the network while another is about to; a third one has it open."""
    monkeypatch.setattr(cpu_selfplay, "_folder", lambda: tmp_path)
    write: Callable[[bytes], str] = cpu_selfplay.file_of.__wrapped__
    path = Path(write(b"network"))
    put, replaced = os.replace, list[Path]()

    def replace_later(part: Path, whole: Path) -> None:
        monkeypatch.setattr(os, "replace", put)
        other = multiprocessing.get_context("fork").Process(target=write, args=(b"network",))
        other.start()
        other.join()
        assert other.exitcode == 0
        put(part, whole)
        replaced.append(whole)

    monkeypatch.setattr(os, "replace", replace_later)
    with path.open("rb", buffering=0) as reader:
        write(b"network")
        assert reader.read() == b"network"
    assert replaced == [path] == [*tmp_path.iterdir()]
    assert path.read_bytes() == b"network"


def test_the_moves_marked_right_are_those_that_keep_the_result() -> None:
    questions = [one for one in exam.find("connect4:rows=4,cols=4", 40) if len(one.moves) > 5]
    assert len(questions) > 5
    for question in questions:
        state = question.state()
        best = result(state)
        right = [m for m in state.legal_moves() if -result(state.play(m)) == best]
        assert list(question.right) == right
        assert len(right) < len(state.legal_moves())


def test_a_sample_is_a_policy_on_its_cells_and_a_result(finished: Path) -> None:
    network = (finished / "network.net").read_bytes()
    made = self_play(SelfPlay(0, BOARD, network, 6, 20, seed=3)).samples
    assert len(made["cells"]) > 10
    assert (made["policy"][made["cells"] < 0] == 0).all()
    np.testing.assert_allclose(made["policy"].astype(float).sum(-1), 1, atol=0.01)
    np.testing.assert_allclose(made["outcome"].astype(float).sum(-1), 1, atol=0.01)


def test_values_that_are_called_exact_are_the_solvers(finished: Path) -> None:
    network = (finished / "network.net").read_bytes()
    player = Player(SelfPlay(0, BOARD, network, 1, 30, seed=5))
    solver = solver_of(player.rules, memory_mb=8)
    seen = 0
    for _ in range(8):
        plies, _ = player.play()
        for ply in plies:
            if ply.exact is not None:
                seen += 1
                assert np.sign(solver.solve(ply.state, wld=True).low) == ply.exact
    assert seen > 5


def test_a_board_that_is_drawn_is_another_in_every_game(finished: Path) -> None:
    network = (finished / "network.net").read_bytes()
    player = Player(SelfPlay(0, "connect4:course", network, 1, 2, seed=5))
    boards = set()
    for _ in range(3):
        player.begin()
        boards.add(player.rules.spec)
    assert len(boards) == 3


def test_curves_are_drawn_of_both_kinds_of_runs(finished: Path, tmp_path: Path) -> None:
    rows = curves.rows_of(finished)
    assert len(curves.table(rows)) == 4
    assert any("right moves" in line for line in curves.chart(rows))
    events = [
        {"event": "compiled"},
        {"event": "train", "seconds": 2.0, "games": 1, "positions": 10,
         "networks": {"b2c8": {"policy_loss": 0, "value_loss": 0, "policy_agreement": 0}}},
        {"event": "train", "seconds": 10.0, "games": 5, "positions": 50,
         "networks": {"b2c8": {"policy_loss": 0.5, "value_loss": 0.9, "policy_agreement": 0.4}}},
        {"event": "match", "elo": 31.0, "score": 0.55},
        {"event": "train", "seconds": 20.0, "games": 9, "positions": 90,
         "networks": {"b2c8": {"policy_loss": 0.4, "value_loss": 0.8, "policy_agreement": 0.5}}},
    ]  # fmt: skip
    lines = [json.dumps(event) for event in events]
    (tmp_path / "log.jsonl").write_text("\n".join(lines) + '\n{"event": "tra')
    rows = curves.rows_of(tmp_path)
    assert [row.get("elo") for row in rows] == [None, None, 31.0]
    assert "policy_loss" not in rows[0]  # it had not begun to learn
    assert curves.chart(rows)


@pytest.mark.long
def test_the_moves_of_a_trained_network_are_right_more_often(tmp_path: Path) -> None:
    options = Options(BOARD, size="b2c16", games=200, simulations=60, exam=200)
    rows = train(tmp_path, options, generations=12).status.rows
    assert rows[-1]["right"] > rows[0]["right"] + 0.15
    assert rows[-1]["right_searched"] > rows[0]["right_searched"]
