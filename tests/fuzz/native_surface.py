"""Fuzz the API of the native module: ``native_surface.py SECONDS SEED``.

Two kinds of thread alternate at random. One calls every method of every class with valid and
invalid arguments in any order. The other lets players think, and inspects, cancels and drops them
meanwhile. An exception is a valid answer; a crash, a hang or a sanitizer's report is not. At the
end it prints the number of calls.
"""

from __future__ import annotations

import contextlib
import random
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import honte
from honte import _native
from honte.games.othello.patterns import learned

GAMES = [
    "connect4",
    "connect4:rows=4,cols=5,blocked=1/2",
    "connect4:rows=12,cols=12,inarow=5",
    "othello",
    "othello:size=4",
    "go:size=5",
    "go:size=9,komi=0.5,ko=simple",
    "go:size=19",
]
PLAYERS = ["uct", "uct:threads=2", "best", "alphabeta", "solver", "level:30", "minimax:depth=2"]
NUMBERS = [-(2**63), -(2**31), -1, 0, 1, 2, 7, 40, 64, 81, 361, 2**31, 2**63, 2**64, 10**30]
OTHERS: list[Any] = [None, True, 0.0, -1.5, 1e300, float("nan"), "", "x", b"", b"\0" * 64, [], {}]
SMALL = [0, 1, 2, 3]
SLOW = {"perft", "leaves", "playouts", "ownership", "fit"}
"""What takes as long as its arguments are large."""
LONG = {"signature", "engine_signature", "othello_exact_results", "play_weights_game"}
REFUSALS = (TypeError, ValueError, IndexError, OverflowError, RuntimeError, KeyError, MemoryError)


class Fuzzer:
    def __init__(self, seed: int, until: float) -> None:
        self.draw = random.Random(seed)
        self.until = until
        self.calls = 0

    def state(self) -> Any:
        """A position some moves into a game."""
        state = honte.game(self.draw.choice(GAMES)).start()
        for _ in range(self.draw.randrange(40)):
            if state.is_over:
                break
            state = state.play(self.draw.choice(state.legal_moves()))
        return state

    def argument(self, small: bool) -> Any:
        draw = self.draw
        if small:
            return draw.choice(SMALL)
        kind = draw.randrange(6)
        if kind < 2:
            return draw.choice(NUMBERS)
        if kind == 2:
            return draw.choice(OTHERS)
        if kind == 3:
            return [draw.randrange(-3, 400) for _ in range(draw.randrange(6))]
        state = self.state()
        return state if kind == 4 else state.game._rules

    def call(self, function: Callable[..., Any], small: bool = False) -> Any:
        self.calls += 1
        most = self.draw.randrange(6)
        try:
            return function(*(self.argument(small) for _ in range(most)))
        except REFUSALS:
            return None

    def engine(self) -> Any:
        """A working search, constructed by hand."""
        state = self.state()
        native, draw = type(state).__name__.removesuffix("State"), self.draw
        kinds: list[Callable[[], Any]] = [
            lambda: getattr(_native, f"{native}Uct")(state, {"memory_mb": 2, "seed": 1})
        ]
        if native == "Connect4":
            kinds += [lambda: _native.Connect4AlphaBeta(state.game._rules, 2)]
            kinds += [lambda: _native.Connect4Solver(state.game._rules, draw.choice((1, 2)), 2)]
        if native == "Othello":
            kinds += [lambda: _native.OthelloSolver(draw.choice((1, 2)), 2)]
            kinds += [lambda: _native.OthelloEngine(learned(), 2)]
        try:
            return draw.choice(kinds)()
        except REFUSALS:
            return state

    def methods(self) -> None:
        """Any methods of an object, in any order."""
        thing = self.draw.choice((self.state, self.engine))()
        names = [name for name in dir(thing) if not name.startswith("__")]
        for _ in range(self.draw.randrange(1, 12)):
            name = self.draw.choice(names)
            found = getattr(thing, name, None)
            if name == "start":
                self.start(thing)
            elif name == "run":
                self.calls += 1
                thing.run(50, 0.01)
            elif callable(found):
                self.call(found, small=name in SLOW or name == "wait")

    def start(self, engine: Any) -> None:
        """Start an engine on a position, of its game or of another."""
        self.calls += 1
        more: dict[str, tuple[Any, ...]] = {
            "Connect4AlphaBeta": (self.draw.randrange(1, 20), 0.05),
            "Connect4Solver": (True, True, True, 0.05, 10_000),
            "OthelloSolver": (True, True, 0.05),
            "OthelloEngine": (8, 0.05, 10_000, 0, 0, True, self.draw.choice((1, 2))),
        }
        try:
            engine.start(self.state(), *more[type(engine).__name__])
        except REFUSALS:
            return

    def classes(self) -> None:
        """Call a function or class of the module with arbitrary arguments."""
        name = self.draw.choice([name for name in dir(_native) if name[0] != "_"])
        found = getattr(_native, name)
        if callable(found) and name not in LONG:
            self.call(found)

    def think(self) -> None:
        """A player that is looked at, cancelled and dropped while it thinks."""
        state = self.state()
        if state.is_over:
            return
        try:
            player = honte.player(self.draw.choice(PLAYERS), state.game)
        except ValueError:
            return  # not in this game
        request = honte.Request(state, limit=honte.Limit(seconds=0.05))
        thread = threading.Thread(target=answer, args=(player, request), daemon=True)
        thread.start()
        for _ in range(self.draw.randrange(4)):
            self.calls += 1
            with contextlib.suppress(*REFUSALS):
                player.look(self.draw.choices(range(8), k=self.draw.randrange(3)))
        if self.draw.random() < 0.3:
            request.cancel.cancel()
        if self.draw.random() < 0.5:
            player.new_game()
        del player
        if self.draw.random() < 0.7:
            thread.join()

    def run(self) -> None:
        while time.monotonic() < self.until:
            self.draw.choice((self.methods, self.methods, self.classes, self.think))()


def answer(player: honte.Player, request: honte.Request) -> None:
    try:
        player.choose(request)
    except REFUSALS:
        return


def main() -> None:
    seconds, seed = float(sys.argv[1]), int(sys.argv[2])
    until = time.monotonic() + seconds
    fuzzers = [Fuzzer(seed + number, until) for number in range(3)]
    threads = [threading.Thread(target=fuzzer.run) for fuzzer in fuzzers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(sum(fuzzer.calls for fuzzer in fuzzers))


if __name__ == "__main__":
    main()
