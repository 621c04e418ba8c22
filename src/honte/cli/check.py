"""``honte check BOT``: what is wrong with a bot, and how to fix it."""

from __future__ import annotations

import json
import sys
import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

from honte.core.columns import cut, left, width, wrap
from honte.core.language import Message, plural, tr

if TYPE_CHECKING:
    from honte.check.advice import Finding

MARKS = {"ok": Message("ok"), "warning": Message("WARNING"), "fault": Message("FAULT")}


def check(
    bot: Annotated[
        str, typer.Argument(metavar="BOT", help=tr("A player spec: getpoint:./bot.so."))
    ],
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="G", help=tr("Default: the protocol's usual game.")),
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", help=tr("Time for a move."))] = 3.0,
    budget: Annotated[
        float, typer.Option("--budget", min=1, max=86_400, help=tr("Approximate seconds in total."))
    ] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help=tr("One JSON object."))] = False,
) -> None:
    """Test a bot: start-up, response time, legality, independence of games.

    Exit status 0: no faults; 1: faults found.
    """
    import honte
    from honte.sandbox.names import need_posix

    need_posix()
    from honte.check import Check
    from honte.cli.match import tell_sandbox

    rules = honte.game(game or likely_game(bot))
    tell_sandbox([bot])
    live = sys.stderr.isatty()

    def progress(words: str) -> None:
        if live:
            print(cut(f"\r… {tr(words)}", 80), end="\033[K", file=sys.stderr, flush=True)

    def clear() -> None:
        if live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    trial = Check(bot, rules, seconds=seconds, budget=budget, on_progress=progress)
    found: list[Finding] = []
    interrupted = False
    if not as_json:
        told = tr("{bot}  on  {game}, {limit:g} s a move", bot=bot, game=rules.spec, limit=seconds)
        typer.echo(f"{told}\n")
    try:
        for finding in trial.run():
            clear()
            found.append(finding)
            if not as_json:
                typer.echo(words_for(finding))
    except KeyboardInterrupt:
        interrupted = True
    finally:
        clear()
    faults = sum(finding.kind == "fault" for finding in found)
    warnings = sum(finding.kind == "warning" for finding in found)
    if as_json:
        typer.echo(
            json.dumps({**as_dict(bot, rules.spec, trial.times, found), "interrupted": interrupted})
        )
    else:
        told = tr("interrupted") if interrupted else summary(faults, warnings, found)
        typer.echo(f"\n{told}")
    if interrupted:
        raise typer.Exit(130)
    if faults:
        raise typer.Exit(1)


def likely_game(bot: str) -> str:
    """The usual game of a bot's protocol."""
    from honte.games import BUILTIN
    from honte.sandbox import names
    from honte.sandbox.programs import PROTOCOLS

    protocol = bot.strip().partition(":")[0]
    if ":" not in bot and (settings := names.find(protocol)):
        protocol = str(settings["spec"]).partition(":")[0]
    usual = PROTOCOLS[protocol].default_game if protocol in PROTOCOLS else ""
    return usual or next(iter(BUILTIN))


def words_for(finding: Finding) -> str:
    """A finding as text."""
    indent = " " * 10
    told = tr("{name}: {seen}", name=tr(finding.name), seen=finding.seen)
    lines = [hanging(left(tr(MARKS[finding.kind]), 10), told)]
    if finding.fix:
        lines.append(hanging(f"{indent}→ ", tr(finding.fix)))
    if finding.picture:
        lines.append(textwrap.indent(finding.picture, indent + "  "))
    return "\n".join(lines)


def hanging(head: str, text: str) -> str:
    """A paragraph to the right of its head."""
    return head + ("\n" + " " * width(head)).join(wrap(text, 96 - width(head)))


def summary(faults: int, warnings: int, found: list[Finding]) -> str:
    """The last line: the number of faults and warnings."""
    if faults:
        names = [tr(finding.name) for finding in found if finding.kind == "fault"]
        if faults == 1:
            return tr("One fault: {name}.", name=names[0])
        return tr(
            "{n} faults: {names}. Fix the first one first; it may cause the others.",
            n=faults,
            names=tr(", ").join(names),
        )
    if warnings:
        return tr(
            plural(
                "Nothing is wrong. One warning to read.",
                "Nothing is wrong. {n} warnings to read.",
                warnings,
            )
        )
    return tr("Nothing is wrong.")


def as_dict(bot: str, game: str, times: list[float], found: list[Finding]) -> dict[str, object]:
    """The findings for JSON."""
    ranked = sorted(times)
    last = len(ranked) - 1
    return {
        "bot": bot,
        "game": game,
        "faults": sum(finding.kind == "fault" for finding in found),
        "warnings": sum(finding.kind == "warning" for finding in found),
        "moves": len(ranked),
        "p50_seconds": ranked[int(0.5 * last)] if ranked else None,
        "p99_seconds": ranked[int(0.99 * last)] if ranked else None,
        "max_seconds": ranked[-1] if ranked else None,
        "findings": [
            {
                "kind": finding.kind,
                "name": finding.name,
                "seen": finding.seen,
                "fix": finding.fix,
                "position": finding.position,
            }
            for finding in found
        ],
    }
