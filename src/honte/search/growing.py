"""Opening books grown by searches, for any game: drop-out expansion (Lincke 2000).

Every position of a book is expanded: its successors are searched or expanded in turn, and values
are backed up by minimax. The next position to expand is the leaf with the least accumulated loss:
the value both sides give up on the way there, plus a cost per ply.

A work file keeps all results, so an interrupted run resumes.
"""

from __future__ import annotations

import heapq
import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

from honte.core.language import Message

BATCH = 8
"""Positions expanded between two minimax passes."""


class Grower(ABC):
    """A growing book. Positions are keyed from the point of view of the side to move."""

    ply: float
    """Cost per ply in the choice of the next position."""
    deepest: int
    """Maximum depth in plies."""
    pass_move: int | None = None
    """The pass, if the game has one."""

    def __init__(self, work: Path, start: str, effort: tuple[str, int]) -> None:
        self._work = work
        self._start = start
        self._effort = effort
        self.searched: dict[str, float] = {}  # for the side to move
        self.moves: dict[str, dict[int, str]] = {}  # of expanded positions
        if work.exists():
            kept = json.loads(work.read_text())
            name, wanted = effort
            if kept[name] != wanted:
                raise ValueError(
                    Message(
                        "{work} was searched with {name} {kept}, not {wanted}",
                        work=work,
                        name=name,
                        kept=kept[name],
                        wanted=wanted,
                    )
                )
            self.searched = kept["searched"]
            self.moves = {
                key: {int(move): after for move, after in moves.items()}
                for key, moves in kept["moves"].items()
            }

    @abstractmethod
    def expand(self, key: str) -> None:
        """Set the `moves` of a position, and the `searched` values of its successors."""

    def save(self) -> None:
        name, effort = self._effort
        kept = {name: effort, "searched": self.searched, "moves": self.moves}
        beside = self._work.with_name(self._work.name + ".new")
        beside.write_text(json.dumps(kept))
        beside.replace(self._work)

    def grow(self, positions: int, tell: Callable[[str, int, int], None]) -> None:
        """Expand until the book has this many positions."""
        while len(self.moves) < positions:
            tell(Message("positions"), len(self.moves), positions)
            chosen = self._choose(min(BATCH, positions - len(self.moves)))
            if not chosen:
                return
            for key in chosen:
                self.expand(key)
            self.save()

    def values(self) -> dict[str, float]:
        """Backed-up values of all positions, for the side to move."""
        values = dict(self.searched)

        def last_first(key: str) -> tuple[int, bool]:
            """Order by empty cells; positions with a pass last among equals."""
            return empties(key), self.pass_move in self.moves[key]

        for key in sorted(self.moves, key=last_first):
            values[key] = max(-values[after] for after in self.moves[key].values())
        return values

    def can_grow(self, key: str) -> bool:
        """Whether a searched position can be expanded."""
        return True

    def _choose(self, count: int) -> list[str]:
        """The positions to expand next."""
        values = self.values()
        if self._start not in self.moves:
            return [self._start]
        queue = [(0.0, self._start, 0)]
        seen: set[str] = set()
        chosen: list[str] = []
        while queue and len(chosen) < count:
            cost, key, ply = heapq.heappop(queue)
            if key in seen:
                continue
            seen.add(key)
            if key not in self.moves:
                if ply <= self.deepest and self.can_grow(key):
                    chosen.append(key)
                continue
            for after in self.moves[key].values():
                loss = values[key] + values[after]
                heapq.heappush(queue, (cost + loss + self.ply, after, ply + 1))
        return chosen

    def about(self) -> dict[str, Any]:
        """Metadata for the book's header."""
        return {self._effort[0]: self._effort[1], "searched": len(self.searched)}


def empties(key: str) -> int:
    return key.count("-") + key.count(".")
