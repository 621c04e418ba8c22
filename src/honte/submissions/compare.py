"""Is one version of a bot better than another? A match that stops once the answer is clear.

`compare` yields events as JSON-ready values. ``python -m honte.submissions.compare FOLDER A B``
does the same in a process of its own, one event a line.

    {"event": "standing", "a": "v7", "b": "v6", "games": 12, "most": 200, "wins": 8, "draws": 0, …}
    {"event": "end", "ok": true, "verdict": "better", "words": "v7 is better than v6: …"}

Stored games of the two versions are counted and not played again, so a stopped comparison resumes
where it was, and a decided one is reported at once.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Generator, Iterator
from pathlib import Path

from honte.arena.identity import identity
from honte.arena.match import Played, Standing
from honte.arena.run import Run
from honte.arena.schedule import Plan, Task, match
from honte.arena.sprt import MIN_PAIRS, Sprt
from honte.arena.statistics import elo_and_error, score_and_error
from honte.core import language, signals
from honte.core.language import Message, tr
from honte.games import MEASURED
from honte.submissions.trial import MAX_FAULTS, STORE, Event, quick_plan, stored_run
from honte.submissions.versions import Version, Versions

ELO0, ELO1 = 0.0, 50.0
"""The hypotheses in Elo: no better, and better by as much as a change should gain."""
GAMES = 200
"""Maximum new games of one comparison."""
ALL_GAMES = 4000
POINTS = 150
"""Points of the curve of the test, at most twice as many."""
EVERY = 0.2
"""Minimum seconds between two events: games from the store come faster than anyone looks."""

BETTER, WORSE, NO_BETTER, UNSURE, BROKEN = "better", "worse", "no better", "unsure", "broken"


class Comparison:
    """A match of version A against version B, and its test."""

    def __init__(self, a: Version, b: Version, games: int = GAMES) -> None:
        self.players = a, b
        self.games = games
        self.standing = Standing()
        self.test = Sprt(ELO0, ELO1)
        self.curve: list[tuple[int, float]] = []
        self.no_better = False
        """The test has accepted H0."""
        self.broken = ""
        """The version that faulted too often in a row, and why."""
        self.most = games
        self._before = 0

    def tasks(self, plan: Plan, run: Run) -> Iterator[Task]:
        """The games of the match: those in the store, and new ones up to the limit."""
        specs = (self.players[0].spec, self.players[1].spec)
        for task in match(plan, *specs, ALL_GAMES):
            self.most = min(ALL_GAMES, self.games + run.found)
            if task.number % 2 == 0 and task.number >= self.most:
                return
            yield task

    def add(self, played: Played, retired: dict[str, str]) -> None:
        """Count a game; every second one completes a pair."""
        self.standing.add(played)
        for version in self.players:
            if version.spec in retired and not self.broken:
                why = f"{tr(played.reason)}: {tr(played.detail)}".rstrip(": ")
                self.broken = Message(
                    "{version} failed {n} games in a row ({why}); there is nothing to compare",
                    version=version.name,
                    n=MAX_FAULTS,
                    why=why,
                )
        if played.task.number % 2:
            self.test.add(self._before, played.result)
            self.curve.append((played.task.number // 2 + 1, round(self.test.llr, 3)))
            self.no_better = self.no_better or self.test.verdict == "H0"
        self._before = played.result

    @property
    def verdict(self) -> str:
        """The verdict so far; "" if the match goes on.

        A version that is no better is worse if the same test says so with the versions swapped; the
        match goes on while that is likely.
        """
        if self.broken:
            return BROKEN
        if not self.no_better:
            return BETTER if self.test.verdict == "H1" else ""
        other = Sprt(ELO0, ELO1, pairs=self.test.pairs[::-1])
        return WORSE if other.verdict == "H1" else "" if other.llr > 0 else NO_BETTER

    def standing_event(self) -> Event:
        """The match so far."""
        a, b = (version.name for version in self.players)
        total = self.standing.total
        score, score_error = score_and_error(self.standing)
        elo, elo_error = elo_and_error(self.standing)
        step = max(1, len(self.curve) // POINTS)
        curve = self.curve[::step] + (self.curve[-1:] if (len(self.curve) - 1) % step else [])
        return {
            "event": "standing",
            "a": a,
            "b": b,
            "games": total.games,
            "most": self.most,
            "least": 2 * MIN_PAIRS,
            "no_better": self.no_better,
            "wins": total.wins,
            "draws": total.draws,
            "losses": total.losses,
            "score": round(score, 4),
            "score_error": round(score_error, 4),
            "elo": round(elo),
            "elo_error": round(elo_error),
            "sprt": self.test.summary() | {"players": [a, b], "curve": curve},
        }

    def end_event(self) -> Event:
        """The verdict, in words."""
        verdict = self.verdict or (NO_BETTER if self.no_better else UNSURE)
        total = self.standing.total
        told = {
            "a": self.players[0].name,
            "b": self.players[1].name,
            "score": f"+{total.wins} −{total.losses} ={total.draws}",
            "games": total.games,
            "elo": ELO1,
        }
        words = {
            BETTER: Message("{a} is better than {b}: {score}, sure to 95 %", **told),
            WORSE: Message("{a} is worse than {b}: {score}, sure to 95 %", **told),
            NO_BETTER: Message(
                "{a} is no better than {b}: {score}; a gain of {elo:g} Elo is ruled out to 95 %",
                **told,
            ),
            UNSURE: Message(
                "not sure after {games} games between {a} and {b}: {score}; compare again to play "
                "more",
                **told,
            ),
            BROKEN: self.broken,
        }[verdict]
        return {"event": "end", "ok": verdict != BROKEN, "verdict": verdict, "words": tr(words)}


def compare(
    versions: Versions,
    a: int,
    b: int,
    game: str | None = None,
    seconds: float = 3.0,
    *,
    games: int = GAMES,
    workers: int | None = None,
) -> Generator[Event, None, None]:
    """Play version A against version B until it is clear which is better, or `games` are played.

    Half of the cores play one game each, so that bots are not short of time.
    """
    workers = workers or max(1, (os.cpu_count() or 1) // 2)
    try:
        if a == b:
            raise ValueError(Message("a version cannot be compared with itself; name two"))
        one, other = versions.pick(a, b)
        yield from played_out(Comparison(one, other, games), versions, game, seconds, workers)
    except (ValueError, OSError) as error:  # of the store, too
        yield {"event": "refused", "words": tr(str(error))}
        yield {"event": "end", "ok": False}


def played_out(
    found: Comparison, versions: Versions, game: str | None, seconds: float, workers: int
) -> Iterator[Event]:
    """The events of a comparison."""
    yield found.standing_event()
    game = game or found.players[0].source.game or MEASURED
    engines = {version.spec: identity(version.spec, game) for version in found.players}
    told = time.monotonic()
    with stored_run(versions.folder / STORE, engines, workers) as run:
        playing = run.play(found.tasks(quick_plan(game, seconds, engines), run))
        try:
            for played in playing:
                found.add(played, run.retired)
                if found.verdict:
                    break
                if time.monotonic() - told >= EVERY:
                    yield found.standing_event()
                    told = time.monotonic()
        finally:
            playing.close()
    yield found.standing_event()
    yield found.end_event()


def main() -> None:
    """``FOLDER A B [GAME [SECONDS [WORKERS]]]``: compare two versions of those in FOLDER."""
    language.use(language.wanted([], os.environ))
    signals.end_with_input()
    folder, a, b, *more = sys.argv[1:]
    game = more[0] if more else None
    seconds = float(more[1]) if more[1:] else 3.0
    workers = int(more[2]) if more[2:] else None
    for event in compare(Versions(Path(folder)), int(a), int(b), game, seconds, workers=workers):
        print(json.dumps(event), flush=True)


if __name__ == "__main__":
    main()
