"""Ablation: each part of an engine, the engine with it against the engine without it.

    python benchmarks/versions.py connect4 --store parts.db             all parts of Connect Four
    python benchmarks/versions.py go --store parts.db learned threads   two parts of Go

Every match is played at equal time, on paired boards, both sides. The table is printed in
Markdown as it grows; speeds are simulations per CPU second from the first position. The same
command with the same store resumes where it stopped.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from dataclasses import dataclass

import honte

LIGHT = "playout=uniform,priors=0"
POLICY = "best:policy=learned"
"""The engine of Connect Four without a network."""


@dataclass(frozen=True)
class Part:
    name: str
    having: str
    without: str
    seed: int


@dataclass(frozen=True)
class Study:
    game: str
    seconds: float
    games: int
    parts: tuple[Part, ...]


STUDIES = {
    "connect4": Study(
        "connect4:course",
        0.05,
        200,
        (
            Part("network", "best", "best:policy=learned", 221),
            Part("takeover", "best", "best:takeover=no", 222),
            Part("threat_depth", "best", "best:threat_depth=0", 223),
            Part("solver", "best", "best:solver=no", 224),
            Part("forced", "best", "best:forced=no,threat_depth=0", 225),
            Part("reuse", "best", "best:reuse=no", 226),
            Part("mix", "best:value=mix", "best", 227),
            Part("playouts", "best", "best:value=playout", 228),
            Part("transpositions", "best:transpositions=yes", "best", 229),
            Part("temperature", "best:temperature=1.5", "best", 230),
            Part("c", "best:c=0.8", "best", 231),
        ),
    ),
    "connect4-policy": Study(
        "connect4:course",
        0.03,
        200,
        (
            Part("takeover", POLICY, f"{POLICY},takeover=no", 201),
            Part("policy", POLICY, "best:policy=no", 202),
            Part("local", POLICY, f"{POLICY},playout=win+block+safe+keep_threats", 203),
            Part("keep_threats", POLICY, f"{POLICY},playout=win+block+safe+local", 204),
            Part("safe", POLICY, f"{POLICY},playout=win+block+local", 205),
            Part("threat_depth", POLICY, f"{POLICY},threat_depth=0", 206),
            Part("solver", POLICY, f"{POLICY},solver=no", 207),
            Part("forced", POLICY, f"{POLICY},forced=no", 208),
            Part("block", POLICY, f"{POLICY},playout=win+safe+keep_threats+local", 209),
            Part("win", POLICY, f"{POLICY},playout=block+safe+keep_threats+local", 210),
            Part("reuse", POLICY, f"{POLICY},reuse=no", 212),
        ),
    ),
    "go": Study(
        "go:size=9",
        0.05,
        200,
        (
            Part("rave", f"uct:{LIGHT}", f"uct:{LIGHT},rave=no,c=0.4", 301),
            Part("priors", "uct:playout=uniform,policy=no", f"uct:{LIGHT}", 302),
            Part("policies", "uct:policy=no", "uct:playout=uniform,policy=no", 303),
            Part("learned", "uct", "uct:policy=no", 304),
            Part("rave_prior", "uct", "uct:rave_prior=0", 321),
            Part("nakade", "uct", "uct:playout=save+pattern+capture+safe", 305),
            Part("safe", "uct", "uct:playout=save+nakade+pattern+capture", 306),
            Part("save", "uct", "uct:playout=nakade+pattern+capture+safe", 307),
            Part("pattern", "uct", "uct:playout=save+nakade+capture+safe", 308),
            Part("capture", "uct", "uct:playout=save+nakade+pattern+safe", 309),
            Part("fill", "uct:playout=save+nakade+pattern+capture+fill+safe", "uct", 310),
            Part("order", "uct", "uct:playout=save+capture+nakade+pattern+safe", 311),
            Part("report", "uct", "uct:playout=save+pattern+capture", 320),
            Part("bias form", "uct:policy=no", "uct:policy=no,rave_form=schedule,c=0.2", 312),
            Part("progressive widening", "uct:progressive_widening=8", "uct", 313),
            Part("prune", "uct:prune=200,prune_value=-0.8", "uct", 314),
            Part("UCB-tuned", "uct:selection=ucb1_tuned,c=0.1", "uct:policy=no", 315),
            Part("UCB-tuned2", "uct:selection=ucb_tuned2,c=0.1", "uct:policy=no", 316),
            Part("transpositions", "uct:transpositions=yes", "uct", 317),
            Part("reuse", "uct", "uct:reuse=no", 318),
            Part("threads", "uct:threads=2", "uct", 319),
        ),
    ),
}


def speed(spec: str, game_spec: str, seconds: float = 0.5, times: int = 3) -> float:
    """Simulations per CPU second."""
    game = honte.game(game_spec.replace("connect4:course", "connect4:rows=10,cols=11,blocked=4/5"))
    found = []
    for seed in range(times):
        joint = "," if ":" in spec else ":"
        player = honte.player(f"{spec}{joint}seed={seed}", game)
        began = time.process_time()
        report = player.choose(game.start(), honte.Limit(seconds=seconds))
        found.append(report.iterations / (time.process_time() - began))
        player.close()
    return statistics.median(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("game", choices=list(STUDIES))
    parser.add_argument("parts", nargs="*", help="only these")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--games", type=int)
    parser.add_argument("--workers", default="1")
    parser.add_argument("--store")
    asked = parser.parse_intermixed_args()
    study = STUDIES[asked.game]
    names = [part.name for part in study.parts]
    if unknown := [name for name in asked.parts if name not in names]:
        parser.error(f"there is no part {unknown[0]}; there are {', '.join(names)}")
    seconds, games = asked.seconds or study.seconds, asked.games or study.games
    print(f"{study.game}, {seconds:g} s a move\n")
    print("| part | A | B | A scores | simulations/s of A, B |\n|---|---|---|---|---|")
    for part in study.parts:
        if asked.parts and part.name not in asked.parts:
            continue
        command = [sys.executable, "-m", "honte", "match", part.having, part.without, "--json"]
        command += ["--game", study.game, "--games", str(games), "--seconds", str(seconds)]
        command += ["--seed", str(part.seed), "--workers", asked.workers]
        command += ["--store", asked.store] if asked.store else []
        played = subprocess.run(command, stdout=subprocess.PIPE)
        if played.returncode:  # the match has said why
            sys.exit(played.returncode)
        found = json.loads(played.stdout)
        score = f"{100 * found['score']:.1f} ± {100 * found['score_error']:.1f} %"
        speeds = ", ".join(
            f"{speed(spec, study.game):,.0f}" for spec in (part.having, part.without)
        )
        print(
            f"| {part.name} | `{part.having}` | `{part.without}` | {score} of {found['games']} | "
            f"{speeds} |",
            flush=True,
        )


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
