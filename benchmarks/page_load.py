"""Twenty visitors who play at once: how long each waits for the echo of their own move.

    python benchmarks/page_load.py [--visitors 20] [--seconds 20] [--player level:50]

Starts a server of its own on loopback. Every visitor plays games of Connect Four, Othello and
Go 9×9: makes a move, waits for the `position` that shows it, lets the engine answer, thinks for
a moment. The echo is what a person feels; the engine's answer may take the time it is given.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import uvicorn
from websockets.asyncio.client import ClientConnection, connect

from honte.web import server
from honte.web.address import bind
from honte.web.engines import Engines

GAMES = ("connect4", "othello", "go:size=9", "connect4:rows=12,cols=12,blocked=5/6")


class Player:
    """A person at a board."""

    def __init__(self, line: ClientConnection, number: int, player: str) -> None:
        self.line = line
        self.player = player
        self.random = random.Random(number)
        self.echoes: list[float] = []
        self.answers: list[float] = []
        self._id = 0

    async def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        self._id += 1
        await self.line.send(json.dumps({"id": self._id, "do": do, **fields}))
        while True:
            part: dict[str, Any] = json.loads(await self.line.recv())
            if "error" in part:
                raise SystemExit(part["error"])
            if part["id"] == self._id and part.get("done") is not False:
                return part

    async def play(self, until: float) -> None:
        levels = {game["name"]: game["levels"] for game in (await self.ask("hello"))["games"]}
        known = [game for game in GAMES if levels[game.partition(":")[0]]]
        games = known if self.player.startswith("level:") else GAMES
        while time.monotonic() < until:
            game = self.random.choice(games)
            moves: list[str] = []
            state = (await self.ask("position", game=game))["state"]
            while not state["over"] and len(moves) < 120 and time.monotonic() < until:
                moves.append(self.random.choice(state["legal"])[1])
                began = time.perf_counter()
                state = (await self.ask("position", game=game, moves=moves))["state"]
                self.echoes.append(time.perf_counter() - began)
                if state["over"]:
                    break
                began = time.perf_counter()
                found = await self.ask("choose", game=game, moves=moves, player=self.player)
                self.answers.append(time.perf_counter() - began)
                moves.append(found["move"])
                state = (await self.ask("position", game=game, moves=moves))["state"]
                await asyncio.sleep(self.random.uniform(0, 0.2))


def at(share: float, times: list[float]) -> float:
    """A quantile, in milliseconds."""
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def resident(pid: int) -> int:
    """Megabytes that a process holds."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) // 1024
    return 0


async def first_numbers(origin: str) -> float:
    """Milliseconds from asking for an analysis to its first numbers, at a quiet server."""
    times = []
    for game in GAMES[:3]:
        async with connect(f"ws{origin[4:]}/socket", origin=origin) as line:  # type: ignore[arg-type]
            await asyncio.sleep(0.3)
            began = time.perf_counter()
            await line.send(json.dumps({"id": 1, "do": "analyse", "game": game, "seconds": 0.5}))
            await line.recv()
            times.append(time.perf_counter() - began)
    return 1000 * statistics.median(times)


async def measure(visitors: int, seconds: float, player: str) -> dict[str, Any]:
    """Run the server in this process's loop and the visitors in a process of their own."""
    listener = bind("127.0.0.1", 0)
    port = listener.getsockname()[1]
    origin = f"http://127.0.0.1:{port}"
    engines = Engines()
    app = server.make_app("127.0.0.1", port, None, engines=engines)
    running = uvicorn.Server(server.config(app))
    serving = asyncio.create_task(running.serve(sockets=[listener]))
    while not running.started:
        await asyncio.sleep(0.01)
    crowd = await asyncio.create_subprocess_exec(
        *(sys.executable, __file__, "--crowd", origin),
        *("--visitors", str(visitors), "--seconds", str(seconds), "--player", player),
        stdout=asyncio.subprocess.PIPE,
    )
    memory = 0
    while crowd.returncode is None:
        with_workers = [os.getpid(), *(worker["pid"] for worker in await engines.status())]
        memory = max(memory, sum(map(resident, with_workers)))
        try:
            await asyncio.wait_for(crowd.wait(), 1.0)
        except TimeoutError:
            continue
    assert crowd.stdout is not None
    found: dict[str, Any] = json.loads(await crowd.stdout.read())
    running.should_exit = True
    await serving
    return found | {"memory_mb": memory}


async def crowd(origin: str, visitors: int, seconds: float, player: str) -> dict[str, Any]:
    first = await first_numbers(origin)
    address = f"ws{origin[4:]}/socket"
    lines = [await connect(address, origin=origin) for _ in range(visitors)]  # type: ignore[arg-type]
    players = [Player(line, number, player) for number, line in enumerate(lines)]
    until = time.monotonic() + seconds
    await asyncio.gather(*(one.play(until) for one in players))
    for line in lines:
        await line.close()
    echoes = [echo for one in players for echo in one.echoes]
    answers = [answer for one in players for answer in one.answers]
    return {
        "visitors": visitors,
        "player": player,
        "moves": len(echoes),
        "echo_p50_ms": round(at(0.5, echoes), 2),
        "echo_p99_ms": round(at(0.99, echoes), 2),
        "echo_max_ms": round(at(1, echoes), 2),
        "answer_p50_ms": round(at(0.5, answers), 1),
        "answer_p99_ms": round(at(0.99, answers), 1),
        "first_numbers_ms": round(first, 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--visitors", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--player", default="level:50")
    parser.add_argument("--crowd", help=argparse.SUPPRESS)
    given = parser.parse_args()
    asked = (given.visitors, given.seconds, given.player)
    found = crowd(given.crowd, *asked) if given.crowd else measure(*asked)
    print(json.dumps(asyncio.run(found)))


if __name__ == "__main__":
    main()
