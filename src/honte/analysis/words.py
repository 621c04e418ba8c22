"""What a move cost, in words: the wording of every surface.

The page says the same in the user's language (``costs.js``, which a test holds to this).
"""

from __future__ import annotations

from honte.analysis.review import Remark
from honte.core.contract import Game
from honte.core.report import chance_of
from honte.drawing.verdict import exactly, signed

SOON = {"win": "win in {n}", "loss": "loss in {n}"}


def cost_words(game: Game, remark: Remark) -> str:
    """``draw → loss``, ``win in 5 → win in 9``, ``−4 discs``, ``≈ −3.2 points, −12 %``.

    What is not proven says so; a percentage is of an estimate only.
    """
    unit = game.descriptor.unit
    best, played = remark.best_proven, remark.proven
    if best and played and best == played != "draw" and not unit:
        return f"{soon(best, remark.best_distance)} → {soon(played, remark.distance)}"
    if best and played and best != played:
        return f"{best} → {played}"
    before, after = (chance_of(value) for value in (remark.best_value, remark.value))
    if unit and remark.score is not None and remark.best_score is not None:
        lost = remark.score - remark.best_score
        if lost < 0 and remark.exact:
            return f"{exactly(lost)} {unit}"
        percent = round(100 * before) - round(100 * after)
        if lost < 0 and not best and not played:
            beside = f", −{percent} %" if percent > 0 else ""
            return f"≈ {signed(lost, 1)} {unit}{beside}"
        if lost < 0:
            return f"≈ {signed(lost, 1)} {unit}"
    if best or played:
        return f"{best or f'{100 * before:.0f} %'} → {played or f'{100 * after:.0f} %'}"
    return f"≈ −{remark.cost * 50:.0f} %"


def soon(proven: str, plies: int) -> str:
    return SOON[proven].format(n=(plies + 1) // 2) if plies else proven
