"""A game in a terminal, line by line: the board, a question, the answer."""

from __future__ import annotations

from collections.abc import Callable

from honte.core.contract import Game, State
from honte.core.language import Message, tr
from honte.core.player import Player
from honte.core.request import Limit, Request
from honte.drawing.text import words

HELP = Message("Write a move, or: undo, moves (what is legal), help, quit.")


def play_game(
    game: Game,
    player: Player,
    person: int = 0,
    ask: Callable[[str], str] = input,
    show: Callable[[str], None] = print,
    limit: Limit | None = None,
) -> State:
    """Let a person (player 0 or 1) play against a player; returns the last position."""
    limit = limit or Limit(seconds=1)
    states = [game.start()]
    show(tr(HELP))
    while not states[-1].is_over:
        state = states[-1]
        if state.to_move != person:
            moves = (made.last_move for made in states[1:])
            history = tuple(move for move in moves if move is not None)
            move = player.choose(Request(state, history, limit)).move
            show(tr("{player} plays {move}", player=player.spec, move=game.format(move)))
            states.append(state.play(move))
            continue
        show(f"\n{words(state)}\n")
        if _must_pass(state):
            show(tr("You have no move: you pass."))
            states.append(state.play(state.legal_moves()[0]))
            continue
        try:
            answer = ask(tr("Your move: ")).strip()
        except EOFError:
            show("")
            break
        if answer in ("quit", "q", "exit"):
            break
        if answer in ("help", "?"):
            show(tr(HELP))
        elif answer == "moves":
            show(" ".join(map(game.format, state.legal_moves())))
        elif answer == "undo":
            _undo(states, person, show)
        elif answer:
            try:
                states.append(state.play(game.parse(answer)))
            except ValueError as error:
                show(tr("{error}.", error=error))
    show(f"\n{words(states[-1])}")
    return states[-1]


def _must_pass(state: State) -> bool:
    return [state.game.format(move) for move in state.legal_moves()] == ["pass"]


def _undo(states: list[State], person: int, show: Callable[[str], None]) -> None:
    """Go back to the person's move before."""
    back = len(states) - 2
    while back > 0 and (states[back].to_move != person or _must_pass(states[back])):
        back -= 1
    if back < 0 or states[back].to_move != person:
        show(tr("There is no move of yours to take back."))
        return
    del states[back + 1 :]
