"""``honte solve GAME``: the exact value of a position, or of a file of them."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from honte.cli.position import GameArgument, MovesOption, PositionOption, read_position

if TYPE_CHECKING:
    from honte.games.contract import Game, State
    from honte.search.solver import Solved, Solver


def solve(
    game: GameArgument,
    position: PositionOption = None,
    moves: MovesOption = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--file",
            metavar="FILE",
            help="One position a line: OBF (Othello), moves and a value (Connect Four).",
        ),
    ] = None,
    wld: Annotated[bool, typer.Option("--wld", help="Only win, loss or draw.")] = False,
    every: Annotated[
        bool | None,
        typer.Option("--all/--best", help="The value of every move (default: not with --file)."),
    ] = None,
    threads: Annotated[int, typer.Option("--threads", min=1, max=64, help="Threads.")] = 1,
    seconds: Annotated[
        float | None, typer.Option("--seconds", min=0.001, help="The most for a position.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Prove the value of a position and its best moves, or say how far the proof got."""
    if file is not None and (position is not None or moves is not None):
        raise ValueError("--file brings its own positions; leave out --position and --moves")
    rules, state = read_position(game, position, moves)
    if rules.name not in SOLVERS:
        raise ValueError(f"there is no solver for {rules.name}; there is one for {known()}")
    settings = {"wld": wld, "every": (file is None) if every is None else every}
    problems = SOLVERS[rules.name](rules, file) if file is not None else []
    from honte.search.solver import Solver

    solver = Solver(rules, threads=threads)
    asked = Asked(rules, solver, settings, seconds, quiet=as_json, line=file is None)
    if file is None:
        one_position(asked, state, as_json)
    else:
        many_positions(asked, problems, as_json)


# -- files: for each game that has a solver, how its files are read ---------------------------


class Problem(NamedTuple):
    """A position, with what a file says of its value and of its moves'."""

    state: State
    value: int | None
    moves: dict[int, int]


def othello_file(game: Game, path: str) -> list[Problem]:
    """OBF: a value for each move."""
    from honte.games.records import obf

    if game.spec != "othello":
        raise ValueError("OBF files hold positions of 8×8; ask for othello")
    return [
        Problem(
            game.from_text(p.position), max(p.moves.values()) if p.moves else None, dict(p.moves)
        )
        for p in obf.load(path)
    ]


def connect4_file(game: Game, path: str) -> list[Problem]:
    """Moves or a board, and the value of the position."""
    from honte.games.records import columns

    return [Problem(state, value, {}) for state, value in columns.load(game, path)]


SOLVERS: dict[str, Callable[[Game, str], list[Problem]]] = {
    "othello": othello_file,
    "connect4": connect4_file,
}


def known() -> str:
    return ", ".join(SOLVERS)


class Asked:
    """What is asked of every position, and how progress is shown."""

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
        self._live = sys.stderr.isatty() and not quiet
        self._shown = 0.0

    def solve(self, state: State) -> Solved:
        self.announce(state)
        try:
            return self.solver.solve(
                state,
                **self.settings,
                seconds=self.seconds,
                line=self.line,
                on_progress=self.progress,
            )
        finally:
            if self._live and self._shown:
                print("\r\033[K", end="", file=sys.stderr, flush=True)
                self._shown = 0.0

    def announce(self, state: State) -> None:
        """Say how long it may take, where that is not soon."""
        from honte.search.solver import check_solvable, empties, expected

        check_solvable(self.game, state)
        seconds = expected(state)
        if seconds > 10 and (self.seconds is None or seconds > self.seconds):
            print(
                f"{empties(state)} empties take {in_words(seconds)} or so; "
                "Ctrl-C ends it with what is proved by then",
                file=sys.stderr,
                flush=True,
            )

    def progress(self, so_far: Solved) -> None:
        now = time.monotonic()
        if self._live and so_far.seconds > 1 and now - self._shown > 0.25:
            self._shown = now
            line = f"\rscore {span(so_far)}: {so_far.nodes:,} nodes, {so_far.seconds:.0f} s"
            print(line, end="\033[K", file=sys.stderr, flush=True)


def in_words(seconds: float) -> str:
    """A length of time, roughly.

    >>> in_words(40), in_words(7200), in_words(7e12)
    ('40 seconds', '2 hours', '220 thousand years')
    """
    for unit, length in (("year", 3.15e7), ("day", 86400), ("hour", 3600), ("minute", 60)):
        count = seconds / length
        if count >= 1.5:
            for word, size in (("billion", 1e9), ("million", 1e6), ("thousand", 1e3)):
                if count >= size:
                    return f"{float(f'{count / size:.2g}'):.0f} {word} {unit}s"
            return f"{count:.0f} {unit}s"
    return f"{seconds:.0f} seconds"


# -- one position ------------------------------------------------------------------------------


def one_position(asked: Asked, state: State, as_json: bool) -> None:
    interrupted = False
    try:
        solved = asked.solve(state)
    except KeyboardInterrupt as interrupt:
        if not hasattr(interrupt, "report"):
            raise
        solved = interrupt.report
        interrupted = True
    if as_json:
        typer.echo(json.dumps(as_dict(asked.game, state, solved)))
    else:
        typer.echo(f"{state}\n\n{table(asked.game, state, solved)}")
    if interrupted:
        raise typer.Exit(130)


def as_dict(game: Game, state: State, solved: Solved) -> dict[str, object]:
    """A proof as programs read it: moves as people write them."""
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
    """What is known of a score."""
    if solved.low == solved.high:
        return f"{solved.low:+d}"
    return f"{solved.low:+d} to {solved.high:+d}"


def table(game: Game, state: State, solved: Solved) -> str:
    lines = [f"{'move':<6} score"]
    lines += [f"{game.format(move.move):<6} {span(move)}" for move in solved.moves]
    verdict = f"score {span(solved)}" + (f", a {solved.outcome}" if solved.outcome else "")
    verdict += last_stone(state, solved)
    if not solved.finished:
        verdict += f" (not finished: {solved.stopped})"
    line = " ".join(game.format(move) for move in solved.pv)
    rate = f"{solved.nodes:,} nodes in {solved.seconds:.2f} s"
    return "\n".join([*lines, "", verdict, *([f"line: {line}"] if line else []), rate])


def last_stone(state: State, solved: Solved) -> str:
    """With which stone of the game a win of Connect Four is complete."""
    if state.game.name != "connect4" or not solved.score:
        return ""
    cells = sum(cell != 3 for cell in state.cells())  # type: ignore[attr-defined]
    stones = (cells + 1) // 2 + 1 - abs(solved.score)
    winner = state.to_move ^ (solved.score < 0)
    return f" with stone {2 * stones - 1 + winner}"


# -- a file ----------------------------------------------------------------------------------


def many_positions(asked: Asked, problems: list[Problem], as_json: bool) -> None:
    rows: list[dict[str, object]] = []
    interrupted = False
    if not as_json:
        typer.echo(
            f"{'#':>4} {'empties':>7} {'score':>9} {'known':>6} {'move':<5} {'nodes':>15} {'s':>8}"
        )
    for number, problem in enumerate(problems, start=1):
        state = problem.state
        try:
            solved = asked.solve(state)
        except ValueError as error:
            raise ValueError(f"position {number}: {error}") from None
        except KeyboardInterrupt:
            interrupted = True
            break
        row = {**as_dict(asked.game, state, solved), **verdict_of(solved, problem, asked.settings)}
        rows.append(row)
        if not as_json:
            typer.echo(as_line(number, asked.game, state, solved, row))
    missed = sum(row["ok"] is False for row in rows)
    totals = {
        "solved": sum(
            row["outcome" if asked.settings["wld"] else "score"] is not None for row in rows
        ),
        "missed": missed,
        "nodes": sum(int(str(row["nodes"])) for row in rows),
        "seconds": round(sum(float(str(row["seconds"])) for row in rows), 6),
    }
    if as_json:
        typer.echo(json.dumps({"positions": rows, **totals}))
    else:
        typer.echo(
            f"{totals['solved']} of {len(problems)} solved, {missed} known values missed, "
            f"{totals['nodes']:,} nodes in {totals['seconds']:.2f} s"
        )
    if interrupted:
        raise typer.Exit(130)
    if missed:
        raise typer.Exit(1)


def verdict_of(solved: Solved, problem: Problem, settings: dict[str, bool]) -> dict[str, object]:
    """The known value, and whether it was met: by the score, with --all by every move's."""
    if problem.value is None:
        return {"expected": None, "ok": None}

    def meets(low: int, high: int, value: int) -> bool:
        if settings["wld"]:
            return (low > 0) == (value > 0) and (high < 0) == (value < 0)
        return low == high == value

    ok = meets(solved.low, solved.high, problem.value)
    if settings["every"]:
        ok = ok and all(
            meets(m.low, m.high, problem.moves.get(m.move, m.low)) for m in solved.moves
        )
    return {"expected": problem.value, "ok": ok}


def as_line(number: int, game: Game, state: State, solved: Solved, row: dict[str, object]) -> str:
    from honte.search.solver import empties

    score = f"{solved.low:+d}" if solved.score is not None else f"{solved.low:+d}..{solved.high:+d}"
    expected = "" if row["expected"] is None else f"{row['expected']:+d}"
    mark = {True: "", False: "  missed", None: ""}[row["ok"]]  # type: ignore[index]
    return (
        f"{number:>4} {empties(state):>7} {score:>9} {expected:>6} "
        f"{game.format(solved.moves[0].move):<5} {solved.nodes:>15,} {solved.seconds:>8.2f}{mark}"
    )
