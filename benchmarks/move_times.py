"""How long moves of `best` take beside busy loops, and why the longest took so long.

    python benchmarks/move_times.py [--moves 2000] [--seconds 0.5] [--busy 2] [--player best]

`best` plays itself in each game, both sides in one process as in a match. For each game the
table shows how far moves overran their limit, and for the longest what the time was spent on:

    waited     runnable without a core, whole move (Linux: schedstat; 0 elsewhere)
    blocked    neither running nor runnable: waiting for a thread of its own, or for the disk
    gc         Python's garbage collections
    kernel     processor time in the kernel: page faults, mostly
    faults     pages first touched, and pages read from disk
"""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import resource
import time
from dataclasses import dataclass
from typing import Any

import honte
from honte.sandbox.run_delay import run_delay

GAMES = ["connect4", "connect4:course,seed=1", "othello", "go:size=9", "go:size=19"]


def burn() -> None:
    parent = os.getppid()
    while os.getppid() == parent:
        sum(range(100_000))


@dataclass(frozen=True)
class Move:
    """One move: its overrun of the limit and what it was spent on, in seconds."""

    number: int
    over: float
    waited: float
    gc: float
    blocked: float
    kernel: float
    user: float
    faults: int
    from_disk: int
    kept: bool

    @property
    def cause(self) -> str:
        """What explains most of the time over the limit."""
        parts = {
            "waiting for a core": self.waited,
            "a native thread without a core": self.blocked,
            "garbage collection": self.gc,
            "the kernel, touching memory": self.kernel,
        }
        name, seconds = max(parts.items(), key=lambda part: part[1])
        return name if seconds >= self.over / 2 else "the search itself"


class Watch:
    """Counters of this process: collections, page faults, processor time, waits."""

    def __init__(self) -> None:
        self.gc = self._began = 0.0
        gc.callbacks.append(self._collected)

    def _collected(self, phase: str, _: dict[str, int]) -> None:
        now = time.perf_counter()
        if phase == "start":
            self._began = now
        else:
            self.gc += now - self._began

    def read(self) -> tuple[Any, ...]:
        used = resource.getrusage(resource.RUSAGE_SELF)
        waited = run_delay()
        return (
            *(time.perf_counter(), waited, self.gc, used.ru_stime, used.ru_utime),
            *(used.ru_minflt, used.ru_majflt),
        )

    def close(self) -> None:
        gc.callbacks.remove(self._collected)


def play(spec: str, player: str, moves: int, seconds: float) -> list[Move]:
    """Play a player against itself until the given number of moves is reached."""
    game, watch = honte.game(spec), Watch()
    found: list[Move] = []
    players = [honte.player(player, game, seed=seed) for seed in (1, 2)]
    limit = honte.Limit(seconds=seconds)
    try:
        while len(found) < moves:
            state = game.start()
            history: list[int] = []
            for one in players:
                one.new_game()
            while not state.is_over and len(found) < moves:
                request = honte.Request(state, history=tuple(history), limit=limit)
                before = watch.read()
                report = players[state.to_move].choose(request)
                wall, waited, collected, kernel, user, faults, disk = (
                    after - then for after, then in zip(watch.read(), before, strict=True)
                )
                over = wall - seconds
                found.append(
                    Move(
                        len(found),
                        over,
                        waited,
                        collected,
                        max(0.0, wall - waited - kernel - user),
                        kernel,
                        user,
                        int(faults),
                        int(disk),
                        report.kept,
                    )
                )
                state = state.play(report.move)
                history.append(report.move)
    finally:
        watch.close()
        for one in players:
            one.close()
    return found


def quantile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--moves", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--busy", type=int, default=2)
    parser.add_argument("--player", default="best")
    parser.add_argument("--games", nargs="*", default=GAMES)
    parser.add_argument("--worst", type=int, default=1, help="how many of the longest to explain")
    given = parser.parse_args()
    loops = [multiprocessing.Process(target=burn, daemon=True) for _ in range(given.busy)]
    for loop in loops:
        loop.start()
    print(
        f"{given.player} at {given.seconds:g} s beside {given.busy} busy loops; "
        "milliseconds beyond the limit"
    )
    print(f"{'game':<24}{'moves':>6}{'p50':>8}{'p99':>8}{'p99.9':>8}{'longest':>9}  cause")
    try:
        for spec in given.games:
            found = play(spec, given.player, given.moves, given.seconds)
            over = [1000 * move.over for move in found]
            numbers = "".join(f"{quantile(over, share):8.1f}" for share in (0.5, 0.99, 0.999))
            worst = sorted(found, key=lambda move: -move.over)[: given.worst]
            print(
                f"{spec:<24}{len(found):6}{numbers}{max(over):9.1f}  {worst[0].cause}", flush=True
            )
            for move in worst:
                print(
                    f"    move {move.number}: {1000 * move.over:.1f} ms over; "
                    f"waited {1000 * move.waited:.1f}, blocked {1000 * move.blocked:.1f}, "
                    f"gc {1000 * move.gc:.1f}, "
                    f"kernel {1000 * move.kernel:.1f}, user {1000 * move.user:.1f}, "
                    f"{move.faults} faults ({move.from_disk} from disk), "
                    f"{'kept' if move.kept else 'new'} tree",
                    flush=True,
                )
    finally:
        for loop in loops:
            loop.kill()
            loop.join()


if __name__ == "__main__":
    main()
