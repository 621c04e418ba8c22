"""How our engine spends the time that GTP gives it."""

from __future__ import annotations

import pytest

from honte.protocols.engine_clock import Clock, thinking_time


@pytest.mark.parametrize("seconds", [0.05, 0.2, 1, 3, 60])
def test_a_margin_is_kept(seconds: float) -> None:
    assert 0 < thinking_time(seconds) < seconds
    assert thinking_time(seconds) >= 0.3 * seconds


@pytest.mark.parametrize("main", [1, 10, 60, 1800])
@pytest.mark.parametrize("moves", [10, 60, 150])
def test_absolute_time_lasts_for_a_game_longer_than_expected(main: int, moves: int) -> None:
    clock, left = Clock(), float(main)
    clock.set(main, 0, 0)
    for ply in range(2 * moves):
        spent = clock.allowance(0, max(moves - ply, 5)) * 1.05
        left -= spent
        clock.spent(0, spent)
    assert left > 0


def test_a_period_is_shared_by_its_stones() -> None:
    clock = Clock()
    clock.set(0, 30, 10)
    assert 2 < clock.allowance(0, 40) < 3
    clock.left(0, 10, 10)
    assert clock.allowance(0, 40) < 1
    clock.left(0, 10, 1)
    assert 9 < clock.allowance(0, 40) < 10


@pytest.mark.parametrize(("main", "time", "stones"), [(0, 5, 1), (2, 5, 1), (10, 20, 5)])
def test_canadian_time_is_never_passed_though_nobody_tells_it(
    main: int, time: int, stones: int
) -> None:
    clock = Clock()
    clock.set(main, time, stones)
    main_left, period, left = float(main), float(time), stones
    for _ in range(100):
        spent = clock.allowance(1, 30)
        clock.spent(1, spent)
        if main_left > 0:
            main_left -= spent
            if main_left > 0:
                continue
            spent = -main_left
        period, left = period - spent, left - 1
        assert period > 0
        if left == 0:
            period, left = float(time), stones


def test_no_stones_means_no_limit() -> None:
    clock = Clock()
    clock.set(600, 30, 0)
    assert not clock.runs
    clock.set(600, 30, 5)
    assert clock.runs
    clock.set(0, 0, 0)
    assert not clock.runs


def test_a_new_game_has_all_its_time_again() -> None:
    clock = Clock()
    clock.set(100, 0, 0)
    before = clock.allowance(0, 30)
    clock.spent(0, 60)
    assert clock.allowance(0, 30) < before
    clock.restart()
    assert clock.allowance(0, 30) == before
