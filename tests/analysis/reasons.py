"""The reasons given in a review, parsed and checked by the rules alone.

A sentence that no check recognises fails: every new kind needs a check of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import honte
from honte.analysis.review import Remark

RESULT = {"wins": "win", "draws": "draw", "loses": "loss"}


@dataclass
class Choice:
    """A mistake: the position, and the outcomes of the move played and the better one."""

    state: Any
    remark: Remark

    def __post_init__(self) -> None:
        self.game: Any = self.state.game
        self.side = self.state.to_move
        self.after: Any = self.state.play(self.remark.move)
        self.better: Any = self.state.play(self.remark.best)

    def stones(self, state: Any, side: int) -> int:
        return tuple(state.cells()).count(side + 1)


def check_reason(state: honte.State, remark: Remark, words: str) -> None:
    """Assert that a sentence is true of the position before the move."""
    choice = Choice(state, remark)
    for pattern, check in CHECKS:
        if found := re.fullmatch(pattern, words):
            said = found.groupdict()
            assert said.get("best", choice.game.format(remark.best)) == choice.game.format(
                remark.best
            )
            assert said.get("move", choice.game.format(remark.move)) == choice.game.format(
                remark.move
            )
            check(choice, said)
            return
    raise AssertionError(f"nobody checks the sentence {words!r}")


def nothing_to_check(choice: Choice, said: dict[str, str]) -> None:
    """Only a number speaks for the move, and the sentence claims no more."""


def by_force(choice: Choice, said: dict[str, str]) -> None:
    assert choice.remark.best_proven == RESULT[said["one"]]
    assert choice.remark.proven == RESULT[said["other"]]


# -- Connect Four ---------------------------------------------------------------------------


def wins_at_once(choice: Choice, said: dict[str, str]) -> None:
    assert choice.better.winner == choice.side


def opponent_wins(choice: Choice, said: dict[str, str]) -> None:
    cell = cell_named(choice, said["cell"])
    wins = [choice.after.play(move) for move in choice.after.legal_moves()]
    wins = [won for won in wins if won.winner == 1 - choice.side]
    assert any(won.cells()[cell] == 2 - choice.side for won in wins)
    if not choice.better.is_over:
        replies = [choice.better.play(move) for move in choice.better.legal_moves()]
        assert not any(reply.winner == 1 - choice.side for reply in replies)


def two_wins(choice: Choice, said: dict[str, str]) -> None:
    attack = choice.better
    if "answer" in said:
        attack = choice.after.play(choice.game.parse(said["answer"]))
    side = 1 - attack.to_move
    for reply in attack.legal_moves():  # whatever the reply, a threat succeeds
        answered = attack.play(reply)
        assert answered.winner != 1 - side
        assert answered.is_over or any(
            answered.play(last).winner == side for last in answered.legal_moves()
        )


def new_threat(choice: Choice, said: dict[str, str]) -> None:
    cell = cell_named(choice, said["cell"])
    assert completes(choice, choice.better, cell)
    assert not completes(choice, choice.after, cell)
    if said.get("kind"):
        row = choice.game.rows - cell // choice.game.cols
        assert said["kind"] == ("even", "odd")[row % 2]
        assert (said["kind"], said["who"]) == (("odd", "first"), ("even", "second"))[choice.side]
        assert choice.game.rows % 2 == 0
        assert choice.better.landing_row(cell % choice.game.cols) != cell // choice.game.cols


def cell_named(choice: Choice, name: str) -> int:
    column, _, row = name.partition("/")
    return int((choice.game.rows - int(row)) * choice.game.cols + choice.game.parse(column))


def completes(choice: Choice, state: Any, cell: int) -> bool:
    """Whether a piece of the mover on an empty cell would stand in a line of four."""
    rows, cols, need = choice.game.rows, choice.game.cols, choice.game.inarow
    own = {at for at, held in enumerate(state.cells()) if held == choice.side + 1}
    if state.cells()[cell] != 0:
        return False
    row, col = divmod(cell, cols)
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        length = 1
        for way in (1, -1):
            r, c = row + way * down, col + way * right
            while 0 <= r < rows and 0 <= c < cols and r * cols + c in own:
                length, r, c = length + 1, r + way * down, c + way * right
        if length >= need:
            return True
    return False


# -- Othello --------------------------------------------------------------------------------


def corner_taken(choice: Choice, said: dict[str, str]) -> None:
    last = f"{'abcdefgh'[choice.game.size - 1]}"
    assert said["best"] in {"a1", f"{last}1", f"a{choice.game.size}", f"{last}{choice.game.size}"}


def corner_given(choice: Choice, said: dict[str, str]) -> None:
    corner = choice.game.parse(said["corner"])
    assert choice.after.to_move == 1 - choice.side
    assert corner in choice.after.legal_moves()
    assert choice.better.is_over or corner not in choice.better.legal_moves()


def replies(choice: Choice, state: Any) -> int:
    """The opponent's moves, passes excluded."""
    moves = [choice.game.format(move) for move in state.legal_moves()]
    return len([move for move in moves if move != "pass"])


def no_reply(choice: Choice, said: dict[str, str]) -> None:
    assert replies(choice, choice.better) == 0
    assert replies(choice, choice.after) > 0


def fewer_replies(choice: Choice, said: dict[str, str]) -> None:
    assert replies(choice, choice.after) == int(said["left"])
    assert replies(choice, choice.better) == int(said["fewer"])


# -- Go -------------------------------------------------------------------------------------


def captures(choice: Choice, said: dict[str, str]) -> None:
    opponent = 1 - choice.side
    taken = choice.stones(choice.state, opponent) - choice.stones(choice.better, opponent)
    assert taken == int(said["taken"])
    assert choice.stones(choice.after, opponent) == choice.stones(choice.state, opponent)


def captured_from(choice: Choice, state: Any, point: int) -> bool:
    """Whether the opponent has a move that takes the stone on a point off the board."""
    return any(state.play(move).cells()[point] == 0 for move in state.legal_moves())


def own_atari(choice: Choice, said: dict[str, str]) -> None:
    assert captured_from(choice, choice.after, choice.remark.move)


def left_in_atari(choice: Choice, said: dict[str, str]) -> None:
    point = choice.game.parse(said["point"])
    assert choice.after.cells()[point] == choice.side + 1
    assert len(choice.after.group(point)[0]) == int(said["stones"])
    assert captured_from(choice, choice.after, point)
    assert not captured_from(choice, choice.better, point)


def cut(choice: Choice, said: dict[str, str]) -> None:
    one, other = choice.game.parse(said["one"]), choice.game.parse(said["other"])
    assert one in choice.better.group(other)[0]
    apart = choice.after.play(choice.remark.best)
    assert apart.cells()[one] == apart.cells()[other] == choice.side + 1
    for reply in apart.legal_moves():
        then = apart.play(reply)
        if then.cells()[one] and then.cells()[other]:
            assert one not in then.group(other)[0]


MOVE, BEST = r"(?P<move>\S+)", r"(?P<best>\S+)"
CHECKS: list[tuple[str, Callable[[Choice, dict[str, str]], None]]] = [
    (rf"The search prefers {BEST}\.", nothing_to_check),
    (rf"{BEST} (?P<one>wins|draws) by force, {MOVE} (?P<other>draws|loses)\.", by_force),
    (rf"{BEST} wins at once\.", wins_at_once),
    (rf"{MOVE} fills the cell under (?P<cell>\S+), where the opponent wins\.", opponent_wins),
    (
        rf"The opponent threatens to win on (?P<cell>\S+); {BEST} stops it, {MOVE} does not\.",
        opponent_wins,
    ),
    (rf"{BEST} threatens to win in two places at once\.", two_wins),
    (
        rf"{MOVE} allows (?P<answer>\S+), which threatens to win in two places at once\.",
        two_wins,
    ),
    (
        rf"{BEST} makes a threat on (?P<cell>\S+): an (?P<kind>odd|even) row, where zugzwang "
        r"favours the (?P<who>first|second) player\.",
        new_threat,
    ),
    (rf"{BEST} makes a threat on (?P<cell>\S+), {MOVE} does not\.", new_threat),
    (rf"The corner {BEST} was there to take\.", corner_taken),
    (rf"{MOVE} gives the opponent the corner (?P<corner>\S+)\.", corner_given),
    (rf"{BEST} leaves the opponent without a move\.", no_reply),
    (
        rf"{MOVE} leaves the opponent (?P<left>\d+) moves, {BEST} only (?P<fewer>\d+)\.",
        fewer_replies,
    ),
    (rf"{BEST} captures (?P<taken>\d+) stones\.", captures),
    (rf"{MOVE} puts its own stones into atari\.", own_atari),
    (rf"{MOVE} leaves the (?P<stones>\d+) stones at (?P<point>\S+) in atari\.", left_in_atari),
    (
        rf"{BEST} connects the stones at (?P<one>\S+) and (?P<other>\S+); after {MOVE} they can "
        r"be cut\.",
        cut,
    ),
]
