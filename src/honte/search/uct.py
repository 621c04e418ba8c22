"""The Python side of the native UCT search.

>>> import honte
>>> from honte.search.uct import Uct
>>> game = honte.game("connect4")
>>> uct = Uct(game, playout="win+block", seed=1)
>>> report = uct.search(game.start(), honte.Limit(iterations=1000))
>>> report.iterations, sum(candidate.visits for candidate in report.candidates)
(1000, 1000)
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from honte.core.contract import Game, State
from honte.core.language import Message
from honte.core.player import check_game
from honte.core.report import EXACT, Candidate, Report
from honte.core.request import Request
from honte.search.base import Search, limit_of
from honte.search.loop import loop_of
from honte.search.uct_settings import (
    EVALUATOR_ALONE,
    EVALUATOR_EXCLUDES,
    NETWORK_EXCLUDES,
    OPTION_DEFAULTS,
    OPTIONS,
    PLAYOUT_SHARES,
    defaults,
    playout_names,
    read_playout,
    support_of,
)

if TYPE_CHECKING:
    from honte.search.evaluator import Evaluator


class Uct(Search):
    """UCT for one game; keeps its tree between moves.

    An `evaluator` (honte.search.evaluator) is a function of yours that supplies priors and values:

    >>> import honte
    >>> game = honte.game("othello")
    >>> uct = Uct(game, evaluator=lambda batch: (batch.legal, [0.0] * len(batch)), batch=4)
    >>> uct.search(game.start(), honte.Limit(iterations=20)).source
    'evaluator'
    """

    has_tree = True
    evaluator: Evaluator | None = None

    def __init__(self, game: Game, /, **settings: object) -> None:
        self._support = support_of(game)
        self.game = game
        settings = self._with_evaluator(OPTIONS.current("uct", settings))
        self.settings = OPTIONS.read("uct", {**defaults(game, settings), **settings})
        self._check_evaluator()
        self.settings["playout"] = "+".join(playout_names(game, self.settings["playout"]))
        if self.settings["net"] != "no":
            self._check_network()
        if self.settings["policy"] != "no":
            self._check_policy()
        self._native_settings = self._as_native()
        evaluates = self.settings["net"] != "no" and self.settings["value"] != "playout"
        self._source = "evaluator" if self.evaluator else "network" if evaluates else "uct"
        self._search: Any = None
        self._lock = threading.RLock()  # progress callbacks may call look()

    def _with_evaluator(self, settings: dict[str, object]) -> dict[str, object]:
        """Take the evaluator out of the settings; return them with its name instead."""
        given = settings.get("evaluator", "no")
        if given is None or given == "no":
            return {**settings, "evaluator": "no"}
        from honte.search.evaluator import load_evaluator, name_of

        if callable(given):
            self.evaluator = given
            return {**settings, "evaluator": name_of(given)}
        if not isinstance(given, str):
            raise ValueError(
                Message("uct: an evaluator is a function, not {kind}", kind=type(given).__name__)
            )
        try:
            self.evaluator, self.files = load_evaluator(given)
        except ValueError as error:
            raise ValueError(Message("uct: evaluator: {error}", error=error)) from None
        return settings

    def _check_evaluator(self) -> None:
        if self.evaluator is None:
            for name in EVALUATOR_ALONE:
                if self.settings[name] != OPTION_DEFAULTS[name]:
                    raise ValueError(Message("uct: {name} needs an evaluator", name=name))
            return
        if self.settings["selection"] != "puct":
            raise ValueError(Message("uct: an evaluator needs selection=puct"))
        if self.settings["threads"] > 1:
            raise ValueError(Message("uct: one thread calls an evaluator; leave threads out"))
        for name in EVALUATOR_EXCLUDES:
            if self.settings[name] not in (None, 0, "no", OPTION_DEFAULTS[name]):
                raise ValueError(Message("uct: {name} does not go with an evaluator", name=name))

    def searches(self, state: State, games: int) -> Any:
        """Native searches of `games` games from a position, for the evaluator."""
        return self._support.searches(state, games, self._native_settings)

    def _check_policy(self) -> None:
        if self._support.with_policy is None:
            raise ValueError(Message("uct: {name} has no policy", name=self.game.name))
        if self.settings["selection"] != "puct":
            raise ValueError(Message("uct: a policy needs selection=puct"))
        for name in self._support.policy_excludes:
            if self.settings[name]:
                raise ValueError(Message("uct: {name} does not go with a policy", name=name))

    def _check_network(self) -> None:
        if self._support.with_network is None:
            raise ValueError(Message("uct: no network plays {name}", name=self.game.name))
        if self.settings["selection"] != "puct":
            raise ValueError(Message("uct: a network needs selection=puct"))
        for name in NETWORK_EXCLUDES:
            if self.settings[name] not in (None, 0, "no"):
                raise ValueError(Message("uct: {name} does not go with a network", name=name))

    def _as_native(self) -> dict[str, object]:
        native = dict(self.settings)
        native["playout"] = read_playout(self.game, native["playout"])
        native["policy"] = self._loaded("policy", self._support.policy)
        native["network"] = self._loaded("net", self._support.network)
        native["playout_share"] = PLAYOUT_SHARES[native["value"]]
        native["gumbel"] = native["root"] == "gumbel"
        native["fpu"] = -1.0 if native["fpu"] is None else native["fpu"]
        native["rave_k"] = native["rave"] or 1.0
        if native.pop("rave") is None:
            native["rave_form"] = "no"
        return native

    @property
    def native_settings(self) -> dict[str, object]:
        """The settings as the native search takes them."""
        return dict(self._native_settings)

    def _loaded(self, setting: str, load_file: Callable[[str], Any] | None) -> Any:
        """The object that a setting names, or None."""
        name = self.settings[setting]
        if name == "no" or load_file is None:
            return None
        try:
            return load_file(name)
        except ValueError as error:
            raise ValueError(
                Message("uct: {setting}: {error}", setting=setting, error=error)
            ) from None

    def forget(self) -> None:
        """Clear the tree."""
        self._search = None

    def look(self, moves: list[int]) -> Report | None:
        """The tree's statistics after these moves from the last searched position, or None.

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
            return found and self._report(found, 0.0, "", True, 1)

    def run(self, request: Request) -> Report:
        """Search within a limit of seconds, iterations or nodes; keep the tree.

        Nodes are those that this search adds. Without a limit of iterations it makes at most as
        many iterations as nodes, for a tree that is full or complete does not grow.
        """
        limit = limit_of(request)
        if limit.seconds is None and limit.iterations is None and limit.nodes is None:
            raise ValueError(Message("uct needs a limit of seconds, iterations or nodes"))
        if self.settings["root"] == "gumbel" and limit.iterations is None:
            raise ValueError(Message("uct: root=gumbel needs a limit of iterations"))
        with self._lock:
            loop = loop_of(request)
            kept = self._take_position(request.state)
            search = self._search
            owned = tuple(search.ownership()) if request.all_moves or request.ownership else ()
            most = limit.iterations or limit.nodes or 2**62
            nodes_before = search.report()["nodes"] if kept and limit.nodes else 0
            rows, cols = self.game.shape() or (1, 1)
            widest = rows * cols + 1  # nodes that one iteration adds at most, a pass included

            def nodes_left() -> int:
                assert limit.nodes is not None
                return int(nodes_before + limit.nodes - search.report()["nodes"])

            def next_goal(done: int) -> int:
                """Iterations that stay within the limit of nodes, whatever the clock says."""
                if limit.nodes is None or self.settings["root"] == "gumbel":  # one plan
                    return most
                return min(most, done + max(1, nodes_left() // widest))

            goal = next_goal(0)

            def work(seconds: float) -> str | None:
                nonlocal goal
                why: str = search.run(goal - search.iterations(), seconds)
                if limit.nodes is None or why == "proven":
                    return None if why in ("time", "stopped") else why
                if search.iterations() < goal:
                    return why if why == "iterations" else None
                if nodes_left() <= 0 or (goal == most and limit.iterations is None):
                    return "nodes"
                if goal == most:
                    return "iterations"
                goal = next_goal(goal)
                return None

            return loop.run(
                work,
                lambda why: self._report(
                    search.report(), loop.seconds, why, kept, request.lines, owned
                ),
                wake=search.stop,
            )

    def _take_position(self, state: State) -> bool:
        check_game(self.game, state)  # buffers of a search fit one board
        if self._search is None or not self.settings["reuse"]:
            self._search = self._begin(state)
            return False
        return bool(self._search.set_position(state))

    def _begin(self, state: State) -> Any:
        if self.evaluator is None:
            return self._support.search(state, self._native_settings)
        from honte.search.evaluator import EvaluatedSearch

        return EvaluatedSearch(self.searches(state, 1), self.evaluator)

    def _report(
        self,
        found: dict[str, Any],
        seconds: float,
        why: str,
        kept: bool,
        lines: int,
        owned: tuple[float, ...] = (),
    ) -> Report:
        candidates = [with_proof(clamped(Candidate(*child))) for child in found["children"]]
        if self.settings["selection"] != "puct":
            candidates = [candidate._replace(prior=None) for candidate in candidates]
        chosen = candidates[found["chosen"]]
        proven = found["proven"]
        value = EXACT.get(proven, chosen.value)
        candidates.sort(key=lambda c: (c.move != chosen.move, -c.visits, c.move))
        pv: list[int] = found["pv"]
        candidates = [
            candidate._replace(line=self._line(candidate.move, pv)) if place < lines else candidate
            for place, candidate in enumerate(candidates)
        ]
        return Report(
            move=chosen.move,
            value=value,
            proven=proven,
            distance=found["distance"],
            pv=pv,
            candidates=candidates,
            iterations=found["iterations"],
            nodes=found["nodes"],
            seconds=seconds,
            depth=found["depth"],
            memory=found["memory"],
            full=found["full"],
            kept=kept,
            stopped=why,
            source=self._source,
            ownership=owned or None,
        )

    def _line(self, move: int, pv: list[int]) -> tuple[int, ...]:
        """The principal variation of a root move."""
        if pv[:1] == [move]:
            return tuple(pv)
        below = self._search.look([move])
        return (move, *below["pv"]) if below is not None and below["iterations"] else (move,)


def clamped(candidate: Candidate) -> Candidate:
    """A candidate with its value from −1 to 1: an unvisited one's is the first-play urgency."""
    value = min(1.0, max(-1.0, candidate.value))
    return candidate if value == candidate.value else candidate._replace(value=value)


def with_proof(candidate: Candidate) -> Candidate:
    """A candidate whose result is proven has an exact value; plies count from the root.

    Its score is exact only if the move ends the game: otherwise it is a mean of estimates.
    """
    if candidate.proven is None:
        return candidate
    score = None if candidate.distance else candidate.score
    value, distance = EXACT[candidate.proven], candidate.distance + 1
    return candidate._replace(
        kind="exact", value=value, low=value, high=value, distance=distance, score=score
    )
