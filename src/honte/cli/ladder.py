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
    from_store,
    handling_signals,
    running,
    set_sandbox,
)
from honte.games import MEASURED

COURSE_SECONDS = 3.0
QUICK_MOVE = 0.5
"""Seconds per move in a quick climb; a bot that takes the course's three does not lose on time."""
MARGIN = 0.5


def ladder(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A player spec.")],
    game: Annotated[str, typer.Option("--game", metavar="G", help="A game spec.")] = MEASURED,
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=100, help="Games per colour against each level.")
    ] = 1,
    top_rounds: Annotated[
        int | None,
        typer.Option("--top-rounds", min=1, max=100, help="The same from level 60 up."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Ten levels near the bot's strength, about 5 min.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", min=0.001, help="The bot's seconds per move (default 3)."),
    ] = None,
    workers: WorkersOption = 1,
    seed: SeedOption = 0,
    max_faults: FaultsOption = 5,
    sandbox: SandboxOption = None,
    store: Annotated[
        Path, typer.Option("--store", metavar="DB", help="Store the games, and resume from them.")
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
        raise ValueError("--quick chooses its own games; omit --rounds and --top-rounds")
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
        typer.echo(f"stopped: {results.stopped}, before a game was finished")
        exit_for(results.stopped)
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
    found = []
    board = make_game(game).spec
    # Two boards that differ only by the seed they are drawn from are alike.
    kinds = [{**settings_of(spec), "seed": ""} for spec in (game, on)]
    if kinds[0] != kinds[1] and board != make_game(on).spec:
        found.append(f"the levels were measured on {on}; elsewhere their ratings are approximate")
    if not is_measured_with(about["engine"], levels_of(rules)):
        found.append(
            "the engine has changed since the levels were measured; "
            f"`honte calibrate {name}` measures them again"
        )
    return found


def written(found: dict[str, Any], remarks: Sequence[str] = ()) -> str:
    """The table, with figures and remarks below it."""
    from honte.arena.report import milliseconds, printable

    allowed = f"at most {found['seconds']:g} s per move"
    lines = [f"{printable(found['bot'])} on {found['game']}, {allowed}"]
    lines.append("  level   Elo   first W-D-L  second W-D-L  points   rate")
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
        lines.append(f"time per move: {', '.join(taken)}")
    for fault in found["faults"]:
        what = shortened(f"{fault['reason']}: {printable(str(fault['detail']))}".rstrip(": "))
        lines.append(f"fault against level {fault['level']} as {fault['side']}: {what}")
    if found["retired"]:
        lines.append(
            f"retired after faults in a row ({shortened(printable(found['retired']))}); "
            "its remaining games count as lost"
        )
    store = shlex.quote(found["store"])
    for lost in found["lost"]:
        how = f"after {lost['plies']} plies"
        if lost["reason"] != "played out":
            how += f" ({lost['reason']})"
        where = f"lost to level {lost['level']:>3} as {lost['side']:<6} {how}"
        lines.append(f"{where:<50} honte show {lost['id']} --store {store}")
    lines += [f"note: {note}" for note in found["notes"]]
    lines += [printable(line) for line in remarks]
    lines.append(f"stopped: {found['stopped']}; the games are in {found['store']}")
    return "\n".join(lines)


def figures(found: dict[str, Any], games: int, points: int) -> list[str]:
    """The score, the rates and the rating."""
    tally = f"+{found['wins']} ={found['draws']} -{found['losses']}"
    lines = [f"{games} games {tally}"]
    if not found["quick"]:
        lines.append(
            f"course score {found['course_score']:g} of 40"
            f"   ({points} points * 40 / {2 * games}; a win 2, a draw 1)"
        )
        lines.append(
            f"mean of the rates {100 * found['mean_rate']:.1f} %"
            f" over {len(found['opponents'])} opponents"
        )
        if found["top_five_rate"] is not None:
            lines.append(f"against the top five {100 * found['top_five_rate']:.1f} %")
    rating = f"rating {found['elo']:.0f} ± {found['elo_error']:.0f} Elo"
    if not found["losses"] and not found["draws"]:
        rating = f"rating above that of level {found['opponents'][-1]['level']}: it won every game"
    elif not found["wins"] and not found["draws"]:
        rating = f"rating below that of level {found['opponents'][0]['level']}: it lost every game"
    else:
        rating += {0: ", below level 1", 101: ", above level 100"}.get(
            found["level"], f", about level {found['level']}"
        )
        rating += f" ({found['rank']})" if found["rank"] else ""
    lines.append(rating)
    return lines


def tally(counts: dict[str, int]) -> str:
    return f"{counts['wins']}-{counts['draws']}-{counts['losses']}"


def shortened(text: str, most: int = 160) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
