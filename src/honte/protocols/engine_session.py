"""Our player in a controller's session, recreated whenever the controller changes the game."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator

from honte.core.contract import Game, State
from honte.core.player import Player
from honte.core.players import player as make_player
from honte.core.report import Candidate, Report
from honte.core.request import CancelToken, Limit, Request
from honte.protocols.transport import Transport

POLL = 0.05
"""Seconds between polls of the transport during a search."""
GRACE = 1.0
"""Seconds that a search may go on after the end of the input."""
MIN_INTERVAL = 0.01
ENDLESS = Limit(seconds=1e6)


class EngineSession:
    """The player of a spec, for whichever game is on the board."""

    def __init__(self, spec: str, game: Game) -> None:
        self.spec = spec
        self._game = game
        self._player = make_player(spec, game)  # a wrong spec is reported at once

    def player(self, game: Game) -> Player:
        if game != self._game:
            new = make_player(self.spec, game)
            self._player.close()
            self._player, self._game = new, game
        return self._player

    def new_game(self) -> None:
        self._player.new_game()

    def close(self) -> None:
        self._player.close()

    def choose(
        self,
        state: State,
        limit: Limit,
        *,
        strict: bool = False,
        history: tuple[int, ...] | None = None,
        lines: int = 1,
        all_moves: bool = False,
        ownership: bool = False,
        on_progress: Callable[[Report], None] | None = None,
        transport: Transport | None = None,
    ) -> Report:
        """Choose a move within a limit; `lines` candidates get a principal variation of their own.

        With `all_moves` every move is evaluated, as in an analysis.

        With a `transport`, a search gets one more second once the input has ended: the
        controller may be gone.

        A limit in the player's spec takes precedence, unless the time is `strict`: the controller's
        clock is running, and exceeding it loses the game.
        """
        allowed = limit.seconds if strict else None
        request = Request(
            state,
            history,
            limit,
            lines=lines,
            all_moves=all_moves,
            ownership=ownership,
            on_progress=on_progress,
            allowed=allowed,
        )
        player = self.player(state.game)
        if transport is None or player.keeps_time:
            return player.choose(request)
        with cancelled_when(request.cancel, transport.wait_for_end, GRACE):
            return player.choose(request)

    def analyse(
        self,
        state: State,
        every: float,
        on_report: Callable[[Report], None],
        transport: Transport,
        history: tuple[int, ...] | None = None,
        lines: int = 1,
    ) -> None:
        """Report on a position until the next command arrives; at least once."""
        player = self.player(state.game)
        every = max(every, MIN_INTERVAL)
        if player.keeps_time:  # a bot, which gives no reports while it thinks
            while True:
                limit = Limit(seconds=every)
                report = player.choose(Request(state, history, limit))
                on_report(report)
                if transport.wait_for_input(max(MIN_INTERVAL, every - report.seconds)):
                    return
        shown: Report | None = None

        def show(report: Report) -> None:
            nonlocal shown
            if shown is None or report.seconds - shown.seconds >= every:
                on_report(report)
                shown = report

        request = Request(
            state, history, ENDLESS, lines=lines, all_moves=True, on_progress=show, every=every
        )
        own, player.limit = player.limit, None
        try:
            with cancelled_when(request.cancel, transport.wait_for_input):
                found = player.choose(request)
        finally:
            player.limit = own
        if shown is None or not request.cancel.cancelled:
            on_report(found)
        while not transport.wait_for_input(every):
            on_report(found)  # nothing is left to search


def variation(report: Report, candidate: Candidate) -> list[int]:
    """The principal variation that starts with a candidate."""
    if candidate.line:
        return list(candidate.line)
    return report.pv if report.pv[:1] == [candidate.move] else [candidate.move]


@contextlib.contextmanager
def cancelled_when(
    token: CancelToken, happens: Callable[[float], bool], grace: float = 0.0
) -> Iterator[None]:
    """Cancel a token when something happens on the transport, while the block runs.

    `happens(seconds)` waits for the event with a timeout; `grace` delays the cancellation.
    """
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            if happens(POLL):
                if not over.wait(grace):
                    token.cancel()
                return

    threading.Thread(target=watch, name="watcher", daemon=True).start()
    try:
        yield
    finally:
        over.set()  # the watcher ends at its next poll; there is no need to join it
