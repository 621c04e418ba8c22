"""OBF: Othello problems, one per line, with exact move scores.

    O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X; A2:+38; C7:+36;

A score is the final disc difference for the side to move. `%` opens a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path

from honte.core import games as registry
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.record import Record, check_count, check_length, read_file

MAX_LINE = 4096  # a board, the side and every move with its score take less than 600 characters
_SCORE = re.compile(r"[+-]?[0-9]{1,2}")


@dataclass(frozen=True)
class Problem:
    """A position with the known scores of its moves."""

    position: str  # as State.to_text writes it: 64 of X, O and -, a blank, the side to move
    to_move: int
    moves: Mapping[int, int] = field(default_factory=dict)  # move -> score for the side to move

    @property
    def best(self) -> int | None:
        """The score of the best move named; None if the line names none."""
        return max(self.moves.values(), default=None)

    @property
    def best_moves(self) -> list[int]:
        """The moves that reach the best score."""
        return [move for move, score in self.moves.items() if score == self.best]


def parse_line(line: str) -> Problem:
    """Read one line."""
    if len(line) > MAX_LINE:
        raise ValueError(
            Message(
                "the line has {count} characters; a problem takes up to {max_line}",
                count=len(line),
                max_line=MAX_LINE,
            )
        )
    head, *entries = line.partition("%")[0].strip().split(";")
    othello = registry.game("othello")
    state = othello.from_text(head)
    legal = state.legal_moves()
    moves: dict[int, int] = {}
    for entry in entries:
        if not entry.strip():
            continue
        name, _, value = entry.partition(":")
        name, score = name.strip(), value.strip()
        move = othello.parse(name)
        if not _SCORE.fullmatch(score) or abs(int(score)) > 64:
            raise ValueError(
                Message(
                    "{score} is not a score of {name}; write -64 to +64",
                    score=quote(score),
                    name=name,
                )
            )
        if move in moves:
            raise ValueError(Message("{name} has two scores; give one", name=name))
        if move not in legal:
            raise ValueError(
                Message("{name} is not legal there; give scores of legal moves only", name=name)
            )
        moves[move] = int(score)
    return Problem(state.to_text(), state.to_move, moves)


def read(lines: Iterable[str]) -> Iterator[Problem]:
    """Read problems from lines, lazily; an error names its line."""
    for number, line in enumerate(lines, start=1):
        if line.partition("%")[0].strip():
            try:
                yield parse_line(line)
            except ValueError as error:
                raise ValueError(
                    Message("line {number}: {error}", number=number, error=error)
                ) from error


def loads(text: str) -> list[Problem]:
    """Read every problem of a text."""
    check_length(text, "OBF text")
    return list(read(text.splitlines()))


def load(path: str | PathLike[str]) -> list[Problem]:
    """Read every problem of a file."""
    return loads(read_file(Path(path)).decode("utf-8-sig", "replace"))


def format_line(problem: Problem) -> str:
    """Write a problem as a line, best move first, without the line's end."""
    name = registry.game("othello").format
    scores = sorted(problem.moves.items(), key=lambda item: -item[1])
    entries = [f" {name(move).upper()}:{score:+d};" for move, score in scores]
    return f"{problem.position};{''.join(entries)}"


def dumps(problems: Iterable[Problem]) -> str:
    """Write problems, one per line."""
    return "".join(format_line(problem) + "\n" for problem in problems)


def records(data: bytes) -> list[Record]:
    """Problems as games without moves, their scores in a comment."""
    found: list[Record] = []
    for problem in loads(data.decode("utf-8-sig", "replace")):
        check_count(len(found) + 1)
        line = format_line(problem).partition(";")[2].strip().rstrip(";")
        meta = {"comments": {0: line}} if line else {}
        found.append(Record("othello", start=problem.position, meta=meta))
    if not found:
        raise ValueError(
            Message("the text holds no problem; a line is a board, the side to move, a ;")
        )
    return found
