"""Policy training for Connect Four, on self-play searches.

A training sample is a position and the visit counts of a search; the policy is fitted to predict
the visit shares. Samples come from self-play of `best` on random course boards and are kept as
lines of JSON, one per game: its spec, then for each ply the move and, if it was searched, the
visits of every move.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from honte import _native
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.players import player as make_player
from honte.core.progress import Tell
from honte.search import policy

Ply = tuple[int, dict[int, int]]
"""A move, and the visit counts of the search that chose it, if any."""


@dataclass(frozen=True)
class Settings:
    """Training settings."""

    self_play: int = 0
    """Self-play games to generate first."""
    iterations: int = 8000
    player: str = "best:takeover=no,policy=learned"
    random_moves: float = 0.03
    """Probability of a uniformly random move."""
    other_moves: float = 0.25
    """Probability of a move sampled from the visit counts."""
    steps: int = 5
    rate: float = 0.03
    decay: float = 1e-4
    held_out_every: int = 20
    """One game in this many is held out for validation."""
    seed: int = 1


class TrainingGame(NamedTuple):
    """A game with the visit counts of its searches."""

    game: str
    plies: list[Ply]


class Result(NamedTuple):
    """The result of training."""

    games: int
    positions: int
    held_out: int
    likelihood: float
    """Mean log-likelihood of the visit distribution on held-out games."""
    uniform: float
    """Mean log-likelihood under the uniform policy."""
    best: float
    """Mean log-likelihood under a policy that predicts the shares exactly: the upper bound."""
    first: float
    """How often the most visited move has the highest probability."""


def read_games(path: Path) -> Iterator[TrainingGame]:
    """The games of a file, or of all .jsonl files of a folder."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise ValueError(Message("there is no .jsonl file in {path}", path=path))
    for file in files:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            try:
                spec, plies = json.loads(line)
                found = [(int(ply[0]), {int(m): int(n) for m, n in ply[1]}) for ply in plies]
                game = TrainingGame(str(spec), found)
            except (ValueError, TypeError, IndexError):
                raise ValueError(
                    Message(
                        "{name}, line {number}: not a training game", name=file.name, number=number
                    )
                ) from None
            yield game


class Learner:
    """Generates self-play games and trains on them."""

    def __init__(self, work: Path, settings: Settings, tell: Tell) -> None:
        self.work, self.settings, self.tell = work, settings, tell

    @property
    def samples(self) -> Path:
        """The file of the self-play games; those of other settings have another."""
        return self.work / f"samples-{self.settings.iterations}-{self.settings.seed}.jsonl"

    def own_games(self) -> Iterator[TrainingGame]:
        """As many of the self-play games as the settings ask for; the file may hold more."""
        return islice(read_games(self.samples), self.settings.self_play)

    def play(self) -> None:
        """Generate the missing self-play games."""
        self.work.mkdir(parents=True, exist_ok=True)
        file, done = self.samples, 0
        if file.exists():
            whole, newline, _ = file.read_text().rpartition("\n")  # drop a truncated line
            file.write_text(whole + newline)
            done = whole.count("\n") + bool(newline)
        with file.open("a") as out:
            for number in range(done, self.settings.self_play):
                self.tell(Message("playing"), number, self.settings.self_play)
                game, plies = self._play(self.settings.seed * 1_000_003 + number)
                lines = [[move, list(visits.items())] for move, visits in plies]
                out.write(json.dumps([game, lines], separators=(",", ":")) + "\n")
                out.flush()

    def _play(self, seed: int) -> TrainingGame:
        draw = random.Random(seed)
        game = make_game(f"connect4:course,seed={draw.randrange(2**31)}")
        player: Any = make_player(
            f"{self.settings.player},iterations={self.settings.iterations},"
            f"seed={draw.randrange(2**31)}",
            game,
        )
        state, plies = game.start(), list[Ply]()
        opening = draw.choice((0, 1, 2, 4, 6, 8, 12))
        while not state.is_over:
            if len(plies) < opening or draw.random() < self.settings.random_moves:
                ply: Ply = (draw.choice(state.legal_moves()), {})
            else:
                report = player.choose(state)
                visits = {c.move: c.visits for c in report.candidates if c.proven != "loss"}
                move = report.move
                if report.proven is not None:
                    visits = {}
                elif draw.random() < self.settings.other_moves:
                    move = draw.choices(list(visits), list(visits.values()))[0]
                ply = (move, visits)
            plies.append(ply)
            state = state.play(ply[0])
        player.close()
        return TrainingGame(game.spec, plies)

    def learn(self, games: list[TrainingGame], out: Path, command: str) -> Result:
        """Fit the policy to games and write its file."""
        learner, held_out = _native.Connect4Learner(), _native.Connect4Learner()
        for index, game in enumerate(games):
            self.tell(Message("reading"), index, len(games))
            add_samples(held_out if index % self.settings.held_out_every == 0 else learner, game)
        if not len(learner) or not len(held_out):
            raise ValueError(
                Message(
                    "{count} games of Connect Four hold no samples; give more", count=len(games)
                )
            )
        uniform = learner.measure(held_out)[0]
        for step in range(self.settings.steps):
            self.tell(Message("learning"), step, self.settings.steps)
            learner.step(self.settings.rate, self.settings.decay, step)
        likelihood, best, first = learner.measure(held_out)
        result = Result(
            games=len(games),
            positions=len(learner),
            held_out=len(held_out),
            likelihood=likelihood,
            uniform=uniform,
            best=best,
            first=first,
        )
        about = {"made by": command, **asdict(self.settings), **result._asdict()}
        policy.write(out, about, learner.logs())
        return result


def add_samples(learner: Any, game: TrainingGame) -> None:
    """Add the positions of a game and their visit shares to a learner."""
    state = make_game(game.game).start()
    for move, visits in game.plies:
        total = sum(visits.values())
        if len(visits) > 1 and total:
            learner.add(state, [(each, n / total) for each, n in visits.items()])
        state = state.play(move)
