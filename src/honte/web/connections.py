"""Connections with a clock and a bound: somebody who sends nothing keeps nobody else out."""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_SECONDS = 5.0
"""For a whole request line with its headers, from the first moment."""
MOST_REQUESTS = 64
"""Connections that are no sockets of visitors; past that the oldest is dropped."""


class Connection(H11Protocol):
    """An HTTP connection that is dropped when its request does not come."""

    _patience: asyncio.TimerHandle | None = None
    _open: dict[Connection, None]

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        # Shared by the connections of one server, in the order of their coming.
        self._open = vars(self.server_state).setdefault("in_order", {})

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        while len(self._open) >= MOST_REQUESTS:
            waiting = (one for one in self._open if one.cycle is None)
            oldest = next(waiting, None) or next(iter(self._open))
            del self._open[oldest]
            oldest.transport.abort()
        self._open[self] = None
        self._patience = self.loop.call_later(HEADER_SECONDS, self._give_up)

    def _give_up(self) -> None:
        self._patience = None
        if self.cycle is None or self.cycle.response_complete:
            self.transport.abort()

    def _settle(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
            self._patience = None

    def on_response_complete(self) -> None:
        # Until the next request uvicorn's own clock runs, but it stops at the first byte.
        self._settle()
        self._patience = self.loop.call_later(2 * HEADER_SECONDS, self._give_up)
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._settle()
        self._open.pop(self, None)
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._settle()
        self._open.pop(self, None)
        super().connection_lost(exc)
