"""Matches, tournaments and ladders: schedules, clocks, the store of games, ratings and reports.

No bot can bring down a run, and a run that was stopped resumes where it was.
"""

from typing import TYPE_CHECKING

from honte.core.lazy import lazy

if TYPE_CHECKING:
    from honte.arena.match import Standing, play_match
    from honte.arena.ratings import Ratings, rate
    from honte.arena.samples import Samples, load_samples
    from honte.arena.single import FinishedGame, play
    from honte.arena.store import Store

__all__ = [
    "FinishedGame",
    "Ratings",
    "Samples",
    "Standing",
    "Store",
    "load_samples",
    "play",
    "play_match",
    "rate",
]

__getattr__ = lazy(
    __name__,
    {
        "FinishedGame": "honte.arena.single:FinishedGame",
        "Ratings": "honte.arena.ratings:Ratings",
        "Samples": "honte.arena.samples:Samples",
        "Standing": "honte.arena.match:Standing",
        "Store": "honte.arena.store:Store",
        "load_samples": "honte.arena.samples:load_samples",
        "play": "honte.arena.single:play",
        "play_match": "honte.arena.match:play_match",
        "rate": "honte.arena.ratings:rate",
    },
)
