"""A session: one open page, its web socket, its one search and its other requests."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import re
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from honte import __version__
from honte.core.games import settings_of
from honte.core.language import plain
from honte.core.messages import quote
from honte.sandbox.names import known as known_bots
from honte.web import exchange, requests
from honte.web.engines import Engines
from honte.web.games import all_games, descriptor_json, game_of, levels_json, random_board, rules_of
from honte.web.position import Json, read_states, state_json
from honte.web.requests import BadRequest
from honte.web.training import Training
from honte.web.uploads import Uploads
from honte.web.watch import Watch

if TYPE_CHECKING:
    from honte.classroom.classroom import Person
    from honte.web.classes import ClassServer, Desk

MOST_SESSIONS, MOST_OF_CLASS = 50, 300
IDLE_SECONDS = 3600.0
SEND_SECONDS = 20.0
"""Time-out for a client that does not read what is sent."""
MOST_PENDING = 16
"""Maximum requests of one session in progress."""
PER_SECOND, BURST = 60.0, 120.0
"""Rate limit of one session's requests; beyond that they are delayed."""
ASK_SECONDS = 15.0
TRY_LATER = 1013
TEACHER_ONLY = "only the teacher can see and do this"
LEVEL = re.compile(r"level:([1-9][0-9]?|100)(,lenient=yes)?")

_numbers = itertools.count(1)


@dataclass
class AppState:
    """What all sessions share."""

    engines: Engines
    watch: Watch
    uploads: Uploads
    classes: ClassServer | None = None
    """The class that is served, if one is."""
    training: Training = field(default_factory=Training)
    sessions: set[Session] = field(default_factory=set)
    reading: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(2))
    """At most two threads parse records."""

    def players(self, person: Person | None) -> list[str]:
        """The names of the bots that a person may play."""
        if self.classes is None or person is None:
            return known_bots()
        return self.classes.bots_of(person)

    def desk(self, person: Person | None) -> Uploads | Desk:
        """Where a person submits bots."""
        if self.classes is None or person is None:
            return self.uploads
        if person.teaches:
            raise ValueError("students hand in here; sign in as one to try it")
        return self.classes.desk(person.id)

    def sign_out(self, student: int) -> None:
        """Close the pages of a student whose code has stopped working."""
        for session in list(self.sessions):
            if session.person is not None and session.person.id == student:
                session.leave()

    async def load(self, asked: requests.Load) -> Json:
        async with self.reading:
            return await asyncio.to_thread(exchange.load, asked.text, asked.game, asked.near)

    async def export(self, asked: requests.Export) -> Json:
        async with self.reading:
            return await asyncio.to_thread(exchange.export, asked)


def is_offered(name: str, bots: list[str]) -> bool:
    """Whether the page offers a player: a name, never a command line or a setting."""
    return name == "best" or bool(LEVEL.fullmatch(name)) or name in bots


def check_player(name: str, bots: list[str]) -> str:
    """The name of a player that the browser may use; ValueError for any other."""
    if is_offered(name, bots):
        return name
    names = ", ".join(["best", "level:1 to level:100", *bots])
    raise ValueError(f"there is no player {quote(name)} here; there are {names}")


def limit_json(request: requests.Choose | requests.Analyse) -> Json:
    return {"seconds": request.seconds, "iterations": request.iterations}


class Session:
    """One open page: a socket, its one search, and its other requests in progress."""

    def __init__(self, socket: WebSocket, app: AppState) -> None:
        self.socket = socket
        self.app = app
        self.person: Person | None = socket.scope.get("person")
        self.name = f"s{next(_numbers)}"
        self._tasks: set[asyncio.Task[None]] = set()
        self._search: tuple[int, int] | None = None
        """The request's id and the engine's job."""
        self._allowance, self._counted = BURST, time.monotonic()

    async def serve(self) -> None:
        """Serve requests until the page is closed."""
        await self.socket.accept()
        if len(self.app.sessions) >= (MOST_SESSIONS if self.person is None else MOST_OF_CLASS):
            await self._send({"error": "the server is full; try again later"})
            await self.socket.close(TRY_LATER)
            return
        self.app.sessions.add(self)
        try:
            while True:
                async with asyncio.timeout(IDLE_SECONDS):
                    frame = await self.socket.receive()
                if frame["type"] == "websocket.disconnect":
                    break
                await self._throttle()
                await self._handle(frame)
        except (WebSocketDisconnect, TimeoutError, RuntimeError):
            pass  # closed, idle for too long, or closed by us while it was sending
        finally:
            self.app.sessions.discard(self)
            self.app.engines.close_session(self.name)
            for task in self._tasks:
                task.cancel()
            if self.socket.client_state is WebSocketState.CONNECTED:
                with contextlib.suppress(Exception):
                    await self.socket.close()

    def leave(self) -> None:
        """Close the page."""
        task = asyncio.create_task(self.socket.close(TRY_LATER))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _throttle(self) -> None:
        now = time.monotonic()
        self._allowance = min(BURST, self._allowance + (now - self._counted) * PER_SECOND) - 1
        self._counted = now
        if self._allowance < 0:
            await asyncio.sleep(-self._allowance / PER_SECOND)

    async def _handle(self, frame: Any) -> None:
        text = frame.get("text")
        if text is None:
            await self._send({"id": None, "error": "send text frames, one JSON object each"})
            return
        try:
            id, do, request = requests.read(text)
        except BadRequest as error:
            await self._send({"id": error.id, "error": str(error)})
            return
        if do == "stop":
            await self._stop(id, request.which)
            return
        if len(self._tasks) >= MOST_PENDING:
            await self._send({"id": id, "error": "too many requests at once; wait for an answer"})
            return
        answering = self._answer(id, do, request)
        if do in ("position", "random_board"):  # quick, and a person waits for it
            await answering
            return
        task = asyncio.create_task(answering)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _answer(self, id: int, do: str, request: Any) -> None:
        try:
            answer = await HANDLERS[do](self, id, request)
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
                await self.socket.send_text(msgspec.json.encode(answer, enc_hook=plain).decode())
        except TimeoutError:
            with contextlib.suppress(Exception):
                await self.socket.close(TRY_LATER)
        except (RuntimeError, WebSocketDisconnect):
            pass  # closed; `serve` sees that too

    # -- requests ----------------------------------------------------------------------

    async def hello(self, id: int, request: Any) -> Json:
        bots = await asyncio.to_thread(self.app.players, self.person)
        return {
            "version": __version__,
            "games": all_games(),
            "players": ["best", *bots],
            "watching": self.app.watch.watching and self._sees_all,
            "training": self.app.training.watching,
            "class": self._role,
        }

    async def position(self, id: int, request: requests.Position) -> Json:
        game = game_of(request.game)
        states = read_states(game, request.start, request.moves)
        answer = {"game": game.spec, "state": state_json(states)}
        if request.all:
            answer["descriptor"] = descriptor_json(game)
            answer["states"] = shown = []
            for ply in range(len(states)):
                shown.append(state_json(states, ply))
                if ply % 8 == 0:
                    await asyncio.sleep(0)  # a long game must not delay other sessions
        return answer

    async def rules(self, id: int, request: requests.OneGame) -> Json:
        shown = []
        for rule in rules_of(game_of(request.game)):
            part: Json = {"text": rule.text, "words": rule.translations, "hints": rule.hints}
            if rule.spec:
                game = game_of(rule.spec)
                states = read_states(game, rule.start, rule.moves)
                part |= {"descriptor": descriptor_json(game), "state": state_json(states)}
            shown.append(part)
        return {"rules": shown}

    async def levels(self, id: int, request: requests.OneGame) -> Json:
        return {"levels": levels_json(game_of(request.game))}

    async def random_board(self, id: int, request: requests.OneGame) -> Json:
        spec = random_board(request.game)
        return {"game": spec, "settings": settings_of(spec)}

    async def choose(self, id: int, request: requests.Choose) -> None:
        bots = await asyncio.to_thread(self.app.players, self.person)
        player = check_player(request.player, bots)
        named = player in bots
        more = {"player": player, "named": named}
        await self._search_stream(id, "choose", request, more | limit_json(request))

    async def analyse(self, id: int, request: requests.Analyse) -> None:
        await self._search_stream(id, "analyse", request, limit_json(request))

    async def review(self, id: int, request: requests.Review) -> None:
        more = {"seconds": request.seconds, "first": request.first}
        await self._search_stream(id, "review", request, more)

    async def _search_stream(
        self, id: int, do: str, request: requests.GamePosition, more: Json
    ) -> None:
        """Stream a search; it cancels the one before."""
        engines = self.app.engines
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
            self.app.engines.stop(self.name, self._search[1])
        await self._send({"id": id, "done": True})

    async def tree(self, id: int, request: requests.Tree) -> Json:
        return await self._ask({"do": "tree", "path": request.path}, "show its tree")

    async def step(self, id: int, request: requests.Step) -> Json:
        return await self._ask({"do": "step", "n": request.n}, "take a step")

    async def score(self, id: int, request: requests.Score) -> Json:
        position = {"game": request.game, "start": request.start, "moves": request.moves}
        more = {"dead": request.dead, "toggle": request.toggle}
        return await self._ask({"do": "score"} | position | more, "count")

    async def _ask(self, message: Json, what: str) -> Json:
        await self.app.engines.ready(self.name)
        try:
            async with asyncio.timeout(ASK_SECONDS):
                return await self.app.engines.ask(self.name, message)
        except TimeoutError:
            raise ValueError(f"the engine is too busy to {what}; try again") from None

    async def load(self, id: int, request: requests.Load) -> Json:
        return await self.app.load(request)

    async def export(self, id: int, request: requests.Export) -> Json:
        return await self.app.export(request)

    async def store(self, id: int, request: Any) -> Json:
        if not self._sees_all:
            raise ValueError(TEACHER_ONLY)
        return await self.app.watch.view()

    async def training(self, id: int, request: Any) -> Json:
        return await self.app.training.view()

    async def bots(self, id: int, request: Any) -> Json:
        return await self.app.desk(self.person).view()

    async def compare(self, id: int, request: requests.Compare) -> Json:
        return await self.app.desk(self.person).compare(request.a, request.b, request.lang)

    async def compare_stop(self, id: int, request: Any) -> Json:
        return await self.app.desk(self.person).stop_comparing()

    async def stored(self, id: int, request: requests.Stored) -> Json:
        found = await self.app.watch.stored(request.game_id)
        if self.app.classes is None or self.person is None:
            return found
        return await self.app.classes.seen(self.person, request.game_id, found)

    @property
    def _role(self) -> str | None:
        if self.person is None:
            return None
        return "teacher" if self.person.teaches else "student"

    @property
    def _sees_all(self) -> bool:
        """Whether there is no class, or this is the teacher's page."""
        return self.person is None or self.person.teaches

    async def class_view(self, id: int, request: Any) -> Json:
        if self.app.classes is None or self.person is None:
            raise ValueError("no class is served; start the server with `honte serve --class NAME`")
        return await self.app.classes.view(self.person)

    async def class_act(self, id: int, request: requests.ClassAct) -> Json:
        if self.app.classes is None or self.person is None or not self.person.teaches:
            raise ValueError(TEACHER_ONLY)
        return await self.app.classes.act(
            request.action, request.student, request.games, request.seconds
        )


HANDLERS: dict[str, Callable[[Session, int, Any], Awaitable[Json | None]]] = {
    "hello": Session.hello,
    "position": Session.position,
    "random_board": Session.random_board,
    "rules": Session.rules,
    "levels": Session.levels,
    "choose": Session.choose,
    "analyse": Session.analyse,
    "score": Session.score,
    "review": Session.review,
    "tree": Session.tree,
    "step": Session.step,
    "load": Session.load,
    "export": Session.export,
    "store": Session.store,
    "training": Session.training,
    "bots": Session.bots,
    "compare": Session.compare,
    "compare_stop": Session.compare_stop,
    "stored": Session.stored,
    "class": Session.class_view,
    "class_act": Session.class_act,
}
