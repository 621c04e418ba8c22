"""``honte book``: opening books: Connect Four's is solved, Othello's is grown by searches."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from honte.search.book import Book
    from honte.search.solver import Solver

SAVE_EVERY = 30.0
"""Seconds of work that an interruption may cost at most."""


def book(
    game: Annotated[str, typer.Argument(metavar="GAME", help="connect4 or othello")] = "connect4",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file; if left out, ours.")
    ] = None,
    lines: Annotated[
        int, typer.Option("--lines", min=0, max=12, help="What perfect play meets: so many stones.")
    ] = 8,
    plies: Annotated[
        int | None, typer.Option("--plies", min=0, max=12, help="Every position of so many stones.")
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, max=64, help="Threads.")] = 1,
    memory_mb: Annotated[
        int, typer.Option("--memory-mb", min=1, max=32_000, help="The solver's table.")
    ] = 1024,
    check: Annotated[
        int | None, typer.Option("--check", min=1, help="Solve so many entries again instead.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Which entries are checked.")] = 1,
    positions: Annotated[
        int, typer.Option("--positions", min=1, max=1_000_000, help="Othello: how many.")
    ] = 400,
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=30, help="Othello: plies of a search.")
    ] = 16,
) -> None:
    """Build the opening book of a game; what is done is kept, so it goes on where it was."""
    if game == "othello":
        grow(output or Path("othello.book"), positions, depth)
        return
    if game != "connect4":
        raise ValueError(f"there are books of connect4 and othello, not of {game[:40]!r}")
    from honte.games.registry import game as make_game
    from honte.search import book as books
    from honte.search.solver import Solver

    path = output or books.FILE
    about, made = books.read(path) if path.is_file() else ({}, books.Book())
    solver = Solver(make_game(books.GAME), threads=threads, memory_mb=memory_mb)
    if check is not None:
        check_entries(made, solver, check, seed)
        return
    spent = float(str(about.get("cpu_seconds", 0)))
    began = time.process_time()
    saved = shown = time.monotonic()

    def save() -> None:
        seconds = round(spent + time.process_time() - began)
        made.write(path, {"game": books.GAME, "cpu_seconds": seconds})

    def on_entry(stones: int, done: int, count: int) -> None:
        nonlocal saved, shown
        now = time.monotonic()
        if now - saved > SAVE_EVERY:
            saved = now
            save()
        if done == count or (sys.stderr.isatty() and now - shown > 0.5):
            shown = now
            end = "\n" if done == count else "\033[K"
            print(f"\r{stones} stones: {done:,} of {count:,}", end=end, file=sys.stderr, flush=True)

    try:
        books.build(made, books.lines(made, lines), solver, on_entry)
        if plies is not None:
            books.build(made, books.everything(plies), solver, on_entry)
    finally:
        save()
    typer.echo(f"{path}: {len(made):,} positions, {path.stat().st_size:,} bytes")


def grow(path: Path, positions: int, depth: int) -> None:
    """Grow the book of Othello; the searches are kept beside it."""
    from honte.cli.learn import Progress
    from honte.learn.openings import Grower

    progress = Progress()
    grower = Grower(path.with_name(path.name + ".work"), depth)
    try:
        grower.grow(positions, progress.tell)
    finally:
        progress.clear()
        made = grower.book()
        made.write(path, {"game": "othello", "command": "honte book othello", **grower.about()})
    typer.echo(f"{path}: {len(made):,} positions, {path.stat().st_size:,} bytes")


def check_entries(made: Book, solver: Solver, count: int, seed: int) -> None:
    """Solve a random sample again; a wrong score or a move that does not reach it fails."""
    from honte.search.book import state_of

    entries = made.entries()
    sample = random.Random(seed).sample(entries, min(count, len(entries)))
    wrong = 0
    for key, entry in sample:
        state = state_of(key)
        solver.forget()
        solved = solver.solve(state, line=False)
        after = state.play(entry.move)
        reached = 0 if after.is_over else -(solver.solve(after, line=False).score or 0)
        if not entry.score == solved.score == reached:
            wrong += 1
            typer.echo(f"{state.to_text()}: {entry.score:+d} in the book, {solved.score} solved")
    typer.echo(f"{len(sample)} of {len(entries):,} entries solved again, {wrong} wrong")
    if wrong:
        raise typer.Exit(1)
