"""``honte check BOT``: what is wrong with a bot, and how to mend it."""

from __future__ import annotations

import json
import sys
import textwrap
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from honte.bots.advice import Finding

MARKS = {"ok": "ok     ", "warning": "WARNING", "fault": "FAULT  "}
DEFAULT_GAMES = {
    "getpoint": "connect4:course",
    "saiblo": "connect4:course",
    "saiblo_json": "connect4:course",
    "gtp": "go:size=9",
    "nboard": "othello",
    "botzone": "othello",
    "botzone_simple": "othello",
}


def check(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A player spec: getpoint:./bot.so.")],
    game: Annotated[
        str | None, typer.Option("--game", metavar="G", help="What it plays; else a likely one.")
    ] = None,
    seconds: Annotated[float, typer.Option("--seconds", help="Time for a move.")] = 3.0,
    budget: Annotated[
        float, typer.Option("--budget", min=1, max=86_400, help="Seconds for the whole, about.")
    ] = 60.0,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Try a bot: does it start, answer in time, know the rules, start each game afresh?

    Exit status 0: nothing is wrong; 1: something is.
    """
    import honte
    from honte.bots.check import Check

    rules = honte.game(game or likely_game(bot))
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
    """What a bot plays if nobody says."""
    from honte.bots import names

    protocol = bot.strip().partition(":")[0]
    if ":" not in bot and (settings := names.find(protocol)):
        protocol = str(settings["spec"]).partition(":")[0]
    return DEFAULT_GAMES.get(protocol, "connect4")


def words_for(finding: Finding) -> str:
    """A finding for people."""
    indent = " " * 10
    head = f"{MARKS[finding.kind]}   {finding.name}: "
    lines = [fill(head + finding.seen, indent)]
    if finding.mend:
        lines.append(fill(f"{indent}→ {finding.mend}", indent + "  "))
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
        return f"{faults} faults: {names}. Mend the first one first; others may come from it."
    if warnings:
        count = "One warning" if warnings == 1 else f"{warnings} warnings"
        return f"Nothing is wrong. {count} to read."
    return "Nothing is wrong."


def as_dict(bot: str, game: str, times: list[float], found: list[Finding]) -> dict[str, object]:
    """The findings as programs read them."""
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
                "mend": finding.mend,
                "position": finding.position,
            }
            for finding in found
        ],
    }
