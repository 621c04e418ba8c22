"""A process that thinks: ``python -m honte.web.worker``, spoken to by the server in JSON lines.

    {"job": 7, "visitor": "v3", "do": "analyse", "game": …}     to it
    {"stop": 7}   {"leave": "v3"}
    {"job": 7, "report": {…}, "done": false}                    from it

Every job has a thread of its own, so that a long search takes turns with the others; searches run
natively, without the interpreter's lock. It ends with its input, so none outlives the server.
"""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, BinaryIO

import msgspec

from honte.bots.faults import Fault
from honte.bots.serve.status import ownership
from honte.search.limit import Limit
from honte.search.report import Report
from honte.web.position import Json, candidates_json, game_of, read_states, report_json
from honte.web.reviewing import Review
from honte.web.seats import Seat, Seats, make_seat

NICENESS = 10
THREADS = 64
FIRST = 0.04
"""Seconds until the first numbers are shown."""
EVERY = 0.15
"""Seconds between later ones."""
SLICE = 0.05
TREE_SECONDS = 0.5
"""For the tree of a position that was searched without one."""
CHOOSE_SECONDS = 1.0
MOST_CHILDREN = 40

Send = Callable[[Json], None]


class Stopped(Exception):
    """The visitor does not want the answer any more."""


class Job:
    """A request under way."""

    def __init__(self, number: int, message: Json, send: Send) -> None:
        self.number = number
        self.visitor = str(message["visitor"])
        self.message = message
        self.stopped = threading.Event()
        self.ended = threading.Event()
        self.thinker: Seat | Review | None = None
        """Who is to be halted when it is called off."""
        self._send = send

    def tell(self, part: Json, done: bool = False) -> None:
        self._send({"job": self.number, **part, "done": done})

    def stop(self) -> None:
        """Call it off. A search that was just about to begin has to be told again."""
        self.stopped.set()
        for _ in range(500):
            if self.thinker is not None:
                self.thinker.halt()
            if self.ended.wait(0.02):
                break


class Worker:
    """The jobs of a process."""

    def __init__(self, send: Send, budget: int) -> None:
        self._send = send
        self.seats = Seats(budget)
        self.jobs: dict[int, Job] = {}
        self._threads = ThreadPoolExecutor(THREADS)  # they stay: a bot's process minds its parent
        self._doors = ThreadPoolExecutor(8)  # whoever leaves need not wait for those who think

    def take(self, message: Json) -> None:
        """Deal with one message; nothing here takes long."""
        if "stop" in message:
            job = self.jobs.get(message["stop"])
            if job is not None:
                job.stopped.set()
                self._doors.submit(job.stop)
        elif "leave" in message:
            for job in list(self.jobs.values()):
                if job.visitor == message["leave"]:
                    job.stopped.set()
                    self._doors.submit(job.stop)
            self._doors.submit(self.seats.leave, message["leave"])
        elif message["do"] == "status":
            running = sum(job.thinker is not None for job in self.jobs.values())
            self._send(
                {
                    "job": message["job"],
                    "running": running,
                    "seats": len(self.seats),
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
            answer = ANSWERS[job.message["do"]](self, job)
        except Stopped:
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
            job.ended.set()
        if answer is not None:
            job.tell(answer, done=True)

    # -- the answers -------------------------------------------------------------------

    def choose(self, job: Job) -> Json:
        state = position_of(job)
        name = job.message["player"]
        seat = self._seat(job, name)
        seconds = job.message.get("seconds")
        limit = Limit(seconds=seconds or CHOOSE_SECONDS)
        report = think(job, seat, state, limit)
        if seat.search is not None:
            self.seats.look_at(job.visitor, seat)
        if report.memory > seat.memory * 2**20:  # a level's tree has bounds of its own
            seat.player.new_game()
        if job.stopped.is_set():
            return {"report": report_json(state, report), "stopped": True}
        return {"report": report_json(state, report), "move": state.game.format(report.move)}

    def analyse(self, job: Job) -> Json:
        state = position_of(job)
        seat = self._seat(job, "analysis")
        self.seats.look_at(job.visitor, seat)
        report = think(job, seat, state, Limit(seconds=job.message["seconds"]))
        return {"report": report_json(state, report), "stopped": job.stopped.is_set()}

    def tree(self, job: Job) -> Json | None:
        seat = self.seats.looked_at(job.visitor)
        if seat is None or seat.state is None:
            raise ValueError("there is no search to look into yet; let the engine think first")
        if seat.uct is None:
            seat = self._tree_of(job, seat)

        def question() -> None:
            try:
                job.tell(look(seat, job.message["path"]), done=True)
            except ValueError as error:
                job.tell({"error": str(error)}, done=True)

        seat.ask(question)
        return None

    def _tree_of(self, job: Job, thinker: Seat) -> Seat:
        """A tree for a position that an engine without one has thought about."""
        state: Any = thinker.state
        seat = self.seats.take(job.visitor, "tree", thinker.game_spec, thinker.memory, 1)
        assert seat.uct is not None
        with seat.turn:
            if seat.state is None or seat.state != state:
                seat.begin(state)
                try:
                    seat.uct.search(state, Limit(seconds=TREE_SECONDS))
                finally:
                    seat.end()
        return seat

    def review(self, job: Job) -> Json:
        message = job.message
        states = read_states(game_of(message["game"]), message["start"], message["moves"])
        review = job.thinker = Review(states, message["seconds"], message["memory"])
        try:
            for part in review.remarks():
                if job.stopped.is_set():
                    break
                job.tell(part)
        finally:
            review.close()
        return {"stopped": job.stopped.is_set()}

    def _seat(self, job: Job, name: str) -> Seat:
        message = job.message
        game = game_of(message["game"])
        try:
            seat = self.seats.take(
                job.visitor, name, game.spec, message["memory"], message["threads"]
            )
        except (ValueError, OSError) as error:
            if message.get("named"):  # the words may tell of files, which are not the visitor's
                print(f"honte: {name}: {error}", file=sys.stderr)
                raise ValueError(
                    f"the bot {name} cannot play here; the server's terminal says why"
                ) from None
            raise
        job.thinker = seat
        return seat


def position_of(job: Job) -> Any:
    message = job.message
    state = read_states(game_of(message["game"]), message["start"], message["moves"])[-1]
    if state.is_over:
        raise ValueError("the game is over in this position; there is no move to choose")
    return state


def think(job: Job, seat: Seat, state: Any, limit: Limit) -> Report:
    """Let a player choose, and tell how it goes meanwhile."""
    with seat.turn:
        if job.stopped.is_set():
            raise Stopped
        seat.begin(state)
        told = began = time.monotonic()
        latest: Report | None = None

        def progress(report: Report) -> None:
            nonlocal told, latest
            latest = report
            if job.stopped.is_set():
                raise Stopped
            seat.answer()
            now = time.monotonic()
            if told == began or now - told >= EVERY:
                told = now
                job.tell({"report": report_json(state, report)})

        try:
            if job.message["do"] == "analyse" and seat.search is not None:
                first = seat.search.search(state, Limit(seconds=min(FIRST, limit.seconds or 1)))
                progress(first)
                if first.stopped == "proven":
                    return first
                if state.game.name == "go":
                    owned = [round(share, 2) for share in ownership(state)]
                    job.tell({"ownership": owned})
                left = (limit.seconds or 1) - FIRST
                if left <= 0:
                    return first
                report = seat.search.search(state, Limit(seconds=left), progress, SLICE)
                return dataclasses.replace(
                    report,
                    iterations=report.iterations + first.iterations,
                    seconds=report.seconds + first.seconds,
                )
            if "on_progress" in inspect.signature(seat.player.choose).parameters:
                return seat.player.choose(state, limit, on_progress=progress)  # type: ignore[call-arg]
            return seat.player.choose(state, limit)
        except Stopped:
            if latest is None:
                raise
            return latest
        except Exception:
            if job.stopped.is_set():  # somebody's program, ended in the middle of its thought
                raise Stopped from None
            raise
        finally:
            seat.end()


def look(seat: Seat, path: list[str]) -> Json:
    """A node of the tree and its children."""
    state: Any = seat.state
    moves = []
    for word in path:
        moves.append(state.game.parse(word))
        state = state.play(moves[-1])
    assert seat.uct is not None
    report = seat.uct.look(moves)
    if report is None:
        raise ValueError("the search has not looked beyond this move; let it think on")
    by_visits = sorted(report.candidates, key=lambda found: (-found.visits, found.move))
    shown = by_visits[:MOST_CHILDREN]
    return {
        "node": {
            "visits": sum(found.visits for found in by_visits),
            "value": round(report.value, 4),
            "proven": report.proven,
        },
        "children": candidates_json(state, shown, by_visits),
        "more": len(by_visits) - len(shown),
    }


ANSWERS: dict[str, Callable[[Worker, Job], Json | None]] = {
    "choose": Worker.choose,
    "analyse": Worker.analyse,
    "tree": Worker.tree,
    "review": Worker.review,
}


def warm_up() -> None:
    """Load and touch what the first search needs."""
    from honte.search.uct import Uct

    game = game_of("connect4")
    Uct(game, memory_mb=1).search(game.start(), Limit(iterations=10))


def warm_up_more() -> None:
    """Load what takes longer, while nobody waits for it: the tables of Othello's engine."""
    make_seat("best", game_of("othello").spec, 2, 1).close()


def serve(lines: BinaryIO, out: BinaryIO, budget: int) -> None:
    """Answer until the input ends."""
    lock = threading.Lock()

    def send(message: Json) -> None:
        line = msgspec.json.encode(message) + b"\n"
        with lock:
            out.write(line)
            out.flush()

    worker = Worker(send, budget)
    warm_up()
    threading.Thread(target=warm_up_more, daemon=True).start()
    for line in lines:
        worker.take(msgspec.json.decode(line))


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends us
    os.nice(NICENESS)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what else is printed goes to the terminal
    with contextlib.suppress(BrokenPipeError, KeyboardInterrupt):
        serve(sys.stdin.buffer, out, int(sys.argv[1]) if len(sys.argv) > 1 else 1024)
    os._exit(0)  # threads may be in the middle of a search


if __name__ == "__main__":
    main()
