"""Games needed for a ranking: round robin, Swiss and adaptive schedules on simulated classes.

    python benchmarks/ranking.py play     simulate, into benchmarks/results/ranking.jsonl
    python benchmarks/ranking.py table    the table of docs/arena.md
    python benchmarks/ranking.py draw     its picture

A class is 60 bots of known strength. All schedules play pairs with both sides and are ranked by the
ratings of the same model; the figure is Kendall's τ against the truth, over pairs that are not
tied. The round robin plays its pairings in random order, so that it can be stopped at any point.
The adaptive schedule chooses 16 pairs at a time, before any of their results are known.

Every line of the results is one class under one schedule; runs already there are skipped.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honte.arena.adaptive import IN_FLIGHT, Chooser
from honte.arena.plot import figure, save
from honte.arena.ratings import PRIOR, Array, Model, chances
from honte.arena.schedule import swiss_pairings
from honte.arena.statistics import SCALE

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "benchmarks" / "results" / "ranking.jsonl"
BOTS = 60
SEEDS = 20
FIRST, DRAWS = 40 / SCALE, -1.0
"""Moving first is worth 40 Elo; 16 % of the games of equals are drawn."""
STEP = 120
"""Games between two measurements."""
GOALS = (0.8, 0.9, 0.95)
CYCLE = BOTS * (BOTS - 1)
"""Games of a round robin in which every two meet once with each side."""

Random = np.random.Generator
Pair = tuple[int, int]

CLASSES: dict[str, tuple[Callable[[Random], Array], int, int]] = {
    "normal, sd 200": (lambda draw: draw.normal(0, 200, BOTS), 9600, 5400),
    "normal, sd 300": (lambda draw: draw.normal(0, 300, BOTS), 7200, 3000),
    "normal, sd 400": (lambda draw: draw.normal(0, 400, BOTS), 7200, 3000),
    "even, 1600 wide": (lambda draw: draw.uniform(0, 1600, BOTS), 7200, 3600),
    "as wide as our levels": (lambda draw: draw.uniform(0, 2300, BOTS), 7200, 3000),
    "three clusters, 500 apart": (
        lambda draw: draw.integers(0, 3, BOTS) * 500 + draw.normal(0, 100, BOTS),
        7200,
        3000,
    ),
    "a third alike, others sd 300": (
        lambda draw: np.where(np.arange(BOTS) < BOTS // 3, 0, draw.normal(0, 300, BOTS)),
        7200,
        4200,
    ),
}
"""Strengths in Elo, and how many games of a round robin and of the others are simulated."""


def round_robin(chooser: Chooser, draw: Random) -> Iterator[list[Pair]]:
    pairs = list(combinations(range(BOTS), 2))
    while True:
        yield [pairs[index] for index in draw.permutation(len(pairs))]


def swiss(chooser: Chooser, draw: Random) -> Iterator[list[Pair]]:
    names = [str(index) for index in draw.permutation(BOTS)]
    met: set[frozenset[str]] = set()
    while True:
        points = chooser.results @ (0, 0.5, 1)
        points = points.sum(axis=1) + (chooser.results @ (1, 0.5, 0)).sum(axis=0)
        found, _ = swiss_pairings(names, {name: points[int(name)] for name in names}, met)
        met |= {frozenset(pair) for pair in found}
        if len(met) == BOTS * (BOTS - 1) // 2:
            met.clear()
        yield [(int(a), int(b)) for a, b in found]


def adaptive(chooser: Chooser, draw: Random) -> Iterator[list[Pair]]:
    while True:
        found = []
        for _ in range(IN_FLIGHT):
            pair = chooser.choose()
            assert pair is not None
            chooser.in_flight[pair] += 1
            chooser.in_flight[pair[::-1]] += 1
            found.append(pair)
        yield found
        chooser.in_flight[:] = 0


SCHEDULES = {"round robin": round_robin, "swiss": swiss, "adaptive": adaptive}


def simulate(name: str, schedule: str, seed: int) -> list[float]:
    """τ after every `STEP` games."""
    strengths, longest, shorter = CLASSES[name]
    games = longest if schedule == "round robin" else shorter
    truth = strengths(np.random.default_rng(seed)) / SCALE
    draw = np.random.default_rng([seed, 1])
    loss, tie, _ = chances(np.subtract.outer(truth, truth) + FIRST, DRAWS)
    chooser = Chooser(BOTS)
    theta: Array | None = None
    curve: list[float] = []
    played = 0
    for pairs in SCHEDULES[schedule](chooser, draw):
        for a, b in pairs:
            for one, two in ((a, b), (b, a)):
                at = draw.random() - loss[one, two]
                chooser.add(one, two, -1 if at < 0 else 0 if at < tie[one, two] else 1)
            played += 2
            if played % STEP == 0:
                theta = Model(chooser.results, 1 / PRIOR**2).fit(theta)
                curve.append(kendall(truth, theta[:BOTS]))
            if played == games:
                return curve
    raise AssertionError("a schedule has no end")


def kendall(truth: Array, found: Array) -> float:
    """τ over the pairs that the truth orders.

    >>> kendall(np.array([1, 2, 2]), np.array([1, 3, 2]))
    1.0
    """
    right = np.sign(np.subtract.outer(truth, truth))
    agreed = right * np.sign(np.subtract.outer(found, found))
    return float(agreed.sum() / np.abs(right).sum())


def play() -> None:
    known = {(row["class"], row["schedule"], row["seed"]) for row in read()}
    RESULTS.parent.mkdir(exist_ok=True)
    with RESULTS.open("a") as file:
        for seed in range(SEEDS):
            for name in CLASSES:
                for schedule in SCHEDULES:
                    if (name, schedule, seed) in known:
                        continue
                    curve = [round(tau, 4) for tau in simulate(name, schedule, seed)]
                    row = {"class": name, "schedule": schedule, "seed": seed, "tau": curve}
                    print(json.dumps(row), file=file, flush=True)


def read() -> list[dict[str, Any]]:
    if not RESULTS.exists():
        return []
    return [json.loads(line) for line in RESULTS.read_text().splitlines()]


def curves(name: str, schedule: str) -> Array:
    """τ, a row for each seed."""
    rows = [row for row in read() if (row["class"], row["schedule"]) == (name, schedule)]
    return np.array([row["tau"] for row in sorted(rows, key=lambda row: row["seed"])])


def games_for(goal: float, curve: Array) -> float:
    """Where a curve of mean τ reaches a goal, interpolated; nan if it never does.

    >>> round(games_for(0.8, np.array([0.7, 0.9])))
    180
    """
    reached = int(np.argmax(curve >= goal))
    if curve[reached] < goal:
        return float("nan")
    before = curve[reached - 1] if reached else 0.0
    return STEP * float(reached + (goal - before) / (curve[reached] - before))


def resampled(seeds: int) -> NDArray[np.int64]:
    """Bootstrap: the seeds of each of 1000 samples, drawn with replacement."""
    return np.random.default_rng(0).integers(0, seeds, (1000, seeds))


def between_equals(goal: float, name: str) -> float:
    """Games for a goal if each were between equals, the most informative pairing, evenly spread.

    A player's rating then has the variance 1 / (games of the player · information of one).
    """
    chance = np.vectorize(NormalDist().cdf)
    _, tie, _ = chances(np.zeros(1), DRAWS)
    most = (1 - tie[0]) / 4
    needed = []
    for seed in range(SEEDS):
        truth = CLASSES[name][0](np.random.default_rng(seed)) / SCALE
        apart = np.abs(np.subtract.outer(truth, truth))
        apart = apart[apart > 0]
        low, high = 1.0, 10_000.0
        while high > 1.01 * low:
            games = (low * high) ** 0.5
            wrong = chance(-apart / (2 / (games * most)) ** 0.5).mean()
            low, high = (low, games) if 1 - 2 * wrong >= goal else (games, high)
        needed.append(high * BOTS / 2)
    return float(np.mean(needed))


def table() -> None:
    heads = ("class", "τ", "round robin", "Swiss", "adaptive", "of round robin", "of whole ones")
    print("| " + " | ".join((*heads, "equals only")) + " |")
    print("|---|---|---|---|---|---|---|---|")
    for name in CLASSES:
        found = {schedule: curves(name, schedule) for schedule in SCHEDULES}
        samples = resampled(min(map(len, found.values())))
        for goal in GOALS:
            cells, drawn = [], {}
            for schedule, rows in found.items():
                middle = games_for(goal, rows.mean(axis=0))
                drawn[schedule] = np.array(
                    [games_for(goal, rows[sample].mean(axis=0)) for sample in samples]
                )
                most = STEP * rows.shape[1]
                cells.append(f"{middle:,.0f}" if middle == middle else f"> {most:,}")
            ratios = drawn["adaptive"] / drawn["round robin"]
            if np.isnan(ratios).mean() > 0.05:  # not simulated far enough
                continue
            low, middle, high = np.nanpercentile(100 * ratios, (2.5, 50, 97.5))
            cells.append(f"{middle:.0f} % ({low:.0f}–{high:.0f})")
            least = games_for(goal, found["round robin"].mean(axis=0))
            whole = math.ceil(least / CYCLE) * CYCLE
            ours = games_for(goal, found["adaptive"].mean(axis=0))
            cells.append(f"{100 * ours / whole:.0f} %")
            cells.append(f"{100 * between_equals(goal, name) / least:.0f} %")
            print(f"| {name} | {goal} | " + " | ".join(cells) + " |")


def draw() -> None:
    names = list(CLASSES)
    drawn, axes = figure(12, 3.6, 3)
    for axis, name in zip(axes, (names[1], names[3], names[5]), strict=True):
        for schedule in SCHEDULES:
            rows = curves(name, schedule)
            at = STEP * np.arange(1, rows.shape[1] + 1)
            (line,) = axis.plot(at, rows.mean(axis=0), label=schedule)
            low, high = np.percentile(rows, (10, 90), axis=0)
            axis.fill_between(at, low, high, alpha=0.15, color=line.get_color(), linewidth=0)
        axis.axhline(0.9, color="grey", linewidth=0.8, linestyle=":")
        axis.set(title=name, xlabel="games", xlim=(0, 6000), ylim=(0.6, 1))
    axes[0].set_ylabel("Kendall's τ with the truth")
    axes[0].legend(loc="lower right")
    save(drawn, ROOT / "docs" / "images" / "ranking.svg")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("play", "table", "draw"))
    {"play": play, "table": table, "draw": draw}[parser.parse_args().what]()
