"""Matches, tournaments and ladders: schedules, clocks, the store of games, ratings and reports.

No bot can bring down a run, and a run that was stopped resumes where it was.
"""

from typing import TYPE_CHECKING

from honte.core.descriptor import load

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

_MODULES = {
    "FinishedGame": "single",
    "Ratings": "ratings",
    "Samples": "samples",
    "Standing": "match",
    "Store": "store",
    "load_samples": "samples",
    "play": "single",
    "play_match": "match",
    "rate": "ratings",
}


def __getattr__(name: str) -> object:
    """What is used from outside, imported when it is first asked for."""
    if name not in _MODULES:
        raise AttributeError(f"module 'honte.arena' has no attribute {name!r}")
    return load(f"honte.arena.{_MODULES[name]}:{name}")
