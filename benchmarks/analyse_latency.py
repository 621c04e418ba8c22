"""Latency of `honte analyse`: ``python benchmarks/analyse_latency.py``.

The queries need no thinking (the random player), so what is measured is the overhead of the
engine around the search: one query at a time, then 64 in flight.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
from typing import Any

ONE_BY_ONE = 2000
MANY = 20_000
IN_FLIGHT = 64


def main() -> None:
    command = [sys.executable, "-m", "honte", "analyse", "--game", "connect4"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as engine:
        ask(engine, 0)
        answer(engine)
        took = []
        for number in range(ONE_BY_ONE):
            began = time.perf_counter()
            ask(engine, number)
            answer(engine)
            took.append(time.perf_counter() - began)
        cuts = statistics.quantiles(took, n=1000)
        print(
            f"one at a time: median {1e6 * cuts[499]:.0f} µs, 99 % {1e6 * cuts[989]:.0f} µs, "
            f"longest {1e6 * max(took):.0f} µs of {ONE_BY_ONE:,}"
        )
        began = time.perf_counter()
        for number in range(MANY + IN_FLIGHT):
            if number < MANY:
                ask(engine, number)
            if number >= IN_FLIGHT:
                answer(engine)
        rate = MANY / (time.perf_counter() - began)
        print(f"{IN_FLIGHT} in flight: {rate:,.0f} queries a second")
        assert engine.stdin is not None
        engine.stdin.close()


def ask(engine: subprocess.Popen[bytes], number: int) -> None:
    assert engine.stdin is not None
    query = {"id": number, "moves": "44455"[: number % 6], "player": "random"}
    engine.stdin.write(json.dumps(query).encode() + b"\n")
    engine.stdin.flush()


def answer(engine: subprocess.Popen[bytes]) -> Any:
    assert engine.stdout is not None
    found = json.loads(engine.stdout.readline())
    assert "move" in found, found
    return found


if __name__ == "__main__":
    main()
