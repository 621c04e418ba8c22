"""Self-play data for learners: ``honte selfplay GAME --games N -o FOLDER``.

A folder holds ``about.json`` and an NPZ file for each batch of games. The content of a file follows
from the settings alone, and files are written atomically: an interrupted run resumes with the
missing ones, so each game is in the data exactly once. docs/selfplay.md has the format.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from honte.arena.cluster import team
from honte.arena.identity import identity, seeded
from honte.arena.openings import random_opening
from honte.arena.schedule import is_drawn
from honte.core.contract import State
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.report import Report
from honte.core.request import Limit, Request
from honte.core.whole_file import write_whole, written_whole
from honte.games.native import NativeGame

FORMAT = 1
ABOUT = "about.json"
RESULTS = {"win": 1, "draw": 0, "loss": -1}
UNKNOWN = 2
"""Value of `proven` if the search did not prove the result."""

POSITION = np.dtype(
    [("game", "i8"), ("ply", "u2"), ("to_move", "u1"), ("move", "u2"), ("value", "f4"),
     ("proven", "i1"), ("result", "i1"), ("score", "f4")]
)  # fmt: skip
GAME = np.dtype([("number", "i8"), ("seed", "i8")])

Array = NDArray[Any]


@dataclass(frozen=True)
class Settings:
    """Settings that determine the games of a folder."""

    game: str
    player: str = "uct"
    games: int = 1000
    seed: int = 1
    seconds: float | None = None
    iterations: int | None = None
    opening_plies: int = 2
    """Random moves at the start of each game, not part of the data."""
    sampled_plies: int = 12
    """Moves after the opening sampled by visits; later moves are the best ones."""
    temperature: float = 1.0
    per_file: int = 250
    """Games in a file."""

    @property
    def files(self) -> int:
        return -(-self.games // self.per_file)


@dataclass(frozen=True)
class Shard:
    """The games of one file as a self-contained task for a worker."""

    number: int
    settings: Settings
    players: tuple[str, str] = ("self-play", "self-play")

    @property
    def id(self) -> str:
        return f"{self.settings.game}/{self.settings.seed}/{self.number}"

    @property
    def games(self) -> range:
        first = self.number * self.settings.per_file
        return range(first, min(first + self.settings.per_file, self.settings.games))


@dataclass(frozen=True)
class Done:
    """The result of a shard; `reason` is for the workers, which replay games lost on time."""

    task: Shard
    arrays: dict[str, Array] = field(default_factory=dict)
    reason: str = ""


# -- playing ---------------------------------------------------------------------------


def play(shard: Shard) -> Done:
    """The games of a shard, one row for each position that was searched."""
    rows: list[tuple[Any, ...]] = []
    policies: list[Array] = []
    games: list[tuple[int, int, str, str]] = []
    for number in shard.games:
        game, draw = board(shard.settings, number)
        opening = random_opening(game, shard.settings.opening_plies, draw)
        seed = draw.getrandbits(40)
        state: State = game.start()
        for move in opening:
            state = state.play(move)
        searched: list[tuple[int, int, int, float, int]] = []
        player = seeded(shard.settings.player, game, seed)
        try:
            while not state.is_over:
                report = player.choose(Request(state, limit=limit_of(shard.settings)))
                policy = policy_of(report, game.actions)
                move = drawn_move(report, policy, len(searched), shard.settings, draw)
                proven = RESULTS.get(report.proven or "", UNKNOWN)
                searched.append((state.to_move, move, len(searched), report.value, proven))
                policies.append(policy)
                state = state.play(move)
        finally:
            player.close()
        result = 0 if state.winner is None else 1 - 2 * state.winner
        for to_move, move, ply, value, proven in searched:
            sign = 1 - 2 * to_move
            rows.append(
                (number, ply + len(opening), to_move, move, value, proven, sign * result,
                 sign * state.score)
            )  # fmt: skip
        text = ",".join(game.format(move) for move in opening)
        games.append((number, seed, game.spec, text))
    return Done(shard, arrays(rows, policies, games))


def board(settings: Settings, number: int) -> tuple[NativeGame, random.Random]:
    """The rules of a game and its own random number generator."""
    game = make_game(settings.game)
    if is_drawn(game, settings.game):
        game = make_game(settings.game, seed=number + settings.seed * 1_000_003)
    assert isinstance(game, NativeGame)
    return game, random.Random(f"{settings.seed}/{number}")


def limit_of(settings: Settings) -> Limit:
    """The search limit of a move; 200 simulations if none is set."""
    limit = Limit(settings.seconds, settings.iterations)
    return Limit(iterations=200) if limit == Limit() else limit


def policy_of(report: Report, actions: int) -> Array:
    """The visit shares; one-hot on the chosen move if the search counts no visits."""
    policy = np.zeros(actions, np.float32)
    for candidate in report.candidates:
        policy[candidate.move] = candidate.visits
    if not policy.any():
        policy[report.move] = 1
    shares: Array = policy / policy.sum()
    return shares


def drawn_move(
    report: Report, policy: Array, ply: int, settings: Settings, draw: random.Random
) -> int:
    """The move to play: sampled by visits, or the best."""
    if ply >= settings.sampled_plies or report.proven is not None:
        return report.move
    weights = np.power(policy, 1 / settings.temperature).tolist()
    return draw.choices(range(len(weights)), weights)[0]


def arrays(
    rows: list[tuple[Any, ...]], policies: list[Array], games: list[tuple[int, int, str, str]]
) -> dict[str, Array]:
    """The arrays of a file."""
    width = max((len(policy) for policy in policies), default=0)
    policy = np.zeros((len(policies), width), np.float16)
    for row, found in zip(policy, policies, strict=True):
        row[: len(found)] = found
    numbers, seeds, specs, openings = zip(*games, strict=True)
    return {
        "positions": np.array(rows, POSITION),
        "policy": policy,
        "games": np.array([*zip(numbers, seeds, strict=True)], GAME),
        "specs": np.array(specs, "U"),
        "openings": np.array(openings, "U"),
    }


# -- the folder ------------------------------------------------------------------------


def file_of(folder: Path, number: int) -> Path:
    """The file of a shard."""
    return folder / f"games-{number:06}.npz"


def open_folder(folder: Path, settings: Settings) -> list[int]:
    """Create a folder, or resume one with the same settings; returns the missing file numbers."""
    about = {
        "format": FORMAT,
        **asdict(settings),
        "engine": identity(settings.player, settings.game).hash,
    }
    try:
        found = json.loads((folder / ABOUT).read_bytes())
        if not isinstance(found, dict):
            raise ValueError
    except FileNotFoundError:
        found = None
    except ValueError:
        raise ValueError(
            Message("{file} is not a description of self-play data", file=folder / ABOUT)
        ) from None
    if found is None:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ValueError(
                Message("{folder} exists and holds something else; name a new one", folder=folder)
            )
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(folder / ABOUT, json.dumps(about, indent=1).encode())
    for name, value in about.items():
        if found is not None and found.get(name) != value:
            raise ValueError(
                Message(
                    "the games in {folder} have {name} {began}, not {value}; name another folder",
                    folder=folder,
                    name=name,
                    began=found.get(name),
                    value=value,
                )
            )
    return [n for n in range(settings.files) if not file_of(folder, n).exists()]


class Run:
    """A run that plays the missing games of a folder on workers."""

    def __init__(
        self, folder: Path, settings: Settings, *, workers: int = 0, on: str = "local"
    ) -> None:
        self.folder, self.settings = folder, settings
        limit_of(settings)  # refuses a wrong one before the folder holds it
        self._missing = [Shard(number, settings) for number in open_folder(folder, settings)]
        self.have = settings.games - sum(len(shard.games) for shard in self._missing)
        """Games that the folder holds."""
        self.team: Any = team(on, workers, play)  # type: ignore[arg-type]
        self._stopping = False

    def play(self, progress: Callable[[int], None] = lambda have: None) -> None:
        """Play until the folder is complete or `stop` is called."""
        progress(self.have)
        while (self._missing or self.team.busy) and not self._stopping:
            while self._missing and self.team.free > 0:
                self.team.send(self._missing.pop(0))
            for done in self.team.finished(0.2):
                save(file_of(self.folder, done.task.number), done.arrays)
                self.have += len(done.task.games)
                progress(self.have)

    def stop(self) -> None:
        self._stopping = True

    def close(self) -> None:
        """Stop the workers; files in progress are not written."""
        self.team.close()


def save(path: Path, found: dict[str, Array]) -> None:
    """Write a file of games atomically."""
    with written_whole(path) as file:
        np.savez(file, allow_pickle=False, **found)
