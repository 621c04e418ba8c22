"""The interface of every search: `Request` in, `Report` out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from honte.core.contract import State
from honte.core.language import Message
from honte.core.report import Report
from honte.core.request import Limit, Request


class Search(ABC):
    """A search of positions of one game."""

    settings: Mapping[str, Any] = MappingProxyType({})
    """The value in use of each setting, the game's defaults included."""

    @abstractmethod
    def run(self, request: Request) -> Report:
        """Search a position within the request's limit."""

    def search(
        self,
        state: State,
        limit: Limit | None = None,
        on_progress: Callable[[Report], None] | None = None,
    ) -> Report:
        """Search a position within a limit."""
        if state.is_over:
            raise ValueError(
                Message("the game is over in this position; there is no move to choose")
            )
        return self.run(Request(state, limit=limit, on_progress=on_progress))

    files: tuple[Path, ...] = ()
    """Files outside the package that decide how it searches."""
    has_tree = False
    """Whether `look` can inspect a tree."""

    def look(self, moves: list[int]) -> Report | None:
        """The tree's statistics after these moves from the last searched position, or None."""
        return None

    def forget(self) -> None:  # noqa: B027  (not every search has state)
        """Clear tree and tables."""


def limit_of(request: Request) -> Limit:
    """The limit of a request; an unbounded one by default."""
    return request.limit or Limit()
