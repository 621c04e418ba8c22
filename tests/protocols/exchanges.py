"""Exchanges run on scripted replies: no clock, no process."""

from __future__ import annotations

from typing import TypeVar

import honte
from honte.core.contract import State
from honte.protocols.protocol import Protocol, run_scripted

T = TypeVar("T")


def position(protocol: Protocol, moves: str) -> tuple[list[int], State]:
    """The moves of a transcript, and the resulting position."""
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
    exchange = protocol.turn(played, state, limit or honte.Limit(seconds=2))
    move, sent = run_scripted(exchange, answers)
    return protocol.game.format(move), sent.decode()
