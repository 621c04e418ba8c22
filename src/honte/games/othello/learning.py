"""Training of the Othello evaluation on finished games.

Positions are labelled with the final score, or with the exact score where the solver or the WTHOR
file (at 24 empties) provides it. The pattern tables of each game phase are fitted to the labels,
and the multi-ProbCut margins are measured with them.

A work folder keeps the result of every stage, so an interrupted run resumes.
"""

from __future__ import annotations

import hashlib
import json
import random
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from honte import _native
from honte.core.contract import State
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.progress import Tell
from honte.games.othello import patterns, wthor

PHASES = _native.OTHELLO_PHASES
DEPTHS = _native.OTHELLO_MARGIN_DEPTHS
MOVES = 60
UNKNOWN = 127
NO_MOVE = 255


@dataclass(frozen=True)
class Settings:
    """Training settings."""

    regularization: float = 20.0
    """L2 penalty λ: as if each pattern had occurred this often with no effect."""
    spread: int = 2
    """A phase is also trained on positions with this many discs more or less."""
    steps: int = 25
    held_out_every: int = 20
    """One game in this many is held out for validation."""
    margin_positions: int = 60
    """Positions per phase for the multi-ProbCut margins."""
    margin_depth: int = 9
    self_play: int = 0
    """Self-play games to add, played with the installed weights."""
    seed: int = 1


@dataclass(frozen=True)
class Games:
    """The games of one source, as columns of bytes."""

    name: str
    moves: bytes
    """60 per game as 8 * row + column, padded with NO_MOVE."""
    results: bytes
    """Signed: black's discs minus white's."""
    perfect: bytes = b""
    """Results with perfect play from `empties` on, signed likewise."""
    empties: int = 0

    def __len__(self) -> int:
        return len(self.results)

    @property
    def sha256(self) -> str:
        """A hash of the games."""
        found = hashlib.sha256(bytes([self.empties]))
        for column in (self.moves, self.results, self.perfect):
            found.update(column)
        return found.hexdigest()


def read_games(folder: Path) -> Iterator[Games]:
    """The games of all WTHOR files of a folder."""
    paths = sorted(folder.glob("*.wtb"))
    if not paths:
        raise ValueError(
            Message(
                "there is no .wtb file in {folder}; give a folder of WTHOR files", folder=folder
            )
        )
    for path in paths:
        found = wthor.read_arrays(path)
        perfect = found.theoretical if found.header.depth else b""
        yield Games(
            path.stem,
            found.moves,
            bytes((2 * discs - 64) & 255 for discs in found.real),
            bytes((2 * discs - 64) & 255 for discs in perfect),
            found.header.depth,
        )


def read_settings(path: Path) -> Settings | None:
    """The settings of a work folder; None if they are of an incompatible version."""
    found = json.loads(path.read_text())
    if "caution" in found:  # the former name
        found["regularization"] = found.pop("caution")
    return Settings(**found) if found.keys() == asdict(Settings()).keys() else None


class Learner:
    """A training run with its work folder."""

    def __init__(self, work: Path, settings: Settings, tell: Tell) -> None:
        self.work, self.settings, self.tell = work, settings, tell
        work.mkdir(parents=True, exist_ok=True)
        note = work / "settings.json"
        if note.exists() and read_settings(note) != settings:
            raise ValueError(
                Message("{work} holds a run with other settings; name another folder", work=work)
            )
        note.write_text(json.dumps(asdict(settings)))

    def run(self, sources: Sequence[Games], out: Path, command: str) -> list[dict[str, Any]]:
        """Train on games and write the weights; return the errors of each phase."""
        samples = _native.OthelloTrainingSet()
        games = 0
        self._check(sources)
        if self.settings.self_play:
            sources = [*sources, self.own_games()]
        for number, source in enumerate(sources):
            self.tell(Message("solving the ends of games"), number, len(sources))
            exact = self._kept(f"exact-{source.name}", lambda: self._exact(source))  # noqa: B023
            results = bytes(
                played if perfect == UNKNOWN else perfect
                for played, perfect in zip(source.results, exact, strict=True)
            )
            games += samples.add(
                source.moves,
                results,
                source.perfect,
                source.empties,
                self.settings.held_out_every,
            )
        tables, errors = b"", []
        for phase in range(PHASES):
            self.tell(Message("fitting the tables"), phase, PHASES)
            found = self._kept(f"phase-{phase}", lambda: self._fit(samples, phase))  # noqa: B023
            head, _, table = found.partition(b"\n")
            errors.append(json.loads(head))
            tables += table
        sigmas = self._kept("margins", lambda: self._margins(tables, sources))
        about = {
            "what": "pattern weights of Othello, in 1/128 disc",
            "command": command,
            "version": version("honte"),
            "games": games,
            "positions": len(samples),
            "settings": asdict(self.settings),
            "phases": errors,
        }
        patterns.write(out, about, tables, sigmas)
        return errors

    def _check(self, sources: Sequence[Games]) -> None:
        """Write down the games; refuse others than those of the results in the work folder."""
        note = self.work / "games.json"
        given = {source.name: [len(source), source.sha256] for source in sources}
        if note.exists() and json.loads(note.read_text()) != given:
            raise ValueError(
                Message("{work} holds a run with other games; name another folder", work=self.work)
            )
        note.write_text(json.dumps(given))

    def _kept(self, name: str, make: Callable[[], bytes]) -> bytes:
        """The result of a stage, cached in the work folder."""
        path = self.work / f"{name}.bin"
        if not path.exists():
            fresh = path.with_suffix(".new")
            fresh.write_bytes(make())
            fresh.rename(path)
        return path.read_bytes()

    def _exact(self, games: Games) -> bytes:
        """The results of games with perfect endgame play."""
        return b"".join(
            _native.othello_exact_results(games.moves[at : at + 1000 * MOVES])
            for at in range(0, len(games.moves), 1000 * MOVES)
        )

    def _fit(self, samples: _native.OthelloTrainingSet, phase: int) -> bytes:
        settings = self.settings
        found = samples.fit(phase, settings.regularization, settings.spread, settings.steps)
        tables: bytes = found.pop("tables")
        return json.dumps(found).encode() + b"\n" + tables

    # -- multi-ProbCut margins ------------------------------------------------------------

    def _margins(self, tables: bytes, sources: Sequence[Games]) -> bytes:
        """Standard deviations between deep searches and their ProbCut verification searches.

        Unmeasured depths reuse the larger of the two deepest values.
        """
        wide = struct.pack(f"<{PHASES * DEPTHS}h", *[4 * 128] * (PHASES * DEPTHS))
        engine = _native.OthelloEngine(_native.OthelloEvaluation(tables, wide), 64)
        sigmas: list[int] = []
        for phase in range(PHASES):
            self.tell(Message("measuring margins"), phase, PHASES)
            rows: list[list[float]] = []
            for state in self._positions(sources, phase):
                empties = state.to_text().split()[0].count("-")
                values = []
                for depth in range(1, min(self.settings.margin_depth, empties - 1) + 1):
                    engine.start(state, depth, 1e9, 2**63, patterns.EXACT, 0, False, 1)  # type: ignore[arg-type]
                    engine.wait(1e6)
                    values.append(engine.thought()["moves"][0][1])
                rows.append(values)
            sigmas += spread_by_depth(rows)
        return struct.pack(f"<{PHASES * DEPTHS}h", *sigmas)

    def _positions(self, sources: Sequence[Games], phase: int) -> Iterator[State]:
        """Random positions of a phase with more than one legal move."""
        draw = random.Random(f"{self.settings.seed}/{phase}")
        rules = make_game("othello")
        found = 0
        while found < self.settings.margin_positions:
            source = draw.choice([games for games in sources if len(games) > 0])
            number = draw.randrange(len(source))
            state, left = rules.start(), 5 * phase + draw.randrange(5)
            for square in source.moves[MOVES * number : MOVES * (number + 1)]:
                if square == NO_MOVE or left == 0:
                    break
                if state.legal_moves() == [wthor.PASS]:
                    state = state.play(wthor.PASS)
                state, left = state.play(square), left - 1
            if left == 0 and len(state.legal_moves()) > 1:
                found += 1
                yield state

    # -- self-play ---------------------------------------------------------------------------

    def own_games(self) -> Games:
        """Self-play games from random openings with the installed weights."""
        data = self._kept("self-play", self._play)
        moves, results = data[: -self.settings.self_play], data[-self.settings.self_play :]
        return Games("self-play", moves, results)

    def _play(self) -> bytes:
        engine = _native.OthelloEngine(patterns.learned(), 64)
        rules = make_game("othello")
        draw = random.Random(self.settings.seed)
        moves, results = b"", b""
        for number in range(self.settings.self_play):
            if number % 10 == 0:
                self.tell(Message("playing"), number, self.settings.self_play)
            state, chance = rules.start(), draw.randrange(4, 20)
            squares: list[int] = []
            while not state.is_over:
                legal = state.legal_moves()
                if legal == [wthor.PASS]:
                    move = wthor.PASS
                elif len(squares) < chance or len(legal) == 1:
                    move = draw.choice(legal)
                else:
                    engine.start(state, 5, 1e9, 2**63, 1, 2, False, 1)  # type: ignore[arg-type]
                    engine.wait(1e6)
                    move = engine.thought()["moves"][0][0]
                state = state.play(move)
                if move != wthor.PASS:
                    squares.append(move)
            moves += bytes([*squares, *[NO_MOVE] * (MOVES - len(squares))])
            results += bytes([int(state.score) & 255])
        return moves + results


def shallower(depth: int) -> int:
    """The ProbCut verification depth: half as deep, of the same parity."""
    return 2 * (depth // 4) + depth % 2


def spread_by_depth(rows: Sequence[Sequence[float]]) -> list[int]:
    """Standard deviations in 1/128 disc by depth, from values at the depths 1, 2, 3, …

    >>> spread_by_depth([[0, 0, 1], [0, 0, 3]])[:5]
    [512, 512, 512, 286, 286]
    """
    deepest = max((len(row) for row in rows), default=0)
    found = [512] * min(3, DEPTHS)
    for depth in range(3, DEPTHS):
        gaps = [row[depth - 1] - row[shallower(depth) - 1] for row in rows if len(row) >= depth]
        if depth > deepest or len(gaps) < 2:
            found.append(max(found[-2:]) if depth > 4 else found[-1])
            continue
        mean = sum(gap * gap for gap in gaps) / len(gaps)
        found.append(min(32000, round(128 * mean**0.5)))
    return found
