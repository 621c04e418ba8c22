"""Many games in lockstep, for programs that learn: ``honte.batch``.

>>> import honte
>>> games = honte.batch("connect4", 4096)
>>> games.legal_mask().shape, games.planes().shape
((4096, 7), (4096, 10, 6, 7))
>>> rewards, ends = games.step(games.random_actions())
>>> int(ends.sum()), games.to_move[:3].tolist()
(0, [1, 1, 1])

An action is a move: the same number that ``state.play`` takes. The arrays that `legal_mask`,
`planes`, `to_move` and `scores` give are the batch's own memory and change with the next step; copy
what you keep. Any DLPack consumer takes them as they are: ``torch.from_dlpack``.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from honte.core.contract import Game, IllegalMove
from honte.core.games import game as game_from_spec
from honte.core.games import settings_of
from honte.core.language import Message
from honte.core.messages import quote
from honte.games.native import NativeGame
from honte.games.symmetry import Symmetry

MOST_GAMES = 1_000_000


class Step(NamedTuple):
    """The outcome of a step, for each game."""

    rewards: NDArray[np.float32]
    """For the side that moved: 1 if the game ended and it won, −1 if it lost, 0 otherwise."""
    ends: NDArray[np.bool_]
    """Whether the game is over."""


class Batch:
    """Games of one kind on one board, stepped together; made by `batch`.

    ``games[i]`` is the position of a game, and ``games[i] = state`` sets it.
    """

    def __init__(self, game: NativeGame, count: int, *, auto_reset: bool = True, seed: int = 0):
        self.game = game
        self.auto_reset = auto_reset
        self._state_class = type(game.start())
        self._native = game.make_batch(count, auto_reset, _seed(seed))
        self._mask: NDArray[np.bool_] = self._native.legal_mask()
        self.to_move: NDArray[np.int8] = self._native.to_move()
        """The side to move in each game, 0 or 1."""
        self.scores: NDArray[np.float32] = self._native.scores()
        """The final score, for player 0, of each game that the last step ended; 0 elsewhere."""

    def __len__(self) -> int:
        return len(self._native)

    def legal_mask(self) -> NDArray[np.bool_]:
        """Which actions are legal: (games, actions). No copy."""
        return self._mask

    def planes(self) -> NDArray[np.uint8]:
        """The positions as ``state.planes()`` shows them: (games, planes, rows, columns). No copy.

        The first call after a step computes them.
        """
        found: NDArray[np.uint8] = self._native.planes()
        return found

    def step(self, actions: ArrayLike) -> Step:
        """Play one action in each game; return rewards and ends.

        A game that ends starts again at once, unless the batch was made with ``auto_reset=False``:
        then it stays finished and its actions are ignored. If an action is illegal, nothing is
        played in any game.
        """
        chosen = np.asarray(actions)
        if chosen.shape != (len(self),):
            raise ValueError(
                Message(
                    "a step takes {count} actions, one for each game, not an array of shape "
                    "{shape}",
                    count=len(self),
                    shape=chosen.shape,
                )
            )
        if chosen.dtype.kind not in "iu":
            raise ValueError(
                Message("actions are whole numbers, not {kind}", kind=str(chosen.dtype))
            )
        rewards, ends = np.empty(len(self), np.float32), np.empty(len(self), np.bool_)
        wrong = self._native.step(np.ascontiguousarray(chosen, np.int64), rewards, ends)
        if wrong >= 0:
            action = int(chosen[wrong])
            raise IllegalMove(
                Message(
                    "action {action} in game {number}: {reason}",
                    action=action,
                    number=wrong,
                    reason=str(self.game.illegal(self[wrong], action)),
                )
            )
        return Step(rewards, ends)

    def random_actions(self) -> NDArray[np.int64]:
        """A uniformly random legal action for each game; −1 where a game is over."""
        actions = np.empty(len(self), np.int64)
        self._native.choose_random(actions)
        return actions

    def reset(self, seed: int | None = None) -> None:
        """Restart every game; a seed also restarts the sequence of random actions."""
        self._native.reset()
        if seed is not None:
            self._native.seed(_seed(seed))

    def symmetries(self) -> tuple[Symmetry, ...]:
        """The symmetries of the batch's planes, masks and policies: see `Symmetry`.

        >>> import honte
        >>> games = honte.batch("connect4", 2)
        >>> mirror = games.symmetries()[1]
        >>> mirror.planes(games.planes()).shape, mirror.policy(games.legal_mask()).shape
        ((2, 10, 6, 7), (2, 7))
        """
        return self.game.symmetries()

    def __getitem__(self, index: int) -> Any:
        return self._native.state(self._index(index))

    def __setitem__(self, index: int, state: Any) -> None:
        place = self._index(index)
        if not isinstance(state, self._state_class) or state.game != self.game:
            raise ValueError(
                Message(
                    "a batch of {spec} takes positions of this game only, not {given}",
                    spec=self.game.spec,
                    given=quote(state.game.spec if isinstance(state, self._state_class) else state),
                )
            )
        if self.auto_reset and state.is_over:
            raise ValueError(
                Message("this position is over; a batch with auto_reset=False takes such positions")
            )
        if state.game is not self.game:
            state = self.game.unpickled(*state.game.pickled(state))
        self._native.set(place, state)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"honte.batch({self.game.spec!r}, {len(self)})"

    def _index(self, given: int) -> int:
        index = operator.index(given)
        found = index + len(self) if index < 0 else index
        if not 0 <= found < len(self):
            raise IndexError(
                Message(
                    "the batch has {count} games; there is no {index}", count=len(self), index=index
                )
            )
        return found


def batch(game: str | Game, count: int, *, auto_reset: bool = True, seed: int = 0) -> Batch:
    """Games in lockstep, on one board.

    >>> import honte
    >>> games = honte.batch("othello", 1000, seed=7)
    >>> finished = 0
    >>> for _ in range(60):
    ...     rewards, ends = games.step(games.random_actions())
    ...     finished += int(ends.sum())
    >>> finished > 100
    True
    """
    found = one_board(game)
    if not 1 <= operator.index(count) <= MOST_GAMES:
        raise ValueError(
            Message("a batch has 1 to {most:,} games, not {count}", most=MOST_GAMES, count=count)
        )
    return Batch(found, operator.index(count), auto_reset=auto_reset, seed=seed)


def one_board(game: str | Game) -> NativeGame:
    """The game of a spec for a learner, which needs a single board and native rules."""
    if isinstance(game, str):
        found, settings = game_from_spec(game), settings_of(game)
        drawn = found.descriptor.drawn
        if drawn is not None and drawn(settings) and "seed" not in settings:
            raise ValueError(
                Message(
                    "{spec} draws a board for each game, and a learner needs one board; choose "
                    "one: {spec},seed=1",
                    spec=game,
                )
            )
    else:
        found = game
    if not isinstance(found, NativeGame):
        raise ValueError(
            Message("{name} has no native rules, which learners need", name=found.name)
        )
    return found


def _seed(given: int) -> int:
    return operator.index(given) % 2**64
