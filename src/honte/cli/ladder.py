"""``honte ladder BOT``: rate a bot by games against the levels, the course's batch."""

from __future__ import annotations

import json
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from honte.cli.match import (
    FaultsOption,
    JsonOption,
    PlotOption,
    SandboxOption,
    SeedOption,
    WorkersOption,
    exit_for,
    exit_without_games,
    from_store,
    handling_signals,
    running,
    set_sandbox,
)
from honte.core.columns import left
from honte.core.language import Message, tr
from honte.games import MEASURED

COURSE_SECONDS = 3.0
QUICK_MOVE = 0.5
"""Seconds per move in a quick climb; a bot that takes the course's three does not lose on time."""
MARGIN = 0.5
SIDES = {"first": Message("first"), "second": Message("second")}


def ladder(
    bot: Annotated[str, typer.Argument(metavar="BOT", help=tr("A player spec."))],
    game: Annotated[str, typer.Option("--game", metavar="G", help=tr("A game spec."))] = MEASURED,
    rounds: Annotated[
        int,
        typer.Option("--rounds", min=1, max=100, help=tr("Games per colour against each level.")),
    ] = 1,
    top_rounds: Annotated[
        int | None,
        typer.Option("--top-rounds", min=1, max=100, help=tr("The same from level 60 up.")),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help=tr("Ten levels near the bot's strength, about 5 min."))
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", min=0.001, help=tr("The bot's seconds per move (default 3).")),
    ] = None,
    workers: WorkersOption = 1,
    seed: SeedOption = 0,
    max_faults: FaultsOption = 5,
    sandbox: SandboxOption = None,
    store: Annotated[
        Path,
        typer.Option("--store", metavar="DB", help=tr("Store the games, and resume from them.")),
    ] = Path("ladder.db"),
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a bot against levels 2, 4, ..., 100, both colours; prints score, rating, losses."""
    from honte.arena import ladder as ladders
    from honte.arena import plot as plots
    from honte.arena.identity import hashes, identity
    from honte.arena.report import Live
    from honte.arena.schedule import Clock, Plan
    from honte.core.games import game as make_game
    from honte.core.request import Limit
    from honte.players.level import table

    if quick and (rounds != 1 or top_rounds is not None):
        raise ValueError(Message("--quick chooses its own games; omit --rounds and --top-rounds"))
    set_sandbox(sandbox)
    rules = make_game(game)
    rungs = table(rules)
    limit, margin = seconds or COURSE_SECONDS, MARGIN
    if quick and seconds is None:
        limit, margin = QUICK_MOVE, MARGIN + COURSE_SECONDS - QUICK_MOVE
    if plot is not None:
        plots.check(plot)
    engines = {bot: identity(bot, game)} | ladders.identities(rungs, rules)
    plan = Plan(
        game=game,
        limit=Limit(seconds=limit),
        seed=seed,
        clock=Clock(margin),
        versions=hashes(engines),
    )
    results = ladders.Ladder(bot, rungs)
    upper = rounds if top_rounds is None else top_rounds
    below = sum(level < ladders.TOP for level in ladders.LEVELS)
    planned = 2 * (below * rounds + (len(ladders.LEVELS) - below) * upper)
    live = Live(2 * ladders.QUICK_RUNGS if quick else planned)
    command = {"command": "ladder", "bot": bot, "game": game, "seed": seed, "quick": quick}
    with (
        running(workers, store, max_faults, command, engines) as run,
        handling_signals(run, results),
    ):
        playing = (
            ladders.climb(results, plan, run)
            if quick
            else ladders.play(results, plan, rounds, upper, run)
        )
        try:
            for _ in playing:
                if live.due():
                    elo, error = results.rating()
                    words = f"{results.total}  Elo {elo:.0f} ± {error:.0f}"
                    live.show(results.total.games, run.found, words)
        finally:
            live.clear()
            playing.close()
            if not results.stopped:
                for played in run.leftover:
                    results.add(played)
    if not results.total.games:
        exit_without_games(results.stopped)
        return
    found = results.summary() | {
        "game": game,
        "seed": seed,
        "seconds": limit,
        "quick": quick,
        "times": run.latencies.summary().get(bot),
        **from_store(run),
        "store": str(store),
        "notes": notes(rules.name, game),
    }
    typer.echo(json.dumps(found) if as_json else written(found, run.left_out.lines()))
    if plot is not None:
        plots.plot_ladder(found, rungs, plot)
    exit_for(results.stopped)


def notes(name: str, game: str) -> list[str]:
    """Caveats about the ratings of the levels."""
    from honte.core.games import game as make_game
    from honte.core.games import settings_of
    from honte.players.level import is_measured_with, levels_of, measured

    rules = make_game(name)
    about = measured(rules)
    on = about["measured_on"]
    found: list[str] = []
    board = make_game(game).spec
    # Two boards that differ only by the seed they are drawn from are alike.
    kinds = [{**settings_of(spec), "seed": ""} for spec in (game, on)]
    if kinds[0] != kinds[1] and board != make_game(on).spec:
        found.append(
            Message(
                "the levels were measured on {on}; elsewhere their ratings are approximate", on=on
            )
        )
    if not is_measured_with(about["engine"], levels_of(rules)):
        found.append(
            Message(
                "the engine has changed since the levels were measured; `honte calibrate "
                "{name}` measures them again",
                name=name,
            )
        )
    return found


def written(found: dict[str, Any], remarks: Sequence[str] = ()) -> str:
    """The table, with figures and remarks below it."""
    from honte.arena.report import fault_words, milliseconds, printable

    lines = [
        tr(
            "{bot} on {game}, at most {seconds:g} s per move",
            bot=printable(found["bot"]),
            game=found["game"],
            seconds=found["seconds"],
        )
    ]
    lines.append(tr("  level   Elo   first W-D-L  second W-D-L  points   rate"))
    for row in found["opponents"]:
        first, second = tally(row["first"]), tally(row["second"])
        lines.append(
            f"  {row['level']:>5}  {row['elo']:>4.0f}   {first:>11}  {second:>12}  "
            f"{row['points']:>6}  {100 * row['rate']:>4.0f} %"
        )
    games, points = found["games"], found["points"]
    lines += ["", *figures(found, games, points)]
    if found["times"] and found["times"]["moves"]:
        taken = (f"{key} {milliseconds(found['times'][key])}" for key in ("p50", "p99", "max"))
        lines.append(tr("time per move: {taken}", taken=", ".join(taken)))
    for fault in found["faults"]:
        what = shortened(fault_words(fault["reason"], fault["detail"]))
        lines.append(
            tr(
                "fault against level {level} as {side}: {what}",
                level=fault["level"],
                side=tr(SIDES[fault["side"]]),
                what=what,
            )
        )
    if found["retired"]:
        lines.append(
            tr(
                "retired after faults in a row ({why}); its remaining games count as lost",
                why=shortened(printable(tr(found["retired"]))),
            )
        )
    store = shlex.quote(found["store"])
    for lost in found["lost"]:
        how = tr("after {plies} plies", plies=lost["plies"])
        if lost["reason"] != "played out":
            how += f" ({tr(lost['reason'])})"
        where = tr(
            "lost to level {level:>3} as {side} {how}",
            level=lost["level"],
            side=left(tr(SIDES[lost["side"]]), 6),
            how=how,
        )
        lines.append(f"{left(where, 50)} honte show {lost['id']} --store {store}")
    lines += [tr("note: {note}", note=note) for note in found["notes"]]
    lines += [printable(tr(line)) for line in remarks]
    lines.append(
        tr(
            "stopped: {stopped}; the games are in {store}",
            stopped=tr(found["stopped"]),
            store=found["store"],
        )
    )
    return "\n".join(lines)


def figures(found: dict[str, Any], games: int, points: int) -> list[str]:
    """The score, the rates and the rating."""
    tally = f"+{found['wins']} ={found['draws']} -{found['losses']}"
    lines = [tr("{games} games {tally}", games=games, tally=tally)]
    if not found["quick"]:
        lines.append(
            tr(
                "course score {course_score:g} of 40   ({points} points * 40 / {games}; a win "
                "2, a draw 1)",
                course_score=found["course_score"],
                points=points,
                games=2 * games,
            )
        )
        lines.append(
            tr(
                "mean of the rates {mean_rate:.1f} % over {count} opponents",
                mean_rate=100 * found["mean_rate"],
                count=len(found["opponents"]),
            )
        )
        if found["top_five_rate"] is not None:
            lines.append(
                tr(
                    "against the top five {top_five_rate:.1f} %",
                    top_five_rate=100 * found["top_five_rate"],
                )
            )
    if not found["losses"] and not found["draws"]:
        level = found["opponents"][-1]["level"]
        rating = tr("rating above that of level {level}: it won every game", level=level)
    elif not found["wins"] and not found["draws"]:
        level = found["opponents"][0]["level"]
        rating = tr("rating below that of level {level}: it lost every game", level=level)
    else:
        elo, error, level = found["elo"], found["elo_error"], found["level"]
        if level == 0:
            rating = tr("rating {elo:.0f} ± {error:.0f} Elo, below level 1", elo=elo, error=error)
        elif level == 101:
            rating = tr("rating {elo:.0f} ± {error:.0f} Elo, above level 100", elo=elo, error=error)
        else:
            rating = tr(
                "rating {elo:.0f} ± {error:.0f} Elo, about level {level}",
                elo=elo,
                error=error,
                level=level,
            )
        rating += f" ({tr(found['rank'])})" if found["rank"] else ""
    lines.append(rating)
    return lines


def tally(counts: dict[str, int]) -> str:
    return f"{counts['wins']}-{counts['draws']}-{counts['losses']}"


def shortened(text: str, most: int = 160) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
