"""The server of the page: what can be fetched, and how it is started."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import logging
import re
import sys
from collections.abc import AsyncIterator, Awaitable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
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
from honte.web.address import Endpoint
from honte.web.connections import Connection
from honte.web.engines import Engines
from honte.web.gate import Gate
from honte.web.peer import is_own_user
from honte.web.position import Json
from honte.web.session import TEACHER_ONLY, AppState, Session
from honte.web.training import Training
from honte.web.uploads import NOT_LOCAL, NOTHING, Uploads
from honte.web.watch import Watch

if TYPE_CHECKING:
    from honte.web.classes import ClassServer

PAGE = Path(__file__).parent / "page"
BODY_SECONDS = 10.0
NO_CLASS = "no class is served here; start at /"
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
PAGES = {
    "/": "index.html",
    "/watch": "watch.html",
    "/bots": "bots.html",
    "/training": "training.html",
}
CLASS_PAGES = {"/class": "class.html", "/projector": "projector.html"}
"""Pages that exist only when a class is served."""


@dataclass(frozen=True)
class File:
    """A file of the page as it is sent."""

    kind: str
    plain: bytes
    tag: str
    forever: bool = False
    """Its URL contains its version, so a browser may cache it forever."""

    @cached_property
    def packed(self) -> bytes:
        """Compressed when first asked for: all files at once would delay the first page."""
        return gzip.compress(self.plain, 6, mtime=0)

    def response(self, request: Request) -> Response:
        headers = {"etag": self.tag, "vary": "accept-encoding"}
        if self.forever:
            headers["cache-control"] = "private, max-age=31536000, immutable"
        if self.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        body = self.plain
        if "gzip" in request.headers.get("accept-encoding", ""):
            headers["content-encoding"], body = "gzip", self.packed
        return Response(body, headers=headers | {"content-type": self.kind})


def read_files(folder: Path = PAGE) -> dict[str, File]:
    """The files of the page by their URL path; nothing else is served.

    The pages request ``/static/VERSION/NAME``, and so do imports of modules: a new version of any
    file is a new version of all.
    """
    found = {}
    paths = [path for path in sorted(folder.iterdir()) if path.suffix in KINDS and path.is_file()]
    version = digest(b"".join(path.read_bytes() for path in paths))
    for path in paths:
        kind, data = KINDS[path.suffix], path.read_bytes()
        if path.suffix == ".html":
            data = with_preloads(data, folder).replace(b"/static/", f"/static/{version}/".encode())
        file = File(kind, data, f'"{digest(data)}"')
        found[f"/static/{path.name}"] = file
        found[f"/static/{version}/{path.name}"] = replace(file, forever=True)
    for address, name in (PAGES | CLASS_PAGES).items():
        if f"/static/{name}" in found:
            found[address] = found[f"/static/{name}"]
    return found


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def with_preloads(page: bytes, folder: Path) -> bytes:
    """A page with modulepreload links to all its modules, so that they are fetched at once.

    Otherwise a browser discovers a module only when it has read those that import it.
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
    """The routes of the application."""

    def __init__(self, state: AppState, files: dict[str, File]) -> None:
        self.state = state
        self.files = files

    def app(self) -> Starlette:
        @contextlib.asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            await self.state.engines.start()
            if self.state.classes is not None:
                await self.state.classes.start()
            yield
            if self.state.classes is not None:
                await self.state.classes.close()
            await self.state.engines.close()
            await self.state.watch.close()
            await self.state.uploads.close()

        return Starlette(
            routes=[
                Route("/health", self.health, methods=["GET"]),
                Route("/load", self.load, methods=["POST"]),
                Route("/export", self.export, methods=["POST"]),
                Route("/upload", self.upload, methods=["POST"]),
                Route("/class/me", self.me, methods=["GET"]),
                Route("/class/sign-in", self.sign_in, methods=["POST"]),
                Route("/class/sign-out", self.sign_out, methods=["POST"]),
                Route("/class/export.{form}", self.class_export, methods=["GET"]),
                WebSocketRoute("/socket", self.socket),
                Route("/{path:path}", self.file, methods=["GET"]),
            ],
            lifespan=lifespan,
            exception_handlers={HTTPException: error_response, Exception: error_response},
        )

    async def file(self, request: Request) -> Response:
        path = request.scope["path"]
        if path in ("/load", "/export", "/upload", "/class/sign-in", "/class/sign-out"):
            raise HTTPException(405)
        if path in CLASS_PAGES and self.state.classes is None:
            raise HTTPException(404, NO_CLASS)
        file = self.files.get(path)
        if file is None:
            raise HTTPException(404, "there is no such page here; start at /")
        return file.response(request)

    async def health(self, request: Request) -> Response:
        found = {"version": __version__, "sessions": len(self.state.sessions)}
        return JSONResponse(found)

    async def load(self, request: Request) -> Response:
        """`load` by POST, for a text that does not fit into a frame."""
        asked = await read_request(request, requests.Load, "load")
        return await answer(self.state.load(asked))

    async def export(self, request: Request) -> Response:
        """`export` by POST, for a game that does not fit into a frame."""
        asked = await read_request(request, requests.Export, "export")
        return await answer(self.state.export(asked))

    async def upload(self, request: Request) -> Response:
        """Take in a bot; `bots` reports its trial."""
        asked = await read_request(request, requests.Upload, "upload", requests.MOST_UPLOAD)
        files = [(file.name, file.data) for file in asked.files]
        try:
            desk = self.state.desk(request.scope.get("person"))
        except ValueError as error:
            raise HTTPException(403, str(error)) from None
        if asked.command:  # it can name files that others may not read
            own = isinstance(desk, Uploads) and await asyncio.to_thread(is_own_user, request.scope)
            if not own:
                raise HTTPException(403, NOT_LOCAL)
            return await answer(self.state.uploads.submit(files, asked.lang, asked.command))
        if not files:
            raise HTTPException(400, NOTHING)
        return await answer(desk.submit(files, asked.lang))

    async def me(self, request: Request) -> Response:
        """Who is signed in to the class; null for nobody."""
        person = request.scope.get("person")
        return JSONResponse({"name": None if person is None else person.name})

    async def sign_in(self, request: Request) -> Response:
        """Sign a person in to the class; the gate keeps the code in a cookie."""
        asked = await read_request(request, requests.SignIn, "sign-in")
        if self.state.classes is None:
            raise HTTPException(404, NO_CLASS)
        try:
            person, code = await self.state.classes.sign_in(asked.code, asked.name)
        except ValueError as error:
            raise HTTPException(403, str(error)) from None
        request.scope["signed_in"] = code
        return JSONResponse({"name": person.name, "teaches": person.teaches, "code": code})

    async def sign_out(self, request: Request) -> Response:
        request.scope["signed_in"] = ""
        return JSONResponse({})

    async def class_export(self, request: Request) -> Response:
        """The table of the class, or all its games."""
        person, classes = request.scope.get("person"), self.state.classes
        if classes is None or person is None or not person.teaches:
            raise HTTPException(403, TEACHER_ONLY)
        from honte.classroom import export

        form = request.path_params["form"]
        if form not in export.KINDS:
            raise HTTPException(404, f"the formats are {', '.join(export.KINDS)}")
        data = await asyncio.to_thread(export.write, classes.classroom, form)
        name = in_address(f"{classes.classroom.name}.{form}")
        headers = {"content-disposition": f"attachment; filename*=UTF-8''{name}"}
        return Response(data, headers=headers | {"content-type": export.KINDS[form]})

    async def socket(self, socket: WebSocket) -> None:
        await Session(socket, self.state).serve()


async def read_request(
    request: Request, kind: type[requests.Request], do: str, most: int = requests.MOST_BODY
) -> Any:
    """The fields of a POST request."""
    content = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content != "application/json":
        raise HTTPException(415, "send JSON, with its content type")
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body = await read_body(request, most)
    except TimeoutError:
        raise HTTPException(408, "the request did not come in time; send it again") from None
    try:
        return requests.convert(requests.decode(body), kind, do)
    except ValueError as error:
        raise HTTPException(400, str(error)) from None


async def answer(found: Awaitable[Json]) -> Response:
    """The response to a POST request, or a sentence that says what was wrong."""
    try:
        return JSONResponse(await found)
    except ValueError as error:
        raise HTTPException(400, str(error)) from None


async def read_body(request: Request, most: int) -> bytes:
    """The body, if it is not too large."""
    too_large = HTTPException(413, f"send at most {most // 1024} KiB")
    length = request.headers.get("content-length", "0")
    if length.isdecimal() and len(length) < 20 and int(length) > most:
        raise too_large
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise too_large
    return bytes(body)


async def error_response(request: Request, error: Exception) -> Response:
    """Every error as one sentence, with no internals in it."""
    if not isinstance(error, HTTPException):
        return JSONResponse({"error": "something went wrong here; try again"}, 500)
    words = error.detail
    if error.status_code == 405:
        words = "this address is not for that method"
    headers = dict(error.headers or {})
    if error.status_code in (408, 413, 415):
        headers["connection"] = "close"  # the rest of the body is not read
    return JSONResponse({"error": words}, error.status_code, headers)


def make_app(
    host: str,
    port: int,
    token: str | None,
    store: str | Path | None = None,
    engines: Engines | None = None,
    public: str | None = None,
    classes: ClassServer | None = None,
    training: Path | None = None,
) -> ASGIApp:
    """The whole application behind its gate."""
    local = host in ("127.0.0.1", "localhost", "::1") and public is None
    uploads = Uploads(local=local)
    state = AppState(engines or Engines(), Watch(store), uploads, classes, Training(training))
    who = None if classes is None else classes.person_of
    if classes is not None:
        token = None  # people sign in instead
        classes.on_code = state.sign_out
    return Gate(Site(state, read_files()).app(), host, port, token, public, who)


def run(
    endpoint: Endpoint,
    store: str | Path | None = None,
    classes: ClassServer | None = None,
    training: Path | None = None,
) -> None:
    """Serve until Ctrl-C."""
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    place = (endpoint.host, endpoint.port, endpoint.token)
    app = make_app(*place, store, public=endpoint.public, classes=classes, training=training)
    server = uvicorn.Server(config(app))
    try:
        server.run(sockets=[endpoint.listener])
    except SystemExit as error:  # uvicorn's, when it could not start
        if error.code:
            print("honte: the server could not start", file=sys.stderr)
        raise


def config(app: ASGIApp) -> uvicorn.Config:
    """The settings of uvicorn."""
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
        "log_level": "error",  # malformed requests must not flood the terminal
        "access_log": False,
        "server_header": False,
        "timeout_keep_alive": 5,
        "timeout_graceful_shutdown": 1,
        "h11_max_incomplete_event_size": 16 * 1024,
        "loop": "asyncio",
        "proxy_headers": False,
    }
    return uvicorn.Config(app, **settings)
