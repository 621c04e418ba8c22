"""The queue of a class: shares are fair, and urgent work goes first."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from honte.web.fair import FairQueue
from tests import loops


def run(test: Callable[[], Awaitable[None]]) -> None:
    loops.run(asyncio.wait_for(test(), 60))


def test_whoever_used_least_is_next() -> None:
    async def test() -> None:
        queue = FairQueue()
        order: list[str] = []
        gates = {name: asyncio.Event() for name in ("a1", "a2", "a3", "b1")}

        def work(name: str) -> Callable[[], Awaitable[None]]:
            async def do() -> None:
                order.append(name)
                await gates[name].wait()

            return do

        queue.add(1, work("a1"))
        second = queue.add(1, work("a2"))
        queue.add(1, work("a3"))
        await asyncio.sleep(0.02)  # the first owner uses some time
        other = queue.add(2, work("b1"))
        assert order == ["a1"]
        gates["a1"].set()
        await asyncio.sleep(0.01)
        assert order == ["a1", "b1"], "the other owner has used nothing yet"
        assert queue.is_running(other)
        assert queue.before(second) == 1
        for gate in gates.values():
            gate.set()
        while len(queue):
            await asyncio.sleep(0.01)
        assert order == ["a1", "b1", "a2", "a3"]

    run(test)


def test_a_check_stops_a_ladder_which_begins_again() -> None:
    async def test() -> None:
        queue = FairQueue()
        told: list[str] = []
        gate = asyncio.Event()

        async def ladder() -> None:
            told.append("ladder")
            try:
                await gate.wait()
            except asyncio.CancelledError:
                told.append("stopped")
                raise

        async def check() -> None:
            told.append("check")

        queue.add(1, ladder, urgency=1)
        await asyncio.sleep(0)
        queue.add(2, check)
        while told.count("ladder") < 2:
            await asyncio.sleep(0.01)
        assert told == ["ladder", "stopped", "check", "ladder"]
        gate.set()
        while len(queue):
            await asyncio.sleep(0.01)

    run(test)


def test_what_is_called_off_does_not_run() -> None:
    async def test() -> None:
        queue = FairQueue()
        told: list[int] = []
        gate = asyncio.Event()

        async def wait() -> None:
            await gate.wait()

        async def tell() -> None:
            told.append(1)

        queue.add(1, wait)
        queue.add(1, tell)
        queue.add(2, tell)
        await asyncio.sleep(0)
        await queue.cancel(1)
        while len(queue):
            await asyncio.sleep(0.01)
        assert told == [1]
        await queue.close()

    run(test)
