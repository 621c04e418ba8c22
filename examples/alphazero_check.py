"""Check the network of alphazero.py: against random moves, and against the solver.

    python examples/alphazero_check.py [SIMULATIONS]     for every move, 100 by default

1,000 positions of random games with at least 12 stones: how often the chosen move is the solver's
best (it wins as fast or loses as late as can be), and how often it keeps the result. Plain UCT,
with playouts in place of the network, has the same number of simulations.
"""  # fmt: skip

import random
import sys
from collections.abc import Callable

import numpy as np
from alphazero import learned  # type: ignore[import-not-found]

import honte
from honte.search.solver import solver_of

GAME = honte.game("connect4")
Choose = Callable[[honte.State], int]


def random_position(draw: random.Random) -> honte.State:
    while True:
        state = GAME.start()
        for _ in range(draw.randrange(12, 42)):
            if not state.is_over:
                state = state.play(draw.choice(state.legal_moves()))
        if not state.is_over:
            return state


def against_random(choose: Choose, games: int, draw: random.Random) -> float:
    points = 0.0
    for game in range(games):
        state = GAME.start()
        while not state.is_over:
            mine = state.to_move == game % 2
            state = state.play(choose(state) if mine else draw.choice(state.legal_moves()))
        points += 0.5 if state.winner is None else state.winner == game % 2
    return points / games


def player(simulations: int, **settings: object) -> Choose:
    uct = honte.search.Uct(GAME, **settings)
    return lambda state: uct.search(state, honte.Limit(iterations=simulations)).move


def main(simulations: int) -> None:
    draw = random.Random(1)
    positions = [random_position(draw) for _ in range(1000)]
    solver = solver_of(GAME)
    solved = [solver.solve(state, all_moves=True, line=False).moves for state in positions]
    scores = [{found.move: found.low for found in moves} for moves in solved]
    most = [max(score.values()) for score in scores]
    players = {
        "network, its first choice": player(1, evaluator=learned, forced=False),
        f"network, {simulations} simulations": player(simulations, evaluator=learned),
        f"plain UCT, {simulations} simulations": player(simulations, playout="uniform"),
    }
    print(f"{'':32}{'against random':>16}{'best move':>12}{'best result':>14}")
    for name, choose in players.items():
        won = against_random(choose, 200, random.Random(2))
        values = [score[choose(state)] for state, score in zip(positions, scores, strict=True)]
        best, kept = np.equal(values, most).mean(), np.equal(np.sign(values), np.sign(most)).mean()
        print(f"{name:32}{won:>16.1%}{best:>12.1%}{kept:>14.1%}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100)
