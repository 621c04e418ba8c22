"""``honte best GAME``: one decision, and what the engine sees."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honte.cli.position import GameArgument, MovesOption, PositionOption, read_position

if TYPE_CHECKING:
    from honte.games.contract import Game
    from honte.search.report import Report


def best(
    game: GameArgument,
    position: PositionOption = None,
    moves: MovesOption = None,
    player: Annotated[str, typer.Option("--player", metavar="SPEC", help="Who decides.")] = "best",
    seconds: Annotated[float | None, typer.Option("--seconds", help="Time to think.")] = None,
    iterations: Annotated[int | None, typer.Option("--iterations", help="Simulations.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Choose a move: its value, its rivals, and what is expected to follow."""
    import honte

    rules, state = read_position(game, position, moves)
    limit = honte.Limit(seconds=seconds, iterations=iterations)
    if seconds is None and iterations is None:
        limit = honte.Limit(seconds=1)
    chooser: Any = honte.player(player, rules)
    live = Live(rules) if sys.stderr.isatty() and not as_json else None
    interrupted = False
    try:
        if live and hasattr(chooser, "uct"):
            report = chooser.choose(state, limit, live.show)
        else:
            report = chooser.choose(state, limit)
    except KeyboardInterrupt as interrupt:
        report = getattr(interrupt, "report", None)
        if report is None:
            raise
        interrupted = True
    finally:
        if live:
            live.clear()
        chooser.close()
    if as_json:
        typer.echo(json.dumps(as_dict(rules, report)))
    else:
        if state.last_move is not None or position:
            typer.echo(f"{state}\n")
        typer.echo(table(rules, report))
    if interrupted:
        raise typer.Exit(130)


def as_dict(game: Game, report: Report) -> dict[str, object]:
    """A report as programs read it: moves as people write them."""
    return {
        "move": game.format(report.move),
        "value": report.value,
        "proven": report.proven,
        "iterations": report.iterations,
        "nodes": report.nodes,
        "seconds": report.seconds,
        "depth": report.depth,
        "memory": report.memory,
        "stopped": report.stopped,
        "pv": [game.format(move) for move in report.pv],
        "candidates": [
            {
                "move": game.format(candidate.move),
                "visits": candidate.visits,
                "value": candidate.value,
                "proven": candidate.proven,
            }
            for candidate in report.candidates
        ],
    }


def table(game: Game, report: Report, most: int = 12) -> str:
    """A report for people: one line a candidate, with a bar for its share of the visits."""
    visits = max(1, sum(candidate.visits for candidate in report.candidates))
    lines = [f"{'move':<6} {'value':>7} {'visits':>11}"]
    for candidate in report.candidates[:most]:
        share = candidate.visits / visits
        bar = "█" * round(30 * share) or "·"
        value = candidate.proven or f"{candidate.value:+.3f}"
        name = game.format(candidate.move)
        lines.append(f"{name:<6} {value:>7} {candidate.visits:>11,} {100 * share:5.1f} % {bar}")
    if len(report.candidates) > most:
        lines.append(f"… and {len(report.candidates) - most} more")
    proven = f", a proven {report.proven}" if report.proven else ""
    line = " ".join(game.format(move) for move in report.pv[:16])
    lines += [
        "",
        f"{game.format(report.move)}  (value {report.value:+.3f}{proven})",
        f"line: {line}",
    ]
    lines.append(
        f"{report.iterations:,} simulations in {report.seconds:.2f} s, "
        f"{report.nodes:,} nodes, {report.memory / 2**20:.0f} MB, depth {report.depth}"
        + (", tree full" if report.full else "")
    )
    return "\n".join(lines)


class Live:
    """The table while the search is on, redrawn in place on the standard error."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._lines = 0

    def show(self, report: Report) -> None:
        text = table(self._game, report)
        self.clear()
        print(text, file=sys.stderr, flush=True)
        self._lines = text.count("\n") + 1

    def clear(self) -> None:
        if self._lines:
            print(f"\033[{self._lines}A\033[J", end="", file=sys.stderr, flush=True)
            self._lines = 0
