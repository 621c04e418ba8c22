"""Ablation: what each part of the training of networks gains at equal seconds of an accelerator.

    python benchmarks/training.py --out FOLDER --seconds 120 plain seed pure-outcomes playout-caps

Each variant trains a small network from nothing for the same seconds on course boards, one after
another on the same device, and then meets `plain` (trained before, or read from ``--against``) in a
match with 32 simulations a move. All variants compile at once before the first one trains.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from typing import Any

GAME = "connect4"
MATCH_SIMULATIONS = 32
ELO_OF_POINTS = 4 * 400 / math.log(10)
"""Elo for each point of the score near one half."""
QUICK = 8
"""Simulations of the searches that playout cap randomisation does not learn policies from."""


def no_auxiliary_targets() -> None:
    from honte.nets import learner

    learner.REPLY_WEIGHT = learner.MOVES_LEFT_WEIGHT = 0.0


def averaging(kept: float) -> Callable[[], None]:
    """The share of the average that each learning step keeps."""

    def change() -> None:
        from honte.nets import learner

        learner.AVERAGING = kept

    return change


def no_chosen_openings() -> None:
    from honte.nets import selfplay

    selfplay.OPENINGS_AT_RANDOM = 1.0


BLANK = {"no-threat-planes": (5, 6), "no-parity-planes": (7, 8, 9)}
"""Input planes that a variant sees empty."""


def blank(planes: tuple[int, ...]) -> Callable[[], None]:
    def change() -> None:
        from honte.games.connect4.jax_rules import ConnectFourArrays

        observe = ConnectFourArrays.observe

        def observed(self: Any, position: Any, read: Any) -> Any:
            return observe(self, position, read).at[..., planes].set(0)

        ConnectFourArrays.observe = observed  # type: ignore[method-assign]

    return change


def playout_caps(deep: int, share: float) -> Callable[[], None]:
    """Playout cap randomisation (Wu 2019): few searches are deep, and policies learn from these.

    All games of a step search alike, so that the device is as busy as before.
    """

    def change() -> None:
        import jax
        import jax.numpy as jnp

        from honte.nets import selfplay

        search = selfplay.search

        class Found:
            def __init__(self, action: Any, action_weights: Any, value: Any) -> None:
                self.action, self.action_weights = action, action_weights
                self.value = value
                self.search_tree = self

            def summary(self) -> Any:
                return self

        def capped(
            network: Any, game: Any, key: Any, position: Any, simulations: int, noise: Any = 1.0
        ) -> Any:
            if simulations == MATCH_SIMULATIONS:
                return search(network, game, key, position, simulations, noise)

            def with_simulations(count: int, weight: float, noise: Any) -> Any:
                found, root = search(network, game, key, position, count, noise)
                value = found.search_tree.summary().value
                return (found.action, weight * found.action_weights, value), root

            drawn = jax.random.uniform(jax.random.fold_in(key, 1)) < share
            found, root = jax.lax.cond(
                drawn,
                lambda: with_simulations(deep, 1.0, noise),
                lambda: with_simulations(QUICK, 0.0, jnp.zeros_like(noise)),
            )
            return Found(*found), root

        selfplay.search = capped  # type: ignore[assignment]

    return change


VARIANTS: dict[str, tuple[list[str], Callable[[], None] | None]] = {
    "plain": ([], None),
    "seed": (["--seed", "2"], None),
    "no-auxiliary-targets": ([], no_auxiliary_targets),
    "no-averaging": ([], averaging(0.0)),
    "shorter-averaging": ([], averaging(0.98)),
    "no-chosen-openings": ([], no_chosen_openings),
    "pure-outcomes": (["--mixing", "1"], None),
    "more-search-values": (["--mixing", "0.9"], None),
    "8-simulations": (["--simulations", "8"], None),
    "16-simulations": (["--simulations", "16"], None),
    "64-simulations": (["--simulations", "64"], None),
    "64-simulations-late": (["--simulations", "16"], None),
    # 31: by the number `playout_caps` tells self-play from the matches, which keep 32.
    "playout-caps": (["--simulations", "31"], playout_caps(64, 0.25)),
    "reuse-8": (["--reuse", "8"], None),
    **{name: ([], blank(planes)) for name, planes in BLANK.items()},
    "quick": (["--simulations", "16", "--mixing", "1"], averaging(0.98)),
    "larger-teacher": (["--size", "b6c48", "--students", "b4c32"], None),
}
LATE = {"64-simulations-late": 64}
"""Simulations in the second half of the seconds."""


def train(name: str, options: argparse.Namespace, compiled: Any, turn: Any) -> None:
    words, change = VARIANTS[name]
    from honte.nets import train as training

    if change is not None:
        change()
    out = options.out / name
    base = [options.game, "--out", str(out), "--size", "b4c32", "--match-every", "1e9"]
    base += ["--match-games", "2", "--total", str(options.seconds), "--games", str(options.games)]
    asked = training.arguments([*base, *words])
    run = training.Training(asked)
    late = None
    if name in LATE:
        words = [*words, "--simulations", str(LATE[name])]
        late = training.Training(training.arguments([*base, *words]))
    compiled.release()
    turn.acquire()
    seconds = options.seconds / (2 if late else 1)
    train_for(run, seconds)
    if late is not None:
        late.learners, late.network, late.ring = run.learners, run.network, run.ring
        late.games, late.key, late.done = run.games, run.key, run.done
        train_for(late, seconds)
    turn.release()


def train_for(run: Any, seconds: float) -> None:
    run.began = time.monotonic()
    run.options.seconds = seconds
    run.run()


def match(first: Path, second: Path, options: argparse.Namespace) -> None:
    import jax
    import jax.numpy as jnp

    from honte.nets import checkpoint, games, learner, rating
    from honte.nets.sizes import Size

    game = games.find(options.game)
    size = Size.parse("b4c32")
    fresh = learner.fresh(jax.random.key(0), size, game.planes, game.heads)
    both = [
        learner.network(checkpoint.load(path / f"network-{size}.npz", fresh))
        for path in (first, second)
    ]
    for path, network in zip((first, second), both, strict=True):
        for plane in BLANK.get(path.name, ()):  # it has never seen this plane filled
            network["stem.w"] = network["stem.w"].at[:, :, plane].set(0)
    stacked = jax.tree.map(lambda a, b: jnp.stack([a, b]), *both)
    score = float(
        rating.match(stacked, game, jax.random.key(7), options.match_games, MATCH_SIMULATIONS)
    )
    about = checkpoint.about(first / f"network-{size}.npz")["done"]
    figures = {
        "variant": first.name,
        "score": round(score, 4),
        "elo": round(rating.elo(score, options.match_games), 1),
        "elo_error": round(ELO_OF_POINTS * 1.96 * 0.5 / options.match_games**0.5, 1),
        "seconds": round(about["seconds"], 1),
        "games": int(about["games"]),
        "positions": int(about["positions"]),
    }
    line = json.dumps(figures)
    print(line, flush=True)
    with (options.out / "ablation.jsonl").open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("variants", nargs="+", choices=list(VARIANTS))
    add("--out", type=Path, required=True)
    add("--against", type=Path, help="the folder of the plain run, from an earlier call")
    add("--game", default=GAME)
    add("--games", type=int, default=4096, help="at a time")
    add("--seconds", type=float, default=120)
    add("--match-games", type=int, default=4096)
    options = parser.parse_args()
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    options.out.mkdir(parents=True, exist_ok=True)
    start = get_context("spawn")
    compiled, turn = start.Semaphore(0), start.Semaphore(0)
    runs = [
        start.Process(target=train, args=(n, options, compiled, turn)) for n in options.variants
    ]
    began = time.monotonic()
    for run in runs:
        run.start()
    for _ in runs:
        while not compiled.acquire(timeout=1):
            if any(run.exitcode for run in runs):
                for run in runs:
                    run.terminate()
                sys.exit("a variant failed before it was compiled; its error is above")
    print(f"compiled after {time.monotonic() - began:.0f} s", file=sys.stderr)
    turn.release()
    for run in runs:
        run.join()
    plain = options.against or options.out / "plain"
    for name in options.variants:
        if name != "plain":
            match(options.out / name, plain, options)


if __name__ == "__main__":
    main()
