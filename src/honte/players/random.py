"""The random player: uniform over the legal moves."""

from __future__ import annotations

import random
import time

from honte.core.contract import Game
from honte.core.player import Player
from honte.core.report import Candidate, Report
from honte.core.request import Request
from honte.core.spec import Options, join, whole

OPTIONS = Options(whole("seed", None, 0, 2**63 - 1, "makes its choices repeatable"))


class RandomPlayer(Player):
    """Plays uniformly at random.

    >>> import honte
    >>> game = honte.game("othello")
    >>> honte.player("random:seed=1", game).choose(game.start()).move in (19, 26, 37, 44)
    True
    """

    options = OPTIONS

    def __init__(self, game: Game, /, **settings: object) -> None:
        seed = OPTIONS.read("random", settings)["seed"]
        self.spec = join("random", {} if seed is None else {"seed": seed})
        self._random = random.Random(seed)

    def think(self, request: Request) -> Report:
        started = time.perf_counter()
        moves = request.state.legal_moves()
        return random_report(self._random.choice(moves), moves, started)


def random_report(move: int, moves: list[int], started: float, stopped: str = "") -> Report:
    """The report of a random move; the chosen move first among the candidates."""
    return Report(
        move=move,
        pv=[move],
        candidates=[Candidate(move), *(Candidate(other) for other in moves if other != move)],
        seconds=time.perf_counter() - started,
        stopped=stopped,
        source="random",
    )
