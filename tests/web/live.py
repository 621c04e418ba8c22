"""A real server on loopback, and clients for it."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import itertools
import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import uvicorn
from websockets.sync.client import ClientConnection, connect

from honte.web import server
from honte.web.address import bind
from honte.web.classes import ClassServer
from honte.web.engines import Engines

WAIT = 90.0
"""Seconds after which something that should come never comes, on a slow and busy machine."""

TOKEN = "a-token-for-tests"


class LiveServer:
    """A server in a thread of its own."""

    def __init__(
        self,
        token: str | None = None,
        store: Path | None = None,
        classes: ClassServer | None = None,
        training: Path | None = None,
    ) -> None:
        listener = bind("127.0.0.1", 0)
        self.port: int = listener.getsockname()[1]
        self.host = f"127.0.0.1:{self.port}"
        self.origin = f"http://{self.host}"
        self.address = f"{self.origin}/"
        self.engines = Engines()
        self.app: Any = server.make_app(
            "127.0.0.1",
            self.port,
            token,
            store,
            self.engines,
            classes=classes,
            training=training,
        )
        self._server = uvicorn.Server(server.config(self.app))
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._serve, args=(listener,), daemon=True)
        self._thread.start()
        deadline = time.monotonic() + WAIT
        while not self._server.started:
            assert time.monotonic() < deadline, "the server did not start"
            time.sleep(0.01)

    def _serve(self, listener: socket.socket) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_until_complete(self._server.serve(sockets=[listener]))

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join(WAIT)
        assert not self._thread.is_alive(), "the server did not end"

    def status(self) -> list[dict[str, Any]]:
        """What the workers are doing."""
        found = asyncio.run_coroutine_threadsafe(self.engines.status(), self._loop)
        return found.result(WAIT)

    def fetch(
        self, path: str, method: str = "GET", body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """One request over a connection of its own; `host=""` sends no Host."""
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        try:
            connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
            if host := given.pop("host", self.host):
                connection.putheader("Host", host)
            for name, value in given.items():
                connection.putheader(name, value)
            if body is not None and "content-length" not in given:
                connection.putheader("Content-Length", str(len(body)))
            connection.endheaders(body)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, found, answer.read()
        finally:
            connection.close()

    def post(self, path: str, body: Any, **headers: str) -> tuple[int, dict[str, str], bytes]:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        settings = {"content_type": "application/json", "origin": self.origin} | headers
        return self.fetch(path, "POST", data, **settings)

    @contextlib.contextmanager
    def connect(self, query: str = "", **settings: Any) -> Iterator[Client]:
        given: dict[str, Any] = {
            "origin": self.origin,
            "open_timeout": WAIT,
            "max_size": 2**24,
        } | settings
        with connect(f"ws://{self.host}/socket{query}", **given) as line:
            yield Client(line)


class Client:
    """A visitor: requests and answers."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self._ids = itertools.count(1)

    def send(self, do: str, **fields: Any) -> int:
        id = next(self._ids)
        fields = {name.rstrip("_"): value for name, value in fields.items()}
        self.line.send(json.dumps({"id": id, "do": do, **fields}))
        return id

    def receive(self, timeout: float = WAIT) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.line.recv(timeout=timeout))
        return found

    def parts(self, id: int) -> Iterator[dict[str, Any]]:
        """The parts of an answer, including the last; those of other requests are dropped."""
        while True:
            part = self.receive()
            if part["id"] == id:
                yield part
                if part.get("done") is not False:  # `store` has a number there
                    return

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """The last part of the answer."""
        *_, last = self.parts(self.send(do, **fields))
        return last


def until(found: Any, within: float = WAIT) -> float:
    """Wait for a condition; the time it took."""
    began = time.monotonic()
    while not found():
        assert time.monotonic() - began < within, "it did not come true"
        time.sleep(0.02)
    return time.monotonic() - began
