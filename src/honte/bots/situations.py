"""Where bots go wrong: the boards and positions that `honte check` asks about.

Each situation is played from the start of a game, so a bot that wants to know the moves can
be told them, and each has a name for the report.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from honte.games.contract import Game, State
from honte.games.registry import game as make_game

COURSE = ("getpoint", "saiblo", "saiblo_json")
COURSE_BOARDS = (
    "connect4:rows=9,cols=12,blocked=8/5",  # in the bottom row
    "connect4:rows=12,cols=9,blocked=0/4",  # in the top row
    "connect4:rows=10,cols=10,blocked=5/9",  # square, in the last column
)
MOST_STEPS = 20_000


class Situation(NamedTuple):
    """A position to ask for a move in."""

    name: str
    """Where the bot stands in it, in words."""
    kind: str
    """The disease that it looks for."""
    game: Game
    moves: list[int]

    def state(self) -> State:
        state = self.game.start()
        for move in self.moves:
            state = state.play(move)
        return state


def boards(game: Any, protocol: str) -> list[Game]:
    """The boards to play on: the one given, and the course's shapes for who plays those."""
    if game.name != "connect4" or game.inarow != 4 or len(game.blocked) > 1:
        return [game]
    if protocol not in COURSE and not game.blocked:
        return [game]  # who plays on an empty 7×6 board need not know any other
    return [game, *map(make_game, COURSE_BOARDS)]


def beginnings(game: Game) -> tuple[Situation, Situation]:
    """The first move of a game, and the answer to one."""
    legal = game.start().legal_moves()
    return (
        Situation("at the first move of the game", "first move", game, []),
        Situation("answering the first move", "first move", game, [legal[len(legal) // 2]]),
    )


def special(boards: list[Game]) -> list[Situation]:
    """The positions in which bots go wrong, board by board."""
    found: list[Situation] = []
    for game in boards:
        if game.name == "connect4":
            found += connect4(game)
        elif game.name == "othello":
            found += othello(game)
        elif game.name == "go":
            found += go(game)
    return found


# -- Connect Four ----------------------------------------------------------------------


def connect4(game: Any) -> list[Situation]:
    """Nearly full boards, on which one column is left."""
    found = []
    last = game.cols - 1
    if (last not in {col for _, col in game.blocked}) and (moves := filled(game, last, 1)):
        name = "on a nearly full board on which only the last column is open"
        found.append(Situation(name, "full board", game, moves))
    for row, col in sorted(game.blocked)[:1]:
        if row > 0 and (moves := filled(game, col, row - 1)) is not None:
            name = f"in a position in which only column {col} is open, above its blocked cell"
            found.append(Situation(name, "blocked cell", game, moves))
        other = (col + 1) % game.cols
        if row == 0 and (moves := filled(game, other, 1)) is not None:
            name = f"in a position in which column {col} is full up to the blocked cell at its top"
            found.append(Situation(name, "blocked cell", game, moves))
    return found


def filled(game: Any, column: int, row: int) -> list[int] | None:
    """Moves that fill the board, but one column only so far that the next piece lands on a row.

    The colours follow a pattern without four in a line: pairs in each row, and each row the
    other way round than the one below. Where a turn cannot keep to it, any move that does
    not win will do, and a dead end goes some moves back.
    """
    draw = random.Random(1)
    states: list[Any] = [game.start()]
    moves: list[int] = []
    for _ in range(MOST_STEPS):
        state = states[-1]
        legal = [
            move for move in state.legal_moves() if move != column or state.landing_row(move) > row
        ]
        if not legal:
            return moves if state.landing_row(column) == row else None
        draw.shuffle(legal)
        legal.sort(key=lambda move, at=state: fits(at, move), reverse=True)  # type: ignore[misc]
        after = next((n for m in legal if not (n := state.play(m)).is_over), None)
        if after is not None:
            states.append(after)
            moves.append(after.last_move)
        elif moves:
            back = min(len(moves), draw.randint(1, 24))
            del states[-back:], moves[-back:]
    return None


def fits(state: Any, move: int) -> bool:
    """Whether a move keeps to the pattern without lines."""
    return bool((move // 2 + state.landing_row(move)) % 2 == state.to_move)


# -- Othello and Go --------------------------------------------------------------------


def othello(game: Game) -> list[Situation]:
    """A position in which the bot must pass, and one after the opponent's pass."""
    draw = random.Random(1)
    must: list[int] | None = None
    after: list[int] | None = None
    for _ in range(300):
        state, moves = game.start(), list[int]()
        while not state.is_over and (must is None or after is None):
            legal = state.legal_moves()
            if game.format(legal[0]) == "pass":
                must = must or list(moves)
                after = after or [*moves, legal[0]]
            moves.append(draw.choice(legal))
            state = state.play(moves[-1])
    found = []
    if must is not None:
        found.append(Situation("in a position in which it must pass", "pass", game, must))
    if after is not None:
        found.append(Situation("in a position after the opponent had to pass", "pass", game, after))
    return found


def go(game: Game) -> list[Situation]:
    """A pass of the opponent, early and late."""
    draw = random.Random(1)
    found = []
    skip = game.parse("pass")
    size: int = game.size  # type: ignore[attr-defined]
    for plies, when in ((2, "early in the game"), (size * size // 4, "in the middle of the game")):
        state, moves = game.start(), list[int]()
        for _ in range(plies):
            legal = [move for move in state.legal_moves() if move != skip]
            if not legal:
                break
            moves.append(draw.choice(legal))
            state = state.play(moves[-1])
        if not state.is_over:
            name = f"in a position after the opponent's pass {when}"
            found.append(Situation(name, "pass", game, [*moves, skip]))
    return found
