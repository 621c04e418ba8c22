"""The cost of a move in words, the same in every interface.

The page says the same in the user's language (``costs.js``; a test keeps the two in step).
"""

from __future__ import annotations

from honte.analysis.review import Remark
from honte.core.contract import Game
from honte.core.language import Message
from honte.core.report import chance_of
from honte.drawing.verdict import PROVEN, exactly, signed


def cost_words(game: Game, remark: Remark) -> str:
    """``draw → loss``, ``win in 5 → win in 9``, ``−4 discs``, ``≈ −3.2 points, −12 %``.

    Unproven values are marked as such; only estimates get a percentage.
    """
    unit = game.descriptor.message(game.descriptor.unit)
    best, played = remark.best_proven, remark.proven
    if best and played and best == played != "draw" and not unit:
        return changed(soon(best, remark.best_distance), soon(played, remark.distance))
    if best and played and best != played:
        return changed(PROVEN[best], PROVEN[played])
    before, after = (chance_of(value) for value in (remark.best_value, remark.value))
    if unit and remark.score is not None and remark.best_score is not None:
        lost = remark.score - remark.best_score
        if lost < 0 and remark.exact:
            return Message("{score} {unit}", score=exactly(lost), unit=unit)
        percent = round(100 * before) - round(100 * after)
        if lost < 0 and not best and not played:
            if percent > 0:
                score = signed(lost, 1)
                return Message(
                    "≈ {score} {unit}, −{percent} %", score=score, unit=unit, percent=percent
                )
            return Message("≈ {score} {unit}", score=signed(lost, 1), unit=unit)
        if lost < 0:
            return Message("≈ {score} {unit}", score=signed(lost, 1), unit=unit)
    if best or played:
        return changed(
            PROVEN[best] if best else f"{100 * before:.0f} %",
            PROVEN[played] if played else f"{100 * after:.0f} %",
        )
    return f"≈ −{remark.cost * 50:.0f} %"


def changed(before: str, after: str) -> Message:
    return Message("{before} → {after}", before=before, after=after)


def soon(proven: str, plies: int) -> Message:
    if not plies:
        return PROVEN[proven]
    return Message("{outcome} in {n}", outcome=PROVEN[proven], n=(plies + 1) // 2)
