"""Alpha-beta over open lines and threats: its evaluation, its values, its limits."""

from __future__ import annotations

import random
import threading

import pytest

import honte
from honte.core.contract import State
from honte.games.connect4.alphabeta import SURE, WON, Lines
from tests.search.positions import random_state

BOARDS = (
    "connect4:rows=4,cols=4",
    "connect4:rows=5,cols=5,blocked=4/2+1/1",
    "connect4:rows=6,cols=4,inarow=3,blocked=3/0",
    "connect4:rows=4,cols=6,inarow=5",
    "connect4:rows=9,cols=9,blocked=5/4",
    "connect4:rows=12,cols=12,blocked=11/3",
    "connect4:rows=16,cols=16,blocked=11/3+2/2",
)


def wins(state: State) -> bool:
    return any(state.play(move).winner is not None for move in state.legal_moves())


def decided(state: State) -> int | None:
    """An immediate win, or a loss whatever is played."""
    if state.is_over:
        return 0 if state.winner is None else -WON
    if wins(state):
        return WON - 1
    after = [state.play(move) for move in state.legal_moves()]
    return -(WON - 2) if all(not next.is_over and wins(next) for next in after) else None


def static(game: honte.Game, state: State) -> int:
    """Line by line, and threat by threat."""
    rows, cols, inarow = game.rows, game.cols, game.inarow  # type: ignore[attr-defined]
    cells = state.cells()  # type: ignore[attr-defined]
    total = sum(cell != 3 for cell in cells)
    worth = [0, 0]
    threats: list[set[tuple[int, int]]] = [set(), set()]
    for row in range(rows):
        for col in range(cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + i * down, col + i * right) for i in range(inarow)]
                if not all(0 <= r < rows and 0 <= c < cols for r, c in line):
                    continue
                held = [cells[r * cols + c] for r, c in line]
                for player in (0, 1):
                    if set(held) <= {0, player + 1}:
                        lacking = held.count(0)
                        worth[player] += {1: 16, 2: 4, 3: 1}.get(lacking, 0) * (lacking < inarow)
                        if lacking == 1:
                            threats[player].add(line[held.index(0)])
    for player in (0, 1):
        for row, col in threats[player]:
            above = sum(cells[r * cols + col] != 3 for r in range(row))
            worth[player] += 64 if (total + above + 1) % 2 == player else 16
    return worth[state.to_move] - worth[1 - state.to_move]


def minimax(game: honte.Game, state: State, depth: int) -> int:
    """Every move is looked at; one without an alternative costs no depth."""
    known = decided(state)
    if known is not None:
        return known
    if depth == 0:
        return static(game, state)
    after = [state.play(move) for move in state.legal_moves()]
    quiet = sum(next.is_over or not wins(next) for next in after)
    values = [-minimax(game, next, depth - (quiet > 1)) for next in after]
    best = max(values)
    return best - 1 if best > SURE else best + 1 if best < -SURE else best


@pytest.mark.parametrize("spec", BOARDS)
def test_the_evaluation_counts_open_lines_and_threats(spec: str) -> None:
    game = honte.game(spec)
    rng = random.Random(spec)
    search = Lines(game, memory_mb=1)
    seen = set()
    for _ in range(40):
        state = random_state(game, rng, rng.randrange(2, 12))
        known = decided(state)
        assert search.evaluate(state) == (static(game, state) if known is None else known)
        seen.add(known is None)
    assert True in seen


@pytest.mark.parametrize("spec", BOARDS[:5])
def test_its_values_are_those_of_plain_minimax(spec: str) -> None:
    game = honte.game(spec)
    rng = random.Random(spec)
    for _ in range(12):
        state = random_state(game, rng, rng.randrange(0, 9))
        depth = rng.randrange(1, 4 if game.cols < 9 else 3)  # type: ignore[attr-defined]
        search = Lines(game, memory_mb=1)
        report = search.search(state, honte.Limit(depth=depth))
        expected = minimax(game, state, depth)
        value = search._native.report()["value"]
        if abs(expected) > SURE:  # what is decided needs no more depth
            assert abs(value) > SURE
        assert value == expected, f"depth {depth}\n{state}"
        chosen = -minimax(game, state.play(report.move), depth - 1)
        if report.depth == depth and abs(expected) < SURE and len(report.candidates) > 1:
            quiet = [m for m in state.legal_moves() if not wins(state.play(m))]
            assert len(quiet) == 1 or chosen == expected


def test_an_immediate_win_and_a_lost_root() -> None:
    game = honte.game("connect4")
    win = game.from_text("......./......./......./X....../X.....O/X..OOOX X")
    report = Lines(game).search(win, honte.Limit(depth=8))
    assert (game.format(report.move), report.proven, report.distance) == ("1", "win", 1)
    lost = game.from_text("......./......./......./......./X.X..../X.OOO.. X")
    report = Lines(game).search(lost, honte.Limit(depth=8))
    assert report.proven == "loss"
    assert game.format(report.move) in "26"


def test_it_keeps_its_time_and_can_be_stopped() -> None:
    game = honte.game("connect4:rows=12,cols=12,blocked=5/5")
    search = Lines(game)
    for seconds in (0.2, 1, 4):  # more only where a busy machine took it away
        report = search.search(game.start(), honte.Limit(seconds=seconds))
        assert report.stopped == "time"
        if report.depth >= 4:
            break
    assert report.depth >= 4
    assert report.pv[0] == report.move == report.candidates[0].move
    token = honte.CancelToken()
    timer = threading.Timer(0.2, token.cancel)
    timer.start()
    request = honte.Request(game.start(), limit=honte.Limit(depth=100), cancel=token)
    assert search.run(request).stopped == "cancelled"
    timer.join()


def test_the_settings_of_the_other_game_are_refused() -> None:
    for spec, game in (
        ("alphabeta:eval=weights", "connect4"),
        ("alphabeta:eval=lines", "othello"),
        ("alphabeta:prune=no", "connect4"),
    ):
        with pytest.raises(ValueError, match="alphabeta"):
            honte.player(spec, honte.game(game))


def test_it_beats_chance() -> None:
    game = honte.game("connect4:rows=9,cols=10,blocked=3/4")
    rng = random.Random(2)
    player = honte.player("alphabeta:depth=2", game)
    for side in (0, 1):
        state: State = game.start()
        while not state.is_over:
            if state.to_move == side:
                state = state.play(player.choose(state).move)
            else:
                state = state.play(rng.choice(state.legal_moves()))
        assert state.winner == side
