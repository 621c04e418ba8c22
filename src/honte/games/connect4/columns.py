"""Files of Connect Four positions: moves or a board per line, with an optional value.

>>> import honte
>>> game = honte.game("connect4")
>>> state, value = parse_line(game, "32164625 11")
>>> value
11
"""

from __future__ import annotations

from pathlib import Path

from honte.core.contract import Game, State
from honte.core.language import Message
from honte.core.messages import quote


def parse_line(game: Game, line: str) -> tuple[State, int | None]:
    """A position, and its value for the side to move if given."""
    words = line.split()
    state = game.start()
    if words and "/" in words[0] and len(words[0]) >= game.rows:  # type: ignore[attr-defined]
        side = 2 if len(words) > 1 and words[1] in ("X", "x", "O", "o") else 1
        state = game.from_text(" ".join(words[:side]))
        words = words[side:]
    elif words:
        for move in game.read_moves(words[0]):
            state = state.play(move)
        words = words[1:]
    if not words:
        return state, None
    try:
        if len(words) > 1 or len(words[0]) > 4:
            raise ValueError
        return state, int(words[0])
    except ValueError:
        raise ValueError(
            Message(
                "{words} after the position is not one whole number, its value",
                words=quote(" ".join(words)),
            )
        ) from None


def load(game: Game, path: str | Path) -> list[tuple[State, int | None]]:
    """The positions of a file; skips blank lines and # comments."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ValueError(
            Message("cannot read {path}: {reason}", path=path, reason=reason)
        ) from None
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            found.append(parse_line(game, line))
        except ValueError as error:
            raise ValueError(
                Message("{path}, line {number}: {error}", path=path, number=number, error=error)
            ) from None
    if not found:
        raise ValueError(
            Message("{path} has no positions; write one per line, like 4455 or 4455 -2", path=path)
        )
    return found
