"""Connect Four for Saiblo and Botzone: the parts of an exported program."""

from __future__ import annotations

from honte.core.contract import Game
from honte.core.embedded import embedded_header
from honte.core.site_support import SiteEngine, SiteSupport
from honte.games.connect4.course import has_network
from honte.games.connect4.uct import FEATURES, LEARNED, NETWORK
from honte.search import policy


def best(game: Game, settings: dict[str, object]) -> SiteEngine | dict[str, object]:
    """The course engine, or UCT with the given settings."""
    if settings.keys() - {"memory_mb"} or not has_network(game):
        return settings
    return SiteEngine(
        "sites/course.hpp",
        "sites::CourseThinker({memory_mb})",
        {"learned/connect4.hpp": embedded_header("kNetwork", NETWORK.read_bytes())},
    )


SUPPORT = SiteSupport(
    header="sites/connect4.hpp",
    game=lambda game: "sites::Connect4{}",
    state="connect4::State",
    sites=("saiblo", "botzone"),
    policy=lambda name: policy.read_named(name, LEARNED, FEATURES),
    policy_class="connect4::PolicyWeights",
    network=NETWORK,
    best=best,
)
