"""Self-play data, read back: ``honte.arena.load_samples(folder)``."""

from __future__ import annotations

import json
import zipfile
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honte.arena.selfplay import ABOUT, FORMAT, POSITION
from honte.core.contract import State
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.games.batch import batch

Array = NDArray[Any]
AT_ONCE = 4096
"""Games replayed in lockstep."""
NAMES = ("positions", "policy", "games", "specs", "openings")


@dataclass(frozen=True)
class Samples:
    """Positions of self-play in NumPy, in the order of the games."""

    about: dict[str, Any]
    """The settings that generated them."""
    game: Array
    """Game number of each position."""
    ply: Array
    """Moves played before the position, including the opening."""
    to_move: Array
    move: Array
    """The move that was played."""
    value: Array
    """Value of the search, −1 to 1 for the side to move."""
    proven: Array
    """1, 0 or −1 for the side to move where the search proved the result; 2 elsewhere."""
    result: Array
    """1, 0 or −1: the result of the game for the side to move."""
    score: Array
    """The final margin for the side to move, in the game's unit."""
    policy: Array
    """(positions, actions): visit shares."""
    games: Array
    seeds: Array
    specs: Array
    openings: Array
    """One row a game: its number, its seed, its rules and its random opening."""

    def __len__(self) -> int:
        return len(self.move)

    @cached_property
    def starts(self) -> Array:
        """The row of the first position of each game, and the number of rows."""
        return np.searchsorted(self.game, [*self.games, self.game[-1] + 1 if len(self) else 0])

    def states(self, index: int) -> list[State]:
        """The positions of one game, in row order."""
        state = self._opened(index)
        found = []
        for move in self.move[self.starts[index] : self.starts[index + 1]].tolist():
            found.append(state)
            state = state.play(move)
        return found

    def planes(self) -> Array:
        """(positions, planes, rows, columns): network input; all games must share one board."""
        if len(boards := set(self.specs.tolist())) != 1:
            raise ValueError(
                Message(
                    "the games are on {count} different boards; take the planes of each state",
                    count=len(boards),
                )
            )
        spec = str(boards.pop())
        shape = batch(spec, 1).planes().shape[1:]
        found = np.empty((len(self), *shape), np.uint8)
        lengths = np.diff(self.starts)
        for first in range(0, len(self.games), AT_ONCE):
            some = np.arange(first, min(first + AT_ONCE, len(self.games)))
            games = batch(spec, len(some), auto_reset=False)
            for place, index in enumerate(some.tolist()):
                if self.openings[index]:
                    games[place] = self._opened(index)
            for ply in range(lengths[some].max(initial=0)):
                going = lengths[some] > ply
                rows = self.starts[some][going] + ply
                found[rows] = games.planes()[going]
                actions = np.zeros(len(some), np.int64)  # padding for finished games
                actions[going] = self.move[rows]
                games.step(actions)
        return found

    def _opened(self, index: int) -> State:
        """The position after the opening of a game."""
        rules = make_game(str(self.specs[index]))
        state = rules.start()
        opening = str(self.openings[index])
        for move in rules.read_moves(opening) if opening else ():
            state = state.play(move)
        return state


def load_samples(folder: str | PathLike[str]) -> Samples:
    """Read the data in a folder, complete or not."""
    path = Path(folder)
    try:
        about = json.loads((path / ABOUT).read_bytes())
    except (OSError, ValueError):
        raise ValueError(
            Message(
                "{folder} holds no self-play data (it has no {about})", folder=path, about=ABOUT
            )
        ) from None
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise ValueError(Message("{folder} was written by another version of Honte", folder=path))
    parts = [_read(file) for file in sorted(path.glob("games-*.npz"))]
    if not parts:
        raise ValueError(Message("{folder} holds no games yet", folder=path))
    found = {name: [part[name] for part in parts] for name in NAMES}
    width = max(policy.shape[1] for policy in found["policy"])
    found["policy"] = [
        policy
        if policy.shape[1] == width
        else np.pad(policy, ((0, 0), (0, width - policy.shape[1])))
        for policy in found["policy"]
    ]
    whole = {name: np.concatenate(arrays) for name, arrays in found.items()}
    positions, games = whole["positions"], whole["games"]
    columns = {name: positions[name] for name in POSITION.names or ()}
    return Samples(
        about, **columns, policy=whole["policy"], games=games["number"], seeds=games["seed"],
        specs=whole["specs"], openings=whole["openings"],
    )  # fmt: skip


def _read(file: Path) -> dict[str, Array]:
    try:
        with np.load(file, allow_pickle=False) as data:
            return {name: data[name] for name in NAMES}
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
        raise ValueError(
            Message("{file} cannot be read: {error}", file=file, error=str(error)[:100])
        ) from None
