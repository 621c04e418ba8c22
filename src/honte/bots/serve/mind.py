"""Who decides: the player of a spec, made anew whenever the controller changes the game."""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any

from honte.bots.serve.wires import Wires
from honte.games.contract import Game, State
from honte.players.contract import Player
from honte.players.registry import player as make_player
from honte.search.limit import Limit
from honte.search.report import Report

GLANCE = 0.05
"""Seconds after which an analysis looks whether the next command has come."""
ENDLESS = 1e6


class _EnoughError(Exception):
    """Carries an analysis out of its own progress call when the next command has come."""


class Mind:
    """A player for whichever game is on."""

    def __init__(self, spec: str, game: Game) -> None:
        self.spec = spec
        self._game = game
        self._player = make_player(spec, game)  # a wrong spec is said at once

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
        strict: bool = False,
        on_progress: Callable[[Report], None] | None = None,
    ) -> Report:
        """Decide within a limit.

        A limit in the spec stands over it, unless the time is `strict`: the controller's clock
        runs, and who passes it has lost.
        """
        player: Any = self.player(state.game)
        own = getattr(player, "limit", None)
        if strict and limit.seconds is not None and isinstance(own, Limit):
            seconds = min(own.seconds or limit.seconds, limit.seconds)
            player.limit = dataclasses.replace(own, seconds=seconds)
        try:
            if on_progress is not None and takes_progress(player):
                report: Report = player.choose(state, limit, on_progress)
            else:
                report = player.choose(state, limit)
        finally:
            if own is not None:
                player.limit = own
        return report

    def analyse(
        self, state: State, every: float, tell: Callable[[Report], None], wires: Wires
    ) -> None:
        """Think about a position until the next command comes; one report at least."""
        player: Any = self.player(state.game)
        told = -every

        def progress(report: Report) -> None:
            nonlocal told
            leaving = wires.wait(0)
            if report.seconds - told >= every or (leaving and told < 0):
                told = report.seconds
                tell(report)
            if leaving:
                raise _EnoughError

        search = self._search_of(player)
        if search is None:
            while True:  # again and again, for want of a look inside
                report = player.choose(state, Limit(seconds=max(every, 0.01)))
                tell(report)
                if wires.wait(max(0.01, every - report.seconds)):
                    return
        try:
            report = search(state, Limit(seconds=ENDLESS), progress, min(every, GLANCE))
        except _EnoughError:
            return
        tell(report)  # nothing is left to find out
        while not wires.wait(max(every, 0.01)):
            tell(report)

    @staticmethod
    def _search_of(player: Any) -> Callable[..., Report] | None:
        """The search behind a player, if it lets itself be looked at while it runs."""
        behind = getattr(player, "uct", None) or getattr(player, "search", None)
        search: Callable[..., Report] | None = getattr(behind, "search", None)
        if search is None or "every" not in inspect.signature(search).parameters:
            return None
        return search

    def line(self, state: State, report: Report, move: int) -> list[int]:
        """What the player expects after a move, itself first."""
        if report.pv[:1] == [move]:
            return report.pv
        uct = getattr(self.player(state.game), "uct", None)
        below = uct.look([move]) if uct is not None else None
        return [move, *below.pv] if below is not None and below.iterations else [move]


def takes_progress(player: Player) -> bool:
    return "on_progress" in inspect.signature(player.choose).parameters
