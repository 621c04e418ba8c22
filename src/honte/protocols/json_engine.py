"""The JSON engine, ``honte analyse``: one query a line, many in flight, as in KataGo's.

    {"id": "a", "game": SPEC, "moves": "4455", "seconds": 0.5}              a query
    {"id": "b", "action": "cancel", "query": "a"}                           an action
    {"id": "a", "turn": 4, "partial": false, "move": "3", "value": …}       an answer

Every position of a query gets exactly one answer with ``"partial": false``, every action one answer
and every malformed line one with ``"error"``. The schema is in docs/analyse.md, its version in
`VERSION`.
"""

from __future__ import annotations

import heapq
import itertools
import os
import select
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

import honte
from honte.core import wire
from honte.core.contract import Game, State
from honte.core.fault import Fault
from honte.core.language import plain
from honte.core.player import Player
from honte.core.report import Report
from honte.core.request import CancelToken, Limit, Request
from honte.core.spec import MAX_SPEC
from honte.protocols.engine_loop import PipeTransport

VERSION = 1
"""Version of the schema; adding a field does not change it."""
MAX_LINE = 1 << 20
"""Maximum bytes of a query."""
MAX_MOVES = 5000
MAX_PENDING = 4096
"""Maximum queued positions; beyond it the input is not read until some are answered."""
SECONDS = 1.0
"""Seconds for a position of a query without a limit."""
KEPT_PLAYERS = 2
"""Idle players kept per worker; beyond that the least recently used are closed."""

Id = Annotated[str, Meta(max_length=200)] | Annotated[int, Meta(ge=-(2**53), le=2**53)]
Spec = Annotated[str, Meta(min_length=1, max_length=MAX_SPEC)]
Turn = Annotated[int, Meta(ge=0, le=MAX_MOVES)]
Count = Annotated[int, Meta(ge=1, lt=2**62)]
Json = dict[str, Any]


class Query(Struct, forbid_unknown_fields=True):
    """A game and the positions in it to analyse."""

    id: Id
    game: Spec | None = None
    position: str | None = None
    """The position that the moves start from."""
    moves: str | Annotated[list[str], Meta(max_length=MAX_MOVES)] = []
    turns: Annotated[list[Turn], Meta(min_length=1, max_length=MAX_MOVES)] | None = None
    """The positions to analyse, by the number of moves before each; default: the last."""
    player: Spec | None = None
    seconds: Annotated[float, Meta(gt=0, le=86400)] | None = None
    iterations: Count | None = None
    nodes: Count | None = None
    depth: Count | None = None
    lines: Annotated[int, Meta(ge=1, le=400)] = 1
    all_moves: bool = False
    ownership: bool = False
    every: Annotated[float, Meta(ge=0.01, le=3600)] | None = None
    """Seconds between partial answers; none if left out."""
    priority: Annotated[int, Meta(ge=-(2**31), lt=2**31)] = 0
    """Higher first; equal ones in order of arrival."""


class Action(Struct, forbid_unknown_fields=True):
    """Something to do at once, before all queries."""

    id: Id
    action: Literal["cancel", "cancel_all", "version"]
    query: Id | None = None
    turns: list[Turn] | None = None


@dataclass(order=True)
class Job:
    """One position to analyse."""

    rank: tuple[int, int]
    query: Query = field(compare=False)
    turn: int = field(compare=False)
    state: State = field(compare=False)
    history: tuple[int, ...] | None = field(compare=False)
    player: str = field(compare=False)
    cancel: CancelToken = field(compare=False, default_factory=CancelToken)


class Players:
    """A pool of players, each used by one worker at a time."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._idle: OrderedDict[tuple[str, str], list[Player]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, spec: str, game: Game) -> Player:
        """A player without memory of other positions."""
        with self._lock:
            found = self._idle.get((spec, game.spec))
            player = found.pop() if found else None
        if player is None:
            return honte.player(spec, game)
        player.new_game()
        return player

    def give_back(self, spec: str, game: Game, player: Player) -> None:
        with self._lock:
            self._idle.setdefault((spec, game.spec), []).append(player)
            self._idle.move_to_end((spec, game.spec))
            surplus = None
            if sum(map(len, self._idle.values())) > self._most:
                oldest = next(key for key, players in self._idle.items() if players)
                surplus = self._idle[oldest].pop(0)
            for key in [key for key, players in self._idle.items() if not players]:
                del self._idle[key]
        if surplus is not None:
            surplus.close()

    def close(self) -> None:
        with self._lock:
            players = [player for idle in self._idle.values() for player in idle]
            self._idle.clear()
        for player in players:
            player.close()


class JsonEngine:
    """Queries in, answers out; `workers` positions are searched at once."""

    def __init__(
        self,
        send: Callable[[bytes], None],
        *,
        workers: int,
        game: str | None = None,
        player: str = "best",
    ) -> None:
        self._send, self._game, self._player = send, game, player
        self._players = Players(KEPT_PLAYERS * workers)
        self._numbers = itertools.count()
        self._changed = threading.Condition()
        self._sending = threading.Lock()
        self._waiting: list[Job] = []
        self._searching: list[Job] = []
        self._closing = False
        self._games: dict[str, Game] = {}
        self._threads = [
            threading.Thread(target=self._work, name=f"analysis {number}", daemon=True)
            for number in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    # -- the input ---------------------------------------------------------------------

    def handle(self, line: bytes) -> None:
        """Answer an action, or queue the positions of a query; blocks while the queue is full."""
        if not line.strip():
            return
        id: object = None
        try:
            if len(line) > MAX_LINE:
                raise ValueError(f"a line of more than {MAX_LINE:,} bytes")
            found = wire.decode(line)
            if not isinstance(found, dict):
                raise ValueError('a query is one JSON object like {"id": "1", "game": …}')
            id = found.get("id")
            if "action" in found:
                self._act(wire.convert(found, Action))
            else:
                self._take_in(wire.convert(found, Query))
        except ValueError as error:
            named = id if isinstance(id, str | int) and not isinstance(id, bool) else None
            self._answer({"id": named, "error": str(error)})

    def _act(self, action: Action) -> None:
        if action.action == "version":
            told: Json = {"version": VERSION, "honte": honte.__version__}
        else:
            if action.action == "cancel" and action.query is None:
                raise ValueError("cancel: name the id of a query in the field query")
            told = {"cancelled": self.cancel(action.query, action.turns)}
        self._answer({"id": action.id, "action": action.action, **told})

    def cancel(self, query: Id | None = None, turns: list[int] | None = None) -> int:
        """Cancel the positions of a query, or all; returns how many there were."""

        def meant(job: Job) -> bool:
            return query in (None, job.query.id) and (turns is None or job.turn in turns)

        with self._changed:
            gone = [job for job in self._waiting if meant(job)]
            self._waiting = [job for job in self._waiting if not meant(job)]
            heapq.heapify(self._waiting)
            stopped = [job for job in self._searching if meant(job)]
            self._changed.notify_all()
        for job in stopped:
            job.cancel.cancel()
        for job in sorted(gone):
            self._answer(
                {"id": job.query.id, "turn": job.turn, "partial": False, "cancelled": True}
            )
        return len(gone) + len(stopped)

    def _take_in(self, query: Query) -> None:
        for job in self._jobs(query):
            with self._changed:
                self._changed.wait_for(lambda: len(self._waiting) < MAX_PENDING)
                heapq.heappush(self._waiting, job)
                self._changed.notify_all()

    def _jobs(self, query: Query) -> list[Job]:
        """The positions of a query; none is started unless the whole query is valid."""
        spec = query.game or self._game
        if spec is None:
            raise ValueError("game is missing; name one in the query or with --game")
        game = self._games.get(spec)
        if game is None:
            game = honte.game(spec)
            self._games = {**self._games, spec: game} if len(self._games) < 100 else {spec: game}
        state = game.start() if query.position is None else game.from_text(query.position)
        text = query.moves if isinstance(query.moves, str) else ",".join(query.moves)
        moves = game.read_moves(text, state) if text else []
        turns = query.turns if query.turns is not None else [len(moves)]
        if max(turns) > len(moves):
            raise ValueError(f"turns: {max(turns)} is past the last of {len(moves)} moves")
        player = query.player or self._player
        states = [*itertools.accumulate(moves, lambda state, move: state.play(move), initial=state)]
        self._players.give_back(player, game, self._players.take(player, game))  # or raise
        whole = query.position is None
        return [
            Job(
                (-query.priority, next(self._numbers)),
                query,
                turn,
                states[turn],
                tuple(moves[:turn]) if whole else None,
                player,
            )
            for turn in turns
        ]

    # -- the output --------------------------------------------------------------------

    def _answer(self, answer: Json) -> None:
        data = msgspec.json.encode(answer, enc_hook=plain) + b"\n"
        with self._sending:
            self._send(data)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._closing)
                if not self._waiting:
                    return
                job = heapq.heappop(self._waiting)
                self._searching.append(job)
                self._changed.notify_all()
            try:
                try:
                    answer = self._analyse(job)
                except (Fault, ValueError) as error:
                    answer = {"error": str(error)}
                except Exception as error:  # a third-party game or evaluator
                    answer = {"error": f"{type(error).__name__}: {error}"}
                self._answer({"id": job.query.id, "turn": job.turn, "partial": False, **answer})
            except OSError:  # nobody reads the answers any more; the input says when to end
                pass
            finally:
                with self._changed:
                    self._searching.remove(job)
                    self._changed.notify_all()

    def _analyse(self, job: Job) -> Json:
        query, state = job.query, job.state
        if state.is_over:
            return {"over": True, "winner": state.winner, "score": state.score}

        def progress(report: Report) -> None:
            shown = answer_of(report.at(state), query)
            self._answer({"id": query.id, "turn": job.turn, "partial": True, **shown})

        limit = Limit(query.seconds, query.iterations, query.nodes, query.depth)
        player = self._players.take(job.player, state.game)
        try:
            report = player.choose(
                Request(
                    state,
                    history=job.history,
                    limit=Limit(SECONDS) if limit == Limit() else limit,
                    lines=query.lines,
                    all_moves=query.all_moves,
                    ownership=query.ownership,
                    cancel=job.cancel,
                    on_progress=progress if query.every is not None else None,
                    every=query.every or 0.2,
                )
            )
        except BaseException:
            player.close()
            raise
        self._players.give_back(job.player, state.game, player)
        return answer_of(report, query)

    # -- the end -----------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        return bool(self._waiting or self._searching)

    def finish(self) -> None:
        """Wait until everything is answered."""
        with self._changed:
            self._changed.wait_for(lambda: not self.busy)

    def close(self) -> None:
        """Cancel what is left, and end."""
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self.cancel()
        for thread in self._threads:
            thread.join()
        self._players.close()


def answer_of(report: Report, query: Query) -> Json:
    """A report as the fields of an answer."""
    assert report.state is not None
    told: Json = {"over": False, "to_move": report.state.to_move, **report.to_dict()}
    if query.ownership:
        told["ownership"] = report.ownership
    return told


def serve(workers: int, game: str | None, player: str, *, wait: bool) -> None:
    """Answer queries on standard input until it ends; then, with `wait`, the remaining ones."""
    if game is not None:
        honte.game(game)
    target = sys.stdout.fileno()
    pipes = PipeTransport(sys.stdin.fileno(), target)
    threading.Thread(target=_end_with_reader, args=(target,), daemon=True).start()
    engine = JsonEngine(pipes.send, workers=workers, game=game, player=player)
    pipes.listen(MAX_LINE, framed=True)
    try:
        while (line := pipes.next()) is not None:
            engine.handle(line)
        if wait:
            engine.finish()
    finally:
        engine.close()


def _end_with_reader(target: int) -> None:
    """End the program when nobody can read its answers any more."""
    if sys.platform == "win32":
        return  # the next answer fails
    watch = select.poll()
    watch.register(target, 0)
    while not any(event & (select.POLLERR | select.POLLHUP) for _, event in watch.poll()):
        pass
    os._exit(141)
