"""Searches for every game: native UCT, textbook UCT, minimax, and the players around them.

Game-specific parts (playouts, priors, solvers) come from the game's folder.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from honte.core.lazy import lazy

if TYPE_CHECKING:
    from honte.search.batch import Found, SearchBatch
    from honte.search.evaluator import Batch, EvaluatorError
    from honte.search.uct import Uct

__all__ = ["Batch", "EvaluatorError", "Found", "SearchBatch", "Uct"]

# They need NumPy, which most programs do not.
__getattr__ = lazy(
    __name__,
    {
        "Batch": "honte.search.evaluator:Batch",
        "EvaluatorError": "honte.search.evaluator:EvaluatorError",
        "Found": "honte.search.batch:Found",
        "SearchBatch": "honte.search.batch:SearchBatch",
        "Uct": "honte.search.uct:Uct",
    },
)
