"""Why a move of Connect Four is better than another, from threats that are on the board.

>>> import honte
>>> game = honte.game("connect4")
>>> state = game.start()
>>> for move in game.read_moves("414147"):
...     state = state.play(move)
>>> [reason.words for reason in reasons(state, game.parse("2"), game.parse("4"))]
['4 wins at once.']
"""

from __future__ import annotations

from collections.abc import Iterator

from honte.core.contract import State
from honte.core.reason import Reason


def wins_at_once(state: State) -> list[int]:
    """The moves that complete a line now."""
    if state.is_over:
        return []
    return [move for move in state.legal_moves() if state.play(move).winner == state.to_move]


def cell_of(state: State, move: int) -> int:
    """The cell on which a move's piece lands."""
    row = state.landing_row(move)  # type: ignore[attr-defined]
    return int(row) * _cols(state) + move


def _cols(state: State) -> int:
    return int(state.game.cols)  # type: ignore[attr-defined]


def playable(state: State) -> set[int]:
    """The cells on which the next piece may land."""
    return {cell_of(state, move) for move in state.legal_moves()}


def threats(state: State, side: int) -> set[int]:
    """Empty cells that would complete a line of a side, playable now or not."""
    game, cells, own = state.game, state.cells(), side + 1  # type: ignore[attr-defined]
    rows, cols, need = game.rows, game.cols, game.inarow  # type: ignore[attr-defined]
    found = set()
    for row in range(rows):
        for col in range(cols):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(row + i * down, col + i * right) for i in range(need)]
                if not all(0 <= r < rows and 0 <= c < cols for r, c in line):
                    continue
                held = [cells[r * cols + c] for r, c in line]
                if held.count(own) == need - 1 and held.count(0) == 1:
                    r, c = line[held.index(0)]
                    found.add(r * cols + c)
    return found


def name(state: State, cell: int) -> str:
    """A cell as column and row, counted from 1 at the bottom left."""
    row, col = divmod(cell, _cols(state))
    return f"{state.game.format(col)}/{state.game.rows - row}"  # type: ignore[attr-defined]


def reasons(state: State, move: int, best: int) -> Iterator[Reason]:
    """Provable reasons to prefer one move to another, the strongest first."""
    show = state.game.format
    names: dict[str, str | int] = {"best": show(best), "move": show(move)}
    after, better = state.play(move), state.play(best)
    if better.winner == state.to_move:
        yield Reason("{best} wins at once.", names, (cell_of(state, best),))
        return
    lost = wins_at_once(after)
    if lost and not wins_at_once(better):
        cell = cell_of(after, lost[0])
        names["cell"] = name(state, cell)
        if lost[0] == move:
            text = "{move} fills the cell under {cell}, where the opponent wins."
        else:
            text = "The opponent threatens to win on {cell}; {best} stops it, {move} does not."
        yield Reason(text, names, (cell,))
        return
    if double := _double_threat(better, state.to_move):
        text = "{best} threatens to win in two places at once."
        yield Reason(text, names, tuple(double))
        return
    if not lost and not wins_at_once(better):
        yield from _answers(state, names, after, better)
    if quiet := sorted(threats(better, state.to_move) - threats(after, state.to_move)):
        yield _new_threat(state, names, quiet, better)


def _double_threat(state: State, side: int) -> set[int]:
    """The cells of a side's double threat, unless the opponent can win first."""
    if state.is_over or wins_at_once(state):
        return set()
    found = threats(state, side) & playable(state)
    return found if len(found) > 1 else set()


def _answers(
    state: State, names: dict[str, str | int], after: State, better: State
) -> Iterator[Reason]:
    """A reply with a double threat that one move allows and the other does not."""
    for answer in after.legal_moves():
        double = _double_threat(after.play(answer), after.to_move)
        if not double:
            continue
        if answer in better.legal_moves() and _double_threat(better.play(answer), better.to_move):
            continue
        gaps = {**names, "answer": state.game.format(answer)}
        text = "{move} allows {answer}, which threatens to win in two places at once."
        yield Reason(text, gaps, tuple(double))
        return


def _new_threat(
    state: State, names: dict[str, str | int], cells: list[int], better: State
) -> Reason:
    """A new threat, preferably on a cell that decides once those below it are filled.

    Zugzwang never decides about a cell that is playable after the move: the opponent fills it.
    """
    rows: int = state.game.rows  # type: ignore[attr-defined]
    lasting = [cell for cell in cells if cell not in playable(better)]
    odd = [cell for cell in lasting if (rows - cell // _cols(state)) % 2 == 1]
    kept = odd if state.to_move == 0 else [cell for cell in lasting if cell not in odd]
    cell = (kept or lasting or cells)[0]
    gaps = {**names, "cell": name(state, cell)}
    if kept and not rows % 2 and not state.game.blocked:  # type: ignore[attr-defined]
        kind = "odd" if state.to_move == 0 else "even"
        side = "first" if state.to_move == 0 else "second"
        text = (
            f"{{best}} makes a threat on {{cell}}: an {kind} row, where zugzwang favours the "
            f"{side} player."
        )
        return Reason(text, gaps, (cell,))
    return Reason("{best} makes a threat on {cell}, {move} does not.", gaps, (cell,))
