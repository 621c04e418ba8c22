"""Schedules: the games of a match, a round robin, a gauntlet or a Swiss tournament.

Games come in pairs: each board and opening is played twice with sides swapped, so that neither
the opening nor the first move favours a player. A schedule is determined by its seed: the same
command gives the same games with the same ids, which is how a stopped run resumes.
"""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations

from honte.arena.openings import balanced_opening, random_opening
from honte.core.contract import Game
from honte.core.games import game as make_game
from honte.core.games import settings_of
from honte.core.request import Limit

MAX_PLIES = 2000


@dataclass(frozen=True)
class Clock:
    """Time control besides the limit per move, and the maximum length of a game."""

    margin: float = 0.5
    """Grace in seconds beyond the limit, for a busy machine."""
    game: float | None = None
    """Seconds for all moves of a player in one game."""
    increment: float = 0.0
    """Seconds added to the clock after each move."""
    max_plies: int = MAX_PLIES
    """A game of this many plies is a draw."""
    pause: bool = False
    """Whether a bot is suspended while its opponent thinks."""


@dataclass(frozen=True)
class Task:
    """One game to play, with everything that determines it. Tasks 2k and 2k + 1 are a pair."""

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
    """The builds of the players, in their order: see `honte.arena.identity`."""

    @cached_property
    def id(self) -> str:
        """The key of the game in a store: a hash of all of the above except the number."""
        limit, clock = _limits(self.limit, self.clock)
        parts = [self.game, self.players, self.versions, self.seed, self.opening, limit, clock]
        return hashlib.sha256(json.dumps(parts).encode("utf-8", "replace")).hexdigest()[:16]

    def like(self, other: Task) -> bool:
        """Whether another task is the same game, except perhaps for the players' builds."""
        return replace(self, versions=other.versions).id == other.id


@lru_cache(256)
def _limits(limit: Limit | None, clock: Clock) -> tuple[dict[str, object], dict[str, object]]:
    """The limit and the clock as they enter a task's id."""
    of_game = asdict(clock)
    if not clock.pause:  # older stores do not have it
        del of_game["pause"]
    return asdict(limit) if limit else {}, of_game


@dataclass(frozen=True)
class Plan:
    """Settings common to all games of a schedule."""

    game: str
    limit: Limit | None = None
    seed: int = 0
    opening_plies: int | None = None
    clock: Clock = Clock()
    versions: Mapping[str, str] | None = None
    """The builds of the players by their specs: the hashes of their identities."""
    version: str = ""
    """The build of players that `versions` does not name."""
    openings: tuple[tuple[int, ...], ...] = ()
    """Openings to use in turn; if empty they are random (`opening_plies`) or balanced."""

    @cached_property
    def _rules(self) -> Game:
        return make_game(self.game)

    def pair(self, a: str, b: str, number: int, round: int) -> tuple[Task, Task]:
        """The two games of A and B on the board and opening of a round.

        A game whose spec leaves the board open (`GameDescriptor.drawn`) gets a new board every
        round. Openings are balanced: see honte.arena.openings.
        """
        game, seed, opening = self._board(round)
        versions = self.versions or {}
        first = Task(
            number=number,
            game=game,
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

    @cached_property
    def _board(self) -> Callable[[int], tuple[str, int, tuple[int, ...]]]:
        """Cached `_drawn_board`: pairings of a round share a board that may have cost searches."""
        return lru_cache(64)(self._drawn_board)

    def _drawn_board(self, round: int) -> tuple[str, int, tuple[int, ...]]:
        """The game of a round with its board, the seed and the opening."""
        draw = random.Random(f"{self.seed}/{round}")
        rules = self._rules
        if is_drawn(rules, self.game):
            rules = make_game(self.game, seed=round + self.seed * 1_000_003)
        seed = draw.getrandbits(40)
        if self.openings:
            opening = self.openings[round % len(self.openings)]
        elif self.opening_plies is not None:
            opening = random_opening(rules, self.opening_plies, draw)
        else:
            opening = balanced_opening(rules, self.seed, round)
        return rules.spec, seed, opening


def match(plan: Plan, a: str, b: str, games: int) -> Iterator[Task]:
    """The games of a match, in pairs."""
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
    """The games of a match with default settings."""
    return match(Plan(game, limit, seed, opening_plies), a, b, games)


def round_robin(plan: Plan, players: Sequence[str], rounds: int) -> Iterator[Task]:
    """Every player against every other, a pair of games per round."""
    return _rounds(plan, list(combinations(players, 2)), rounds)


def gauntlet(plan: Plan, players: Sequence[str], rounds: int) -> Iterator[Task]:
    """The first player against each of the others, a pair of games per round."""
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
    """The pairings of the next Swiss round, and the player with the bye.

    Players with similar points meet, without rematches if possible. Ties keep the order of entry,
    so the same results give the same pairings. With an odd number of players the lowest who has
    had no bye gets one; in `met` a bye is a player paired with itself.
    """
    order = sorted(players, key=lambda name: -points.get(name, 0))
    out = None
    if len(order) % 2:
        out = next((name for name in reversed(order) if frozenset((name,)) not in met), order[-1])
        order.remove(out)
    found = _pair_up(order, met, [20_000])
    if found is None:  # rematches cannot be avoided: pair by points
        found = list(zip(order[::2], order[1::2], strict=True))
    return found, out


def _pair_up(
    order: list[str], met: set[frozenset[str]], patience: list[int]
) -> list[tuple[str, str]] | None:
    """Pairings without rematches by backtracking; None if `patience` steps find none."""
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
        if choice == len(others):  # no opponent left for this player: backtrack
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


def is_drawn(game: Game, spec: str) -> bool:
    """Whether a spec has a new board drawn for every round."""
    drawn = game.descriptor.drawn
    return drawn is not None and drawn(settings_of(spec))
