"""Honte against other libraries on the same work, in one run: `make bench-peers`.

Each library comes from PyPI, pinned, into an environment of its own (build/peers/NAME), and runs in
its own process. Measurements alternate, so that a busy machine slows all of them, and the medians
of CPU-time rates are compared. The workloads are in peers_work.py.

    python benchmarks/peers.py [--repeats N]     a table as Markdown, the figures, the picture
    python benchmarks/peers.py --repeats 0       table and picture of the last run's figures
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
PEERS = ROOT / "build" / "peers"
PICTURE = ROOT / "docs" / "images" / "peers.svg"
RESULTS = ROOT / "benchmarks" / "results" / "peers.json"
WORK = Path(__file__).with_name("peers_work.py")
PINNED = {
    "open_spiel": ["open_spiel==2.0.2"],
    "pgx": ["pgx==2.6.0", "jax==0.10.2"],
    "pettingzoo": ["pettingzoo==1.27.0", "pygame-ce==2.5.8"],
    # Without what its other games need; that is more than a gigabyte.
    "kaggle": ["--no-deps", "kaggle-environments==1.33.2"],
}
MORE = {"kaggle": ["jsonschema==4.26.0", "numpy==2.4.6", "requests==2.34.2", "Flask==3.1.3"]}
TITLES = {
    "honte": "Honte",
    "open_spiel": "OpenSpiel 2.0.2",
    "pgx": "pgx 2.6.0",
    "pettingzoo": "PettingZoo 1.27.0",
    "kaggle": "Kaggle 1.33.2",
}
Rates = dict[str, dict[str, float]]
"""By library and kind of work."""


def set_up(name: str) -> str:
    """The Python of a library's environment."""
    python = PEERS / name / "bin" / "python"
    done = PEERS / name / "installed.json"
    wanted = json.dumps([PINNED[name], MORE.get(name)])
    if not done.exists() or done.read_text() != wanted:
        print(f"Installing {name} into build/peers/{name} ...", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", PEERS / name], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        for packages in (PINNED[name], MORE.get(name)):
            if packages:
                subprocess.run([*pip, *packages], check=True)
        done.write_text(wanted)
    return str(python)


def measure(repeats: int) -> Rates:
    """Medians of rates per CPU second."""
    pythons = {"honte": sys.executable, **{name: set_up(name) for name in PINNED}}
    rates: dict[str, dict[str, list[float]]] = {name: {} for name in pythons}
    environment = {**os.environ, "JAX_COMPILATION_CACHE_DIR": str(PEERS / "pgx" / "compiled")}
    for repeat in range(repeats):
        for name, python in pythons.items():
            print(f"run {repeat + 1} of {repeats}: {name}", file=sys.stderr)
            command = [python, str(WORK), name]
            found = subprocess.run(
                command, check=True, stdout=subprocess.PIPE, text=True, env=environment
            )
            for work, value in json.loads(found.stdout.splitlines()[-1]).items():
                rates[name].setdefault(work, []).append(value)
    return {
        name: {work: statistics.median(values) for work, values in found.items()}
        for name, found in rates.items()
    }


def table(rates: Rates) -> str:
    """A row for each workload; the last column compares with the fastest other library."""
    lines = [
        f"| per CPU second | {' | '.join(TITLES.values())} | ratio |",
        "|---" * (len(TITLES) + 2) + "|",
    ]
    for work, ours in sorted(rates["honte"].items(), key=lambda row: row[0].split(", ")[:-1]):
        values = [rates[name].get(work) for name in TITLES]
        others = [value for value in values[1:] if value is not None]
        cells = ["" if value is None else f"{value:,.0f}" for value in values]
        ratio = f"{ours / max(others):,.1f}×" if others else ""
        lines.append(f"| {work} | {' | '.join(cells)} | {ratio} |")
    return "\n".join(lines)


def draw(rates: Rates, path: Path) -> None:
    """Plies a CPU second from Python, a panel for each game, a bar for each library."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "honte", "font.size": 9})
    kinds = {
        "plies, lockstep": "lockstep",
        "plies with planes, lockstep": "lockstep, with planes",
        "plies, one game": "one game",
        "plies in PettingZoo": "as an AEC environment",
    }
    boards = {"connect4 7×6": "Connect Four 7×6", "othello": "Othello", "go 9×9": "Go 9×9"}
    bars: dict[str, list[tuple[str, float, str]]] = {board: [] for board in boards}
    for name, found in rates.items():
        for work, value in found.items():
            kind, _, board = work.rpartition(", ")
            if board not in boards or kind not in kinds:
                continue
            words = kinds[kind]
            if name == "open_spiel":  # which has no lockstep: one game, with or without planes
                if kind == "plies, lockstep":
                    continue
                words = words.replace("lockstep", "one game")
            bars[board].append((f"{TITLES[name].split()[0]}, {words}", value, name))
    figure, axes = plt.subplots(
        len(boards),
        figsize=(7, 6),
        sharex=True,
        height_ratios=[len(found) + 1 for found in bars.values()],
    )
    for axis, (board, found_bars) in zip(axes, bars.items(), strict=True):
        rows = sorted(found_bars, key=lambda bar: bar[1])
        colors = ["#2b6cb0" if name == "honte" else "#a0aec0" for _, _, name in rows]
        axis.barh([row[0] for row in rows], [row[1] for row in rows], color=colors, log=True)
        axis.set_title(boards[board], loc="left")
        axis.set_xlim(50, 1e8)
        axis.minorticks_off()
        axis.spines[["top", "right"]].set_visible(False)
    axes[-1].set_xlabel("plies per CPU second, driven from Python")
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeats", type=int, default=5)
    given = parser.parse_args()
    if given.repeats:
        RESULTS.write_text(json.dumps(measure(given.repeats), indent=1, ensure_ascii=False) + "\n")
    rates = json.loads(RESULTS.read_text())
    print(table(rates))
    draw(rates, PICTURE)


if __name__ == "__main__":
    main()
