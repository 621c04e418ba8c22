"""A class on the page: sign-in, submissions, the rounds, and what each person may see.

Students see the table, their own bots and their own games; the teacher sees everything.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from honte.core.language import Message
from honte.web.fair import FairQueue
from honte.web.jobs import Job
from honte.web.position import Json
from honte.web.uploads import BROKEN, BROKEN_COMPARISON, BUSY, comparison, version_json

if TYPE_CHECKING:
    from honte.classroom.classroom import Classroom, Person, Upload
    from honte.web.class_games import ClassGames

EVERY = 1.0
"""Seconds that a view is cached."""
WRONG_CODES = 1.0
"""Seconds that the answer to a wrong code takes; they are handled one at a time."""
MOST_WRONG = 20
"""Maximum number of wrong codes that wait for their answer; more would only take memory."""
SETTLE = 30.0
"""Seconds that a round goes on before new bots enter it: each entry costs the games in flight."""
CHECK, LADDER, COMPARE = 0, 1, 2
"""Urgency: all checks come before all ladders, and those before comparisons."""


class ClassServer:
    """A class that is being served."""

    def __init__(self, classroom: Classroom, workers: int = 1, on: str = "local") -> None:
        self.classroom = classroom
        self.queue = FairQueue()
        self.desks: dict[int, Desk] = {}
        self._workers, self._on = workers, on
        self._round: asyncio.Task[None] | None = None
        self._round_error = ""
        self._began = 0.0
        self._entering: asyncio.Task[None] | None = None
        self._games: ClassGames | None = None
        self._shared: tuple[float, Json] = (0.0, {})
        self._lock = asyncio.Lock()
        self._guessing = asyncio.Lock()
        self._wrong = 0
        self.on_code: Callable[[int], None] = lambda student: None
        """Called when a student's code has stopped working."""

    async def start(self) -> None:
        """Resume what the previous server left unfinished."""
        await self._look()  # import now what the first visitor would wait for
        for upload in await asyncio.to_thread(self.classroom.waiting):
            self.desk(upload.student).enqueue(upload)
        if self.classroom.current is not None:
            self._play_round()

    async def close(self) -> None:
        await self.queue.close()
        if self._entering is not None:
            self._entering.cancel()
        await self._stop_round()

    # -- people --------------------------------------------------------------------------

    def person_of(self, code: str) -> Person | None:
        return self.classroom.person_of(code) if code else None

    async def sign_in(self, code: str, name: str) -> tuple[Person, str]:
        """Sign in with a code; a wrong one is answered slowly, so that none can be guessed."""
        from honte.classroom.classroom import WrongCode

        try:
            return await asyncio.to_thread(self.classroom.sign_in, code, name)
        except WrongCode:
            if self._wrong >= MOST_WRONG:
                raise
            self._wrong += 1
            try:
                async with self._guessing:
                    await asyncio.sleep(WRONG_CODES)
            finally:
                self._wrong -= 1
            raise

    def desk(self, student: int) -> Desk:
        """The submission desk of a student."""
        return self.desks.setdefault(student, Desk(self, student))

    def bots_of(self, person: Person) -> list[str]:
        """The names of the bots that a person may play on the page."""
        from honte.classroom.classroom import bot_name

        found = self.classroom
        return [
            bot_name(student, version)
            for student in found.students()
            if person.teaches or student.id == person.id
            for version in found.versions(student.id).all()
        ]

    # -- rounds --------------------------------------------------------------------------

    def _play_round(self) -> None:
        if self._round is None or self._round.done():
            self._round_error = ""
            self._began = time.monotonic()
            self._round = asyncio.create_task(self._run_round())

    async def _run_round(self) -> None:
        where = (str(self.classroom.folder), str(self._workers), self._on)
        job = Job("honte.classroom.round", *where)
        if not await job.run():
            self._round_error = job.last.get("error") or "the round broke off; start it again"

    async def _stop_round(self) -> None:
        task, self._round = self._round, None
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    def entered(self) -> None:
        """Note that a new version may play: the round in progress takes it in after a while."""
        if self._entering is None or self._entering.done():
            self._entering = asyncio.create_task(self._enter())

    async def _enter(self) -> None:
        await asyncio.sleep(max(0.0, self._began + SETTLE - time.monotonic()))
        if self._is_playing and not self.classroom.is_frozen:
            await self._stop_round()
            self._play_round()

    @property
    def _is_playing(self) -> bool:
        return self._round is not None and not self._round.done()

    async def act(self, action: str, student: int, games: int, seconds: float | None) -> Json:
        """Carry out an action of the teacher."""
        room = self.classroom
        found: Json = {}
        if action in ("round", "stop") and not self._is_playing:
            await asyncio.to_thread(self._refuse_while_written)
        if action == "round":
            if self._is_playing or room.current is None:  # or else resume one that broke off
                await asyncio.to_thread(room.begin_round, games, seconds)
            self._play_round()
        elif action == "stop":
            await self._stop_round()
            if (round := room.current) is not None:
                words = str(Message("stopped by the teacher"))
                await asyncio.to_thread(room.end_round, round.id, words)
        elif action in ("freeze", "unfreeze"):
            await asyncio.to_thread(room.freeze if action == "freeze" else room.unfreeze)
            if action == "unfreeze":
                self.entered()
        elif action in ("open", "shut"):
            await asyncio.to_thread(setattr, room, "is_open", action == "open")
        elif action == "code":
            found["code"] = await asyncio.to_thread(room.new_code, student)
            self.on_code(student)
        else:  # remove
            await self.queue.cancel(student)
            await asyncio.to_thread(room.remove, student)
            self.desks.pop(student, None)
            self.on_code(student)
        self._shared = (0.0, {})
        return found

    def _refuse_while_written(self) -> None:
        """Refuse to act on a round that `honte class round` plays."""
        from honte.classroom.classroom import GAMES
        from honte.web.reader import is_written

        if is_written(self.classroom.folder / GAMES):
            raise ValueError(Message("another process is playing the round; stop it there"))

    # -- views ---------------------------------------------------------------------------

    async def view(self, person: Person) -> Json:
        """The answer to `class`: what a person may see."""
        shared = await self._look()
        rows = shared["rows"]
        found: Json = {
            key: shared[key] for key in ("class", "game", "seconds", "frozen", "round", "progress")
        }
        found |= {
            "you": person.name,
            "teaches": person.teaches,
            "playing": self._is_playing,
            "error": self._round_error if person.teaches else "",
            "rows": [row_for(row, person) for row in rows],
        }
        if person.teaches:
            return {**found, **shared["teacher"], "waiting": len(self.queue)}
        games = await asyncio.to_thread(self._read_games)
        return found | {"games": games.of(shared["slugs"].get(person.id, ""))}

    async def _look(self) -> Json:
        """What all views share, computed at most once a second."""
        async with self._lock:
            made, found = self._shared
            if not found or time.monotonic() - made > EVERY:
                found = await asyncio.to_thread(self._read)
                self._shared = time.monotonic(), found
            return found

    def _read(self) -> Json:
        from honte.classroom.round import standings

        room = self.classroom
        table = standings(room) or {}
        rounds = room.rounds()
        last = rounds[-1] if rounds else None
        students = room.students()
        people = []
        for student in students:
            versions = room.versions(student.id).all()
            newest = versions[-1] if versions else None
            people.append(
                {
                    "id": student.id,
                    "name": student.name,
                    "joined": student.joined,
                    "versions": len(versions),
                    "newest": None if newest is None else newest.time,
                    "checked": newest is not None and newest.checked,
                    "faults": list(newest.faults) if newest is not None else [],
                    "elo": newest.elo if newest is not None else None,
                    "error": newest.error if newest is not None else None,
                }
            )
        settings = room.settings()
        games = self._read_games()
        return {
            "class": room.name,
            "game": room.game,
            "seconds": room.seconds,
            "frozen": settings["frozen"] == "yes",
            "round": None
            if last is None
            else {
                "number": last.id,
                "games": last.games,
                "seconds": last.seconds,
                "started": last.started,
                "ended": last.ended,
                "words": last.words,
            },
            "progress": {
                "done": table.get("done", 0),
                "total": table.get("total", 0),
                "before": table.get("before", 0),
            },
            "rows": table.get("players", []),
            "slugs": {student.id: student.slug for student in students},
            "teacher": {
                "join": settings["join"],
                "open": settings["open"] == "yes",
                "students": people,
                "highlights": games.highlights(table.get("players", [])),
            },
        }

    def _read_games(self) -> ClassGames:
        from honte.classroom.classroom import GAMES
        from honte.web.class_games import ClassGames

        if self._games is None:
            self._games = ClassGames(self.classroom.folder / GAMES)
        self._games.read()
        return self._games

    async def seen(self, person: Person, id: str, game: Json) -> Json:
        """A game as a person may see it: the teacher any, a student those of their own bots."""
        if person.teaches:
            return game
        shared = await self._look()
        slug = shared["slugs"].get(person.id, "")
        games = await asyncio.to_thread(self._read_games)
        if not games.is_of(id, slug):
            raise ValueError("your bots have not played this game; choose one of yours")
        if games.fault_of(id, slug):
            return game
        return game | {"detail": "", "comments": {}, "nodes": []}


def row_for(row: Json, person: Person) -> Json:
    """A row of the table as a person may see it."""
    mine = row.get("student") == person.id
    keys = ("name", "player", "games", "wins", "draws", "losses", "points", "elo", "elo_error")
    shown = {key: row[key] for key in keys} | {"you": mine and not person.teaches}
    if mine or person.teaches:
        shown |= {key: row[key] for key in ("faults", "last_fault", "retired")}
    return shown


class Desk:
    """The submission desk of one student: the running or queued trial, and the versions."""

    def __init__(self, server: ClassServer, student: int) -> None:
        self._server = server
        self._student = student
        self._job: Job | None = None
        self._comparison: Job | None = None
        self._kind = ""
        """The kind of the current or last job: trial or compare."""
        self._turn = 0
        self._number = 0

    async def submit(self, files: list[tuple[str, bytes]], lang: str) -> Json:
        """Keep an upload and enqueue its trial; one that is queued or running is cancelled."""
        room = self._server.classroom
        upload = await asyncio.to_thread(room.accept, self._student, files, lang)
        await self._server.queue.cancel(self._student)
        for older in await asyncio.to_thread(room.waiting):
            if older.student == self._student and older.id < upload.id:
                await asyncio.to_thread(room.tried, older.id)
        self.enqueue(upload)
        return {"number": self._number}

    def enqueue(self, upload: Upload) -> None:
        self._number += 1
        self._job = None
        self._kind = "trial"
        self._turn = self._server.queue.add(upload.student, lambda: self._try(upload), CHECK)

    async def _try(self, upload: Upload) -> None:
        room = self._server.classroom
        good = await self._run(upload, "check")
        await asyncio.to_thread(room.write_names)
        self._server.entered()
        if not good:
            await asyncio.to_thread(room.tried, upload.id)
            return
        self._turn = self._server.queue.add(upload.student, lambda: self._climb(upload), LADDER)

    async def _climb(self, upload: Upload) -> None:
        await self._run(upload, "ladder")
        await asyncio.to_thread(self._server.classroom.tried, upload.id)

    async def _run(self, upload: Upload, mode: str) -> bool:
        """Run a part of a trial; returns whether the bot is without faults."""
        room = self._server.classroom
        folder = str(room.versions(upload.student).folder)
        words = (folder, str(upload.path), room.game, str(room.seconds), mode)
        job = Job("honte.submissions.trial", *words, env={"HONTE_LANG": upload.lang})
        if self._job is not None:
            # A ladder that was preempted by a check reports its games again.
            told = [event for event in self._job.events if event["event"] not in ("end", "game")]
            job.events = told
        self._job = job
        return await job.run_to_end(BROKEN) and bool(job.last["ok"])

    async def compare(self, a: int, b: int, lang: str) -> Json:
        """Enqueue a match between two versions; their games so far count."""
        found = self._server.classroom.versions(self._student)
        await asyncio.to_thread(found.pick, a, b)
        if self._running:
            raise ValueError(BUSY)
        self._kind, self._comparison = "compare", None
        work = partial(self._compare, a, b, lang)
        self._turn = self._server.queue.add(self._student, work, COMPARE)
        return {}

    async def _compare(self, a: int, b: int, lang: str) -> None:
        room = self._server.classroom
        settings = (room.game, str(room.seconds), "1")
        folder = room.versions(self._student).folder
        self._comparison = comparison(folder, a, b, lang, *settings)
        await self._comparison.run_to_end(BROKEN_COMPARISON)

    async def stop_comparing(self) -> Json:
        """Stop a comparison; its games are kept."""
        await self._server.queue.cancel(self._student, COMPARE)
        return {}

    @property
    def _running(self) -> bool:
        queue = self._server.queue
        return queue.before(self._turn) is not None or queue.is_running(self._turn)

    async def view(self) -> Json:
        """The answer to `bots`."""
        from honte.classroom.classroom import bot_name

        room = self._server.classroom

        def known() -> list[Json]:
            student = next((one for one in room.students() if one.id == self._student), None)
            if student is None:
                return []
            found = room.versions(self._student).all()
            return [version_json(bot_name(student, one), one) for one in found]

        return {
            "refused": "",
            "versions": await asyncio.to_thread(known),
            "running": self._running,
            "job": self._kind,
            "before": self._server.queue.before(self._turn),
            "number": self._number,
            "events": self._job.events if self._job is not None else [],
            "comparison": self._comparison.events if self._comparison is not None else [],
            "board": room.game,
            "class": room.name,
        }
