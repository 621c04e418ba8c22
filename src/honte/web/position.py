"""Positions and reports as the page gets them: plain JSON, moves as people write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from honte.games import registry, text
from honte.games.contract import Game, IllegalMove, State, quote
from honte.search.report import Candidate, Report

GAMES = ("connect4", "othello", "go")
MOST_MOVES = 2000
MOST_CANDIDATES = 120
"""Of a report: on a large board the rest have hardly been looked at."""
PASS = -1
"""The cell of a move that is made on none."""
_SYMBOLS = bytes.maketrans(b"\0\1\2\3", b".XO#")

Json = dict[str, Any]


@lru_cache(maxsize=256)
def game_of(spec: str) -> Game:
    """The game of a spec; only those that the page can draw."""
    name = spec.partition(":")[0].strip()
    if name not in GAMES:
        raise ValueError(f"there is no game {quote(name)}; there are {', '.join(GAMES)}")
    return registry.game(spec)


def read_states(game: Game, start: str | None, moves: Sequence[str]) -> list[Any]:
    """Every position of a game, from its start to the last of the moves."""
    if len(moves) > MOST_MOVES:
        raise ValueError(f"a game of {len(moves):,} moves; {MOST_MOVES:,} is the most")
    state: State = game.start() if start is None else game.from_text(start)
    states = [state]
    for number, word in enumerate(moves, 1):
        try:
            state = state.play(game.parse(word))
        except IllegalMove as error:
            raise IllegalMove(f"move {number}: {error}") from None
        except ValueError as error:
            raise ValueError(f"move {number}: {error}") from None
        states.append(state)
    return states


def cell_of(state: Any, move: int) -> int:
    """Where the piece of a legal move comes to lie, counted from the top left; −1 for a pass."""
    game = state.game
    if game.name == "connect4":
        row = state.landing_row(move)
        return PASS if row is None else int(row) * int(game.cols) + move
    if game.name == "othello":
        row, col = divmod(move, 8)
        return PASS if row >= 8 else row * int(game.size) + col
    return PASS if move >= game.size**2 else move


def shape(game: Any) -> tuple[int, int]:
    """Rows and columns."""
    return (game.rows, game.cols) if game.name == "connect4" else (game.size, game.size)


def state_json(states: Sequence[Any], ply: int = -1) -> Json:
    """STATE: the position at a ply of a game, with what the last move did."""
    ply = ply if ply >= 0 else len(states) - 1
    state, before = states[ply], states[ply - 1] if ply else None
    game = state.game
    rows, cols = shape(game)
    cells: bytes = state.cells()
    last, changed = None, list[int]()
    if before is not None:
        last = [cell_of(before, state.last_move), game.format(state.last_move)]
        was = before.cells()
        if game.name != "connect4":
            changed = [i for i, cell in enumerate(was) if cell and cell != cells[i]]
    return {
        "rows": rows,
        "cols": cols,
        "cells": cells.translate(_SYMBOLS).decode("ascii"),
        "to_move": state.to_move,
        "ply": ply,
        "legal": [[cell_of(state, move), game.format(move)] for move in state.legal_moves()],
        "last": last,
        "changed": changed,
        "line": _line(state, cols),
        "over": state.is_over,
        "winner": state.winner,
        "score": state.score,
        "counts": [cells.count(1), cells.count(2)],
        "text": state.to_text(),
    }


def _line(state: Any, cols: int) -> list[int]:
    """The cells of the winning line."""
    if state.game.name != "connect4" or state.winner is None:
        return []
    board = text.read(state)
    lines = board.won if board is not None else ()
    return sorted({row * cols + col for line in lines for row, col in line})


def report_json(state: Any, report: Report, most: int = MOST_CANDIDATES) -> Json:
    """REPORT: what a search found."""
    game = state.game
    return {
        "move": game.format(report.move),
        "value": _round(report.value),
        "proven": report.proven,
        "distance": report.distance,
        "iterations": report.iterations,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 3),
        "depth": report.depth,
        "pv": [game.format(move) for move in report.pv],
        "candidates": candidates_json(state, report.candidates[:most], report.candidates),
    }


def candidates_json(
    state: Any, shown: Iterable[Candidate], everybody: Iterable[Candidate]
) -> list[Json]:
    """CANDIDATEs, with their shares of all the visits."""
    total = sum(candidate.visits for candidate in everybody) or 1
    return [
        {
            "move": state.game.format(candidate.move),
            "cell": cell_of(state, candidate.move),
            "visits": candidate.visits,
            "share": _round(candidate.visits / total),
            "value": _round(candidate.value),
            "proven": candidate.proven,
            "prior": None if candidate.prior is None else _round(candidate.prior),
            "low": _round(candidate.low),
            "high": _round(candidate.high),
            "exploration": _round(candidate.exploration),
            "amaf_value": _round(candidate.amaf_value),
            "rave_share": _round(candidate.rave_share),
        }
        # Plies counted from the position itself, as the report counts them.
        | ({"distance": candidate.distance + 1} if candidate.proven and candidate.visits else {})
        | ({} if candidate.score is None else {"score": _round(candidate.score)})
        for candidate in shown
    ]


def _round(value: float) -> float:
    """Four digits are more than one can see; infinity, which JSON has not, is very much."""
    return round(max(-1e9, min(1e9, value)), 4) if value == value else 0.0
