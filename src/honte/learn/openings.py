"""Opening books, grown by our own searches: Othello, and what all of them share.

Each position of a book has been expanded: its moves are known, and what they lead to has been
searched or expanded in turn. Values are backed up by minimax. What is expanded next is the position
that the least loss leads to: what either side gives away on the way there, and something for each
ply (after Lincke's drop-out expansion, 2000).

Everything is kept in a work file, so a run that was stopped goes on from there.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import honte
from honte.search.openings import PASS, Book, key_of
from honte.search.patterns import Patterns

BATCH = 8
"""Positions expanded between two looks at the whole book."""


class Grower:
    """A book while it grows. Positions are named by their keys, as the side to move sees them."""

    ply: float
    """What a ply costs when the next position to expand is chosen."""
    deepest: int
    """The most plies from the start."""

    def __init__(self, work: Path, start: str, effort: tuple[str, int]) -> None:
        self._work = work
        self._start = start
        self._effort = effort
        self.searched: dict[str, float] = {}  # for the side to move
        self.moves: dict[str, dict[int, str]] = {}  # of what is expanded
        if work.exists():
            kept = json.loads(work.read_text())
            name, wanted = effort
            if kept[name] != wanted:
                raise ValueError(f"{work} was searched with {name} {kept[name]}, not {wanted}")
            self.searched = kept["searched"]
            self.moves = {
                key: {int(move): after for move, after in moves.items()}
                for key, moves in kept["moves"].items()
            }

    def expand(self, key: str) -> None:
        """Find the `moves` of a position, and what each leads to as `searched`."""
        raise NotImplementedError

    def save(self) -> None:
        name, effort = self._effort
        kept = {name: effort, "searched": self.searched, "moves": self.moves}
        beside = self._work.with_name(self._work.name + ".new")
        beside.write_text(json.dumps(kept))
        beside.replace(self._work)

    def grow(self, positions: int, tell: Callable[[str, int, int], None]) -> None:
        """Expand until so many positions are."""
        while len(self.moves) < positions:
            tell("positions", len(self.moves), positions)
            chosen = self._choose(min(BATCH, positions - len(self.moves)))
            if not chosen:
                return
            for key in chosen:
                self.expand(key)
            self.save()

    def values(self) -> dict[str, float]:
        """What every position is worth to the side to move, the searches backed up."""
        values = dict(self.searched)
        # What has fewer empty cells comes first, and of as many, what is not a pass.
        for key in sorted(self.moves, key=lambda key: (empties(key), PASS in self.moves[key])):
            values[key] = max(-values[after] for after in self.moves[key].values())
        return values

    def can_grow(self, key: str) -> bool:
        """Whether a position that is searched can be expanded."""
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
        """What a book says of how it was grown."""
        return {self._effort[0]: self._effort[1], "searched": len(self.searched)}


def empties(key: str) -> int:
    return key.count("-") + key.count(".")


class OthelloGrower(Grower):
    """The book of 8×8 Othello: all moves of a position are searched to a fixed depth."""

    ply = 0.5  # discs
    deepest = 24

    def __init__(self, work: Path, depth: int) -> None:
        self.game = honte.game("othello")
        super().__init__(work, key_of(self.game.start())[0], ("depth", depth))
        self._limit = honte.Limit(depth=depth)
        self._search = Patterns(self.game, book=False)

    def expand(self, key: str) -> None:
        state = self.game.from_text(f"{key} X")
        moves = {}
        for move in state.legal_moves():
            after = state.play(move)
            if after.is_over:
                return  # nothing to learn so near the end
            name = key_of(after)[0]
            if name not in self.searched:
                found = self._search.search(after, self._limit)
                self.searched[name] = found.candidates[0].score or 0.0
            moves[move] = name
        self.moves[key] = moves

    def book(self) -> Book:
        values = self.values()
        return Book(
            {
                key: {move: -values[after] for move, after in moves.items()}
                for key, moves in self.moves.items()
            }
        )
