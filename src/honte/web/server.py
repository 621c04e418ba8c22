"""The server of the page: what can be fetched, and how it is started."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import logging
import re
import socket
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote as in_address

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket

from honte import __version__
from honte.web import requests
from honte.web.connections import Connection
from honte.web.engines import Engines
from honte.web.gate import Gate, is_loopback, new_token
from honte.web.socket import House, Visitor
from honte.web.watch import Watch

PAGE = Path(__file__).parent / "page"
PORT = 8000
PORTS_TRIED = 50
BODY_SECONDS = 10.0
KINDS = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
}
SCRIPT = re.compile(rb'<script type="module" src="/static/([^"]+)">')
IMPORT = re.compile(rb'^(?:import|export)\b[^;"]*"\./([^"]+)"', re.M)
PAGES = {"/": "index.html", "/watch": "watch.html"}


@dataclass(frozen=True)
class File:
    """A file of the page as it is sent."""

    kind: str
    plain: bytes
    packed: bytes
    tag: str

    def response(self, request: Request) -> Response:
        headers = {"etag": self.tag, "vary": "accept-encoding"}
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        body = self.plain
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"], body = "gzip", self.packed
        return Response(body, headers=headers | {"content-type": self.kind})


def read_files(folder: Path = PAGE) -> dict[str, File]:
    """The files of the page by the path that they are asked for with; there are no others."""
    found = {}
    for path in sorted(folder.iterdir()):
        kind = KINDS.get(path.suffix)
        if kind is not None and path.is_file():
            data = path.read_bytes()
            if path.suffix == ".html":
                data = with_preloads(data, folder)
            tag = '"' + hashlib.sha256(data).hexdigest()[:16] + '"'
            found[f"/static/{path.name}"] = File(kind, data, gzip.compress(data, 6, mtime=0), tag)
    for address, name in PAGES.items():
        if f"/static/{name}" in found:
            found[address] = found[f"/static/{name}"]
    if "/static/icon.svg" in found:
        found["/favicon.ico"] = found["/static/icon.svg"]
    return found


def with_preloads(page: bytes, folder: Path) -> bytes:
    """A page that names all its modules in its head, so that they are fetched at once.

    Otherwise a browser learns of a module only when it has read those that import it.
    """
    names = [name.decode() for name in SCRIPT.findall(page)]
    for name in names:  # grows while it is read
        source = folder / name
        for found in IMPORT.findall(source.read_bytes()) if source.is_file() else ():
            if found.decode() not in names:
                names.append(found.decode())
    links = "".join(f'<link rel="modulepreload" href="/static/{name}">\n' for name in names)
    return page.replace(b"</head>", links.encode() + b"</head>", 1)


class Site:
    """The routes."""

    def __init__(self, house: House, files: dict[str, File]) -> None:
        self.house = house
        self.files = files

    def app(self, started: Callable[[], None] | None = None) -> Starlette:
        @contextlib.asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            await self.house.engines.start()
            if started is not None:
                asyncio.get_running_loop().call_soon(started)
            yield
            await self.house.engines.close()
            await self.house.watch.close()

        return Starlette(
            routes=[
                Route("/health", self.health, methods=["GET"]),
                Route("/load", self.load, methods=["POST"]),
                WebSocketRoute("/socket", self.socket),
                Route("/{path:path}", self.file, methods=["GET"]),
            ],
            lifespan=lifespan,
            exception_handlers={HTTPException: in_words, Exception: in_words},
        )

    async def file(self, request: Request) -> Response:
        if request.scope["path"] == "/load":
            raise HTTPException(405)
        file = self.files.get(request.scope["path"])
        if file is None:
            raise HTTPException(404, "there is no such page here; start at /")
        return file.response(request)

    async def health(self, request: Request) -> Response:
        found = {"version": __version__, "visitors": len(self.house.visitors)}
        return JSONResponse(found)

    async def load(self, request: Request) -> Response:
        """`load` for what does not fit into a frame."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != "application/json":
            raise HTTPException(415, "send JSON, with its content type")
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await read_body(request)
        except TimeoutError:
            raise HTTPException(408, "the request did not come in time; send it again") from None
        try:
            asked = requests.convert(requests.decode(body), requests.Load, "load")
            return JSONResponse(await self.house.load(asked.text, asked.game))
        except ValueError as error:
            raise HTTPException(400, str(error)) from None

    async def socket(self, socket: WebSocket) -> None:
        await Visitor(socket, self.house).serve()


async def read_body(request: Request) -> bytes:
    """The body, if it is not too large."""
    too_large = HTTPException(413, f"send at most {requests.MOST_BODY // 1024} KiB")
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and len(length) < 20 and int(length) > requests.MOST_BODY:
        raise too_large
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > requests.MOST_BODY:
            raise too_large
    return bytes(body)


async def in_words(request: Request, error: Exception) -> Response:
    """Every error as one sentence; nothing of ours shows in it."""
    if not isinstance(error, HTTPException):
        return JSONResponse({"error": "something went wrong here; try again"}, 500)
    words = error.detail
    if error.status_code == 405:
        words = "this address is not for that method"
    headers = dict(error.headers or {})
    if error.status_code in (408, 413, 415):
        headers["connection"] = "close"  # the rest of the body is not worth reading
    return JSONResponse({"error": words}, error.status_code, headers)


def make_app(
    host: str,
    port: int,
    token: str | None,
    store: str | Path | None = None,
    engines: Engines | None = None,
    started: Callable[[], None] | None = None,
) -> ASGIApp:
    """The whole application, its gate in front."""
    house = House(engines or Engines(), Watch(store))
    return Gate(Site(house, read_files()).app(started), host, port, token)


def bind(host: str, port: int | None) -> socket.socket:
    """A socket to listen on: at the port asked for, else the first free one from 8000 on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bare = host.strip("[]")
    reason = ""
    for candidate in [port] if port is not None else range(PORT, PORT + PORTS_TRIED):
        # Named TCP, so that asyncio sends small answers at once: they waited 40 ms otherwise.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((bare, candidate))
            listener.listen(128)
            listener.setblocking(False)
            return listener
        except (OSError, OverflowError) as error:
            listener.close()
            reason = getattr(error, "strerror", None) or str(error)
            if not isinstance(error, OSError) or error.errno not in (98, 48, 10048):
                break  # another port would not help
    where = f"{host} port {port}" if port is not None else host
    raise ValueError(f"the server cannot listen on {where} ({reason}); give another with --port")


def address(host: str, port: int, token: str | None, path: str = "/", fragment: str = "") -> str:
    """Where the page is, for a browser."""
    bare = host.strip("[]")
    if bare in ("0.0.0.0", "::", ""):
        bare = socket.gethostname()
    shown = f"[{bare}]" if ":" in bare else bare
    query = f"?token={token}" if token else ""
    return f"http://{shown}:{port}{path}{query}" + (f"#{fragment}" if fragment else "")


def fragment(**fields: str | None) -> str:
    """What the page reads behind the # of its address."""
    return "&".join(
        f"{key}={in_address(value, safe=':,=/+')}" for key, value in fields.items() if value
    )


def run(
    host: str = "127.0.0.1",
    port: int | None = None,
    *,
    store: str | Path | None = None,
    path: str = "/",
    behind: str = "",
    opened: Callable[[str], None],
) -> None:
    """Serve until Ctrl-C. `opened` gets the address as soon as the page can be fetched."""
    listener = bind(host, port)
    token = None if is_loopback(host) else new_token()
    number = listener.getsockname()[1]
    where = address(host, number, token, path, behind)
    app = make_app(host, number, token, store, started=lambda: opened(where))
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    server = uvicorn.Server(config(app))
    try:
        server.run(sockets=[listener])
    except SystemExit as error:  # uvicorn's, when it could not start
        if error.code:
            print("honte: the server could not start", file=sys.stderr)
        raise


def config(app: ASGIApp) -> uvicorn.Config:
    """How uvicorn is to behave."""
    settings: dict[str, Any] = {
        "http": Connection,
        "ws": "websockets-sansio",
        "ws_max_size": requests.MOST_FRAME,
        "ws_max_queue": 16,
        "ws_ping_interval": 20.0,
        "ws_ping_timeout": 20.0,
        "ws_per_message_deflate": False,
        "lifespan": "on",
        "log_config": None,
        "access_log": False,
        "server_header": False,
        "timeout_keep_alive": 5,
        "timeout_graceful_shutdown": 1,
        "h11_max_incomplete_event_size": 16 * 1024,
        "loop": "asyncio",
        "proxy_headers": False,
    }
    return uvicorn.Config(app, **settings)
