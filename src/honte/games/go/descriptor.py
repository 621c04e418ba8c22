"""The descriptor of Go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from honte.core.contract import Game, State
from honte.core.descriptor import GameDescriptor
from honte.core.descriptor_parts import (
    BLACK_AND_WHITE,
    BoardStyle,
    Cell,
    Levels,
    NetworkLevels,
    RecordFormat,
)
from honte.core.spec import Options, choice, number, whole, yes_no
from honte.games.sgf_head import game_type

COLUMNS = "ABCDEFGHJKLMNOPQRST"
"""No I, which reads like a 1."""
KO_RULES = ("positional", "situational", "simple")

OPTIONS = Options(
    whole(
        "size",
        9,
        2,
        19,
        "length of a side",
        label="Size",
        choices=("5", "7", "9", "13", "19"),
    ),
    number(
        "komi",
        None,
        -400,
        400,
        "points for White: 7.5, or 0.5 with a handicap",
        label="Komi",
        step=0.5,
    ),
    choice("ko", "positional", KO_RULES, "which repetitions are forbidden", label="Ko"),
    yes_no(
        "suicide",
        False,
        "may a move take its own group's last liberty?",
        label="Suicide",
        form="folded",
    ),
    whole(
        "handicap",
        0,
        0,
        9,
        "black stones on the star points; White then moves first",
        label="Handicap",
        choices=("0", "2", "3", "4", "5", "6", "7", "8", "9"),
    ),
)
CHINESE = {
    "Go": "围棋",
    "Surround territory": "围地",
    "Black": "黑方",
    "White": "白方",
    "Size": "大小",
    "length of a side": "边长",
    "Komi": "贴目",
    "points for White: 7.5, or 0.5 with a handicap": "给白方的目数：7.5，有让子时 0.5",
    "Ko": "打劫规则",
    "which repetitions are forbidden": "禁止哪些重复局面",
    "positional": "局面",
    "situational": "情势",
    "simple": "简单",
    "Suicide": "允许自杀",
    "may a move take its own group's last liberty?": "一手棋可否提走己方最后一口气？",
    "Handicap": "让子",
    "black stones on the star points; White then moves first": "星位上的黑子；随后白方先行",
    "points": "目",
    "Stones": "活子",
    "Territory": "围空",
    "Prisoners": "提子",
    # Why a move is better: see explain.py.
    "{best} captures {taken} stones.": "{best} 可提 {taken} 子。",
    "{move} puts its own stones into atari.": "{move} 使自己的棋被打吃。",
    "{move} leaves the {stones} stones at {point} in atari.": (
        "{move} 之后 {point} 的 {stones} 子仍被打吃。"
    ),
    "{best} connects the stones at {one} and {other}; after {move} they can be cut.": (
        "{best} 连接 {one} 和 {other}；{move} 之后会被切断。"
    ),
}


def star_points(size: int) -> list[Cell]:
    """Star points: on the third line of small boards, on the fourth of large ones."""
    middle = [size // 2] if size % 2 else []
    if size < 7:
        return [(row, row) for row in middle if size == 5]
    edge = 2 if size < 13 else 3
    lines = sorted({edge, size - 1 - edge, *(middle if size > 13 else [])})
    points = {(row, col) for row in lines for col in lines}
    return sorted(points | {(row, row) for row in middle})


def forbidden(state: State) -> list[Cell]:
    """Empty points that the ko rule forbids."""
    native: Any = state
    size, cells = native.game.size, native.cells()
    return [divmod(point, size) for point in native.forbidden() if not cells[point]]


def moves_left(state: State) -> int:
    """Half the empty points, minus an estimate of those that stay empty."""
    native: Any = state
    cells = native.cells()
    empty, points = cells.count(0), len(cells)
    return int(max(empty - points // 4, points // 5, 4) // 2)


def begins_like_sgf(head: bytes) -> bool:
    """Whether a text is SGF of Go: GM[1], or no GM at all."""
    return game_type(head) not in (None, b"Othello", b"2")


def pass_move(game: Game) -> int:
    return int(game.size) ** 2  # type: ignore[attr-defined]


DESCRIPTOR = GameDescriptor(
    title="Go",
    about="Surround territory",
    sides=BLACK_AND_WHITE,
    board=BoardStyle(
        shape="points", columns=COLUMNS, rows="up", stars=star_points, forbidden=forbidden
    ),
    options=OPTIONS,
    presets=(("Go 9×9", "go"), ("Go 13×13", "go:size=13"), ("Go 19×19", "go:size=19")),
    words={"zh": CHINESE},
    rules="honte.games.go.rules_text:RULES",
    unit="points",
    whole_margin=12,
    pass_move=pass_move,
    perft="honte.games.perft:native_leaves",
    benchmarks="honte.games.go.benchmarks:BENCHMARKS",
    engines={"best": "honte.games.go.best:GoPlayer"},
    uct="honte.games.go.uct:SUPPORT",
    ownership="honte.games.go.ownership:ownership",
    lead="honte.games.go.counting:expected_lead",
    openings={"go": "balanced.txt"},
    scoring="honte.games.go.counting:SCORING",
    explain="honte.games.go.explain:reasons",
    # 500 simulations scored 37 of 61 against GNU Go 3.8 at level 10, usually rated 8 kyu, so 400
    # are about equal to it.
    levels=Levels(
        "go:size=9",
        low=20,
        top=5_000,
        engine="uct",
        distances=(1, 2),
        anchor=(400, 8),
        network=NetworkLevels(
            "honte.games.go.best:has_network", top=1_600, hottest=2.0, choices=9 * 9
        ),
    ),
    records=(
        RecordFormat(
            ".sgf",
            "honte.games.go.sgf:loads",
            begins=begins_like_sgf,
            dumps="honte.games.go.sgf:dumps",
            result="honte.games.sgf_text:result_words",
            variations=True,
        ),
    ),
    history="honte.games.go.history:find_history",
    with_turn="honte.games.go.turns:with_turn",
    moves_left=moves_left,
    check="honte.games.go.check:SUPPORT",
    sites="honte.games.go.sites:SUPPORT",
    learner="honte.games.go.builders:LEARNER",
    book="honte.games.go.builders:BOOK",
    data=Path(__file__).parent / "data",
)
