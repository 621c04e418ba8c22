"""Searches that work for every game: native UCT, textbook UCT and minimax, players around them.

What is special about a game (playouts, priors, solvers) comes from the game's folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from honte.search.batch import Found, SearchBatch
    from honte.search.evaluator import Batch, EvaluatorError
    from honte.search.uct import Uct

__all__ = ["Batch", "EvaluatorError", "Found", "SearchBatch", "Uct"]

_PLACES = {
    "Batch": "honte.search.evaluator",
    "EvaluatorError": "honte.search.evaluator",
    "Found": "honte.search.batch",
    "SearchBatch": "honte.search.batch",
    "Uct": "honte.search.uct",
}


def __getattr__(name: str) -> object:
    """Import what needs NumPy when it is first asked for."""
    if name not in _PLACES:
        raise AttributeError(f"module 'honte.search' has no attribute {name!r}")
    from importlib import import_module

    return import_module(_PLACES[name]).__dict__[name]
