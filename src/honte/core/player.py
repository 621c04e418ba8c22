"""The contract of a player: it answers requests with reports.

>>> import honte
>>> game = honte.game("othello")
>>> player = honte.player("uct:seed=1", game)
>>> player.choose(game.start(), iterations=200).iterations
200
>>> request = honte.Request(game.start(), limit=honte.Limit(iterations=200))
>>> [report.stopped for report in player.analyse(request)][-1]
'iterations'

To write a player, subclass `Player` and implement `think`; everything else has a default.
"""

from __future__ import annotations

import os
import queue
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from honte.core.contract import Game, State
from honte.core.language import Message
from honte.core.report import Report
from honte.core.request import Interrupted, Limit, Request
from honte.core.spec import Options

LEAST = 0.001
"""Seconds for a move when the clock has run out and only the margin is left."""


def check_game(game: Game, state: State) -> None:
    """Refuse a position of another game, or of another board, than a player was made for."""
    if state.game != game:
        raise ValueError(
            Message(
                "this player was made for {spec}, and the position is of {other}",
                spec=game.spec,
                other=state.game.spec,
            )
        )


class Player(ABC):
    """Chooses moves in one game.

    A player may keep its tree or tables between calls; ``new_game`` announces that the next
    position belongs to another game.
    """

    spec: str
    """The player as a spec string."""
    options: ClassVar[Options] = Options()
    """The settings its spec accepts."""
    limit: Limit | None = None
    """The limit in its spec, which overrides the request's."""

    def effective_settings(self) -> dict[str, Any]:
        """The value in use of every setting: the spec's, or the default for this game."""
        return {option.name: option.default for option in self.options if not option.removed}

    game: Game | None = None
    """The game it was made for; `honte.player` sets it."""

    # -- for the arena --------------------------------------------------------------

    sandbox: str = "in-process"
    """Sandbox level, for external programs."""
    idle_cpu: float | None = None
    """CPU seconds used during the opponent's turns, if known."""
    keeps_time: bool = False
    """Whether it enforces its limit and reports its own time."""
    version: str = ""
    """The version an external program reports."""

    @property
    def files(self) -> tuple[Path, ...]:
        """Files outside the package whose content affects its play."""
        return ()

    # -- to implement -----------------------------------------------------------------

    @abstractmethod
    def think(self, request: Request) -> Report:
        """Choose a move within the request's limit; the game is not over.

        `choose` has already applied the player's own limit.
        """

    @property
    def has_tree(self) -> bool:
        """Whether `look` can inspect a search tree."""
        return False

    def look(self, moves: list[int]) -> Report | None:
        """The search tree's statistics after these moves from the last searched position.

        None without a tree, or if the position is not in it.
        """
        return None

    def prepare(self, margin: float, pause: bool = False) -> None:  # noqa: B027
        """Prepare an external program for a timed game: seconds tolerated over the limit, and
        whether to suspend it between moves."""

    def new_game(self) -> None:  # noqa: B027  (most players keep nothing)
        """Forget the game so far."""

    def close(self) -> None:  # noqa: B027
        """Release processes and memory."""

    _searching: int = 0
    """The process in which it is thinking."""

    # -- to call -------------------------------------------------------------------------

    def choose(
        self,
        request: Request | State,
        limit: Limit | None = None,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
        nodes: int | None = None,
        depth: int | None = None,
    ) -> Report:
        """Decide on a move: answer a request, or a position with a limit."""
        given = (seconds, iterations, nodes, depth)
        more = Limit(*given) if given != (None,) * 4 else None
        return self._answer(self._asked(request, limit, more))

    def analyse(self, request: Request) -> Iterator[Report]:
        """Yield reports while the player thinks, the final one last.

        Leaving the loop early cancels the search.
        """
        asked = self._asked(request, None, None)
        found: queue.SimpleQueue[tuple[Report | None, BaseException | None]] = queue.SimpleQueue()

        def progress(report: Report) -> None:
            if request.on_progress is not None:
                request.on_progress(report)
            found.put((report.at(request.state), None))

        def run() -> None:
            try:
                found.put((self._answer(replace(asked, on_progress=progress)), None))
            except BaseException as error:
                found.put((None, error))
            finally:
                found.put((None, None))

        thread = threading.Thread(target=run, name="analysis", daemon=True)
        thread.start()
        try:
            while True:
                report, error = found.get()
                if error is not None:
                    raise error
                if report is None:
                    return
                yield report
        finally:
            if thread.is_alive():
                request.cancel.cancel()
                thread.join()

    def _asked(self, request: Request | State, limit: Limit | None, more: Limit | None) -> Request:
        """The request with its effective limit."""
        if not isinstance(request, Request):
            request = Request(request)
        if more is not None:
            if limit is not None:
                raise ValueError(
                    Message("give a limit or seconds, iterations, nodes and depth, not both")
                )
            limit = more
        limit = self.limit or limit or request.limit
        if limit is not None and request.allowed is not None:  # the clock caps every limit
            seconds = min(limit.seconds or request.allowed, request.allowed)
            limit = replace(limit, seconds=max(LEAST, seconds))
        return request.within(limit)

    def _answer(self, request: Request) -> Report:
        if self.game is not None:
            check_game(self.game, request.state)
        if request.state.is_over:
            raise ValueError(
                Message("the game is over in this position; there is no move to choose")
            )
        if self._searching not in (0, os.getpid()):
            raise RuntimeError(
                "the process forked while this player was thinking, and the copy cannot go on;"
                " make a new player after the fork"
            )
        self._searching = os.getpid()
        try:
            report = self.think(request)
        except Interrupted as interrupted:
            interrupted.report = interrupted.report.at(request.state)
            raise
        finally:
            self._searching = 0
        return report.at(request.state) if report.state is None else report

    def __repr__(self) -> str:
        return f"honte.player({self.spec!r})"
