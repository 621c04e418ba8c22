"""Balanced openings: a pair of games says more where neither side is ahead at the start.

For the usual boards each game ships a list, made by its own engine with::

    honte openings GAME --depth 10 --output balanced.txt

On other boards an opening is drawn from the seed of the match: random moves, kept if a short
search finds the position balanced; the search uses a network if there is one for the board.

>>> import honte
>>> game = honte.game("othello")
>>> len(shipped(game)) >= 300
True
>>> len({balanced_opening(game, seed=1, round=round) for round in range(300)})
300
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path

from honte.core.contract import Game, State
from honte.core.language import Message
from honte.core.players import player as make_player
from honte.core.report import Report
from honte.core.request import Limit
from honte.players.level import network_of

QUICK = "uct:seed=1"
QUICK_ITERATIONS: tuple[int, ...] = (400,)
NETWORK_ITERATIONS = (1, 30)
"""One evaluation of each opening, then a search of those it calls balanced."""
EVEN = 0.25
"""A position is balanced if its value is at most this far from 0; the scale is −1 to 1."""
MARGIN = 2.0
"""… or its score, in games that count a margin."""
TRIES = 40
ATTEMPTS, SAMPLES = 10_000, 100
"""How often a random and a sampled opening is begun anew because the game was over within it."""


@cache
def _read(game: Game) -> tuple[tuple[int, ...], ...]:
    path = file_of(game)
    if path is None:
        return ()
    lines = path.read_text(encoding="utf-8").splitlines()
    return tuple(tuple(game.read_moves(line)) for line in lines if line.strip())


def file_of(game: Game) -> Path | None:
    """The file of a game's balanced openings, if it ships one for this board."""
    name = game.descriptor.openings.get(game.spec)
    return None if name is None or game.descriptor.data is None else game.descriptor.data / name


def shipped(game: Game) -> tuple[tuple[int, ...], ...]:
    """The balanced openings that ship for this board; none for other boards."""
    return _read(game)


@cache
def _order(count: int, seed: int) -> list[int]:
    return random.Random(seed).sample(range(count), count)


def balanced_opening(game: Game, seed: int, round: int) -> tuple[int, ...]:
    """The opening of a round: from the shipped list, shuffled by the seed, else a new one.

    Without a list it is the first balanced one of several random openings, or the least unbalanced;
    a shorter one in a game that is over so soon.
    """
    if ready := shipped(game):
        return ready[_order(len(ready), seed)[round % len(ready)]]
    draw, plies = random.Random(f"{seed}/{round}/opening"), game.descriptor.opening_plies
    if game.descriptor.uct is None:
        return longest_opening(game, plies, draw)
    spec, searches = QUICK, QUICK_ITERATIONS
    if network := network_of(game):
        spec, searches = f"{network.engine},seed=1", NETWORK_ITERATIONS
    judge = make_player(spec, game)
    best: tuple[int, ...] = ()
    least = math.inf
    for _ in range(TRIES):
        moves = longest_opening(game, plies, draw)
        for iterations in searches:
            judge.new_game()
            lead = imbalance(judge.choose(after(game, moves), Limit(iterations=iterations)))
            if lead > EVEN:
                break
        if lead < least or not best:
            best, least = moves, lead
        if least <= EVEN:
            break
    judge.close()
    return best


def after(game: Game, moves: tuple[int, ...]) -> State:
    """The position after an opening."""
    state = game.start()
    for move in moves:
        state = state.play(move)
    return state


def imbalance(report: Report) -> float:
    """How far a position is from even; a proven win or loss is never even."""
    if report.proven is not None:
        return 0.0 if report.proven == "draw" else math.inf
    return abs(report.value)


def random_opening(game: Game, plies: int, draw: random.Random) -> tuple[int, ...]:
    """Random moves that do not end the game; ValueError if it hardly ever lasts so long."""
    for _ in range(ATTEMPTS):
        state, moves = game.start(), list[int]()
        while len(moves) < plies and not state.is_over:
            moves.append(draw.choice(state.legal_moves()))
            state = state.play(moves[-1])
        if not state.is_over:
            return tuple(moves)
    if not plies:
        return ()
    raise too_long(game, plies, ATTEMPTS)


def longest_opening(game: Game, plies: int, draw: random.Random) -> tuple[int, ...]:
    """A random opening of so many plies, or of as many as the game lasts."""
    for length in range(plies, 0, -1):
        with suppress(ValueError):
            return random_opening(game, length, draw)
    return ()


def sampled_opening(game: Game, plies: int, draw: random.Random, spec: str) -> tuple[int, ...]:
    """Moves drawn in proportion to the visits of a small search: not sharp, not absurd.

    Like those of a random opening they do not end the game.
    """
    for _ in range(SAMPLES):
        state, moves = game.start(), list[int]()
        while len(moves) < plies and not state.is_over:
            player = make_player(spec, game, seed=draw.getrandbits(30))
            report = player.choose(state)
            found = {one.move: one.visits for one in report.candidates if one.visits}
            # A move that is proved needs no visits.
            moves.append(draw.choices([*found], [*found.values()])[0] if found else report.move)
            state = state.play(moves[-1])
        if not state.is_over:
            return tuple(moves)
    raise too_long(game, plies, SAMPLES)


def too_long(game: Game, plies: int, tries: int) -> ValueError:
    return ValueError(
        Message(
            "{game}: {tries} games were all over within {plies} plies; make openings shorter",
            game=game.spec,
            tries=tries,
            plies=plies,
        )
    )


def make(
    game: Game,
    plies: int,
    seed: int,
    judge: str,
    limit: Limit,
    sampler: str | None = None,
) -> Iterator[str | None]:
    """Yield openings that lead to distinct balanced positions; None for each rejected one."""
    draw, player = random.Random(seed), make_player(judge, game)
    seen: set[str] = set()
    while True:
        try:
            if sampler is None:
                moves = random_opening(game, plies, draw)
            else:
                moves = sampled_opening(game, plies, draw, sampler)
        except ValueError:
            if not seen:
                raise
            yield None
            continue
        state = after(game, moves)
        even = not state.is_over and state.to_text() not in seen
        if even:
            seen.add(state.to_text())
            report = player.choose(state, limit)
            even = imbalance(report) <= EVEN
            if game.descriptor.unit and report.score is not None:
                even = even and abs(report.score) <= MARGIN
        yield " ".join(map(game.format, moves)) if even else None
