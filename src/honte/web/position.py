"""Positions and reports as the page gets them: plain JSON, moves as people write them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from honte.core.contract import Game, IllegalMove, State, cells_of
from honte.core.report import Candidate, Report
from honte.core.scoring import Count

MOST_MOVES = 2000
MOST_CANDIDATES = 120
"""Candidates of a report: on a large board the rest have hardly been searched."""
PASS = -1
"""The cell of a move without one."""
LONGEST_LINE = 12
"""Moves of a line that the page draws on the board."""
SYMBOLS = ".XO#"

Json = dict[str, Any]


def read_states(game: Game, start: str | None, moves: Sequence[str]) -> list[State]:
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


def cell_of(state: State, move: int) -> int:
    """Where the piece of a legal move comes to lie, counted from the top left; −1 for a pass."""
    return locator(state)(move)


def locator(state: State) -> Callable[[int], int]:
    """`cell_of` for many moves of a position."""
    game = state.game
    rows, cols = shape(game)
    find, passes = game.descriptor.board.cell, game.descriptor.pass_move
    passed = passes(game) if passes is not None else None

    def locate(move: int) -> int:
        if move == passed:
            return PASS
        if find is None:
            return move if 0 <= move < rows * cols else PASS
        found = find(state, move)
        return PASS if found is None else found[0] * cols + found[1]

    return locate


def shape(game: Game) -> tuple[int, int]:
    """Rows and columns: `game_of` lets no game through that has none."""
    found = game.shape()
    assert found is not None
    return found


def cells(state: State) -> tuple[int, ...]:
    """What lies on each cell."""
    found = cells_of(state)
    assert found is not None
    return found


def state_json(states: Sequence[State], ply: int = -1) -> Json:
    """STATE: the position at a ply of a game, with what the last move did."""
    ply = ply if ply >= 0 else len(states) - 1
    state, before = states[ply], states[ply - 1] if ply else None
    game = state.game
    rows, cols = shape(game)
    here = cells(state)
    locate = locator(state)
    last, changed = None, list[int]()
    if before is not None and state.last_move is not None:
        last = [cell_of(before, state.last_move), game.format(state.last_move)]
        was = cells(before)
        changed = [i for i, cell in enumerate(was) if cell and cell != here[i]]
    return {
        "rows": rows,
        "cols": cols,
        "cells": "".join(SYMBOLS[cell] for cell in here),
        "to_move": state.to_move,
        "ply": ply,
        "legal": [[locate(move), game.format(move)] for move in state.legal_moves()],
        "last": last,
        "changed": changed,
        "lines": winning_lines(state, cols),
        "over": state.is_over,
        "winner": state.winner,
        "score": state.score,
        "counts": [here.count(1), here.count(2)],
        "text": state.to_text(),
    }


def winning_lines(state: State, cols: int) -> list[list[int]]:
    """The cells of every winning line, from one end to the other."""
    find = state.game.descriptor.board.winning_lines
    if find is None or state.winner is None:
        return []
    return [[row * cols + col for row, col in line] for line in find(state)]


def count_json(count: Count) -> Json:
    """COUNT: the score of a final position without its dead pieces."""
    score = count.score
    return {
        "dead": count.dead,
        "owners": count.owners,
        "lines": [line._asdict() for line in count.lines],
        "totals": count.totals,
        "score": score,
        "winner": None if score == 0 else int(score < 0),
    }


def line_json(state: State, moves: Sequence[int]) -> Json:
    """A principal variation: the moves, and where the pieces of the first ones come to lie."""
    return {
        "pv": [state.game.format(move) for move in moves],
        "pv_cells": cells_along(state, moves),
    }


def cells_along(state: State, moves: Sequence[int]) -> list[int]:
    """Where the pieces of a line of moves come to lie, each after those before it."""
    found = []
    for move in moves[:LONGEST_LINE]:
        found.append(cell_of(state, move))
        state = state.play(move)
    return found


def report_json(state: Any, report: Report, most: int = MOST_CANDIDATES) -> Json:
    """REPORT: what a search found."""
    game = state.game
    return {
        "move": game.format(report.move),
        "value": _round(report.value),
        "proven": report.proven,
        "kind": report.kind,
        "score": None if report.score is None else _round(report.score),
        "source": report.source,
        "has_value": report.has_value,
        "distance": report.distance,
        "iterations": report.iterations,
        "nodes": report.nodes,
        "seconds": round(report.seconds, 3),
        "depth": report.depth,
        "stopped": report.stopped,
        "candidates": candidates_json(state, report.candidates[:most], report.candidates),
        **line_json(state, report.pv),
    }


def candidates_json(
    state: Any, shown: Iterable[Candidate], everybody: Iterable[Candidate]
) -> list[Json]:
    """CANDIDATEs, with their shares of all the visits."""
    total = sum(candidate.visits for candidate in everybody) or 1
    locate = locator(state)
    return [
        {
            "move": state.game.format(candidate.move),
            "cell": locate(candidate.move),
            "visits": candidate.visits,
            "share": _round(candidate.visits / total),
            "value": _round(candidate.value),
            "proven": candidate.proven,
            "kind": candidate.kind,
            "prior": None if candidate.prior is None else _round(candidate.prior),
            "low": _round(candidate.low),
            "high": _round(candidate.high),
            "exploration": _round(candidate.exploration),
            "amaf_value": _round(candidate.amaf_value),
            "rave_share": _round(candidate.rave_share),
            "source": candidate.source,
        }
        | ({"distance": candidate.distance} if candidate.distance else {})
        | ({} if candidate.score is None else {"score": _round(candidate.score)})
        | ({} if candidate.bounds is None else {"bounds": [*map(_round, candidate.bounds)]})
        | ({} if len(candidate.line) < 2 else line_json(state, candidate.line))
        for candidate in shown
    ]


def _round(value: float) -> float:
    """Round to visible precision. JSON has no infinity and no NaN: clamp."""
    return round(max(-1e9, min(1e9, value)), 4) if value == value else 0.0
