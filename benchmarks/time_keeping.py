"""How well a search keeps to its time limit.

    python benchmarks/time_keeping.py [--decisions 1000] [--busy]

Decisions of 100 ms across the games, in positions of random games; `--busy` loads every core with
other work meanwhile. Then: the latency of stop() from another thread.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import random
import statistics
import threading
import time

import honte
from honte.search.uct import Uct

GAMES = ["connect4", "connect4:course,seed=1", "othello", "go:size=9", "go:size=19"]


def burn() -> None:
    while True:
        sum(range(10_000))


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def show(what: str, values: list[float]) -> None:
    print(
        f"{what}: median {1000 * statistics.median(values):.2f} ms, "
        f"p99 {1000 * percentile(values, 0.99):.2f} ms, worst {1000 * max(values):.2f} ms "
        f"({len(values)} times)"
    )


def overruns(decisions: int, seconds: float, threads: int) -> list[float]:
    draw = random.Random(1)
    found = []
    for number in range(decisions):
        game = honte.game(GAMES[number % len(GAMES)])
        state = game.start()
        for _ in range(draw.randrange(10)):
            if not state.is_over:
                state = state.play(draw.choice(state.legal_moves()))
        if state.is_over:
            continue
        player = honte.player(f"uct:threads={threads},solver=no", game)
        started = time.perf_counter()
        player.choose(state, honte.Limit(seconds=seconds))
        found.append(time.perf_counter() - started - seconds)
    return found


def stop_lags(times: int) -> list[float]:
    lags = []
    for number in range(times):
        game = honte.game(GAMES[number % len(GAMES)])
        uct = Uct(game, solver=False)
        asked: list[float] = []

        token = honte.CancelToken()

        def stop(token: honte.CancelToken = token, asked: list[float] = asked) -> None:
            asked.append(time.perf_counter())
            token.cancel()

        timer = threading.Timer(0.03, stop)
        timer.start()
        uct.run(honte.Request(game.start(), limit=honte.Limit(seconds=10), cancel=token))
        lags.append(time.perf_counter() - asked[0])
    return lags


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--decisions", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=0.1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--busy", action="store_true")
    given = parser.parse_args()
    load = [
        multiprocessing.Process(target=burn, daemon=True)
        for _ in range((os.cpu_count() or 1) if given.busy else 0)
    ]
    for process in load:
        process.start()
    show("overrun", overruns(given.decisions, given.seconds, given.threads))
    show("stop from another thread", stop_lags(given.decisions // 10))
