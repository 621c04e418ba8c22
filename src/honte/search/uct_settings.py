"""The settings of UCT: what a spec may name, what a game adds, and the defaults for a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from honte import _native
from honte.core.contract import Game
from honte.core.descriptor import load
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.notice import notice
from honte.core.spec import (
    Option,
    Options,
    choice,
    experimental,
    number,
    removed,
    renamed,
    whole,
    yes_no,
)

if TYPE_CHECKING:
    pass


@dataclass(frozen=True)
class UctSupport:
    """Game-specific support for native UCT, named by the descriptor's `uct`."""

    search: type
    """The native search class."""
    searches: type
    """The native class of searches with an evaluator, many games in lockstep."""
    playouts: Mapping[str, int]
    """Its playout policies by name, joined with ``+`` in a spec."""
    read_playout: Callable[[Mapping[str, int], list[str]], int]
    """Encodes a list of playout policies for the native search."""
    defaults: Mapping[str, object]
    """Defaults that differ from OPTIONS."""
    with_policy: Mapping[str, object] | None = None
    """Further defaults when a policy provides priors; None if the game has no policy."""
    policy: Callable[[str], _native.Policy] | None = None
    """Loads policy weights: ``learned``, or a file's path."""
    policy_excludes: tuple[str, ...] = ()
    """Settings incompatible with a policy."""
    with_network: Mapping[str, object] | None = None
    """Further defaults when a network evaluates; None if no network plays the game."""
    network: Callable[[str], _native.Network] | None = None
    """Loads a network: ``learned``, or a file's path."""
    renamed_playouts: Mapping[str, str] = field(default_factory=dict)
    """Former names of playout policies, still accepted with a notice, and their current ones."""
    experimental_playouts: tuple[str, ...] = ()
    """Playout policies left out of the first screen of help."""


def support_of(game: Game) -> UctSupport:
    """The game's `UctSupport`; raises ValueError if it has none."""
    if game.descriptor.uct is None:
        raise ValueError(
            Message(
                "uct does not know {name}; for a game of your own use `textbook`", name=game.name
            )
        )
    found: UctSupport = load(game.descriptor.uct)
    return found


def flags(known: Mapping[str, int], names: list[str]) -> int:
    """Encode policies of fixed order, one bit each."""
    return sum(known[name] for name in names)


def in_order(known: Mapping[str, int], names: list[str]) -> int:
    """Encode policies in the given order, four bits each."""
    numbers = [known[name] for name in names if known[name]]
    return sum(number << 4 * place for place, number in enumerate(numbers))


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
        "selection rule; flat is Monte Carlo without a tree",
    ),
    number("c", 0.8, 0, 10, "exploration constant"),
    whole("ucb_factor", 2, 1, 2, "factor of ln N under the square root of UCB1"),
    Option(
        "fpu",
        None,
        "`first` or a value from 0 to 2",
        _fpu,
        "first-play urgency: the value of an unvisited move; first: visit every move once",
    ),
    Option("rave", None, "`no` or a number from 1", _rave, "RAVE equivalence parameter k"),
    choice(
        "rave_form", "schedule", ("schedule", "bias"), "how the weight of AMAF decays with visits"
    ),
    number("rave_bias", 0.1, 0.001, 10, "AMAF bias b, for rave_form=bias"),
    Option(
        "playout", "uniform", "a list of policies joined with +", str, "playout policies, in order"
    ),
    number("priors", 0.0, 0, 10, "weight of the move priors, in virtual visits"),
    Option(
        "policy",
        "no",
        "`no`, `learned` or a file",
        str,
        "policy weights that give PUCT its priors",
    ),
    Option(
        "net",
        "no",
        "`no`, `learned` or a file",
        str,
        "network that gives PUCT its priors and new positions their values",
    ),
    choice(
        "value",
        "net",
        ("net", "playout", "mix"),
        "what evaluates a new position beside a network's priors; mix: the mean of both",
    ),
    number("temperature", 1.0, 0.1, 10, "flattens a network's priors if above 1"),
    Option(
        "evaluator",
        "no",
        "`no`, module:function or file.py:function",
        str,
        "Python function that gives batches of positions their priors and values",
    ),
    whole("batch", 8, 1, 4096, "positions that wait for the evaluator at once, by virtual loss"),
    choice(
        "root",
        "puct",
        ("puct", "gumbel"),
        "rule at the root with an evaluator; gumbel: sequential halving",
    ),
    whole("considered", 16, 1, 400, "moves that a Gumbel root considers at first"),
    number("gumbel_scale", 1.0, 0, 10, "scale of a Gumbel root's noise; 0: none"),
    number("noise", 0.0, 0, 1, "share of Dirichlet noise in the root's priors (evaluator)"),
    number("alpha", 0.3, 0.001, 100, "concentration of the Dirichlet noise"),
    number(
        "move_temperature",
        0.0,
        0,
        10,
        "draw the move by visits to the power of 1/this (evaluator); 0: the most visited",
    ),
    number(
        "score_utility",
        0.0,
        0,
        1,
        "weight of the expected lead beside the outcome (with a network that scores)",
    ),
    renamed(
        number(
            "rave_prior",
            0.0,
            0,
            10_000,
            "initial AMAF wins of a move, scaled by √P (with a policy)",
        ),
        "foreseen",
    ),
    renamed(
        number(
            "fpu_reduction",
            0.0,
            0,
            2,
            "how far below its parent's value an unvisited move starts (with a policy)",
        ),
        "caution",
    ),
    experimental(
        renamed(
            number(
                "progressive_widening",
                0.0,
                0,
                400,
                "moves considered at a new node; more with its visits; 0: all at once",
            ),
            "widen",
        )
    ),
    experimental(whole("prune", 0, 0, 10**9, "visits after which a bad move is pruned; 0: never")),
    experimental(number("prune_value", -0.9, -1, 1, "a value below which a move counts as bad")),
    yes_no("forced", True, "play wins and block threats at once in new nodes"),
    renamed(
        whole("threat_depth", 0, 0, 40, "search this many forcing moves for a win"),
        "attack",
    ),
    yes_no("solver", True, "MCTS-Solver: back up proven wins, losses and draws"),
    choice(
        "final",
        "visits",
        ("visits", "value", "ucb", "lcb"),
        "how the move is chosen at the end",
        experimental_choices=("ucb",),
    ),
    removed("length"),
    yes_no("transpositions", False, "merge the children of equal positions"),
    yes_no("reuse", True, "keep the subtree of the moves played"),
    whole("threads", 1, 1, 64, "threads that search one tree"),
    whole("seed", 0, 0, 2**63 - 1, "makes a search with one thread repeatable"),
    whole("memory_mb", 512, 1, 32_000, "memory limit of the tree"),
)


NETWORK_EXCLUDES = ("policy", "rave", "priors", "fpu", "progressive_widening", "prune")
EVALUATOR_EXCLUDES = (*NETWORK_EXCLUDES, "net", "value", "temperature", "score_utility")
EVALUATOR_DEFAULTS = {
    "selection": "puct",
    "c": "1.5",
    "fpu_reduction": "0.2",
    "policy": "no",
    "rave": "no",
    "priors": "0",
    "threat_depth": "0",
}
EVALUATOR_ALONE = (
    "batch",
    "root",
    "considered",
    "gumbel_scale",
    "noise",
    "alpha",
    "move_temperature",
)
"""Settings that need an evaluator."""
PLAYOUT_SHARES = {"net": 0.0, "playout": 1.0, "mix": 0.5}


OPTION_DEFAULTS = {option.name: option.default for option in OPTIONS}


def defaults(game: Game, settings: Mapping[str, object]) -> dict[str, object]:
    """The game's defaults for everything these settings leave open.

    A selection rule other than PUCT, or no move priors, disables the policy; a network replaces it.
    """
    support = support_of(game)
    settings = OPTIONS.current("uct", settings)
    found = dict(support.defaults)
    if settings.get("evaluator", "no") != "no":
        return {**found, **EVALUATOR_DEFAULTS}
    if settings.get("net", "no") != "no":
        return {**found, "policy": "no", **(support.with_network or {})}
    asked = OPTIONS.read("uct", {**found, **settings})
    if not asked["priors"] or settings.get("selection", "puct") != "puct":
        found.pop("policy", None)
    if {**found, **settings}.get("policy", "no") != "no":
        found.update(support.with_policy or {})
    return found


def playout_names(game: Game, text: str) -> list[str]:
    """The playout policies of a list joined with ``+``, each under its current name."""
    support = support_of(game)
    found: dict[str, None] = {}
    for given in text.split("+"):
        name = support.renamed_playouts.get(given, given)
        if name not in support.playouts:
            known = ", ".join(support.playouts)
            raise ValueError(
                Message(
                    "uct: {name} has no playout {given}; it has: {known}",
                    name=game.name,
                    given=quote(given),
                    known=known,
                )
            )
        if name != given:
            notice(
                Message(
                    "uct: the playout policy `{given}` is now called `{name}`",
                    given=given,
                    name=name,
                ),
                f"playout {given}",
            )
        found[name] = None
    return list(found)


def read_playout(game: Game, text: str) -> int:
    """Encode a list of playout policies.

    >>> import honte
    >>> read_playout(honte.game("connect4"), "win+centre")
    9
    """
    support = support_of(game)
    return support.read_playout(support.playouts, playout_names(game, text))


def default_playout(game: Game) -> int:
    """The encoded default playout policies of a game."""
    return read_playout(game, str(support_of(game).defaults["playout"]))
