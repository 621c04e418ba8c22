"""Who plays whom, from where: the games of a match, a round robin, a gauntlet, a Swiss system.

Games come in pairs: the same board and opening twice, with the sides changed, so that neither
the opening nor the first move favours anybody. A schedule follows from its seed alone: the same
command gives the same games with the same ids, which is how a stopped run goes on.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations

from honte.games.contract import Game
from honte.games.registry import game as make_game
from honte.games.spec import split
from honte.search.limit import Limit

MAX_PLIES = 2000


@dataclass(frozen=True)
class Clock:
    """What time a game allows, beside the limit of each move, and how long it may go on."""

    margin: float = 0.5
    """Seconds past the limit that are forgiven: a busy machine is not the player's fault."""
    game: float | None = None
    """Seconds for all moves of a player in one game."""
    increment: float = 0.0
    """Seconds that each move gives back to a game's clock."""
    max_plies: int = MAX_PLIES
    """A longer game is a draw."""
    pause: bool = False
    """Whether a bot is stopped while the other side thinks."""


@dataclass(frozen=True)
class Task:
    """One game to play: everything that decides it. Tasks 2k and 2k + 1 are a pair."""

    number: int
    game: str
    players: tuple[str, str]
    """The specs, the first mover first."""
    a_first: bool
    seed: int
    opening: tuple[int, ...]
    limit: Limit | None
    clock: Clock = Clock()
    versions: tuple[str, str] = ("", "")
    """Of the players, in their order: another version of a bot plays other games."""

    @cached_property
    def id(self) -> str:
        """What names the game in a store: all of the above, but for its place in the schedule."""
        limit, clock = _limits(self.limit, self.clock)
        parts = [self.game, self.players, self.versions, self.seed, self.opening, limit, clock]
        return hashlib.sha256(json.dumps(parts).encode("utf-8", "replace")).hexdigest()[:16]


@lru_cache(256)
def _limits(limit: Limit | None, clock: Clock) -> tuple[dict[str, object], dict[str, object]]:
    """What a task allows, as its id has it."""
    of_game = asdict(clock)
    if not clock.pause:  # so that games of stores from before it was known are found
        del of_game["pause"]
    return asdict(limit) if limit else {}, of_game


@dataclass(frozen=True)
class Plan:
    """What all games of a schedule have in common."""

    game: str
    limit: Limit | None = None
    seed: int = 0
    opening_plies: int | None = None
    clock: Clock = Clock()
    versions: Mapping[str, str] | None = None
    version: str = ""
    """Of players that are not named there."""
    openings: tuple[tuple[int, ...], ...] = ()
    """Listed openings, used in turn; otherwise they are drawn."""

    @cached_property
    def _rules(self) -> Game:
        return make_game(self.game)

    def pair(self, a: str, b: str, number: int, round: int) -> tuple[Task, Task]:
        """The two games of A and B on the board and opening of a round.

        A course board is drawn anew for every round. Otherwise, where the board is always the
        same, every round starts from other random moves.
        """
        draw = random.Random(f"{self.seed}/{round}")
        drawn = is_course(self.game)
        rules = self._rules
        if drawn:
            rules = make_game(self.game, seed=round + self.seed * 1_000_003)
        plies = self.opening_plies
        plies = usual_opening(rules, drawn) if plies is None else plies
        seed = draw.getrandbits(40)
        opening = random_opening(rules, plies, draw)
        if self.openings:
            opening = self.openings[round % len(self.openings)]
        versions = self.versions or {}
        first = Task(
            number=number,
            game=rules.spec,
            players=(a, b),
            a_first=True,
            seed=seed + 2 * round,
            opening=opening,
            limit=self.limit,
            clock=self.clock,
            versions=(versions.get(a, self.version), versions.get(b, self.version)),
        )
        second = replace(
            first,
            number=number + 1,
            players=(b, a),
            a_first=False,
            seed=first.seed + 1,
            versions=first.versions[::-1],
        )
        return first, second


def is_course(spec: str) -> bool:
    """Whether a game is drawn from the seed, and the spec names none."""
    settings = split(spec)[1]
    return settings.get("course") in ("yes", "true", "1") and "seed" not in settings


def match(plan: Plan, a: str, b: str, games: int) -> Iterator[Task]:
    """The games of two players, in pairs."""
    for number in range(0, games, 2):
        yield from plan.pair(a, b, number, number // 2)[: games - number]


def schedule(
    a: str,
    b: str,
    game: str,
    games: int,
    limit: Limit | None = None,
    seed: int = 0,
    opening_plies: int | None = None,
) -> Iterator[Task]:
    """The games of a match with nothing special about it."""
    return match(Plan(game, limit, seed, opening_plies), a, b, games)


def round_robin(plan: Plan, players: Sequence[str], rounds: int) -> Iterator[Task]:
    """Everybody against everybody, a pair of games in each round."""
    return _rounds(plan, list(combinations(players, 2)), rounds)


def gauntlet(plan: Plan, players: Sequence[str], rounds: int) -> Iterator[Task]:
    """The first against each of the others, a pair of games in each round."""
    return _rounds(plan, [(players[0], other) for other in players[1:]], rounds)


def _rounds(plan: Plan, pairings: list[tuple[str, str]], rounds: int) -> Iterator[Task]:
    number = 0
    for round in range(rounds):
        for a, b in pairings:
            yield from plan.pair(a, b, number, round)
            number += 2


def swiss_pairings(
    players: Sequence[str], points: Mapping[str, float], met: set[frozenset[str]]
) -> tuple[list[tuple[str, str]], str | None]:
    """The next round of a Swiss system, and who sits out.

    Players of like points meet, nobody the same opponent twice while that can be helped. Ties
    keep the order of entry, so the same results give the same round. With an odd number of
    players the last one who has not sat out yet does; sitting out is "met" with oneself.
    """
    order = sorted(players, key=lambda name: -points.get(name, 0))
    out = None
    if len(order) % 2:
        out = next((name for name in reversed(order) if frozenset((name,)) not in met), order[-1])
        order.remove(out)
    found = _pair_up(order, met, [20_000])
    if found is None:  # everybody has met: play again by the order of points
        found = list(zip(order[::2], order[1::2], strict=True))
    return found, out


def _pair_up(
    order: list[str], met: set[frozenset[str]], patience: list[int]
) -> list[tuple[str, str]] | None:
    """Pairs without a rematch, the best first; None if there are none within the patience."""
    pairs: list[tuple[str, str]] = []
    tried = [0]
    rest = [order]
    while rest[-1]:
        patience[0] -= 1
        if patience[0] < 0:
            return None
        first, *others = rest[-1]
        choice = tried[-1]
        while choice < len(others) and frozenset((first, others[choice])) in met:
            choice += 1
        if choice == len(others):  # nobody left for this one: take the pair before apart
            rest.pop()
            tried.pop()
            if not pairs:
                return None
            pairs.pop()
            continue
        tried[-1] = choice + 1
        pairs.append((first, others[choice]))
        rest.append(others[:choice] + others[choice + 1 :])
        tried.append(0)
    return pairs


def usual_opening(game: Game, drawn: bool) -> int:
    """How many random plies make games different without deciding them."""
    return 0 if drawn else {"othello": 6, "connect4": 2, "go": 2}.get(game.name, 2)


def random_opening(game: Game, plies: int, draw: random.Random) -> tuple[int, ...]:
    """Random moves after which the game still runs."""
    for _ in range(100):
        state, moves = game.start(), list[int]()
        while len(moves) < plies and not state.is_over:
            moves.append(draw.choice(state.legal_moves()))
            state = state.play(moves[-1])
        if not state.is_over:
            return tuple(moves)
    return ()
