"""``honte check BOT``: what is wrong with a bot, and how to fix it."""

from __future__ import annotations

import json
import sys
import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from honte.check.advice import Finding

MARKS = {"ok": "ok     ", "warning": "WARNING", "fault": "FAULT  "}


def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A player spec: getpoint:./bot.so.")],
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="G", help="Default: the protocol's usual game."),
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="Time for a move.")] = 3.0,
    budget: Annotated[
        float, typer.Option("--budget", min=1, max=86_400, help="Approximate seconds in total.")
    ] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
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
            print(f"\r… {words}"[:79], end="\033[K", file=sys.stderr, flush=True)

    def clear() -> None:
        if live:
            print("\r\033[K", end="", file=sys.stderr, flush=True)

    trial = Check(bot, rules, seconds=seconds, budget=budget, on_progress=progress)
    found: list[Finding] = []
    interrupted = False
    if not as_json:
        typer.echo(f"{bot}  on  {rules.spec}, {seconds:g} s a move\n")
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
        typer.echo("\ninterrupted" if interrupted else f"\n{summary(faults, warnings, found)}")
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
    head = f"{MARKS[finding.kind]}   {finding.name}: "
    lines = [fill(head + finding.seen, indent)]
    if finding.fix:
        lines.append(fill(f"{indent}→ {finding.fix}", indent + "  "))
    if finding.picture:
        lines.append(textwrap.indent(finding.picture, indent + "  "))
    return "\n".join(lines)


def fill(text: str, indent: str) -> str:
    return textwrap.fill(
        text, 96, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def summary(faults: int, warnings: int, found: list[Finding]) -> str:
    """The last line."""
    if faults:
        names = ", ".join(finding.name for finding in found if finding.kind == "fault")
        if faults == 1:
            return f"One fault: {names}."
        return f"{faults} faults: {names}. Fix the first one first; it may cause the others."
    if warnings:
        count = "One warning" if warnings == 1 else f"{warnings} warnings"
        return f"Nothing is wrong. {count} to read."
    return "Nothing is wrong."


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
