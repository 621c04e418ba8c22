"""Page, terminal, `best --json`, GTP and NBoard say the same of a position at equal limits.

What `honte best --json` prints is the reference: it has every number, unrounded. Each of the
others shows some of them, and what it shows must agree. Every surface is queried as its users
would: the page over its web socket, the terminal by the text on its panel, the engines by their
protocols.
"""

from __future__ import annotations

import json
import math
import random
import re
import threading
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import honte
from honte.analysis.review import DEFAULT_LIMIT
from honte.core.contract import State
from honte.core.report import Report
from honte.core.scoring import agreed_pass
from honte.protocols.nboard import NBoard
from honte.protocols.nboard_engine import NBoardEngine
from honte.terminal import panel
from honte.terminal.engine_thread import Answer, EngineThread, Job
from honte.terminal.session import Session
from honte.web.reviewing import Review
from tests import loops
from tests.cli.command import honte as command
from tests.protocols.scripted import Gtp, Tape
from tests.web.live import LiveServer

BATCH, BATCHES = 20, 10
"""Of the long run: 200 positions of each game."""
QUICK = 4
SECONDS = 60
"""Far more than the iterations take: the limit that ends a search is not the time."""

Json = dict[str, Any]


class Board(NamedTuple):
    """A game to ask about."""

    spec: str
    iterations: int
    longest: int
    """Moves that a position is from the start at most."""


BOARDS = [
    Board("connect4", 4000, 36),
    Board("connect4:rows=9,cols=10,blocked=3/4", 400, 70),
    Board("othello", 3000, 56),
    Board("go:size=9", 200, 80),
]


class Asked(NamedTuple):
    """A position, and the limit at which every surface is queried."""

    state: State
    moves: list[str]
    iterations: int

    @property
    def game(self) -> honte.Game:
        return self.state.game


def positions(board: Board, count: int, seed: int) -> Iterator[Asked]:
    """Random positions with more than one legal move, at every depth.

    Where a pass ends the game by agreement, the page and the terminal pass: between people, dead
    pieces need not be captured, so that is no disagreement.
    """
    game, draw = honte.game(board.spec), random.Random(f"surfaces {board.spec} {seed}")
    while count:
        state, moves = game.start(), list[str]()
        for _ in range(draw.randint(0, board.longest)):
            if state.is_over:
                break
            move = draw.choice(state.legal_moves())
            moves.append(game.format(move))
            state = state.play(move)
        if not state.is_over and len(state.legal_moves()) > 1 and agreed_pass(state) is None:
            count -= 1
            yield Asked(state, moves, board.iterations)


# -- the surfaces ------------------------------------------------------------------------


def best_says(asked: Asked, every: bool) -> Json:
    """``honte best --json``, with ``--all`` for an analysis."""
    moves = ("--moves", ",".join(asked.moves)) if asked.moves else ()
    more = ("--all",) if every else ()
    limit = ("--iterations", str(asked.iterations))
    done = command("best", asked.game.spec, *moves, *limit, *more, "--json")
    assert done.code == 0, done.errors
    found: Json = json.loads(done.output)
    return found


@pytest.fixture(scope="module")
def page() -> Iterator[LiveServer]:
    server = LiveServer()
    server.engines.threads = 1  # several threads would make the tree nondeterministic
    yield server
    server.close()


def page_says(page: LiveServer, asked: Asked, do: str) -> Json:
    """The report from which the page draws; a new visitor has a new tree."""
    limit = {"iterations": asked.iterations, "seconds": SECONDS}
    with page.connect() as visitor:
        part = visitor.ask(do, game=asked.game.spec, moves=asked.moves, **limit)
    assert "error" not in part, part
    if do == "choose":
        assert part["move"] == part["report"]["move"]
    found: Json = part["report"]
    return found


def terminal_shows(board: Board, positions: list[Asked]) -> list[str]:
    """The panel of the terminal beside each position, once its analysis has finished."""
    pytest.importorskip("textual")
    from honte.terminal.tui import BoardApp

    limit = honte.Limit(iterations=board.iterations)
    app = BoardApp(Session(honte.game(board.spec)), analysis=True, analysis_limit=limit)
    texts: list[str] = []

    async def main() -> None:
        async with app.run_test(size=(120, 60)) as pilot:
            for asked in positions:
                app.start_game(Session(asked.game, states=[asked.state]))
                waited = time.monotonic()
                while app.engine_thread.job is not None or asked.state not in app.reports:
                    assert time.monotonic() < waited + SECONDS
                    await pilot.pause(0.01)
                await pilot.pause()
                texts.append(str(app.side_panel.content))

    loops.run(main())
    return texts


def terminal_plays(asked: Asked) -> str:
    """The panel with the report by which the terminal's engine moves."""
    player, done, reports = honte.player("best", asked.game), threading.Event(), list[Report]()

    def tell(answer: Answer) -> None:
        if answer.final:
            assert answer.report is not None, answer.error
            reports.append(answer.report)
            done.set()

    thread = EngineThread(tell)
    thread.think(Job(player, asked.state, honte.Limit(iterations=asked.iterations), "move"))
    assert done.wait(SECONDS)
    thread.close()
    player.close()
    session, names = Session(asked.game, states=[asked.state]), ("X", "O")
    return str(panel.render(session, names, names, None, reports[0], {}, {}, 80, 60))


def gtp_says(gtp: Gtp, asked: Asked, kind: str) -> tuple[list[Json], str]:
    """The moves of the last line of ``lz-`` or ``kata-genmove_analyze``, and the move played."""
    gtp.tell("clear_board")
    state = asked.game.start()
    for move in asked.moves:
        gtp.tell(f"play {'bw'[state.to_move]} {move}")
        state = state.play(asked.game.parse(move))
    answer = gtp.ask(f"{kind}-genmove_analyze {'bw'[state.to_move]} 100").splitlines()
    assert answer[0] == "="
    return [read_info(info) for info in answer[-2].split("info ")[1:]], answer[-1]


def read_info(text: str) -> Json:
    numbers, _, line = text.partition(" pv ")
    words = numbers.split()
    return {**dict(zip(words[::2], words[1::2], strict=True)), "pv": line.split()}


def nboard_says(asked: Asked, line: str) -> list[str]:
    tape = Tape()
    engine = NBoardEngine(asked.game, f"best:iterations={asked.iterations}", tape)
    moves = [asked.game.parse(move) for move in asked.moves]
    engine.handle(f"set game {NBoard(asked.game).ggf(moves)}\n".encode())
    tape.taken()
    engine.handle(line.encode() + b"\n")
    engine.close()
    return tape.taken().splitlines()


# -- what must agree -----------------------------------------------------------------------

ROOT = ("move", "value", "kind", "proven", "distance", "score", "source", "iterations", "depth")
CANDIDATE = ("move", "visits", "value", "kind", "proven", "low", "high", "prior", "source")


def check_page(page: Json, best: Json) -> None:
    for name in ROOT:
        assert page[name] == rounded(best[name]), name
    assert page["pv"] == best["pv"]
    assert len(page["candidates"]) == len(best["candidates"])
    for shown, one in zip(page["candidates"], best["candidates"], strict=True):
        source = one["source"] if shown["source"] else ""
        for name in CANDIDATE:
            expected = source if name == "source" else rounded(one[name])
            assert shown[name] == expected, (one["move"], name)
        assert shown.get("distance", 0) == one["distance"]
        assert shown.get("bounds") == (one["bounds"] and [*map(rounded, one["bounds"])])
        check_score(shown.get("score"), one["score"], 0.0001)
        if "pv" in shown and len(one["line"]) > 1:
            assert shown["pv"] == one["line"]


def rounded(value: Any) -> Any:
    return round(value, 4) if isinstance(value, float) else value


def check_score(shown: float | None, score: float | None, error: float) -> None:
    """A surface may leave a score out; Go runs more playouts for more displayed lines."""
    if shown is not None and score is not None:
        assert abs(shown - score) <= error


TERMINAL = re.compile(r"(\S+) +(\S*(?: \d+)?) +([\d.]+[kMG]?)  .*")
UNCOUNTED = re.compile(r"(\S+) +(\S+(?: \d+)?)  .*")


def check_bar(text: str, best: Json, side: int) -> None:
    """Who is ahead, in the terminal; a bound has no chance to show."""
    bar = re.search(r"^\S+ +(\d+)% .* (\d+)% \S+$", text, re.MULTILINE)
    assert (bar is None) == (best["kind"] == "bound")
    if bar is not None:
        near(int(bar[1 + side]), 50 * (1 + best["value"]), 0.5)


def check_terminal(text: str, best: Json) -> None:
    """Candidates and principal variation on the terminal's panel."""
    lines = text.splitlines()
    counted = any(one["visits"] for one in best["candidates"])
    first = next(place for place, line in enumerate(lines) if line.startswith("move")) + 1
    table = list(zip(lines[first:], best["candidates"][:12], strict=False))
    for line, one in table:
        found = (TERMINAL if counted else UNCOUNTED).fullmatch(line)
        assert found is not None, line
        assert found[1] == one["move"]
        if counted:
            assert found[3] == panel.short_count(one["visits"])
        check_verdict(found[2], one, counted)
    words = lines[first + len(table)].split()
    assert words[0] == "line:"
    shown = [word for word in words[1:] if word != "…"]
    assert shown == best["pv"][: len(shown)]
    assert shown


def near(shown: float, value: float, error: float) -> None:
    assert abs(shown - value) <= error + 1e-6, (shown, value)


def check_verdict(text: str, one: Json, counted: bool) -> None:
    """A few characters of the terminal: a score, a proof, a bound or a chance."""
    if text == "":
        assert counted
        assert not one["visits"]
    elif text[0] in "≤≥":
        assert one["kind"] == "bound"
        low, high = one["bounds"]
        assert number(text[1:]) == (math.ceil(high) if text[0] == "≤" else math.floor(low))
    elif text[0] in "WLD":
        assert one["proven"][0].upper() == text[0]
        assert text[1:] == "" or int(text[1:]) == (one["distance"] + 1) // 2
    elif text.endswith("%"):
        assert one["kind"] == "estimate"
        near(int(text[:-1]), 50 * (1 + one["value"]), 0.5)
    elif one["kind"] == "exact":
        assert number(text) == one["score"]
    else:
        assert one["kind"] == "estimate"
        if one["score"] is not None:
            near(number(text), one["score"], 0.05 if "." in text else 0.5)


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def check_gtp(shown: list[Json], played: str, best: Json, kata: bool) -> None:
    assert played == f"play {best['move']}"
    known = [one for one in best["candidates"] if one["kind"] != "bound" or one["proven"]]
    counted = any(one["visits"] for one in known)
    known = [one for one in known if one["visits"] or not counted]
    assert [info["move"] for info in shown] == [one["move"] for one in known]
    for order, (info, one) in enumerate(zip(shown, known, strict=True)):
        assert int(info["order"]) == order
        assert int(info["visits"]) == max(1, one["visits"])
        scale, error = (1, 1e-6) if kata else (10_000, 0.5)
        near(float(info["winrate"]), scale * (1 + one["value"]) / 2, error)
        near(float(info["lcb"]), scale * max(0.0, 1 + one["low"]) / 2, error)
        if "scoreLead" in info:
            check_score(float(info["scoreLead"]), one["score"], 0.001)
        else:
            assert not kata or one["score"] is None
        if len(one["line"]) > 1:
            assert info["pv"] == one["line"][: len(info["pv"])]
    assert shown[0]["pv"] == best["pv"][: len(shown[0]["pv"])]


def check_go(asked: Asked, best: Json) -> None:
    """NBoard's ``go``."""
    (answer,) = (line for line in nboard_says(asked, "go") if line.startswith("=== "))
    move, discs, _ = answer[4:].split("/")
    assert move == best["move"].upper()
    near(float(discs), best["score"], 0.005)


def check_hints(asked: Asked, best: Json) -> None:
    """NBoard's ``hint``."""
    hints = [line.split() for line in nboard_says(asked, "hint 64") if line.startswith("search ")]
    assert len(hints) == len(best["candidates"])
    for (_, line, discs, *_), one in zip(hints, best["candidates"], strict=True):
        assert line.startswith(one["move"].upper())
        near(float(discs), one["score"], 0.005)


# -- the tests -----------------------------------------------------------------------------


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.spec)
def test_every_surface_says_the_same_of_a_position(page: LiveServer, board: Board) -> None:
    drawn = list(positions(board, QUICK, seed=0))
    compare_surfaces(page, board, drawn[::2], drawn[1::2])


@pytest.mark.long
@pytest.mark.parametrize("batch", range(1, BATCHES + 1))
@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.spec)
def test_every_surface_says_the_same_of_many_positions(
    page: LiveServer, board: Board, batch: int
) -> None:
    drawn = list(positions(board, BATCH, seed=batch))
    compare_surfaces(page, board, drawn, drawn)


def compare_surfaces(
    page: LiveServer, board: Board, analysed: list[Asked], chosen: list[Asked]
) -> None:
    """Ask every surface for an analysis of the first positions, and for a move in the others."""
    speaks_gtp = board.spec.startswith(("go", "othello"))
    gtp = Gtp(board.spec, f"best:iterations={board.iterations}") if speaks_gtp else None
    kinds: dict[str, int] = {}
    for asked, text in zip(analysed, terminal_shows(board, analysed), strict=True):
        best = best_says(asked, every=True)
        check_page(page_says(page, asked, "analyse"), best)
        check_terminal(text, best)
        check_bar(text, best, asked.state.to_move)
        if board.spec == "othello":
            check_hints(asked, best)
        kind = f"{best['kind']} by {best['source']}"
        kinds[kind] = kinds.get(kind, 0) + 1
    for number, asked in enumerate(chosen):
        best = best_says(asked, every=False)
        check_page(page_says(page, asked, "choose"), best)
        check_terminal(terminal_plays(asked), best)
        if gtp is not None:
            kind = ("kata", "lz")[number % 2]
            check_gtp(*gtp_says(gtp, asked, kind), best, kind == "kata")
        if board.spec == "othello":
            check_go(asked, best)
    print(f"{board.spec}: {len(analysed)} analyses agree; {kinds}")


def test_a_review_takes_the_same_time_on_every_surface() -> None:
    seconds = DEFAULT_LIMIT.seconds
    assert seconds is not None
    assert (60 + 60 + 1) * seconds <= 20  # a search of each position, and of each better move
    assert f"default {seconds}" in " ".join(command("review", "--help").output.split())
    states = [honte.game("connect4").start()]
    with Review(states, None, 8, honte.CancelToken()) as review:
        assert review.reviewer.limit == DEFAULT_LIMIT
    pytest.importorskip("textual")
    from honte.terminal.tui import BoardApp

    assert BoardApp(Session(honte.game("connect4"))).review_limit == DEFAULT_LIMIT
