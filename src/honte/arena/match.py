"""A match: two players, paired openings, sides alternating.

Every opening is played twice, each player once on either side, so that neither the opening
nor the first move favours anybody. Each game gets a seed of its own.
"""

from __future__ import annotations

import multiprocessing
import random
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from honte.games.contract import Game, State
from honte.games.registry import game as make_game
from honte.players.contract import Player
from honte.players.registry import player as make_player
from honte.search.limit import Limit

MAX_PLIES = 2000


@dataclass(frozen=True)
class Task:
    """One game to play: everything that decides it."""

    number: int
    game: str
    players: tuple[str, str]
    """The specs, the first mover first."""
    a_first: bool
    seed: int
    opening: tuple[int, ...]
    limit: Limit | None


@dataclass(frozen=True)
class Played:
    """One finished game, seen from A."""

    task: Task
    moves: tuple[int, ...]
    result: int
    """1, 0 or −1 for A."""
    margin: float
    """The final score for A, in the game's own measure."""
    reason: str


@dataclass
class Tally:
    """Games counted, from A's side."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    def add(self, result: int) -> None:
        self.wins += result > 0
        self.draws += result == 0
        self.losses += result < 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses


@dataclass
class Standing:
    """A match so far."""

    played: list[Played] = field(default_factory=list)
    total: Tally = field(default_factory=Tally)
    first: Tally = field(default_factory=Tally)
    second: Tally = field(default_factory=Tally)
    stopped: str = ""

    def add(self, game: Played) -> None:
        self.played.append(game)
        self.total.add(game.result)
        (self.first if game.task.a_first else self.second).add(game.result)

    @property
    def distinct(self) -> int:
        """How many different games were played."""
        return len({(game.task.game, game.moves) for game in self.played})


def play_game(
    game: Game,
    players: tuple[Player, Player],
    limit: Limit | None = None,
    opening: Iterable[int] = (),
) -> tuple[State, list[int]]:
    """Play a game to its end; the state it ends in, and the moves."""
    state = game.start()
    moves: list[int] = []
    for move in opening:
        state = state.play(move)
        moves.append(move)
    for player in players:
        player.new_game()
    while not state.is_over and len(moves) < MAX_PLIES:
        move = players[state.to_move].choose(state, limit).move
        state = state.play(move)
        moves.append(move)
    return state, moves


def schedule(
    a: str,
    b: str,
    game: str,
    games: int,
    limit: Limit | None = None,
    seed: int = 0,
    opening_plies: int | None = None,
) -> Iterator[Task]:
    """The games of a match, in pairs: the same board and opening with the sides changed.

    A course board is drawn anew for every pair. Otherwise, where the board is always the
    same, every pair starts from some random moves.
    """
    for number in range(games):
        pair, turned = divmod(number, 2)
        draw = random.Random(f"{seed}/{pair}")
        spec = make_game(game, seed=pair + seed * 1_000_003).spec if "course" in game else game
        rules = make_game(spec)
        plies = usual_opening(rules, spec != game) if opening_plies is None else opening_plies
        yield Task(
            number=number,
            game=spec,
            players=(b, a) if turned else (a, b),
            a_first=not turned,
            seed=draw.getrandbits(40) + number,
            opening=random_opening(rules, plies, draw),
            limit=limit,
        )


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


def play_task(task: Task) -> Played:
    """Play one game of a schedule."""
    game = make_game(task.game)
    players = tuple(seeded(spec, game, task.seed) for spec in task.players)
    state, moves = play_game(game, (players[0], players[1]), task.limit, task.opening)
    a = 0 if task.a_first else 1
    for player in players:
        player.close()
    if not state.is_over:
        return Played(task, tuple(moves), 0, 0.0, "move limit")
    result = 0 if state.winner is None else 1 if state.winner == a else -1
    margin = float(state.score) if a == 0 else -float(state.score)
    return Played(task, tuple(moves), result, margin, "draw" if result == 0 else "played out")


def seeded(spec: str, game: Game, seed: int) -> Player:
    """A player with the game's seed, where it takes one and has none of its own."""
    options: Any = ()
    player = make_player(spec, game)
    options = getattr(type(player), "options", ())
    if any(option.name == "seed" for option in options) and "seed=" not in spec:
        player.close()
        return make_player(spec, game, seed=seed)
    return player


def play_match(tasks: Iterable[Task], workers: int = 1) -> Iterator[Played]:
    """Play the games of a schedule, on several processes if asked; as they finish."""
    if workers == 1:
        yield from map(play_task, tasks)
        return
    with multiprocessing.Pool(workers, initializer=ignore_ctrl_c) as pool:
        yield from pool.imap_unordered(play_task, tasks)


def ignore_ctrl_c() -> None:
    """Ctrl-C is for the process that asked for the match; it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
