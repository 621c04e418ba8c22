"""Common mistakes of Connect Four bots: full columns, blocked cells, swapped coordinates."""

from __future__ import annotations

import random
from typing import Any

from honte.core.check_support import CheckSupport, Mistake, Race, Situation
from honte.core.descriptor_parts import Cell
from honte.core.games import game as make_game
from honte.core.language import Message

COURSE_BOARDS = (
    "connect4:rows=9,cols=12,blocked=8/5",  # in the bottom row
    "connect4:rows=12,cols=9,blocked=0/4",  # in the top row
    "connect4:rows=10,cols=10,blocked=5/9",  # square, in the last column
)
MAX_STEPS = 20_000
RACES = 3
"""Positions of each kind, enough that no bot fails them all by chance."""


def boards(game: Any, varied: bool) -> list[Any]:
    """The given board, and typical course boards for bots that may meet any board."""
    if game.inarow != 4 or len(game.blocked) > 1 or not (varied or game.blocked):
        return [game]
    return [game, *map(make_game, COURSE_BOARDS)]


# -- positions -------------------------------------------------------------------------


def situations(game: Any) -> list[Situation]:
    """Nearly full boards with one open column."""
    found = []
    last = game.cols - 1
    if (last not in {col for _, col in game.blocked}) and (moves := filled(game, last, 1)):
        name = Message("on a nearly full board on which only the last column is open")
        found.append(Situation(name, "full board", game, moves))
    for row, col in sorted(game.blocked)[:1]:
        if row > 0 and (moves := filled(game, col, row - 1)) is not None:
            name = Message(
                "in a position in which only column {col} is open, above its blocked cell", col=col
            )
            found.append(Situation(name, "blocked cell", game, moves))
        other = (col + 1) % game.cols
        if row == 0 and (moves := filled(game, other, 1)) is not None:
            name = Message(
                "in a position in which column {col} is full up to the blocked cell at its top",
                col=col,
            )
            found.append(Situation(name, "blocked cell", game, moves))
    return found


def filled(game: Any, column: int, row: int) -> list[int] | None:
    """Moves that fill the board, except that the next piece in `column` lands on `row`.

    The colours follow a pattern without four in a row: pairs within a row, inverted from row to
    row. If no move fits the pattern, any move that does not win is played; dead ends backtrack by
    a random number of moves.
    """
    draw = random.Random(1)
    states: list[Any] = [game.start()]
    moves: list[int] = []
    for _ in range(MAX_STEPS):
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
    """Whether a move fits the pattern without four in a row."""
    return bool((move // 2 + state.landing_row(move)) % 2 == state.to_move)


def filling_move(state: Any, draw: random.Random) -> int:
    """A move that does not end the game, preferably one that fits the pattern."""
    legal: list[int] = state.legal_moves()
    draw.shuffle(legal)
    legal.sort(key=lambda move: fits(state, move), reverse=True)
    return next((move for move in legal if not state.play(move).is_over), legal[0])


def races(game: Any) -> list[Race]:
    """Positions of random games in which the side to move has one winning move.

    In most of them the opponent has another one, in the last ones none.
    """
    found: dict[tuple[int, bool], list[Race]] = {}
    for seed in range(100):
        draw, state = random.Random(seed), game.start()
        moves: list[int] = []
        while not state.is_over:
            race = race_in(state, moves) if len(moves) > 6 else None
            if race is not None:
                alike = found.setdefault((state.to_move, race.stop is None), [])
                taken = {(one.win, one.stop) for one in alike}
                if len(alike) < RACES and (race.win, race.stop) not in taken:
                    alike.append(race)
                    break
            moves.append(draw.choice(state.legal_moves()))
            state = state.play(moves[-1])
        if len(found) == 4 and all(len(alike) == RACES for alike in found.values()):
            break
    return [race for key in sorted(found) for race in found[key]]


def race_in(state: Any, moves: list[int]) -> Race | None:
    """The race of a position; None if the side to move, or the opponent, could win in two ways."""
    wins = winning_moves(state)
    if len(wins) != 1:
        return None
    for quiet in state.legal_moves():
        after = state.play(quiet)
        if quiet not in wins and not after.is_over:
            threats = [move for move in winning_moves(after) if move != quiet]
            if len(threats) > 1 or threats == wins:
                return None
            return Race(state.game, list(moves), wins[0], threats[0] if threats else None)
    return None


def winning_moves(state: Any) -> list[int]:
    """The moves that end the game with a win for the side to move."""
    return [move for move in state.legal_moves() if state.play(move).winner is not None]


# -- illegal moves ---------------------------------------------------------------------


def mistake(state: Any, cell: Cell | None, move: int | None) -> Mistake:
    """Diagnose an illegal cell or column."""
    if cell is not None:
        return cell_mistake(state, *cell)
    return Mistake("illegal move") if move is None else column_mistake(state, move)


def cell_mistake(state: Any, x: int, y: int) -> Mistake:
    """Diagnose an illegal (row, column)."""
    game = state.game
    rows, cols = game.rows, game.cols

    def lands(row: int, col: int) -> bool:
        return bool(0 <= col < cols and state.landing_row(col) == row)

    if (x, y) in game.blocked:
        return Mistake(
            "blocked cell",
            "",
            Message(
                "never play on (noX, noY): take the row from top[y] - 1, where the judge has "
                "already skipped the blocked cell, and skip it yourself when you look ahead"
            ),
        )
    if lands(y, x):
        return Mistake(
            "rows and columns",
            Message(
                "the other way round, ({y}, {x}), it would be legal: rows and columns are swapped",
                y=y,
                x=x,
            ),
            Message(
                "give the row first, counted from the top, then the column: new Point(top[y] - "
                "1, y); a cell is board[x * N + y], where N is the number of columns"
            ),
        )
    in_blocked_column = any(y == col for _, col in game.blocked)
    if 0 <= y < cols and x >= 0 and in_blocked_column:
        row = state.landing_row(y)
        if row is None:
            more = Message("column {y} is full: its last free cell is the blocked one", y=y)
        else:
            more = Message("the piece lands on row {row}", row=row)
        if row is None or abs(x - row) == 1:
            return Mistake(
                "blocked cell",
                Message(
                    "{more}, and the blocked cell of that column was counted wrongly", more=more
                ),
                Message(
                    "do not count pieces to find the row: take top[y] - 1, where the blocked cell "
                    "is already skipped; a column is full when top[y] is 0"
                ),
            )
    if lands(rows - 1 - x, y):
        return Mistake(
            "upside down",
            Message(
                "counted from the other end, ({rows}, {y}), it would be legal",
                rows=rows - 1 - x,
                y=y,
            ),
            Message("row 0 is the top row and the last row is at the bottom"),
        )
    if lands(x - 1, y):
        return Mistake(
            "one row too low",
            Message("the piece lands one row higher, on {x}", x=x - 1),
            Message("the next piece of column y lands on row top[y] - 1, not top[y]"),
        )
    if lands(x - 1, y - 1):
        counted = Message("rows and columns are counted from 0 here")
        return Mistake("counts from 1", counted, Message("subtract 1 from both"))
    if 0 <= y < cols and state.landing_row(y) is None:
        return Mistake(
            "full column",
            Message("column {y} is full", y=y),
            Message(
                "leave out every column with top[y] equal to 0, in the search as well as at the end"
            ),
        )
    if not (0 <= x < rows and 0 <= y < cols):
        more = Message("the board has {rows} rows and {cols} columns", rows=rows, cols=cols)
        fix = Message("use M and N of this call, not a size kept from before, and count from 0")
        return Mistake("off the board", more, fix)
    more = Message(
        "a piece in column {y} lands on row {landing_row}", y=y, landing_row=state.landing_row(y)
    )
    return Mistake("illegal move", more, Message("take the row from top[y] - 1 of this call"))


def column_mistake(state: Any, move: int) -> Mistake:
    """Diagnose an illegal column."""
    game = state.game
    if not 0 <= move < game.cols:
        more = Message("the board has the columns 0 to {cols}", cols=game.cols - 1)
        fix = Message(
            "count columns from 0, and take their number from state.game.cols of this call"
        )
        return Mistake("off the board", more, fix)
    if (0, move) in game.blocked:
        return Mistake(
            "blocked cell",
            Message("column {move} is full: its last free cell is the blocked one", move=move),
            Message(
                "a column whose top cell is blocked is full one piece earlier; choose from "
                "state.legal_moves()"
            ),
        )
    return Mistake(
        "full column",
        Message("column {move} is full", move=move),
        Message("choose from state.legal_moves()"),
    )


FIXES = {
    "blocked cell": Message(
        "a piece rests on the blocked cell as on any other, and a column whose top "
        "cell is blocked is full below it"
    ),
    "full board": Message(
        "look at every column, the last one too, leave out the full ones, and build "
        "the board from what each request says rather than from memory"
    ),
}

SUPPORT = CheckSupport(
    boards=boards,
    situations=situations,
    races=races,
    mistake=mistake,
    fixes=FIXES,
    filler=filling_move,
)
