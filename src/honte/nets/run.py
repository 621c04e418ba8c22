"""A training run on CPU cores: generations of self-play, learning, an exam and a match.

run.json             what the run trains, fixed at its start
log.jsonl            a line for each generation; the last one says which networks play
network-SIZE.npz     the learner's checkpoint, every few seconds while it learns
generation-N.net     the network of each generation, for play
network.net          the last one that passed its match
samples/K-N.npz      what self-play made for generation N, a file every few seconds
exam.json            positions with moves marked by the solver

Every file is written atomically, so that a killed run resumes from these. The learner works in this
process; meanwhile the workers already play games for the next generation.
"""

from __future__ import annotations

import json
import math
import os
import random
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from honte.arena.cluster import team
from honte.arena.openings import random_opening, shipped
from honte.arena.schedule import is_drawn
from honte.core.contract import Game
from honte.core.file_lock import lock
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.whole_file import write_whole
from honte.nets import cpu_learner, exam, netfile
from honte.nets.chunk import Chunk
from honte.nets.cpu_learner import METRICS, Batch
from honte.nets.cpu_selfplay import Done, Duel, play, training_of
from honte.nets.log import read_log
from honte.nets.quantise import quantise
from honte.nets.sizes import Size

Array = np.ndarray[Any, np.dtype[Any]]

SAVE_SECONDS = 15.0
"""Seconds of self-play, and of learning, that a killed run loses at most."""
TURN = 0.2
"""Seconds between looks at the clock."""
CALIBRATION = 300
"""Number of positions to calibrate quantisation with."""
LEAST_WINDOW, WINDOW_SHARE = 20_000, 0.6
"""The replay window: the newest share of all positions, but at least this many."""
WARM_UP_STEPS = 100
FALL_FROM, LAST_RATE = 0.5, 0.1
"""Fraction of the run after which the learning rate decays, and its final fraction."""
REPLACED_AT = 0.75
"""The score at which a network becomes the reference for later ones."""
GATE = 0.45
"""The minimum score against the reference for a new network to take over self-play."""
EXAM_SIMULATIONS = 100
WRITTEN = (
    "run.json", "log.jsonl", "network-*.npz", "generation-*.net", "network.net", "exam.json",
    "samples/*-*.npz",
)  # fmt: skip
"""The names of a run's files."""


@dataclass(frozen=True)
class Options:
    """The options of a run: what it trains, and how."""

    game: str
    size: str = "b2c16"
    games: int = 400
    """Self-play games per generation."""
    simulations: int = 100
    batch: int = 256
    reuse: float = 4.0
    """Average number of times that each position is learned from."""
    window: int = 200_000
    """Maximum size of the replay window, in positions."""
    rate: float = 2e-3
    match_games: int = 100
    exam: int = exam.POSITIONS
    seed: int = 1


@dataclass
class Status:
    """The progress of a run, for display."""

    options: Options
    workers: int = 0
    generation: int = 0
    phase: str = ""
    done: int = 0
    total: int = 0
    seconds: float = 0.0
    games: int = 0
    positions: int = 0
    games_per_second: float = 0.0
    evaluations_per_second: float = 0.0
    cores: float = 0.0
    """Number of cores that are busy, those of workers included."""
    left: float | None = None
    """Estimated seconds left, if known."""
    rows: list[dict[str, Any]] = field(default_factory=list)
    """The generations so far, as in the log."""


class Stopped(Exception):
    """A run was asked to stop; its progress is kept."""


class Watch:
    """An observer of a run; the base class ignores everything."""

    def progress(self, status: Status) -> None:
        """Called often."""

    def generation(self, status: Status) -> None:
        """Called when a generation is complete."""


def options_of(folder: Path) -> Options:
    """The options of the run in a folder."""
    try:
        return Options(**json.loads((folder / "run.json").read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise ValueError(
            Message("{folder} holds no training run to go on with", folder=folder)
        ) from None
    except (TypeError, ValueError) as error:
        raise ValueError(
            Message(
                "{file} does not describe a run of this version of Honte ({error}); begin another "
                "run with --out",
                file=folder / "run.json",
                error=error,
            )
        ) from None


def holds_a_run(folder: Path) -> ValueError:
    """The error where another run would begin in the folder of one."""
    return ValueError(
        Message(
            "{folder} holds a run; go on with it by --resume, or give another folder with --out",
            folder=folder,
        )
    )


class Run:
    """One run: its folder, its workers and what has been learned so far."""

    def __init__(
        self,
        folder: Path,
        options: Options,
        *,
        seconds: float = math.inf,
        generations: int | None = None,
        workers: int = 0,
        on: str = "local",
        watch: Watch | None = None,
    ) -> None:
        self.folder, self.options = folder, options
        self.seconds, self.generations = seconds, generations
        self.watch = watch or Watch()
        self.stopping = False
        """Set by a signal handler; the run stops where its files are consistent."""
        self.rules: Game = make_game(options.game)
        self.drawn = is_drawn(self.rules, options.game)
        self.training = training_of(self.rules)
        self.training.check(self.rules)
        self.canvas: tuple[int, int] = self.training.canvas(self.rules, self.drawn)
        self.size = Size.parse(options.size)
        self.cores = workers or os.cpu_count() or 1
        # A team plays tasks of any kind; the arena uses it for games of a match.
        self.team: Any = team(on, workers, play)  # type: ignore[arg-type]
        self.status = Status(options, workers=self.cores)
        self.samples: list[tuple[int, Path, dict[str, Array]]] = []
        self.open_folder()

    # -- the folder ------------------------------------------------------------------

    def open_folder(self) -> None:
        """Create the folder, or resume the run in it."""
        (self.folder / "samples").mkdir(parents=True, exist_ok=True)
        self.lock = (self.folder / "lock").open("w")
        try:
            lock(self.lock.fileno())  # not inherited by workers that outlive a kill
        except OSError:
            raise ValueError(
                Message("another process trains in {folder}; wait for it", folder=self.folder)
            ) from None
        if not (self.folder / "run.json").exists():
            write_whole(self.folder / "run.json", json.dumps(asdict(self.options)).encode())
        elif options_of(self.folder) != self.options:
            self.lock.close()
            raise holds_a_run(self.folder)
        for name in WRITTEN:
            for part in self.folder.glob(f"{name}.part"):
                part.unlink()
        self.checkpoint = self.folder / f"network-{self.size}.npz"
        if self.checkpoint.exists():
            self.learner, self.about = cpu_learner.load(self.checkpoint)
        else:
            planes = len(self.training.PLANES)
            self.learner = cpu_learner.fresh(self.size, planes, self.options.seed)
            self.about = {
                "game": self.rules.name, "size": str(self.size),
                "generation": 0, "learned": 0, "files": 0,
                "done": {"seconds": 0.0, "games": 0, "positions": 0},
            }  # fmt: skip
        self.done: dict[str, float] = self.about["done"]
        for path in sorted((self.folder / "samples").glob("*.npz")):
            self.take_up(path)
        self.started = time.monotonic() - self.done["seconds"]
        log = self.folder / "log.jsonl"
        if log.exists():
            self.status.rows = read_log(self.folder)
            whole = "".join(json.dumps(row) + "\n" for row in self.status.rows)
            write_whole(log, whole.encode())
        self.chunk = Chunk(self, self.about["generation"] + 1)

    def take_up(self, path: Path) -> None:
        """Read a file of samples; count it if it is younger than the checkpoint."""
        with np.load(path) as file:
            held = {name: file[name] for name in file.files}
        index, generation = map(int, path.stem.split("-"))
        self.samples.append((generation, path, held))
        if index >= self.about["files"]:
            self.about["files"] = index + 1
            self.done["games"] += int(held["games"])
            self.done["positions"] += len(held["cells"])
            self.done["seconds"] = max(self.done["seconds"], float(held["seconds"]))

    def network(self, generation: int) -> bytes:
        return (self.folder / f"generation-{generation}.net").read_bytes()

    def clock(self) -> float:
        """Seconds of training so far, those of earlier calls included."""
        self.done["seconds"] = time.monotonic() - self.started
        return self.done["seconds"]

    def save(self) -> None:
        self.clock()
        cpu_learner.save(self.checkpoint, self.learner, self.about)

    def log(self, row: dict[str, Any]) -> None:
        self.status.rows.append(row)
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    # -- the loop --------------------------------------------------------------------

    def finished(self) -> bool:
        generation: int = self.about["generation"]
        enough = self.generations is not None and generation >= self.generations
        return enough or self.clock() >= self.seconds

    def train(self) -> None:
        """Train until the time or the generations are used up, or `stopping` is set."""
        try:
            self.train_on()
        except Stopped:
            self.chunk.write()
            self.save()

    def train_on(self) -> None:
        self.tell(Message("preparing the exam"))
        self.exam = exam.load_or_make(
            self.folder / "exam.json", self.options.game, self.options.exam,
            lambda done, of: self.tell(Message("preparing the exam"), done, of),
        )  # fmt: skip
        if not self.checkpoint.exists():
            self.save()
        if not self.status.rows or self.status.rows[-1]["generation"] < self.about["generation"]:
            self.complete({})
        while not self.finished():
            self.generation()

    def generation(self) -> None:
        number: int = self.about["generation"] + 1
        self.status.generation = number
        figures = self.self_play(number)
        self.chunk = Chunk(self, number + 1)
        self.complete(figures | self.learn(number))

    def complete(self, figures: dict[str, Any]) -> None:
        """Write the network for play, measure it, and log the generation."""
        number: int = self.about["generation"]
        self.status.generation = number
        self.tell(Message("quantising"))
        network = self.export(number)
        before = self.status.rows[-1] if self.status.rows else None
        found: dict[str, Any] = {"event": "generation", "generation": number}
        found |= self.measure(network, number, before)
        found |= {
            "seconds": round(self.clock(), 1),
            "games": int(self.done["games"]),
            "positions": int(self.done["positions"]),
            **figures,
        }
        if found["playing"] == number:
            write_whole(self.folder / "network.net", network)
        self.save()
        self.log(found)
        self.tell("")
        self.watch.generation(self.status)

    def tell(self, phase: str, done: int = 0, total: int = 0) -> None:
        status = self.status
        status.phase, status.done, status.total = phase, done, total
        status.seconds = self.clock()
        status.games = int(self.done["games"]) + self.chunk.waiting_games
        status.positions = int(self.done["positions"]) + self.chunk.waiting_positions
        if math.isfinite(self.seconds):
            status.left = max(0.0, self.seconds - status.seconds)
        elif self.generations is not None and self.about["generation"]:
            each = status.seconds / self.about["generation"]
            status.left = each * (self.generations - self.about["generation"])
        self.watch.progress(status)
        if self.stopping:
            raise Stopped

    # -- self-play -------------------------------------------------------------------

    def self_play(self, number: int) -> dict[str, Any]:
        """Play until there are enough games for this generation, or the time is up."""
        chunk = self.chunk
        try:
            while chunk.games < self.options.games:
                self.collect(TURN)
                self.tell(Message("self-play"), chunk.games, self.options.games)
                if chunk.games and self.clock() >= self.seconds:
                    break
        finally:
            chunk.write()
        return chunk.figures()

    def collect(self, seconds: float) -> list[Done]:
        """Keep the workers busy with self-play; return the duels that ended meanwhile.

        Games are added to the current chunk, which is written every few seconds.
        """
        chunk = self.chunk
        while chunk.games + chunk.out < self.options.games and self.team.free > 0:
            self.team.send(chunk.task())
        duels = []
        for done in self.team.finished(seconds) if self.team.busy else []:
            chunk.cpu_seconds += done.cpu_seconds
            if isinstance(done.task, Duel):
                duels.append(done)
            else:
                chunk.add(done)
        if time.monotonic() - chunk.since > SAVE_SECONDS:
            chunk.write()
        status = self.status
        status.games_per_second, status.evaluations_per_second, status.cores = chunk.pace()
        return duels

    # -- learning --------------------------------------------------------------------

    def window(self) -> dict[str, Array]:
        """The newest samples; files of earlier generations that are too old are removed."""
        most = min(
            self.options.window, max(LEAST_WINDOW, int(WINDOW_SHARE * self.done["positions"]))
        )
        rows = 0
        kept, newest = [], []
        for entry in reversed(self.samples):
            generation, path, held = entry
            if rows < most:
                newest.append(held)
                rows += len(held["cells"])
            elif generation <= self.about["generation"]:
                path.unlink(missing_ok=True)
                continue
            kept.append(entry)
        self.samples = kept[::-1]
        names = ("planes", "cells", "policy", "reply", "outcome", "moves_left")
        return {name: np.concatenate([held[name] for held in newest[::-1]]) for name in names}

    def batch(self, held: dict[str, Array], rng: np.random.Generator) -> Batch:
        rows = rng.integers(len(held["cells"]), size=self.options.batch)
        batch = Batch(
            self.unpacked(held["planes"][rows]),
            held["cells"][rows].astype(np.int64),
            held["policy"][rows].astype(np.float32),
            held["reply"][rows].astype(np.float32),
            held["outcome"][rows].astype(np.float32),
            held["moves_left"][rows],
        )
        return batch.mirrored(rng.random(len(rows)) < 0.5)

    def unpacked(self, planes: Array) -> Array:
        shape = (*self.canvas, len(self.training.PLANES))
        bits = np.unpackbits(planes, axis=-1, count=math.prod(shape))
        return bits.reshape(len(planes), *shape)

    def learn(self, number: int) -> dict[str, Any]:
        """Take the steps for a generation's new games; resume where a killed run stopped."""
        fresh = sum(len(held["cells"]) for n, _, held in self.samples if n == number)
        held = self.window()
        steps = max(20, round(self.options.reuse * fresh / self.options.batch))
        began = last = time.monotonic()
        sums, made = np.zeros(len(METRICS)), 0
        while self.about["learned"] < steps:
            self.collect(0)
            # Seeded by the step, so that a resumed run does not draw the same samples again.
            rng = np.random.default_rng([self.options.seed, self.learner.steps])
            sums += cpu_learner.step(self.learner, self.batch(held, rng), self.rate())
            made += 1
            self.about["learned"] += 1
            self.tell(Message("learning"), self.about["learned"], steps)
            if time.monotonic() - last > SAVE_SECONDS:
                last = time.monotonic()
                self.save()
        self.about |= {"generation": number, "learned": 0}
        figures = dict(zip(METRICS, np.round(sums / max(made, 1), 4).tolist(), strict=True))
        self.save()
        return {**figures, "learning_seconds": round(time.monotonic() - began, 2)}

    def rate(self) -> float:
        part = self.clock() / self.seconds
        if self.generations is not None:
            part = max(part, self.about["generation"] / max(self.generations, 1))
        fall = min(1.0, max(0.0, (part - FALL_FROM) / (1 - FALL_FROM)))
        rise = min(1.0, (self.learner.steps + 10) / WARM_UP_STEPS)
        return self.options.rate * rise * (1 - fall * (1 - LAST_RATE))

    # -- evaluation ------------------------------------------------------------------

    def export(self, number: int) -> bytes:
        """The network of a generation, quantised for play."""
        rng = np.random.default_rng([self.options.seed, number])
        if self.samples:
            newest = self.samples[-1][2]["planes"]
            planes = self.unpacked(newest[rng.integers(len(newest), size=CALIBRATION)])
        else:
            planes = self.random_planes(rng)
        about = {**self.about, "done": dict(self.done)}
        network = netfile.encode(
            *quantise(self.learner.trained(about), self.training.PLANES, planes)
        )
        write_whole(self.folder / f"generation-{number}.net", network)
        return network

    def random_planes(self, rng: np.random.Generator) -> Array:
        """Positions of random games, for use before there are samples."""
        made = np.zeros((CALIBRATION, *self.canvas, len(self.training.PLANES)), np.uint8)
        for planes in made:
            rules = self.rules
            if self.drawn:
                rules = make_game(self.options.game, seed=int(rng.integers(2**31)))
            plies = int(rng.integers(self.canvas[0] * self.canvas[1] // 2))
            state = rules.start()
            for _ in range(plies):
                after = state.play(int(rng.choice(state.legal_moves())))
                if after.is_over:
                    break
                state = after
            seen = self.training.observe(state)
            planes[: seen.shape[0], : seen.shape[1]] = seen
        return made

    def measure(self, network: bytes, number: int, before: dict[str, Any] | None) -> dict[str, Any]:
        """Take the exam and play the reference, which decides who plays from now on."""
        found: dict[str, Any] = {}
        if self.exam is not None:
            self.tell(Message("exam"))
            exam, most = self.exam, EXAM_SIMULATIONS
            found["right"] = round(exam.share(exam.policy_moves(network)), 4)
            found["right_searched"] = round(exam.share(exam.searched_moves(network, most)), 4)
        if before is None:
            return {**found, "elo": 0.0, "reference": 0, "reference_elo": 0.0, "playing": 0}
        reference, anchor = before["reference"], before["reference_elo"]
        points, games = self.match(network, self.network(reference))
        score = points / games
        bounded = min(max(score, 0.5 / games), 1 - 0.5 / games)
        elo = anchor + 400 * math.log10(bounded / (1 - bounded))
        found |= {"score": round(score, 4), "against": reference, "elo": round(elo, 1)}
        found["playing"] = number if score >= GATE else before["playing"]
        if score >= REPLACED_AT:
            reference, anchor = number, found["elo"]
        return {**found, "reference": reference, "reference_elo": anchor}

    def match(self, network: bytes, reference: bytes) -> tuple[float, int]:
        """Play each opening twice against another network; return points and number of games."""
        pairs = max(1, self.options.match_games // 2)
        points, games = 0.0, 0
        waiting = list(self.duels(network, reference, pairs))
        while games < 2 * pairs:
            while waiting and self.team.free > 0:
                self.team.send(waiting.pop())
            for done in self.collect(TURN):
                points += done.points
                games += done.games
            self.tell(Message("match"), games, 2 * pairs)
        return points, games

    def duels(self, network: bytes, reference: bytes, pairs: int) -> Iterator[Duel]:
        for number in range(pairs):
            rules = make_game(self.options.game, seed=number) if self.drawn else self.rules
            ready = shipped(rules)
            if ready:
                opening = ready[number * 7 % len(ready)]
            else:
                draw = random.Random(f"{self.options.seed}/{number}")
                shape = rules.shape() or (6, 7)
                opening = random_opening(rules, min(6, shape[0] * shape[1] // 6), draw)
            yield Duel(
                number, rules.spec, (network, reference), opening, self.options.simulations // 2 + 1
            )

    def stop(self) -> None:
        """End the training at the next step."""
        self.stopping = True

    def close(self) -> None:
        self.team.close()
        self.lock.close()
