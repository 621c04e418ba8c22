"""Self-play of a training run: the workers' tasks, and the files of their samples."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any

import numpy as np

from honte.core.whole_file import written_whole
from honte.nets.cpu_selfplay import Done, SelfPlay

if TYPE_CHECKING:
    from honte.nets.run import Run

Array = np.ndarray[Any, np.dtype[Any]]

GAMES_A_TASK = 4


class Chunk:
    """Self-play for one generation: its tasks, and their samples that are not yet written."""

    def __init__(self, run: Run, number: int) -> None:
        self.run, self.number = run, number
        self.games = sum(int(held["games"]) for n, _, held in run.samples if n == number)
        self.draw = random.Random(f"{run.options.seed}/{number}/{self.games}")
        self.began, self.cpu_began = time.monotonic(), time.process_time()
        self.cpu_seconds = 0.0
        """Of the workers, duels included; a task that began before the chunk counts whole. The
        learner's is that of this process."""
        self.out = self.fresh = self.evaluations = self.draws = 0
        self.forget()

    def forget(self) -> None:
        self.waiting: list[dict[str, Array]] = []
        self.waiting_games = self.waiting_positions = 0
        self.since = time.monotonic()

    def task(self) -> SelfPlay:
        """The next task for the playing network, seeded differently from those of a killed run."""
        run, options = self.run, self.run.options
        self.out += GAMES_A_TASK
        playing = run.status.rows[-1]["playing"]
        return SelfPlay(
            self.out, options.game, run.network(playing), GAMES_A_TASK, options.simulations,
            self.draw.getrandbits(40),
        )  # fmt: skip

    def add(self, done: Done) -> None:
        self.out = max(0, self.out - done.games)
        self.games += done.games
        self.fresh += done.games
        self.waiting_games += done.games
        self.evaluations += done.evaluations
        self.draws += done.draws
        if done.samples:
            self.waiting.append(done.samples)
            self.waiting_positions += len(done.samples["cells"])

    def pace(self) -> tuple[float, float, float]:
        """Games and evaluations per second, and the number of cores that are busy."""
        seconds = max(time.monotonic() - self.began, 1e-3)
        busy = self.cpu_seconds + time.process_time() - self.cpu_began
        return self.fresh / seconds, self.evaluations / seconds, busy / seconds

    def figures(self) -> dict[str, Any]:
        games, evaluations, cores = self.pace()
        return {
            "games_per_second": round(games, 2),
            "evaluations_per_second": round(evaluations),
            "cores": round(cores, 2),
            "draws": round(self.draws / max(self.fresh, 1), 3),
        }

    def write(self) -> None:
        """Write the games so far and count them: a killed run resumes with those in files."""
        run, index = self.run, self.run.about["files"]
        if not self.waiting:
            return
        names = self.waiting[0]
        held = {name: np.concatenate([one[name] for one in self.waiting]) for name in names}
        held["games"] = np.array(self.waiting_games)
        held["seconds"] = np.array(run.clock())
        path = run.folder / "samples" / f"{index:06}-{self.number}.npz"
        with written_whole(path) as file:
            np.savez(file, allow_pickle=False, **held)
        run.samples.append((self.number, path, held))
        run.about["files"] = index + 1
        run.done["games"] += self.waiting_games
        run.done["positions"] += self.waiting_positions
        self.forget()
