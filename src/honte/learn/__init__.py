"""Learning: weights of evaluations from games, with the error on games held out."""

from collections.abc import Callable

Tell = Callable[[str, int, int], None]
"""Hears of progress: what is being done, how much of it is done, and how much there is."""
