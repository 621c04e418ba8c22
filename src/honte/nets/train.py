"""Train a network by self-play on one accelerator: ``python -m honte.nets.train GAME``.

Self-play, replay ring and learners live on the device; the first network plays, further ones
(``--students``) learn from the same games. Everything needed to go on is written to ``--out`` every
45 seconds and read again from ``--resume``.
"""

from __future__ import annotations

import argparse
import functools
import json
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from honte.core.language import Message
from honte.nets import checkpoint, games, grow, learner, rating, replay, selfplay
from honte.nets.learner import Learner
from honte.nets.model import Arrays
from honte.nets.sizes import Size

SAVE_SECONDS = 45.0
LOG_SECONDS = 10.0
KEPT_SAMPLES = 100_000
"""Maximum number of samples that are kept for the next run, within `KEPT_BYTES`."""
KEPT_BYTES = 30_000_000
"""Maximum size of the kept samples, before compression."""
WARM_UP_STEPS = 500
FALL_FROM = 0.6
"""Fraction of the schedule after which the learning rate decays."""
LAST_RATE = 0.03
REPLACED_AT = 0.9
"""The score at which the network becomes the next reference."""


def arguments(words: list[str] | None = None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m honte.nets.train", description=__doc__)
    add = parser.add_argument
    add("game", help="whose rules there are in JAX, with options of its own")
    add("--out", type=Path, required=True, help="the folder to write to")
    add("--resume", type=Path, help="the folder of the run to go on with")
    add("--grow", type=Path, help="checkpoint of a smaller network for the first one to grow from")
    add("--seconds", type=float, default=540, help="when to end, counted from the start")
    add("--segments", type=int, help="when to end, counted in segments")
    add("--total", type=float, default=1500, help="seconds of training in the whole schedule")
    add("--size", type=Size.parse, default=Size(6, 48), help="of the network that plays")
    add("--students", type=Size.parse, nargs="*", default=[], help="sizes that learn alongside")
    add("--games", type=int, default=4096, help="games at a time")
    add("--steps", type=int, default=32, help="searches of each game in a segment")
    add("--lookahead", type=int, default=1, help="later segments that a segment's samples await")
    add("--simulations", type=int, default=32, help="of each search")
    add("--late-noise", type=float, default=1.0, help="share of the noise kept after the opening")
    add("--batch", type=int, default=4096, help="samples in a learning step")
    add("--reuse", type=float, default=4, help="how often each sample is learned from")
    add("--ring", type=int, default=40, help="segments in the replay ring")
    add("--warm", type=int, default=3, help="segments of self-play before learning resumes")
    add("--rate", type=float, default=1e-3, help="learning rate")
    add("--mixing", type=float, default=0.97, help="of outcomes over search values, at each step")
    add("--match-every", type=float, default=60, help="seconds of training between matches")
    add("--match-games", type=int, default=1024)
    add("--match-simulations", type=int, default=32)
    add("--seed", type=int, default=1)
    return parser.parse_args(words)


class Training:
    """A training run: its state on the device, its counters and its schedule."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.began = time.monotonic()
        self.options = options
        self.out: Path = options.out
        self.out.mkdir(parents=True, exist_ok=True)
        self.game = games.find(options.game)
        self.sizes: list[Size] = [options.size, *options.students]
        if len(set(self.sizes)) < len(self.sizes):
            raise ValueError(Message("every size may train once: leave the repeated one out"))
        self.key = jax.random.key(options.seed)
        self.learners: tuple[Learner, ...] = tuple(
            learner.fresh(self.next_key(), size, self.game.planes, self.game.heads)
            for size in self.sizes
        )
        if options.grow is not None:
            first = grow.from_checkpoint(self.learners[0], options.grow)
            self.learners = (first, *self.learners[1:])
        self.network: Arrays = learner.network(self.learners[0])
        self.reference: Arrays = kept(self.network)
        self.elo_of_reference = 0.0
        self.done: dict[str, float] = {"seconds": 0.0, "games": 0, "positions": 0, "segments": 0}
        self.reported = 0.0, 0.0
        """When the last report was made, in wall and CPU seconds."""
        self.saving: threading.Thread | None = None
        self.kept: replay.Samples | None = None
        if options.resume is not None:
            self.restore(options.resume)
        self.compile()

    def next_key(self) -> Any:
        self.key, key = jax.random.split(self.key)
        return key

    # -- what runs on the device -----------------------------------------------------

    def compile(self) -> None:
        """Compile everything in parallel before the training clock starts."""
        o, game = self.options, self.game
        self.games = jax.jit(functools.partial(selfplay.start, game, games=o.games))(
            self.next_key()
        )
        segment = functools.partial(
            selfplay.segment,
            game=game,
            steps=o.steps,
            simulations=o.simulations,
            late_noise=o.late_noise,
        )
        _, steps, _ = jax.eval_shape(segment, self.network, games=self.games, key=self.key)
        make = functools.partial(replay.samples, mixing=o.mixing)
        later = (steps,) * o.lookahead
        like = jax.eval_shape(lambda now, later: make(now, joined(later)), steps, later)
        self.ring = replay.empty(like, o.ring)
        self.learning_steps = max(1, round(o.reuse * o.games * o.steps / o.batch))

        def learn(learners: Any, ring: Any, rate: Any, key: Any) -> Any:
            learners, metrics = learner.learn(
                learners, game, ring, rate, key, self.learning_steps, o.batch
            )
            return learners, metrics, learner.network(learners[0])

        def store(ring: Any, earlier: Any, later: Any) -> Any:
            return replay.store(ring, make(earlier, joined(later)))

        def match(first: Arrays, second: Arrays, key: Any) -> Any:
            both = jax.tree.map(lambda a, b: jnp.stack([a, b]), first, second)
            return rating.match(both, game, key, o.match_games, o.match_simulations)

        def play(network: Arrays, games: Any, key: Any) -> Any:
            return segment(network, games=games, key=key)

        wanted: dict[str, tuple[Callable[..., Any], tuple[Any, ...], tuple[int, ...]]] = {
            "play": (play, (self.network, self.games, self.key), ()),
            "learn": (learn, (self.learners, self.ring, jnp.float32(0), self.key), (0,)),
            "store": (store, (self.ring, steps, later), (0,)),
            "match": (match, (self.network, self.network, self.key), ()),
        }
        times: dict[str, float] = {}

        def build(name: str) -> Any:
            function, example, donated = wanted[name]
            start = time.monotonic()
            built = jax.jit(function, donate_argnums=donated).lower(*example).compile()
            times[name] = round(time.monotonic() - start, 1)
            return built

        with ThreadPoolExecutor(len(wanted)) as pool:
            built = dict(zip(wanted, pool.map(build, wanted), strict=True))
        self.play, self.learn = built["play"], built["learn"]
        self.store, self.match = built["store"], built["match"]
        if self.kept is not None:
            self.refill(self.kept)
        self.log("compiled", compile_seconds=times, device=str(jax.devices()[0]))

    def refill(self, samples: replay.Samples) -> None:
        """Fill a chunk of the ring with the samples that the last run kept."""
        size = self.ring.chunks.moves_left.shape[1]
        rows = np.random.default_rng(self.options.seed).integers(len(samples.moves_left), size=size)
        chunk = jax.tree.map(lambda a: jnp.asarray(a[rows]), samples)
        self.ring = jax.jit(replay.store, donate_argnums=0)(self.ring, chunk)

    # -- files -----------------------------------------------------------------------

    def restore(self, folder: Path) -> None:
        for i, size in enumerate(self.sizes):
            path = folder / f"network-{size}.npz"
            growing = self.options.grow is not None and not path.exists()
            if i == 0 and not growing:
                self.done.update(checkpoint.about(path)["done"])
            if path.exists():
                restored = list(self.learners)
                restored[i] = checkpoint.load(path, self.learners[i])
                self.learners = tuple(restored)
        self.network = learner.network(self.learners[0])
        self.reference = kept(self.network)
        reference = folder / "reference.npz"
        if reference.exists():
            about = checkpoint.about(reference)
            if about["size"] == str(self.sizes[0]):
                self.reference = checkpoint.load(reference, self.network)
                self.elo_of_reference = about["elo"]
        if (folder / "replay.npz").exists():
            like = self.empty_samples(checkpoint.about(folder / "replay.npz")["samples"])
            self.kept = checkpoint.load(folder / "replay.npz", like)
        self.key = jax.random.fold_in(self.key, int(self.done["segments"]))

    def empty_samples(self, rows: int) -> replay.Samples:
        game = self.game
        moves = jnp.zeros((rows, game.actions), jnp.float16)
        position = jax.eval_shape(lambda key: game.sample(game.openings(key, rows)), self.key)
        outcome = jnp.zeros((rows, 3), jnp.float16)
        lead = jnp.zeros(rows, jnp.float16) if "score" in game.heads else None
        cells = (rows, game.canvas * game.canvas)
        owned = jnp.zeros(cells, jnp.int8) if "ownership" in game.heads else None
        left = jnp.zeros(rows, jnp.uint8)
        return replay.Samples(position, moves, moves, outcome, left, lead, owned)

    def kept_samples(self) -> int:
        """The number of samples to keep, within `KEPT_SAMPLES` and `KEPT_BYTES`."""
        held = jax.tree.leaves(self.ring.chunks)
        bytes_each: int = sum(a.nbytes for a in held) // self.ring.chunks.moves_left.size
        return min(KEPT_SAMPLES, KEPT_BYTES // bytes_each)

    def save_reference(self) -> None:
        about = {"size": str(self.sizes[0]), "elo": self.elo_of_reference, "done": self.done}
        checkpoint.save(self.out / "reference.npz", self.reference, about)

    def save(self, wait: bool = False) -> None:
        """Copy what a resumed run needs, and write it in a background thread."""
        if self.saving is not None:
            self.saving.join()
        learners = jax.device_get(self.learners)
        sample = None
        if int(self.ring.written):
            sample = jax.device_get(replay.draw(self.ring, self.next_key(), self.kept_samples()))
        about = {
            "game": self.game.name,
            "done": dict(self.done),
            "options": {key: str(value) for key, value in vars(self.options).items()},
        }

        def write() -> None:
            for size, state in zip(self.sizes, learners, strict=True):
                path = self.out / f"network-{size}.npz"
                checkpoint.save(path, state, {**about, "size": str(size)})
            if sample is not None:
                about_samples = {"samples": len(sample.moves_left)}
                checkpoint.save(self.out / "replay.npz", sample, about_samples)

        self.saving = threading.Thread(target=write)
        self.saving.start()
        if wait:
            self.saving.join()

    def log(self, event: str, **figures: Any) -> None:
        wall = round(time.monotonic() - self.began, 1)
        line = json.dumps({"event": event, "wall": wall, **figures})
        print(line, flush=True)
        with (self.out / "log.jsonl").open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    # -- the loop --------------------------------------------------------------------

    def learning_rate(self) -> float:
        part = min(1.0, self.done["seconds"] / self.options.total)
        fall = max(0.0, (part - FALL_FROM) / (1 - FALL_FROM))
        rise = min(1.0, (float(self.learners[0].steps) + 50) / WARM_UP_STEPS)
        return float(self.options.rate * rise * (1 - fall * (1 - LAST_RATE)))

    def rate(self) -> None:
        """Measure the network against the reference; replace a reference that is far behind."""
        start = time.monotonic()
        score = float(self.match(self.network, self.reference, self.next_key()))
        elo = self.elo_of_reference + rating.elo(score, self.options.match_games)
        self.log(
            "match",
            seconds=round(self.done["seconds"], 1),
            score=round(score, 4),
            elo=round(elo, 1),
            reference_elo=round(self.elo_of_reference, 1),
            games=self.options.match_games,
            match_seconds=round(time.monotonic() - start, 1),
        )
        if score > REPLACED_AT:
            self.reference, self.elo_of_reference = kept(self.network), elo
            self.save_reference()

    def run(self) -> None:
        o = self.options
        self.save_reference()
        awaiting: list[selfplay.Steps] = []
        sums = np.zeros(5)
        metrics = np.zeros((len(self.sizes), len(learner.metric_names(self.game))))
        playing = learning = 0.0
        fresh = segments = reports = 0
        now = time.monotonic()
        saved = logged = now
        self.reported = now, time.process_time()
        matched = self.done["seconds"]
        first = self.done["segments"]
        while time.monotonic() - self.began < o.seconds:
            if o.segments is not None and self.done["segments"] - first >= o.segments:
                break
            start = time.monotonic()
            self.games, steps, ended = self.play(self.network, self.games, self.next_key())
            sums += np.asarray(ended)
            played = time.monotonic()
            awaiting.append(steps)
            if len(awaiting) > o.lookahead:
                self.ring = self.store(self.ring, awaiting.pop(0), tuple(awaiting))
                fresh += 1
            if fresh >= (o.warm if o.resume is not None else 1):
                rate = jnp.float32(self.learning_rate())
                self.learners, figures, self.network = self.learn(
                    self.learners, self.ring, rate, self.next_key()
                )
                metrics = np.asarray(figures)
            end = time.monotonic()
            playing += played - start
            learning += end - played
            segments += 1
            self.done["seconds"] += end - start
            self.done["games"] += float(np.asarray(ended)[0])
            self.done["positions"] += o.games * o.steps
            self.done["segments"] += 1
            if end - logged > LOG_SECONDS or reports < 3:
                reports += 1
                self.report(sums, metrics, playing, learning, segments)
                sums[:] = 0
                playing = learning = 0.0
                segments, logged = 0, end
            if self.done["seconds"] - matched > o.match_every:
                matched = self.done["seconds"]
                self.rate()
            if time.monotonic() - saved > SAVE_SECONDS:
                saved = time.monotonic()
                self.save()
        self.save(wait=True)
        self.rate()
        self.log("ended", **self.done)

    def report(
        self, sums: Any, metrics: Any, playing: float, learning: float, segments: int
    ) -> None:
        o = self.options
        names = learner.metric_names(self.game)
        ended, plies, draws, from_start, first = sums
        searches = segments * o.games * o.steps
        before, self.reported = self.reported, (time.monotonic(), time.process_time())
        wall, cpu = (now - then for now, then in zip(self.reported, before, strict=True))
        self.log(
            "train",
            seconds=round(self.done["seconds"], 1),
            games=int(self.done["games"]),
            positions=int(self.done["positions"]),
            evaluations_per_second=round(searches * (o.simulations + 1) / (playing + learning)),
            busy=round((playing + learning) / wall, 3),
            cores=round(cpu / wall, 2),
            playing=round(playing, 2),
            learning=round(learning, 2),
            rate=round(self.learning_rate(), 7),
            plies=round(plies / max(ended, 1), 1),
            draws=round(draws / max(ended, 1), 4),
            first_player=round(first / max(from_start, 1), 3),
            networks={
                str(size): dict(zip(names, (round(float(x), 4) for x in row), strict=True))
                for size, row in zip(self.sizes, metrics, strict=True)
            },
        )


def joined(segments: tuple[selfplay.Steps, ...]) -> selfplay.Steps:
    """Concatenate segments."""
    whole: selfplay.Steps = jax.tree.map(lambda *rows: jnp.concatenate(rows), *segments)
    return whole


def kept(network: Arrays) -> Arrays:
    """A copy, because learning reuses the memory of its arguments."""
    copy: Arrays = jax.tree.map(jnp.copy, network)
    return copy


def main(words: list[str] | None = None) -> int:
    options = arguments(words)
    try:
        Training(options).run()
    except (ValueError, OSError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
