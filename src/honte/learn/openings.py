"""An opening book for Othello, grown by our own searches.

Each position of the book has been expanded: all its moves are known, and what they lead to has
been searched to a fixed depth or expanded in turn. Values are backed up by minimax. What is
expanded next is the position that the least loss leads to: the discs that either side gives away
on the way there, and half a disc for each ply (after Lincke's drop-out expansion, 2000).

Everything is kept in a work file, so a run that was stopped goes on from there.
"""

from __future__ import annotations

import heapq
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import honte
from honte.games.contract import State
from honte.search.openings import PASS, Book, key_of
from honte.search.patterns import Patterns

PLY = 0.5
"""Discs that a ply costs when the next position to expand is chosen."""
DEEPEST = 24
BATCH = 8
"""Positions expanded between two looks at the whole book."""


class Grower:
    """A book while it grows."""

    def __init__(self, work: Path, depth: int) -> None:
        self.game = honte.game("othello")
        self.depth = depth
        self._work = work
        self._search = Patterns(self.game, book=False)
        self.searched: dict[str, float] = {}  # for the side to move
        self.moves: dict[str, dict[int, str]] = {}  # of what is expanded
        if work.exists():
            kept = json.loads(work.read_text())
            if kept["depth"] != depth:
                raise ValueError(f"{work} was searched to depth {kept['depth']}, not {depth}")
            self.searched = kept["searched"]
            self.moves = {
                key: {int(move): after for move, after in moves.items()}
                for key, moves in kept["moves"].items()
            }

    def save(self) -> None:
        kept = {"depth": self.depth, "searched": self.searched, "moves": self.moves}
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
                self._expand(key)
            self.save()

    def _state(self, key: str) -> State:
        return self.game.from_text(f"{key} X")

    def _expand(self, key: str) -> None:
        state = self._state(key)
        moves = {}
        for move in state.legal_moves():
            after = state.play(move)
            if after.is_over:
                return  # nothing to learn so near the end
            name = key_of(after)[0]
            if name not in self.searched:
                found = self._search.search(after, honte.Limit(depth=self.depth))
                self.searched[name] = found.candidates[0].score or 0.0
            moves[move] = name
        self.moves[key] = moves

    def values(self) -> dict[str, float]:
        """What every position is worth to the side to move, the searches backed up."""
        values = dict(self.searched)
        # What has fewer empty cells comes first, and of as many, what is not a pass.
        backwards = sorted(self.moves, key=lambda key: (key.count("-"), PASS in self.moves[key]))
        for key in backwards:
            values[key] = max(-values[after] for after in self.moves[key].values())
        return values

    def _choose(self, count: int) -> list[str]:
        """The positions to expand next."""
        values = self.values()
        start = key_of(self.game.start())[0]
        if start not in self.moves:
            return [start]
        queue = [(0.0, start, 0)]
        seen: set[str] = set()
        chosen: list[str] = []
        while queue and len(chosen) < count:
            cost, key, ply = heapq.heappop(queue)
            if key in seen:
                continue
            seen.add(key)
            if key not in self.moves:
                if ply <= DEEPEST:
                    chosen.append(key)
                continue
            for after in self.moves[key].values():
                loss = values[key] + values[after]
                heapq.heappush(queue, (cost + loss + PLY, after, ply + 1))
        return chosen

    def book(self) -> Book:
        values = self.values()
        return Book(
            {
                key: {move: -values[after] for move, after in moves.items()}
                for key, moves in self.moves.items()
            }
        )

    def about(self) -> dict[str, Any]:
        return {"depth": self.depth, "searched": len(self.searched)}
