"""Small Go problems, drawn in go_problems.txt: `best` finds the move that alone wins.

A problem is a line with its title, the side to move, komi and the answers, then the board. Each
is also set turned by a quarter with the colours changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import honte


class Problem(NamedTuple):
    title: str
    side: str
    komi: float
    answers: set[str]
    rows: list[str]

    def turned(self) -> Problem:
        """Turned to the right, with the colours changed."""
        size = len(self.rows)
        game: Any = honte.game(f"go:size={size}")
        swap = str.maketrans("XO", "OX")
        rows = ["".join(self.rows[size - 1 - c][r] for c in range(size)) for r in range(size)]
        places = [divmod(game.parse(answer), size) for answer in self.answers]
        answers = {game.format(col * size + size - 1 - row) for row, col in places}
        return Problem(
            f"{self.title}, turned",
            self.side.translate(swap),
            -self.komi,
            answers,
            [row.translate(swap) for row in rows],
        )


def read() -> list[Problem]:
    text = (Path(__file__).parent / "go_problems.txt").read_text()
    problems = []
    for block in text.strip().split("\n\n"):
        head, *drawing = block.splitlines()
        title, side, komi, answers = head.split(" | ")
        rows = ["".join(line.split()) for line in drawing]
        problems.append(
            Problem(title, side, float(komi.removeprefix("komi ")), {*answers.split()}, rows)
        )
    return problems


def solves(problem: Problem, iterations: int) -> bool:
    game: Any = honte.game(f"go:size={len(problem.rows)},komi={problem.komi}")
    state = game.from_text(f"{'/'.join(problem.rows)} {problem.side}")
    player = honte.player(f"best:iterations={iterations},seed=1", game)
    return game.format(player.choose(state).move) in problem.answers


def test_nine_of_ten_problems_are_solved() -> None:
    """With 3,000 simulations, less than a second's worth on boards of this size."""
    drawn = read()
    problems = [*drawn, *(problem.turned() for problem in drawn)]
    missed = [problem.title for problem in problems if not solves(problem, 3000)]
    assert len(missed) <= len(problems) / 10, missed


def test_problems_are_drawn_right() -> None:
    for problem in read():
        size = len(problem.rows)
        game: Any = honte.game(f"go:size={size}")
        state = game.from_text(f"{'/'.join(problem.rows)} {problem.side}")
        assert all(state.is_legal(game.parse(answer)) for answer in problem.answers)
        assert problem.turned().turned().turned().turned()[1:] == problem[1:]
