"""The questions of the reports about UCT, answered again with error bars.

    python benchmarks/uct_study.py                 play what has not been played yet
    python benchmarks/uct_study.py --table         the results as Markdown
    python benchmarks/uct_study.py c "rave, Go"    only the groups of these names

Every comparison is a match of two settings with both sides on paired boards: course boards
(9–12 each way, one blocked cell, drawn anew for each pair) for Connect Four, two random plies
for Go. Results go to benchmarks/results/uct_study.json after each match; an interrupted run
resumes where it stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from honte.arena.match import Standing, play_match, schedule
from honte.arena.statistics import summary
from honte.core.request import Limit

RESULTS = Path(__file__).parent / "results" / "uct_study.json"
COURSE = "connect4:course"
GO = "go:size=9"
# The starting point of all Connect Four comparisons: report A's formula with proofs and forced
# moves, uniform playouts, the most visited move.
BASE = "uct:c=0.8,playout=uniform,final=visits"


@dataclass(frozen=True)
class Comparison:
    group: str
    a: str
    b: str
    game: str = COURSE
    games: int = 200
    seconds: float | None = 0.02
    iterations: int | None = None
    workers: int = 2

    @property
    def key(self) -> str:
        limit = f"{self.seconds} s" if self.seconds else f"{self.iterations} iterations"
        return f"{self.group} | {self.a} | {self.b} | {self.game} | {limit}"


def with_(setting: str, base: str = BASE) -> str:
    """The base with one setting changed."""
    changed = [item.split("=")[0] for item in setting.split(",")]
    kept = [item for item in base.partition(":")[2].split(",") if item.split("=")[0] not in changed]
    return "uct:" + ",".join([*kept, *setting.split(",")])


def comparisons() -> list[Comparison]:
    study = []
    for c in ("0.3", "0.5", "0.65", "1.0", "1.2", "1.4"):
        study.append(Comparison("c", with_(f"c={c}"), BASE))
    policies = ("win", "block", "win+block", "centre", "win+block+centre", "seek_won")
    for policy in policies:
        study.append(Comparison("playout, equal time", with_(f"playout={policy}"), BASE))
    for policy in ("win", "block", "win+block", "centre"):
        study.append(
            Comparison(
                "playout, equal iterations",
                with_(f"playout={policy}"),
                BASE,
                seconds=None,
                iterations=10_000,
            )
        )
    for final in ("value", "ucb", "lcb"):
        study.append(Comparison("final", with_(f"final={final}"), BASE))
    for selection in ("ucb1_tuned,c=1", "ucb_tuned2,c=1", "puct,c=1.5", "flat"):
        name, *rest = selection.split(",")
        base = with_(rest[0]) if rest else BASE
        study.append(Comparison("selection", with_(f"selection={name}", base), BASE))
    study.append(Comparison("ucb_factor", with_("ucb_factor=1,c=0.7"), BASE))
    for off in ("forced=no,solver=no", "forced=no", "solver=no"):
        study.append(Comparison("solver", BASE, with_(off)))
    study.append(Comparison("transpositions", with_("transpositions=yes"), BASE))
    study.append(Comparison("rave, Connect Four", with_("rave=300"), BASE))
    plain_go = "uct:c=0.4,rave=no,playout=uniform,priors=0"
    for rave in ("rave=1000", "rave=1000,rave_form=bias"):
        other = with_(f"c=0,{rave}", plain_go)
        study.append(Comparison("rave, Go", other, plain_go, game=GO, seconds=0.05))
    for c in ("0.2", "0.8"):
        study.append(Comparison("c, Go", with_(f"c={c}", plain_go), plain_go, game=GO))
    for c in ("0.4", "1.2"):
        study.append(
            Comparison("c, Othello", f"uct:c={c}", "uct:c=0.8", game="othello", seconds=0.02)
        )
    study.append(
        Comparison("playout, Othello", "uct:playout=corner", "uct", game="othello", seconds=0.02)
    )
    study.append(Comparison("threads", with_("threads=2"), BASE, workers=1))
    study.append(
        Comparison(
            "defaults",
            "uct",
            "uct:c=0.8,playout=uniform,forced=no,solver=no,final=visits",
            seconds=0.2,
        )
    )
    return study


def load() -> dict[str, Any]:
    found: dict[str, Any] = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    return found


def run(groups: list[str]) -> None:
    todo = [c for c in comparisons() if c.key not in load()]
    todo = [c for c in todo if not groups or c.group in groups]
    for number, comparison in enumerate(todo, 1):
        started = time.monotonic()
        limit = Limit(seconds=comparison.seconds, iterations=comparison.iterations)
        tasks = schedule(
            comparison.a, comparison.b, comparison.game, comparison.games, limit, seed=number
        )
        standing = Standing()
        for played in play_match(tasks, comparison.workers):
            standing.add(played)
        standing.stopped = "all games played"
        if any(standing.faults):
            raise SystemExit(f"{comparison.key}: {standing.faults}")
        results = load()
        results[comparison.key] = summary(standing)
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        spent = time.monotonic() - started
        print(
            f"{number}/{len(todo)} {comparison.key}: {verdict(summary(standing))} ({spent:.0f} s)"
        )
        sys.stdout.flush()


def verdict(found: dict[str, Any]) -> str:
    score, error = 100 * found["score"], 100 * found["score_error"]
    return f"{score:.1f} ± {error:.1f} % of {found['games']} ({found['distinct']} different)"


def difference(a: str, b: str) -> tuple[str, str]:
    """The difference of two specs, and their common part as the base."""
    ours, theirs = (spec.partition(":")[2].split(",") for spec in (a, b))
    left = ",".join(item for item in ours if item not in theirs)
    right = ",".join(item for item in theirs if item not in ours)
    return left or "as is", right or "as is"


def table() -> None:
    print("| question | A | B | a move | A scores of 200 | Elo |")
    print("|---|---|---|---|---|---|")
    results = load()
    for comparison in comparisons():
        found = results.get(comparison.key)
        if found is None:
            continue
        group, a, b, _game, limit = comparison.key.split(" | ")
        mine, other = difference(a, b)
        score = f"{100 * found['score']:.1f} ± {100 * found['score_error']:.1f} %"
        elo = f"{found['elo']:+.0f} ± {found['elo_error']:.0f}"
        one, two = (f"`{words}`" if "=" in words else words for words in (mine, other))
        print(f"| {group} | {one} | {two} | {limit} | {score} | {elo} |")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("groups", nargs="*")
    parser.add_argument("--table", action="store_true")
    given = parser.parse_args()
    table() if given.table else run(given.groups)
