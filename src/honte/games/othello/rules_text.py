"""The rules of Othello, in words and boards."""

from __future__ import annotations

from honte.core.rules import Rule

RULES = (
    Rule(
        "Black begins. A disc goes on an empty square from which it encloses discs of the other "
        "side in a straight line; the dots show where that is.",
        {"zh": "黑方先行。棋子须下在能沿直线夹住对方棋子的空格，圆点标出这些位置。"},
        "othello:size=6",
        hints=True,
    ),
    Rule(
        "All discs that are enclosed between the new disc and another of its colour are turned, in "
        "every direction.",
        {"zh": "新下的棋子与己方另一棋子之间夹住的对方棋子，各个方向全部翻转。"},
        "othello:size=6",
        moves=("c2", "b2", "b3"),
    ),
    Rule(
        "Whoever can turn nothing must pass. When neither side can move, the side with more discs "
        "wins; squares that stay empty count for the winner.",
        {"zh": "无子可翻的一方必须停一手。双方都不能下时终局，子多者胜；剩下的空格归胜方。"},
        "othello:size=4",
        moves=("b1", "a1", "a2", "c1", "d1", "a3", "a4", "d2", "d3", "b4", "c4", "d4"),
    ),
)
