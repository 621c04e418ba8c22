"""``honte best GAME``: one decision, and what the engine sees."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from honte.cli.position import GameArgument, MovesOption, PositionOption, read_position
from honte.cli.progress import Screen
from honte.core.columns import left, right
from honte.core.language import tr

if TYPE_CHECKING:
    from collections.abc import Mapping

    from honte.core.contract import Game
    from honte.core.player import Player
    from honte.core.report import Candidate, Report
    from honte.core.spec import Option, Options


def best(
    game: GameArgument,
    position: PositionOption = None,
    moves: MovesOption = None,
    player: Annotated[
        str, typer.Option("--player", metavar="SPEC", help=tr("The player."))
    ] = "best",
    seconds: Annotated[
        float | None, typer.Option("--seconds", help=tr("Seconds to search."))
    ] = None,
    iterations: Annotated[int | None, typer.Option("--iterations", help=tr("Simulations."))] = None,
    settings: Annotated[
        bool,
        typer.Option("--settings", help=tr("List the player's settings with the values in use.")),
    ] = False,
    every: Annotated[
        bool, typer.Option("--all", help=tr("Analyse: a value for every move, not only the best."))
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help=tr("One JSON object."))] = False,
) -> None:
    """Choose a move: its value, the other candidates and the principal variation."""
    import honte

    rules, state = read_position(game, position, moves)
    limit = honte.Limit(seconds=seconds, iterations=iterations)
    if seconds is None and iterations is None:
        limit = honte.Limit(seconds=1)
    chooser = honte.player(player, rules)
    if settings:
        typer.echo(settings_table(chooser.options, chooser.effective_settings()))
        if limits := limits_table(chooser):
            typer.echo(limits)
        chooser.close()
        return
    screen = Screen(quiet=as_json)
    interrupted = False
    try:
        with screen:
            request = honte.Request(
                state,
                limit=limit,
                all_moves=every,
                on_progress=lambda report: screen.show(table(rules, report)),
            )
            report = chooser.choose(request)
    except honte.Interrupted as interrupt:
        report = interrupt.report
        interrupted = True
    finally:
        chooser.close()
    if as_json:
        typer.echo(json.dumps({**report.to_dict(), "memory": report.memory}))
    else:
        if state.last_move is not None or position:
            from honte.drawing.text import words

            typer.echo(f"{words(state)}\n")
        typer.echo(table(rules, report))
    if interrupted:
        raise typer.Exit(130)


def settings_table(options: Options, values: Mapping[str, object]) -> str:
    """The settings a spec may name with their values in use, the experimental ones last.

    >>> from honte.core.spec import Options, experimental, whole
    >>> print(settings_table(Options(whole("depth", 4, 1, 9, "plies")), {"depth": 6}))
    depth                 6             plies (a whole number from 1 to 9)
    """

    def line(option: Option) -> str:
        return f"{option.name:<21} {in_use(option, values[option.name]):<13} {help_words(option)}"

    usual = options.shown()
    rest = [option for option in options.shown(experimental=True) if option not in usual]
    lines = [line(option) for option in usual] or [tr("no settings")]
    return "\n".join([*lines, *([tr("experimental:")] if rest else []), *map(line, rest)])


def limits_table(player: Player) -> str:
    """The limits that the player's spec may name, with those that it names."""
    from honte.core.request import Limit
    from honte.core.spec import Options
    from honte.search.engine import LIMITS, Engine

    if not isinstance(player, Engine):
        return ""
    known = Options(*(option for option in LIMITS if option.name in player.limits))
    values = asdict(player.limit or Limit())
    return tr("limits, none by default:") + "\n" + settings_table(known, values)


def in_use(option: Option, value: object) -> str:
    """A value as a spec writes it."""
    if value is None:
        return next((word for word in ("first", "no") if reads_as_none(option, word)), "")
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def reads_as_none(option: Option, word: str) -> bool:
    try:
        return option.convert(word) is None
    except ValueError:
        return False


def help_words(option: Option) -> str:
    """What a setting does, and what it takes."""
    return tr("{help} ({expects})", help=tr(option.help), expects=tr(option.expects))


def table(game: Game, report: Report, most: int = 12) -> str:
    """A report as text: one line per candidate, with a bar for its share of the visits.

    Moves that a search has not visited have no value and are only counted. Searches without visits
    show scores in the game's unit, and bounds for the moves they refuted.
    """
    from honte.drawing.verdict import PROVEN, sentence

    counts = report.counts_visits
    visits = max(1, sum(candidate.visits for candidate in report.candidates))
    unit = game.descriptor.message(game.descriptor.proof_unit or game.descriptor.unit)
    third = tr("visits") if counts else tr("score")
    lines = [f"{left(tr('move'), 6)} {right(tr('value'), 7)} {right(third, 11)}"]
    seen = list(filter(report.has_seen, report.candidates))[:most]
    for candidate in seen:
        value = "" if candidate.kind == "bound" else f"{candidate.value:+.3f}"
        value = tr(PROVEN[candidate.proven]) if candidate.proven else value
        line = f"{game.format(candidate.move):<6} {right(value, 7)}"
        if counts:
            share = candidate.visits / visits
            line += (
                f" {candidate.visits:>11,} {100 * share:5.1f} % {'█' * round(30 * share) or '·'}"
            )
        else:
            line += f" {score_of(candidate):>11}  {tr(sentence(candidate, unit))}"
        lines.append(line.rstrip())
    if more := len(report.candidates) - len(seen):
        lines.append(tr("… and {count} more", count=more))
    value = tr("unknown") if report.kind == "bound" else f"{report.value:+.3f}"
    move = game.format(report.move)
    if report.proven:
        outcome = PROVEN[report.proven]
        told = tr(
            "{move}  (value {value}, a proven {outcome})", move=move, value=value, outcome=outcome
        )
    else:
        told = tr("{move}  (value {value})", move=move, value=value)
    line = " ".join(game.format(move) for move in report.pv[:16])
    lines += ["", told, tr("line: {line}", line=line)]
    if counts:
        work = tr(
            "{simulations:,} simulations in {seconds:.2f} s, {nodes:,} nodes, {memory:.0f} MB, "
            "depth {depth}",
            simulations=report.iterations,
            seconds=report.seconds,
            nodes=report.nodes,
            memory=report.memory / 2**20,
            depth=report.depth,
        )
    else:
        work = tr(
            "{nodes:,} nodes in {seconds:.2f} s, depth {depth}",
            nodes=report.nodes,
            seconds=report.seconds,
            depth=report.depth,
        )
    lines.append(tr("{work}, tree full", work=work) if report.full else work)
    return "\n".join(lines)


def score_of(candidate: Candidate) -> str:
    """A score in the game's unit, or the bound on it that says more.

    >>> from honte.core.report import Candidate
    >>> score_of(Candidate(3, score=12.5)), score_of(Candidate(3, kind="bound", bounds=(-64, 2)))
    ('+12.5', '≤+2')
    """
    from honte.drawing.verdict import brief, signed

    if candidate.kind == "estimate":
        return "" if candidate.score is None else signed(candidate.score, 1)
    return brief(candidate)
