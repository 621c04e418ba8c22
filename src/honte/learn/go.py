"""The strengths of Go moves' features, learned from games.

Games come from an arena's stores, from SGF files, or are played here. Every position
in which a player of interest moved is a competition that the move played has won against all
others (Coulom 2007); some games are held out to measure how well moves are foretold.
"""

from __future__ import annotations

import fnmatch
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import honte
from honte import _native
from honte.games.contract import State
from honte.games.records import Record, read_file, sgf
from honte.learn import Tell
from honte.search import strengths


@dataclass(frozen=True)
class Settings:
    """How to learn."""

    caution: float = 2.0
    """Pretend that every feature has won and lost so many times against an average one."""
    steps: int = 20
    held_out_every: int = 10
    """One game in so many is not learned from, but used to measure."""
    self_play: int = 0
    """Games of our own to play first."""
    iterations: int = 800
    size: int = 9
    players: str = "*"
    """Whose moves teach: a pattern of specs, where the games have such."""
    seed: int = 1


class Game(NamedTuple):
    """A game, and whose moves teach."""

    start: State
    moves: list[int]
    opening: int
    """So many moves were nobody's own."""
    teachers: tuple[bool, bool]
    """Whether the moves of the first mover teach, and those of the second."""


class Foretold(NamedTuple):
    """How well the moves of games held out are foretold."""

    likelihood: float
    """The mean logarithm of the chance that was given to the move played."""
    first: float
    """How often that was the likeliest move."""


class Result(NamedTuple):
    """What came of learning."""

    games: int
    positions: int
    held_out: int
    uniform: Foretold
    by_hand: Foretold
    learned: Foretold


def read_games(path: Path, players: str = "*") -> Iterator[Game]:
    """The games of a store, or of the stores and SGF files of a folder.

    Games that are not Go are left out.
    """
    if path.is_dir():
        files = [file for file in sorted(path.iterdir()) if file.suffix in (".sgf", ".db")]
        if not files:
            raise ValueError(f"there is no .sgf or .db file in {path}")
        for file in files:
            yield from read_games(file, players)
    elif path.suffix == ".sgf":
        yield from map(from_record, sgf.loads(read_file(path)))
    else:
        from honte.arena.store import Store

        with Store(path, write=False) as store:
            for played in store.games():
                if played.task.game.partition(":")[0] != "go":
                    continue
                one, two = (fnmatch.fnmatchcase(spec, players) for spec in played.task.players)
                start = honte.game(played.task.game).start()
                yield Game(start, list(played.moves), len(played.task.opening), (one, two))


def from_record(record: Record) -> Game:
    game: Any = honte.game(record.game_spec)
    start = game.start() if record.start is None else game.from_text(record.start)
    return Game(start, list(record.moves), 0, (True, True))


class Learner:
    """Plays and reads games, and learns from them."""

    def __init__(self, work: Path, settings: Settings, tell: Tell) -> None:
        self.work, self.settings, self.tell = work, settings, tell

    def play(self) -> None:
        """Games of `best` with itself, a file each; those that are there already stay."""
        self.work.mkdir(parents=True, exist_ok=True)
        game: Any = honte.game("go", size=self.settings.size, komi=7.5)
        for number in range(self.settings.self_play):
            file = self.work / f"{self.settings.seed}-{number:05}.sgf"
            if file.exists():
                continue
            self.tell("playing", number, self.settings.self_play)
            record = self._play(game, self.settings.seed * 1_000_003 + number)
            half = file.with_suffix(".half")
            half.write_text(sgf.dumps(record))
            half.rename(file)

    def _play(self, game: Any, seed: int) -> Record:
        spec = f"best:iterations={self.settings.iterations},seed={seed}"
        player = honte.player(spec, game)
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
        """Learn from games and write the file."""
        learner, held_out = _native.GoLearner(), _native.GoLearner()
        for index, game in enumerate(games):
            self.tell("reading", index, len(games))
            teach(held_out if index % self.settings.held_out_every == 0 else learner, game)
        if not len(learner) or not len(held_out):
            raise ValueError(f"{len(games)} games of Go teach nothing; give more of them")
        for step in range(self.settings.steps):
            self.tell("learning", step, self.settings.steps)
            learner.step(self.settings.caution)
        hands = (Foretold(*held_out.measure_by_hand(scale)) for scale in (5.0, 10.0, 20.0, 40.0))
        result = Result(
            games=len(games),
            positions=len(learner),
            held_out=len(held_out),
            uniform=Foretold(*held_out.measure_uniform()),
            by_hand=max(hands),
            learned=Foretold(*learner.measure(held_out)),
        )
        about = {"made by": command, **asdict(self.settings), **result._asdict()}
        strengths.write(out, about, learner.logs())
        return result


def teach(learner: Any, game: Game) -> None:
    """Show a learner the positions of a game and the moves made in them."""
    state = game.start
    for ply, move in enumerate(game.moves):
        if ply >= game.opening and game.teachers[ply % 2]:
            learner.add(state, move)
        state = state.play(move)
