"""The listening socket of the page and its address for a browser.

It listens before anything else of the server is loaded, so that the browser can start meanwhile:
its first request waits in the socket.
"""

from __future__ import annotations

import ipaddress
import os
import re
import secrets
import socket
import sys
from dataclasses import dataclass
from urllib.parse import quote as in_address
from urllib.parse import urlsplit

from honte.core.language import Message
from honte.core.messages import quote

PORT = 8000
PORTS_TRIED = 50
TOKEN = "HONTE_TOKEN"
"""Environment variable with the token of a server that keeps it across restarts."""


@dataclass(frozen=True)
class Endpoint:
    """A listening socket and its access token."""

    listener: socket.socket
    host: str
    token: str | None
    """Required of every client if other machines can connect."""
    public: str | None = None
    """Public address of the server behind a reverse proxy: ``https://honte.example.org``."""

    @property
    def port(self) -> int:
        number: int = self.listener.getsockname()[1]
        return number

    def page(self, path: str) -> str:
        """The URL of a page for people without a token."""
        if self.public is not None:
            return f"{self.public}{path}"
        return address(self.host, self.port, None, path)

    def address(self, path: str = "/", fragment: str = "") -> str:
        """The URL of a page of the server."""
        if self.public is not None:
            return f"{self.public}{path}?token={self.token}" + (f"#{fragment}" if fragment else "")
        return address(self.host, self.port, self.token, path, fragment)


def listen(host: str, port: int | None, public: str | None = None) -> Endpoint:
    """Start listening; with a token unless only this machine can connect."""
    origin = None if public is None else origin_of(public)
    token = None if is_loopback(host) and origin is None else own_token()
    return Endpoint(bind(host, port), host, token, origin)


def own_token() -> str:
    """The token from the environment, or a new one."""
    given = os.environ.get(TOKEN)
    if given is None:
        return secrets.token_urlsafe(18)
    if not re.fullmatch(r"[A-Za-z0-9_-]{16,128}", given):
        raise ValueError(Message("{token} must be 16 to 128 letters, digits, - and _", token=TOKEN))
    return given


def origin_of(public: str) -> str:
    """The origin of a public address.

    >>> origin_of("https://Honte.example.org/")
    'https://honte.example.org'
    """
    parts = urlsplit(public)
    if parts.scheme not in ("http", "https") or not parts.netloc or parts.path not in ("", "/"):
        raise ValueError(
            Message("{public} is no address like https://honte.example.org", public=quote(public))
        )
    return f"{parts.scheme}://{parts.netloc}".lower()


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def bind(host: str, port: int | None) -> socket.socket:
    """A listening socket: on the requested port, else on the first free one from 8000 on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bare = host.strip("[]")
    reason = ""
    for candidate in [port] if port is not None else range(PORT, PORT + PORTS_TRIED):
        # With IPPROTO_TCP asyncio disables Nagle's algorithm: small answers waited 40 ms otherwise.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        if sys.platform != "win32":  # there it would take a port that is in use
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((bare, candidate))
            listener.listen(128)
            listener.setblocking(False)
            return listener
        except (OSError, OverflowError) as error:
            listener.close()
            reason = (isinstance(error, OSError) and error.strerror) or str(error)
            if not isinstance(error, OSError) or error.errno not in (98, 48, 10048):
                break  # another port would not help
    where = f"{host} port {port}" if port is not None else host
    raise ValueError(
        Message(
            "the server cannot listen on {where} ({reason}); give another with --port",
            where=where,
            reason=reason,
        )
    )


def address(host: str, port: int, token: str | None, path: str = "/", fragment: str = "") -> str:
    """The URL of the page."""
    bare = host.strip("[]")
    if bare in ("0.0.0.0", "::", ""):
        bare = socket.gethostname()
    shown = f"[{bare}]" if ":" in bare else bare
    query = f"?token={token}" if token else ""
    return f"http://{shown}:{port}{path}{query}" + (f"#{fragment}" if fragment else "")


def fragment(**fields: str | None) -> str:
    """The fragment of the URL, from which the page reads the game to begin with."""
    return "&".join(
        f"{key}={in_address(value, safe=':,=/+')}" for key, value in fields.items() if value
    )
