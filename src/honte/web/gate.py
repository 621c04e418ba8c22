"""Access control: checks before every request, security headers on every answer.

Another page in the same browser must not be able to read anything from this server or to trigger
anything. `Host` must be a name that we answer to (DNS rebinding), `Origin` must be ours on every
socket and POST, and off loopback everything needs a token. When a class is served, people sign in
instead: the scope holds the signed-in person as ``person``.
"""

from __future__ import annotations

import contextlib
import hmac
import socket
from collections.abc import Callable
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import JSONResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "cache-control": "no-cache",
}
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
CLOSED = 1008
"""The close code for a policy violation."""
SIGN_IN = "/class"
OPEN = (SIGN_IN, "/class/me", "/class/sign-in", "/health")
"""Paths that a class serves without signing in."""
KEPT = 180 * 86400
"""Seconds that a browser keeps the sign-in cookie."""

Who = Callable[[str], Any]
"""Maps a code to its person; None if it is unknown."""


def names_of(host: str) -> list[str]:
    """The accepted `Host` headers, without the port, for a server bound to `host`."""
    bare = host.strip("[]")
    names = list(LOOPBACK_NAMES)
    if bare in ("0.0.0.0", "::", ""):
        names += [socket.gethostname(), *_own_addresses()]
    elif bare not in names:
        names.append(f"[{bare}]" if ":" in bare else bare)
    return [name.lower() for name in dict.fromkeys(names)]


def _own_addresses() -> list[str]:
    """This machine's addresses, as others see them."""
    found = []
    with contextlib.suppress(OSError):
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    for family, probe in ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1")):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as out:
                out.connect((probe, 9))  # sends nothing: asks which address would be used
                address = out.getsockname()[0]
                found.append(f"[{address}]" if ":" in address else address)
        except OSError:
            continue
    return found


class Gate:
    """Middleware that refuses requests from other origins, for other hosts or without the token."""

    def __init__(
        self,
        app: ASGIApp,
        host: str,
        port: int,
        token: str | None = None,
        public: str | None = None,
        who: Who | None = None,
    ) -> None:
        self.app = app
        self.who = who
        names = {f"{name}:{port}" for name in names_of(host)}
        if port == 80:
            names |= set(names_of(host))
        self.origins = {name: f"http://{name}" for name in names}
        if public is not None:  # what a reverse proxy passes on
            self.origins[public.partition("://")[2]] = public
        self.secure = "; Secure" if public is not None and public.startswith("https:") else ""
        self.token = token
        self.cookie = f"honte-{port}"  # cookies know no ports, so the name has to

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is not None:
            await _refuse(scope, receive, send, *refusal)
            return
        if self.who is not None:
            scope["person"] = self.who(self._cookie(Headers(scope=scope)))
            if scope["person"] is None and not is_open(scope["path"]):
                await self._ask_to_sign_in(scope, receive, send)
                return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if self.token is not None and _token_in_address(scope):
                    headers.append(
                        "set-cookie",
                        f"{self.cookie}={self.token}; Path=/; HttpOnly; SameSite=Strict"
                        f"{self.secure}",
                    )
                code = scope.get("signed_in")
                if code is not None:
                    headers.append("set-cookie", self._kept(code))
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Why a request is refused; None if it is not."""
        headers = Headers(scope=scope)
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or hosts[0].lower() not in self.origins:
            return 421, "this server does not go by that name; use the address it printed"
        is_socket = scope["type"] == "websocket"
        reads = not is_socket and scope["method"] in ("GET", "HEAD")
        ours = self.origins[hosts[0].lower()]
        if (origins or not reads) and [origin.lower() for origin in origins] != [ours]:
            return 403, "this request comes from another page; open the page of this server"
        if self.token is not None and not self._has_token(scope, headers):
            return 403, "the token is missing; use the whole address that the server printed"
        return None

    def _kept(self, code: str) -> str:
        """The sign-in cookie for a code; an empty code deletes it."""
        age = KEPT if code else 0
        return (
            f"{self.cookie}={code}; Path=/; Max-Age={age}; HttpOnly; SameSite=Strict{self.secure}"
        )

    async def _ask_to_sign_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["method"] == "GET" and "." not in scope["path"]:
            await RedirectResponse(SIGN_IN, 303, HEADERS)(scope, receive, send)
            return
        await _refuse(scope, receive, send, 403, "sign in first, at /class")

    def _cookie(self, headers: Headers) -> str:
        try:
            found = SimpleCookie(headers.get("cookie", "")[:4096]).get(self.cookie)
        except CookieError:
            found = None
        return found.value if found is not None else ""

    def _has_token(self, scope: Scope, headers: Headers) -> bool:
        given = _token_in_address(scope) or self._cookie(headers)
        return hmac.compare_digest(given.encode(), (self.token or "").encode())


def is_open(path: str) -> bool:
    """Whether a class serves a path without signing in: the sign-in page, and its files."""
    return path in OPEN or path.startswith("/static/")


def _token_in_address(scope: Scope) -> str:
    query = bytes(scope.get("query_string", b""))[:1000].decode("latin-1")
    try:
        found = parse_qs(query, max_num_fields=10)
    except ValueError:
        return ""
    return found.get("token", [""])[0]


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, words: str) -> None:
    if scope["type"] == "websocket":  # closed before it is accepted: the browser sees a 403
        await receive()
        await send({"type": "websocket.close", "code": CLOSED})
        return
    await JSONResponse({"error": words}, status, HEADERS)(scope, receive, send)
