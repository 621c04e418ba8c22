"""One number for everything that decides moves: a refactoring must not change it.

It covers the native rules and searches, the decisions of each game's engines on fixed positions
with fixed limits (one thread, a fixed seed, never seconds), and the content of its data files:
books, learned weights, levels. `parts` says which of them changed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping

from honte import _native
from honte.core.contract import Game, State
from honte.core.games import game as make_game
from honte.core.players import player as make_player
from honte.core.report import Report
from honte.core.request import Limit
from honte.search.solver import solver_of

ENGINES = {
    "uct": "uct:iterations=400,seed=1",
    "best": "best:iterations=1000,seed=1",
    "alphabeta": "alphabeta:depth=3",
    "level": "level:60,seed=1",
}
"""The players covered, with machine-independent limits."""
PLIES = (2, 11)
"""Random plies before each searched position."""
FROM_END = (8, 10, 13)
"""Plies before the end of a random game, for the solver."""


def total(parts: Mapping[str, str]) -> int:
    """Combine the parts into one number."""
    text = "".join(f"{name} {value}\n" for name, value in parts.items())
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def parts(games: Iterable[str]) -> dict[str, str]:
    """A short hash for each part, by name."""
    found = {
        "native.uct": str(_native.signature()),
        "native.engines": str(_native.engine_signature()),
    }
    for name in games:
        game = make_game(name)
        found[f"{name}.data"] = _short("\n".join(_data(game)))
        for engine in ENGINES:
            if engine != "alphabeta" or engine in game.descriptor.engines:
                found[f"{name}.{engine}"] = _short("\n".join(_decisions(game, engine)))
        found[f"{name}.book"] = _short(_opening(game))
        if game.descriptor.solver is not None:
            found[f"{name}.solver"] = _short("\n".join(_scores(game)))
    return found


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _data(game: Game) -> Iterator[str]:
    """The hashes of the data files that decide moves."""
    folder = game.descriptor.data
    for path in sorted(folder.iterdir()) if folder is not None else []:
        if path.name not in ("MANIFEST.json", *game.descriptor.openings.values()):
            yield f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()}"


def _boards(game: Game) -> list[Game]:
    """The first two preset boards, which cover every engine."""
    return [make_game(spec) for _, spec in game.descriptor.presets[:2]] or [game]


def _random_game(game: Game, seed: int) -> list[State]:
    """All positions of a random game, the finished one last."""
    rng, states = _native.Rng(seed), [game.start()]
    while not states[-1].is_over:
        moves = states[-1].legal_moves()
        states.append(states[-1].play(moves[rng.below(len(moves))]))
    return states


def _decisions(game: Game, engine: str) -> Iterator[str]:
    """An engine's decisions with all visit counts."""
    for board in _boards(game):
        for seed, plies in enumerate(PLIES):
            player = make_player(ENGINES[engine], board)
            states = _random_game(board, seed + 1)
            yield _words(player.choose(states[min(plies, len(states) - 2)]))
            player.close()


def _words(report: Report) -> str:
    """A report without timings."""
    candidates = [f"{c.move}:{c.visits}:{c.value:.6f}" for c in report.candidates]
    return f"{report.move} {report.value:.6f} {report.proven} {report.nodes} {candidates}"


def _opening(game: Game) -> str:
    """The first move of `best`, if it comes from a book and not from a search."""
    player = make_player("best:seed=1", game)
    report = player.choose(game.start(), Limit(seconds=0.05))
    player.close()
    return _words(report) if report.nodes == 0 else "no book"


def _scores(game: Game) -> Iterator[str]:
    """The solver's scores near the end of the longest of a hundred random games."""
    board = _boards(game)[0]
    states = max((_random_game(board, seed) for seed in range(100)), key=len)
    solver = solver_of(board)
    for plies in FROM_END:
        solved = solver.solve(states[-plies], all_moves=True, nodes=100_000)
        scores = sorted((move.move, move.low, move.high) for move in solved.moves)
        yield f"{solved.low} {solved.high} {scores}"
