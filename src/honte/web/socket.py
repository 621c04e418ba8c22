"""One visitor: requests come in by the socket, answers go out."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import re
import secrets
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from honte import __version__
from honte.bots.names import known as known_bots
from honte.games.contract import quote
from honte.players.level import table
from honte.web import exchange, requests
from honte.web.engines import Engines
from honte.web.position import GAMES, Json, game_of, read_states, state_json
from honte.web.requests import Refused
from honte.web.watch import Watch

MOST_VISITORS = 50
IDLE_SECONDS = 3600.0
SEND_SECONDS = 20.0
"""For somebody who does not read what is sent."""
MOST_PENDING = 16
"""Requests of one visitor that may be under way."""
PER_SECOND, BURST = 60.0, 120.0
"""Requests of one visitor; who sends more has to wait."""
TREE_SECONDS = 5.0
TRY_LATER = 1013
LEVEL = re.compile(r"level:([1-9][0-9]?|100)")

_numbers = itertools.count(1)


@dataclass
class House:
    """What visitors share."""

    engines: Engines
    watch: Watch
    visitors: set[Visitor] = field(default_factory=set)
    reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))
    """Records are read by two threads at most."""

    async def load(self, text: str, game: str | None) -> Json:
        async with self.reading:
            return await asyncio.to_thread(exchange.load, text, game)


@cache
def levels() -> dict[str, list[Json]]:
    """What the levels of each game mean; none where they have not been measured."""
    found: dict[str, list[Json]] = {}
    for name in GAMES:
        try:
            rungs = table(name)
        except ValueError:
            rungs = []
        found[name] = [
            {
                "level": rung.level,
                "elo": rung.elo,
                "error": rung.error,
                "words": rung.words,
                "rank": rung.rank,
            }
            for rung in rungs
        ]
    return found


def check_player(name: str) -> str:
    """Who may be asked for by the browser: never more than a name."""
    if name == "best" or LEVEL.fullmatch(name) or name in known_bots():
        return name
    names = ", ".join(["best", "level:1 to level:100", *known_bots()])
    raise ValueError(f"there is no player {quote(name)} here; there are {names}")


class Visitor:
    """A socket, its one search, and its other requests under way."""

    def __init__(self, socket: WebSocket, house: House) -> None:
        self.socket = socket
        self.house = house
        self.name = f"v{next(_numbers)}"
        self._tasks: set[asyncio.Task[None]] = set()
        self._search: tuple[int, int] | None = None
        """The request's id and the engine's job."""
        self._allowance, self._counted = BURST, time.monotonic()

    async def serve(self) -> None:
        """Answer until the visitor leaves."""
        await self.socket.accept()
        if len(self.house.visitors) >= MOST_VISITORS:
            await self._send({"error": "the server is full; try again later"})
            await self.socket.close(TRY_LATER)
            return
        self.house.visitors.add(self)
        try:
            while True:
                async with asyncio.timeout(IDLE_SECONDS):
                    frame = await self.socket.receive()
                if frame["type"] == "websocket.disconnect":
                    break
                await self._pace()
                await self._take(frame)
        except (WebSocketDisconnect, TimeoutError, RuntimeError):
            pass  # gone, asleep, or closed by us while it was sending
        finally:
            self.house.visitors.discard(self)
            self.house.engines.leave(self.name)
            for task in self._tasks:
                task.cancel()
            if self.socket.client_state is WebSocketState.CONNECTED:
                with contextlib.suppress(Exception):
                    await self.socket.close()

    async def _pace(self) -> None:
        now = time.monotonic()
        self._allowance = min(BURST, self._allowance + (now - self._counted) * PER_SECOND) - 1
        self._counted = now
        if self._allowance < 0:
            await asyncio.sleep(-self._allowance / PER_SECOND)

    async def _take(self, frame: Any) -> None:
        text = frame.get("text")
        if text is None:
            await self._send({"id": None, "error": "send text frames, one JSON object each"})
            return
        try:
            id, do, request = requests.read(text)
        except Refused as error:
            await self._send({"id": error.id, "error": str(error)})
            return
        if do == "stop":
            await self._stop(id, request.which)
            return
        if len(self._tasks) >= MOST_PENDING:
            await self._send({"id": id, "error": "too many requests at once; wait for an answer"})
            return
        answering = self._answer(id, do, request)
        if do in ("position", "course"):  # quick, and what is waited for
            await answering
            return
        task = asyncio.create_task(answering)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, id: int, do: str, request: Any) -> None:
        try:
            answer = await ANSWERS[do](self, id, request)
        except ValueError as error:
            answer = {"error": str(error)}
        except asyncio.CancelledError:
            raise
        except Exception as error:
            print(f"honte: {do}: {type(error).__name__}: {error}", file=sys.stderr)
            answer = {"error": "the server could not answer this request; try another"}
        if answer is not None:
            await self._send({**answer, "id": id})

    async def _send(self, answer: Json) -> None:
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self.socket.send_text(msgspec.json.encode(answer).decode())
        except TimeoutError:
            with contextlib.suppress(Exception):
                await self.socket.close(TRY_LATER)
        except (RuntimeError, WebSocketDisconnect):
            pass  # it has left; `serve` sees that too

    # -- the answers -------------------------------------------------------------------

    async def hello(self, id: int, request: Any) -> Json:
        return {
            "version": __version__,
            "games": [{"name": name, "spec": game_of(name).spec} for name in GAMES],
            "levels": levels(),
            "players": ["best", *known_bots()],
            "watching": self.house.watch.watching,
        }

    async def position(self, id: int, request: requests.Position) -> Json:
        game = game_of(request.game)
        states = read_states(game, request.start, request.moves)
        answer = {"game": game.spec, "state": state_json(states)}
        if request.all:
            answer["states"] = shown = []
            for ply in range(len(states)):
                shown.append(state_json(states, ply))
                if ply % 8 == 0:
                    await asyncio.sleep(0)  # others' moves are not to wait for a long game
        return answer

    async def course(self, id: int, request: requests.Course) -> Json:
        seed = secrets.randbelow(2**31) if request.seed is None else request.seed
        return {"game": game_of(f"connect4:course,seed={seed}").spec}

    async def choose(self, id: int, request: requests.Choose) -> None:
        player = check_player(request.player)
        named = player in known_bots()
        more = {"player": player, "seconds": request.seconds, "named": named}
        await self._think(id, "choose", request, more)

    async def analyse(self, id: int, request: requests.Analyse) -> None:
        await self._think(id, "analyse", request, {"seconds": request.seconds})

    async def review(self, id: int, request: requests.Review) -> None:
        await self._think(id, "review", request, {"seconds": request.seconds})

    async def _think(self, id: int, do: str, request: requests.Place, more: Json) -> None:
        """Stream a search; the one before is called off."""
        engines = self.house.engines
        if self._search is not None:
            engines.stop(self.name, self._search[1])
        job = engines.new_job()
        self._search = (id, job)
        message = {"do": do, "game": request.game, "start": request.start, "moves": request.moves}
        stream = engines.stream(self.name, job, message | more)
        try:
            async with contextlib.aclosing(stream) as parts:  # type: ignore[type-var]
                async for part in parts:
                    await self._send({**part, "id": id})
        finally:
            if self._search == (id, job):
                self._search = None

    async def _stop(self, id: int, which: int) -> None:
        if self._search is not None and self._search[0] == which:
            self.house.engines.stop(self.name, self._search[1])
        await self._send({"id": id, "done": True})

    async def tree(self, id: int, request: requests.Tree) -> Json:
        message = {"do": "tree", "path": request.path}
        try:
            async with asyncio.timeout(TREE_SECONDS):
                return await self.house.engines.ask(self.name, message)
        except TimeoutError:
            raise ValueError("the engine is too busy to show its tree; try again") from None

    async def load(self, id: int, request: requests.Load) -> Json:
        return await self.house.load(request.text, request.game)

    async def export(self, id: int, request: requests.Export) -> Json:
        return exchange.export(request.game, request.start, request.moves, request.form)

    async def store(self, id: int, request: Any) -> Json:
        return await self.house.watch.view()

    async def stored(self, id: int, request: requests.Stored) -> Json:
        return await self.house.watch.stored(request.game_id)


ANSWERS: dict[str, Callable[[Visitor, int, Any], Awaitable[Json | None]]] = {
    "hello": Visitor.hello,
    "position": Visitor.position,
    "course": Visitor.course,
    "choose": Visitor.choose,
    "analyse": Visitor.analyse,
    "review": Visitor.review,
    "tree": Visitor.tree,
    "load": Visitor.load,
    "export": Visitor.export,
    "store": Visitor.store,
    "stored": Visitor.stored,
}
