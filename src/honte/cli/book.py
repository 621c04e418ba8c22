"""``honte book``: opening books: Connect Four's is solved, the others are grown by searches."""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from honte.cli.progress import Progress

if TYPE_CHECKING:
    from honte.learn.openings import Grower
    from honte.search.book import Book
    from honte.search.solver import Solver

SAVE_EVERY = 30.0
"""Seconds of work that an interruption may cost at most."""


def book(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="connect4, othello or go")
    ] = "connect4",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The file; if left out, ours.")
    ] = None,
    lines: Annotated[
        int,
        typer.Option(
            "--lines", min=0, max=12, help="Scores of what perfect play meets: so many stones."
        ),
    ] = 8,
    plies: Annotated[
        int | None,
        typer.Option(
            "--plies", min=0, max=12, help="Who wins in every position: up to so many stones."
        ),
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
        int, typer.Option("--positions", min=1, max=1_000_000, help="Othello, Go: how many.")
    ] = 400,
    depth: Annotated[
        int, typer.Option("--depth", min=1, max=30, help="Othello: plies of a search.")
    ] = 16,
    corners: Annotated[
        int, typer.Option("--corners", min=0, max=1_000_000, help="Go: how many of a corner.")
    ] = 100,
    iterations: Annotated[
        int, typer.Option("--iterations", min=100, max=10**9, help="Go: simulations of a search.")
    ] = 40_000,
) -> None:
    """Build the opening book of a game; what is done is kept, so it goes on where it was."""
    if game == "othello":
        grow_othello(output or Path("othello.book"), positions, depth)
        return
    if game == "go":
        grow_go(output or Path("go.book"), positions, corners, iterations)
        return
    if game != "connect4":
        raise ValueError(f"there are books of connect4, othello and go, not of {game[:40]!r}")
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
    saved = time.monotonic()
    progress = Progress()

    def save() -> None:
        seconds = round(spent + time.process_time() - began)
        made.write(path, {"game": books.GAME, "cpu_seconds": seconds})

    def on_entry(stones: int, done: int, count: int) -> None:
        nonlocal saved
        progress.tell(f"{stones} stones", done, count)
        if time.monotonic() - saved > SAVE_EVERY:
            saved = time.monotonic()
            save()

    try:
        books.build_lines(made, lines, solver, on_entry)
        if plies is not None:
            books.build_outcomes(made, plies, solver, on_entry)
    finally:
        progress.clear()
        save()
    typer.echo(f"{path}: {len(made):,} positions, {path.stat().st_size:,} bytes")


def grow_othello(path: Path, positions: int, depth: int) -> None:
    """Grow the book of Othello; the searches are kept beside it."""
    from honte.learn.openings import OthelloGrower

    grower = OthelloGrower(path.with_name(path.name + ".work"), depth)
    try:
        grow(grower, positions)
    finally:
        made = grower.book()
        made.write(path, {"game": "othello", "command": "honte book othello", **grower.about()})
    typer.echo(f"{path}: {len(made):,} positions, {path.stat().st_size:,} bytes")


def grow_go(path: Path, positions: int, corners: int, iterations: int) -> None:
    """Grow the book of Go; the searches are kept beside it, in two files."""
    from honte.learn.joseki import GoGrower
    from honte.search.joseki import SMALLEST, WHOLE, Book

    whole, corner = (
        GoGrower(path.with_name(f"{path.name}.{size}.work"), size, iterations)
        for size in (WHOLE, SMALLEST)
    )
    try:
        grow(whole, positions)
        grow(corner, corners)
    finally:
        made = Book({**whole.book().entries, **corner.book().entries})
        made.write(path, {"game": "go", "command": "honte book go", **whole.about()})
    typer.echo(f"{path}: {len(made):,} positions, {path.stat().st_size:,} bytes")


def grow(grower: Grower, positions: int) -> None:
    """Grow a book up to so many positions."""
    progress = Progress()
    try:
        grower.grow(positions, progress.tell)
    finally:
        progress.clear()


def check_entries(made: Book, solver: Solver, count: int, seed: int) -> None:
    """Solve a random sample again; a wrong score or a move that does not reach it fails."""
    from honte.search.book import state_of

    keys = made.keys()
    sample = random.Random(seed).sample(keys, min(count, len(keys)))
    wrong = 0
    progress = Progress()
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
                wrong += 1
                told = f"{entry.low} to {entry.high} in the book, {low} to {high} solved"
                typer.echo(f"{state.to_text()}: {told}")
                break
        progress.tell("solved again", number, len(sample))
    progress.clear()
    typer.echo(f"{len(sample)} of {len(keys):,} entries solved again, {wrong} wrong")
    if wrong:
        raise typer.Exit(1)
