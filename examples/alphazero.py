"""AlphaZero in NumPy: a network learns 7×6 Connect Four from nothing, by playing itself.

    python examples/alphazero.py [MINUTES]     of CPU time, 10 by default; Ctrl-C keeps the weights
    python examples/alphazero_check.py         the network against random moves and the solver
    honte best connect4 --player uct:evaluator=examples/alphazero.py:learned,iterations=200

At every move of 256 games a Gumbel search of 32 simulations improves the network's policy; the
network learns that policy, and the mean of the search's value and the result of the game. The
first moves of a game, up to 15, are random, so that it learns about all kinds of positions.
"""  # fmt: skip

import os
import sys
import time
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # products too small for a second thread

import numpy as np
from numpy.typing import NDArray

import honte

FILE = Path(__file__).with_suffix(".npz")
GAMES, SIMULATIONS, OPENING, BUFFER, STEPS, BATCH, RATE = 256, 32, 16, 200_000, 8, 512, 2e-3
SIZES = (420, 256, 128, 8)  # of the layers: 10 planes of 7×6 cells; 7 logits and a value
PARTS = ((10, 6, 7), np.uint8), ((7,), np.float32), ((), np.float32)  # planes, policy, value
Array = NDArray[Any]


class Network:
    """A perceptron with two hidden layers, and an evaluator."""

    def __init__(self) -> None:
        draw = np.random.default_rng(1).normal
        scales = [0.1 * a**-0.5 if b == SIZES[-1] else (2 / a) ** 0.5 for a, b in pairwise(SIZES)]
        self.weights = [  # with a row of biases
            np.vstack([draw(0, scale, (a, b)), np.zeros(b)]).astype(np.float32)
            for scale, (a, b) in zip(scales, pairwise(SIZES), strict=True)
        ]
        self.moments = [(np.zeros_like(w), np.zeros_like(w)) for w in self.weights]
        self.steps = 0

    def __call__(self, batch: honte.search.Batch) -> tuple[Array, Array]:
        return self.forward(batch.planes)[1:]

    def forward(self, planes: Array) -> tuple[list[Array], Array, Array]:
        """The inputs of all layers, the policy, and the value."""
        layers = [planes.reshape(len(planes), -1).astype(np.float32)]
        for w in self.weights:
            layers.append(np.maximum(layers[-1], 0) @ w[:-1] + w[-1])
        powers = np.exp(layers[-1][:, :7] - layers[-1][:, :7].max(1, keepdims=True))
        return layers, powers / powers.sum(1, keepdims=True), np.tanh(layers[-1][:, 7])

    def train(self, planes: Array, policy: Array, value: Array, rate: float) -> None:
        """One step of Adam on cross-entropy and squared error."""
        layers, priors, values = self.forward(planes)
        error = np.column_stack([priors - policy, (values - value) * (1 - values**2)]) / len(planes)
        self.steps += 1
        rate *= (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for i in reversed(range(len(self.weights))):
            inputs = np.maximum(layers[i], 0)
            # Keep vanishing numbers out of the denormal range, which is slow.
            slope = np.vstack([inputs.T @ error, error.sum(0)]) + 1e-12
            error = error @ self.weights[i][:-1].T * (layers[i] > 0)
            first, second = self.moments[i]
            first += 0.1 * (slope - first)
            second += 0.001 * (slope**2 - second)
            self.weights[i] -= rate * first / (np.sqrt(second) + 1e-8)


def learn(minutes: float) -> None:
    network, rng = Network(), np.random.default_rng(2)
    search = honte.search.SearchBatch("connect4", GAMES, evaluator=network, root="gumbel")
    buffer = [np.zeros((BUFFER, *shape), kind) for shape, kind in PARTS]
    plies: list[tuple[Array, Array, Array, Array]] = []
    begun, games, positions, told = rng.integers(OPENING, size=GAMES), 0, 0, 0.0
    try:
        while (spent := time.process_time() / 60 / minutes) < 1:
            found = search.run(SIMULATIONS)
            plies.append((search.planes, found.policy, found.values, 1 - 2 * search.to_move))
            drawn = (rng.random((GAMES, 7)) * search.legal).argmax(1)
            over, outcomes = search.advance(np.where(begun >= len(plies), drawn, found.moves))
            for game in np.flatnonzero(over):  # its positions go to the buffer
                if begun[game] < len(plies):
                    parts = zip(*plies[begun[game] :], strict=True)
                    planes, policy, values, side = (np.stack([p[game] for p in q]) for q in parts)
                    where = np.arange(positions, positions + len(planes)) % BUFFER
                    values = (values + outcomes[game] * side) / 2
                    for part, new in zip(buffer, (planes, policy, values), strict=True):
                        part[where] = new
                    games, positions = games + 1, positions + len(planes)
                begun[game] = len(plies) + rng.integers(OPENING)
            done = min(begun.min(), len(plies))
            del plies[:done]
            begun -= done
            for _ in range(STEPS if positions >= 10 * BATCH else 0):
                sample = rng.integers(min(positions, BUFFER), size=BATCH)
                planes, policy, values = (part[sample] for part in buffer)
                if rng.random() < 0.5:
                    planes, policy = planes[..., ::-1], policy[:, ::-1]  # the mirror image
                network.train(planes, policy, values, RATE * (1 - spent))
            if spent >= told + 0.02:
                told, left = spent, minutes * (1 - spent)
                print(f"{games:,} games, {positions:,} positions; {left:.1f} CPU minutes left")
    except KeyboardInterrupt:
        print("stopped")
    np.savez(FILE, *network.weights)
    print(f"weights in {FILE}")


@cache
def load() -> Network:
    network = Network()
    network.weights = list(np.load(FILE).values())
    return network


def learned(batch: honte.search.Batch) -> tuple[Array, Array]:
    """The evaluator with the weights that were learned."""
    return load()(batch)


if __name__ == "__main__":
    learn(float(sys.argv[1]) if len(sys.argv) > 1 else 10)
