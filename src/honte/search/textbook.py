"""UCT and minimax in plain Python, to be read beside the pseudo-code.

They work on any game that keeps the contract, a game of your own included. For speed there
are the native searches; these are for understanding.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from honte.games.contract import State
from honte.search.limit import Limit
from honte.search.report import Candidate, Report


def result_for(player: int, state: State) -> float:
    """How a finished game ended for a player: 1, 0 or −1."""
    if state.winner is None:
        return 0.0
    return 1.0 if state.winner == player else -1.0


class Stopwatch:
    """Says when a limit is reached."""

    def __init__(self, limit: Limit) -> None:
        self.started = time.perf_counter()
        self._seconds = limit.seconds or math.inf

    @property
    def seconds(self) -> float:
        return time.perf_counter() - self.started

    def is_up(self) -> bool:
        return self.seconds >= self._seconds


# -- UCT (Kocsis & Szepesvári 2006) -------------------------------------------------------


@dataclass
class Node:
    """A position in the tree, with the results of the games that passed through it."""

    state: State
    parent: Node | None = None
    move: int | None = None
    visits: int = 0
    total: float = 0.0
    """The sum of results, for the player who moved into this node."""
    children: list[Node] = field(default_factory=list)
    untried: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.untried = self.state.legal_moves()

    @property
    def value(self) -> float:
        return self.total / self.visits if self.visits else 0.0

    def ucb(self, child: Node, c: float) -> float:
        """The child's value, plus a term for how little it has been tried."""
        return child.value + c * math.sqrt(2 * math.log(self.visits) / child.visits)


def uct(state: State, limit: Limit, c: float = 0.8, seed: int | None = None) -> Report:
    """Monte Carlo tree search: select, expand, play out, back up.

    >>> import honte
    >>> state = honte.game("connect4").start()
    >>> for move in (0, 6, 0, 6, 0, 6): state = state.play(move)
    >>> uct(state, honte.Limit(iterations=300), seed=1).move
    0
    """
    if limit.seconds is None and limit.iterations is None:
        raise ValueError("the textbook UCT needs a limit of seconds or iterations")
    rng = random.Random(seed)
    root = Node(state)
    watch = Stopwatch(limit)
    most = limit.iterations or math.inf
    while root.visits < most and not (watch.is_up() and root.visits):
        node = select(root, c)
        if node.untried:
            node = expand(node, rng)
        back_up(node, play_out(node.state, rng))
    best = max(root.children, key=lambda child: child.visits)
    return Report(
        move=moved(best),
        value=best.value,
        pv=principal_variation(root),
        candidates=[
            Candidate(moved(child), child.visits, child.value)
            for child in sorted(root.children, key=lambda child: -child.visits)
        ],
        iterations=root.visits,
        nodes=root.visits + 1,
        seconds=watch.seconds,
    )


def select(node: Node, c: float) -> Node:
    """Walk down to a node that has untried moves, or to the end of a game."""
    while not node.untried and node.children:
        node = max(node.children, key=lambda child: node.ucb(child, c))
    return node


def expand(node: Node, rng: random.Random) -> Node:
    """Add one of the untried moves to the tree."""
    move = node.untried.pop(rng.randrange(len(node.untried)))
    child = Node(node.state.play(move), node, move)
    node.children.append(child)
    return child


def play_out(state: State, rng: random.Random) -> State:
    """Play random moves to the end."""
    while not state.is_over:
        state = state.play(rng.choice(state.legal_moves()))
    return state


def back_up(node: Node | None, end: State) -> None:
    """Tell every node on the way up how the game ended."""
    while node is not None:
        node.visits += 1
        if node.parent is not None:
            node.total += result_for(node.parent.state.to_move, end)
        node = node.parent


def principal_variation(node: Node) -> list[int]:
    """The most visited moves from here on."""
    moves = []
    while node.children:
        node = max(node.children, key=lambda child: child.visits)
        moves.append(moved(node))
    return moves


def moved(node: Node) -> int:
    assert node.move is not None
    return node.move


# -- minimax with alpha-beta (Knuth & Moore 1975) -----------------------------------------

Evaluate = Callable[[State], float]
"""The value of an unfinished position for player 0, between −1 and 1."""


def no_opinion(state: State) -> float:
    return 0.0


@dataclass
class Minimax:
    """Depth-limited minimax; with ``prune`` (alpha-beta) the same answer from fewer nodes.

    >>> import honte
    >>> state = honte.game("connect4").start()
    >>> for move in (0, 6, 0, 6, 0, 6): state = state.play(move)
    >>> Minimax(depth=1).search(state).move
    0
    """

    depth: int = 4
    evaluate: Evaluate = no_opinion
    prune: bool = True
    nodes: int = 0

    def search(self, state: State) -> Report:
        """The best move; of equally good ones the first."""
        started = time.perf_counter()
        self.nodes = 0
        candidates: list[Candidate] = []
        lines: dict[int, list[int]] = {}
        best = -math.inf
        for move in state.legal_moves():
            # A window just below the best so far, so that an equal move is not taken for better.
            value, line = self.value(state.play(move), self.depth - 1, -math.inf, -best)
            candidates.append(Candidate(move, value=-value))
            lines[move] = [move, *line]
            best = max(best, -value)
        move = max(candidates, key=lambda candidate: candidate.value).move
        return Report(
            move=move,
            value=best,
            proven={1.0: "win", -1.0: "loss"}.get(best),
            pv=lines[move],
            candidates=candidates,
            nodes=self.nodes,
            depth=self.depth,
            seconds=time.perf_counter() - started,
        )

    def value(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, list[int]]:
        """The value for the side to move, and the moves that lead to it."""
        self.nodes += 1
        if state.is_over:
            return result_for(state.to_move, state), []
        if depth <= 0:
            # A heuristic never claims a certain result.
            guess = 0.99 * self.evaluate(state)
            return (guess if state.to_move == 0 else -guess), []
        best, line = -math.inf, list[int]()
        for move in state.legal_moves():
            value, rest = self.value(state.play(move), depth - 1, -beta, -max(alpha, best))
            if -value > best:
                best, line = -value, [move, *rest]
            if self.prune and best >= beta:
                break  # the opponent has something better elsewhere
        return best, line
