"""Plots of a study, by matplotlib (an extra, imported on demand)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from honte.arena.plot import figure, plain, save
from honte.arena.statistics import CONFIDENCE
from honte.tune.grid import Grid
from honte.tune.optimiser import Score
from honte.tune.space import Coordinate, Point, TunedVector
from honte.tune.tuning import Step, Tuning

Panel = Callable[[Any], None]
MOST_LINES = 14


def plot_study(tuning: Tuning, path: Path) -> None:
    """Plot a study, one panel per subject."""
    panels = panels_of(tuning)
    drawn, axes = figure(5.2 * len(panels), 4.4, len(panels))
    for panel, one in zip(panels, axes, strict=True):
        panel(one)
    save(drawn, path)


def panels_of(tuning: Tuning) -> list[Panel]:
    """The panels that suit this study."""
    space, history = tuning.study.space, tuning.history
    if isinstance(tuning.optimiser, Grid):
        found = tuning.optimiser.table()
        if len(space.coordinates) == 1:
            return [lambda axes: sweep(axes, space.coordinates[0], found)]
        if len(space.coordinates) == 2:
            return [lambda axes: heat_map(axes, space.coordinates, found)]
        return [lambda axes: ranking(axes, tuning, found)]
    panels: list[Panel] = [lambda axes: fitness(axes, history)]
    if any("temperature" in step.notes for step in history):
        panels.append(lambda axes: acceptance(axes, history))
    panels.append(lambda axes: trajectories(axes, tuning))
    for tuned in space.vectors:
        if tuned.vector.board is not None:
            panels.append(partial(board, tuned=tuned, tuning=tuning))
    return panels


def fitness(axes: Any, history: Sequence[Step]) -> None:
    """Best, mean and spread of each round; of duels between points, how many the newcomer won."""
    at = [step.games for step in history]
    if any("children who won" in step.notes for step in history):
        for name in ("children who won", "spread"):
            axes.plot(at, [step.notes.get(name, float("nan")) for step in history], label=name)
        axes.set(xlabel="games", title="children who won, spread of the genes", ylim=(0, 1))
        axes.legend()
        return
    every = max(1, len(history) // 400)
    shown = history[::every]
    at = [step.games for step in shown]
    middle = [100 * step.mean for step in shown]
    best = [100 * step.top.value for step in shown]
    worst = [100 * min(score.value for score in step.scores) for step in shown]
    axes.fill_between(at, worst, best, alpha=0.2, label="worst to best")
    axes.plot(at, middle, label="mean")
    axes.plot(at, best, linewidth=0.8, label="best")
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set(xlabel="games", ylabel="score, %", title="the rounds")
    axes.legend()


def acceptance(axes: Any, history: Sequence[Step]) -> None:
    """The acceptance rate at each temperature."""
    notes = [step.notes for step in history if "temperature" in step.notes]
    size = max(1, len(notes) // 30)
    groups = [notes[at : at + size] for at in range(0, len(notes), size)]
    axes.semilogx(
        [sum(note["temperature"] for note in group) / len(group) for group in groups],
        [100 * sum(note["accepted"] for note in group) / len(group) for group in groups],
        marker="o",
        markersize=3,
    )
    axes.invert_xaxis()
    axes.set(xlabel="temperature", ylabel="accepted, %", title="acceptance", ylim=(0, 100))


def trajectories(axes: Any, tuning: Tuning) -> None:
    """How the answer moved, coordinate by coordinate, each from low, 0, to high, 1."""
    history, space = tuning.history, tuning.study.space
    at = [step.games for step in history]
    points = [space.unit(step.best) for step in history]
    for place, name in enumerate(space.names[:MOST_LINES]):
        axes.plot(at, [point[place] for point in points], linewidth=0.9, label=plain(name))
    axes.set(xlabel="games", ylabel="low to high", title="best point", ylim=(-0.02, 1.02))
    axes.legend(fontsize=6, ncols=2)


def board(axes: Any, tuned: TunedVector, tuning: Tuning) -> None:
    """The numbers of a vector on the cells that they belong to, the others above."""
    vector, style = tuned.vector, tuning.study.game.descriptor.board
    numbers = tuning.study.space.vector_at(tuned, tuning.best)
    assert vector.board is not None
    cells = vector.board(numbers)
    most = max(abs(value) for line in cells for value in line) or 1
    axes.imshow(cells, cmap="RdYlGn", vmin=-most, vmax=most)
    for row, line in enumerate(cells):
        for column, value in enumerate(line):
            axes.text(column, row, f"{value:.0f}", ha="center", va="center", fontsize=7)
    axes.set_xticks(range(len(cells[0])), list(style.columns[: len(cells[0])]))
    axes.set_yticks(range(len(cells)), [str(row + 1) for row in range(len(cells))])
    grouped = {name for group in vector.groups.values() for name in group}
    rest = zip(vector.names, numbers, strict=True)
    axes.set(title=", ".join(f"{name} {value:g}" for name, value in rest if name not in grouped))


def sweep(axes: Any, coordinate: Coordinate, found: Sequence[tuple[Point, Score]]) -> None:
    """The score along one coordinate, with its 95 % band."""
    at = [point[0] for point, _ in found]
    middle = [100 * score.value for _, score in found]
    error = [100 * CONFIDENCE * score.error for _, score in found]
    low = [value - by for value, by in zip(middle, error, strict=True)]
    high = [value + by for value, by in zip(middle, error, strict=True)]
    axes.fill_between(at, low, high, alpha=0.25)
    axes.plot(at, middle, marker="o")
    if coordinate.values:
        axes.set_xticks(at, [plain(word) for word in coordinate.values])
    elif coordinate.log:
        axes.set_xscale("log")
    axes.axhline(50, color="grey", linewidth=0.8)
    axes.set(xlabel=plain(coordinate.name), ylabel="score, % (95 % band)")


def heat_map(
    axes: Any, coordinates: Sequence[Coordinate], found: Sequence[tuple[Point, Score]]
) -> None:
    """The score over two coordinates."""
    down, right = (sorted({point[place] for point, _ in found}) for place in (0, 1))
    scores = dict(found)
    values = [[100 * scores[row, column].value for column in right] for row in down]
    axes.imshow(values, cmap="viridis", aspect="auto")
    for row, line in enumerate(values):
        for column, value in enumerate(line):
            axes.text(column, row, f"{value:.0f}", ha="center", va="center", fontsize=8)
    one, two = coordinates
    axes.set_yticks(range(len(down)), [plain(one.words(value)) for value in down])
    axes.set_xticks(range(len(right)), [plain(two.words(value)) for value in right])
    axes.set(ylabel=plain(one.name), xlabel=plain(two.name), title="score, %")


def ranking(axes: Any, tuning: Tuning, found: Sequence[tuple[Point, Score]]) -> None:
    """The best points of a large grid with their intervals."""
    best = sorted(found, key=lambda row: -row[1].value)[:25]
    names = [" ".join(tuning.study.space.words(point).values()) for point, _ in best]
    axes.errorbar(
        [100 * score.value for _, score in best],
        range(len(best)),
        xerr=[100 * CONFIDENCE * score.error for _, score in best],
        fmt="o",
        capsize=3,
    )
    axes.set_yticks(range(len(best)), [plain(name) for name in names], fontsize=7)
    axes.invert_yaxis()
    axes.set(xlabel="score, % (95 %)", title=" / ".join(map(plain, tuning.study.space.names)))
