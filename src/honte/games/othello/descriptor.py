"""The descriptor of Othello."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from honte.core.contract import State
from honte.core.descriptor import GameDescriptor
from honte.core.descriptor_parts import BLACK_AND_WHITE, BoardStyle, Cell, Levels, RecordFormat
from honte.core.spec import Option, Options
from honte.games.sgf_head import game_type

PASS = 64
COLUMNS = "abcdefgh"


def _size(text: str) -> int:
    if text not in ("4", "6", "8"):
        raise ValueError
    return int(text)


OPTIONS = Options(
    Option(
        "size",
        8,
        "4, 6 or 8",
        _size,
        "length of a side",
        kind="choice",
        choices=("4", "6", "8"),
        label="Size",
    )
)
CHINESE = {
    "Othello": "黑白棋",
    "Enclose and turn": "夹住并翻转",
    "Black": "黑方",
    "White": "白方",
    "Size": "大小",
    "length of a side": "边长",
    "discs": "子",
    "mobility": "行动力",
    "stable": "稳定子",
    # Why a move is better: see explain.py.
    "The corner {best} was there to take.": "可以占角 {best}。",
    "{move} gives the opponent the corner {corner}.": "{move} 让对方占到角 {corner}。",
    "{best} leaves the opponent without a move.": "{best} 使对方无处可下。",
    "{move} leaves the opponent {left} moves, {best} only {fewer}.": (
        "{move} 之后对方有 {left} 种下法，{best} 之后只有 {fewer} 种。"
    ),
}
PROBLEM = re.compile(rb"\s*[-.XxOo*]{64}\s*[XxOo*]\s*;")
TRANSCRIPT = re.compile(r"(?:(?:[a-h][1-8]|pass|pa|--)[\s,]*)+", re.IGNORECASE)


def begins_like_sgf(head: bytes) -> bool:
    return game_type(head) == b"2"


def begins_like_obf(head: bytes) -> bool:
    """Whether a text begins with a board, the side to move and a semicolon, comments apart."""
    lines = (line for line in head.splitlines() if line.strip() and not line.startswith(b"%"))
    return PROBLEM.match(next(lines, b"")) is not None


def moves_left(state: State) -> int:
    native: Any = state
    return int(native.cells().count(0)) // 2 + 1


def cell(state: State, move: int) -> Cell | None:
    """A move is 8·row + column on every size of board."""
    return divmod(move, 8) if move < PASS else None


DESCRIPTOR = GameDescriptor(
    title="Othello",
    about="Enclose and turn",
    sides=BLACK_AND_WHITE,
    board=BoardStyle(
        shape="cells",
        columns=COLUMNS,
        rows="down",
        cell=cell,
        move=lambda game, cell: 8 * cell[0] + cell[1],
        shows_legal=True,
    ),
    options=OPTIONS,
    presets=(("Othello 8×8", "othello"), ("Othello 6×6", "othello:size=6")),
    words={"zh": CHINESE},
    rules="honte.games.othello.rules_text:RULES",
    unit="discs",
    counts=True,
    pass_move=lambda game: PASS,
    forced_pass=True,
    opening_plies=6,
    perft="honte.games.othello.game:leaves",
    benchmarks="honte.games.othello.benchmarks:BENCHMARKS",
    engines={
        "best": "honte.games.othello.players:best",
        "alphabeta": "honte.games.othello.players:AlphaBetaPlayer",
        "solver": "honte.games.othello.players:SolverPlayer",
    },
    uct="honte.games.othello.uct:SUPPORT",
    solver="honte.games.othello.solver:OthelloSolver",
    openings={"othello": "balanced.txt"},
    explain="honte.games.othello.explain:reasons",
    levels=Levels("othello", low=20, top=50_000, engine="uct:playout=uniform"),
    transcripts=lambda text: TRANSCRIPT.fullmatch(text) is not None,
    records=(
        RecordFormat(
            ".sgf",
            "honte.games.othello.sgf:loads",
            begins=begins_like_sgf,
            dumps="honte.games.othello.sgf:dumps",
            result="honte.games.sgf_text:result_words",
            variations=True,
        ),
        RecordFormat(".wtb", "honte.games.othello.wthor:read", binary=True),
        RecordFormat(
            ".ggf",
            "honte.games.othello.ggf:loads",
            begins=lambda head: head.startswith(b"(;") and b"GM[Othello]" in head,
            dumps="honte.games.othello.ggf:dumps",
        ),
        RecordFormat(".obf", "honte.games.othello.obf:records", begins=begins_like_obf),
    ),
    history="honte.games.othello.history:find_history",
    with_turn="honte.games.othello.turns:with_turn",
    moves_left=moves_left,
    check="honte.games.othello.check:SUPPORT",
    sites="honte.games.othello.sites:SUPPORT",
    vectors={"alphabeta.weights": "honte.games.othello.weights:VECTOR"},
    quick_game="honte.games.othello.quick:play",
    learner="honte.games.othello.builders:LEARNER",
    book="honte.games.othello.builders:BOOK",
    data=Path(__file__).parent / "data",
)
