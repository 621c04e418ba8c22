"""Detect the protocol of a program: try one after the other until it answers properly.

Every attempt uses a fresh process in the sandbox. Keywords in its files decide which protocol comes
first and, if none is answered properly, which one to assume: the check then says what is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from honte.core.contract import Game
from honte.core.fault import Fault
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.players import player as make_player
from honte.core.request import Limit, Request
from honte.games import MEASURED
from honte.sandbox.programs import PROTOCOLS

SECONDS = 3.0
"""Seconds for an answer, as long as the slowest judge allows."""
HINTS = {
    "gtp": (b"genmove",),
    "saiblo": (b"htonl", b">I", b"'big'", b'"big"', b">> 24", b">>24", b"noX"),
    "saiblo_json": (b"nox", b"lastx"),
    "botzone": (b"requests", b"BOTZONE_REQUEST"),
    "botzone_simple": (b"BOTZONE_REQUEST",),
    "nboard": (b"nboard", b"=== "),
}
"""The protocols of programs, in the order in which they are tried, and keywords in sources."""
PROPER = ("move", "illegal", "resign")
"""The outcomes of a request that was understood."""


class Spoken(NamedTuple):
    """The protocol that a program speaks, and the game it plays."""

    protocol: str
    game: str
    """\"\" for the game that bots are measured on."""


def spoken(name: str, command: str, text: bytes, game: str | None = None) -> Spoken:
    """Try a program, whose files together are `text`; ValueError if it speaks no protocol."""
    hinted = [one for one, words in HINTS.items() if any(word in text for word in words)]
    second: Spoken | None = None
    for protocol in sorted(HINTS, key=lambda one: one not in hinted):
        for spec in games_of(protocol, game):
            found = Spoken(protocol, "" if spec == (game or MEASURED) else spec)
            how = answer(f"{protocol}:{command}", make_game(spec))
            if how == "move":
                return found
            if how not in (*PROPER, "refused"):
                break  # it does not speak this protocol
            if how != "refused" and (protocol in hinted or not hinted):
                second = second or found
    if second is not None:
        return second
    for protocol in hinted:
        if any(games_of(protocol, game)):
            return usual(protocol, game)
    raise ValueError(
        Message(
            "{name} answers in none of the protocols that programs speak here ({protocols}): reply "
            "to genmove with `= D4` and an empty line (GTP), with four bytes of length and `5 3` "
            "(Saiblo), with a line like {botzone} (Botzone), or to go with `=== F5` (NBoard), and "
            "flush after every reply",
            name=quote(name),
            protocols=", ".join(HINTS),
            botzone='{"response": {"x": 5, "y": 3}}',
        )
    )


def usual(protocol: str, game: str | None) -> Spoken:
    """A protocol with its usual game, without trying it."""
    spec = next(games_of(protocol, game), "")
    return Spoken(protocol, "" if spec == (game or MEASURED) else spec)


def games_of(protocol: str, game: str | None) -> Iterator[str]:
    """The games to try: the given one alone, or the measured one and the protocol's own."""
    known = PROTOCOLS[protocol]
    wanted = (game,) if game else (MEASURED, known.default_game, *known.games)
    seen: set[str] = set()
    for spec in filter(None, wanted):
        name = spec.partition(":")[0]
        plays = name in known.games or not known.games  # a function plays any game
        if plays and name not in seen:
            seen.add(name)
            yield spec


def answer(spec: str, game: Game) -> str:
    """The outcome of a first request to a program: ``move``, or the name of the fault."""
    player = make_player(spec, game, start_seconds=2 * SECONDS)
    try:
        player.choose(Request(game.start(), history=(), limit=Limit(seconds=SECONDS)))
    except Fault as fault:
        if "refuses" in fault.detail:
            return "refused"
        if "twice" in fault.detail or "out of turn" in fault.detail:
            return "protocol"
        return fault.reason
    finally:
        player.close()
    return "move"
