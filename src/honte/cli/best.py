"""``honte best GAME``: one decision, and what the engine sees."""

from __future__ import annotations

import inspect
import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honte.cli.position import GameArgument, MovesOption, PositionOption, read_position

if TYPE_CHECKING:
    from honte.games.contract import Game
    from honte.search.report import Candidate, Report


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
        if live and "on_progress" in inspect.signature(chooser.choose).parameters:
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
                "score": candidate.score,
            }
            for candidate in report.candidates
        ],
    }


def table(game: Game, report: Report, most: int = 12) -> str:
    """A report for people: one line a candidate, with a bar for its share of the visits.

    Searches that count no visits show values, and scores where they know them.
    """
    counts = any(candidate.visits for candidate in report.candidates)
    visits = max(1, sum(candidate.visits for candidate in report.candidates))
    scores = any(candidate.score is not None for candidate in report.candidates)
    last = f"{'visits':>11}" if counts else f"{'score':>11}" if scores else ""
    lines = [f"{'move':<6} {'value':>7} {last}".rstrip()]
    for candidate in report.candidates[:most]:
        value = candidate.proven or f"{candidate.value:+.3f}"
        line = f"{game.format(candidate.move):<6} {value:>7}"
        share = candidate.visits / visits
        if counts:
            line += f" {candidate.visits:>11,} {100 * share:5.1f} %"
        elif scores:
            line += " " * 12 if candidate.score is None else f" {bounded(candidate):>11}"
            share = (1 + candidate.value) / 2
        lines.append(f"{line} {'█' * round(30 * share) or '·'}")
    if len(report.candidates) > most:
        lines.append(f"… and {len(report.candidates) - most} more")
    proven = f", a proven {report.proven}" if report.proven else ""
    line = " ".join(game.format(move) for move in report.pv[:16])
    lines += [
        "",
        f"{game.format(report.move)}  (value {report.value:+.3f}{proven})",
        f"line: {line}",
    ]
    work = f"{report.iterations:,} simulations" if counts else f"{report.nodes:,} nodes"
    size = f", {report.nodes:,} nodes, {report.memory / 2**20:.0f} MB" if counts else ""
    full = ", tree full" if report.full else ""
    lines.append(f"{work} in {report.seconds:.2f} s{size}, depth {report.depth}{full}")
    return "\n".join(lines)


def bounded(candidate: Candidate) -> str:
    """A score; of a move that was only refuted, the most that it can be."""
    return f"{'≤ ' if candidate.low < candidate.high else ''}{candidate.score:+.1f}"


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
