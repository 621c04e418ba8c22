"""``honte match A B``: two players, sides alternating on paired openings."""

from __future__ import annotations

import json
import sys
import time
from typing import Annotated

import typer


def match(
    a: Annotated[str, typer.Argument(metavar="A", help="A player spec.")],
    b: Annotated[str, typer.Argument(metavar="B", help="Another one.")],
    game: Annotated[str, typer.Option("--game", metavar="G", help="A game spec.")] = "connect4",
    games: Annotated[int, typer.Option("--games", min=1, max=1_000_000)] = 20,
    seconds: Annotated[float | None, typer.Option("--seconds", help="Time for a move.")] = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", help="Simulations for a move.")
    ] = None,
    workers: Annotated[int, typer.Option("--workers", min=1, max=256)] = 1,
    seed: Annotated[int, typer.Option("--seed", min=0, help="Boards and openings.")] = 0,
    opening_plies: Annotated[
        int | None, typer.Option("--opening-plies", min=0, max=100, help="Random moves at first.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Play a match and say who is stronger, with the error."""
    from honte.arena.match import Standing, play_match, schedule
    from honte.arena.statistics import summary
    from honte.games.registry import game as make_game
    from honte.players.registry import player
    from honte.search.limit import Limit

    limit = Limit(seconds=seconds, iterations=iterations) if seconds or iterations else None
    for spec in (a, b):
        player(spec, make_game(game)).close()  # a wrong spec is said before anything is played
    tasks = list(schedule(a, b, game, games, limit, seed, opening_plies))
    standing = Standing()
    started = time.monotonic()
    shown = started
    try:
        for played in play_match(tasks, workers):
            standing.add(played)
            if time.monotonic() - shown > 1 and sys.stderr.isatty():
                shown = time.monotonic()
                total = standing.total
                left = (shown - started) / total.games * (games - total.games)
                line = f"\r{total.games}/{games}  +{total.wins} ={total.draws} -{total.losses}"
                print(f"{line}  {left:.0f} s left", end="\033[K", file=sys.stderr, flush=True)
        standing.stopped = "all games played"
    except KeyboardInterrupt:
        standing.stopped = "interrupted"
        if not standing.played:
            raise
    if shown != started:
        print("\r\033[K", end="", file=sys.stderr)
    found = summary(standing)
    if as_json:
        typer.echo(json.dumps(found))
    else:
        typer.echo(table(a, b, found))
    if standing.stopped == "interrupted":
        raise typer.Exit(130)


def table(a: str, b: str, found: dict[str, object]) -> str:
    """The result in a few lines."""

    def row(name: str, tally: object) -> str:
        assert isinstance(tally, dict)
        wins, draws, losses = tally["wins"], tally["draws"], tally["losses"]
        return f"  {name:<13} +{wins} ={draws} -{losses}"

    score = (
        f"{100 * float(str(found['score'])):.1f} ± {100 * float(str(found['score_error'])):.1f} %"
    )
    return "\n".join(
        [
            f"{a}  against  {b}: {found['games']} games, {found['distinct']} different",
            row("all", found),
            row("moving first", found["first"]),
            row("second", found["second"]),
            f"  score {score}, Elo {found['elo']:+} ± {found['elo_error']}",
            f"  stopped: {found['stopped']}",
        ]
    )
