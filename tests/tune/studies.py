"""Study files, for the tests of everything that runs them."""

from __future__ import annotations

GENETIC = """
game = "othello"
engine = "alphabeta:depth=2"
[parameters.weights]
free = ["squares", "mobility"]
low = -300
high = 300
[optimiser]
name = "genetic"
preset = "report"
population = 16
generations = GENERATIONS
[verify]
games = GAMES
opening_plies = 6
"""


def genetic(generations: int, games: int) -> str:
    """A genetic search for weights, and a match of this length to verify its answer."""
    return GENETIC.replace("GENERATIONS", str(generations)).replace("GAMES", str(games))
