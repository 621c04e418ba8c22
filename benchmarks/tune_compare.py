"""The comparison of docs/tuning-othello.md: optimisers on Othello's weights, same games each.

    python benchmarks/tune_compare.py race      strength of the answer against games spent
    python benchmarks/tune_compare.py claims    the effect of population, mutation, crossover
    python benchmarks/tune_compare.py winners   the report's whole run with ten seeds
    python benchmarks/tune_compare.py cycles    who beats whom among the stations of one run
    python benchmarks/tune_compare.py draw      the pictures, from benchmarks/results/
    python benchmarks/tune_compare.py tables    the tables of the page

Every line of a result is one run; runs already there are skipped.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path
from statistics import mean
from typing import Any

from honte.arena.game import Played
from honte.arena.match import Standing
from honte.arena.plot import figure, save
from honte.arena.schedule import Plan, Task, match
from honte.arena.statistics import score_and_error
from honte.games.othello.weights import PRESETS
from honte.tune import games
from honte.tune.study import parse
from honte.tune.tuning import Tuning

HERE = Path(__file__).parent
ROOT = HERE.parent
BUDGET = 4_000
START = "report"
OPPONENTS = {
    "textbook": "textbook",
    "report": "report",
    "mobility": "0/0/0/0/0/0/0/0/0/0/0/10/0",
    "corners": "100/-25/-50/0/0/0/0/0/0/0/0/0/0",
}
"""The panel: what the search meets, and two that it never does."""
CHECKS = 6
"""How often on its way an answer is measured."""
ENGINE = "alphabeta:depth=3"

FIXED = """against = ["alphabeta:depth=3,weights=textbook", "start"]
games = 16
opening_plies = 8"""
OWN = """against = "last best"
games = 16
opening_plies = 8"""
PAIRS = """against = "population"
games = 2
opening_plies = 8"""
SINGLE = "opening_plies = 0"
RACERS = {
    "genetic, report": (SINGLE, 'name = "genetic"\npreset = "report"\ngenerations = 54'),
    "annealing, report": (SINGLE, 'name = "annealing"\npreset = "report"\ntrials = 17'),
    "genetic": (PAIRS, f'name = "genetic"\ngames = {BUDGET}'),
    "annealing": (FIXED, f'name = "annealing"\ngames = {BUDGET}'),
    "annealing, last self": (OWN, f'name = "annealing"\ngames = {BUDGET}'),
    "spsa": (FIXED, f'name = "spsa"\ngames = {BUDGET}'),
    "cma": (FIXED, f'name = "cma"\ngames = {BUDGET}'),
    "tpe": (FIXED, f'name = "tpe"\ngames = {BUDGET}'),
}
WALKERS = ("genetic, report", "annealing, report", "annealing, last self")
"""Whose ways are looked at for rings."""
GENETIC = 'name = "genetic"\npreset = "report"\n'
CLAIMS = {
    # About 2,400 games each, except the last two: a smaller population runs for more generations.
    "as the report": "generations = 30",
    "population 16": "population = 16\ngenerations = 140",
    "population 256": "population = 256\nrounds = 1\ngenerations = 7",
    "no mutation": "generations = 30\nmutation = 0",
    "mutation 0.5": "generations = 30\nmutation = 0.5",
    "no crossover": "generations = 30\ncrossover = 0",
    "crossover 1": "generations = 30\ncrossover = 1",
    "both high": "generations = 30\ncrossover = 1\nmutation = 0.5",
    "10 generations": "generations = 10",
    "200 generations": "generations = 200",
}


class Direct:
    """Plays games in this process, immediately."""

    def __init__(self) -> None:
        self.retired: dict[str, str] = {}
        self.max_faults = 5

    def play(self, tasks: Iterable[Task]) -> Iterator[Played]:
        return map(games.play, tasks)


def study(objective: str, optimiser: str, seed: int) -> Tuning:
    text = f"""
game = "othello"
engine = "{ENGINE}"
seed = {seed}
[parameters.weights]
free = ["squares", "mobility", "stable"]
low = -300
high = 300
start = "{START}"
[objective]
{objective}
[optimiser]
{optimiser}
"""
    return Tuning(parse(text))


def duel(one: str, two: str, count: int, plies: int = 8, seed: int = 5) -> Standing:
    """A match between two sets of weights."""
    plan = Plan("othello", seed=seed, opening_plies=plies)
    standing = Standing()
    for task in match(plan, f"{ENGINE},weights={one}", f"{ENGINE},weights={two}", count):
        standing.add(games.play(task))
    return standing


def strength(weights: str, count: int) -> float:
    """The mean score against the panel."""
    return mean(score_and_error(duel(weights, other, count))[0] for other in OPPONENTS.values())


def words(tuning: Tuning, point: Any) -> str:
    space = tuning.study.space
    (tuned,) = space.vectors
    return tuned.vector.write(space.vector_at(tuned, point))


def race(job: tuple[str, int]) -> dict[str, Any]:
    name, seed = job
    objective, optimiser = RACERS[name]
    tuning = study(objective, optimiser, seed)
    for _ in tuning.search(Direct()):
        pass
    way = []
    due = 0.0
    for step in tuning.history:
        if step.games >= due or step is tuning.history[-1]:
            way.append([step.games, strength(words(tuning, step.best), 40)])
            due = step.games + tuning.games / CHECKS
    winner = words(tuning, tuning.best)
    last = {
        other: 100 * score_and_error(duel(winner, weights, 100))[0]
        for other, weights in OPPONENTS.items()
    }
    every = max(1, len(tuning.history) // 12)
    path = [words(tuning, step.best) for step in tuning.history[::every]]
    return {
        "name": name,
        "seed": seed,
        "games": tuning.games,
        "way": way,
        "winner": winner,
        "against": last,
        "path": path,
    }


def claims(job: tuple[str, int]) -> dict[str, Any]:
    name, seed = job
    tuning = study(SINGLE, GENETIC + CLAIMS[name], seed)
    for _ in tuning.search(Direct()):
        pass
    spreads = [step.notes["spread"] for step in tuning.history if "generation" in step.stage]
    winner = words(tuning, tuning.best)
    return {
        "name": name,
        "seed": seed,
        "games": tuning.games,
        "winner": winner,
        "strength": strength(winner, 100),
        "spread": spreads[-1],
        "first spread": spreads[0],
    }


def winners(job: tuple[str, int]) -> dict[str, Any]:
    """The report's whole run, and its winner in 1,000 games against each preset."""
    name, seed = job
    tuning = study(SINGLE, GENETIC, seed)
    for _ in tuning.search(Direct()):
        pass
    winner = words(tuning, tuning.best)
    return {
        "name": name,
        "seed": seed,
        "games": tuning.games,
        "winner": winner,
        "against": {
            other: [round(100 * x, 1) for x in score_and_error(duel(winner, other, 1000))]
            for other in PRESETS
        },
    }


def cycles(job: tuple[str, int]) -> dict[str, Any]:
    """Matches between all stations of a run: as the run plays them, one game from the start, and
    at length."""
    name, seed = job
    path = next(row["path"] for row in read("race") if row["name"] == name and row["seed"] == seed)
    stations = list(dict.fromkeys(path))[-10:]
    single, long = {}, {}
    for one, two in combinations(range(len(stations)), 2):
        single[one, two] = float(duel(stations[one], stations[two], 1, 0).results[0])
        long[one, two] = float(score_and_error(duel(stations[one], stations[two], 40))[0] - 0.5)
    return {
        "name": name,
        "seed": seed,
        "stations": len(stations),
        "triples": len(list(combinations(range(len(stations)), 3))),
        "single": len(rings(single, len(stations))),
        "long": len(rings(long, len(stations))),
        "example": example(long, stations),
        "last beats first": round(100 * (0.5 - long[0, len(stations) - 1]), 1),
    }


def rings(edges: dict[tuple[int, int], float], count: int) -> list[tuple[int, int, int]]:
    """Triples of which each beats the next."""

    def beats(one: int, two: int) -> bool:
        return edges[one, two] > 0 if one < two else edges[two, one] < 0

    return [
        ring
        for a, b, c in combinations(range(count), 3)
        for ring in ((a, b, c), (a, c, b))
        if beats(ring[0], ring[1]) and beats(ring[1], ring[2]) and beats(ring[2], ring[0])
    ]


def example(edges: dict[tuple[int, int], float], stations: list[str]) -> dict[str, Any] | None:
    """The clearest ring."""

    def lead(one: int, two: int) -> float:
        return edges[one, two] if one < two else -edges[two, one]

    found = rings(edges, len(stations))
    if not found:
        return None
    best = max(found, key=lambda r: min(lead(r[0], r[1]), lead(r[1], r[2]), lead(r[2], r[0])))
    pairs = list(zip(best, (*best[1:], best[0]), strict=True))
    # Chosen as the clearest of many, so it is replayed with other openings (selection bias).
    again = [score_and_error(duel(stations[a], stations[b], 300, seed=77)) for a, b in pairs]
    return {
        "stations": [one + 1 for one in best],
        "chosen by": [round(100 * (0.5 + lead(a, b)), 1) for a, b in pairs],
        "again": [[round(100 * x, 1) for x in pair] for pair in again],
    }


# -- results --------------------------------------------------------------------------------


def results(kind: str) -> Path:
    return HERE / "results" / f"tune_{kind}.jsonl"


def read(kind: str) -> list[dict[str, Any]]:
    path = results(kind)
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def work(kind: str, names: Iterable[str], seeds: Iterable[int], workers: int) -> None:
    done = {(row["name"], row["seed"]) for row in read(kind)}
    jobs = [(name, seed) for seed in seeds for name in names if (name, seed) not in done]
    function = {"race": race, "claims": claims, "winners": winners, "cycles": cycles}[kind]
    with multiprocessing.Pool(workers) as pool, results(kind).open("a") as out:
        for row in pool.imap_unordered(function, jobs):
            print(json.dumps(row), file=out, flush=True)
            print(kind, row["name"], row["seed"], flush=True)


def draw() -> None:
    rows = read("race")
    drawn, (axes,) = figure(9, 5.5)
    for name in RACERS:
        mine = [row["way"] for row in rows if row["name"] == name]
        if not mine:
            continue
        count = min(map(len, mine))
        at = [mean(way[k][0] for way in mine) for k in range(count)]
        values = [[100 * way[k][1] for way in mine] for k in range(count)]
        (line,) = axes.plot(at, [mean(value) for value in values], label=name, marker=".")
        low, high = [min(value) for value in values], [max(value) for value in values]
        axes.fill_between(at, low, high, alpha=0.12, color=line.get_color())
    axes.set(
        xlabel="games spent",
        ylabel="score against the panel, %",
        title=f"Othello's weights at depth 3, {len({row['seed'] for row in rows})} seeds, "
        "bands from the lowest to the highest",
    )
    axes.legend(fontsize=8)
    save(drawn, ROOT / "docs" / "images" / "tune-comparison.svg")


def tables() -> None:
    print("| optimiser | games | " + " | ".join(OPPONENTS) + " | mean |")
    rows = defaultdict(list)
    for row in read("race"):
        rows[row["name"]].append(row)
    for name in RACERS:
        mine = rows[name]
        if not mine:
            continue
        cells = [mean(row["against"][other] for row in mine) for other in OPPONENTS]
        each = [mean(row["against"].values()) for row in mine]
        print(
            f"| {name} | {mean(row['games'] for row in mine):,.0f} | "
            + " | ".join(f"{cell:.0f}" for cell in cells)
            + f" | {spread_of(each)} |"
        )
    print()
    rows = defaultdict(list)
    for row in read("claims"):
        rows[row["name"]].append(row)
    for name in CLAIMS:
        mine = rows[name]
        if mine:
            each = [100 * row["strength"] for row in mine]
            print(
                f"| {name} | {mean(row['games'] for row in mine):,.0f} | {spread_of(each)} | "
                f"{mean(row['first spread'] for row in mine):.2f} → "
                f"{mean(row['spread'] for row in mine):.2f} |"
            )
    print()
    for row in sorted(read("winners"), key=lambda row: row["seed"]):
        cells = [f"{score:.1f} ± {error:.1f}" for score, error in row["against"].values()]
        print(f"| {row['seed']} | " + " | ".join(cells) + " |")
    print()
    for row in sorted(read("cycles"), key=lambda row: (row["name"], row["seed"])):
        print(json.dumps(row))


def spread_of(each: list[float]) -> str:
    """A mean over seeds, and every seed's own."""
    return f"{mean(each):.1f} ({', '.join(f'{one:.0f}' for one in each)})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["race", "claims", "winners", "cycles", "draw", "tables"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=4)
    asked = parser.parse_args()
    seeds = range(1, asked.seeds + 1)
    if asked.what == "race":
        work("race", RACERS, seeds, asked.workers)
    elif asked.what == "claims":
        work("claims", CLAIMS, seeds, asked.workers)
    elif asked.what == "winners":
        work("winners", ["genetic, report"], seeds, asked.workers)
    elif asked.what == "cycles":
        work("cycles", WALKERS, seeds, asked.workers)
    else:
        {"draw": draw, "tables": tables}[asked.what]()


if __name__ == "__main__":
    main()
