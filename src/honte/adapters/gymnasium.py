"""Our games as Gymnasium environments: one agent against any player.

>>> from honte.adapters import gymnasium
>>> env = gymnasium.env("go:size=9", opponent="level:20", side=0)
>>> seen, info = env.reset(seed=1)
>>> seen, reward, terminated, truncated, info = env.step(40)
>>> int(seen["observation"][env.unwrapped.game.planes.index("other")].sum())    # its reply
1

An action is a move of the game. The reward is 1 for a win, −1 for a loss, 0 otherwise. An illegal
action loses the game at once, and ``info["illegal"]`` says why it is illegal.
"""

from __future__ import annotations

from typing import Any

from honte.adapters.spaces import Observation, action_space, missing, observation_space, observe
from honte.arena.identity import seeded
from honte.core.contract import Game
from honte.core.language import Message
from honte.core.player import Player
from honte.core.request import Limit, Request
from honte.games.batch import one_board
from honte.games.native import NativeGame

try:
    import gymnasium
except ModuleNotFoundError:
    raise missing("Gymnasium", "rl") from None

LIMIT = Limit(seconds=0.1)
"""Limit per move of an opponent without a limit of its own."""


class AgainstPlayer(gymnasium.Env):  # type: ignore[misc]
    """A game against one player; made by `env`."""

    metadata = {"render_modes": ["ansi", "human"], "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game: NativeGame,
        opponent: str | Player,
        side: int | None,
        limit: Limit,
        render_mode: str | None,
    ) -> None:
        if side not in (None, 0, 1):
            raise ValueError(
                Message("side is 0, 1, or None for a side at random, not {side}", side=side)
            )
        self.game = game
        self.position = game.start()
        """The state of the game."""
        self.side = side or 0
        """The side of the agent in this game."""
        self.render_mode = render_mode
        self.observation_space = observation_space(game)
        self.action_space = action_space(game)
        self._wanted_side, self._limit = side, limit
        self._spec = opponent if isinstance(opponent, str) else None
        self._opponent = opponent if isinstance(opponent, Player) else None
        self._moves: list[int] = []
        if self._spec is not None:
            self._opponent = seeded(self._spec, game, 0)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        if seed is not None and self._spec is not None:
            self.close()
            self._opponent = seeded(self._spec, self.game, int(self.np_random.integers(2**31)))
        elif self._opponent is not None:
            self._opponent.new_game()
        drawn = int(self.np_random.integers(2))
        self.side = drawn if self._wanted_side is None else self._wanted_side
        self.position, self._moves = self.game.start(), []
        self._reply()
        return observe(self.position), {}

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if not self.position.is_legal(action):
            reason = str(self.game.illegal(self.position, int(action)))
            return observe(self.position, False), -1.0, True, False, {"illegal": reason}
        self._play(int(action))
        self._reply()
        winner = self.position.winner
        reward = 0.0 if winner is None else 1.0 if winner == self.side else -1.0
        if self.render_mode == "human":
            self.render()
        return observe(self.position), reward, self.position.is_over, False, {}

    def _reply(self) -> None:
        """Let the opponent move until it is the agent's turn, or the game is over."""
        while not self.position.is_over and self.position.to_move != self.side:
            assert self._opponent is not None
            request = Request(self.position, history=tuple(self._moves), limit=self._limit)
            self._play(self._opponent.choose(request).move)

    def _play(self, move: int) -> None:
        self.position = self.position.play(move)
        self._moves.append(move)

    def render(self) -> str | None:
        if self.render_mode == "ansi":
            return str(self.position)
        print(self.position)
        return None

    def close(self) -> None:
        if self._spec is not None and self._opponent is not None:
            self._opponent.close()
            self._opponent = None


def env(
    game: str | Game,
    opponent: str | Player = "random",
    *,
    side: int | None = None,
    limit: Limit = LIMIT,
    render_mode: str | None = None,
) -> AgainstPlayer:
    """A game against a player: any spec that `honte.player` takes, or a player.

    The agent plays side 0 or 1; by default a random side in each game. The seed of `reset` decides
    the side and, if the opponent takes a seed, its moves.
    """
    return AgainstPlayer(one_board(game), opponent, side, limit, render_mode)
