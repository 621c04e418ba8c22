"""An engine process: ``python -m honte.web.worker``, which speaks JSON lines with the server.

    {"job": 7, "session": "s3", "do": "analyse", "game": …}     requests
    {"stop": 7}   {"close": "s3"}
    {"job": 7, "report": {…}, "done": false}                    replies

Every job has a thread of its own, so that a long search takes turns with the others; searches run
natively, with the GIL released. The process ends with its input, so none outlives the server.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import BinaryIO

import msgspec

from honte.core import games as registry
from honte.core.contract import State
from honte.core.descriptor import load
from honte.core.fault import Fault
from honte.core.language import plain
from honte.core.reason import Reason
from honte.core.report import Report
from honte.core.request import ANALYSIS_LINES, CancelToken, Limit, Request
from honte.core.scoring import agreed_pass, scoring_of
from honte.web import games
from honte.web.games import game_of
from honte.web.position import (
    SYMBOLS,
    Json,
    candidates_json,
    cells,
    count_json,
    read_states,
    report_json,
)
from honte.web.reviewing import Review, reason_json
from honte.web.slots import EngineSlot, EngineSlots, make_slot

NICENESS = 10
THREADS = 64
EVERY = 0.15
"""Minimum seconds between two reports."""
SLICE = 0.05
"""Seconds between two polls of the queries for the tree."""
CHOOSE_SECONDS = 1.0
STEP_SECONDS = 2.0
"""Seconds that a step waits for a search that is ending."""
MOST_CHILDREN = 40

Send = Callable[[Json], None]


class Cancelled(Exception):
    """The session no longer wants the answer."""


class Job:
    """A request in progress."""

    def __init__(self, number: int, message: Json, send: Send) -> None:
        self.number = number
        self.session = str(message["session"])
        self.message = message
        self.cancel = CancelToken()
        self.searching = False
        self._send = send

    def send(self, part: Json, done: bool = False) -> None:
        self._send({"job": self.number, **part, "done": done})


class Worker:
    """The jobs of a process."""

    def __init__(self, send: Send, budget: int) -> None:
        self._send = send
        self.slots = EngineSlots(budget)
        self.jobs: dict[int, Job] = {}
        self._threads = ThreadPoolExecutor(THREADS)  # they stay: a bot's process minds its parent
        self._cleanup = ThreadPoolExecutor(8)  # cancelling need not wait for a free job thread

    def handle(self, message: Json) -> None:
        """Handle one message; nothing here takes long."""
        if "stop" in message:
            job = self.jobs.get(message["stop"])
            if job is not None:
                self._cleanup.submit(job.cancel.cancel)
        elif "close" in message:
            for job in list(self.jobs.values()):
                if job.session == message["close"]:
                    self._cleanup.submit(job.cancel.cancel)
            self._cleanup.submit(self.slots.close_session, message["close"])
        elif message["do"] == "status":
            self._send(
                {
                    "job": message["job"],
                    "running": sum(job.searching for job in list(self.jobs.values())),
                    "slots": len(self.slots),
                    "pid": os.getpid(),
                    "done": True,
                }
            )
        else:
            job = Job(message["job"], message, self._send)
            self.jobs[job.number] = job
            self._threads.submit(self._run, job)

    def _run(self, job: Job) -> None:
        try:
            answer = HANDLERS[job.message["do"]](self, job)
        except Cancelled:
            answer = {"stopped": True}
        except Fault as fault:
            answer = {"error": f"the bot lost the game ({fault.reason}); choose another opponent"}
            print(f"honte: {job.message.get('player')}: {fault}", file=sys.stderr)
        except ValueError as error:
            answer = {"error": str(error)}
        except Exception as error:
            print(f"honte: {job.message['do']}: {type(error).__name__}: {error}", file=sys.stderr)
            answer = {"error": "the engine could not answer this request; try another"}
        finally:
            self.jobs.pop(job.number, None)
        if answer is not None:
            job.send(answer, done=True)

    # -- requests ----------------------------------------------------------------------

    def choose(self, job: Job) -> Json:
        state = position_of(job)
        # A game on the page ends by agreement: dead pieces need not be captured first.
        agreed = None if job.message.get("named") else agreed_pass(state)
        if agreed is not None:
            return {"report": report_json(state, agreed), "move": state.game.format(agreed.move)}
        slot = self._slot(job, job.message["player"])
        report = search(job, slot, state, limit_of(job))
        if report.memory > slot.memory * 2**20:  # a level's tree has bounds of its own
            slot.player.new_game()
        if job.cancel.cancelled:
            return {"report": report_json(state, report), "stopped": True}
        return {"report": report_json(state, report), "move": state.game.format(report.move)}

    def analyse(self, job: Job) -> Json:
        state = position_of(job)
        slot = self._slot(job, "analysis")
        self.slots.set_last_search(job.session, slot)
        report = search(job, slot, state, limit_of(job))
        why = [reason_json(reason) for reason in reasons_for(state, report)]
        return {
            "report": report_json(state, report),
            "why": why,
            "stopped": job.cancel.cancelled,
        }

    def score(self, job: Job) -> Json:
        """Count a finished game; with `dead` None the engine decides which pieces are dead."""
        message = job.message
        states = read_states(game_of(message["game"]), message["start"], message["moves"])
        scoring = scoring_of(states[-1])
        if scoring is None or not states[-1].is_over:
            raise ValueError("there is nothing to agree on in this position; play the game out")
        dead, toggle = message["dead"], message["toggle"]
        if dead is not None and toggle is not None:
            group = set(scoring.group(states[-1], toggle))
            dead = {*dead} - group if toggle in dead else {*dead} | group
        return {"count": count_json(scoring.count(states, dead))}

    def tree(self, job: Job) -> Json | None:
        slot = self._looked_into(job)
        if not slot.player.has_tree:
            raise ValueError("this player keeps no search tree; switch analysis on to see one")

        def query() -> None:
            try:
                job.send(node_json(slot, job.message["path"]), done=True)
            except ValueError as error:
                job.send({"error": str(error)}, done=True)

        slot.query(query)
        return None

    def step(self, job: Job) -> Json:
        """Run `n` more simulations in an analysis that has come to rest."""
        slot = self._looked_into(job)
        if not slot.lock.acquire(timeout=STEP_SECONDS):
            raise ValueError("a search is running; pause it before you take a step")
        try:
            state = slot.state
            assert state is not None
            report = slot.player.look([])
            if report is None or not report.iterations:
                raise ValueError("only a search by simulations can be taken step by step")
            if job.message["n"]:
                limit = Limit(iterations=job.message["n"])
                report = slot.player.choose(Request(state, limit=limit, all_moves=True))
            return {"report": report_json(state, report), **node_json(slot, [])}
        finally:
            slot.lock.release()

    def _looked_into(self, job: Job) -> EngineSlot:
        slot = self.slots.last_search(job.session)
        if slot is None or slot.state is None:
            raise ValueError("there is no search to look into yet; let the engine think first")
        return slot

    def review(self, job: Job) -> Json:
        message = job.message
        states = read_states(game_of(message["game"]), message["start"], message["moves"])
        job.searching = True
        seconds, memory, first = message["seconds"], message["memory"], message["first"]
        with Review(states, seconds, memory, job.cancel, first) as review:
            for part in review.remarks():
                if job.cancel.cancelled:
                    break
                job.send(part)
        return {"stopped": job.cancel.cancelled}

    def _slot(self, job: Job, name: str) -> EngineSlot:
        message = job.message
        game = game_of(message["game"])
        try:
            slot = self.slots.get(
                job.session, name, game.spec, message["memory"], message["threads"]
            )
        except (ValueError, OSError) as error:
            if message.get("named"):  # the error may name files that the browser must not learn
                print(f"honte: {name}: {error}", file=sys.stderr)
                raise ValueError(
                    f"the bot {name} cannot play here; the server's terminal says why"
                ) from None
            raise
        job.searching = True
        return slot


def position_of(job: Job) -> State:
    message = job.message
    state = read_states(game_of(message["game"]), message["start"], message["moves"])[-1]
    if state.is_over:
        raise ValueError("the game is over in this position; there is no move to choose")
    return state


def limit_of(job: Job) -> Limit:
    message = job.message
    return Limit(message["seconds"] or CHOOSE_SECONDS, message["iterations"])


def search(job: Job, slot: EngineSlot, state: State, limit: Limit) -> Report:
    """Let a player choose, and send reports while it thinks."""
    with slot.lock:
        if job.cancel.cancelled:
            raise Cancelled
        slot.begin(state)
        analysing = job.message["do"] == "analyse"
        sent = 0.0
        game = state.game

        def progress(report: Report) -> None:
            nonlocal sent
            slot.report = report
            slot.run_queries()
            if job.cancel.cancelled or time.monotonic() - sent < EVERY:
                return
            first, sent = not sent, time.monotonic()
            job.send({"report": report_json(state, report)})
            if first and analysing and game.descriptor.ownership is not None:
                owned = report.ownership or load(game.descriptor.ownership)(state)
                job.send({"ownership": [round(share, 2) for share in owned]})

        request = Request(
            state,
            limit=limit,
            lines=ANALYSIS_LINES if analysing else 1,
            all_moves=analysing,
            cancel=job.cancel,
            on_progress=progress,
            every=SLICE,
        )
        try:
            slot.report = slot.player.choose(request)
            return slot.report
        except Exception:
            if job.cancel.cancelled:  # a bot's process, killed while it was thinking
                raise Cancelled from None
            raise
        finally:
            slot.end()


def reasons_for(state: State, report: Report) -> list[Reason]:
    """What the position proves about the best move, compared with the next one that is worse."""
    ref, best = state.game.descriptor.explain, report.best
    if ref is None or best is None:
        return []
    worse = (found.move for found in report.candidates if found.value < best.value)
    other = next(worse, None)
    return [] if other is None else list(load(ref)(state, other, report.move))


def node_json(slot: EngineSlot, path: list[str]) -> Json:
    """A node of the tree and its children."""
    assert slot.state is not None
    state = slot.state
    moves = []
    for word in path:
        moves.append(state.game.parse(word))
        state = state.play(moves[-1])
    report = slot.player.look(moves)
    if report is None:
        raise ValueError("the search has not looked beyond this move; let it think on")
    if not path and not report.iterations and slot.report is not None:
        report = slot.report  # it may know more of the root: a book, a proof
    by_visits = sorted(report.candidates, key=lambda found: -found.visits)
    shown = by_visits[:MOST_CHILDREN]
    return {
        "node": {
            "visits": sum(found.visits for found in by_visits),
            "value": round(report.value, 4),
            "proven": report.proven,
            "kind": report.kind,
            "source": report.source,
            "cells": "".join(SYMBOLS[cell] for cell in cells(state)),
        },
        "children": candidates_json(state, shown, by_visits),
        "more": len(by_visits) - len(shown),
    }


HANDLERS: dict[str, Callable[[Worker, Job], Json | None]] = {
    "choose": Worker.choose,
    "analyse": Worker.analyse,
    "score": Worker.score,
    "tree": Worker.tree,
    "step": Worker.step,
    "review": Worker.review,
}


def warm_up() -> None:
    """Load and touch what the first search needs."""
    game = game_of(registry.names()[0])
    slot = make_slot("best", game.spec, 2, 1)
    slot.player.choose(game.start(), iterations=10)
    slot.close()


def warm_up_more() -> None:
    """Load what takes longer, such as evaluation tables, while nobody waits for it."""
    for name in registry.names():
        with contextlib.suppress(Exception):  # a game of another package
            make_slot("best", game_of(name).spec, 2, 1).close()


def serve(lines: BinaryIO, out: BinaryIO, budget: int) -> None:
    """Answer until the input ends."""
    lock = threading.Lock()

    def send(message: Json) -> None:
        line = msgspec.json.encode(message, enc_hook=plain) + b"\n"
        with lock:
            out.write(line)
            out.flush()

    worker = Worker(send, budget)
    warm_up()
    send({"job": 0, "ready": True, "done": True})
    threading.Thread(target=warm_up_more, daemon=True).start()
    for line in lines:
        worker.handle(msgspec.json.decode(line))


def main() -> None:
    """``worker BUDGET [FILE.py:GAME ...]``: megabytes for all trees, and the games of files."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    if sys.platform != "win32":
        os.nice(NICENESS)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # anything printed goes to the terminal
    budget, *files = sys.argv[1:]
    for spec in files:
        games.register(spec)
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        serve(sys.stdin.buffer, out, int(budget))
    os._exit(0)  # threads may be in the middle of a search


if __name__ == "__main__":
    main()
