"""Policy training for Go, on games.

Games come from an arena's stores, from SGF files, or from self-play. Every position in which a
selected player moved is a competition that the move played won against all others
(Coulom 2007); some games are held out to measure how well moves are predicted.
"""

from __future__ import annotations

import fnmatch
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from honte import _native
from honte.core.contract import State
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.players import player as make_player
from honte.core.progress import Tell
from honte.core.record import Record, read_file
from honte.games.go import sgf
from honte.search import policy


@dataclass(frozen=True)
class Settings:
    """Training settings."""

    regularization: float = 2.0
    """Virtual wins and losses of every feature against an average one."""
    steps: int = 20
    held_out_every: int = 10
    """One game in this many is held out for validation."""
    self_play: int = 0
    """Self-play games to generate first."""
    iterations: int = 800
    size: int = 9
    players: str = "*"
    """Pattern of player specs whose moves are samples."""
    seed: int = 1


class Game(NamedTuple):
    """A game, and whose moves are samples."""

    start: State
    moves: list[int]
    opening: int
    """The number of opening moves, which are not samples."""
    sampled: tuple[bool, bool]
    """Whether the moves of the first mover are samples, and those of the second."""


class Prediction(NamedTuple):
    """How well the moves of held-out games are predicted."""

    likelihood: float
    """The mean log-probability of the move played."""
    first: float
    """How often it was the most probable move."""


class Result(NamedTuple):
    """The result of training."""

    games: int
    positions: int
    held_out: int
    uniform: Prediction
    by_hand: Prediction
    learned: Prediction


Stored = Callable[[Path], Iterable[tuple[str, tuple[str, str], Sequence[int], int]]]
"""Reads a store: game spec, player specs, moves, number of opening moves."""


def read_games(path: Path, players: str, stored: Stored) -> Iterator[Game]:
    """The games of a store, or of the stores and SGF files of a folder.

    Games that are not Go are left out.
    """
    if path.is_dir():
        files = [file for file in sorted(path.iterdir()) if file.suffix in (".sgf", ".db")]
        if not files:
            raise ValueError(Message("there is no .sgf or .db file in {path}", path=path))
        for file in files:
            yield from read_games(file, players, stored)
    elif path.suffix == ".sgf":
        yield from map(from_record, sgf.loads(read_file(path)))
    else:
        for spec, sides, moves, opening in stored(path):
            if spec.partition(":")[0] == "go":
                one, two = (fnmatch.fnmatchcase(side, players) for side in sides)
                yield Game(make_game(spec).start(), list(moves), opening, (one, two))


def from_record(record: Record) -> Game:
    game: Any = make_game(record.game_spec)
    start = game.start() if record.start is None else game.from_text(record.start)
    return Game(start, list(record.moves), 0, (True, True))


class Learner:
    """Generates or reads games and trains on them."""

    def __init__(self, work: Path, settings: Settings, tell: Tell) -> None:
        self.work, self.settings, self.tell = work, settings, tell

    def own_files(self) -> list[Path]:
        """The files of the self-play games; those of other settings have other names."""
        name = f"{self.settings.size}-{self.settings.iterations}-{self.settings.seed}"
        return [self.work / f"{name}-{number:05}.sgf" for number in range(self.settings.self_play)]

    def own_games(self) -> Iterator[Game]:
        """The self-play games."""
        for file in self.own_files():
            yield from map(from_record, sgf.loads(read_file(file)))

    def play(self) -> None:
        """Generate the missing self-play games of `uct`, one file each."""
        self.work.mkdir(parents=True, exist_ok=True)
        game: Any = make_game("go", size=self.settings.size, komi=7.5)
        for number, file in enumerate(self.own_files()):
            if file.exists():
                continue
            self.tell(Message("playing"), number, self.settings.self_play)
            record = self._play(game, self.settings.seed * 1_000_003 + number)
            half = file.with_suffix(".half")
            half.write_text(sgf.dumps(record))
            half.rename(file)

    def _play(self, game: Any, seed: int) -> Record:
        spec = f"uct:iterations={self.settings.iterations},seed={seed}"
        player = make_player(spec, game)
        draw, state = random.Random(seed), game.start()
        moves: list[int] = []
        while not state.is_over and len(moves) < 3 * game.size**2:
            if len(moves) < 2:  # so that no two games are the same
                inner = range(2, game.size - 2) if game.size > 5 else range(game.size)
                move = game.size * draw.choice(inner) + draw.choice(inner)
                if not state.is_legal(move):
                    continue
            else:
                move = player.choose(state).move
            moves.append(move)
            state = state.play(move)
        player.close()
        return Record(game.spec, moves=moves)

    def learn(self, games: list[Game], out: Path, command: str) -> Result:
        """Train on games and write the weights."""
        learner, held_out = _native.GoLearner(), _native.GoLearner()
        for index, game in enumerate(games):
            self.tell(Message("reading"), index, len(games))
            add_samples(held_out if index % self.settings.held_out_every == 0 else learner, game)
        if not len(learner) or not len(held_out):
            raise ValueError(
                Message("{count} games of Go hold no samples; give more of them", count=len(games))
            )
        for step in range(self.settings.steps):
            self.tell(Message("learning"), step, self.settings.steps)
            learner.step(self.settings.regularization)
        hands = (Prediction(*held_out.measure_by_hand(scale)) for scale in (5.0, 10.0, 20.0, 40.0))
        result = Result(
            games=len(games),
            positions=len(learner),
            held_out=len(held_out),
            uniform=Prediction(*held_out.measure_uniform()),
            by_hand=max(hands),
            learned=Prediction(*learner.measure(held_out)),
        )
        about = {"made by": command, **asdict(self.settings), **result._asdict()}
        policy.write(out, about, learner.logs())
        return result


def add_samples(learner: Any, game: Game) -> None:
    """Add the positions of a game and the moves played in them to a learner."""
    state = game.start
    for ply, move in enumerate(game.moves):
        if ply >= game.opening and game.sampled[ply % 2]:
            learner.add(state, move)
        state = state.play(move)
