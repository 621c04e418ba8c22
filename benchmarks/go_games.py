"""Go self-play: accuracy of the midgame score estimate, and whether resignations are sound.

    python benchmarks/go_games.py [--games 500] [--simulations 100] [--game go:size=9,komi=7]
        [--player uct:net=OTHER.net]

Every game starts from a balanced opening and goes on until both pass, even if one side would have
resigned by the rule of `honte gtp --resign`. Reported are the error of the lead estimated at move
40 against the final score, and the resignations in games that were won in the end.
"""

from __future__ import annotations

import argparse
import statistics
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from typing import Any, NamedTuple

import honte
from honte.arena.openings import after, balanced_opening
from honte.arena.statistics import wilson
from honte.games.go.ownership import ownership
from honte.protocols.gtp_engine import RESIGN_AFTER

TOLD_AT = 40
"""The move after which the lead is compared."""
HOPELESS = -0.95
"""The default of `honte gtp --resign-at`."""


class Finished(NamedTuple):
    moves: int
    score: float
    """Of the first player."""
    lead: float | None
    """What it was said to be at move 40; None where the game was over by then."""
    resigned: list[int]
    """The sides that would have resigned."""


def play(spec: str, player: str, simulations: int, number: int) -> Finished:
    game: Any = honte.game(spec)
    opening = balanced_opening(game, 1, number)
    state: Any = after(game, opening)
    players = [honte.player(player, game, seed=2 * number + side) for side in (0, 1)]
    hopeless, resigned = [0, 0], list[int]()
    lead, moves = None, len(opening)
    while not state.is_over:
        side = state.to_move
        report = players[side].choose(state, iterations=simulations)
        if moves == TOLD_AT and report.score is not None:
            lead = report.score if side == 0 else -report.score
        hopeless[side] = hopeless[side] + 1 if report.value <= HOPELESS else 0
        if hopeless[side] >= RESIGN_AFTER and side not in resigned:
            black = sum(ownership(state)) - game.komi
            if (black if side == 0 else -black) < 0:
                resigned.append(side)
        state = state.play(report.move)
        moves += 1
    for one in players:
        one.close()
    return Finished(moves, state.score, lead, resigned)


def played(given: argparse.Namespace) -> Iterator[Finished]:
    games = given.games
    one = partial(play, given.game, given.player, given.simulations)
    with ProcessPoolExecutor(given.workers) as pool:
        for number, done in enumerate(pool.map(one, range(games)), 1):
            print(f"\r{number} of {games} games", end="", flush=True)
            yield done
    print()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", default="go:size=9,komi=7")
    parser.add_argument("--player", default="best")
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--simulations", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    given = parser.parse_args()
    games = list(played(given))
    errors = [one.score - one.lead for one in games if one.lead is not None]
    first = [one for one in games if one.resigned]
    wrong = [one for one in first if (one.score > 0) == (one.resigned[0] == 0) and one.score != 0]
    print(f"moves a game: {statistics.mean(one.moves for one in games):.1f}")
    if errors:
        size = [abs(error) for error in errors]
        half = 1.96 * statistics.stdev(size) / len(size) ** 0.5
        print(
            f"lead at move {TOLD_AT}, {len(errors)} games: mean error {statistics.mean(size):.2f}"
        )
        print(f"  ± {half:.2f} points, median {statistics.median(size):.2f}, bias ", end="")
        print(f"{statistics.mean(errors):+.2f}")
    low, high = wilson(len(wrong), max(len(first), 1))
    print(f"resigned in {len(first)} of {len(games)} games, wrongly in {len(wrong)}", end=" ")
    print(f"(95 %: {100 * low:.1f} to {100 * high:.1f} %)")


if __name__ == "__main__":
    main()
