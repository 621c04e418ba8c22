"""Go for Botzone: the parts of an exported program."""

from __future__ import annotations

from typing import Any

from honte.core.contract import Game
from honte.core.language import Message
from honte.core.site_support import SiteSupport
from honte.games.go.best import CLASSICAL, has_network
from honte.games.go.uct import FEATURES, LEARNED, NETWORK
from honte.search import policy


def rules(game: Any) -> str:
    """The rules in the exported program."""
    if game.start().to_move:
        raise ValueError(Message("a handicap game cannot be exported; leave the handicap out"))
    suicide = "true" if game.suicide else "false"
    return f"sites::Go{{{game.size}, {game.komi}, go::Ko::k{game.ko.capitalize()}, {suicide}}}"


def best(game: Game, settings: dict[str, object]) -> dict[str, object]:
    """UCT, with the network on the boards that it plays."""
    others = {key: value for key, value in settings.items() if key != "book"}
    if has_network(game) and not others.keys() & CLASSICAL:
        others = {"net": "learned", **others}
    return others


SUPPORT = SiteSupport(
    header="sites/go.hpp",
    game=rules,
    state="go::State",
    policy=lambda name: policy.read_named(name, LEARNED, FEATURES),
    policy_class="go::PolicyWeights",
    network=NETWORK,
    best=best,
)
