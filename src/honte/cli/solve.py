"""``honte solve GAME``: the exact value of a position, or of a file of positions."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from honte.cli.position import GameArgument, MovesOption, PositionOption, read_position
from honte.cli.progress import Screen
from honte.core.columns import left, right
from honte.core.language import Message, tr
from honte.drawing.verdict import PROVEN

if TYPE_CHECKING:
    from honte.core.contract import Game, State
    from honte.search.solver import Problem, Solved, Solver


def solve(
    game: GameArgument,
    position: PositionOption = None,
    moves: MovesOption = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help=tr("One position per line in the game's format, with its value if known."),
        ),
    ] = None,
    wld: Annotated[bool, typer.Option("--wld", help=tr("Only win, loss or draw."))] = False,
    every: Annotated[
        bool | None,
        typer.Option(
            "--all/--best", help=tr("The value of every move (default: not with --file).")
        ),
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, max=64, help=tr("Threads."))] = 1,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.001, help=tr("Time limit per position."))
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help=tr("One JSON object."))] = False,
) -> None:
    """Prove the value of a position and its best moves, or give bounds."""
    if file is not None and (position is not None or moves is not None):
        raise ValueError(Message("--file has its own positions; leave out --position and --moves"))
    rules, state = read_position(game, position, moves)
    settings = {"wld": wld, "all_moves": (file is None) if every is None else every}
    from honte.search.solver import solver_of

    solver = solver_of(rules, threads=threads)
    solving = Solving(rules, solver, settings, seconds, quiet=as_json, line=file is None)
    if file is None:
        one_position(solving, state, as_json)
    else:
        many_positions(solving, solver.read_file(file), as_json)


class Solving:
    """The solver with the options of the command, and its progress."""

    def __init__(
        self,
        game: Game,
        solver: Solver,
        settings: dict[str, bool],
        seconds: float | None,
        quiet: bool,
        line: bool,
    ) -> None:
        self.line = line
        self.game, self.solver, self.settings, self.seconds = game, solver, settings, seconds
        self._screen = Screen(quiet)

    def solve(self, state: State) -> Solved:
        self.announce(state)
        with self._screen:
            return self.solver.solve(
                state,
                wld=self.settings["wld"],
                all_moves=self.settings["all_moves"],
                seconds=self.seconds,
                line=self.line,
                on_progress=self.progress,
                every=0.25,
            )

    def announce(self, state: State) -> None:
        """Print the expected time if it is long."""
        from honte.search.solver import empties

        self.solver.check(state)
        seconds = self.solver.expected_seconds(state)
        if seconds > 10 and (self.seconds is None or seconds > self.seconds):
            print(
                tr(
                    "{n} empties take about {time}; Ctrl-C prints what is proven so far",
                    n=empties(state),
                    time=in_words(seconds),
                ),
                file=sys.stderr,
                flush=True,
            )

    def progress(self, so_far: Solved) -> None:
        if so_far.seconds > 1:
            self._screen.show(
                tr(
                    "score {span}: {nodes:,} nodes, {seconds:.0f} s",
                    span=span(so_far),
                    nodes=so_far.nodes,
                    seconds=so_far.seconds,
                )
            )


def in_words(seconds: float) -> str:
    """A length of time, roughly.

    >>> in_words(40), in_words(7200), in_words(7e12)
    ('40 seconds', '2 hours', '220 thousand years')
    """
    for unit, length in UNITS:
        count = seconds / length
        if count >= 1.5:
            return large(count, unit)
    return tr("{seconds:.0f} seconds", seconds=seconds)


UNITS = (
    (Message("years"), 3.15e7),
    (Message("days"), 86400),
    (Message("hours"), 3600),
    (Message("minutes"), 60),
)
STOPPED = (Message("time"), Message("stopped"), Message("interrupted"))


def large(count: float, unit: Message) -> str:
    """A count with two digits: 220 thousand years."""
    if count >= 1e9:
        return tr("{count:.0f} billion {unit}", count=float(f"{count / 1e9:.2g}"), unit=unit)
    if count >= 1e6:
        return tr("{count:.0f} million {unit}", count=float(f"{count / 1e6:.2g}"), unit=unit)
    if count >= 1e3:
        return tr("{count:.0f} thousand {unit}", count=float(f"{count / 1e3:.2g}"), unit=unit)
    return tr("{count:.0f} {unit}", count=count, unit=unit)


# -- one position ------------------------------------------------------------------------------


def one_position(solving: Solving, state: State, as_json: bool) -> None:
    from honte.core.request import Interrupted

    interrupted = False
    try:
        solved = solving.solve(state)
    except Interrupted as interrupt:
        solved = interrupt.report
        interrupted = True
    if as_json:
        typer.echo(json.dumps(as_dict(solving.game, state, solved)))
    else:
        meaning = "" if solved.score is None else solving.solver.explain(state, solved.score)
        from honte.drawing.text import words

        typer.echo(f"{words(state)}\n\n{table(solving.game, solved, meaning)}")
    if interrupted:
        raise typer.Exit(130)


def as_dict(game: Game, state: State, solved: Solved) -> dict[str, object]:
    """A proof for JSON, moves in notation."""
    return {
        "position": state.to_text(),
        "score": solved.score,
        "low": solved.low,
        "high": solved.high,
        "outcome": solved.outcome,
        "moves": [
            {"move": game.format(m.move), "value": m.score, "low": m.low, "high": m.high}
            for m in solved.moves
        ],
        "pv": [game.format(move) for move in solved.pv],
        "nodes": solved.nodes,
        "seconds": round(solved.seconds, 6),
        "stopped": solved.stopped,
    }


def span(solved: Any) -> str:
    """A score, or its bounds."""
    if solved.low == solved.high:
        return f"{solved.low:+d}"
    return tr("{low:+d} to {high:+d}", low=solved.low, high=solved.high)


def table(game: Game, solved: Solved, meaning: str) -> str:
    lines = [f"{left(tr('move'), 6)} {tr('score')}"]
    lines += [f"{game.format(move.move):<6} {span(move)}" for move in solved.moves]
    verdict = tr("score {score}", score=span(solved))
    if solved.outcome:
        verdict = tr(
            "score {score}, a {outcome}", score=span(solved), outcome=PROVEN[solved.outcome]
        )
    verdict += f" {tr(meaning)}" if meaning else ""
    if not solved.finished:
        verdict += tr(" (not finished: {why})", why=tr(str(solved.stopped)))
    line = " ".join(game.format(move) for move in solved.pv)
    rate = tr("{nodes:,} nodes in {seconds:.2f} s", nodes=solved.nodes, seconds=solved.seconds)
    return "\n".join(
        [*lines, "", verdict, *([tr("line: {line}", line=line)] if line else []), rate]
    )


# -- a file ----------------------------------------------------------------------------------


def many_positions(solving: Solving, problems: list[Problem], as_json: bool) -> None:
    rows: list[dict[str, object]] = []
    interrupted = False
    if not as_json:
        typer.echo(
            f"{'#':>4} {right(tr('empties'), 7)} {right(tr('score'), 9)} {right(tr('known'), 6)} "
            f"{left(tr('move'), 5)} {right(tr('nodes'), 15)} {right(tr('s'), 8)}"
        )
    for number, problem in enumerate(problems, start=1):
        state = problem.state
        try:
            solved = solving.solve(state)
        except ValueError as error:
            raise ValueError(
                Message("position {number}: {error}", number=number, error=error)
            ) from None
        except KeyboardInterrupt:
            interrupted = True
            break
        row = {
            **as_dict(solving.game, state, solved),
            **verdict_of(solved, problem, solving.settings),
        }
        rows.append(row)
        if not as_json:
            typer.echo(as_line(number, solving.game, state, solved, row))
    missed = sum(row["ok"] is False for row in rows)
    totals = {
        "solved": sum(
            row["outcome" if solving.settings["wld"] else "score"] is not None for row in rows
        ),
        "missed": missed,
        "nodes": sum(int(str(row["nodes"])) for row in rows),
        "seconds": round(sum(float(str(row["seconds"])) for row in rows), 6),
    }
    if as_json:
        typer.echo(json.dumps({"positions": rows, **totals}))
    else:
        typer.echo(
            tr(
                "{solved} of {count} solved, {missed} known values missed, {nodes:,} nodes in "
                "{seconds:.2f} s",
                solved=totals["solved"],
                count=len(problems),
                missed=missed,
                nodes=totals["nodes"],
                seconds=totals["seconds"],
            )
        )
    if interrupted:
        raise typer.Exit(130)
    if missed:
        raise typer.Exit(1)


def verdict_of(solved: Solved, problem: Problem, settings: dict[str, bool]) -> dict[str, object]:
    """The known value, and whether the score (with --all, every move's) agrees."""
    if problem.value is None:
        return {"expected": None, "ok": None}

    def meets(low: int, high: int, value: int) -> bool:
        if settings["wld"]:
            return (low > 0) == (value > 0) and (high < 0) == (value < 0)
        return low == high == value

    ok = meets(solved.low, solved.high, problem.value)
    if settings["all_moves"]:
        ok = ok and all(
            meets(m.low, m.high, problem.moves.get(m.move, m.low)) for m in solved.moves
        )
    return {"expected": problem.value, "ok": ok}


def as_line(number: int, game: Game, state: State, solved: Solved, row: dict[str, object]) -> str:
    from honte.search.solver import empties

    score = f"{solved.low:+d}" if solved.score is not None else f"{solved.low:+d}..{solved.high:+d}"
    expected = "" if row["expected"] is None else f"{row['expected']:+d}"
    mark = "  " + tr("missed") if row["ok"] is False else ""
    return (
        f"{number:>4} {empties(state):>7} {score:>9} {expected:>6} "
        f"{game.format(solved.moves[0].move):<5} {solved.nodes:>15,} {solved.seconds:>8.2f}{mark}"
    )
