"""One server for the tests of a file: it starts in a moment, but its workers do not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.live import TOKEN, Client, LiveServer


@pytest.fixture(scope="module")
def served() -> Iterator[LiveServer]:
    server = LiveServer()
    yield server
    server.close()


@pytest.fixture(scope="module")
def guarded() -> Iterator[LiveServer]:
    """A server that asks for `TOKEN`."""
    server = LiveServer(token=TOKEN)
    yield server
    server.close()


@pytest.fixture
def client(served: LiveServer) -> Iterator[Client]:
    with served.connect() as visitor:
        yield visitor
