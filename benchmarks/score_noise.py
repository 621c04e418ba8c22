"""Score noise: how far two searches of the same move differ, one of them a ply deeper.

    python benchmarks/score_noise.py go:size=9 [SIMULATIONS] [POSITIONS]

The positions come from a game between weak levels; the better move of each is scored by a search
before it and a search after it, with engines that share nothing. See docs/review.md, "Noise".
"""

from __future__ import annotations

import math
import random
import sys

import honte


def weak_game(game: honte.Game) -> list[honte.State]:
    players = [honte.player(f"level:30,seed={seed}", game) for seed in (1, 2)]
    states = [game.start()]
    while not states[-1].is_over and len(states) < 200:
        move = players[states[-1].to_move].choose(states[-1], seconds=1).move
        states.append(states[-1].play(move))
    return states[:-1]


def main(spec: str, simulations: str = "500", positions: str = "40") -> None:
    game, limit = honte.game(spec), honte.Limit(iterations=int(simulations))
    states = weak_game(game)
    found: list[float] = []
    for state in random.Random(3).sample(states, min(int(positions), len(states))):
        before = honte.player("best", game).choose(state, limit)
        after = state.play(before.move)
        if after.is_over or before.score is None:
            continue
        deeper = honte.player("best", game).choose(after, limit)
        if deeper.score is not None and not deeper.proven and not before.proven:
            found.append(before.score + deeper.score)  # the second is the opponent's
    if not found:
        sys.exit(f"best tells no score of {spec}; name a board on which a network plays")
    spread = math.sqrt(sum(difference**2 for difference in found) / len(found))
    print(f"{spec}: {spread:.2f} {game.descriptor.unit} (root mean square of {len(found)} moves)")


if __name__ == "__main__":
    main(*sys.argv[1:])
