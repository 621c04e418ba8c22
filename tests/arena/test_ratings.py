"""Ratings: they recover the strengths behind simulated games, and agree with other programs."""

from __future__ import annotations

import math
import random

import pytest

from honte.arena.ratings import Game, rate
from honte.arena.statistics import CONFIDENCE, SCALE


def simulate(
    draw: random.Random, truth: list[float], rounds: int, first: float = 0, drawn: float | None = 0
) -> list[Game]:
    """A round robin between known strengths, in Elo; ``drawn`` is Davidson's d."""
    games = []
    for one in range(len(truth)):
        for two in range(len(truth)):
            for _ in range(rounds if one != two else 0):
                x = (truth[one] - truth[two] + first) / SCALE
                win, loss = math.exp(x / 2), math.exp(-x / 2)
                tie = 0 if drawn is None else math.exp(drawn)
                at = draw.random() * (win + loss + tie)
                games.append((one, two, 1 if at < win else -1 if at < win + loss else 0))
    return games


def test_simulated_strengths_are_recovered_within_their_errors() -> None:
    draw = random.Random(11)
    inside = total = 0
    firsts = draws = 0
    for _ in range(12):
        truth = [draw.gauss(0, 150) for _ in range(10)]
        truth = [value - sum(truth) / 10 for value in truth]
        found = rate(10, simulate(draw, truth, 6, first=40, drawn=-0.5))
        inside += sum(
            abs(a - b) <= e for a, b, e in zip(found.elo, truth, found.errors, strict=True)
        )
        firsts += abs(found.first - 40) <= found.first_error
        draws += abs(found.draw - math.exp(-0.5) / (2 + math.exp(-0.5))) < 0.06
        total += 10
    assert 0.89 <= inside / total <= 0.99, "95 % intervals"
    assert firsts >= 9
    assert draws >= 11


# Wins of the row's player over the column's, and the ratings of choix 0.4.1 (opt_pairwise and
# ilsr_pairwise agree).
WINS = (
    (0, 15, 5, 20, 8, 21),
    (15, 0, 1, 28, 7, 22),
    (25, 29, 0, 29, 20, 27),
    (10, 2, 1, 0, 1, 18),
    (22, 23, 10, 29, 0, 30),
    (9, 8, 3, 12, 0, 0),
)
CHOIX = (-0.21313, -0.09407, 1.83719, -1.37025, 1.21051, -1.37025)


def test_ratings_agree_with_choix_on_its_model() -> None:
    games = [(i, j, 1) for i in range(6) for j in range(6) for _ in range(WINS[i][j])]
    found = rate(6, games, prior=None, first_mover=False)
    for ours, theirs in zip(found.elo, CHOIX, strict=True):
        assert ours / SCALE == pytest.approx(theirs, rel=1e-4)


def test_two_players_get_the_elo_of_their_score() -> None:
    """Three of four without draws is 191 Elo; the weak prior takes off a little."""
    won = [1, 1, 1, -1]
    found = rate(
        2, [(0, 1, won[n % 4]) for n in range(100)] + [(1, 0, -won[n % 4]) for n in range(100)]
    )
    difference, error = found.difference(0, 1)
    assert difference == pytest.approx(191, abs=4)
    assert error == pytest.approx(CONFIDENCE * SCALE / (200 * 0.75 * 0.25) ** 0.5, rel=0.05)
    assert found.elo[0] == -found.elo[1] == pytest.approx(difference / 2)


def test_draws_are_rated_though_the_first_mover_never_wins() -> None:
    found = rate(2, [(one, 1 - one, won) for one in (0, 1) for won in (0, -1)] * 20)
    assert found.difference(0, 1)[0] == pytest.approx(0, abs=1e-6)
    assert found.first < -100
    assert found.draw > 0.5


def test_a_player_who_wins_everything_is_far_ahead_but_not_infinitely() -> None:
    games = [(0, 1, 1), (1, 0, -1)] * 10 + [(1, 2, 1), (2, 1, 1)] * 10
    found = rate(3, games)
    assert 300 < found.elo[0] - found.elo[1] < 1500
    assert found.errors[0] > 200


def test_players_who_never_met_keep_wide_errors() -> None:
    even = [(one, two, won) for one, two in ((0, 1), (1, 0), (2, 3), (3, 2)) for won in (1, -1)]
    found = rate(4, even * 25)
    assert found.difference(0, 1)[1] < 100 < 1000 < found.difference(0, 2)[1]


def test_without_games_nobody_is_ahead() -> None:
    found = rate(3, [])
    assert found.elo == [0, 0, 0]
    assert all(error > 500 for error in found.errors)
