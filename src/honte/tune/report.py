"""The result of a study as text: the winner, its verification, the points tried."""

from __future__ import annotations

from typing import Any

from honte.core.language import tr
from honte.tune.grid import Grid
from honte.tune.live import percent
from honte.tune.tuning import Tuning

ROWS = 40
"""Points of a grid that are listed."""


def study_table(tuning: Tuning, found: dict[str, Any]) -> str:
    """A study's result in a few lines."""
    study = tuning.study
    lines = [
        tr(
            "{study} on {game}: {games:,} games in {rounds:,} rounds",
            study=study.name,
            game=found["game"],
            games=found["games"],
            rounds=found["steps"],
        )
    ]
    if isinstance(tuning.optimiser, Grid):
        lines += grid_rows(tuning, tuning.optimiser)
    lines.append(tr("winner  {player}", player=found["winner"]))
    names = max(map(len, found["settings"]))
    start = study.space.words(study.space.start)
    lines += [
        f"  {name:<{names}}  {value:>9}   " + tr("(start {value})", value=start[name])
        for name, value in found["settings"].items()
    ]
    for match in found["verification"]:
        lines += [
            tr(
                "against {player}: {games} games, {distinct} different",
                player=match["against"],
                games=match["games"],
                distinct=match["distinct"],
            ),
            f"  +{match['wins']} ={match['draws']} -{match['losses']}  "
            + tr(
                "{score:.1f} ± {error:.1f} %, Elo {elo:+} ± {elo_error}, margin {margin:+.1f}",
                score=100 * match["score"],
                error=100 * match["score_error"],
                elo=match["elo"],
                elo_error=match["elo_error"],
                margin=match["margin"],
            ),
        ]
        if match["warning"]:
            lines.append(f"  {tr(match['warning'])}")
    lines.append(tr("noise: {noise}", noise=tr(tuning.optimiser.noise)))
    if tuning.stopped and tuning.stopped != "all games played":
        lines.append(tr("stopped: {why}", why=tr(tuning.stopped)))
    return "\n".join(lines)


def grid_rows(tuning: Tuning, grid: Grid) -> list[str]:
    """Every point of a grid with its interval, in the order of the grid."""
    table = grid.table()
    rows = []
    for point, score in table[:ROWS]:
        words = "  ".join(
            f"{name} {value}" for name, value in tuning.study.space.words(point).items()
        )
        told = tr("of {n:,} games", n=score.games)
        rows.append(f"  {words:<40} {percent(score):>16}   {told}")
    if len(table) > ROWS:
        rows.append("  " + tr("and {n} more points", n=len(table) - ROWS))
    return rows
