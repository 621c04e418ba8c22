"""Positions with moves marked right or wrong by the exact solver: how good a network's moves are.

The positions are random ones of the board, the same in every run, in which some move keeps the
result and some move that is not refuted at once spoils it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from honte._native import Network
from honte.arena.schedule import is_drawn
from honte.core.contract import Game, State
from honte.core.games import game as make_game
from honte.core.request import Limit
from honte.core.whole_file import write_whole
from honte.nets.cpu_selfplay import searcher, training_of
from honte.search.solver import Solver, solver_of

POSITIONS = 300
SEED = 2026
NODES = 400_000
"""Positions that the solver cannot decide within this many nodes are left out."""
SECONDS = 0.05
"""Positions expected to take the solver longer are not tried."""
TRIES = 40
"""Random positions looked at for each one that is kept."""


@dataclass(frozen=True)
class Question:
    """A position, and the moves that keep its result."""

    game: str
    moves: tuple[int, ...]
    right: tuple[int, ...]

    def state(self) -> State:
        state = make_game(self.game).start()
        for move in self.moves:
            state = state.play(move)
        return state


class Exam:
    """Questions, asked of one network after the other."""

    def __init__(self, questions: list[Question]) -> None:
        self.questions = questions
        self.states = [question.state() for question in questions]

    def __len__(self) -> int:
        return len(self.questions)

    def policy_moves(self, network: bytes) -> list[int]:
        """The network's first choice in each position, without a search."""
        loaded, chosen = Network(network), []
        for state in self.states:
            training = training_of(state.game)
            logits, _ = loaded.evaluate(np.ascontiguousarray(training.observe(state))[None])
            moves = state.legal_moves()
            chosen.append(max(moves, key=lambda m: logits[0][training.cell(state, m)]))
        return chosen

    def searched_moves(self, network: bytes, simulations: int) -> list[int]:
        """The network's choice in each position after a search."""
        return [
            searcher(state.game, network, 1).search(state, Limit(iterations=simulations)).move
            for state in self.states
        ]

    def share(self, chosen: list[int]) -> float:
        """The share of moves that keep the result."""
        right = [move in one.right for move, one in zip(chosen, self.questions, strict=True)]
        return sum(right) / len(right)


def find(
    spec: str, count: int = POSITIONS, tell: Callable[[int, int], None] = lambda done, of: None
) -> list[Question]:
    """The questions of a board; none if the game has no solver, or it cannot decide any."""
    game = make_game(spec)
    if game.descriptor.solver is None or not count:
        return []
    drawn = is_drawn(game, spec)
    rng = np.random.default_rng(SEED)
    found: dict[str, Question] = {}
    solver = solver_of(game, memory_mb=32)
    for number in range(TRIES * count):
        if drawn and number % 8 == 0:
            game = make_game(spec, seed=number)
            solver = solver_of(game, memory_mb=32)
        question = _random_question(game, solver, rng)
        if question is not None:
            found.setdefault(question.state().to_text() + question.game, question)
            tell(len(found), count)
        if len(found) == count:
            break
    return list(found.values())


def _random_question(game: Game, solver: Solver, rng: np.random.Generator) -> Question | None:
    shape = game.shape() or (6, 7)
    state, moves = game.start(), list[int]()
    for _ in range(int(rng.integers(2, shape[0] * shape[1] * 3 // 4))):
        quiet = [m for m in state.legal_moves() if not state.play(m).is_over]
        if not quiet:
            return None
        moves.append(int(rng.choice(quiet)))
        state = state.play(moves[-1])
    if len(state.legal_moves()) < 2 or _wins_at_once(state):
        return None
    if solver.expected_seconds(state) > SECONDS:
        return None
    solved = solver.solve(state, wld=True, all_moves=True, line=False, nodes=NODES)
    if not solved.finished or solved.outcome is None:
        return None
    best = np.sign(solved.low)
    right = sorted(one.move for one in solved.moves if np.sign(one.low) == best)
    wrong = set(state.legal_moves()) - set(right)
    if not any(not _wins_at_once(state.play(move)) for move in wrong):
        return None
    return Question(game.spec, tuple(moves), tuple(right))


def _wins_at_once(state: State) -> bool:
    return any(state.play(move).winner == state.to_move for move in state.legal_moves())


def load_or_make(
    path: Path, spec: str, count: int, tell: Callable[[int, int], None]
) -> Exam | None:
    """The exam of a run, kept in its folder."""
    if path.exists():
        lines: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
        found = [Question(one["game"], tuple(one["moves"]), tuple(one["right"])) for one in lines]
    else:
        found = find(spec, count, tell)
        write_whole(path, json.dumps([vars(one) for one in found]).encode())
    return Exam(found) if found else None
