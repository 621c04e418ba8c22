"""The result of a study as text: the winner, its verification, the points tried."""

from __future__ import annotations

from typing import Any

from honte.tune.grid import Grid
from honte.tune.live import percent
from honte.tune.tuning import Tuning

ROWS = 40
"""Points of a grid that are listed."""


def study_table(tuning: Tuning, found: dict[str, Any]) -> str:
    """A study's result in a few lines."""
    study = tuning.study
    lines = [
        f"{study.name} on {found['game']}: {found['games']:,} games in {found['steps']:,} rounds"
    ]
    if isinstance(tuning.optimiser, Grid):
        lines += grid_rows(tuning, tuning.optimiser)
    lines.append(f"winner  {found['winner']}")
    names = max(map(len, found["settings"]))
    start = study.space.words(study.space.start)
    lines += [
        f"  {name:<{names}}  {value:>9}   (start {start[name]})"
        for name, value in found["settings"].items()
    ]
    for match in found["verification"]:
        lines += [
            f"against {match['against']}: {match['games']} games, {match['distinct']} different",
            f"  +{match['wins']} ={match['draws']} -{match['losses']}  "
            f"{100 * match['score']:.1f} ± {100 * match['score_error']:.1f} %, "
            f"Elo {match['elo']:+} ± {match['elo_error']}, margin {match['margin']:+.1f}",
        ]
        if match["warning"]:
            lines.append(f"  {match['warning']}")
    lines.append(f"noise: {tuning.optimiser.noise}")
    if tuning.stopped and tuning.stopped != "all games played":
        lines.append(f"stopped: {tuning.stopped}")
    return "\n".join(lines)


def grid_rows(tuning: Tuning, grid: Grid) -> list[str]:
    """Every point of a grid with its interval, in the order of the grid."""
    table = grid.table()
    rows = []
    for point, score in table[:ROWS]:
        words = "  ".join(
            f"{name} {value}" for name, value in tuning.study.space.words(point).items()
        )
        rows.append(f"  {words:<40} {percent(score):>16}   of {score.games:,} games")
    if len(table) > ROWS:
        rows.append(f"  and {len(table) - ROWS} more points")
    return rows
