"""Talks rehearsed on strings: no clock, no process."""

from __future__ import annotations

from typing import TypeVar

import honte
from honte.bots.protocol import Protocol, rehearse
from honte.games.contract import State

T = TypeVar("T")


def position(protocol: Protocol, moves: str) -> tuple[list[int], State]:
    """The moves of a transcript, and where they lead."""
    played = protocol.game.read_moves(moves)
    state = protocol.game.start()
    for move in played:
        state = state.play(move)
    return played, state


def turn(
    protocol: Protocol, moves: str, answers: bytes, limit: honte.Limit | None = None
) -> tuple[str, str]:
    """Ask for a move after some moves: the move and what was sent, as text."""
    played, state = position(protocol, moves)
    talk = protocol.turn(played, state, limit or honte.Limit(seconds=2))
    move, sent = rehearse(talk, answers)
    return protocol.game.format(move), sent.decode()
