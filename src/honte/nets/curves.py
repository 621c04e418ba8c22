"""Training curves: a table and text bars for the terminal, a plot by matplotlib.

>>> bars([0.0, 0.5, 1.0])
'▁▄█'
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

from honte.arena.plot import figure, save
from honte.arena.report import duration
from honte.core.columns import left, right, width
from honte.core.language import Message, tr
from honte.nets.log import read_log

T = TypeVar("T")

HEIGHTS = "▁▂▃▄▅▆▇█"
MOST_BARS = 60
CURVES = (
    ("right", Message("right moves"), True),
    ("right_searched", Message("… with a search"), True),
    ("policy_agreement", Message("policy agreement"), True),
    ("policy_loss", Message("policy loss"), False),
    ("value_loss", Message("value loss"), False),
    ("elo", "Elo", False),
)
"""The curves drawn: key in the log, name, whether it is a share."""

Row = dict[str, Any]


def rows_of(folder: Path) -> list[Row]:
    """The generations of a run on CPU cores, or what an accelerator's run logged."""
    lines = read_log(folder)
    rows = [line for line in lines if line["event"] == "generation"]
    if rows:
        return rows
    elo: dict[str, Any] = {}
    for line in lines:
        if line["event"] == "match":
            elo = {"elo": line["elo"], "score": line["score"]}
        elif line["event"] == "train":
            networks = line["networks"]
            first = next(iter(networks.values()))
            if not first["value_loss"]:  # nothing has been learned from yet
                first = {}
            known = {key: line[key] for key in ("seconds", "games", "positions")}
            rows.append({"generation": len(rows) + 1, **known, **first, **elo})
    return rows


def thinned(values: Sequence[T], most: int = MOST_BARS) -> list[T]:
    """Thin a curve to at most `most` values; the last one stays."""
    if len(values) <= most:
        return list(values)
    return [values[round(i * (len(values) - 1) / (most - 1))] for i in range(most)]


def bars(values: Sequence[float]) -> str:
    """A bar for each number, scaled from the smallest to the largest."""
    low, high = min(values), max(values)
    span = (high - low) or 1.0
    last = len(HEIGHTS) - 1
    return "".join(HEIGHTS[int((value - low) / span * last + 0.5 - 1e-9)] for value in values)


def shown(value: float, is_share: bool, key: str) -> str:
    if is_share:
        return f"{100 * value:.1f} %"
    return f"{value:+.0f}" if key == "elo" else f"{value:.3f}"


def chart(rows: Sequence[Row]) -> list[str]:
    """A line for each curve: its name, its bars, its first and its latest value."""
    lines = []
    for key, name, is_share in CURVES:
        values = [row[key] for row in rows if row.get(key) is not None]
        if len(values) > 1:
            ends = [shown(value, is_share, key) for value in (values[0], values[-1])]
            lines.append(f"{left(tr(name), 17)} {bars(thinned(values))}  {ends[0]} → {ends[1]}")
    return lines


COLUMNS = (
    Message("generation"), Message("elapsed"), Message("games"), Message("loss"),
    Message("agreement"), Message("right"), Message("searched"), Message("score"), "Elo",
)  # fmt: skip


def cells(row: Row) -> tuple[str, ...]:
    """A row of the table."""

    def percent(key: str) -> str:
        return f"{100 * row[key]:.1f} %" if row.get(key) is not None else ""

    return (
        str(row["generation"]),
        duration(row["seconds"]),
        f"{row['games']:,}",
        f"{row['policy_loss'] + row['value_loss']:.3f}" if "policy_loss" in row else "",
        percent("policy_agreement"),
        percent("right"),
        percent("right_searched"),
        percent("score"),
        f"{row['elo']:+.0f}" if row.get("elo") is not None else "",
    )


def table(rows: Sequence[Row]) -> list[str]:
    """The generations as a text table."""
    lines = [tuple(map(tr, COLUMNS)), *map(cells, rows)]
    widths = [max(width(line[i]) for line in lines) for i in range(len(COLUMNS))]
    return [
        "  ".join(right(word, w) for word, w in zip(line, widths, strict=True)) for line in lines
    ]


def plot(rows: Sequence[Row], path: Path) -> None:
    """Three panels: right moves, losses, Elo."""
    drawn, (one, middle, last) = figure(14, 4.4, 3)
    at = [row["seconds"] / 60 for row in rows]

    def line(axes: Any, key: str, name: str, scale: float = 1.0) -> None:
        points = [(x, scale * row[key]) for x, row in zip(at, rows, strict=True) if key in row]
        if points:
            axes.plot(*zip(*points, strict=True), label=name, linewidth=1.2)

    for key, name, is_share in CURVES[:3]:
        line(one, key, name, 100 if is_share else 1)
    line(middle, "policy_loss", "policy")
    line(middle, "value_loss", "value")
    line(last, "elo", "Elo")
    one.set(xlabel="minutes", ylabel="%", title="right by the solver; agreement with the search")
    middle.set(xlabel="minutes", title="loss")
    last.set(xlabel="minutes", title="Elo above the untrained network")
    for axes in (one, middle):
        axes.legend()
    save(drawn, path)
