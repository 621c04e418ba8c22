"""Othello for Botzone: the parts of an exported program."""

from __future__ import annotations

import array
import sys
from itertools import groupby
from typing import Any

from honte.core.contract import Game
from honte.core.language import Message
from honte.core.site_support import SiteEngine, SiteSupport
from honte.games.othello import patterns

SYMBOLS = "".join(map(chr, range(ord("#"), ord("~") + 1))).replace("?", "").replace("\\", "")
"""Ninety characters that need no escape in a C++ string."""
LINE = 8000


def board(game: Any) -> str:
    """The C++ expression for the board, which on Botzone is 8×8."""
    if game.size != 8:
        raise ValueError(Message("only the board of 8×8 can be exported"))
    return "sites::Othello{}"


def packed(numbers: array.array[int]) -> str:
    """Encode 16-bit numbers as text, which native/sites/othello_engine.hpp decodes.

    >>> packed(array.array("h", [0, 0, 5, -3000]))
    'fD(~&ai'
    """
    words = []
    for number, alike in groupby(numbers):
        count = len(list(alike))
        if number == 0:
            words.append(zeros(count))
        elif -2880 <= number < 2880:
            high, low = divmod(number + 2880, 90)
            words.append((SYMBOLS[high] + SYMBOLS[low]) * count)
        else:
            high, low = divmod(number + 32768, 90)
            middle = SYMBOLS[high // 90] + SYMBOLS[high % 90]
            words.append((SYMBOLS[89] + middle + SYMBOLS[low]) * count)
    return "".join(words)


def zeros(count: int) -> str:
    """Encode a run of zeros."""
    if count <= 24:
        return SYMBOLS[63 + count]
    long = min(count, 8099)
    high, low = divmod(long, 90)
    rest = zeros(count - long) if count > long else ""
    return SYMBOLS[88] + SYMBOLS[high] + SYMBOLS[low] + rest


def best(game: Game, settings: dict[str, object]) -> SiteEngine:
    """Alpha-beta with the learned patterns."""
    if others := settings.keys() - {"memory_mb", "book"}:
        raise ValueError(
            Message("best is exported without settings; leave out {names}", names=", ".join(others))
        )
    _, tables, sigmas = patterns.read()
    numbers = array.array("h", tables + sigmas)
    if sys.byteorder == "big":
        numbers.byteswap()
    text = packed(numbers)
    lines = "\n".join(f'    "{text[at : at + LINE]}"' for at in range(0, len(text), LINE))
    header = (
        f"#pragma once\nnamespace honte {{\ninline constexpr char kOthelloWeights[] =\n{lines};\n}}"
    )
    engine = "sites::OthelloThinker({memory_mb})"
    return SiteEngine("sites/othello_engine.hpp", engine, {"learned/othello.hpp": header})


SUPPORT = SiteSupport(header="sites/othello.hpp", game=board, state="othello::State", best=best)
