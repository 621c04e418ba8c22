"""The rules of Go, in words and boards."""

from __future__ import annotations

from honte.core.rules import Rule

RULES = (
    Rule(
        "Black begins. Stones go on the crossings of the lines and stay where they are. The empty "
        "points beside a group are its liberties: White's stone here has one left.",
        {
            "zh": "黑方先行。棋子下在交叉点上，下后不再移动。"
            "一块棋旁边的空点是它的气：图中白子只剩一口气。"
        },
        "go:size=5",
        "...../..X../.XOX./...../..... X",
    ),
    Rule(
        "A group without liberties is captured and taken off the board. You may not leave your "
        "own group without liberties, unless the move captures.",
        {"zh": "没有气的棋被提出棋盘。不能下使己方棋没有气的着法，除非能提掉对方的棋。"},
        "go:size=5",
        "...../..X../.XOX./...../..... X",
        ("C2",),
    ),
    Rule(
        "No position may come up again. Black has just taken a stone here; White may not take "
        "back at B4 at once. This is a ko. The option “ko” says what counts as a repetition.",
        {
            "zh": "局面不得重复。黑方刚提一子，白方不能立即在 B4 提回，这就是劫。"
            "选项“打劫规则”决定怎样算重复。"
        },
        "go:size=5",
        ".XO../XO.O./.XO../...../..... X",
        ("C4",),
    ),
    Rule(
        "A group with two eyes, as Black's in this corner, can never be captured: White cannot "
        "fill both at once.",
        {"zh": "有两只眼的棋（如角上的黑棋）永远提不掉：白方不能同时填两只眼。"},
        "go:size=5",
        ".X.XO/XXXXO/OOOOO/...../..... X",
    ),
    Rule(
        "Whoever has nothing left to gain passes. After two passes dead stones are taken off; each "
        "side counts its stones and the points it surrounds, and White gets komi for moving "
        "second. More points win.",
        {
            "zh": "无利可图时停一手。双方连续停手后拿掉死子；"
            "各方数活子与围住的空点，白方因后手得贴目。多者胜。"
        },
        "go:size=5",
        "..XO./.XXO./XX.XO/.XXOO/XXOO. X",
        ("pass", "pass"),
    ),
    Rule(
        "With a handicap the weaker side takes Black and begins with two to nine stones on the "
        "star points; White moves first and komi is 0.5.",
        {"zh": "让子棋由较弱一方执黑，先在星位摆两到九子；白方先行，贴 0.5 目。"},
        "go:size=9,handicap=4",
    ),
)
