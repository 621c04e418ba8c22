"""Plots of results with matplotlib, an optional dependency that is imported on demand."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from honte.arena.match import Standing
from honte.arena.statistics import elo, expected, wilson
from honte.core.language import Message
from honte.players.level import Rung


def figure(width: float, height: float, columns: int = 1) -> tuple[Any, Any]:
    """An empty figure that needs no display, and its axes."""
    try:
        figures = import_module("matplotlib.figure")
    except ImportError:
        raise ValueError(
            Message("--plot needs matplotlib; install it with `pip install honte[plots]`")
        ) from None
    drawn = figures.Figure(figsize=(width, height), layout="constrained")
    return drawn, drawn.subplots(1, columns, squeeze=False)[0]


def save(drawn: Any, path: Path) -> None:
    """Write a figure in the format of the file name's suffix."""
    drawn.savefig(path, dpi=120)


def check(path: Path) -> None:
    """Raise if the plot could not be written, before anything is played."""
    drawn, _ = figure(1, 1)
    kinds = drawn.canvas.get_supported_filetypes()
    if path.suffix.lstrip(".").lower() not in kinds:
        raise ValueError(
            Message(
                "--plot {path}: end the name in one of {kinds}",
                path=path,
                kinds=" ".join(sorted(kinds)),
            )
        )
    if not path.absolute().parent.is_dir():
        raise ValueError(
            Message("--plot {path}: there is no such folder; make it first", path=path)
        )


def plot_match(standing: Standing, a: str, b: str, path: Path) -> None:
    """A's rating above B's after each game, with its 95 % interval."""
    drawn, (axes,) = figure(8, 4.5)
    points, at, middle, low, high = 0.0, [], [], [], []
    every = max(1, len(standing.results) // 500)
    for games, result in enumerate(standing.results, 1):
        points += (1 + result) / 2
        if games % every == 0 or games == len(standing.results):
            bounds = wilson(points, games)
            at.append(games)
            middle.append(elo(points / games))
            low.append(elo(bounds[0]))
            high.append(elo(bounds[1]))
    axes.fill_between(at, low, high, alpha=0.25)
    axes.plot(at, middle)
    axes.axhline(0, color="grey", linewidth=0.8)
    axes.set(xlabel="games", ylabel="Elo", title=plain(f"{a} against {b}"), ylim=(-850, 850))
    if middle and max(abs(value) for value in high + low) < 400:
        axes.set_ylim(-400, 400)
    save(drawn, path)


def plot_tournament(found: dict[str, Any], path: Path) -> None:
    """Ratings with error bars, and the crosstable as a heat map."""
    from honte.arena.report import short

    players = found["players"]
    names = [plain(short(row["player"])) for row in players]
    count = len(names)
    drawn, (left, right) = figure(13, max(3.5, 1.5 + 0.35 * count), 2)
    places = list(range(count))
    left.errorbar(
        [row["elo"] for row in players],
        places,
        xerr=[row["elo_error"] for row in players],
        fmt="o",
        capsize=3,
    )
    left.set_yticks(places, names)
    left.invert_yaxis()
    left.axvline(0, color="grey", linewidth=0.8)
    left.set(xlabel="Elo, with 95 % intervals")
    shares = [[share(cell) for cell in row] for row in found["crosstable"]]
    right.imshow(shares, vmin=0, vmax=1, cmap="RdYlGn")
    right.set_xticks(places, [str(place + 1) for place in places])
    right.set_yticks(places, [f"{place + 1}" for place in places])
    right.set(title="the row's share of the points")
    if count <= 25:
        for row in places:
            for column in places:
                value = shares[row][column]
                if value == value:  # not nan: they have met
                    text = f"{100 * value:.0f}"
                    right.text(column, row, text, ha="center", va="center", fontsize=7)
    save(drawn, path)


def plot_ladder(found: dict[str, Any], rungs: Sequence[Rung], path: Path) -> None:
    """The win rate against each level, and the rate that the rating predicts."""
    from honte.arena.report import short

    rows = found["opponents"]
    drawn, (axes,) = figure(9, 4.5)
    levels = [row["level"] for row in rows]
    rates = [100 * row["rate"] for row in rows]
    low, high = [], []
    for row, rate in zip(rows, rates, strict=True):
        games = sum(row["first"].values()) + sum(row["second"].values())
        bounds = wilson(row["points"] / 2, games)
        low.append(max(0.0, rate - 100 * bounds[0]))
        high.append(max(0.0, 100 * bounds[1] - rate))
    axes.errorbar(
        levels, rates, yerr=[low, high], fmt="none", ecolor="lightsteelblue", elinewidth=1, zorder=1
    )
    axes.scatter(levels, rates, zorder=3, label="games, with Wilson's 95 % interval")
    smooth = [100 * expected(found["elo"] - rung.elo) for rung in rungs]
    words = f"expected at {found['elo']:.0f} ± {found['elo_error']:.0f} Elo"
    axes.plot([rung.level for rung in rungs], smooth, color="darkorange", zorder=2, label=words)
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set(
        xlabel="opponent level",
        ylabel="win rate, %",
        title=plain(f"{short(found['bot'])} on {found['game']}"),
        xlim=(0, 102),
        ylim=(-4, 104),
    )
    axes.legend(loc="lower left")
    save(drawn, path)


def plain(text: str) -> str:
    """Text with $ escaped: matplotlib reads text between two of them as a formula."""
    return text.replace("$", r"\$")


def share(cell: dict[str, int] | None) -> float:
    """The score in a cell of a crosstable; nan without games."""
    games = sum(cell.values()) if cell else 0
    return (cell["wins"] + cell["draws"] / 2) / games if cell and games else float("nan")
