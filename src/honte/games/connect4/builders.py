"""``honte learn connect4`` and ``honte book connect4``."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

from honte.core.builder import Build, Builder, Built, path_option
from honte.core.games import game as make_game
from honte.core.language import Message
from honte.core.progress import Tell
from honte.core.spec import Options, whole
from honte.games.connect4.learning import Learner, Settings, read_games
from honte.search.solver import solver_of

if TYPE_CHECKING:
    from honte.games.connect4.book import Book
    from honte.search.solver import Solver

SAVE_EVERY = 30.0
"""Seconds between saves."""


def learn(build: Build) -> Built:
    """Train the policy on self-play searches, stored or new."""
    given = build.settings
    data: Path | None = given["data"]
    if data is None and not given["self_play"]:
        raise ValueError(Message("no games to learn from; give --data PATH or --self-play N"))
    if data is not None and not data.exists():
        raise ValueError(
            Message(
                "there is no {data}; give a .jsonl file or a folder of them with --data", data=data
            )
        )
    settings = Settings(self_play=given["self_play"], iterations=given["iterations"])
    learner = Learner(given["work"] or Path(f"{build.path}.work"), settings, build.tell)
    games = list(read_games(data)) if data is not None else []
    if settings.self_play:
        learner.play()
        games += learner.own_games()
    found = learner.learn(games, build.path, build.command)
    return Built(
        [
            Message(
                "{games:,} games, {positions:,} positions; {held_out:,} held out",
                games=found.games,
                positions=found.positions,
                held_out=found.held_out,
            ),
            Message("mean log-likelihood of a visit in held-out positions"),
            Message("  uniform   {uniform:>18.3f}", uniform=found.uniform),
            Message("  learned   {likelihood:>18.3f}", likelihood=found.likelihood),
            Message("  at best   {best:>18.3f}", best=found.best),
            Message("top-1 accuracy {first:.1f} %", first=100 * found.first),
        ]
    )


def solve(build: Build) -> Built:
    """Build the opening book, or check a sample of it."""
    from honte.games.connect4 import book as books

    given = build.settings
    solver = solver_of(
        make_game(books.GAME), threads=given["threads"], memory_mb=given["memory_mb"]
    )
    if given["check"] is not None:
        _, made = books.read(build.output or books.FILE)
        return check_entries(made, solver, given["check"], given["seed"], build.tell)
    path = build.path
    about, made = books.read(path) if path.is_file() else ({}, books.Book())
    spent = float(str(about.get("cpu_seconds", 0)))
    began = time.process_time()
    saved = time.monotonic()

    def save() -> None:
        seconds = round(spent + time.process_time() - began)
        made.write(path, {"game": books.GAME, "command": build.command, "cpu_seconds": seconds})

    def on_entry(stones: int, done: int, count: int) -> None:
        nonlocal saved
        build.tell(Message("{stones} stones", stones=stones), done, count)
        if time.monotonic() - saved > SAVE_EVERY:
            saved = time.monotonic()
            save()

    try:
        books.build_lines(made, given["lines"], solver, on_entry)
        if given["plies"] is not None:
            books.build_all(made, given["plies"], solver, on_entry)
        if given["exact"] is not None:
            books.build_all(made, given["exact"], solver, on_entry, exact=True)
    finally:
        save()
    return Built([Message("{count:,} positions", count=len(made))])


def check_entries(made: Book, solver: Solver, count: int, seed: int, tell: Tell) -> Built:
    """Solve a random sample again; fails on a wrong score or move."""
    from honte.games.connect4.book import state_of

    keys = made.keys()
    sample = random.Random(seed).sample(keys, min(count, len(keys)))
    wrong: list[str] = []
    for number, key in enumerate(sample, 1):
        state = state_of(key)
        entry = made.find(state)
        assert entry is not None
        solver.forget()
        exactly = entry.score is not None
        solved = solver.solve(state, wld=not exactly, line=False)
        after = solver.solve(state.play(entry.move), wld=not exactly, line=False)
        for low, high in ((solved.low, solved.high), (-after.high, -after.low)):
            if low > entry.high or high < entry.low or (exactly and low != high):
                found = f"{entry.low} to {entry.high} in the book, {low} to {high} solved"
                wrong.append(f"{state.to_text()}: {found}")
                break
        tell(Message("solved again"), number, len(sample))
    total = Message(
        "{count} of {total:,} entries solved again, {wrong} wrong",
        count=len(sample),
        total=len(keys),
        wrong=len(wrong),
    )
    return Built([*wrong, total], wrote=False, failed=bool(wrong))


LEARNER = Builder(
    "policy.weights",
    learn,
    Options(
        path_option("data", "self-play games: a .jsonl file or a folder of them"),
        path_option("work", "folder of the self-play games, to resume from"),
        whole("self_play", 0, 0, 1_000_000, "self-play games to add"),
        whole("iterations", Settings.iterations, 1, 10**9, "simulations per self-play move"),
    ),
    player="uct:policy={file}",
)
BOOK = Builder(
    "openings.book",
    solve,
    Options(
        whole("lines", 8, 0, 12, "exact scores along perfect play, up to this many stones"),
        whole("plies", None, 0, 12, "win, loss or draw of every position up to this many stones"),
        whole("exact", None, 0, 12, "the score of every position up to this many stones"),
        whole("threads", 1, 1, 64, "threads of the solver"),
        whole("memory_mb", 1024, 1, 32_000, "the solver's transposition table"),
        whole("check", None, 1, 10**9, "check this many entries of an existing book instead"),
        whole("seed", 1, 0, 2**63 - 1, "random seed of the checked sample"),
    ),
)
