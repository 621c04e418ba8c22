"""What the shapes round a move of Connect Four are worth, learned from searches.

A lesson is a position and how a search shared its visits out among the moves; the table is fitted
so that it foresees these shares. Lessons are made here, in games of `best` with itself on random
course boards, and kept as lines of JSON: a game's spec, then for each ply the move and, where there
was a search, the visits of every move.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

import honte
from honte import _native
from honte.learn import Tell
from honte.search import strengths

Ply = tuple[int, dict[int, int]]
"""A move, and the visits of all moves where a search chose it."""


@dataclass(frozen=True)
class Settings:
    """How to learn."""

    self_play: int = 0
    """Games to play first."""
    iterations: int = 8000
    player: str = "best:takeover=no"
    random_moves: float = 0.03
    """How often a move is any legal one."""
    other_moves: float = 0.25
    """How often it is drawn by the visits."""
    steps: int = 5
    rate: float = 0.03
    decay: float = 1e-4
    held_out_every: int = 20
    """One game in so many is not learned from, but used to measure."""
    seed: int = 1


class Lesson(NamedTuple):
    """A game, with what was thought of its moves."""

    game: str
    plies: list[Ply]


class Result(NamedTuple):
    """What came of learning."""

    games: int
    positions: int
    held_out: int
    likelihood: float
    """Of the searches' shares, in games held out: the mean logarithm of the chance foreseen."""
    uniform: float
    """The same where all moves are thought equally likely."""
    best: float
    """The same if the shares were foreseen exactly."""
    first: float
    """How often the move with most visits was foreseen to be the likeliest."""


def read_lessons(path: Path) -> Iterator[Lesson]:
    """The lessons of a file, or of all .jsonl files of a folder."""
    files = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
    if not files:
        raise ValueError(f"there is no .jsonl file in {path}")
    for file in files:
        for number, line in enumerate(file.read_text().splitlines(), 1):
            try:
                game, plies = json.loads(line)
                found = [(int(ply[0]), {int(m): int(n) for m, n in ply[1]}) for ply in plies]
                lesson = Lesson(str(game), found)
            except (ValueError, TypeError, IndexError):
                raise ValueError(f"{file.name}, line {number}: this is no lesson") from None
            yield lesson


class Learner:
    """Plays games, and learns from them."""

    def __init__(self, work: Path, settings: Settings, tell: Tell) -> None:
        self.work, self.settings, self.tell = work, settings, tell

    def play(self) -> None:
        """Games of a player with itself; those that are in the file already stay."""
        self.work.mkdir(parents=True, exist_ok=True)
        file = self.work / f"lessons-{self.settings.seed}.jsonl"
        done = 0
        if file.exists():
            whole, newline, _ = file.read_text().rpartition("\n")  # a line half written goes
            file.write_text(whole + newline)
            done = whole.count("\n") + bool(newline)
        with file.open("a") as out:
            for number in range(done, self.settings.self_play):
                self.tell("playing", number, self.settings.self_play)
                game, plies = self._play(self.settings.seed * 1_000_003 + number)
                lines = [[move, list(visits.items())] for move, visits in plies]
                out.write(json.dumps([game, lines], separators=(",", ":")) + "\n")
                out.flush()

    def _play(self, seed: int) -> Lesson:
        draw = random.Random(seed)
        game = honte.game(f"connect4:course,seed={draw.randrange(2**31)}")
        player: Any = honte.player(
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
        return Lesson(game.spec, plies)

    def learn(self, lessons: list[Lesson], out: Path, command: str) -> Result:
        """Learn from lessons and write the file."""
        learner, held_out = _native.Connect4Learner(), _native.Connect4Learner()
        for index, lesson in enumerate(lessons):
            self.tell("reading", index, len(lessons))
            teach(held_out if index % self.settings.held_out_every == 0 else learner, lesson)
        if not len(learner) or not len(held_out):
            raise ValueError(f"{len(lessons)} games of Connect Four teach nothing; give more")
        uniform = learner.measure(held_out)[0]
        for step in range(self.settings.steps):
            self.tell("learning", step, self.settings.steps)
            learner.step(self.settings.rate, self.settings.decay, step)
        likelihood, best, first = learner.measure(held_out)
        result = Result(
            games=len(lessons),
            positions=len(learner),
            held_out=len(held_out),
            likelihood=likelihood,
            uniform=uniform,
            best=best,
            first=first,
        )
        about = {"made by": command, **asdict(self.settings), **result._asdict()}
        strengths.write(out, about, learner.logs())
        return result


def teach(learner: Any, lesson: Lesson) -> None:
    """Show a learner the positions of a game and how the visits were shared out."""
    state = honte.game(lesson.game).start()
    for move, visits in lesson.plies:
        total = sum(visits.values())
        if len(visits) > 1 and total:
            learner.add(state, [(each, n / total) for each, n in visits.items()])
        state = state.play(move)
