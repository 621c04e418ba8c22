"""One server for the tests of a file: it starts in a moment, but its workers do not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.web.house import Served, Visit


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    house = Served()
    yield house
    house.close()


@pytest.fixture
def visit(served: Served) -> Iterator[Visit]:
    with served.visit() as visitor:
        yield visitor
