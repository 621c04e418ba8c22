"""HTTP connections with a header time-out and a cap: a silent client cannot block others."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 5.0
"""Time-out of the request line and all headers, from the moment of connecting."""
MOST_REQUESTS = 64
"""Maximum connections besides web sockets; beyond that the oldest is dropped."""


class Connection(H11Protocol):
    """An HTTP connection that is closed when its request does not arrive in time."""

    _timeout: asyncio.TimerHandle | None = None
    _open: dict[Connection, None]

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        # Shared by the connections of one server, oldest first.
        self._open = vars(self.server_state).setdefault("in_order", {})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        while len(self._open) >= MOST_REQUESTS:
            waiting = (one for one in self._open if one.cycle is None)
            oldest = next(waiting, None) or next(iter(self._open))
            del self._open[oldest]
            oldest.transport.abort()
        self._open[self] = None
        self._timeout = self.loop.call_later(HEADER_SECONDS, self._expire)

    def _expire(self) -> None:
        self._timeout = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()

    def _clear_timeout(self) -> None:
        if self._timeout is not None:
            self._timeout.cancel()
            self._timeout = None

    def on_response_complete(self) -> None:
        # Uvicorn's keep-alive time-out ends at the first byte of the next request.
        self._clear_timeout()
        self._timeout = self.loop.call_later(2 * HEADER_SECONDS, self._expire)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._clear_timeout()
        self._open.pop(self, None)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._clear_timeout()
        self._open.pop(self, None)
        super().connection_lost(exc)
