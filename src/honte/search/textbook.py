"""UCT and minimax in plain Python, to be read beside the pseudo-code.

They work on any game that implements the contract and favour clarity over speed.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from honte.core.contract import State
from honte.core.language import Message
from honte.core.report import Candidate, Report
from honte.core.request import CancelToken, Request
from honte.search.base import limit_of
from honte.search.loop import loop_of


def result_for(player: int, state: State) -> float:
    """The result of a finished game for a player: 1, 0 or −1."""
    if state.winner is None:
        return 0.0
    return 1.0 if state.winner == player else -1.0


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
        """UCB1: the child's value plus the exploration term."""
        return child.value + c * math.sqrt(2 * math.log(self.visits) / child.visits)


def uct(
    request: Request, c: float = 0.8, seed: int | None = None, root: Node | None = None
) -> Report:
    """Monte Carlo tree search: select, expand, play out, back up. Give a root to keep the tree.

    >>> import honte
    >>> state = honte.game("connect4").start()
    >>> for move in (0, 6, 0, 6, 0, 6): state = state.play(move)
    >>> uct(honte.Request(state, limit=honte.Limit(iterations=300)), seed=1).move
    0
    """
    limit = limit_of(request)
    if limit.seconds is None and limit.iterations is None:
        raise ValueError(Message("the textbook UCT needs a limit of seconds or iterations"))
    rng = random.Random(seed)
    root = root or Node(request.state)
    most = limit.iterations or math.inf
    loop = loop_of(request)

    def work(seconds: float) -> str | None:
        until = time.perf_counter() + seconds
        while root.visits < most:
            node = select(root, c)
            if node.untried:
                node = expand(node, rng)
            back_up(node, play_out(node.state, rng))
            if time.perf_counter() >= until:
                return None
        return "iterations"

    return loop.run(work, lambda why: report_of(root, c, loop.seconds, why))


def report_of(root: Node, c: float, seconds: float = 0.0, why: str = "") -> Report:
    """Report the tree; the move is the most visited one."""
    best = max(root.children, key=lambda child: child.visits)
    return Report(
        move=moved(best),
        value=best.value,
        pv=principal_variation(root),
        candidates=[
            Candidate(
                moved(child),
                child.visits,
                child.value,
                low=max(-1.0, child.value - 1.96 / math.sqrt(child.visits)),
                high=min(1.0, child.value + 1.96 / math.sqrt(child.visits)),
                exploration=root.ucb(child, c) - child.value,
                line=(moved(child), *principal_variation(child)),
            )
            for child in sorted(root.children, key=lambda child: -child.visits)
        ],
        iterations=root.visits,
        nodes=root.visits + 1,
        seconds=seconds,
        stopped=why,
        source="textbook",
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
    """Add the result to every node up to the root."""
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
    """The move that led to a node, which is not the root."""
    assert node.move is not None
    return node.move


# -- minimax with alpha-beta (Knuth & Moore 1975) -----------------------------------------

RESULTS = {1.0: "win", 0.0: "draw", -1.0: "loss"}
Evaluate = Callable[[State], float]
"""The value of an unfinished position for player 0, between −1 and 1."""


def zero(state: State) -> float:
    """An evaluation that knows nothing: every unfinished game is even."""
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
    evaluate: Evaluate = zero
    prune: bool = True
    cancel: CancelToken = field(default_factory=CancelToken)
    nodes: int = 0
    guesses: int = 0
    """Unfinished positions taken for a leaf: without one, a value is that of perfect play."""

    def search(self, state: State) -> Report:
        """The best move; of equally good ones the first."""
        started = time.perf_counter()
        self.nodes = self.guesses = 0
        candidates: list[Candidate] = []
        lines: dict[int, list[int]] = {}
        best = -math.inf
        moves = state.legal_moves()
        for move in moves:
            guesses = self.guesses
            # A window just below the best so far, so that an equal move is not taken for better.
            value, line = self.value(state.play(move), self.depth - 1, -math.inf, -best)
            if self.cancel.cancelled and candidates:
                break
            lines[move] = [move, *line]
            # A move that does not beat the best so far has only an upper bound.
            refuted = self.prune and -value <= best
            exact = not refuted and (value == -1 or self.guesses == guesses)
            certain = value == 1 or exact
            candidates.append(
                Candidate(
                    move,
                    value=-value,
                    proven=RESULTS[-value] if certain else None,
                    high=-value,
                    low=-1.0 if refuted else -value,
                    kind="exact" if certain else "bound" if refuted else "estimate",
                    line=tuple(lines[move]),
                )
            )
            best = max(best, -value)
        move = max(candidates, key=lambda candidate: candidate.value).move
        complete = len(candidates) == len(moves)
        proven = best == 1 or (complete and (best == -1 or not self.guesses))
        return Report(
            move=move,
            value=best,
            proven=RESULTS[best] if proven else None,
            pv=lines[move],
            candidates=candidates,
            nodes=self.nodes,
            depth=self.depth,
            seconds=time.perf_counter() - started,
            source="minimax",
        )

    def value(self, state: State, depth: int, alpha: float, beta: float) -> tuple[float, list[int]]:
        """The value for the side to move, and the moves that lead to it."""
        self.nodes += 1
        if self.cancel.cancelled:
            self.guesses += 1
            return 0.0, []
        if state.is_over:
            return result_for(state.to_move, state), []
        if depth <= 0:
            self.guesses += 1
            # Keep heuristic values short of a proven result.
            guess = 0.99 * self.evaluate(state)
            return (guess if state.to_move == 0 else -guess), []
        best, line = -math.inf, list[int]()
        for move in state.legal_moves():
            value, rest = self.value(state.play(move), depth - 1, -beta, -max(alpha, best))
            if -value > best:
                best, line = -value, [move, *rest]
            if self.prune and best >= beta:
                break  # beta cutoff
        return best, line
