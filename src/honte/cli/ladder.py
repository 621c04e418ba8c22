"""``honte ladder BOT``: the course's batch against the levels, and what it says about the bot."""

from __future__ import annotations

import json
import shlex
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
    keep_bots_by,
    leave,
    running,
    version_of,
    watched,
)

COURSE_SECONDS = 3.0
QUICK_MOVE = 0.5
"""Seconds for a move of a quick climb. A bot that takes the course's three is not held to it."""
MARGIN = 0.5


def ladder(
    bot: Annotated[str, typer.Argument(metavar="BOT", help="A player spec.")],
    game: Annotated[
        str, typer.Option("--game", metavar="G", help="A game spec.")
    ] = "connect4:course",
    rounds: Annotated[
        int, typer.Option("--rounds", min=1, max=100, help="Games a side against each level.")
    ] = 1,
    top_rounds: Annotated[
        int | None,
        typer.Option("--top-rounds", min=1, max=100, help="The same from level 60 up."),
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="Ten levels near the bot's own, about five minutes.")
    ] = False,
    seconds: Annotated[
        float | None,
        typer.Option("--seconds", min=0.001, help="The bot's time for a move; 3, as the course."),
    ] = None,
    workers: WorkersOption = 1,
    seed: SeedOption = 0,
    max_faults: FaultsOption = 5,
    sandbox: SandboxOption = None,
    store: Annotated[
        Path, typer.Option("--store", metavar="DB", help="Keep the games; go on from there.")
    ] = Path("ladder.db"),
    plot: PlotOption = None,
    as_json: JsonOption = False,
) -> None:
    """Play a bot against the levels 2, 4, ..., 100, both sides: score, rating, every loss."""
    from honte.arena import ladder as ladders
    from honte.arena import plot as plots
    from honte.arena.report import Live
    from honte.arena.schedule import Clock, Plan
    from honte.games.registry import game as make_game
    from honte.players.level import table
    from honte.search.limit import Limit

    if quick and (rounds != 1 or top_rounds is not None):
        raise ValueError("--quick chooses its games itself; leave --rounds and --top-rounds out")
    keep_bots_by(sandbox)
    rules = make_game(game)
    rungs = table(rules.name)
    limit, margin = seconds or COURSE_SECONDS, MARGIN
    if quick and seconds is None:
        limit, margin = QUICK_MOVE, MARGIN + COURSE_SECONDS - QUICK_MOVE
    if plot is not None:
        plots.check(plot)
    plan = Plan(
        game=game,
        limit=Limit(seconds=limit),
        seed=seed,
        clock=Clock(margin),
        versions={bot: version_of(bot, game)} | ladders.versions(rungs),
    )
    results = ladders.Ladder(bot, rungs)
    upper = rounds if top_rounds is None else top_rounds
    below = sum(level < ladders.TOP for level in ladders.LEVELS)
    planned = 2 * (below * rounds + (len(ladders.LEVELS) - below) * upper)
    live = Live(2 * ladders.QUICK_RUNGS if quick else planned)
    command = {"command": "ladder", "bot": bot, "game": game, "seed": seed, "quick": quick}
    with running(workers, store, max_faults, command) as run, watched(run, results):
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
        leave(results.stopped)
        return
    found = results.summary() | {
        "game": game,
        "seed": seed,
        "seconds": limit,
        "quick": quick,
        "times": run.latencies.summary().get(bot),
        "from_store": run.found,
        "store": str(store),
        "notes": notes(rules.name, game),
    }
    typer.echo(json.dumps(found) if as_json else written(found))
    if plot is not None:
        plots.plot_ladder(found, rungs, plot)
    leave(results.stopped)


def notes(name: str, game: str) -> list[str]:
    """Where the ratings of the levels do not quite hold."""
    from honte.games.registry import game as make_game
    from honte.games.spec import split
    from honte.players.level import dial_of, is_measured_with, measured

    about = measured(name)
    on = about["measured_on"]
    found = []
    board = make_game(game).spec
    course = all(split(spec)[1].get("course") in ("yes", "true", "1") for spec in (game, on))
    if not course and board != make_game(on).spec:
        found.append(f"the levels were measured on {on}; elsewhere their ratings are a guide")
    if not is_measured_with(about["engine"], dial_of(name)):
        found.append(
            "the engine has changed since the levels were measured; "
            f"`honte calibrate {name}` measures them again"
        )
    return found


def written(found: dict[str, Any]) -> str:
    """The table of the reports, and the figures below it."""
    from honte.arena.report import milliseconds, printable

    allowed = f"at most {found['seconds']:g} s a move"
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
        lines.append(f"time a move: {', '.join(taken)}")
    for fault in found["faults"]:
        what = shortened(f"{fault['reason']}: {printable(str(fault['detail']))}".rstrip(": "))
        lines.append(f"fault against level {fault['level']} as {fault['side']}: {what}")
    if found["retired"]:
        lines.append(
            f"retired after faults in a row ({shortened(printable(found['retired']))}); "
            "the games it did not play count as lost"
        )
    store = shlex.quote(found["store"])
    for lost in found["lost"]:
        how = f"after {lost['plies']} plies"
        if lost["reason"] != "played out":
            how += f" ({lost['reason']})"
        where = f"lost to level {lost['level']:>3} as {lost['side']:<6} {how}"
        lines.append(f"{where:<50} honte show {lost['id']} --store {store}")
    lines += [f"note: {note}" for note in found["notes"]]
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
