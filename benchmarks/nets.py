"""Networks on one core: evaluations a second by size, batch and kernel, against ONNX Runtime.

    python benchmarks/nets.py speed    boards of 12×12, batches of 1, 4 and 8, each kernel
    python benchmarks/nets.py error    10,000 positions of random games: quantised beside float
    python benchmarks/nets.py go       9×9 Go: each kernel, and what a search takes beside them
    python benchmarks/nets.py course   12×12: the network that ships, and what a search takes beside
    python benchmarks/nets.py threads  searches of `best` with two threads and with one

Evaluations are counted per CPU second of one thread; the programs alternate in each round, and
figures are medians over the rounds. ONNX Runtime gets the network without masks, which is faster,
once in float32 and once in int8 (static, per channel, calibrated). Needs the packages `onnx` and
`onnxruntime`; without them `speed` measures our kernels alone.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

import honte  # noqa: E402
from honte._native import GO_PLANES, GoUct, Network, go_planes, network_kernels  # noqa: E402
from honte.arena.openings import after, balanced_opening  # noqa: E402
from honte.games.connect4.planes import PLANES, random_positions  # noqa: E402
from honte.nets import netfile  # noqa: E402
from honte.nets.quantise import Trained, load_checkpoint, quantise  # noqa: E402
from honte.search.uct import Uct  # noqa: E402
from tests.nets.networks import random_network  # noqa: E402

STUDY = ROOT / "studies" / "nets" / "connect4"
SIDE = 12
BATCHES = (1, 4, 8)
ROUNDS = 25
SECONDS = 0.04
"""Of one turn."""
HAS_ONNX = find_spec("onnx") is not None and find_spec("onnxruntime") is not None

Array = np.ndarray[Any, np.dtype[Any]]


def networks() -> dict[str, tuple[Trained, bytes]]:
    """The two trained ones, and a larger one with random weights."""
    found = {}
    for size in ("b4c32", "b8c64"):
        data = (STUDY / f"network-{size}.net").read_bytes()
        found[size] = load_checkpoint(STUDY / f"network-{size}.npz"), data
    rng = np.random.default_rng(1)
    large = random_network(rng, 10, 64, len(PLANES))
    found["b10c64"] = large, netfile.encode(*quantise(large, PLANES, random_positions(rng, 10)))
    return found


def channels_first(planes: Array) -> Array:
    return np.ascontiguousarray(planes.transpose(0, 3, 1, 2), np.float32)


def session(model: bytes | str) -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])


def int8_session(model: bytes, planes: Array) -> Any:
    """A session quantised by ONNX Runtime, calibrated on these positions."""
    from onnxruntime import quantization

    class Positions(quantization.CalibrationDataReader):  # type: ignore[misc]
        def __init__(self) -> None:
            self.left = [channels_first(planes[i : i + 8]) for i in range(0, len(planes), 8)]

        def get_next(self) -> dict[str, Array] | None:
            return {"planes": self.left.pop()} if self.left else None

    with tempfile.TemporaryDirectory() as folder:
        plain, made = Path(folder) / "plain.onnx", Path(folder) / "int8.onnx"
        plain.write_bytes(model)
        quantization.quantize_static(
            plain, made, Positions(), per_channel=True,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
        )  # fmt: skip
        return session(str(made))


def rate(evaluate: Callable[[], object], batch: int) -> float:
    """Evaluations per CPU second."""
    count, began = 0, time.thread_time()
    while (spent := time.thread_time() - began) < SECONDS:
        evaluate()
        count += batch
    return count / spent


def speed() -> None:
    kernels = network_kernels()
    print("| network | batch |", *(f"{name} |" for name in kernels), end="")
    print(" ONNX fp32 | ONNX int8 | × fp32 | × int8 |" if HAS_ONNX else "")
    print("|---" * (2 + len(kernels) + 4 * HAS_ONNX) + "|")
    for size, (trained, data) in networks().items():
        positions = random_positions(np.random.default_rng(2), 64, least=SIDE, most=SIDE)
        by_kernel = {name: Network(data, kernel=name) for name in kernels}
        sessions = {}
        if HAS_ONNX:
            from honte.nets import onnx_model

            model = onnx_model.build(trained.weights, masked=False)
            sessions = {"fp32": session(model), "int8": int8_session(model, positions)}
        for batch in BATCHES:
            planes, first = positions[:batch].copy(), channels_first(positions[:batch])
            turns: dict[str, Callable[[], object]] = {}
            for name, network in by_kernel.items():
                turns[name] = partial(network.evaluate, planes)
            for name, each in sessions.items():
                turns[name] = partial(each.run, None, {"planes": first})
            rates: dict[str, list[float]] = {name: [] for name in turns}
            for turn in range(ROUNDS + 1):
                for name, evaluate in turns.items():
                    found = rate(evaluate, batch)
                    if turn:  # the first warms up
                        rates[name].append(found)
            cells = [f"{statistics.median(rates[name]):,.0f}" for name in turns]
            for name in sessions:
                pairs = zip(rates[kernels[0]], rates[name], strict=True)
                cells.append(f"{statistics.median(a / b for a, b in pairs):.2f}")
            print(f"| {size} | {batch} | {' | '.join(cells)} |", flush=True)


def log_policy(cells: Array, planes: Array) -> Array:
    """The log-probability of each move."""
    landing = planes[..., PLANES.index("landing")]
    logits = np.where(landing.any(-1), (cells * landing).sum(-1), -100.0)
    logits -= logits.max(-1, keepdims=True)
    return np.asarray(logits - np.log(np.exp(logits).sum(-1, keepdims=True)))


def error() -> None:
    from honte.nets import onnx_model

    print("| network | value: mean, 99 %, max | policy, KL: mean, 99 %, max | same best move |")
    print("|---|---|---|---|")
    for size in ("b4c32", "b8c64"):
        network = Network(STUDY / f"network-{size}.net")
        trained = load_checkpoint(STUDY / f"network-{size}.npz")
        oracle = session(onnx_model.build(trained.weights))
        rng = np.random.default_rng(99)
        off, divergence, same = [], [], []
        for _ in range(20):
            planes = random_positions(rng, 500)
            exact, chances = oracle.run(None, {"planes": channels_first(planes)})
            cells, outcome = network.evaluate(planes)
            off.append(np.abs((outcome - chances) @ np.array([1, 0, -1])))
            p, q = log_policy(exact, planes), log_policy(cells, planes)
            divergence.append((np.exp(p) * (p - q)).sum(-1))
            same.append(p.argmax(-1) == q.argmax(-1))

        def figures(parts: list[Array], digits: int) -> str:
            whole = np.concatenate(parts)
            three = (whole.mean(), np.quantile(whole, 0.99), whole.max())
            return ", ".join(f"{number:.{digits}f}" for number in three)

        agree = f"{100 * np.concatenate(same).mean():.1f} %"
        print(f"| {size} | {figures(off, 3)} | {figures(divergence, 4)} | {agree} |", flush=True)


def go_positions(game: Any, count: int) -> tuple[Any, Array]:
    """An opening position, and the planes of later positions from random games."""
    rng = np.random.default_rng(3)
    states = []
    for i in range(count):
        state = game.start()
        for _ in range(1 + i % 60):
            state = state.play(int(rng.choice(state.legal_moves()[:-1])))
        states.append(state)
    planes = np.stack([np.frombuffer(go_planes(state), np.uint8) for state in states])
    return states[7], planes.reshape(count, game.size, game.size, -1)


def go() -> None:
    """Random weights: how fast a network is does not depend on them."""
    game: Any = honte.game("go:size=9")
    state, planes = go_positions(game, 60)
    kernels = network_kernels()
    print(
        "| network | bytes |", *(f"{name} |" for name in kernels), "search, iterations/s | beside |"
    )
    print("|---" * (4 + len(kernels)) + "|")
    for blocks, channels in ((4, 32), (6, 64), (6, 96)):
        trained = random_network(np.random.default_rng(1), blocks, channels, planes.shape[-1],
                                 scores=True)  # fmt: skip
        data = netfile.encode(*quantise(trained, tuple(GO_PLANES), planes[::5]))
        turns: dict[str, Callable[[], object]] = {}
        for name in kernels:
            turns[name] = partial(Network(data, kernel=name).evaluate, planes[:10].copy())
        with tempfile.NamedTemporaryFile(suffix=".net") as file:
            file.write(data)
            file.flush()
            settings = Uct(game, net=file.name, seed=1)._native_settings
        search = GoUct(state, settings)
        turns["search"] = lambda search=search: search.run(10, 60.0)  # type: ignore[misc]
        rates: dict[str, list[float]] = {name: [] for name in turns}
        for turn in range(ROUNDS + 1):
            for name, evaluate in turns.items():
                found = rate(evaluate, 10)
                if turn:
                    rates[name].append(found)
        cells = [f"{statistics.median(found):,.0f}" for found in rates.values()]
        pairs = zip(rates[kernels[0]], rates["search"], strict=True)
        beside = statistics.median(a / b for a, b in pairs) - 1
        print(f"| b{blocks}c{channels} | {len(data):,} | {' | '.join(cells)} | {beside:.1%} |",
              flush=True)  # fmt: skip


def course() -> None:
    """Iterations of a search against evaluations alone, in turn; each iteration evaluates once.

    Shared positions are off: with them, some iterations need no evaluation.
    """
    game = honte.game("connect4:rows=12,cols=12,blocked=5/6")
    planes = random_positions(np.random.default_rng(2), 50, least=12)
    network = Network((STUDY / "network-b8c64.net").read_bytes())
    player = honte.player("uct:net=learned,transpositions=no,reuse=no", game)
    rates: list[tuple[float, float]] = []
    for turn in range(ROUNDS + 1):
        alone = rate(partial(network.evaluate, planes), len(planes))
        state = after(game, balanced_opening(game, turn, 8))
        began = time.process_time()
        report = player.choose(state, iterations=400)
        searching = report.iterations / (time.process_time() - began)
        if turn:
            rates.append((alone, searching))
    alone, searching = (statistics.median(side) for side in zip(*rates, strict=True))
    beside = statistics.median(a / b for a, b in rates) - 1
    print(f"evaluations/s {alone:,.0f}, iterations/s {searching:,.0f}: {beside:.1%} beside them")


def threads() -> None:
    """Simulations in half a second of wall time: the machine must be idle."""
    for spec in ("go:size=9,komi=7", "connect4:rows=12,cols=12,blocked=5/6"):
        game = honte.game(spec)
        players = [honte.player(f"best:threads={count}", game) for count in (1, 2)]
        ratios = []
        for turn in range(ROUNDS):
            state = after(game, balanced_opening(game, turn, 8))
            one, two = (player.choose(state, seconds=0.5).iterations for player in players)
            ratios.append(two / one)
        low, middle, high = statistics.quantiles(ratios, n=4)
        print(f"{spec}: two threads {middle:.2f} times one (quartiles {low:.2f} to {high:.2f})")


TABLES = {"speed": speed, "error": error, "go": go, "course": course, "threads": threads}

if __name__ == "__main__":
    TABLES[sys.argv[1] if len(sys.argv) > 1 else "speed"]()
