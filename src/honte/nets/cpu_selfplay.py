"""Self-play on CPU cores: native UCT with the network, in worker processes.

A task carries the network file and everything that determines its games, so that any process on
any machine can play it. Policy targets are visit counts; value targets are the game's result, or
exact from where the search or the game's solver has proved it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from importlib import import_module
from multiprocessing.util import Finalize
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from honte.arena.schedule import is_drawn
from honte.core.contract import Game, State
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.report import Report
from honte.core.request import Limit
from honte.search.solver import Solver, solver_of
from honte.search.uct import Uct

Array = np.ndarray[Any, np.dtype[Any]]

UNKNOWN = 255
"""`moves_left` of a game that was not played to its end."""
MIXING = 0.9
"""Weight of the result against the search's own value, at each ply (TD(λ), Sutton 1988)."""
FLATTENED = 1.3
"""Temperature of the network's priors in self-play."""
NOISE, CONCENTRATION = 0.08, 0.8
"""Weight of the Dirichlet noise in the choice of moves, and its concentration."""
SAMPLED_PLIES = 12
"""Plies after the opening that sample moves by visit share; later plies sample more sharply."""
SHARP = 3.0
UNLIKELY = 0.08
"""Visit share below which a played move says nothing about the value of earlier positions."""
FROM_START = 0.4
"""Share of games without random opening moves."""
SOLVED_SECONDS = 0.001
"""The solver is used where it is expected to take no longer than this for a move."""
SOLVED_NODES = 200_000
PLAYED_ON = 0.3
"""Share of games that are played on after their result is proved."""
RESULTS = {"win": 1.0, "draw": 0.0, "loss": -1.0}
MEMORY_MB = 64


@dataclass(frozen=True)
class SelfPlay:
    """A task: games of a network against itself."""

    number: int
    game: str
    network: bytes
    games: int
    simulations: int
    seed: int
    players: tuple[str, str] = ("the network", "itself")

    @property
    def id(self) -> str:
        return f"{self.game}/{self.seed}"


@dataclass(frozen=True)
class Duel:
    """A task: two games of one network against another from the same opening."""

    number: int
    game: str
    networks: tuple[bytes, bytes]
    opening: tuple[int, ...]
    simulations: int
    players: tuple[str, str] = ("the new network", "an earlier one")

    @property
    def id(self) -> str:
        return f"{self.game}/{self.opening}"


@dataclass(frozen=True)
class Done:
    """The result of a task; `reason` is for the workers, which replay games lost on time."""

    task: SelfPlay | Duel
    samples: dict[str, Array] = field(default_factory=dict)
    games: int = 0
    draws: int = 0
    evaluations: int = 0
    cpu_seconds: float = 0.0
    points: float = 0.0
    """The first network's points in a duel."""
    reason: str = ""


def play(task: SelfPlay | Duel) -> Done:
    began = time.process_time()
    done = duel(task) if isinstance(task, Duel) else self_play(task)
    return replace(done, cpu_seconds=time.process_time() - began)


# -- networks and boards -----------------------------------------------------------------


def training_of(game: Game) -> ModuleType:
    """The `training` module of a game's folder."""
    name = f"honte.games.{game.name}.training"
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name not in (name, f"honte.games.{game.name}"):
            raise
        raise ValueError(Message("no network learns {name} on CPU cores", name=game.name)) from None


@cache
def _folder() -> Path:
    folder = tempfile.mkdtemp(prefix="honte-networks-")
    # Unlike atexit it also runs at the end of a worker, and only in the process that registers it.
    Finalize(None, shutil.rmtree, (folder, True), exitpriority=0)
    return Path(folder)


@lru_cache(8)
def file_of(network: bytes) -> str:
    """The path of a file with these bytes; forked workers share the folder."""
    path = _folder() / f"{hashlib.sha256(network).hexdigest()[:16]}.net"
    part = path.with_suffix(f".{os.getpid()}")
    part.write_bytes(network)
    os.replace(part, path)
    return str(path)


def searcher(game: Game, network: bytes, seed: int, **settings: object) -> Uct:
    return Uct(game, net=file_of(network), seed=seed, memory_mb=MEMORY_MB, **settings)


# -- a game ------------------------------------------------------------------------------


@dataclass
class Ply:
    """A searched position of a game, and what became of it."""

    state: State
    moves: list[int]
    shares: Array
    value: float
    exact: float | None
    decided: bool
    """Whether the game is won or lost within two plies, by the rules alone."""
    unlikely: bool = False


class Player:
    """Plays the games of one task."""

    def __init__(self, task: SelfPlay) -> None:
        self.task = task
        self.rng = np.random.default_rng(task.seed)
        self.evaluations = 0
        self.rules = make_game(task.game)
        self.drawn = is_drawn(self.rules, task.game)
        self.begin()

    def begin(self) -> None:
        """Set up a board and its searches."""
        if self.drawn:
            self.rules = make_game(self.task.game, seed=int(self.rng.integers(2**31)))
        self.uct = searcher(
            self.rules, self.task.network, int(self.rng.integers(2**31)), temperature=FLATTENED
        )
        self.solver: Solver | None = None
        if self.rules.descriptor.solver is not None:
            self.solver = solver_of(self.rules, memory_mb=8)

    def opening(self) -> State:
        """The position after random moves, at most one for every five cells."""
        shape = self.rules.shape() or (6, 7)
        most = min(12, shape[0] * shape[1] // 5)
        while True:
            state = self.rules.start()
            if self.rng.random() >= FROM_START:
                for _ in range(int(self.rng.integers(1, most + 1))):
                    if not state.is_over:
                        state = state.play(int(self.rng.choice(state.legal_moves())))
            if not state.is_over:
                return state

    def play(self) -> tuple[list[Ply], State]:
        if self.drawn:
            self.begin()
        state, plies = self.opening(), list[Ply]()
        plays_on = self.rng.random() < PLAYED_ON
        while not state.is_over:
            ply = self.think(state)
            plies.append(ply)
            if ply.exact is not None and not plays_on:
                break
            state = state.play(self.choose(ply, len(plies)))
        return plies, state

    def think(self, state: State) -> Ply:
        report = self.uct.search(state, Limit(iterations=self.task.simulations))
        self.evaluations += report.iterations
        moves = [candidate.move for candidate in report.candidates]
        visits = np.array([candidate.visits for candidate in report.candidates], np.float32)
        exact = RESULTS.get(report.proven or "")
        decided = exact is not None and abs(exact) == 1 and report.distance <= 2
        if exact is None:
            exact, visits = self.solve(state, moves, visits)
        elif exact == 1:
            visits = np.array([c.proven == "win" for c in report.candidates], np.float32)
        else:
            visits = np.array([move == report.move for move in moves], np.float32)
        value = report.value if exact is None else exact
        return Ply(state, moves, visits / visits.sum(), value, exact, decided)

    def solve(self, state: State, moves: list[int], visits: Array) -> tuple[float | None, Array]:
        """The exact result, where the solver is quick; moves that miss it lose their visits."""
        if self.solver is None or self.solver.expected_seconds(state) > SOLVED_SECONDS:
            return None, visits
        solved = self.solver.solve(state, wld=True, all_moves=True, line=False, nodes=SOLVED_NODES)
        if not solved.finished or solved.outcome is None:
            return None, visits
        best = np.sign(solved.low)
        right = {one.move for one in solved.moves if np.sign(one.low) == best}
        kept = np.array([move in right for move in moves])
        return float(best), (visits + 1) * kept if kept.any() else visits

    def choose(self, ply: Ply, number: int) -> int:
        sharpness = 1.0 if number <= SAMPLED_PLIES else SHARP
        shares = ply.shares**sharpness
        noise = self.rng.dirichlet(np.full(len(ply.moves), CONCENTRATION))
        chances = (1 - NOISE) * shares / shares.sum() + NOISE * noise
        at = int(self.rng.choice(len(ply.moves), p=chances / chances.sum()))
        ply.unlikely = bool(ply.shares[at] < UNLIKELY)
        return ply.moves[at]


def self_play(task: SelfPlay) -> Done:
    player = Player(task)
    training = training_of(player.rules)
    made: list[dict[str, Array]] = []
    draws = 0
    for _ in range(task.games):
        plies, last = player.play()
        draws += (plies[-1].exact == 0) if plies[-1].exact is not None else last.winner is None
        made += samples(training, plies, last, training.canvas(player.rules, player.drawn))
    return Done(task, stacked(made), task.games, draws, player.evaluations)


def samples(
    training: ModuleType, plies: list[Ply], last: State, canvas: tuple[int, int]
) -> list[dict[str, Array]]:
    """The training samples of a game."""
    made: list[dict[str, Array]] = []
    value = draw = after = 0.0
    reply: Mapping[int, float] = {}
    ended = last.is_over and last != plies[-1].state
    for index in reversed(range(len(plies))):
        ply = plies[index]
        if ply.exact is not None:
            value, draw = ply.exact, float(ply.exact == 0)
        elif index == len(plies) - 1:
            value = (
                0.0 if last.winner is None else 1.0 if last.winner == ply.state.to_move else -1.0
            )
            draw = float(last.winner is None)
        elif ply.unlikely:
            value = ply.value
            draw = min(draw, 1 - abs(value))
        else:
            value = -(MIXING * value + (1 - MIXING) * after)
        after = ply.value
        policy = dict(zip(ply.moves, ply.shares.tolist(), strict=True))
        if len(ply.moves) > 1 and not ply.decided:
            left = min(len(plies) - index, UNKNOWN - 1) if ended else UNKNOWN
            made.append(sample(training, ply, reply, (value, draw), left, canvas))
        reply = policy
    return made


def sample(
    training: ModuleType, ply: Ply, reply: Mapping[int, float], result: tuple[float, float],
    left: int, canvas: tuple[int, int],
) -> dict[str, Array]:  # fmt: skip
    observed = training.observe(ply.state)
    columns, rows, planes = observed.shape
    bits = np.zeros((*canvas, planes), np.uint8)
    bits[:columns, :rows] = observed
    width = training.MOVES
    cells = np.full(width, -1, np.int16)
    policy, replies = np.zeros(width, np.float16), np.zeros(width, np.float16)
    for i, move in enumerate(ply.moves):
        column, row = training.cell(ply.state, move)
        cells[i] = column * canvas[1] + row
        policy[i] = ply.shares[i]
        replies[i] = reply.get(move, 0.0)
    value, draw = result
    win, loss = max((1 - draw + value) / 2, 0.0), max((1 - draw - value) / 2, 0.0)
    total = win + draw + loss
    return {
        "planes": np.packbits(bits),
        "cells": cells,
        "policy": policy,
        "reply": replies,
        "outcome": np.array([win / total, draw / total, loss / total], np.float16),
        "moves_left": np.array(left, np.uint8),
    }


def stacked(made: list[dict[str, Array]]) -> dict[str, Array]:
    return {name: np.stack([one[name] for one in made]) for name in made[0]} if made else {}


def duel(task: Duel) -> Done:
    """Score the first network in two games, one with each side; only the opening is random."""
    rules = make_game(task.game)
    points, evaluations = 0.0, 0
    for first in (0, 1):
        state = rules.start()
        for move in task.opening:
            state = state.play(move)
        players = [searcher(rules, network, 1) for network in task.networks]
        while not state.is_over:
            uct = players[state.to_move ^ first]
            report: Report = uct.search(state, Limit(iterations=task.simulations))
            evaluations += report.iterations
            if report.proven == "win":  # the searches would play on as proved
                points += float(state.to_move == first)
                break
            state = state.play(report.move)
        else:
            points += 0.5 if state.winner is None else float(state.winner == first)
    return Done(task, games=2, evaluations=evaluations, points=points)
