"""SPRT: its error rates hold on simulated matches."""

from __future__ import annotations

import random

import pytest

from honte.arena.sprt import Sprt, llr, parse
from honte.arena.statistics import expected


def decide(draw: random.Random, elo: float, test: Sprt, draws: float) -> str:
    """Simulate a match of a known strength until the test decides."""
    wins = (expected(elo) - draws / 2) / (1 - draws)

    def game() -> int:
        return 0 if draw.random() < draws else 1 if draw.random() < wins else -1

    while not test.verdict:
        test.add(game(), game())
    return test.verdict


def error_rate(model: str, truth: str, trials: int, seed: int) -> float:
    draw = random.Random(seed)
    wrong = 0
    for number in range(trials):
        test = Sprt(0, 60, model)
        wrong += decide(draw, 60 if truth == "H1" else 0, test, 0.3 * (number % 2)) != truth
    return wrong / trials


@pytest.mark.parametrize("model", ["paired", "trinomial"])
@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_the_wrong_claim_is_accepted_in_at_most_5_percent(model: str, truth: str) -> None:
    # 60 matches are too few to tell 5 % from 8 %: allow three standard errors.
    assert error_rate(model, truth, 60, 2) <= 0.05 + 3 * (0.05 * 0.95 / 60) ** 0.5


@pytest.mark.long
@pytest.mark.parametrize("model", ["paired", "trinomial"])
@pytest.mark.parametrize("truth", ["H0", "H1"])
def test_the_wrong_claim_is_accepted_in_at_most_5_percent_of_many(model: str, truth: str) -> None:
    assert error_rate(model, truth, 3000, 5) <= 0.05 + (0.05 * 0.95 / 3000) ** 0.5


def test_the_ratio_of_two_fixed_chances_is_exact_where_there_are_only_wins_and_losses() -> None:
    """With two outcomes a mean leaves one distribution, and the ratio is a plain sum of logs."""
    import math

    by_hand = 60 * math.log(0.6 / 0.5) + 40 * math.log(0.4 / 0.5)
    assert llr([40, 60], 0.5, 0.6) == pytest.approx(by_hand, abs=1e-6)


@pytest.mark.parametrize("model", ["paired", "trinomial"])
def test_before_the_first_game_the_ratio_is_0(model: str) -> None:
    assert Sprt(0, 20, model).llr == 0


def test_equal_evidence_for_both_decides_nothing() -> None:
    test = Sprt(-30, 30)
    for _ in range(300):
        test.add(1, -1)
        test.add(0, 0)
    assert test.llr == pytest.approx(0, abs=1e-6)
    assert test.verdict == ""


def test_pairs_that_cancel_out_tell_the_paired_test_more() -> None:
    """Won as first, lost as second, every time: only the pairs show how small the variance is."""
    paired, single = Sprt(0, 20), Sprt(0, 20, "trinomial")
    for number in range(400):
        for test in (paired, single):
            test.add(1, 1 if number % 10 == 0 else -1)
    assert paired.llr > 2 * single.llr > 0


@pytest.mark.parametrize(
    "text", ["", "5", "a,b", "30,0", "0,0", "nan,1", "0,inf", "1,2,3", "0,5000"]
)
def test_what_is_no_test_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"SPRT|--sprt"):
        parse(text)
