"""``honte book``: the opening book of Connect Four, built by the solver or checked against it."""

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
) -> None:
    """Build the opening book of 7×6; what the file has is kept, so it goes on where it was."""
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
