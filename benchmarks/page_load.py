"""Load test of the page: how long twenty concurrent visitors wait for the echo of their move.

    python benchmarks/page_load.py [--visitors 20] [--seconds 20] [--player level:50] [--hostile]

Starts a server of its own on loopback. Every visitor plays games of Connect Four, Othello and
Go 9×9: makes a move, waits for the `position` that shows it, lets the engine answer, thinks for
a moment. The echo is the latency a person feels; the engine's answer may take its full time. With
--hostile another visitor floods the server with requests, leaves a hundred connections half open,
and sends games of a million moves; memory is reported for each tenth of the run.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import uvicorn
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

import honte
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
    """The resident memory of a process in megabytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) // 1024
    return 0


async def first_numbers(origin: str) -> float:
    """Milliseconds from requesting an analysis to its first numbers, on an idle server."""
    times = []
    for game in GAMES[:3]:
        async with connect(f"ws{origin[4:]}/socket", origin=origin) as line:  # type: ignore[arg-type]
            await asyncio.sleep(0.3)
            began = time.perf_counter()
            await line.send(json.dumps({"id": 1, "do": "analyse", "game": game, "seconds": 0.5}))
            await line.recv()
            times.append(time.perf_counter() - began)
    return 1000 * statistics.median(times)


def long_game(moves: int = 1000) -> list[str]:
    """Random legal moves of Go on 19×19 without a pass: half of the moves that the page takes."""
    game, draw = honte.game("go:size=19"), random.Random(1)
    state, played = game.start(), list[str]()
    while len(played) < moves:
        legal = [move for move in state.legal_moves() if game.format(move) != "pass"]
        move = draw.choice(legal or state.legal_moves())
        state = state.play(move)
        played.append(game.format(move))
    return played


class Hostile:
    """A visitor who sends what a page never would, until told to stop."""

    def __init__(self, origin: str) -> None:
        self.origin = origin
        self.host, port = origin.removeprefix("http://").split(":")
        self.port = int(port)
        self.sent: Counter[str] = Counter()

    async def attack(self) -> None:
        attacks = [self.flood, self.garbage, self.long_address, *[self.half_open] * 100]
        await asyncio.gather(*(self.again(attack) for attack in attacks))

    async def again(self, attack: Callable[[], Awaitable[None]]) -> None:
        """Repeat an attack, however the server reacts."""
        while True:
            with suppress(OSError, WebSocketException):
                await attack()
            await asyncio.sleep(0.05)

    def connect(self) -> connect:
        return connect(f"ws{self.origin[4:]}/socket", origin=Origin(self.origin))

    async def flood(self) -> None:
        """Request long games and searches of them, and never read an answer."""
        game = {"game": "go:size=19", "moves": long_game(), "player": "best", "seconds": 60}
        async with self.connect() as line:
            for number in itertools.count(1):
                asked = {"id": number, "do": ("position", "analyse", "choose")[number % 3]}
                await line.send(json.dumps({**game, **asked}))
                self.sent["requests"] += 1
                await asyncio.sleep(0.002)

    async def garbage(self) -> None:
        """Send malformed requests, the last with a million moves."""
        async with self.connect() as line:
            for frame in ("", "null", "[" * 8000, '{"id": 1}', os.urandom(8000), "\0" * 8000):
                await line.send(frame)
                self.sent["malformed frames"] += 1
            await line.send(json.dumps({"id": 2, "do": "position", "moves": ["4"] * 1_000_000}))
            self.sent["games of a million moves"] += 1
            await line.wait_closed()

    async def long_address(self) -> None:
        """Ask for a page whose address holds a million moves."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            writer.write(b"GET /?moves=" + b"4" * 1_000_000 + b" HTTP/1.1\r\n")
            await writer.drain()
            self.sent["long addresses"] += 1
            await reader.read()
        finally:
            writer.close()

    async def half_open(self) -> None:
        """Start a request and never finish it."""
        reader, writer = await asyncio.open_connection(self.host, self.port)
        try:
            writer.write(f"GET / HTTP/1.1\r\nHost: {self.host}:{self.port}\r\nX-".encode())
            await writer.drain()
            self.sent["connections half open"] += 1
            await reader.read()
        finally:
            writer.close()


async def attack(origin: str, seconds: float) -> dict[str, Any]:
    hostile = Hostile(origin)
    with suppress(TimeoutError):
        await asyncio.wait_for(hostile.attack(), seconds)
    return dict(hostile.sent)


async def measure(visitors: int, seconds: float, player: str, with_hostile: bool) -> dict[str, Any]:
    """Run the server in this process's loop and the visitors in processes of their own."""
    listener = bind("127.0.0.1", 0)
    port = listener.getsockname()[1]
    origin = f"http://127.0.0.1:{port}"
    engines = Engines()
    app = server.make_app("127.0.0.1", port, None, engines=engines)
    running = uvicorn.Server(server.config(app))
    serving = asyncio.create_task(running.serve(sockets=[listener]))
    while not running.started:
        await asyncio.sleep(0.01)

    async def start(role: str) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, __file__, role, origin),
            *("--visitors", str(visitors), "--seconds", str(seconds), "--player", player),
            stdout=asyncio.subprocess.PIPE,
        )

    crowd = await start("--crowd")
    hostile = await start("--attack") if with_hostile else None
    began = time.monotonic()
    memory, of_server = [0] * 10, [0] * 10
    while crowd.returncode is None:
        workers = [worker["pid"] for worker in await engines.status()]
        tenth = min(9, int(10 * (time.monotonic() - began) / seconds))
        server_mb = resident(os.getpid())
        of_server[tenth] = max(of_server[tenth], server_mb)
        memory[tenth] = max(memory[tenth], server_mb + sum(map(resident, workers)))
        try:
            await asyncio.wait_for(crowd.wait(), 1.0)
        except TimeoutError:
            continue
    assert crowd.stdout is not None
    found: dict[str, Any] = json.loads(await crowd.stdout.read())
    if hostile is not None and hostile.stdout is not None:
        found |= {"memory_by_tenth_mb": memory, "of_server_by_tenth_mb": of_server}
        found["hostile"] = json.loads(await hostile.stdout.read())
        await hostile.wait()
    running.should_exit = True
    await serving
    return found | {"memory_mb": max(memory)}


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
    parser.add_argument("--hostile", action="store_true", help="one more visitor, who attacks")
    parser.add_argument("--crowd", help=argparse.SUPPRESS)
    parser.add_argument("--attack", help=argparse.SUPPRESS)
    given = parser.parse_args()
    asked = (given.visitors, given.seconds, given.player)
    if given.crowd:
        found = crowd(given.crowd, *asked)
    elif given.attack:
        found = attack(given.attack, given.seconds)
    else:
        found = measure(*asked, given.hostile)
    print(json.dumps(asyncio.run(found)))


if __name__ == "__main__":
    main()
