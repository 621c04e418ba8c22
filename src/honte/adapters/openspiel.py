"""Our players in OpenSpiel's games, and OpenSpiel's bots in ours.

>>> from honte.adapters import openspiel
>>> game = openspiel.load_game("connect4")    # OpenSpiel's own game with the same rules
>>> state = game.new_initial_state()
>>> bot = openspiel.bot("solver:seconds=1")
>>> state.apply_action(bot.step(state))
>>> state.history(), openspiel.position(state).last_move
([3], 3)

OpenSpiel has Connect Four of any size without blocked cells, Othello on 8×8, and Go with simple ko
(``go:size=9,ko=simple``). Its Go ends in a draw when a position repeats, where ours plays on.
"""

from __future__ import annotations

import time
from typing import Any

from honte.adapters.spaces import missing
from honte.core.contract import Game, State
from honte.core.games import game as game_from_spec
from honte.core.language import Message
from honte.core.messages import quote
from honte.core.player import Player
from honte.core.players import player as player_from_spec
from honte.core.report import Candidate, Report
from honte.core.request import Limit, Request
from honte.core.spec import join
from honte.protocols import history

try:
    import pyspiel
except ModuleNotFoundError:
    raise missing("OpenSpiel", "openspiel") from None

LIMIT = Limit(seconds=0.1)
"""Limit per move of a player without a limit of its own."""
LONGEST = 100_000
"""Plies after which OpenSpiel ends a game of Go; its default is twice the points of the board."""


def load_game(game: str | Game) -> Any:
    """OpenSpiel's game with the rules of ours."""
    ours: Any = game_from_spec(game) if isinstance(game, str) else game
    if ours.name == "connect4" and not ours.blocked:
        settings = {"rows": ours.rows, "columns": ours.cols, "x_in_row": ours.inarow}
        return pyspiel.load_game("connect_four", settings)
    if ours.name == "othello" and ours.size == 8:
        return pyspiel.load_game("othello")
    if ours.name == "go" and ours.ko == "simple" and not ours.suicide and not ours.handicap:
        return pyspiel.load_game(
            "go", {"board_size": ours.size, "komi": ours.komi, "max_game_length": LONGEST}
        )
    raise ValueError(
        Message(
            "OpenSpiel has no {spec}; it has connect4 without blocked cells, othello, and go with "
            "ko=simple",
            spec=quote(ours.spec),
        )
    )


def game_of(theirs: Any) -> Game:
    """Our game with the rules of OpenSpiel's."""
    name, settings = theirs.get_type().short_name, theirs.get_parameters()
    if name == "connect_four":
        rows, cols, inarow = settings["rows"], settings["columns"], settings["x_in_row"]
        return game_from_spec(join("connect4", {"rows": rows, "cols": cols, "inarow": inarow}))
    if name == "othello":
        return game_from_spec("othello")
    if name == "go" and not settings["handicap"]:
        size, komi = settings["board_size"], settings["komi"]
        return game_from_spec(join("go", {"size": size, "komi": komi, "ko": "simple"}))
    raise ValueError(
        Message(
            "Honte does not play {name} of OpenSpiel; it plays connect_four, othello, and go "
            "without a handicap",
            name=quote(str(theirs)),
        )
    )


def other_number(game: Game, move: int) -> int:
    """OpenSpiel's action for our move, or the reverse: its Go rows count from the bottom."""
    size = game.shape()
    assert size is not None
    if game.name != "go" or move == size[0] * size[1]:
        return move
    row, col = divmod(move, size[1])
    return (size[0] - 1 - row) * size[1] + col


def position(state: Any, game: Game | None = None) -> State:
    """The position of an OpenSpiel state, by the moves that led there."""
    game = game_of(state.get_game()) if game is None else game
    ours = game.start()
    for action in state.history():
        ours = ours.play(other_number(game, action))
    return ours


def state_after(game: Game, moves: tuple[int, ...]) -> Any:
    """The OpenSpiel state after these moves of ours."""
    state = load_game(game).new_initial_state()
    for move in moves:
        state.apply_action(other_number(game, move))
    return state


class PlayerBot(pyspiel.Bot):  # type: ignore[misc]
    """One of our players as an OpenSpiel bot, in all games that both libraries have."""

    def __init__(self, spec: str | Player, limit: Limit = LIMIT) -> None:
        pyspiel.Bot.__init__(self)
        self._spec = spec
        self._limit = limit
        self._player: Player | None = spec if isinstance(spec, Player) else None
        self._game: Game | None = self._player.game if self._player else None

    def step(self, state: Any) -> int:
        ours = position(state, self._game)
        if self._player is None:
            assert isinstance(self._spec, str)
            self._game = ours.game
            self._player = player_from_spec(self._spec, ours.game)
        moves = tuple(other_number(ours.game, action) for action in state.history())
        request = Request(ours, history=moves, limit=self._limit)
        return other_number(ours.game, self._player.choose(request).move)

    def restart(self) -> None:
        if self._player is not None:
            self._player.new_game()

    def restart_at(self, state: Any) -> None:
        self.restart()

    def inform_action(self, state: Any, player_id: int, action: int) -> None:
        """Do nothing: a state knows its moves."""

    def provides_policy(self) -> bool:
        return False


class BotPlayer(Player):
    """An OpenSpiel bot as one of our players; it ignores limits and plays only its own side.

    >>> import honte, pyspiel
    >>> from honte.adapters import openspiel
    >>> game = honte.game("othello")
    >>> player = openspiel.player(pyspiel.make_uniform_random_bot(0, 1), game)
    >>> player.choose(game.start()).move in game.start().legal_moves()
    True
    """

    def __init__(self, bot: Any, game: Game) -> None:
        load_game(game)  # raises if OpenSpiel does not have it
        self.bot = bot
        self.game = game
        self.spec = "openspiel"

    def think(self, request: Request) -> Report:
        started = time.perf_counter()
        game = request.state.game
        moves = request.history
        if moves is None:
            found = history.find(request.state)
            if found is None:
                raise ValueError(
                    Message(
                        "a bot of OpenSpiel must know the moves that led to a position; give them "
                        "in Request(state, history=…)"
                    )
                )
            moves = tuple(found)
        state = state_after(game, moves)
        self.bot.restart_at(state)
        move = other_number(game, self.bot.step(state))
        return Report(
            move=move,
            pv=[move],
            candidates=[Candidate(move)],
            seconds=time.perf_counter() - started,
            source=self.spec,
        )


def bot(player: str | Player, limit: Limit = LIMIT) -> PlayerBot:
    """A player, or the player of a spec, as an OpenSpiel bot; it plays either side."""
    return PlayerBot(player, limit)


def player(bot: Any, game: str | Game) -> BotPlayer:
    """An OpenSpiel bot as one of our players."""
    return BotPlayer(bot, game_from_spec(game) if isinstance(game, str) else game)
