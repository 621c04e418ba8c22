"""A naive PUCT with an evaluator, the reference for the native search."""

from __future__ import annotations

import math
from collections.abc import Callable

from honte import State

Evaluate = Callable[[State], tuple[dict[int, float], float]]
"""The priors of the legal moves, which sum to 1, and the value for the side to move."""


class Node:
    def __init__(self, state: State, prior: float = 1.0) -> None:
        self.state = state
        self.prior = prior
        self.visits = 0
        self.total = 0.0  # for the side to move
        self.children: dict[int, Node] = {}

    @property
    def value(self) -> float:
        return self.total / self.visits if self.visits else 0.0


def search(
    state: State, evaluate: Evaluate, iterations: int, c: float, fpu_reduction: float
) -> dict[int, int]:
    """The visits of every move."""
    root = Node(state)
    simulate([root], evaluate, c, fpu_reduction)
    for _ in range(iterations):
        simulate([root], evaluate, c, fpu_reduction)
    return {move: child.visits for move, child in root.children.items()}


def simulate(path: list[Node], evaluate: Evaluate, c: float, fpu_reduction: float) -> None:
    while True:
        node = path[-1]
        if node.state.is_over:
            winner = node.state.winner
            value = 0.0 if winner is None else 1.0 if winner == node.state.to_move else -1.0
            break
        if not node.children:
            priors, value = evaluate(node.state)
            moves = node.state.legal_moves()
            node.children = {move: Node(node.state.play(move), priors[move]) for move in moves}
            if len(moves) > 1 or len(path) == 1:  # a single move is played on
                break
        path.append(best(node, c, fpu_reduction))
    for node in reversed(path):
        node.visits += 1
        node.total += value
        value = -value


def best(node: Node, c: float, fpu_reduction: float) -> Node:
    children = node.children.values()
    visited = sum(child.prior for child in children if child.visits)
    unvisited = node.value - fpu_reduction * math.sqrt(visited)

    def score(child: Node) -> float:
        value = -child.value if child.visits else unvisited
        return value + c * child.prior * math.sqrt(node.visits + 1) / (1 + child.visits)

    return max(children, key=score)
