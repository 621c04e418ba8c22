"""The descriptor of Connect Four."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from honte.core.contract import State
from honte.core.descriptor import GameDescriptor
from honte.core.descriptor_parts import BoardStyle, Cell, Levels, NetworkLevels, Side
from honte.core.spec import Option, Options, whole, yes_no
from honte.games.connect4.cells import COLUMNS, read_cells

OPTIONS = Options(
    whole("rows", 6, 4, 16, "height of the board", label="Rows"),
    whole("cols", 7, 4, 16, "width of the board", label="Columns"),
    Option(
        "blocked",
        frozenset(),
        "a list of cells like 5/6+2/3",
        read_cells,
        "blocked cells: nobody can play there, and pieces rest on them",
        kind="cells",
        label="Blocked cells",
    ),
    whole("inarow", 4, 2, 16, "how many in a line win", label="In a row to win"),
    yes_no("course", False, "draw size and blocked cell as the course's judge does", form="hidden"),
    whole("seed", 0, 0, 2**63 - 1, "what `course` draws from", form="hidden"),
)

CHINESE = {
    "Connect Four": "四子棋",
    "Four in a row; pieces fall": "棋子下落，四子连线",
    "Red": "红方",
    "Yellow": "黄方",
    "Rows": "行数",
    "Columns": "列数",
    "Blocked cells": "封住的格子",
    "In a row to win": "连成几子获胜",
    "height of the board": "棋盘高度",
    "width of the board": "棋盘宽度",
    "how many in a line win": "几子连线获胜",
    "blocked cells: nobody can play there, and pieces rest on them": (
        "封住的格子：双方都不能下在那里，棋子会落在它上面"
    ),
    "Connect Four 12×12, a cell blocked": "四子棋 12×12，封住一格",
    "Connect Four, a course board": "四子棋，随机课程棋盘",
    # Why a move is better: see explain.py.
    "{best} wins at once.": "{best} 立即获胜。",
    "{move} fills the cell under {cell}, where the opponent wins.": (
        "{move} 填上了 {cell} 下面的格子，对方随即在 {cell} 获胜。"
    ),
    "The opponent threatens to win on {cell}; {best} stops it, {move} does not.": (
        "对方威胁在 {cell} 获胜；{best} 能挡住，{move} 挡不住。"
    ),
    "{best} threatens to win in two places at once.": "{best} 同时威胁在两处获胜。",
    "{move} allows {answer}, which threatens to win in two places at once.": (
        "{move} 之后对方有 {answer}，同时威胁在两处获胜。"
    ),
    (
        "{best} makes a threat on {cell}: an odd row, where zugzwang favours the first player."
    ): "{best} 在 {cell} 形成威胁：奇数行，逼着有利于先手。",
    (
        "{best} makes a threat on {cell}: an even row, where zugzwang favours the second player."
    ): "{best} 在 {cell} 形成威胁：偶数行，逼着有利于后手。",
    "{best} makes a threat on {cell}, {move} does not.": (
        "{best} 在 {cell} 形成威胁，{move} 没有。"
    ),
}


def landing_cell(state: State, move: int) -> Cell | None:
    """The cell on which a piece dropped into a column lands."""
    native: Any = state
    row = native.landing_row(move)
    return None if row is None else (int(row), move)


def last_cell(state: State) -> Cell | None:
    """The topmost piece of the last played column."""
    native: Any = state
    col, cols, cells = state.last_move, native.game.cols, native.cells()
    if col is None:
        return None
    return next(
        ((row, col) for row in range(native.game.rows) if cells[row * cols + col] in (1, 2)), None
    )


def winning_lines(state: State) -> list[tuple[Cell, ...]]:
    """Every winning run of the winner, at full length.

    Read from the cells, so it also works for positions set up without moves.
    """
    if state.winner is None:
        return []
    native: Any = state
    cols, inarow = native.game.cols, native.game.inarow
    pieces = {
        divmod(index, cols) for index, cell in enumerate(native.cells()) if cell == state.winner + 1
    }
    found = []
    for row, col in sorted(pieces):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if (row - down, col - right) in pieces:
                continue  # not the beginning of its run
            run = [(row, col)]
            while (run[-1][0] + down, run[-1][1] + right) in pieces:
                run.append((run[-1][0] + down, run[-1][1] + right))
            if len(run) >= inarow:
                found.append(tuple(run))
    return found


def is_drawn(settings: Any) -> bool:
    """Whether the spec is a course board without a seed."""
    return settings.get("course") in ("yes", "true", "1") and "seed" not in settings


DESCRIPTOR = GameDescriptor(
    title="Connect Four",
    about="Four in a row; pieces fall",
    sides=(Side("Red", "X", "X", "red"), Side("Yellow", "O", "O", "yellow")),
    board=BoardStyle(
        shape="columns",
        columns=COLUMNS,
        cell=landing_cell,
        move=lambda game, cell: cell[1],
        last_cell=last_cell,
        winning_lines=winning_lines,
    ),
    options=OPTIONS,
    presets=(
        ("Connect Four 6×7", "connect4"),
        ("Connect Four 12×12, a cell blocked", "connect4:rows=12,cols=12,blocked=5/6"),
        ("Connect Four, a course board", "connect4:course,seed=1"),
        ("Connect Four 16×16", "connect4:rows=16,cols=16"),
    ),
    words={"zh": CHINESE},
    rules="honte.games.connect4.rules_text:RULES",
    proof_unit="moves",
    drawn=is_drawn,
    perft="honte.games.perft:native_leaves",
    benchmarks="honte.games.connect4.benchmarks:BENCHMARKS",
    engines={
        "best": "honte.games.connect4.players:best",
        "alphabeta": "honte.games.connect4.players:AlphaBetaPlayer",
        "solver": "honte.games.connect4.players:ExactPlayer",
    },
    uct="honte.games.connect4.uct:SUPPORT",
    solver="honte.games.connect4.solver:Connect4Solver",
    transcripts=lambda text: re.fullmatch(r"[1-7\s,]+", text) is not None,
    opening_plies=4,
    openings={"connect4": "balanced.txt"},
    explain="honte.games.connect4.explain:reasons",
    levels=Levels(
        "connect4:course",
        low=20,
        top=100_000,
        engine="uct:policy=learned",
        network=NetworkLevels("honte.games.connect4.course:has_network", top=1_600),
    ),
    history="honte.games.connect4.history:find_history",
    check="honte.games.connect4.check:SUPPORT",
    sites="honte.games.connect4.sites:SUPPORT",
    learner="honte.games.connect4.builders:LEARNER",
    book="honte.games.connect4.builders:BOOK",
    data=Path(__file__).parent / "data",
)
