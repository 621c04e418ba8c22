"""How often an engine throws away a result on course boards, judged by the solver.

    python benchmarks/giveaways.py solve positions.jsonl --count 500
    python benchmarks/giveaways.py ask positions.jsonl best best:policy=learned --seconds 0.5

`solve` draws positions from self-play of a 300-simulation search, and keeps those in which some
moves hold a win or a draw and others do not: `--count` for each band of free cells. Positions that
the solver cannot decide in `--patience` seconds are skipped and counted. Both commands resume where
they stopped.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import honte
from honte.arena.statistics import wilson
from honte.core.contract import State
from honte.search.solver import empties, solver_of

BANDS = ((36, 44), (45, 52), (53, 60))


def band_of(free: int) -> str:
    return next(f"{low}–{high}" for low, high in BANDS if low <= free <= high)


def lines(path: Path) -> Iterator[dict[str, Any]]:
    if path.exists():
        for line in path.read_text(encoding="utf-8").splitlines():
            yield json.loads(line)


def position(game: Any, free: int, seed: int) -> State | None:
    """A position with this number of free cells; None if the game ended earlier."""
    player = honte.player("uct:iterations=300", game, seed=seed)
    state: State = game.start()
    while not state.is_over and empties(state) > free:
        state = state.play(player.choose(state).move)
    return None if state.is_over else state


def values_of(game: Any, state: State, patience: float) -> dict[int, int] | None:
    """Win, draw or loss of every move; None if one is not decided in time."""
    solver = solver_of(game, memory_mb=512)
    solved = solver.solve(state, wld=True, all_moves=True, line=False, seconds=patience)
    if not all(move.low > 0 or move.high < 0 or move.low == move.high for move in solved.moves):
        return None
    return {move.move: (move.low > 0) - (move.high < 0) for move in solved.moves}


def solve(path: Path, count: int, seed: int, patience: float) -> None:
    have = Counter(line["band"] for line in lines(path))
    draw = random.Random(f"{seed}/{sum(have.values())}")
    undecided: Counter[str] = Counter()
    for low, high in BANDS:
        band = band_of(low)
        while have[band] < count:
            spec = f"connect4:course,seed={draw.getrandbits(31)}"
            game: Any = honte.game(spec)
            state = position(game, draw.randint(low, high), draw.getrandbits(32))
            if state is None:
                continue
            values = values_of(game, state, patience)
            if values is None:
                undecided[band] += 1
                continue
            if min(values.values()) == max(values.values()) or max(values.values()) < 0:
                continue
            have[band] += 1
            line = {"band": band, "game": spec, "position": state.to_text(), "values": values}
            with path.open("a", encoding="utf-8") as file:
                file.write(json.dumps(line, ensure_ascii=False) + "\n")
            print(f"\r{band} free: {have[band]}, undecided {undecided[band]}", end="", flush=True)
        print()


def ask(path: Path, specs: list[str], seconds: float) -> None:
    answers = path.with_suffix(".answers.jsonl")
    done = {(line["position"], line["spec"], line["seconds"]): line for line in lines(answers)}
    for line in lines(path):
        game = honte.game(line["game"])
        best = max(line["values"].values())
        for spec in specs:
            key = (line["position"], spec, seconds)
            if key in done:
                continue
            player = honte.player(spec, game)
            report = player.choose(game.from_text(line["position"]), seconds=seconds)
            player.close()
            answer = {
                **dict(zip(("position", "spec", "seconds"), key, strict=True)),
                "band": line["band"],
                "kept": line["values"][str(report.move)] == best,
                "proven": report.proven is not None,
            }
            done[key] = answer
            with answers.open("a", encoding="utf-8") as file:
                file.write(json.dumps(answer, ensure_ascii=False) + "\n")
            print(f"\r{len(done)} answers", end="", flush=True)
    print(f"\n{seconds:g} s a move\n\n| free cells | player | positions | given away | proven |")
    print("|---|---|---|---|---|")
    for low, _ in BANDS:
        for spec in specs:
            rows = [
                row
                for row in done.values()
                if (row["band"], row["spec"], row["seconds"]) == (band_of(low), spec, seconds)
            ]
            if not rows:
                continue
            lost = sum(not row["kept"] for row in rows)
            least, most = wilson(lost, len(rows))
            print(
                f"| {band_of(low)} | `{spec}` | {len(rows)} | {lost} ({least:.1%} to {most:.1%}) "
                f"| {sum(row['proven'] for row in rows)} |"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    add = parser.add_argument
    add("command", choices=("solve", "ask"))
    add("file", type=Path)
    add("players", nargs="*", default=["best", "best:policy=learned"])
    add("--count", type=int, default=500, help="positions for each band")
    add("--seconds", type=float, default=0.5)
    add("--patience", type=float, default=10, help="seconds that the solver may take")
    add("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.command == "solve":
        solve(options.file, options.count, options.seed, options.patience)
    else:
        ask(options.file, options.players, options.seconds)


if __name__ == "__main__":
    main()
