"""Searches of many games in lockstep: one call of an evaluator for all."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from honte.core.contract import Game, State
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.search.evaluator import Crossing, Evaluator
from honte.search.uct import Uct

MAX_GAMES = 16_384


class Found(NamedTuple):
    """Search results, one row per game."""

    moves: NDArray[np.int64]
    """The move to play (n,)."""
    policy: NDArray[np.float32]
    """Policy targets (n, moves): visit shares, or the improved policy of a Gumbel root."""
    values: NDArray[np.float32]
    """Values of the positions for the side to move (n,)."""
    visits: NDArray[np.uint32]
    """Visits of each move (n, moves), including those of a reused subtree."""


class SearchBatch:
    """N games, each with its own tree, and one evaluator that sees all their leaves at once.

    The settings are those of `Uct` with an evaluator; ``seed`` is the first game's, and the others
    count on from it.

    >>> import numpy as np
    >>> import honte
    >>> def uniform(batch):
    ...     return batch.legal, np.zeros(len(batch))
    >>> search = honte.search.SearchBatch("connect4", 16, evaluator=uniform, noise=0.25)
    >>> found = search.run(iterations=50)
    >>> found.policy.shape, int(found.visits.sum(axis=1).max())
    ((16, 7), 50)
    >>> over, outcomes = search.advance(found.moves)
    >>> int(over.sum()), search.to_move.tolist() == [1] * 16
    (0, True)
    """

    def __init__(
        self, game: Game | str, games: int, /, *, evaluator: Evaluator | str, **settings: object
    ) -> None:
        self.game = make_game(game) if isinstance(game, str) else game
        if not 1 <= games <= MAX_GAMES:
            raise ValueError(
                Message("a batch has 1 to {most:,} games, not {games}", most=MAX_GAMES, games=games)
            )
        settings.setdefault("memory_mb", min(max(512, 2 * games), 32_000))
        uct = Uct(self.game, evaluator=evaluator, **settings)
        self.settings = uct.settings
        assert uct.evaluator is not None
        self._native: Any = uct.searches(self.game.start(), games)
        self._crossing = Crossing(self._native, uct.evaluator)
        self._games = games

    def __len__(self) -> int:
        return self._games

    def run(self, iterations: int) -> Found:
        """Search every position for this many iterations, fewer if it is proven earlier."""
        if iterations < 1:
            raise ValueError(Message("iterations must be positive, not {n}", n=iterations))
        with self._crossing:
            self._native.plan(iterations)
            while not self._native.is_done():
                self._crossing.step()
            visits, policy, values, moves = self._native.targets()
        return Found(moves, policy, values, visits)

    def advance(self, moves: ArrayLike) -> tuple[NDArray[np.bool_], NDArray[np.int8]]:
        """Play a move in every game and keep its subtree; a finished game starts anew.

        Return which games have ended, and how: 1, 0 or -1 for player 0 (0 if it goes on).
        """
        given = np.asarray(moves)
        if given.shape != (self._games,) or given.dtype.kind not in "iu":
            raise ValueError(
                Message("one move for each of the {n} games, as whole numbers", n=self._games)
            )
        with self._crossing:
            wanted = np.clip(given, -1, 0xFFFF).tolist()  # values outside are no move of any game
            at, over, outcomes = self._native.advance(wanted, self.game.start())
        if at >= 0:
            raise self.game.illegal(self._native.position(at), int(given[at]))
        return over, outcomes

    @property
    def positions(self) -> list[State]:
        """The positions that are searched."""
        return [self._native.position(i) for i in range(self._games)]

    @property
    def planes(self) -> NDArray[np.uint8]:
        """The positions as zeros and ones (n, planes, rows, columns), as an evaluator sees them."""
        planes: NDArray[np.uint8] = self._native.roots()[0].copy()
        return planes

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Whether each move is legal (n, moves)."""
        legal: NDArray[np.bool_] = self._native.roots()[1].copy()
        return legal

    @property
    def iterations(self) -> NDArray[np.int64]:
        """The simulations of each position so far (n,)."""
        return np.array([self._native.iterations(i) for i in range(self._games)], np.int64)

    @property
    def to_move(self) -> NDArray[np.int8]:
        """The side to move in each game (n,)."""
        sides: NDArray[np.int8] = self._native.to_move()
        return sides
