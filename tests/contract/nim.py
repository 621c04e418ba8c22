"""A game in plain Python, as a user would add one: Nim, where taking the last stone wins.

A move is heap·10 + stones taken; people write it ``b3``, three stones of the second heap.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from operator import index
from typing import Any

from honte.core.contract import Game
from honte.core.messages import quote
from honte.core.spec import Option, Options, join

MOST_HEAPS, MOST_STONES = 5, 9


def _read_heaps(text: str) -> tuple[int, ...]:
    if not re.fullmatch(f"[0-{MOST_STONES}]{{1,{MOST_HEAPS}}}", text):
        raise ValueError
    return tuple(map(int, text))


OPTIONS = Options(Option("heaps", (3, 4, 5), "up to five digits like 345", _read_heaps))


class Nim(Game):
    name = "nim"

    def __init__(self, /, **settings: object) -> None:
        self.heaps: tuple[int, ...] = OPTIONS.read(self.name, settings)["heaps"]
        written = "".join(map(str, self.heaps))
        self.spec = join(self.name, {} if written == "345" else {"heaps": written})

    def start(self) -> NimState:
        return NimState(self, self.heaps)

    def parse(self, text: str) -> int:
        word = text.strip() if len(text) < 40 else ""
        if not re.fullmatch("[a-e][1-9]", word):
            raise ValueError(f"{quote(text)} is not a move of nim; write heap and stones, like b3")
        return 10 * "abcde".index(word[0]) + int(word[1])

    def format(self, move: int) -> str:
        heap, stones = divmod(move, 10)
        return "abcde"[heap] + str(stones)

    def from_text(self, text: str) -> NimState:
        match = re.fullmatch(r"([0-9]{1,5}) ([XO])", text)
        if match is None:
            raise ValueError(f"{quote(text)} is not a position of nim; write it like '345 X'")
        heaps = _read_heaps(match[1])
        if len(heaps) != len(self.heaps):
            raise ValueError(f"the position has {len(heaps)} heaps, the game {len(self.heaps)}")
        return NimState(self, heaps, "XO".index(match[2]))


@dataclass(frozen=True)
class NimState:
    game: Nim
    heaps: tuple[int, ...]
    to_move: int = 0
    last_move: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NimState) and self._value == other._value

    def __hash__(self) -> int:
        return hash(self._value)

    @property
    def _value(self) -> tuple[Any, ...]:
        return self.game, self.heaps, self.to_move

    @property
    def is_over(self) -> bool:
        return not any(self.heaps)

    @property
    def winner(self) -> int | None:
        return 1 - self.to_move if self.is_over else None

    @property
    def score(self) -> float:
        return 0 if self.winner is None else 1 - 2 * self.winner

    def legal_moves(self) -> list[int]:
        return [
            10 * heap + taken
            for heap, stones in enumerate(self.heaps)
            for taken in range(1, stones + 1)
        ]

    def play(self, move: int) -> NimState:
        try:
            move = index(move)
        except TypeError:
            raise TypeError("a move is an int; game.parse turns text into one") from None
        if move not in self.legal_moves():
            raise self.game.illegal(self, move)
        heap, taken = divmod(move, 10)
        heaps = list(self.heaps)
        heaps[heap] -= taken
        return NimState(self.game, tuple(heaps), 1 - self.to_move, move)

    def to_text(self) -> str:
        return "".join(map(str, self.heaps)) + " " + "XO"[self.to_move]

    def __str__(self) -> str:
        return "\n".join("abcde"[i] + "|" * stones for i, stones in enumerate(self.heaps))
