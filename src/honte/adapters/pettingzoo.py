"""Our games as PettingZoo environments for two agents that take turns (AEC).

>>> from honte.adapters import pettingzoo
>>> env = pettingzoo.env("othello")
>>> env.reset(seed=1)
>>> for agent in env.agent_iter(max_iter=4):
...     seen, reward, terminated, truncated, info = env.last()
...     env.step(env.action_space(agent).sample(seen["action_mask"]))
>>> env.unwrapped.position.to_move, seen["observation"].shape
(0, (6, 8, 8))

An action is a move of the game. Observations show the position from the side to move. The rewards
of a won game are 1 and −1, of a draw 0; an illegal action ends the game with −1 for its agent.
"""

from __future__ import annotations

from typing import Any

from honte.adapters.spaces import Observation, action_space, missing, observation_space, observe
from honte.core.contract import Game
from honte.games.batch import one_board
from honte.games.native import NativeGame

try:
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ModuleNotFoundError:
    raise missing("PettingZoo", "rl") from None

AGENTS = ("player_0", "player_1")
"""The first moves first; with a handicap the second does."""


class BoardGame(AECEnv):  # type: ignore[misc]
    """A game for two agents; `env` adds PettingZoo's usual wrappers."""

    def __init__(self, game: NativeGame, render_mode: str | None = None) -> None:
        super().__init__()
        self.game = game
        self.position = game.start()
        """The state of the game."""
        self.render_mode = render_mode
        self.metadata = {
            "name": f"honte_{game.name}",
            "render_modes": ["ansi", "human"],
            "is_parallelizable": False,
        }
        self.possible_agents = list(AGENTS)
        self._seen = {agent: observation_space(game) for agent in AGENTS}
        self._actions = {agent: action_space(game) for agent in AGENTS}

    def observation_space(self, agent: str) -> Any:
        return self._seen[agent]

    def action_space(self, agent: str) -> Any:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.position = self.game.start()
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos = {agent: dict[str, Any]() for agent in AGENTS}
        self.agent_selection = AGENTS[self.position.to_move]

    def observe(self, agent: str) -> Observation:
        return observe(self.position, agent == self.agent_selection)

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.position = self.position.play(action)
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if self.position.is_over:
            self.terminations = dict.fromkeys(AGENTS, True)
            winner = self.position.winner
            if winner is not None:
                self.rewards = {AGENTS[winner]: 1, AGENTS[1 - winner]: -1}
        self.agent_selection = AGENTS[self.position.to_move]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        if self.render_mode == "ansi":
            return str(self.position)
        print(self.position)
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to release."""


def env(game: str | Game, render_mode: str | None = None) -> Any:
    """The environment of a game, by its spec."""
    made: Any = BoardGame(one_board(game), render_mode)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)
