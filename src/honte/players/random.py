"""The player everybody should beat: any legal move, each as likely."""

from __future__ import annotations

import random
import time

from honte.games.contract import Game, State
from honte.games.spec import Options, join, whole
from honte.players.contract import Player, check_choice
from honte.search.limit import Limit
from honte.search.report import Candidate, Report

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

    def choose(self, state: State, limit: Limit | None = None) -> Report:
        check_choice(state)
        started = time.perf_counter()
        moves = state.legal_moves()
        move = self._random.choice(moves)
        return Report(
            move=move,
            pv=[move],
            candidates=[Candidate(candidate) for candidate in moves],
            seconds=time.perf_counter() - started,
        )
