"""Observation and action spaces of PettingZoo and Gymnasium: planes and a mask; a move."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from honte.core.language import Message
from honte.games.native import NativeGame

Observation = dict[str, NDArray[Any]]


def missing(library: str, extra: str) -> ModuleNotFoundError:
    """The error for a library that is not installed."""
    return ModuleNotFoundError(
        Message(
            "this adapter needs {library}; install it with `pip install 'honte[{extra}]'`",
            library=library,
            extra=extra,
        )
    )


def observation_space(game: NativeGame) -> Any:
    """Planes (planes, rows, columns) of zeros and ones, and a mask of the legal actions."""
    from gymnasium.spaces import Box, Dict

    return Dict(
        {
            "observation": Box(0, 1, game.start().planes().shape, np.uint8),
            "action_mask": Box(0, 1, (game.actions,), np.int8),
        }
    )


def action_space(game: NativeGame) -> Any:
    """The moves of the game."""
    from gymnasium.spaces import Discrete

    return Discrete(game.actions)


def observe(state: Any, may_move: bool = True) -> Observation:
    """The position as the side to move sees it; nothing is legal for an agent that may not move."""
    mask = state.legal_mask().astype(np.int8)
    return {"observation": state.planes(), "action_mask": mask if may_move else np.zeros_like(mask)}
