"""The rules of Connect Four, in words and boards."""

from __future__ import annotations

from honte.core.rules import Rule

RULES = (
    Rule(
        "Red and Yellow take turns. A piece is dropped into a column and falls to the lowest free "
        "cell.",
        {"zh": "红黄双方轮流落子。棋子投入一列，落到最低的空格。"},
        "connect4:rows=5,cols=6",
        moves=("3", "4", "4", "4"),
    ),
    Rule(
        "Whoever has four pieces in a row, across, upright or diagonally, wins. A full board "
        "without such a row is a draw.",
        {"zh": "横、竖、斜任一方向先连成四子者胜。棋盘下满而无人连成则为和棋。"},
        "connect4:rows=5,cols=6",
        moves=("2", "3", "3", "4", "4", "5", "4", "5", "5", "2", "5"),
    ),
    Rule(
        "A blocked cell belongs to nobody: no piece goes there, and pieces rest on it.",
        {"zh": "封住的格子不属于任何一方：不能落子，棋子会停在它上面。"},
        "connect4:rows=5,cols=6,blocked=3/2",
        moves=("3", "4", "3"),
    ),
)
