"""UCT, the native search, as Python sees it.

>>> import honte
>>> from honte.search.uct import Uct
>>> game = honte.game("connect4")
>>> uct = Uct(game, playout="win+block", seed=1)
>>> report = uct.search(game.start(), honte.Limit(iterations=1000))
>>> report.iterations, sum(candidate.visits for candidate in report.candidates)
(1000, 1000)
"""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from honte import _native
from honte.games.contract import Game, State, quote
from honte.games.spec import Option, Options, choice, number, whole, yes_no
from honte.search import strengths
from honte.search.limit import Limit
from honte.search.report import Candidate, Report

SLICE = 0.05
"""Seconds after which a running search lets Ctrl-C and progress have their turn."""

PLAYOUTS = {
    "connect4": {
        "uniform": 0,
        "win": 1,
        "block": 2,
        "seek_won": 4,
        "centre": 8,
        "safe": 16,
        "keep": 32,
        "near": 64,
    },
    "othello": {"uniform": 0, "corner": 1},
    "go": {
        "uniform": 0,
        "save": 1,
        "nakade": 2,
        "pattern": 3,
        "capture": 4,
        "fill": 5,
        "safe": 6,
    },
}
"""The playout policies of each game, joined with ``+``. Go asks them in the order given, the
other games in this one."""

_SEARCHES: dict[str, Any] = {
    "connect4": _native.Connect4Uct,
    "othello": _native.OthelloUct,
    "go": _native.GoUct,
}


def _fpu(text: str) -> float | None:
    if text == "first":
        return None
    value = float(text)
    if not 0 <= value <= 2:
        raise ValueError
    return value


def _rave(text: str) -> float | None:
    if text == "no":
        return None
    value = float(text)
    if not 1 <= value <= 1e9:
        raise ValueError
    return value


OPTIONS = Options(
    choice(
        "selection",
        "ucb1",
        ("flat", "ucb1", "ucb1_tuned", "ucb_tuned2", "puct"),
        "the formula that chooses a child; flat is Monte Carlo with no tree",
    ),
    number("c", 0.8, 0, 10, "how much it explores"),
    whole("ucb_factor", 2, 1, 2, "the number before ln N under the root of UCB1"),
    Option("fpu", None, "`first` or a value from 0 to 2", _fpu, "urgency of a move never tried"),
    Option(
        "rave", None, "`no` or a number from 1", _rave, "k: simulations at which AMAF weighs half"
    ),
    choice("rave_form", "schedule", ("schedule", "bias"), "how the share of AMAF falls"),
    number("rave_bias", 0.1, 0.001, 10, "the b of the bias form"),
    Option(
        "playout", "uniform", "a list of policies joined with +", str, "how games are played out"
    ),
    number("priors", 0.0, 0, 10, "how much the game's opinion of new moves weighs (Go)"),
    Option(
        "policy", "no", "`no`, `learned` or a file", str, "who foresees moves (Connect Four, Go)"
    ),
    number("foreseen", 0.0, 0, 10_000, "… wins that AMAF starts with for a certain move (Go)"),
    number("caution", 0.0, 0, 2, "… how much worse a move never tried is thought to be"),
    number("widen", 0.0, 0, 400, "moves looked at in a new node, more as it is visited; 0: all"),
    whole("prune", 0, 0, 10**9, "visits after which a bad move is given up; 0: never"),
    number("prune_value", -0.9, -1, 1, "a move of a lower value is bad enough for that"),
    yes_no("forced", True, "take wins, block threats, give up double threats in new nodes"),
    whole("attack", 0, 0, 40, "… and know a win by so many moves of which each threatens"),
    yes_no("solver", True, "back up proven results"),
    choice("final", "visits", ("visits", "value", "ucb", "lcb"), "which move is played in the end"),
    number("length", 0.0, 0, 0.5, "how much a long game takes off its result"),
    yes_no("transpositions", False, "share the children of equal positions"),
    yes_no("reuse", True, "go on with the tree of the move before"),
    whole("threads", 1, 1, 64, "how many search the one tree"),
    whole("seed", 0, 0, 2**63 - 1, "makes a search of one thread repeatable"),
    whole("memory_mb", 512, 1, 32_000, "the most that the tree may take"),
)

DEFAULTS: dict[str, dict[str, object]] = {
    "connect4": {"playout": "win+block+safe+keep+near", "attack": "8"},
    "othello": {"playout": "corner"},
    "go": {
        "c": "0",
        "rave": "1000",
        "rave_form": "bias",
        "rave_bias": "0.0085",
        "playout": "save+nakade+pattern+capture+safe",
        "priors": "1",
        "policy": "learned",
    },
}
"""What differs from OPTIONS for a game, as measured in docs/uct.md and docs/go.md."""

WITH_POLICY: dict[str, dict[str, object]] = {
    "connect4": {"selection": "puct", "c": "2.5", "caution": "0.5"},
    "go": {"selection": "puct", "c": "0.05", "foreseen": "10"},
}
"""What differs besides where a policy foresees moves."""


def defaults(game: Game, settings: Mapping[str, object]) -> dict[str, object]:
    """What a game's search does where these settings say nothing.

    Who asks for another formula, or for no opinion of new moves, wants no policy either.
    """
    found = dict(DEFAULTS[game.name])
    asked = OPTIONS.read("uct", {**found, **settings})
    if not asked["priors"] or settings.get("selection", "puct") != "puct":
        found.pop("policy", None)
    if {**found, **settings}.get("policy", "no") != "no":
        found.update(WITH_POLICY.get(game.name, {}))
    return found


def read_playout(game: Game, text: str) -> int:
    """The bits of a list of policies.

    >>> import honte
    >>> read_playout(honte.game("connect4"), "win+centre")
    9
    >>> hex(read_playout(honte.game("go"), "save+pattern+capture"))
    '0x431'
    """
    known = PLAYOUTS[game.name]
    for name in text.split("+"):
        if name not in known:
            raise ValueError(
                f"uct: {game.name} has no playout {quote(name)}; it has: {', '.join(known)}"
            )
    names = list(dict.fromkeys(text.split("+")))
    if game.name != "go":
        return sum(known[name] for name in names)
    numbers = [known[name] for name in names if known[name]]
    return sum(number << 4 * place for place, number in enumerate(numbers))


class Uct:
    """A search of one game that keeps its tree from one decision to the next."""

    def __init__(self, game: Game, /, **settings: object) -> None:
        if game.name not in _SEARCHES:
            raise ValueError(
                f"uct does not know {game.name}; for a game of your own use `textbook`"
            )
        self.game = game
        self.settings = OPTIONS.read("uct", {**defaults(game, settings), **settings})
        if self.settings["policy"] != "no":
            self._check_policy()
        self._native_settings = self._as_native()
        self._search: Any = None
        self._lock = threading.RLock()  # its own progress may look at the tree

    def _check_policy(self) -> None:
        if self.game.name not in WITH_POLICY:
            raise ValueError(f"uct: {self.game.name} has no policy")
        if self.settings["selection"] != "puct":
            raise ValueError("uct: a policy needs selection=puct")
        alone = ("fpu", "rave", "transpositions", "widen", "prune")
        for name in alone if self.game.name == "connect4" else ():
            if self.settings[name]:
                raise ValueError(f"uct: a policy does without {name}")

    def _as_native(self) -> dict[str, object]:
        native = dict(self.settings)
        native["playout"] = read_playout(self.game, native["playout"])
        native["policy"] = self._policy()
        native["fpu"] = -1.0 if native["fpu"] is None else native["fpu"]
        native["rave_k"] = native["rave"] or 1.0
        if native.pop("rave") is None:
            native["rave_form"] = "no"
        return native

    def _policy(self) -> int:
        """The number of the table that foresees moves; 0 for none."""
        name = self.settings["policy"]
        if name == "no":
            return 0
        try:
            return strengths.number(self.game.name, name)
        except ValueError as error:
            raise ValueError(f"uct: policy: {error}") from None

    def forget(self) -> None:
        """Drop the tree."""
        self._search = None

    def stop(self) -> None:
        """End the search that is running, from another thread."""
        if self._search is not None:
            self._search.stop()

    def look(self, moves: list[int]) -> Report | None:
        """What the tree says some moves below the position searched last; None beyond its edge.

        >>> import honte
        >>> game = honte.game("connect4")
        >>> uct = Uct(game, seed=1)
        >>> best = uct.search(game.start(), honte.Limit(iterations=1000)).move
        >>> below = uct.look([best])
        >>> below is not None and len(below.candidates)
        7
        """
        with self._lock:
            found = self._search.look(moves) if self._search is not None else None
            return found and self._report(found, time.perf_counter(), "", True)

    def search(
        self,
        state: State,
        limit: Limit,
        on_progress: Callable[[Report], None] | None = None,
        every: float = 0.2,
    ) -> Report:
        """Think within a limit; `on_progress` gets partial reports about `every` so many seconds.

        Ctrl-C ends the search; what it has found so far is the `report` of the exception.
        """
        started = time.perf_counter()
        if limit.seconds is None and limit.iterations is None and limit.nodes is None:
            raise ValueError("uct needs a limit of seconds, iterations or nodes")
        with self._lock:
            kept = self._take_position(state)
            search = self._search
            deadline = math.inf if limit.seconds is None else started + limit.seconds
            left = limit.iterations or 2**62
            told = started
            done = 0
            why = "time"
            try:
                while True:
                    now = time.perf_counter()
                    why = search.run(
                        left - done, min(SLICE, deadline - now) if deadline > now else 0
                    )
                    now = time.perf_counter()
                    if why != "time" or now >= deadline:
                        break
                    report = None
                    if limit.iterations is not None or limit.nodes is not None or on_progress:
                        if on_progress is None or now - told >= every or limit.nodes is not None:
                            report = search.report()
                        done = search.iterations()
                    if limit.nodes is not None and report and report["nodes"] >= limit.nodes:
                        why = "nodes"
                        break
                    if on_progress and report and now - told >= every:
                        told = now
                        on_progress(self._report(report, started, "running", kept))
            except KeyboardInterrupt as interrupt:
                interrupt.report = self._report(search.report(), started, "interrupted", kept)  # type: ignore[attr-defined]
                raise
            return self._report(search.report(), started, why, kept)

    def _take_position(self, state: State) -> bool:
        if state.is_over:
            raise ValueError("the game is over in this position; there is no move to choose")
        if self._search is None or not self.settings["reuse"]:
            self._search = _SEARCHES[self.game.name](state, self._native_settings)
            return False
        return bool(self._search.set_position(state))

    def _report(self, found: dict[str, Any], started: float, why: str, kept: bool) -> Report:
        candidates = [Candidate(*child) for child in found["children"]]
        chosen = candidates[found["chosen"]]
        proven = found["proven"]
        value = {"win": 1.0, "loss": -1.0, "draw": 0.0}.get(proven, chosen.value)
        candidates.sort(key=lambda c: (c is not chosen, -c.visits, c.move))
        return Report(
            move=chosen.move,
            value=value,
            proven=proven,
            distance=found["distance"],
            pv=found["pv"],
            candidates=candidates,
            iterations=found["iterations"],
            nodes=found["nodes"],
            seconds=time.perf_counter() - started,
            depth=found["depth"],
            memory=found["memory"],
            full=found["full"],
            kept=kept,
            stopped=why,
        )
